"""Phrases: what a text says around what it tells: of whom, to whom, and instead of what."""

from muniment.model.lazy_names import lazy_names

# Only what an agent wrote itself is read for whom it speaks to.
WHERE = {"address_words": "muniment.model.languages.phrases.address_words"}

__getattr__ = lazy_names(__name__, WHERE, what="table of phrases", whole_modules=True)
