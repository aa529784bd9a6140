"""Context packing: whole entries, best first, never one token over the budget."""

from collections.abc import Mapping, Sequence

import msgspec

from muniment.model.text.tokens import CHARACTERS_PER_TOKEN, estimate_tokens
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
) -> Packed:
    """First each type fills what it is sure of, then the best take what is left.

    Lines come best first. Every line costs its characters and a line break, a section's first
    line its header as well; characters are counted, so nothing is lost to rounding.
    """
    box = _Box(headers, budget_tokens)
    taken: set[int] = set()
    sure = {each.type: each.allocated for each in allotments}
    reach = {each.type: each.ceiling for each in allotments}
    for limits in (sure, reach):
        for place, line in enumerate(lines):
            if place not in taken and box.take(line, limits.get(line.type, 0)):
                taken.add(place)
    return Packed(
        taken=tuple(sorted(taken)),
        # As if each stood alone, without the line break that joins it to the next.
        used={name: -(-(its - 1) // CHARACTERS_PER_TOKEN) for name, its in box.filled.items()},
    )


class _Box:
    """How many characters are still free, in all and for each type."""

    def __init__(self, headers: Mapping[str, str], budget_tokens: int) -> None:
        self._headers = headers
        # The text ends without a line break, so the first one is free.
        self._free = budget_tokens * CHARACTERS_PER_TOKEN + 1 if budget_tokens > 0 else 0
        self._headed: set[str] = set()
        self.filled: dict[str, int] = {}

    def take(self, line: ContextLine, limit_tokens: int) -> bool:
        cost = len(line.text) + 1
        if line.section not in self._headed:
            cost += len(self._headers[line.section]) + 1
        after = self.filled.get(line.type, 0) + cost
        if cost > self._free or after > limit_tokens * CHARACTERS_PER_TOKEN + 1:
            return False
        self._free -= cost
        self._headed.add(line.section)
        self.filled[line.type] = after
        return True
