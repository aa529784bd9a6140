"""Memo reads: memos of a task's scratchpad, or from the shelves as of any entry."""

from collections.abc import Iterable, Iterator

import msgspec

from muniment.layers.memos.memos import (
    ARCHIVED,
    ELSEWHERE,
    EPISODIC,
    MARKS,
    PARTS,
    SEMANTIC,
    SHELF_OF,
    TWINS,
    Memos,
    mark_of,
    owner,
    pad_key,
    semantic_key,
)
from muniment.layers.memos.scratchpads import Scratchpad
from muniment.layers.shelves import Shelves
from muniment.log.entry import Line
from muniment.model.events.memos import MemoKept, MemoMarked, MemoShelved
from muniment.model.events.threads import MemosCompacted
from muniment.model.kinds.memo import Memo
from muniment.model.text import similarity

TWINS_MAX = 4  # of each band: enough to find a likely twin, and bounded whatever was kept
TWINS_OPENED = 2  # those that share most bands


class Twin(msgspec.Struct, frozen=True, kw_only=True):
    """The memo that says most nearly the same, and how nearly."""

    memo_id: str = ""
    text: str = ""
    likeness_ppm: int = 0


def working(state: Memos, subject: str, task_id: str) -> tuple[Memo, ...]:
    """A task's working memory, oldest first: the position of a memo is its index."""
    pad = state.pads.get(pad_key(subject, task_id), Scratchpad())
    return tuple(each.memo for each in pad.held)


def held_by(state: Memos, subject: str) -> frozenset[str]:
    """The ids of all that somebody's scratchpads hold, whatever the task."""
    pads = (pad for key, pad in state.pads.items() if owner(key) == subject)
    return frozenset(each.memo.id for pad in pads for each in pad.held)


def pad_of(state: Memos, subject: str, memo_id: str) -> str:
    """The name of the scratchpad of somebody's that holds a memo; empty where none does."""
    pads = ((key, pad) for key, pad in state.pads.items() if owner(key) == subject)
    found = (key for key, pad in pads if any(each.memo.id == memo_id for each in pad.held))
    return next(found, "")


def newest(shelves: Shelves, place: str, limit: int = -1) -> Iterator[Memo]:
    """What lives in EM or SM, newest first."""
    marks = marked(shelves)
    for line in shelves.newest(SHELF_OF[place], limit):
        memo = _kept(shelves, line)
        if memo is not None:
            yield _with_mark(memo, marks.get(memo.id))


def ever(
    shelves: Shelves, place: str, *, subject: str | None = None, key: str = ""
) -> Iterator[tuple[int, int | None, Memo]]:
    """What lies or lay in EM or SM, newest first: where it began and ended there, and the memo."""
    marks = marked(shelves)
    for born, died, line in shelves.ever(SHELF_OF[place], key=key):
        memo = _kept(shelves, line)
        theirs = subject is None or getattr(line.event, "subject", "") == subject
        if memo is not None and theirs:
            yield born, died, _with_mark(memo, marks.get(memo.id))


def lives(shelves: Shelves, memo_id: str) -> Iterator[int | None]:
    """Where each life of a memo ended: it has one for each place, and for each return to it."""
    for shelf in (EPISODIC, SEMANTIC, ELSEWHERE):
        for _, died, _ in shelves.ever(shelf, item_id=memo_id):
            yield died


def living(shelves: Shelves, place: str, subject: str) -> list[Memo]:
    """What lives in EM or SM about one person, or about nobody; newest first."""
    marks = marked(shelves)
    found: list[Memo] = []
    for line in shelves.newest(SHELF_OF[place]):
        memo = _kept(shelves, line)
        if memo is not None and getattr(line.event, "subject", "") == subject:
            found.append(_with_mark(memo, marks.get(memo.id)))
    return found


def marked(shelves: Shelves) -> dict[str, int]:
    """The importance that memos were given after the fact, by id."""
    told = (line.event for line in shelves.newest(MARKS))
    return {each.memo_id: each.importance_ppm for each in told if isinstance(each, MemoMarked)}


def get(shelves: Shelves, memo_id: str) -> Memo | None:
    """A memo by its id, wherever it lives or lived."""
    line = kept_at(shelves, memo_id)
    return resolved(shelves, line) if line else None


def offered(shelves: Shelves, named: Iterable[tuple[str, Line]]) -> list[Memo | None]:
    """Memos by the entries that offer them; what was moved or has come back is looked up.

    Where nobody has ever marked a memo, which one look tells, none is asked for its mark.
    """
    is_marked = shelves.any(MARKS)
    found: list[Memo | None] = []
    for memo_id, line in named:
        told = line.event
        if not (isinstance(told, MemoKept) and told.memo.id == memo_id):
            found.append(get(shelves, memo_id))
        else:
            found.append(resolved(shelves, line) if is_marked else told.memo)
    return found


def kept_at(shelves: Shelves, memo_id: str) -> Line | None:
    """The entry that keeps a memo."""
    for shelf in (EPISODIC, SEMANTIC, ELSEWHERE):
        for *_, line in shelves.ever(shelf, item_id=memo_id):
            if isinstance(line.event, MemoKept):
                return line
    return None


def lives_in(shelves: Shelves, memo_id: str) -> tuple[str, ...]:
    """The shelves' places that have it now."""
    return tuple(place for place, shelf in SHELF_OF.items() if shelves.get(shelf, memo_id))


def summary_of(shelves: Shelves, memo_id: str) -> str:
    """The id of the summary that tells of an archived memo; empty where there is none."""
    line = shelves.get(ARCHIVED, memo_id)
    return line.event.told_by if line and isinstance(line.event, MemosCompacted) else ""


def current(shelves: Shelves, key: str, subject: str) -> list[Memo]:
    """The version that a key of semantic memory has now, in its chunks, the last one first."""
    lines = shelves.under(SEMANTIC, semantic_key(subject, key))
    return [memo for memo in (resolved(shelves, line) for line in lines) if memo is not None]


def versions(shelves: Shelves, key: str, subject: str) -> list[Memo]:
    """Every version that a key ever had, the first one first."""
    rows = shelves.ever(SEMANTIC, key=semantic_key(subject, key))
    told = (line.event for *_, line in rows)
    found = {kept.memo.id: kept.memo for kept in told if isinstance(kept, MemoKept)}
    return sorted(found.values(), key=lambda memo: (memo.version, memo.id))


def of_episode(shelves: Shelves, episode_id: str) -> Iterator[Memo]:
    """What lives in episodic memory of one episode."""
    for line in shelves.under(EPISODIC, f"episode:{episode_id}"):
        memo = resolved(shelves, line)
        if memo is not None:
            yield memo


def of_episodes(shelves: Shelves, episode_ids: Iterable[str], limit: int) -> list[tuple[int, Memo]]:
    """The newest of several episodes, newest first, each with the entry where it was kept."""
    lines = [
        line
        for episode_id in episode_ids
        for line in shelves.under(EPISODIC, f"episode:{episode_id}", limit)
    ]
    newest = sorted(lines, key=lambda line: line.seq, reverse=True)[:limit]
    found = ((line.seq, resolved(shelves, line)) for line in newest)
    return [(seq, memo) for seq, memo in found if memo is not None]


def parts(shelves: Shelves, parent_id: str) -> list[Memo]:
    """The chunks of a whole, in their order; the first may be the whole's own memo."""
    lines = shelves.under(PARTS, parent_id)
    found = [memo for memo in (resolved(shelves, line) for line in lines) if memo is not None]
    head = get(shelves, parent_id)
    return ([head] if head else []) + sorted(found, key=lambda memo: (memo.chunk_index, memo.id))


def twin(shelves: Shelves, subject: str, text: str) -> Twin:
    """The most alike of a bounded number of likely ones that live; none where nothing is alike."""
    words, best = similarity.words(text), Twin()
    marks = similarity.marks(words)
    if marks is None:
        return best
    same, one, other = (mark_of(subject, each) for each in (marks.same, marks.one, marks.other))
    exactly, others = shelves.likely(
        TWINS, same=same, keys=(one, other), each=TWINS_MAX, opened=TWINS_OPENED
    )
    for held, line in shelves.compared(exactly) or shelves.compared(others):
        alike = similarity.jaccard_ppm(words, held.words)
        if alike > best.likeness_ppm and (line is None or _lives(shelves, line)):
            best = Twin(memo_id=held.id, text=held.text, likeness_ppm=alike)
    return best


def _lives(shelves: Shelves, line: Line) -> bool:
    """What was forgotten, or has a newer version, is news when it is said again."""
    kept = line.event
    if not isinstance(kept, MemoKept):
        return False
    shelf = next((SHELF_OF[place] for place in kept.places if place in SHELF_OF), None)
    return shelf is None or any(shelves.has(each, kept.memo.id) for each in (shelf, ARCHIVED))


def resolved(shelves: Shelves, line: Line) -> Memo | None:
    """The memo a row means: its words stand where it was kept, its importance where marked."""
    memo = _kept(shelves, line)
    if memo is None:
        return None
    mark = shelves.get(MARKS, memo.id)
    told = mark.event if mark else None
    return _with_mark(memo, told.importance_ppm if isinstance(told, MemoMarked) else None)


def _kept(shelves: Shelves, line: Line) -> Memo | None:
    told = line.event
    if isinstance(told, MemoShelved):
        source = shelves.line(told.source_seq)
        if source is None or not shelves.is_about_us(source):
            return None
        told = source.event
    return told.memo if isinstance(told, MemoKept) else None


def _with_mark(memo: Memo, importance_ppm: int | None) -> Memo:
    if importance_ppm is None:
        return memo
    return msgspec.structs.replace(memo, importance_ppm=importance_ppm)
