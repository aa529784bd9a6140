"""Check of lookups: every row that follows from a log is found by its id and by its key."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Final

from muniment.layers.shelves import Stream
from muniment.log.store import Birth, Find, Store
from muniment.model.errors import DerivedError

TOGETHER: Final = 64  # searches that are made in one question
ROWS_MAX: Final = 256  # rows that one search asks for: as many as every store gives at once


def found_by_tokens(
    store: Store, stream: Stream, births: Sequence[Birth], done: Callable[[int], None]
) -> None:
    """Each row is found by what it is looked up by; one that is not would be taken for absent.

    Rows that share a token are looked up together: to find each by itself would read all that
    are born before it, each time.
    """
    asked = list(_finds(births))
    for start in range(0, len(asked), TOGETHER):
        some = asked[start : start + TOGETHER]
        if store.births(stream.ref, [find for find, _ in some]) != [born for _, born in some]:
            raise DerivedError("a row of a shelf is not found by its token: rebuild them")
        done(sum(len(born) for _, born in some))


def _finds(births: Sequence[Birth]) -> Iterator[tuple[Find, list[int]]]:
    """What to search for, and where each row that is found must have begun, newest first."""
    sharing: dict[tuple[str, bytes, bytes], list[int]] = defaultdict(list)
    for each in births:
        if each.id_token:
            sharing[each.shelf, each.id_token, b""].append(each.seq)
        if each.key_token:
            sharing[each.shelf, b"", each.key_token].append(each.seq)
    for (shelf, id_token, key_token), born in sharing.items():
        for piece in _pieces(born):
            yield (
                Find(
                    shelf=shelf,
                    at=piece[0],
                    every=True,
                    id_token=id_token,
                    key_token=key_token,
                    limit=len(piece),
                ),
                piece,
            )


def _pieces(born: Sequence[int]) -> Iterator[list[int]]:
    """Newest first; rows of one entry stay together, because a search begins at an entry."""
    piece: list[int] = []
    for _, same in groupby(sorted(born, reverse=True)):
        rows = list(same)[:ROWS_MAX]
        if piece and len(piece) + len(rows) > ROWS_MAX:
            yield piece
            piece = []
        piece += rows
    if piece:
        yield piece
