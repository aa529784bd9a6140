"""The terminal: words in, one clear answer out, for people, scripts and pipes alike."""
