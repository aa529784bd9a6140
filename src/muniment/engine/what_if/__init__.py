"""What-if analysis: the log decided again and its questions asked again, under another policy."""
