"""Store checks: what every store asks of its callers, so that all refuse the same things."""

import re
from collections.abc import Sequence
from typing import Final

from muniment.log.entry import Entry, Head
from muniment.log.store import Batch, Birth, Death, Derived, OpenEpisode
from muniment.model.errors import HeadMovedError, InputError
from muniment.model.lazy_pattern import lazy_pattern

REF: Final = lazy_pattern(r"[0-9a-f]{32}", re.ASCII)
PARTS_MAX: Final = 1_024  # sealed parts of one entry: some stores have a part's number in its key


def check_ref(stream: str) -> None:
    """A reference becomes a file name in some stores, so nothing else is ever let through."""
    if not REF.fullmatch(stream):
        raise InputError("a stream is named by 32 small hexadecimal digits")


def is_about(entry: Entry, subjects: frozenset[str]) -> bool:
    """Whether an entry holds no part of anybody else; an emptied one is nobody's."""
    return all(part is None or part.subject in subjects for part in entry.parts)


def check_batch(batch: Batch, *, head: Head | None, expect: Head) -> None:
    """What every store asks of a batch before it looks at what it already keeps."""
    # The head of an empty stream is its origin's digest, which a store does not know.
    if (head or expect) != expect or (head is None and expect.seq != 0):
        raise HeadMovedError(f"the head is {head.seq if head else 0}, not {expect.seq} as expected")
    if not batch.entries:
        raise InputError("a batch holds at least one entry")
    first, last = expect.seq + 1, expect.seq + len(batch.entries)
    if [entry.seq for entry in batch.entries] != list(range(first, last + 1)):
        raise InputError(f"the entries of this batch are not numbered from {first} to {last}")
    if any(len(entry.parts) > PARTS_MAX for entry in batch.entries):
        raise InputError(f"an entry holds at most {PARTS_MAX} sealed parts")
    check_derived(batch, first=first, last=last)


def check_derived(derived: Derived, *, first: int, last: int) -> None:
    """What is derived belongs to the entries that it was derived from."""
    _check_changes(derived.changes, first=first, last=last)
    _check_episodes(derived.episodes, first=first, last=last)


def _check_changes(changes: Sequence[Birth | Death], *, first: int, last: int) -> None:
    """The past of a shelf never changes: a batch moves rows only at its own entries."""
    for change in changes:
        if not first <= change.seq <= last:
            raise InputError(f"a shelf cannot change at entry {change.seq}, outside the batch")
        if isinstance(change, Death) and not (change.id_token or change.key_token):
            raise InputError("an end of shelf rows needs a token: a whole shelf never ends at once")


def _check_episodes(episodes: Sequence[OpenEpisode], *, first: int, last: int) -> None:
    """An open episode belongs to an entry of its batch, and each is another one."""
    places = {(its.seq, its.n) for its in episodes}
    if any(not first <= seq <= last for seq, _ in places):
        raise InputError("an open episode belongs to an entry of its own batch")
    if min(len(places), len({its.episodic_id for its in episodes})) < len(episodes):
        raise InputError("two open episodes cannot be the same one")


def check_upto(upto: int, *, head: Head | None) -> None:
    """What is derived from the log cannot know more than the log."""
    if not 1 <= upto <= (head.seq if head else 0):
        raise InputError(f"nothing can be derived up to {upto}: the log holds no such entry")
