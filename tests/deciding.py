"""A decision by itself: what is known, what was asked, and nothing around it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from muniment.engine.decide.decision_context import DecisionContext, Stamp
from muniment.layers.desk import Desk
from muniment.layers.governance.consents import Consents, GivenConsent
from muniment.layers.jobs.jobs import Jobs, JobState
from muniment.layers.memos.recent_texts import ComparedText
from muniment.layers.shelves import Shelves, Stream
from muniment.log.entry import Commitment, Header, Line
from muniment.model import ids
from muniment.model.commands import AnyCommand, Tick
from muniment.model.events import AnyEvent, EpisodeWritten, Received, WriteDenied
from muniment.model.events.memos import MemoKept
from muniment.model.kinds.episode import (
    ConsolidatedItem,
    EpisodicSource,
    Evidence,
    WorkingEntry,
    WorkingType,
)
from muniment.model.kinds.memo import Memo, MemoType, Scores
from muniment.model.scope import StreamId, agent_stream

CITED = Evidence(episodic_id="ep:0", note="because")
CONSENT = GivenConsent(consent_id="consent:1", subject="user_tuff", job=0, persistent=True)
CONSENTED: dict[str, Any] = {"consents": Consents(given={"consent:1": CONSENT})}
ADA = agent_stream("main", "ada")
REF = "a" * 32
TUFF, BEA = "t" * 32, "b" * 32  # references of two people
OPENED_AT = 3
NOW = 7  # the seq of what was asked


class Kept(Shelves):
    """What lies on shelves, by shelf and name; an event may be given with where it stands."""

    def __init__(self, kept: Mapping[tuple[str, str], AnyEvent | Line | None]) -> None:
        self._kept = {at: placed(each) for at, each in kept.items() if each is not None}
        self.at = NOW - 1

    def get(self, shelf: str, item_id: str) -> Line | None:
        return self._kept.get((shelf, item_id))

    def named(self, shelf: str, name: str, limit: int = -1) -> Iterator[Line]:
        del limit
        return (line for at, line in self._kept.items() if at == (shelf, name))

    def has(self, shelf: str, item_id: str) -> bool:
        return (shelf, item_id) in self._kept

    def newest(self, shelf: str, limit: int = -1) -> Iterator[Line]:
        del limit
        return (line for (known, _), line in self._kept.items() if known == shelf)

    def any(self, shelf: str) -> bool:
        return any(known == shelf for known, _ in self._kept)

    def ever(
        self, shelf: str, *, item_id: str = "", key: str = ""
    ) -> Iterator[tuple[int, int | None, Line]]:
        del key
        return ((line.seq, None, line) for line in self.named(shelf, item_id))

    def line(self, seq: int) -> Line | None:
        return next((each for each in self._kept.values() if each.seq == seq), None)

    def is_seed_of_the_erased(self, seed: str) -> bool:
        return self.has("erased", seed)

    def likely(
        self, shelf: str, *, same: str, keys: Sequence[str], each: int, opened: int, named: int = 1
    ) -> tuple[list[int], list[int]]:
        del shelf, same, keys, each, opened, named
        return [], []

    def compared(self, seqs: Sequence[int]) -> list[tuple[ComparedText, Line | None]]:
        assert not seqs
        return []

    def born(self, shelf: str, ids: Sequence[str]) -> list[int]:
        return [self._kept[shelf, each].seq if self.has(shelf, each) else 0 for each in ids]

    def is_ours(self, subjects: Iterable[str]) -> bool:
        del subjects
        return True


def placed(event: Any, seq: int = 5, *, about: tuple[str, ...] = (REF,), ts: str = "") -> Line:  # noqa: ANN401
    """An event as an entry of a log."""
    if isinstance(event, Line):
        return event
    parts = [Commitment(subject=each, commitment="", bucket=0) for each in about]
    header = Header(
        v=1,
        seq=seq,
        id=f"entry-{seq}",
        type=str(event.__struct_config__.tag),
        cause=seq - 1,
        job=0,
        tick=0,
        ts=ts,
        policy="",
        body=msgspec.Raw(b"{}"),
        parts=tuple(parts),
    )
    return Line(header=header, hash=bytes([seq]) * 32, event=event)


def job(number: int = 2, **known: Any) -> JobState:  # noqa: ANN401
    told = {"seed": f"seed-{number}", "session": "", "trace_id": f"trace-{number}"}
    snapshots = dict.fromkeys(("sem", "episodic", "brainstate"), "")
    named = {f"{each}_snapshot_id": "" for each in snapshots}
    return JobState(
        **{"number": number, "subject": "", "opened_at": OPENED_AT, **told, **named, **known}
    )


def context(
    command: AnyCommand | None = None,
    *,
    shelves: Mapping[tuple[str, str], AnyEvent | Line | None] | None = None,
    stream: StreamId = ADA,
    jobs: Iterable[JobState] | Jobs = (),
    stamped: Mapping[str, Any] | None = None,
    received: Mapping[str, Any] | None = None,
    **desk: Any,  # noqa: ANN401
) -> DecisionContext:
    """The first of the jobs is the one that speaks; without any, nobody works."""
    counted = jobs if isinstance(jobs, Jobs) else None
    given = () if isinstance(jobs, Jobs) else jobs
    known = {each.number: each for each in given}
    mine = next(iter(known.values()), None)
    stamp: dict[str, Any] = {
        "job": mine.number if mine else 0,
        "tick": mine.tick if mine else 0,
        "seed": mine.seed if mine else "",
        "base_ms": 1_790_000_000_000,
        "first_seq": OPENED_AT,
    }
    asked = {"asked": "asked", "operation": "", "actor": "bea", "role": "agent", "channel": "api"}
    desk["jobs"] = counted or Jobs(open=known, count=max(known, default=0))
    return DecisionContext(
        stream=Stream(id=stream, ref=REF, key=b"k" * 32),
        desk=Desk(**{"seq": NOW - 1, **desk}),
        shelves=Kept(shelves or {}),
        received=Received(**{"command": command or Tick(), **asked, **(received or {})}),
        stamp=Stamp(**{**stamp, **(stamped or {})}),
        seq=NOW,
    )


def denied(reason: str, detail: str = "") -> list[AnyEvent]:
    return [WriteDenied(reason=reason, asked="asked", detail=detail)]


def written(n: int, summary: str, *, alone: bool = False, **more: Any) -> EpisodeWritten:  # noqa: ANN401
    """An episode that was told in the second job of ours, or outside of any."""
    now = context(jobs=[] if alone else [job()])
    seed = "" if alone else "seed-2"
    told = {
        "n": n,
        "form": "entry",
        "episodic_id": ids.episodic_id(REF, seed, n),
        "job_seed": seed,
        "source": EpisodicSource.AGENT,
        "summary": summary,
        "payload": None,
        "evidence": (),
        "created_seeded_ts": now.moment(n),
        "trace_id": now.entry_id if alone else "trace-2",
        "reflective_log_id": now.entry_id,
    }
    return EpisodeWritten(**{**told, **more})


def memo(name: str) -> MemoKept:
    """A fact as a memo of semantic memory."""
    kept = Memo(
        id=name,
        type=MemoType.FACT,
        text="",
        tokens_estimate=1,
        timestamp="",
        agent_id="",
        task_id="",
    )
    scores = Scores(importance=1, novelty=1, tokens=1)
    return MemoKept(
        n=1, kind=MemoType.FACT, places=("SM",), tokens=1, scores=scores, reasons=(), memo=kept
    )


def entry(
    name: str, value: object = "tea", *, uses: tuple[int, ...] = (), ttl: int = 3
) -> WorkingEntry:
    return WorkingEntry(
        wm_id=name,
        type=WorkingType.FACT,
        value=value,
        created_at_tick=0,
        ttl_ticks=ttl,
        references=len(uses),
        referenced_at=uses,
    )


def item(name: str, *, uses: tuple[int, ...] = (), ttl: int = 9) -> ConsolidatedItem:
    return ConsolidatedItem(
        cwm_id_item=name,
        value=f"the {name}",
        promoted_from="wm:1",
        promoted_at_tick=0,
        ttl_ticks_cwm=ttl,
        token_estimate=2,
        references=len(uses),
        referenced_at=uses,
    )
