"""Memos: scratchpads on the desk, episodic and semantic memos on the shelves."""

from typing import Final

import msgspec

from muniment.layers.memos.scratchpads import Scratchpad
from muniment.log.entry import Line
from muniment.model.events import Shredded
from muniment.model.events.memos import (
    ExportRecorded,
    MandatesObserved,
    MemoKept,
    MemoMarked,
    MemosEvicted,
    MemosForgotten,
    MemoShelved,
)
from muniment.model.events.rollback import RecordsRevived
from muniment.model.events.threads import MemosCompacted
from muniment.model.kinds.memo import Mandate, Memo, MemoPlace, Template
from muniment.model.struct_copy import copied
from muniment.model.text import similarity

EPISODIC: Final = "memo_em"
SEMANTIC: Final = "memo_sm"
ARCHIVED: Final = "memo_archive"  # told by a summary, and still recalled in full
ELSEWHERE: Final = "memos"  # kept on a scratchpad or by a guest only
TWINS: Final = "memo_twins"
MARKS: Final = "memo_marks"
PARTS: Final = "memo_parts"  # the chunks of a whole
SHELVES: Final = (EPISODIC, SEMANTIC, ARCHIVED, ELSEWHERE, TWINS, MARKS, PARTS)
ARCHIVE: Final = "archive"  # the place of what is no longer at hand
SHELF_OF: Final[dict[str, str]] = {
    MemoPlace.EM: EPISODIC,
    MemoPlace.SM: SEMANTIC,
    ARCHIVE: ARCHIVED,
}
OWED_MAX: Final = 64  # exports that wait for their reader


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """How much of one person (or of nobody) lies on the shelves."""

    episodic: int = 0
    semantic: int = 0


class PendingExports(msgspec.Struct, frozen=True, kw_only=True):
    """Exports of a turn that have not reached their reader, and the entries they are read from."""

    turn: int
    first_seq: int
    last_seq: int
    targets: tuple[str, ...]
    subject: str


class Memos(msgspec.Struct, frozen=True, kw_only=True):
    kept: int = 0
    pads: dict[str, Scratchpad] = {}
    counts: dict[str, Counts] = {}
    mandates: tuple[Mandate, ...] = ()
    templates: tuple[Template, ...] = ()
    owed: dict[int, PendingExports] = {}  # by turn


def pad_key(subject: str, task_id: str) -> str:
    """Two people may call their tasks alike."""
    return f"{subject}/{task_id}"


def owner(pad: str) -> str:
    return pad.partition("/")[0]


def fold(state: Memos, lines: list[Line]) -> Memos:
    now = _Folding(state)
    for line in lines:
        now.hear(line)
    return now.done()


class _Folding:
    """One batch being folded: copied once, written to, and frozen again."""

    def __init__(self, state: Memos) -> None:
        self.state = state
        self.kept = state.kept
        self.pads = dict(state.pads)
        self.counts = dict(state.counts)
        self.rest: dict[str, object] = {}

    def hear(self, line: Line) -> None:
        match line.event:
            case MemoKept() as kept:
                self._kept(line, kept)
            case Shredded(wire="memo_kept", public={"n": int(n)}):
                self.kept = n
            case MemosEvicted() | MemosForgotten() | MemosCompacted() | RecordsRevived() as told:
                self._left(told)
            case MemoShelved(places=places, subject=subject):
                self._count(subject, places, 1)
            case MemoMarked(memo_id=memo_id, importance_ppm=importance):
                self._marked(memo_id, importance)
            case MandatesObserved(mandates=mandates, templates=templates):
                self.rest |= {"mandates": mandates, "templates": templates}
            case ExportRecorded() as told:
                self._owed(told)
            case _:
                pass

    def done(self) -> Memos:
        return msgspec.structs.replace(
            self.state, kept=self.kept, pads=self.pads, counts=self.counts, **self.rest
        )

    def _kept(self, line: Line, kept: MemoKept) -> None:
        self.kept = kept.n
        self._count(kept.subject, kept.places, 1)
        if kept.supersedes:
            self._count(kept.subject, (MemoPlace.SM,), -1 - len(kept.chunks_before))
        if MemoPlace.WM in kept.places:
            pad = self.pads.get(kept.pad, Scratchpad())
            self.pads[kept.pad] = pad.kept(line.seq, kept.memo, kept.tokens, kept.displaced)

    def _left(self, told: MemosEvicted | MemosForgotten | MemosCompacted | RecordsRevived) -> None:
        if isinstance(told, RecordsRevived):
            self._revived(told)
        elif isinstance(told, MemosCompacted):
            self._count(told.subject, (told.place,), -len(told.gone))
        elif told.place == MemoPlace.WM:
            self._gone(told.pad, told.memo_ids)
        else:
            self._count(told.subject, (told.place,), -len(told.memo_ids))

    def _revived(self, told: RecordsRevived) -> None:
        places = {shelf: place for place, shelf in SHELF_OF.items()}
        for each in told.rows:
            self._count(told.subject, (places.get(each.shelf, ""),), 1)
        for gone in told.ended:
            self._count(told.subject, (places.get(gone.shelf, ""),), -1)

    def _count(self, subject: str, places: tuple[str, ...], by: int) -> None:
        counts = self.counts.get(subject, Counts())
        self.counts[subject] = Counts(
            episodic=counts.episodic + (by if MemoPlace.EM in places else 0),
            semantic=counts.semantic + (by if MemoPlace.SM in places else 0),
        )

    def _gone(self, key: str, gone: tuple[str, ...]) -> None:
        staying = self.pads.get(key, Scratchpad()).without(gone)
        if staying.held:
            self.pads[key] = staying
        else:
            self.pads.pop(key, None)

    def _marked(self, memo_id: str, importance_ppm: int) -> None:
        self.pads = {key: pad.marked(memo_id, importance_ppm) for key, pad in self.pads.items()}

    def _owed(self, told: ExportRecorded) -> None:
        known = self.rest.get("owed", self.state.owed)
        assert isinstance(known, dict)
        owed = {turn: each for turn, each in known.items() if turn != told.turn}
        if told.failed:
            owed[told.turn] = copied(PendingExports, told, targets=told.failed)
        kept = sorted(owed)[-OWED_MAX:]
        self.rest["owed"] = {turn: owed[turn] for turn in kept}


def mark_of(subject: str, mark: str) -> str:
    """Likeness is looked for among what is about one person: others must not show in a score."""
    return f"{subject}/{mark}"


def semantic_key(subject: str, key: str) -> str:
    """Two people may have facts of one name."""
    return f"{subject}\x00{key}" if key else ""


# ── The shelves ─────────────────────────────────────────────────────────────────────────────────


def opened(line: Line) -> tuple[tuple[str, str, str], ...]:
    """Shelf, id and key of each row that begins with this entry."""
    match line.event:
        case MemoKept(memo=memo, places=places, subject=subject):
            key = semantic_key(subject, memo.key)
            part = ((PARTS, memo.id, memo.parent_id),) if memo.parent_id else ()
            return (*_rows(memo, places, key), *_marks(subject, memo.text), *part)
        case MemoShelved(memo_id=memo_id, places=places, key=key, subject=subject):
            em = ((EPISODIC, memo_id, ""),) if MemoPlace.EM in places else ()
            sm = (
                ((SEMANTIC, memo_id, semantic_key(subject, key)),) if MemoPlace.SM in places else ()
            )
            return (*em, *sm)
        case MemosCompacted(archived=True, gone=gone):
            return tuple((ARCHIVED, memo_id, "") for memo_id in gone)
        case MemoMarked(memo_id=memo_id):
            return ((MARKS, memo_id, ""),)
        case _:
            return ()


def ended(line: Line) -> tuple[tuple[str, str], ...]:
    """Shelf and id of each row that ends with this entry."""
    match line.event:
        case MemoKept(supersedes=before, chunks_before=others) if before:
            return tuple((SEMANTIC, memo_id) for memo_id in (before, *others))
        case MemosEvicted(place=place, memo_ids=gone) | MemosForgotten(place=place, memo_ids=gone):
            shelf = SHELF_OF.get(place)
            return tuple((shelf, memo_id) for memo_id in gone) if shelf else ()
        case MemosCompacted(place=place, gone=gone):
            return tuple((SHELF_OF[place], memo_id) for memo_id in gone)
        case MemoShelved(memo_id=memo_id, places=places) if MemoPlace.EM in places:
            return ((ARCHIVED, memo_id),)
        case MemoMarked(memo_id=memo_id):
            return ((MARKS, memo_id),)
        case _:
            return ()


def unrecalled(line: Line) -> tuple[tuple[str, str], ...]:
    """Shelf and id of each memo that recall gives no more: what is archived, it still gives."""
    if isinstance(line.event, MemosCompacted) and line.event.archived:
        return ()
    return tuple((EPISODIC if at == ARCHIVED else at, memo_id) for at, memo_id in ended(line))


def _rows(memo: Memo, places: tuple[str, ...], key: str) -> tuple[tuple[str, str, str], ...]:
    """Where it lies; what lies on no shelf has a row of its own, or nobody could find it."""
    episode = f"episode:{memo.episode_id}" if memo.episode_id else ""
    em = ((EPISODIC, memo.id, episode),) if MemoPlace.EM in places else ()
    sm = ((SEMANTIC, memo.id, key),) if MemoPlace.SM in places else ()
    return (*em, *sm) or ((ELSEWHERE, memo.id, ""),)


def _marks(subject: str, text: str) -> tuple[tuple[str, str, str], ...]:
    """Two rows for three marks: a row is found by its id as well as by its key."""
    marks = similarity.marks(similarity.words(text))
    if marks is None:
        return ()
    same, one, other = (mark_of(subject, each) for each in (marks.same, marks.one, marks.other))
    return ((TWINS, same, one), (TWINS, "", other))
