"""Near-duplicates: when two texts say the same, and which differences prevent it.

Almost the same words are the same saying, unless a number, a name, a date, a quotation or a "not"
differs, or one text says another word in a word's place: "900 euros" and "900 dollars", "at 5 am"
and "at 5 pm" are two sayings. So are the same words in another order ("the dog bit the man"), for
who does what to whom is told by it, and what one text asks and the other tells. A number is told
with its sign and its currency. Where a script has no capitals a name cannot be told from a word: no
word may differ then.
"""

from functools import cached_property
from itertools import groupby
from typing import Final

import msgspec

from muniment.model.languages.tables import NEGATIONS
from muniment.model.languages.tables.english import ENGLISH
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.lru_cache import cached_for_short_texts
from muniment.model.text import sentences, similarity
from muniment.model.text.tokens import MARK, tokens
from muniment.model.unicode14 import has_no_case, known

_NEAR: Final = ("today", "yesterday", "tomorrow", "last", "next", "ago")
DATE_WORDS: Final = frozenset([*ENGLISH.months, *ENGLISH.weekdays, *_NEAR])
NOT: Final = "not"
_SAID: Final = NEGATIONS | DATE_WORDS
# Split by it, a text is gap, word, gap, word, gap.
_TOLD = lazy_pattern(rf"({MARK.pattern}|[^\W_]+(?:['\u2019][^\W_]+)*)")
_SENTENCE_END: Final = frozenset(".!?…")
_QUOTATION_MARKS: Final = frozenset('"“«「')
MINUS: Final = "\N{MINUS SIGN}"
_SIGNS: Final = frozenset(f"+-{MINUS}±<>≤≥")
_BARE: Final = frozenset(["", " ", ".", ", "])  # beside most words stands nothing else
_UNITS: Final = frozenset("$€£¥₹₽₩₺₫₪₦₴฿¢%‰°")
# What one text may say where another says something else, and both say the same.
_PLAIN: Final = frozenset(["a", "an", "the"])
_SHORT: Final = {"m": "am", "s": "is", "re": "are"}  # what an apostrophe leaves of a word
# What is glued to the end of a word and belongs to it: "C++", "C#", a grade of "A-".
_GLUED = lazy_pattern(r"[+#]+|-(?=[\s.,;:!?)]|$)")
QUESTION_MARKS: Final = ("?", "\uff1f", "\u061f")
_PICTURE = lazy_pattern("[\u2600-\u27bf\U0001f300-\U0001faff]")


class TextSignature(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What decides whether two texts are one saying."""

    text: str
    words: frozenset[str]

    @cached_property
    def values(self) -> tuple[str, ...]:
        """What it turns on, in its order; quotations after all others."""
        return self._turned[0]

    @cached_property
    def names(self) -> frozenset[str]:
        """Every word with a capital, also where a sentence begins with it."""
        return self._turned[1]

    @cached_property
    def order(self) -> list[str]:
        """Its words one after the other, without articles."""
        told = [_SHORT.get(word, word) for word in tokens(self.text)]
        return [word for word in told if word not in _PLAIN]

    @cached_property
    def asks(self) -> bool:
        return self.text.rstrip().endswith(QUESTION_MARKS)

    @cached_property
    def pictures(self) -> list[str]:
        return [] if self.text.isascii() else _PICTURE.findall(self.text)

    @cached_property
    def _turned(self) -> tuple[tuple[str, ...], frozenset[str]]:
        return _turned(self.text)  # most texts differ by their words already


@cached_for_short_texts
def saying(text: str) -> TextSignature:
    return TextSignature(text=text, words=frozenset(tokens(text)))


def spoken_by(speaker: str, text: str) -> str:
    """The words with who says them, where that is known and they do not say so themselves."""
    named = f"{speaker}: " if speaker else ""
    return text if text.startswith(named) else named + text


def worded(text: str) -> str:
    """Its words in their order, numbers with their signs: whoever says just this says the same."""
    pieces = _TOLD.split(known(text))
    return " ".join(
        word.lower() if word.isalpha() else word.lower() + _marks(pieces, 2 * place + 1)
        for place, word in enumerate(pieces[1::2])
    )


def _turned(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    values: list[str] = []
    names: set[str] = set()
    pieces = _TOLD.split(known(text))
    for place, word in enumerate(pieces[1::2]):
        glued = _glued(pieces, 2 * place + 1)
        if glued:
            values.append(word.lower() + glued)
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
            values.append(parts[0] + _marks(pieces, 2 * place + 1))
    if not _QUOTATION_MARKS.isdisjoint(text):
        values += sentences.quotes(text)
    return tuple(values), frozenset(names)


def same(one: TextSignature, other: TextSignature, least_ppm: int) -> bool:
    """Whether two texts share so much of all their words, and differ in no value."""
    shared_ppm = similarity.jaccard_ppm(one.words, other.words)
    if shared_ppm < least_ppm and shared_ppm < similarity.WHOLE_PPM:
        return False
    return _agree(one, other)


def _agree(one: TextSignature, other: TextSignature) -> bool:
    if one.text == other.text:
        return True  # every second time: several memory types offer what was said once
    mine, theirs = one.words - other.words, other.words - one.words
    # Words are at hand, and tell most texts apart before anybody looks what these turn on.
    if mine and theirs and _told_apart(mine, theirs):
        return False
    if one.asks is not other.asks or not _same_values(one, other):
        return False
    if one.pictures and other.pictures and one.pictures != other.pictures:
        return False
    apart = mine | theirs
    return apart.isdisjoint(one.names | other.names) and _in_order(one, other)


def _same_values(one: TextSignature, other: TextSignature) -> bool:
    """Whether both turn on the same; a capital by itself is no value where every word is alike."""
    if one.values == other.values:
        return True
    names = one.names | other.names
    mine, theirs = ([value for value in each.values if value not in names] for each in (one, other))
    return mine == theirs and one.order == other.order


def _in_order(one: TextSignature, other: TextSignature) -> bool:
    """Whether both say what they share in the same order, however often at a time."""
    if one.order == other.order:
        return True
    shared = {*one.order} & {*other.order}
    mine, theirs = (
        [word for word, _ in groupby(filter(shared.__contains__, each.order))]
        for each in (one, other)
    )
    return mine == theirs


def _told_apart(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether each says a word where the other says another one."""
    one, other = ({_SHORT.get(word, word) for word in words} - _PLAIN for words in (mine, theirs))
    return bool(one - other and other - one)


class ToldTexts:
    """What was told so far: whether one more says the same as anything before.

    Most texts say too many words that nobody has said. For the others words are bits, so that a
    comparison with each of many costs next to nothing; what a text turns on is looked at only
    where the words are nearly the same.
    """

    def __init__(self, least_ppm: int) -> None:
        self._least = min(least_ppm, similarity.WHOLE_PPM)
        self._told: list[TextSignature] = []
        self._said: set[str] = set()  # every word of them
        self._fewest = 0  # words of the shortest of them
        self._bits: list[tuple[int, int]] = []  # of the first ones the words, and what they ask for
        self._words: dict[str, int] = {}

    def add(self, one: TextSignature) -> None:
        count = len(one.words)
        self._fewest = min(self._fewest, count) if self._told else count
        self._told.append(one)
        self._said |= one.words

    def twin(self, one: TextSignature) -> int:
        """The place of the first that says the same; -1 where it is new."""
        # shared / (mine + theirs - shared) >= least, with nothing but whole numbers
        asked, weight = self._least * len(one.words), similarity.WHOLE_PPM + self._least
        shared_at_most = len(self._said & one.words)
        if not self._told or shared_at_most * weight < asked + self._least * self._fewest:
            return -1
        for other in self._told[len(self._bits) :]:
            self._bits.append((self._spelled(other), self._least * len(other.words)))
        mine = self._spelled(one)
        near = [
            place
            for place, (theirs, more) in enumerate(self._bits)
            if (mine & theirs).bit_count() * weight >= asked + more
        ]
        return next((place for place in near if _agree(one, self._told[place])), -1)

    def _spelled(self, one: TextSignature) -> int:
        known, bits = self._words, 0
        for word in one.words:
            bits |= known.get(word) or known.setdefault(word, 1 << len(known))
        return bits


def _marks(pieces: list[str], place: int) -> str:
    """The sign and the currency or unit beside a number, on whichever side they stand."""
    before, after = pieces[place - 1], pieces[place + 1]
    if (before in _BARE and after in _BARE) or not any(map(str.isdigit, pieces[place])):
        return ""  # nearly always
    glued = len(before)
    while glued and before[glued - 1] in _SIGNS | _UNITS:
        glued -= 1
    # A hyphen that joins two words is no minus.
    signs = "" if not glued and place > 1 else "".join(sorted(_SIGNS & {*before[glued:]}))
    units = {*before[glued:]} & _UNITS
    behind = after.lstrip(" ")
    if behind and behind[0] in _UNITS and (len(behind) > 1 or place + 2 == len(pieces)):
        units.add(behind[0])
    return signs.replace(MINUS, "-") + "".join(sorted(units))


def _glued(pieces: list[str], place: int) -> str:
    """The marks at the end of a word that are part of it; a hyphen only after a single letter."""
    behind = pieces[place + 1]
    if behind in _BARE or behind[0] not in "+#-":
        return ""  # nearly always
    if behind == "-" and place + 2 < len(pieces):
        return ""  # it joins two words
    found = _GLUED.match(behind)
    if found is None or (found[0] == "-" and len(pieces[place]) > 1):
        return ""
    return found[0]


def _turns(parts: list[str]) -> bool:
    return parts[0] in NEGATIONS or (len(parts) > 1 and parts[-1] == "t")


def _is_value(word: str, plain: str, *, begins: bool) -> bool:
    if plain in DATE_WORDS or any(letter.isdigit() for letter in word):
        return True
    if word[0].isupper():
        return not begins and plain != "i"
    return not word.isascii() and has_no_case(word)
