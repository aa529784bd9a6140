"""Sentence frames: texts that repeat one sentence with another word in it.

"I dreamt of a ladder last night" and "I dreamt of a pigeon last night" begin and end alike. One of
them says as much of whoever says so as ten do, and ten leave no room for the rest of a life.
Results of machines have a form in the same sense: what is left without numbers and values.
"""

from collections import defaultdict
from typing import Final

from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.lru_cache import cached_for_short_texts
from muniment.retrieval.text import sentence_split

SHARED_PART: Final = 2  # more than one piece in so many of theirs begin or end both
LETTERS_MIN: Final = 10  # so many of them: "I love pasta" and "I love curry" are two things
SPACELESS_WORDS: Final = 2  # so few show that words are not parted
PIECES_MAX: Final = 40  # of a text that is one sentence; longer ones are each their own
FORM_LETTERS_MAX: Final = 160  # of a result; what begins so long alike is of one form
_VALUE = lazy_pattern(r'(?<=:)\s*"[^"]*"|\d+(?:[.,]\d+)*')


class SentenceFrames:
    """Texts heard so far, and how many of them are of one frame with another."""

    def __init__(self) -> None:
        # By their first two pieces and by their last: what shares neither is of no frame with them.
        self._heard: defaultdict[tuple[bool, tuple[str, ...]], list[tuple[str, tuple[str, ...]]]]
        self._heard = defaultdict(list)

    def like(self, text: str) -> list[str]:
        """Who said what is of one frame with this text, the first of them first."""
        pieces = _pieces(text)
        if not pieces:
            return []
        near = (*self._heard[False, pieces[:2]], *self._heard[True, pieces[-2:]])
        return list(dict.fromkeys(who for who, told in near if _are_of_one_frame(pieces, told)))

    def add(self, who: str, text: str) -> None:
        if pieces := _pieces(text):
            self._heard[False, pieces[:2]].append((who, pieces))
            self._heard[True, pieces[-2:]].append((who, pieces))


@cached_for_short_texts
def _pieces(text: str) -> tuple[str, ...]:
    """The words of its longest sentence; where words are not parted, the letters."""
    sentence = max(sentence_split.split(text), key=len, default="")
    words = tuple(sentence.casefold().rstrip(".!\u2026\u3002\uff01").split())
    if len(words) <= SPACELESS_WORDS and not sentence.isascii():
        words = tuple("".join(words))
    return words if len(words) <= PIECES_MAX else ()


def _are_of_one_frame(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    shorter, both = min(len(one), len(other)), len(one) + len(other)
    if shorter * SHARED_PART * 2 <= both:
        return False
    begin = _shared(one, other)
    end = min(_shared(one[::-1], other[::-1]), shorter - begin)
    shared = sum(map(len, (*one[:begin], *one[len(one) - end :])))
    least = LETTERS_MIN if max(map(len, one)) > 1 else LETTERS_MIN // 2
    return shared >= least and (begin + end) * SHARED_PART * 2 > both


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many pieces both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (left, right) in pairs if left != right), min(len(one), len(other)))


def result_form(text: str) -> str:
    """A result without its numbers and the values of its fields."""
    kept = _VALUE.sub("#", text[: 4 * FORM_LETTERS_MAX])
    return " ".join(kept.casefold().split())[:FORM_LETTERS_MAX]
