"""Packing: whole entries, best first, never one token over the budget."""

from collections.abc import Sequence

from muniment.model.text import estimate_tokens


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
