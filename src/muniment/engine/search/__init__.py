"""Recall: a question is ranked over the reader's index, explained, and cited in a receipt."""
