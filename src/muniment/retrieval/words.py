"""The words by which things are recalled: folded, stemmed, in pairs where a script has no spaces.

An index holds a number for each word, never the word: what a question names is hashed the same
way, so nothing has to be spelled out. The rule has a version; a change of one stem is a new one.
"""

import re
from functools import lru_cache
from hashlib import blake2b
from typing import Final

import Stemmer

from muniment.model.characters import category, known, normalised
from muniment.model.text import plain_words

NAME: Final = "stem-1"
KEY_BYTES: Final = 8
WORD_LETTERS_MAX: Final = 64  # longer ones are not words; they would only fill the index

# Function words of English, where they carry no meaning of their own. Other languages have none
# here: their common words weigh little anyway, because they are everywhere.
STOP_WORDS: Final = frozenset(
    re.findall(
        r"\w+",
        """a about above after again all also am an and any are as at be because been before being
        below between both but by can cannot could did do does doing dont down during each else
        ever few for from further get gets getting go goes going got had has have having he her
        here hers herself him himself his how i id if ill im in into is isnt it its itself ive
        just let lets like likely lot many may me might mine more most much must my myself no nor
        not of off on once one only or other our ours ourselves out over own really s same shall
        she should so some such t than that thats the their theirs them themselves then there
        these they theyre thing things this those though through to too two under until up us very
        was we were weve what whats when where which while who whom whose why will with without
        wont would yes yet you youre your yours yourself yourselves youve ve re ll d m""",
    )
)

# Marks that decorate a letter without changing the word: accents, and the vowel points of
# Hebrew and Arabic. The marks of Indian scripts are vowels and stay.
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640]")
_APOSTROPHE = re.compile("['\u2019\u2018\u02bc`]")
_POSSESSIVE = re.compile("['\u2019]s\\b")

# Scripts written without spaces between words, and Korean, whose particles stick to the noun:
# Thai, Lao, Myanmar, Khmer, kana, Han, Hangul.
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]+"
)
_STEMMERS = (
    (0x0370, "greek"),
    (0x0400, "russian"),
    (0x0530, "armenian"),
    (0x0590, ""),
    (0x0600, "arabic"),
    (0x0700, ""),
    (0x0900, "hindi"),
    (0x0980, ""),
    (0x0B80, "tamil"),
    (0x0C00, ""),
)
_MADE: dict[str, Stemmer.Stemmer] = {}


class _Letters(dict[int, int]):
    """Letters, digits and the marks that belong to them stay; everything else parts words."""

    def __missing__(self, code: int) -> int:
        kept = code if category(chr(code))[0] in "LMN" else ord(" ")
        self[code] = kept
        return kept


_LETTERS = _Letters()


def is_plain(text: str) -> bool:
    """Whether nothing but case has to be folded: its words are those of `plain_words`."""
    return text.isascii() and "'" not in text and "`" not in text


def folded(text: str) -> str:
    """One spelling of a text: compatible forms, case and accents do not matter."""
    text = known(text)
    plain = text.casefold()
    if is_plain(plain):
        return plain
    plain = _POSSESSIVE.sub("", plain)
    if plain.isascii():
        return _APOSTROPHE.sub("", plain)
    whole = normalised("NFKC", text).casefold()
    return _unmarked(_APOSTROPHE.sub("", _POSSESSIVE.sub("", whole)))


def unaccented(text: str) -> str:
    """The same of a text whose apostrophes still mean something."""
    if text.isascii():
        return text.casefold()
    return _unmarked(normalised("NFKC", known(text)).casefold())


def spelled(text: str) -> list[str]:
    """The words of a text in order, folded, not yet stemmed."""
    plain = folded(text)
    if plain.isascii():
        return plain_words(plain)
    return [piece for word in plain.translate(_LETTERS).split() for piece in _pieces(word)]


def stems(text: str) -> list[str]:
    """The words of a text in order, as the index counts them."""
    return [stem(word) for word in spelled(text)]


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """What the forms of a word have in common, by the rules of its script's first language."""
    word = word[:WORD_LETTERS_MAX]
    language = _language(word[0])
    if not language or word.isdecimal():
        return word
    if language not in _MADE:
        _MADE[language] = Stemmer.Stemmer(language, 0)  # we remember words ourselves
    return str(_MADE[language].stemWord(word)) or word


@lru_cache(maxsize=1 << 16)
def key(word: str) -> int:
    """The number under which an index keeps a stem; never 0."""
    return int.from_bytes(blake2b(word.encode(), digest_size=KEY_BYTES).digest(), "big") or 1


@lru_cache(maxsize=1 << 16)
def number(word: str) -> int:
    """The same of a word as it is spelled."""
    return key(stem(word))


def is_stop(word: str) -> bool:
    return word in STOP_WORDS


def _language(letter: str) -> str:
    code = ord(letter)
    found = "english"
    for start, language in _STEMMERS:
        if code < start:
            break
        found = language
    return found


def _unmarked(text: str) -> str:
    return normalised("NFC", _ACCENTS.sub("", normalised("NFD", text)))


def _pieces(word: str) -> list[str]:
    """A word of its own, or the pairs of neighbours in each run that has no spaces."""
    pieces: list[str] = []
    place = 0
    for run in _SPACELESS.finditer(word):
        if run.start() > place:
            pieces.append(word[place : run.start()])
        letters = run.group()
        pieces.extend(letters[n : n + 2] for n in range(max(1, len(letters) - 1)))
        place = run.end()
    if place < len(word):
        pieces.append(word[place:])
    return pieces
