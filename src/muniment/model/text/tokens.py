"""Word splitting: how text is split, matched and counted, the same in every version.

Each rule has a version that is part of the policy snapshot; a new rule is a new version.
"""

import re
from functools import cache
from typing import Final

from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.unicode14 import is_mark, known

TOKENIZER: Final = "split-1"
ESTIMATOR: Final = "chars4-1"
CHARACTERS_PER_TOKEN: Final = 4
# What stands where something was taken out: its kind, and a pseudonym.
MARK: Final = lazy_pattern(r"\[[a-z0-9_]+:[0-9a-f]{16}\]")

# A vowel sign or an accent that stands alone is neither whitespace nor punctuation: it belongs to
# the letter before it, as in Hindi or Thai. These are the blocks of living scripts that have any.
MARKED_BLOCKS: Final = (*range(0x0300, 0x2000), *range(0xA800, 0xAC00))
MARKS_FIRST: Final = chr(MARKED_BLOCKS[0])
_PLAIN_WORD: Final = lazy_pattern(r"\w+")  # where no mark can stand
# What each character of ASCII is for words: itself, its small letter, or a gap.
_PLAIN = bytes(ord(chr(code).lower()) if chr(code).isalnum() else ord(" ") for code in range(128))
_PLAIN += bytes(128)


def plain_words(text: str) -> list[str]:
    """The words of a text in ASCII, in order and in lower case: runs of letters and digits."""
    return text.encode("ascii").translate(_PLAIN).decode("ascii").split()


def tokens(text: str) -> tuple[str, ...]:
    """Lower-case words in order, split on whitespace and punctuation."""
    if text.isascii():
        return tuple(plain_words(text))  # the same, several times faster
    seen = known(text).lower().replace("_", " ")
    return tuple((_PLAIN_WORD if max(seen) < MARKS_FIRST else _word()).findall(seen))


@cache
def _word() -> re.Pattern[str]:
    """A letter or digit, with what belongs to it; made when a text first needs it."""
    marks = "".join(filter(is_mark, map(chr, MARKED_BLOCKS)))
    return re.compile(rf"\w[\w{marks}]*")


def sorted_tokens(text: str) -> tuple[str, ...]:
    """The distinct words of a text as a sorted array: what an index stores."""
    return tuple(sorted(set(tokens(text))))


def tokens_by_length(text: str) -> int:
    """About how many model tokens a text takes: a quarter of its characters, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def shorten(text: str, characters_max: int) -> str:
    """A text of at most so many characters, cut at a word where one is near."""
    if len(text) <= characters_max:
        return text
    cut = text[: characters_max - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > characters_max // 2 else cut) + "…"
