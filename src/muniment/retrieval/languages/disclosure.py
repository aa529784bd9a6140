"""Self-disclosure: whether a message states something of whoever says it, in any known language.

"I live in Porto", "meine Schwester heißt Anna": what is somebody's, or is so of them, in the first
person. By grammar and not by subject, so whatever people tell of themselves counts.
What is asked, asked for, supposed, or only thought states nothing.
"""

from typing import Final

from muniment.model.languages.language_table import flat
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text.sentences import sentences
from muniment.model.text.tokens import tokens
from muniment.retrieval.languages.detect_language import detect_languages, possible_languages

WORDS_MIN: Final = 2  # "Vivo solo": who speaks is in the verb
LETTERS_MIN: Final = 4  # where words are not parted
_ASKED = lazy_pattern(r"[?\uff1f\u061f\u037e][\"'\u201d\u2019\u00bb)\]\u300d]*\s*$")
_QUOTED = lazy_pattern(r"[\"\u201c\u201e\u00ab][^\"\u201c\u201d\u00bb]*[\"\u201d\u201c\u00bb]")


def is_disclosed(text: str) -> bool:
    """Whether one of its sentences tells how something is with its speaker."""
    return any(_tells(sentence) for sentence in sentences(text))


def _tells(sentence: str) -> bool:
    if _ASKED.search(sentence):
        return False
    said = _QUOTED.sub(" ", sentence).strip()  # what is quoted is somebody's word, not a statement
    if len(tokens(said)) < WORDS_MIN and len(said) < LETTERS_MIN:
        return False
    folded = flat(said).strip()
    first, *others = possible_languages(said, detect_languages(said))
    if first.states_nothing.search(folded):
        return False
    return any(
        each.first_person.search(folded) and not each.states_nothing.search(folded)
        for each in (first, *others)
    )
