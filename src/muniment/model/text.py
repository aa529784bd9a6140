"""Words: how text is split, matched and counted, the same way everywhere and for ever.

Each rule has a version that is part of the policy snapshot; a new rule is a new version.
"""

import re
from typing import Final

TOKENIZER: Final = "split-1"
ESTIMATOR: Final = "chars4-1"
CHARACTERS_PER_TOKEN: Final = 4

# Whitespace and punctuation separate; everything that Unicode calls a word character joins.
_SEPARATORS = re.compile(r"[\W_]+")


def tokens(text: str) -> tuple[str, ...]:
    """Lower-case words in order, split on whitespace and punctuation."""
    return tuple(word for word in _SEPARATORS.split(text.lower()) if word)


def sorted_tokens(text: str) -> tuple[str, ...]:
    """The distinct words of a text as a sorted array: what an index stores."""
    return tuple(sorted(set(tokens(text))))


def estimate_tokens(text: str) -> int:
    """About how many model tokens a text takes: a quarter of its characters, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def shorten(text: str, characters_max: int) -> str:
    """A text of at most so many characters, cut at a word where one is near."""
    if len(text) <= characters_max:
        return text
    cut = text[: characters_max - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > characters_max // 2 else cut) + "…"
