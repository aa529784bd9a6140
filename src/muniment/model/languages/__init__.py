"""Languages: what each of them says, as one table of words and phrases."""
