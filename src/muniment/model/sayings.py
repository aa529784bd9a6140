"""Sayings: when two texts say the same, and when they only look as if they did.

Almost the same words are the same saying, unless a number, a name, a date, a quotation or a "not"
differs. Where a script has no capitals a name cannot be told from a word: no word may differ then.
"""

import re
from typing import Final

import msgspec

from muniment.model import likeness, prose
from muniment.model.text import MARK

# Words that turn a sentence round, in the languages that we have met them in.
_NEGATIONS = """
no not never none nor neither without cannot nothing nobody
dont doesnt didnt isnt arent wasnt werent wont cant shouldnt wouldnt couldnt hasnt havent hadnt
nicht kein keine keinen keiner nie niemals ohne nichts niet geen nooit zonder ikke inte aldrig
ne pas jamais sans aucun aucune rien nunca jamás sin nada ningún ninguna não nem sem nenhum
non mai senza niente nessuno
не нет никогда без ни
"""
_DATE_WORDS = """
january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday
today yesterday tomorrow last next ago
"""
NEGATIONS: Final = frozenset(re.findall(r"\w+", _NEGATIONS))
DATE_WORDS: Final = frozenset(re.findall(r"\w+", _DATE_WORDS))
NOT: Final = "not"
_SAID: Final = NEGATIONS | DATE_WORDS
# Split by it, a text is gap, word, gap, word, gap.
_TOLD = re.compile(rf"({MARK.pattern}|[^\W_]+(?:['\u2019][^\W_]+)*)")
_SENTENCE_END: Final = frozenset(".!?…")
_QUOTATION_MARKS: Final = frozenset('"“«「')


class Saying(msgspec.Struct, frozen=True, kw_only=True):
    """What decides whether two texts are one saying."""

    words: frozenset[str]
    values: tuple[str, ...]  # what it turns on, in its order; quotations after all others
    names: frozenset[str]  # every word with a capital, also where a sentence begins with it


def saying(text: str) -> Saying:
    values: list[str] = []
    names: set[str] = set()
    pieces = _TOLD.split(text)
    for place, word in enumerate(pieces[1::2]):
        # Most words are plain ones that nothing turns on.
        if word.isascii() and word.isalpha() and word.islower() and word not in _SAID:
            continue
        begins = not place or not _SENTENCE_END.isdisjoint(pieces[2 * place])
        parts = word.lower().replace("\u2019", "'").split("'")
        if word[0].isupper():
            names.update(parts)
        if _turns(parts):
            values.append(NOT)
        elif _is_value(word, parts[0], begins=begins):
            values.append(parts[0])
    if not _QUOTATION_MARKS.isdisjoint(text):
        values += prose.quotes(text)
    return Saying(words=likeness.words(text), values=tuple(values), names=frozenset(names))


def same(one: Saying, other: Saying, least_ppm: int) -> bool:
    """Whether two texts share so much of all their words, and differ in no value."""
    if one.values != other.values:
        return False
    if one.words == other.words:
        return True
    if likeness.jaccard_ppm(one.words, other.words) < least_ppm:
        return False
    apart = one.words ^ other.words
    return apart.isdisjoint(one.names) and apart.isdisjoint(other.names)


def _turns(parts: list[str]) -> bool:
    return parts[0] in NEGATIONS or (len(parts) > 1 and parts[-1] == "t")


def _is_value(word: str, plain: str, *, begins: bool) -> bool:
    if plain in DATE_WORDS or any(letter.isdigit() for letter in word):
        return True
    if word[0].isupper():
        return not begins and plain != "i"
    return not word.isascii() and word.lower() == word.upper()
