"""Text analysis: tokenizer, stop words, stems, sentences and speaker prefixes."""
