"""Parts of a session by hand: holds in force, retries, spaces that are read, requests, trials."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from tests.world import StillClock, lines, memory, types

from muniment.engine.api.memory import Memory
from muniment.engine.session import dry_run, request_list, retry_lookup, shared_spaces
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.session.hold_access import HoldAccess
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.command_pipeline import Ask
from muniment.engine.streams.idempotency import Calls
from muniment.layers.governance import hold_rows
from muniment.model import ids
from muniment.model.commands import Remember, WriteEpisode
from muniment.model.events.holds import HoldLifted, HoldPlaced
from muniment.model.kinds.conversation_item import Space
from muniment.model.kinds.hold import LegalHold
from muniment.model.policy import Policy, Privacy
from muniment.model.policy.conversation import Spaces
from muniment.model.scope import Persona, StreamId, council_stream, person_space, space_stream


def place(number: int, ends: str = "") -> LegalHold:
    return LegalHold(hold_id=f"h{number}", person="tuff", ends=ends)


class Council:
    """The log of a council, as whoever looks for holds sees it."""

    def __init__(self, *holds: LegalHold) -> None:
        self.holds, self.looks = holds, 0
        self.head = SimpleNamespace(seq=4)

    def shelves(self) -> "Council":
        return self

    def newest(self, shelf: str) -> list[Any]:
        assert shelf == hold_rows.SHELF
        self.looks += 1
        placed = [HoldPlaced(hold_id=each.hold_id, hold=each) for each in self.holds]
        return [
            SimpleNamespace(event=each) for each in [*reversed(placed), HoldLifted(hold_id="h9")]
        ]


def access(council: Council) -> HoldAccess:
    known: dict[StreamId, Any] = {council_stream("main"): council}
    return HoldAccess(known.get)


def ask(at: str, *held: LegalHold) -> Ask:
    return msgspec.structs.replace(ASK, at=at, held=held)


ASK = Ask(command=None, principal=None)  # type: ignore[arg-type]
FIRST, SECOND = place(1), place(2, ends="2026-03-01")


# ── Holds ───────────────────────────────────────────────────────────────────────────────────────


def test_holds_are_told_the_oldest_first_and_looked_at_once_for_each_head() -> None:
    council = Council(FIRST, SECOND)
    holds = access(council)

    assert holds.of("main") == holds.of("main") == (FIRST, SECOND)
    assert council.looks == 1
    council.holds, council.head = (SECOND,), SimpleNamespace(seq=5)
    assert holds.of("main") == (SECOND,)
    assert council.looks == 2
    assert holds.of("other") == ()


def test_each_command_carries_the_holds_that_are_in_force_when_it_is_asked() -> None:
    holds = access(Council(FIRST, SECOND))
    before, after = ask("2026-02-28T10:00:00.000Z"), ask("2026-03-01T10:00:00.000Z", place(7))

    assert holds.attached("main", [before, after, ask("", FIRST)]) == [
        ask(before.at, FIRST, SECOND),
        ask(after.at, place(7), FIRST),
        ask("", FIRST, SECOND),
    ]
    assert holds.attached("other", [after]) == [after]


def test_a_command_that_no_hold_touches_stays_as_it_is() -> None:
    holds = access(Council(SECOND))
    late = ask("2026-03-01T10:00:00.000Z")

    assert holds.attached("main", (late,))[0] is late


# ── Retries ─────────────────────────────────────────────────────────────────────────────────────


class Caller:
    """A session that knows what earlier calls were told, and appends by counting."""

    def __init__(self, told: dict[str, int]) -> None:
        self.calls, self.appended = Calls(), list[tuple[object, str, str]]()
        store = SimpleNamespace(find=self._find)
        self.hub = SimpleNamespace(parts=SimpleNamespace(store=store))
        self.writer = SimpleNamespace(stream=SimpleNamespace(ref="r"), batch=self._batch)
        self._told = told

    def _find(self, ref: str, operation: str) -> int | None:
        return self._told.get(f"{ref} {operation}")

    def _batch(self, seq: int) -> list[object]:
        return [seq, seq + 1]

    def operation(self, key: str) -> str:
        return f"op:{key}"

    def append(self, command: object, *, key: str) -> AppendResult:
        self.appended.append((command, key, self.calls.key))
        return AppendResult(lines=())


def first(caller: Caller) -> Sequence[object]:
    return retry_lookup.first(caller)  # type: ignore[arg-type]


def follow(caller: Caller) -> AppendResult:
    return retry_lookup.follow(caller, "more", lambda: "made")  # type: ignore[arg-type,return-value]


def test_a_call_that_is_repeated_finds_what_it_was_told() -> None:
    caller = Caller({"r op:k": 7, "r op:": 9})

    assert first(caller) == []
    with caller.calls.under("k"):
        assert first(caller) == [7, 8]
    with caller.calls.under("other"):
        assert first(caller) == []


def test_what_follows_from_a_call_is_worked_out_once() -> None:
    caller = Caller({"r op:k\x00more": 3})

    with caller.calls.under("k"):
        assert [*map(str, follow(caller).lines)] == ["3", "4"]
    assert caller.appended == []
    with caller.calls.under("j"):
        follow(caller)
        assert caller.calls.key == "j"
    follow(caller)
    assert caller.appended == [("made", "j\x00more", ""), ("made", "", "")]


# ── Spaces ──────────────────────────────────────────────────────────────────────────────────────


class Reader:
    """A reader of some spaces; of each how many entries it holds."""

    def __init__(
        self,
        held: dict[StreamId, int],
        subject: str = "user:tuff",
        persona: Persona = Persona.ACTOR,
    ) -> None:
        self.subject, self.seen = subject, list[tuple[str, int]]()
        self.stream_id = StreamId(
            tenant="main", kind=council_stream("main").kind, owner="ada", persona=persona
        )
        keyring = SimpleNamespace(find=lambda *named: REFS.get(named))
        world = SimpleNamespace(keyring=keyring)
        self.hub: Any = SimpleNamespace(
            exists=held.__contains__, writer=self._writer, parts=SimpleNamespace(world=world)
        )
        self._held = held

    def _writer(self, space: StreamId) -> object:
        head = SimpleNamespace(seq=self._held[space])
        return SimpleNamespace(head=head, stream=SimpleNamespace(ref=f"ref of {space.owner}"))

    def saw(self, ref: str, seq: int) -> None:
        self.seen.append((ref, seq))

    def seen_at(self, other: StreamId, at: int) -> int:
        return at - 10 if other == OWN else 0


REFS = {("subject", "main/user:tuff"): "f" * 32}
OWN = person_space("main", "f" * 32, Persona.ACTOR)
ALL = space_stream("main", Space.SYSTEM, Space.SYSTEM, Persona.ACTOR)


def reading(*order: Space) -> Policy:
    return Policy(spaces=Spaces(read_order=order))


BOTH = reading(Space.USER, Space.SYSTEM)


def test_the_spaces_of_a_reader_are_read_to_their_heads_and_it_is_noted_how_far() -> None:
    reader = Reader({OWN: 3, ALL: 5})

    assert shared_spaces.heads(reader, BOTH, None, 1) == {OWN: 3, ALL: 5}
    assert reader.seen == [(f"ref of {OWN.owner}", 3), (f"ref of {ALL.owner}", 5)]


def test_as_of_an_entry_the_spaces_are_read_as_far_as_was_seen_by_then() -> None:
    reader = Reader({OWN: 3, ALL: 5})

    assert shared_spaces.heads(reader, BOTH, 99, 12) == {OWN: 2}
    assert reader.seen == []


@pytest.mark.parametrize(
    ("policy", "subject", "held", "found"),
    [
        (reading(Space.USER), "user:tuff", {OWN: 3, ALL: 5}, {OWN: 3}),
        (reading(Space.SYSTEM), "user:tuff", {OWN: 3, ALL: 5}, {ALL: 5}),
        (reading(), "user:tuff", {OWN: 3, ALL: 5}, {}),
        (BOTH, "", {OWN: 3, ALL: 5}, {ALL: 5}),
        (BOTH, "user:nobody", {OWN: 3, ALL: 5}, {ALL: 5}),
        (BOTH, "user:tuff", {ALL: 5}, {ALL: 5}),
        (BOTH, "user:tuff", {OWN: 3, ALL: 0}, {OWN: 3}),
    ],
)
def test_a_space_that_is_empty_or_that_the_policy_does_not_read_is_not_there(
    policy: Policy, subject: str, held: dict[StreamId, int], found: dict[StreamId, int]
) -> None:
    assert shared_spaces.heads(Reader(held, subject), policy, None, 1) == found


def test_each_persona_has_spaces_of_its_own() -> None:
    other = Persona.SUBCONSCIOUS
    held = {person_space("main", "f" * 32, other): 2, OWN: 3, ALL: 5}
    held[space_stream("main", Space.SYSTEM, Space.SYSTEM, other)] = 4

    found = shared_spaces.heads(Reader(held, persona=other), BOTH, None, 1)

    assert list(found.values()) == [2, 4]


# ── Requests ────────────────────────────────────────────────────────────────────────────────────


def test_requests_are_open_or_had_their_decision_and_what_was_erased_is_neither(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def request(status: str, *, erased: bool = False) -> SimpleNamespace:
        return SimpleNamespace(status=status, erased=erased)

    waiting, gone, done = request("pending"), request("pending", erased=True), request("executed")
    known = {"a": waiting, "b": done, "c": request("failed", erased=True)}
    monkeypatch.setattr(request_list, "history", lambda lines: known if lines == "told" else {})
    docket: Any = SimpleNamespace(
        lines=lambda *, wanted: "told" if wanted is request_list.is_telling else "",
        desk=SimpleNamespace(requests=SimpleNamespace(open={"a": waiting, "d": gone})),
    )

    assert request_list.listed(docket, settled=True) == [done]
    assert request_list.listed(docket, settled=False) == [waiting]


@pytest.mark.parametrize("told", ["action_request", "vote_cast", "request_settled", "received"])
def test_three_kinds_of_entries_tell_of_requests(told: str) -> None:
    header: Any = SimpleNamespace(type=told)

    assert request_list.is_telling(header) is (told != "received")


# ── Trials ──────────────────────────────────────────────────────────────────────────────────────

KITE, LAMP = Remember(text="The kite is red"), Remember(text="The lamp is red")


def of_agent(world: Memory) -> AgentSession:
    return world.agent("ada", user="tuff")._session


def test_what_would_follow_is_what_follows_and_is_not_kept() -> None:
    world = memory()
    session = of_agent(world)

    first = dry_run.tried(session, LAMP)
    assert list(world.streams()) == []
    session.append(KITE)
    before = len(lines(world))
    again = dry_run.tried(session, LAMP)

    assert len(lines(world)) == before
    told = [line.event for line in session.append(LAMP).lines]
    assert [type(each) for each in again] == [type(each) for each in told]
    assert again[-1] == told[-1]
    assert [type(each) for each in first][-1] is type(told[-1])


def test_what_is_tried_would_follow_at_this_moment_in_a_job_of_its_own_or_in_none() -> None:
    session = of_agent(memory(clock=StillClock(ids.time_ms("2026-03-01T10:00:00.000Z"))))

    for command in (KITE, WriteEpisode(summary="outside of any job")):
        tried = dry_run.tried(session, command)[-1]
        told = session.append(command).lines[-1].event
        assert type(tried) is type(told)
        assert getattr(tried, "job_seed", "") == getattr(told, "job_seed", "")


def test_what_the_policy_of_the_store_denies_would_be_refused_before_anything_is_kept() -> None:
    session = of_agent(memory(Policy(privacy=Privacy(deny_patterns=("kite",)))))

    assert dry_run.would_be_refused(session, KITE)
    assert not dry_run.would_be_refused(session, LAMP)
    session.append(LAMP)
    assert dry_run.would_be_refused(session, KITE)
    assert not dry_run.would_be_refused(session, Remember(text="The vase is blue"))


def test_who_looks_on_for_an_agent_sees_as_they_do_and_leaves_no_receipt() -> None:
    world = memory()
    session = of_agent(world)
    session.append(KITE)

    beside = dry_run.DryRunSession.beside(session)

    assert type(beside) is dry_run.DryRunSession
    assert beside.hub is session.hub
    assert (beside.stream_id, beside.agent, beside.user, beside.channel) == (
        *(session.stream_id, session.agent, session.user, session.channel),
    )
    before = len(lines(world))
    beside._queue((1, KITE))
    beside.append(LAMP)
    assert len(lines(world)) > before
    assert "recalled" not in types(world)
