"""Context packing: whole entries, best first, never above the token budget."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from muniment.model.text.token_estimate import estimate_tokens, line_tokens
from muniment.retrieval.context.budget_shares import Allotment


def greedy(texts: Sequence[str], budget_tokens: int) -> list[int]:
    """The places of the texts that fit, taken in order; one that does not fit is passed over.

    The joined text is counted, line break included, so the sum can never be exceeded by it.
    """
    taken: list[int] = []
    packed = ""
    for place, text in enumerate(texts):
        longer = f"{packed}\n{text}" if packed else text
        if estimate_tokens(longer) <= budget_tokens:
            taken.append(place)
            packed = longer
    assert estimate_tokens(packed) <= max(budget_tokens, 0)
    return taken


class TokenCounter(msgspec.Struct, frozen=True):
    """How tokens are counted: of a line with the break behind it, and of a text."""

    line: Callable[[str], int]
    text: Callable[[str], int]
    name: str = ""  # of whoever counts; the estimate has none


ESTIMATE: Final = TokenCounter(line_tokens, estimate_tokens)


def counted_by(name: str, count: Callable[[str], int]) -> TokenCounter:
    """By a tokenizer of the caller's."""
    return TokenCounter(lambda line: count(f"{line}\n"), count, name)


class ContextLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line that wants to stand in a section, on the account of a memory type."""

    section: str
    type: str
    text: str


class Packed(msgspec.Struct, frozen=True, kw_only=True):
    taken: tuple[int, ...]  # places of the lines, in the order they were given
    used: dict[str, int]  # tokens of each type that has a line, headers included


def sections(
    lines: Sequence[ContextLine],
    headers: Mapping[str, str],
    allotments: Sequence[Allotment],
    budget_tokens: int,
    counter: TokenCounter = ESTIMATE,
) -> Packed:
    """First each type fills what it is sure of, then the best take what is left.

    Lines come best first. Every line costs its tokens and a line break, a section's first line its
    header as well.
    """
    box = _Box(headers, budget_tokens, counter.line)
    taken: set[int] = set()
    sure = {each.type: each.allocated for each in allotments}
    reach = {each.type: each.ceiling for each in allotments}
    for limits in (sure, reach):
        for place, line in enumerate(lines):
            if place not in taken and box.take(line, limits.get(line.type, 0)):
                taken.add(place)
    return Packed(taken=tuple(sorted(taken)), used=box.filled)


class _Box:
    """How many tokens are still free, in all and for each type."""

    def __init__(
        self, headers: Mapping[str, str], budget_tokens: int, cost: Callable[[str], int]
    ) -> None:
        self._headers, self._cost = headers, cost
        self._free = max(budget_tokens, 0)
        self._headed: set[str] = set()
        self.filled: dict[str, int] = {}

    def take(self, line: ContextLine, limit_tokens: int) -> bool:
        cost = self._cost(line.text)
        if line.section not in self._headed:
            cost += self._cost(self._headers[line.section])
        after = self.filled.get(line.type, 0) + cost
        if cost > self._free or after > limit_tokens:
            return False
        self._free -= cost
        self._headed.add(line.section)
        self.filled[line.type] = after
        return True
