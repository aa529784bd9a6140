"""Tokenizer, stop words, stems, sentence splitting and speaker prefixes of indexed text."""
