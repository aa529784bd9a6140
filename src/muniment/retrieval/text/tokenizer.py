"""Tokenizer: words normalized and stemmed; bigrams for scripts without spaces.

An index holds a number for each word, never the word: what a question names is hashed the same
way, so nothing has to be spelled out. The rule has a version; a change of one stem is a new one.
"""

from functools import cache, lru_cache
from hashlib import blake2b
from itertools import groupby
from typing import Final

import Stemmer

from muniment.model.languages.common_words import ADVERBS
from muniment.model.languages.letter_folding import UNSPOKEN, unmarked
from muniment.model.languages.synonyms import SYNONYMS
from muniment.model.languages.tables import OTHERS
from muniment.model.languages.tables.english import ENGLISH
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text.tokens import plain_words
from muniment.model.unicode14 import category, known, normalised

NAME: Final = "stem-8"
KEY_BYTES: Final = 8
WORD_LETTERS_MAX: Final = 64  # longer ones are not words; they would only fill the index

# Function words of English, where they carry no meaning of their own. Other languages have none
# here: their common words weigh little anyway, because they are everywhere.
STOP_WORDS: Final = frozenset(ENGLISH.shown_by.split())
# Where each letter of a script is looked for by itself as well: those without a meaning.
SMALL_LETTERS: Final = frozenset("".join(language.small_letters for language in OTHERS))

_APOSTROPHES = "'\u2019\u2018\u02bc`"
_APOSTROPHE = lazy_pattern(f"[{_APOSTROPHES}]")
# What an apostrophe parts from its word: "Ann's", "l'école", "dell'arte", "İstanbul'da".
_POSSESSIVE = lazy_pattern("['\u2019]s\\b")
_ELIDED = lazy_pattern(
    "\\b(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quelqu|all|bell|coll|dall|dell|nell|quest|sant|sull|un)"
    "['\u2019](?=[aeiouyhàâäéèêëìíîïòóôöùúûüœæ])"
)
_CASE_ENDING = lazy_pattern(
    "(?<=\\w\\w)['\u2019](?:[dt][ae]n?(?:ki)?|y[ae\u0131iuü]|n?[\u0131iuü]n|y?l[ae]|l[\u0131iuü])\\b"
)

# Scripts written without spaces between words, and Korean, whose particles stick to the noun:
# Thai, Lao, Myanmar, Khmer, kana, Han, Hangul.
SPACELESS_FIRST: Final = "\u0e00"
_RUNNING = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3040, 0x30FF),
    (0x31F0, 0x31FF),
)
_HAN = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3134F))
_HANGUL = ((0xAC00, 0xD7AF),)
_PARTED, _BY_PAIRS, _ALONE, _FIRST_ALONE = "prhg"  # how the letters of a script make words
_SPACELESS: Final = ((_BY_PAIRS, _RUNNING), (_ALONE, _HAN), (_FIRST_ALONE, _HANGUL))
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
    (0x0C00, "telugu"),
    (0x0C80, ""),
)
# No Snowball stemmer knows Telugu: cases and plurals, behind three letters or more.
_TELUGU_ENDING = lazy_pattern(
    "(?<=...)(?:"
    "\u0c3e\u0c32(?:\u0c32\u0c4b|\u0c28\u0c41|\u0c15\u0c41|\u0c24\u0c4b|\u0c41)?"  # -āla…, -ālu
    "|\u0c3e\u0c28(?:\u0c3f\u0c15\u0c3f|\u0c4d\u0c28\u0c3f)"  # -āniki, -ānni
    "|\u0c02(?:\u0c32\u0c4b|\u0c24\u0c4b|\u0c17\u0c3e)?"  # -ṃ, -ṃlō, -ṃtō, -ṃgā
    "|\u0c32(?:\u0c32\u0c4b|\u0c28\u0c41|\u0c15\u0c41|\u0c24\u0c4b)"  # -lalō, -lanu, -laku, -latō
    "|\u0c32\u0c4b|\u0c32\u0c41|\u0c15\u0c3f|\u0c15\u0c41|\u0c28\u0c3f|\u0c28\u0c41|\u0c24\u0c4b"
    ")$"
)
# Stemmers that take one ending away at a time: "диплома" loses its own, "диплом" what looks like
# one, and then both are the same.
_ENDINGS_MAX: Final = {"tamil": 3, "russian": 2}
_MADE: dict[str, Stemmer.Stemmer] = {}


# Letters that are one to whoever looks for a word, and have no accent that could be taken away.
_ALIKE: Final = str.maketrans(
    {"\u0131": "i", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "þ": "th"}
    | {"æ": "ae", "œ": "oe", "ĳ": "ij"}
    | {"\u0649": "\u064a", "\u06cc": "\u064a", "\u06a9": "\u0643"}  # the ya and kaf of Arabic
    # The dot below a letter of Devanagari, which many leave out: ज़ is written ज.
    | {"\u093c": "", "\u0929": "\u0928", "\u0931": "\u0930", "\u0934": "\u0933"}
)
_PICTURES = lazy_pattern("[\u2600-\u27bf\U0001f300-\U0001faff]")


# Japan's two alphabets have the same letters in the same order.
_HIRAGANA: Final = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}
_KATAKANA: Final = {small: code for code, small in _HIRAGANA.items()}


def _kept(letter: str) -> str:
    kind = category(letter)
    if kind == "Nd":
        return str(int(letter))
    if kind == "So" and _PICTURES.match(letter):
        return f" {letter} "
    return letter if kind[0] in "LMN" else " "


class _Letters(dict[int, int | str]):
    """Letters, digits and the marks that belong to them stay, digits as one spells them in ASCII.

    A picture is a word of its own; everything else parts words.
    """

    def __missing__(self, code: int) -> int | str:
        self[code] = kept = _kept(chr(code))
        return kept


_LETTERS = _Letters(_ALIKE)


def is_plain(text: str) -> bool:
    """Whether nothing but case has to be folded: its words are those of `plain_words`."""
    return text.isascii() and "'" not in text and "`" not in text


def folded(text: str) -> str:
    """One spelling of a text: compatible forms, case and accents do not matter."""
    text = known(text)
    plain = text.casefold()
    if is_plain(plain):
        return plain
    if plain.isascii():
        return _joined(plain)
    whole = normalised("NFKC", UNSPOKEN.sub("", text)).casefold()
    return unmarked(_joined(whole))


def spelled(text: str) -> list[str]:
    """The words of a text in order, folded, not yet stemmed."""
    plain = folded(text)
    if plain.isascii():
        return plain_words(plain)
    return [piece for word in plain.translate(_LETTERS).split() for piece in _pieces(word)]


def is_far(word: str) -> bool:
    """Whether no piece of a word of a table can be ASCII: all its letters are of other scripts.

    Who looks for a word in ASCII needs no such rows, and folding them is what takes time.
    """
    low, high = min(word), max(word)
    if low < "\u3041":
        return low >= "\u0370" and high <= "\u1cff"
    # Kana, Han and Hangul; what lies between may be a sign for letters in a circle.
    return high <= "\ud7af" and not any("\u3100" <= letter < "\u3400" for letter in word)


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
    if language == "telugu":
        return _TELUGU_ENDING.sub("", word)
    found = _without_endings(language, word)
    return _synonyms().get(found, found)


@cache
def adverbs(*, of_ascii: bool) -> frozenset[str]:
    """Words around a verb that name nothing, as they are spelled here."""
    looked_for = (each for each in ADVERBS if not (of_ascii and is_far(each)))
    return frozenset(word for each in looked_for for word in spelled(each))


def forms(stem: str) -> tuple[str, ...]:
    """Stems that this one stands for: of "father" also "dad"."""
    return _forms().get(stem, (stem,))


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    named = _synonyms()
    return {one: tuple(k for k, first in named.items() if first == one) for one in named.values()}


@cache
def _synonyms() -> dict[str, str]:
    """Stems of words for one and the same, and the one that an index has for all of them."""
    return {
        _without_endings(_language(word[0]), word): first
        for first, *others in map(str.split, SYNONYMS)
        for word in (first, *others)
    }


def _without_endings(language: str, word: str) -> str:
    for _ in range(_ENDINGS_MAX.get(language, 1)):
        shorter = _snowball(language, word)
        if shorter == word:
            break
        word = shorter
    return word


def _snowball(language: str, word: str) -> str:
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


def other_kana(word: str) -> str:
    """The same in the other of Japan's two alphabets: who writes コーヒー may ask for こーひー."""
    other = word.translate(_KATAKANA)
    return other if other != word else word.translate(_HIRAGANA)


def is_stop(word: str) -> bool:
    """Whether a question does not look for it, as long as it names anything else."""
    if word in STOP_WORDS or word in SMALL_LETTERS:
        return True
    return not word.isascii() and _PICTURES.match(word) is not None


def _language(letter: str) -> str:
    code = ord(letter)
    found = "english"
    for start, language in _STEMMERS:
        if code < start:
            break
        found = language
    return found


def _joined(text: str) -> str:
    """Each word without what an apostrophe parts from it; any other apostrophe joins."""
    if not any(sign in text for sign in _APOSTROPHES):
        return text
    return " ".join([_unparted(each) for each in text.split(" ")])


@lru_cache(maxsize=1 << 14)
def _unparted(word: str) -> str:
    if any(sign in word for sign in _APOSTROPHES):
        for parted in (_POSSESSIVE, _ELIDED, _CASE_ENDING, _APOSTROPHE):
            word = parted.sub("", word)
    return word


class _Scripts(dict[int, str]):
    """How each letter makes words; a class of so many letters takes long to compile."""

    def __missing__(self, code: int) -> str:
        kinds = (kind for kind, rows in _SPACELESS if any(a <= code <= b for a, b in rows))
        self[code] = next(kinds, _PARTED)
        return self[code]


_SCRIPTS = _Scripts()


def _pieces(word: str) -> list[str]:
    """A word of its own, or of each run that has no spaces the pairs and what is one by itself."""
    if max(word) < SPACELESS_FIRST:
        return [word]
    kinds = word.translate(_SCRIPTS)
    if _PARTED not in kinds:
        return _of_run(word, kinds)
    pieces: list[str] = []
    place = 0
    for is_parted, run in groupby(kinds, _PARTED.__eq__):
        end = place + len(list(run))
        letters = word[place:end]
        pieces.extend([letters] if is_parted else _of_run(letters, kinds[place:end]))
        place = end
    return pieces


def _of_run(letters: str, kinds: str) -> list[str]:
    """The pairs, and the letters that are words: of Han each, of Hangul the first.

    What follows that may be particles. Pairs alone would never find it, beside other neighbours.
    """
    if len(letters) == 1:
        return [letters]
    pieces = [letters[n : n + 2] for n in range(len(letters) - 1)]
    if kinds[0] == _FIRST_ALONE:
        pieces.append(letters[0])
    if _ALONE in kinds:
        pieces.extend([each for each, kind in zip(letters, kinds, strict=True) if kind == _ALONE])
    return pieces
