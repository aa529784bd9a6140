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
    cut: dict[int, int] = {}  # by place, of a line that is told in a shorter form, which one


Shorter = Callable[[int], Sequence[str]]  # the shorter forms of a line, the longest first


def never_shorter(_: int) -> Sequence[str]:
    return ()


def sections(
    lines: Sequence[ContextLine],
    headers: Mapping[str, str],
    allotments: Sequence[Allotment],
    budget_tokens: int,
    counter: TokenCounter = ESTIMATE,
    *,
    shorter: Shorter = never_shorter,
) -> Packed:
    """First each type fills what it is sure of, then the best take what is left.

    Lines come best first. Every line costs its tokens and a line break, a section's first line its
    header as well. A line that has shorter forms is packed in one of them before anything worse of
    its type is, if there is no room for all of it.
    """
    box = _Box(headers, budget_tokens, counter.line)
    taken: set[int] = set()
    sure = {each.type: each.allocated for each in allotments}
    reach = {each.type: each.ceiling for each in allotments}
    waiting: set[str] = set()  # types whose best line needs more than they are sure of
    for place, line in enumerate(lines):
        if line.type in waiting:
            continue
        if box.take(line, sure.get(line.type, 0)):
            taken.add(place)
        elif shorter(place):
            waiting.add(line.type)
    cut: dict[int, int] = {}
    for place, line in enumerate(lines):
        most = reach.get(line.type, 0)
        if place in taken or box.take(line, most):
            taken.add(place)
        elif (form := _fitting(box, line, shorter(place), most)) is not None:
            taken.add(place)
            cut[place] = form
    return Packed(taken=tuple(sorted(taken)), used=box.filled, cut=cut)


def _fitting(box: "_Box", line: ContextLine, forms: Sequence[str], limit_tokens: int) -> int | None:
    """The number of the first form of a line that fits."""
    shown = (msgspec.structs.replace(line, text=each) for each in forms)
    return next((n for n, each in enumerate(shown) if box.take(each, limit_tokens)), None)


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
