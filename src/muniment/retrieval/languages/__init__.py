"""Languages in retrieval: detection, small talk and phrases for states."""

from muniment.model.lazy_names import lazy_names

# Few texts ask to forget anything: what reads them is loaded for the first that may.
WHERE = {"asked_to_forget": "muniment.retrieval.languages.asked_to_forget"}

__getattr__ = lazy_names(__name__, WHERE, what="language module", whole_modules=True)
