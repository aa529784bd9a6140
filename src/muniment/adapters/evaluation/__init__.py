"""Evaluation: question sets, recall of their evidence, and a model's answers, kept and replayed."""
