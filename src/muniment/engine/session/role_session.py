"""Role session: acts in the streams of one tenant under one role."""

from contextlib import AbstractContextManager
from typing import TypeVar

import msgspec

from muniment.engine.session.stream_hub import StreamHub
from muniment.engine.streams import admission, argument_checks
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.argument_checks import checks_arguments
from muniment.engine.streams.idempotency import Calls
from muniment.engine.streams.read_snapshot import placed
from muniment.layers import shelves
from muniment.layers.governance.requests import Request, from_event
from muniment.log import sealing
from muniment.model import canonical_json, ids
from muniment.model.commands import AdoptPolicy, AnyCommand, RecordAccess
from muniment.model.events import RequestRaised, RequestSettled
from muniment.model.events.operations import AccessRecorded, IncidentRecorded
from muniment.model.kinds.episode import Fact
from muniment.model.policy import Policy
from muniment.model.scope import (
    Channel,
    Persona,
    Principal,
    Role,
    StreamId,
    council_stream,
    ops_stream,
)

Noted = TypeVar("Noted", IncidentRecorded, AccessRecorded)


@checks_arguments
class RoleSession:
    """Hands in one stream under one role; refusals are raised with their stable reason."""

    def __init__(self, hub: StreamHub, principal: Principal) -> None:
        self._hub = hub
        self._principal = principal
        self._calls = Calls()

    def keyed(self, key: str) -> AbstractContextManager[None]:
        """Make one call safe to repeat: the same key and words are done once and answer alike."""
        return self._calls.under(canonical_json.admit_text(key))

    def _named(self, ref: str) -> str:
        """Whom a reference in the tenant's logs stands for; empty where nobody can say."""
        name = self._hub.parts.world.keyring.name(canonical_json.admit_text(ref)) or ""
        tenant, _, who = name.partition("/")
        return who.partition(":")[2] or who if tenant == self._principal.tenant else ""

    def _facts(self, at: int | None, valid_at: str) -> list[Fact]:
        """The governed facts of the tenant: now, at an entry of its council's log, on a day."""
        tenant, day = self._principal.tenant, argument_checks.check_day(valid_at)
        seq = placed(at, self._hub.council_seq(tenant)[1])
        on = ids.day_number(day) if day else None
        return self._hub.facts.audited(council_stream(tenant), seq, on)

    def _operations(self, kind: type[Noted]) -> list[Noted]:
        """What the tenant's ops log noted of a kind, oldest first."""
        stream = ops_stream(self._principal.tenant)
        if not self._hub.exists(stream):
            return []
        tag = kind.__struct_config__.tag
        lines = self._hub.writer(stream).lines(wanted=lambda header: header.type == tag)
        return [line.event for line in lines if isinstance(line.event, kind)]

    def _append_or_raise(
        self, stream: StreamId, command: AnyCommand, key: str = ""
    ) -> AppendResult:
        operation = key or self._operation(stream)
        ask = self._hub.prepare(admission.admit(command), self._principal, operation=operation)
        return self._hub.append(stream, [ask])[-1].or_raise()

    def _note_access(self, what: str, reason: str, found: list[str] | None = None) -> None:
        """Whoever opens content is written down in the memory itself: a branch may be discarded."""
        command = RecordAccess(what=what, reason=reason)
        if found is not None:  # a second note, of what was found
            command = msgspec.structs.replace(
                command, found=len(found), result_digest=digest_of(found)
            )
        stream = ops_stream(self._principal.tenant)
        ask = self._hub.prepare(
            admission.admit(command), self._principal, operation=self._operation(stream)
        )
        self._hub.root.append(stream, [ask])[-1].or_raise()

    def _operation(self, stream: StreamId) -> str:
        """A caller's key as a stream's headers may hold it: a token that says nothing."""
        key = self._calls.next_key()
        if not key:
            return ""
        named = f"operation\x00{self._principal.role}:{self._principal.name}\x00{key}"
        return f"key:{sealing.token(self._hub.stream(stream).key, named).hex()}"

    def _carry_out(self, stream: StreamId, command: AnyCommand, key: str = "") -> AppendResult:
        """What the council has approved is done by the engine, whoever asks for it to be done."""
        engine = Principal(
            name="engine",
            role=Role.ENGINE,
            tenant=self._principal.tenant,
            channel=Channel.ENGINE,
        )
        ask = self._hub.prepare(command, engine, operation=key)
        return self._hub.append(stream, [ask])[-1].or_raise()

    @property
    def _council(self) -> StreamId:
        return council_stream(self._principal.tenant)

    def _dockets(self) -> list[StreamId]:
        """What the two personas ask for lies apart, or one could tell what the other asked."""
        both = [council_stream(self._principal.tenant, persona) for persona in Persona]
        return [docket for docket in both if self._hub.exists(docket)]

    def _policy_of(self, stream: StreamId) -> Policy:
        """What is in force; an empty stream is born under the store's policy."""
        exists = self._hub.exists(stream)
        return self._hub.writer(stream).desk.policy if exists else self._hub.parts.policy

    def _adoption(self, policy: Policy, reason: str) -> AdoptPolicy:
        """What an administrator may do alone, if the council of the tenant leaves it to one."""
        quorum = self._policy_of(self._council).governance.quorum
        return AdoptPolicy(policy=policy, reason=reason, quorum=quorum)

    def _ended(self, docket: StreamId, request_id: str) -> tuple[Request, RequestSettled] | None:
        """A request that is no longer open, and what was last said of it."""
        if not self._hub.exists(docket):
            return None
        writer = self._hub.writer(docket)
        line = writer.shelves().get(shelves.REQUESTS, canonical_json.admit_text(request_id))
        if line is None or not isinstance(line.event, RequestRaised):
            return None
        said = [
            each.event
            for each in writer.lines(after=line.seq)
            if isinstance(each.event, RequestSettled) and each.event.request_id == request_id
        ]
        return (from_event(line.event), said[-1]) if said else None

    def _docket(self, request_id: str) -> StreamId:
        """The docket that holds a request; the first one when neither does."""
        for docket in self._dockets():
            if self._hub.shelves(docket).get(shelves.REQUESTS, request_id):
                return docket
        return self._council


def digest_of(value: object) -> str:
    """What was found, as a note of it says so."""
    return canonical_json.digest("muniment/v1/result", canonical_json.encode(value)).hex()


def raised(told: AppendResult) -> str:
    return next(e.event.request_id for e in told.lines if isinstance(e.event, RequestRaised))
