"""Which languages a text is in, as far as it shows it: by its letters, or by its small words."""

from typing import NamedTuple

from muniment.model.characters import known
from muniment.retrieval.language import Language
from muniment.retrieval.languages.english import ENGLISH


class Heard(NamedTuple):
    """A text as the table of a language reads it."""

    language: Language
    text: str


def heard(text: str) -> tuple[Heard, ...]:
    """In the order in which they are read; whatever shows nothing else is English."""
    return (Heard(ENGLISH, known(text)),)
