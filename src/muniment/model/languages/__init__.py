"""Languages: words and phrases of each language, as one table each."""
