"""The studio: a local web page that shows what an agent remembers, why, and who said so."""
