"""Shelf changes of a batch, as columns for one statement.

Births and deaths come in order, and a row may die in the batch it is born in. Those deaths are
settled here, so that the server gets rows with their ends, and ends for the rows it already has.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from muniment.log.store import Birth, Death

Columns = tuple[list[Any], ...]


def columns(changes: Sequence[Birth | Death]) -> tuple[Columns, Columns]:
    """The rows that are born (with their ends, where they have one), and the ends of others."""
    births = [change for change in changes if isinstance(change, Birth)]
    deaths = [change for change in changes if isinstance(change, Death)]
    died = _settled(changes) if deaths and births else {}
    born = (
        [its.shelf for its in births],
        [its.seq for its in births],
        [its.n for its in births],
        [died.get(place) for place in range(len(births))],
        [its.id_token for its in births],
        [its.key_token for its in births],
    )
    ended = (
        [its.shelf for its in deaths],
        [its.seq for its in deaths],
        [its.id_token for its in deaths],
        [its.key_token for its in deaths],
    )
    return born, ended


def ended(changes: Sequence[Birth | Death], shelf: str) -> dict[tuple[int, int], int]:
    """The rows of a shelf that are born and end in one batch, by their places, and where."""
    births = [change for change in changes if isinstance(change, Birth)]
    if len(births) == len(changes):
        return {}
    settled = ((births[number], seq) for number, seq in _settled(changes).items())
    return {(its.seq, its.n): seq for its, seq in settled if its.shelf == shelf}


def _settled(changes: Iterable[Birth | Death]) -> dict[int, int]:
    """Which of the batch's own births end in it, by their number, and where."""
    died: dict[int, int] = {}
    living: dict[tuple[str, str, bytes], dict[int, Birth]] = {}
    number = 0
    for change in changes:
        if isinstance(change, Birth):
            for kind, token in (("id", change.id_token), ("key", change.key_token)):
                living.setdefault((change.shelf, kind, token), {})[number] = change
            number += 1
            continue
        kind, token = ("id", change.id_token) if change.id_token else ("key", change.key_token)
        for place, birth in living.get((change.shelf, kind, token), {}).items():
            fits = not change.key_token or change.key_token == birth.key_token
            if fits and place not in died:
                died[place] = change.seq
    return died
