"""Name mentions: whom a text gives a name, and whether a text is about somebody by name."""

from collections.abc import Iterator
from typing import Final

from muniment.model.languages.relation_words import NAMING
from muniment.model.lazy_pattern import lazy_pattern
from muniment.retrieval.text import tokenizer

SUBJECT_WORDS: Final = 4  # of a clause, among which it says whom it is about

_CLAUSE = lazy_pattern(r"[.,;:!?\n]")
# A name behind a word for somebody, and behind their title.
_APPOSED = lazy_pattern(
    r"([^\W\d_]+),? (?:(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau|Señor|Señora|Mme|M)\.? )?([^\W\d_a-z][\w-]+)"
)


def apposed(text: str) -> Iterator[tuple[str, str]]:
    """Whom a text gives a name behind a word for them: "my landlord Keller"."""
    for word, name in _APPOSED.findall(text):
        giving = word.casefold() in NAMING or tokenizer.is_stop(word.casefold())
        if not giving and not name[0].islower():  # of whatever script: "Олег по профессии"
            yield tokenizer.stem(word.casefold()), tokenizer.stem(name.casefold())


def is_about(text: str, name: str) -> bool:
    """Whether a clause begins with a name, or nearly: "Ruth moved to be near Karl" is Ruth's."""
    clauses = (clause.split()[:SUBJECT_WORDS] for clause in _CLAUSE.split(text))
    return any(name in tokenizer.stems(" ".join(words)) for words in clauses)
