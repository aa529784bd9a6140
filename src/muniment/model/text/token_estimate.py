"""Token estimate: about how many tokens of a language model a text takes, in whole hundredths.

Fitted to o200k_base, whose cuts it follows: a word takes the sign before it along, digits go by
threes, signs by runs. What a piece costs goes by its script and length; no vocabulary is needed.
"""

import re
from functools import lru_cache
from typing import Final

ESTIMATOR: Final = "pieces-1"
TOKEN: Final = 100  # what one token counts
BEHIND_A_SIGN: Final = 10  # a line break there is mostly one token with the sign
ASTRAL_SIGN: Final = 200  # an emoji

# By length, from one letter on; the last counts for all that are longer.
WORD: Final = (100, 100, 101, 101, 102, 103, 105, 112, 112, 115, 130, 150, 155, 175, 255)
FOREIGN: Final = (100, 100, 101, 106, 112, 132, 150, 166, 184, 196, 222, 236, 245, 300, 380)
JOINED: Final = (104, 112, 128, 130, 136, 140, 160, 180, 205, 225, 230, 245, 280, 295, 430)
ACCENTED: Final = (100, 108, 105, 118, 140, 140, 155, 172, 200, 200, 212, 245, 250, 268, 290)
CAPITALS: Final = (100, 103, 122, 140, 155, 205, 240, 310)
SIGNS: Final = (100, 108, 118, 165, 225, 400)

# First letter of a block behind the last, what each letter costs, and what a run of them does.
SCRIPTS: Final = (
    (0x0250, 0, 0),  # Latin: by words, above
    (0x0370, 100, 0),
    (0x0400, 38, 22),  # Greek
    (0x0530, 21, 67),  # Cyrillic
    (0x0590, 60, 40),
    (0x0900, 24, 48),  # Hebrew, Arabic
    (0x0E00, 46, -56),  # of India
    (0x0E80, 37, 51),  # Thai
    (0x1E00, 70, 30),
    (0x1F00, 60, 40),  # Vietnamese
    (0x3040, 100, 0),
    (0x30A0, 72, 17),  # Hiragana
    (0x3100, 50, 0),  # Katakana
    (0x3400, 100, 0),
    (0xA000, 74, 33),  # Chinese characters
    (0xAC00, 100, 0),
    (0xD7B0, 40, 77),  # Hangul
    (0x110000, 150, 0),
)
MARKS: Final = (
    "\u0300-\u036f\u0591-\u05c7\u064b-\u0652\u0670\u0900-\u0903\u093a-\u094f\u0951-\u0957"
    "\u0981-\u0983\u09bc-\u09cd\u0e31\u0e34-\u0e4e"
)
PIECE: Final = re.compile(
    rf"(?P<lead>[^\r\n\w{MARKS}]|_)?(?P<word>(?:[^\W\d_]|[{MARKS}])+)(?:'(?:s|t|re|ve|m|ll|d)\b)?"
    rf"|(?P<number>\d{{1,3}})| ?(?P<signs>(?:[^\s\w]|_)+)|(?P<space>\s+)|\w"
)
PARTS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")  # of aWordLikeThis
ELSEWHERE: Final = re.compile(
    r"(?i:\b(?:der|die|das|und|ist|nicht|ich|eine?|mit|von|den|dem|auf|wird|sie|wir|que|el|los|las|una|por"
    r"|para|les|des|est|une|du|dans|pas|pour|il|che|di|non|het|een|van|niet|os|da|um|uma|lo|gli"
    r"|della)\b)|[\u00c0-\u024f]"
)


def estimate_tokens(text: str) -> int:
    """About how many tokens a text takes, rounded up."""
    return -(-hundredths(text) // TOKEN)


def hundredths(text: str) -> int:
    """The same, finer; lines that are joined cost what each of them does with its break."""
    *ended, last = text.split("\n")
    return sum(map(line_hundredths, ended)) + _counted(last)


def line_hundredths(line: str) -> int:
    """What a line costs together with the break behind it."""
    if not line:
        return TOKEN
    signed = not (line[-1].isalnum() or line[-1].isspace())
    return _counted(line) + (BEHIND_A_SIGN if signed else TOKEN)


@lru_cache(maxsize=4_096)
def _counted(line: str) -> int:
    words = FOREIGN if ELSEWHERE.search(line) else WORD
    total = 0
    for piece in PIECE.finditer(line):
        if (word := piece["word"]) is not None:
            lead = piece["lead"]
            total += _word(word, JOINED if lead not in (None, " ") else words)
        elif (signs := piece["signs"]) is not None:
            total += _signs(signs)
        else:
            total += TOKEN
    return total


def _word(word: str, first: tuple[int, ...]) -> int:
    if not word.isascii():
        return _of(ACCENTED, len(word)) if max(word) < "\u0250" else _by_script(word)
    if word.islower() or (word[1:].islower() and word[0].isupper()) or len(word) == 1:
        return _of(first, len(word))
    total = 0
    for part in PARTS.findall(word):
        total += _of(CAPITALS if part.isupper() and len(part) > 1 else first, len(part))
        first = JOINED
    return total


def _by_script(word: str) -> int:
    total, run = 0, 0
    for letter in word:
        each, start = _script(letter)
        total += each
        if start != run and start:
            total += start if not run else 0
            run = start
    return max(total, TOKEN)


@lru_cache(maxsize=4_096)
def _script(letter: str) -> tuple[int, int]:
    code = ord(letter)
    each, start = next((each, start) for limit, each, start in SCRIPTS if code < limit)
    return (each, start) if each else (30, 0)  # a Latin letter beside others


def _signs(signs: str) -> int:
    astral = sum(sign > "\uffff" for sign in signs)
    plain = len(signs) - astral
    return astral * ASTRAL_SIGN + (_of(SIGNS, plain) if plain else 0)


def _of(costs: tuple[int, ...], length: int) -> int:
    return costs[min(length, len(costs)) - 1]
