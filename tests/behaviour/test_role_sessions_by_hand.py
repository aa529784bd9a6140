"""Sessions under one role by hand: what they hand in, under which key, and what they look up."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from muniment.engine.session import role_session
from muniment.engine.session.role_session import RoleSession, digest_of
from muniment.layers import shelves
from muniment.layers.governance.requests import from_event
from muniment.log import sealing
from muniment.model import canonical_json
from muniment.model.commands import AdoptPolicy, RecordAccess
from muniment.model.errors import RefusedError
from muniment.model.events import RequestRaised, RequestSettled
from muniment.model.events.operations import AccessRecorded, IncidentRecorded
from muniment.model.policy import Governance, Policy
from muniment.model.scope import (
    Channel,
    Persona,
    Principal,
    Role,
    StreamId,
    council_stream,
    ops_stream,
)

ROOT = Principal(name="root", role=Role.ADMIN, tenant="main")
OPS, COUNCIL = ops_stream("main"), council_stream("main")
OTHER = council_stream("main", Persona.SUBCONSCIOUS)
LOOK = RecordAccess(what="payload", reason="ticket 7")
NAMES = {"r1": "main/person:a:b", "r2": "main/tuff", "r3": "zoo/person:x", "r4": "main/a/b"}


def entry(event: object, seq: int = 0, kind: str = "") -> SimpleNamespace:
    return SimpleNamespace(event=event, seq=seq, header=SimpleNamespace(type=kind))


class Log:
    """One log: its entries, what is on its shelf of requests, the policy that is in force."""

    def __init__(self, *entries: SimpleNamespace, policy: Policy | None = None) -> None:
        self.entries = entries
        self.desk = SimpleNamespace(policy=policy)

    def lines(
        self, *, after: int = 0, wanted: Callable[[Any], bool] | None = None
    ) -> list[SimpleNamespace]:
        found = [each for each in self.entries if each.seq > after]
        return [each for each in found if wanted(each.header)] if wanted else found

    def shelves(self) -> "Log":
        return self

    def get(self, shelf: str, name: str) -> SimpleNamespace | None:
        assert shelf == shelves.REQUESTS
        named = (each for each in self.entries if getattr(each.event, "request_id", "") == name)
        return next(named, None)


class Hub:
    """What a session is given: it notes what was handed in, and where."""

    def __init__(self, logs: dict[StreamId, Log] | None = None) -> None:
        self.logs = logs or {}
        self.prepared: list[tuple[object, Principal, str]] = []
        self.appended: list[tuple[StreamId, Sequence[object]]] = []
        self.exists, self.writer, self.shelves = self.logs.__contains__, self._log, self._log
        keyring = SimpleNamespace(name=NAMES.get)
        self.parts = SimpleNamespace(
            world=SimpleNamespace(keyring=keyring), policy=Policy(governance=Governance(quorum=7))
        )
        self.facts = SimpleNamespace(audited=lambda *asked: asked)
        self.root: Any = self
        self.refuses = False

    def _log(self, stream: StreamId) -> Log:
        return self.logs[stream]

    def council_seq(self, tenant: str) -> tuple[str, int]:
        assert tenant == "main"
        return "ref", 9

    def stream(self, stream: StreamId) -> SimpleNamespace:
        return SimpleNamespace(key=repr(stream).encode()[:64])

    def prepare(self, command: object, principal: Principal, *, operation: str = "none") -> object:
        self.prepared.append((command, principal, operation))
        return f"ask {len(self.prepared)}"

    def append(self, stream: StreamId, asks: Sequence[object]) -> list[Any]:
        self.appended.append((stream, asks))
        return [SimpleNamespace(or_raise=lambda n=n: self._told(n)) for n in range(3)]

    def _told(self, n: int) -> str:
        if self.refuses and n == 2:
            raise RefusedError("not_today")
        return f"told {n}"


def session(hub: Hub | None = None, principal: Principal = ROOT) -> Any:  # noqa: ANN401
    given: Any = hub or Hub()
    return RoleSession(given, principal)


def key_of(stream: StreamId, named: str) -> str:
    key = repr(stream).encode()[:64]
    return f"key:{sealing.token(key, f'operation{chr(0)}{named}').hex()}"


# ── What is handed in ───────────────────────────────────────────────────────────────────────────


def test_a_command_is_handed_in_under_the_role_and_the_last_answer_counts() -> None:
    hub = Hub()

    assert session(hub)._append_or_raise(COUNCIL, LOOK) == "told 2"
    assert session(hub)._append_or_raise(COUNCIL, LOOK, key="k") == "told 2"

    assert hub.prepared == [(LOOK, ROOT, ""), (LOOK, ROOT, "k")]
    assert hub.appended == [(COUNCIL, ["ask 1"]), (COUNCIL, ["ask 2"])]


def test_a_callers_key_stands_in_a_log_as_a_token_of_that_log_and_role() -> None:
    hub = Hub()
    admin = session(hub)

    with admin.keyed("k"):
        admin._append_or_raise(COUNCIL, LOOK)
        admin._append_or_raise(OPS, LOOK)
    admin._append_or_raise(OPS, LOOK)

    assert [operation for _, _, operation in hub.prepared] == [
        key_of(COUNCIL, "admin:root\x00k"),
        key_of(OPS, "admin:root\x00k\x002"),
        "",
    ]


def test_who_opens_content_is_noted_outside_of_any_branch() -> None:
    hub, root = Hub(), Hub()
    hub.root = root
    admin = session(hub)

    with admin.keyed("k"):
        admin._note_access("payload", "ticket 7")
    admin._note_access("payload", "ticket 7", found=["a", "b"])
    admin._note_access("payload", "ticket 7", found=[])

    found = [
        msgspec.structs.replace(LOOK, found=len(each), result_digest=digest_of(each))
        for each in (["a", "b"], list[str]())
    ]
    assert hub.prepared == [
        (LOOK, ROOT, key_of(OPS, "admin:root\x00k")),
        (found[0], ROOT, ""),
        (found[1], ROOT, ""),
    ]
    assert hub.appended == []
    assert root.appended == [(OPS, [f"ask {n}"]) for n in (1, 2, 3)]


def test_a_look_that_is_not_noted_is_refused() -> None:
    hub = Hub()
    hub.refuses = True

    with pytest.raises(RefusedError, match="not_today"):
        session(hub)._note_access("payload", "ticket 7")


def test_what_was_found_is_told_by_a_digest_of_its_own_kind() -> None:
    wanted = canonical_json.digest("muniment/v1/result", b'["a","b"]').hex()

    assert digest_of(["a", "b"]) == wanted


def test_what_was_approved_is_carried_out_by_the_engine() -> None:
    hub = Hub()

    assert session(hub)._carry_out(COUNCIL, LOOK) == "told 2"
    assert session(hub)._carry_out(COUNCIL, LOOK, key="k") == "told 2"

    engine = Principal(name="engine", role=Role.ENGINE, tenant="main", channel=Channel.ENGINE)
    assert hub.prepared == [(LOOK, engine, ""), (LOOK, engine, "k")]
    assert hub.appended == [(COUNCIL, ["ask 1"]), (COUNCIL, ["ask 2"])]


# ── What is looked up ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("ref", "name"), [("r1", "a:b"), ("r2", "tuff"), ("r3", ""), ("r4", "a/b"), ("r9", "")]
)
def test_a_reference_is_named_within_its_tenant_alone(ref: str, name: str) -> None:
    assert session()._named(ref) == name


def test_a_reference_that_nobody_knows_is_nameless_in_any_tenant() -> None:
    assert session(principal=msgspec.structs.replace(ROOT, tenant="XXXX"))._named("r9") == ""


def test_facts_are_those_of_now_of_an_entry_or_of_a_day() -> None:
    assert session()._facts(None, "") == (COUNCIL, 9, None)
    assert session()._facts(4, "") == (COUNCIL, 4, None)
    assert session()._facts(None, "1970-01-03") == (COUNCIL, 9, 2)


def test_what_was_noted_of_a_kind_is_told_the_oldest_first() -> None:
    looks = [AccessRecorded(what=f"w{n}", reason="", found=n, result_digest="") for n in (1, 2)]
    log = Log(
        entry(looks[0], 1, "admin_access_event"),
        entry("erased", 2, "admin_access_event"),
        entry(looks[1], 3, "admin_access_event"),
        entry(looks[1], 4, "incident"),
    )

    assert session(Hub({OPS: log}))._operations(AccessRecorded) == looks
    assert session(Hub({OPS: log}))._operations(IncidentRecorded) == []
    assert session()._operations(AccessRecorded) == []


def test_a_policy_is_that_of_the_log_or_before_it_exists_of_the_store() -> None:
    own = Policy(governance=Governance(quorum=3))
    kept = session(Hub({COUNCIL: Log(policy=own)}))

    assert kept._policy_of(COUNCIL) is own
    assert kept._policy_of(OPS).governance.quorum == 7
    assert kept._adoption(own, "so") == AdoptPolicy(policy=own, reason="so", quorum=3)
    assert session()._adoption(own, "so") == AdoptPolicy(policy=own, reason="so", quorum=7)


def raised(request_id: str) -> RequestRaised:
    return RequestRaised(
        n=1,
        request_id=request_id,
        action="put",
        key="k",
        value=1,
        justification="",
        evidence=(),
        requested_by="ada",
        subject="",
        created_seeded_ts="",
        required_approval="one",
        expires_at_tick=0,
        expected_head=0,
        binding="b",
    )


def test_a_request_that_has_ended_is_told_with_what_was_last_said_of_it() -> None:
    approved, done, other = (
        RequestSettled(request_id=each, outcome=outcome)
        for each, outcome in (("q1", "approved"), ("q1", "executed"), ("q2", "rejected"))
    )
    log = Log(
        *(
            entry(raised("q1"), 3),
            entry(raised("q3"), 4),
            entry(approved, 5),
            entry(approved, 6),
            entry(done, 6),
        ),
        *(entry(other, 7), entry(SimpleNamespace(request_id="q4"), 8)),
    )
    ended = session(Hub({COUNCIL: log}))._ended

    assert ended(COUNCIL, "q1") == (from_event(raised("q1")), done)
    assert ended(COUNCIL, "q2") is None  # what stands on the shelf is no request
    assert ended(COUNCIL, "q3") is None
    assert ended(COUNCIL, "q9") is None
    assert ended(OTHER, "q1") is None


def test_a_request_lies_on_the_docket_of_its_persona() -> None:
    hub = Hub({COUNCIL: Log(entry(raised("q1"))), OTHER: Log(entry(raised("q2")))})

    assert session(hub)._dockets() == [COUNCIL, OTHER]
    assert [session(hub)._docket(each) for each in ("q1", "q2", "q9")] == [COUNCIL, OTHER, COUNCIL]
    assert session(Hub({OTHER: Log()}))._dockets() == [OTHER]


def test_the_request_that_an_append_has_raised_is_told_by_its_id() -> None:
    told: Any = SimpleNamespace(lines=[entry("received"), entry(raised("q1"))])

    assert role_session.raised(told) == "q1"
