"""Answer type: whether a question asks for a yes or a no; in English."""

from muniment.model.languages.english_states import ASKS_WHETHER
from muniment.model.lazy_pattern import lazy_pattern

_WHETHER = lazy_pattern(ASKS_WHETHER)


def asks_whether(question: str) -> bool:
    """Whether a yes or a no is asked for: it asks how things stand, and gathers nothing."""
    return _WHETHER.match(question) is not None
