"""Episodic memory: episodes on a shelf, each an interval over the stream's sequence."""

from collections.abc import Callable, Iterable

import msgspec

from muniment.log.entry import Line
from muniment.log.store import EPISODES, OpenEpisode
from muniment.model import canonical_json, ids
from muniment.model.events import EpisodesWritten, EpisodeWritten
from muniment.model.events.rollback import RecordsRevived, RevivedRow
from muniment.model.kinds.episode import EpisodicEntry, EpisodicSource, Provenance
from muniment.model.struct_copy import copied
from muniment.model.text import similarity
from muniment.model.text.tokens import sorted_tokens

SHELF = EPISODES
SAYINGS = "sayings"  # sentences by their words
ENTRY = "entry"  # the form of an episode that was told
REQUEST = "request"  # the form of an episode that only says what was asked of the council
WISH = "wish"  # the form of a wish to forget: it would say again what is to be forgotten
UNANSWERED = frozenset({REQUEST, WISH})  # what the log keeps, and nothing is answered with

NO_CHARACTER = "\ufffd"  # stands for a NUL, which the text of a database cannot hold


def entry(written: EpisodeWritten) -> EpisodicEntry:
    """What anyone may read: the redacted form. The raw form is not part of it."""
    return copied(
        EpisodicEntry,
        written,
        provenance=Provenance(
            trace_id=written.trace_id, reflective_log_id=written.reflective_log_id
        ),
    )


def entries(lines: list[Line]) -> list[EpisodicEntry]:
    return [entry(line.event) for line in lines if isinstance(line.event, EpisodeWritten)]


def sayings(written: EpisodeWritten) -> tuple[tuple[str, str, str], ...]:
    """Rows by which a sentence is found again when the same, or nearly, is said."""
    if not is_saying(written):
        return ()
    marks = similarity.marks(similarity.words(written.summary))
    return ((SAYINGS, marks.same, marks.one), (SAYINGS, "", marks.other)) if marks else ()


def is_saying(written: EpisodeWritten) -> bool:
    """Whether this is a sentence that was told alone."""
    return written.form == "entry" and written.source is EpisodicSource.AGENT


def names(written: EpisodesWritten) -> list[str]:
    """The ids of sentences that were told together, in order."""
    return [ids.episodic_id(written.place, written.job_seed, n) for n in written.numbers]


def pick(written: EpisodesWritten, position: int) -> EpisodeWritten:
    """One of several sentences, as if it had been told alone; positions are counted from 1."""
    n = written.numbers[position - 1]
    moment = ids.time_ms(written.created_seeded_ts) + n
    return EpisodeWritten(
        n=n,
        form="entry",
        episodic_id=ids.episodic_id(written.place, written.job_seed, n),
        job_seed=written.job_seed,
        source=EpisodicSource.AGENT,
        summary=written.summaries[position - 1],
        payload=None,
        evidence=(),
        created_seeded_ts=ids.time_text(moment),
        trace_id=written.trace_id,
        reflective_log_id=written.reflective_log_id,
        origin=written.origin,
        handles=written.handles,
        speaker=written.speakers[position - 1] if written.speakers else "",
        session=written.session,
    )


def told(line: Line, after: int = 0) -> list[EpisodeWritten]:
    """The episodes that an entry holds, one by one, without the first so many."""
    match line.event:
        case EpisodeWritten() as written:
            return [written][after:]
        case EpisodesWritten() as several:
            return [pick(several, n) for n in range(after + 1, len(several.numbers) + 1)]
        case _:
            return []


def put_right(written: EpisodeWritten, line: Line) -> EpisodeWritten | None:
    """What an episode corrects, in the entry that holds it; nothing once that is erased."""
    cited = {each.episodic_id for each in written.evidence}
    return next((each for each in told(line) if each.episodic_id in cited), None)


def open_episodes(
    lines: Iterable[Line], opened: Callable[[int], Line | None]
) -> dict[str, OpenEpisode]:
    """The redacted episodes of these entries in plain text, by id, as each was born last.

    Only for who asked for open tables. What is revived has its words in an entry of before, which
    `opened` looks up.
    """
    found: dict[str, OpenEpisode] = {}
    for line in lines:
        for n, written in enumerate(told(line), start=1):  # as the shelf counts its rows
            found[written.episodic_id] = _open(line, n, entry(written))
        for n, row in _revived(line):
            before = opened(row.seq)
            if before is None:
                continue
            for written in told(before):
                if written.episodic_id == row.id:
                    again = _open(before, n, entry(written))
                    found[row.id] = msgspec.structs.replace(again, seq=line.seq)
    return found


def _revived(line: Line) -> list[tuple[int, RevivedRow]]:
    """The episodes that live again from an entry on, each with its number there."""
    event = line.event
    if not isinstance(event, RecordsRevived):
        return []
    rows = enumerate(event.rows, start=len(event.ended) + 1)  # ends are counted before
    return [(n, row) for n, row in rows if row.shelf == SHELF]


def _open(line: Line, n: int, told: EpisodicEntry) -> OpenEpisode:
    summary = _plain(told.summary)
    return OpenEpisode(
        seq=line.seq,
        n=n,
        subject=line.header.parts[0].subject if line.header.parts else "",
        episodic_id=told.episodic_id,
        job_seed=_plain(told.job_seed),
        created_seeded_ts=told.created_seeded_ts,
        summary=summary,
        payload=canonical_json.readable(_shown(told.payload)).encode(),
        evidence=canonical_json.encode(_shown(msgspec.to_builtins(told.evidence))),
        provenance=canonical_json.encode(_shown(msgspec.to_builtins(told.provenance))),
        tokens=sorted_tokens(summary),
    )


def _plain(text: str) -> str:
    return text.replace("\x00", NO_CHARACTER)


def _shown(value: object) -> object:
    """The same value without NUL characters."""
    match value:
        case str():
            return _plain(value)
        case list() | tuple():
            return [_shown(inner) for inner in value]
        case dict():
            return {_plain(key): _shown(inner) for key, inner in value.items()}
        case _:
            return value
