"""Passports of a tenant: made from its logs, and imported under its own policy."""

from collections.abc import Sequence
from typing import Final

import msgspec

from muniment.engine.audit.notary import Notary
from muniment.engine.evidence import passport
from muniment.engine.evidence.passport import (
    EntryProof,
    PassportHead,
    PassportLine,
    PassportReplayedError,
    SignedPassport,
    VerifiedPassport,
)
from muniment.engine.exchange.exchange import Exchange
from muniment.engine.exchange.exchange_line import ExchangeLine
from muniment.engine.exchange.selection import ExportSelection
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.session.role_session import RoleSession
from muniment.engine.session.stream_hub import StreamHub
from muniment.log import chain, merkle_tree, sealing, signed_notes
from muniment.log.entry import genesis
from muniment.model import canonical_json, fact_keys
from muniment.model.commands import RecordAccess, Remember
from muniment.model.errors import NotFoundError
from muniment.model.events import Shredded, WriteDenied
from muniment.model.kinds.episode import Origin
from muniment.model.scope import Persona, StreamId, name, ops_stream

THERE: Final = "record_is_there"
OF_AGENTS: Final = frozenset({"agent", "collection"})


class PassportReport(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the records of a passport."""

    serial: str
    carried: int = 0  # as they were, under this memory's policy
    known: int = 0  # of them, what was here already
    quarantined: int = 0  # as words from outside, which wait for a person to vouch for them
    refused: dict[str, int] = {}  # reasons, with how often


class Passports(RoleSession):
    """An administrator's hands for what a person takes along, and for what they bring."""

    def make(self, user: str, *, reason: str, agent: str = "") -> bytes:
        """Everything that is known about a person and can still be read, signed, with proofs."""
        wanted = ExportSelection(user=name(user, "user"), agent=agent).checked()
        subject = self._subject(wanted.subject)
        self._note_access(f"passport of {subject[:8]}", reason)
        notary = Notary(self._hub, self._principal)
        logs: dict[StreamId, _ProvedLog] = {}
        lines: list[bytes] = []
        for stream, record in Exchange(self._hub, self._principal).records_by_log(wanted):
            log = logs.get(stream)
            if log is None:
                log = logs[stream] = _ProvedLog(self._hub, notary, stream)
            told = PassportLine(record=record, proof=log.proof(record, subject))
            lines.append(msgspec.json.encode(told, order="sorted"))
        heads = tuple(each.note for each in logs.values())
        issued = self._hub.parts.clock.now()
        digest = passport.digest_of(lines)
        named = canonical_json.digest(
            "muniment/v1/passport", *(each.encode() for each in (subject, issued, digest, *heads))
        )
        head = PassportHead(
            format=passport.FORMAT,
            version=passport.VERSION,
            serial=named.hex(),
            person=wanted.user,
            subject=subject,
            issued=issued,
            key=notary.key,
            heads=heads,
            lines=len(lines),
            sha256=digest,
        )
        signature = notary.attest(passport.signed_text(head))
        return passport.encoded(SignedPassport(passport=head, signature=signature), lines)

    def verify(self, data: bytes, *, key: str = "", user: str = "") -> VerifiedPassport:
        """The passport, if nobody changed it; of this key and about this person, where named."""
        return passport.verify(data, key=key, person=user)

    def take_in(
        self, data: bytes, *, user: str, key: str = "", agent: str = "", quarantine: bool = False
    ) -> PassportReport:
        """Carry over what a trusted key has signed about this person, once.

        Every record passes this memory's policy. One whose words no proof holds for becomes words
        from outside, which nobody hears before a person has vouched for them. With `quarantine`
        all of it does, and the key need not be trusted.
        """
        if not (key or quarantine):
            raise passport.PassportKeyError("name the trusted key, or import it into quarantine")
        found = passport.verify(data, key=key, person=name(user, "user"))
        serial = found.head.serial
        operation = f"passport:{serial}"
        if self._was_taken_in(operation):
            raise PassportReplayedError(f"{serial[:16]} was imported before")
        trusted = [] if quarantine else [each for each in found.lines if _may_be_carried(each)]
        report = self._carry([_given(each.record, agent) for each in trusted], serial)
        aside = [each for each in found.lines if each not in trusted and each.record.text]
        refused = dict(report.refused)
        quarantined = 0
        for each in aside:
            reason = self._set_aside(each.record, found.head, user, agent)
            quarantined += not reason
            refused |= {reason: refused.get(reason, 0) + 1} if reason else {}
        issuer = signed_notes.key_of(found.head.key).name
        # Last: whoever is cut off before takes it in again, and each record is carried once.
        command = RecordAccess(what=f"passport {serial[:16]} from {issuer}", reason="taken in")
        self._append_or_raise(ops_stream(self._principal.tenant), command, operation)
        return msgspec.structs.replace(report, quarantined=quarantined, refused=refused)

    # ── Inside ──────────────────────────────────────────────────────────────────────────────────

    def _subject(self, who: str) -> str:
        found = self._hub.parts.world.keyring.find("subject", f"{self._principal.tenant}/{who}")
        if found is None:
            raise NotFoundError
        return found

    def _was_taken_in(self, operation: str) -> bool:
        stream = ops_stream(self._principal.tenant)
        if not self._hub.exists(stream):
            return False
        return self._hub.parts.store.find(self._hub.stream(stream).ref, operation) is not None

    def _carry(self, lines: Sequence[ExchangeLine], serial: str) -> PassportReport:
        carried = known = 0
        refused: dict[str, int] = {}
        for told in Exchange(self._hub, self._principal).carry(lines, source=serial):
            if told.stored or told.reason == THERE:
                carried += 1
                known += not told.stored
            else:
                refused[told.reason] = refused.get(told.reason, 0) + 1
        return PassportReport(serial=serial, carried=carried, known=known, refused=refused)

    def _set_aside(self, record: ExchangeLine, head: PassportHead, user: str, agent: str) -> str:
        """Words from outside, by the name of who signed them; why not, where refused."""
        session = AgentSession(
            self._hub,
            tenant=self._principal.tenant,
            agent=name(agent or (record.of if record.log in OF_AGENTS else "") or "main", "agent"),
            user=user,
            persona=Persona.ACTOR,
            channel=self._principal.channel,
        )
        command = Remember(
            text=record.text,
            origin=Origin.EXTERNAL,
            source=f"passport {signed_notes.key_of(head.key).name}"[:128],
            subject=fact_keys.user_entity(user),
        )
        told = session.append(command, key=f"passport:{head.serial}:{record.log}:{record.seq}")
        denied = (each.event for each in told.lines if isinstance(each.event, WriteDenied))
        return next((each.reason for each in denied), "")


class _ProvedLog:
    """One log, read through and signed once, and the proof of any entry of it."""

    def __init__(self, hub: StreamHub, notary: Notary, stream: StreamId) -> None:
        head, self._hashes = notary.read_through(stream)
        self.note = head.note
        self._origin = head.origin
        self._hub = hub
        self._writer = hub.writer(stream)
        self._ref = self._writer.stream.ref
        self._parts: dict[tuple[int, int], bytes] = {}

    def proof(self, record: ExchangeLine, subject: str) -> EntryProof | None:
        """None where its entry says more than the record shows: that must not be opened."""
        event = next(iter(self._writer.lines(after=record.seq - 1, upto=record.seq))).event
        entry = next(iter(self._hub.parts.store.pick(self._ref, [record.seq])))
        told = chain.header_of(entry).parts
        if isinstance(event, Shredded) or not passport.shows_all(record, event):
            return None
        if [each.subject for each in told] != [subject] or record.seq > len(self._hashes):
            return None
        key = sealing.part_key(self._hub.parts.world.keyring, told[0].keys)
        if key is None:
            return None
        place = chain.place(self._ref, record.seq, 0)
        part = entry.parts[0]
        assert part is not None
        salt, content = sealing.revealed(key, place, told[0], part)
        before = self._hashes[record.seq - 2] if record.seq > 1 else genesis(self._ref).hash
        path = merkle_tree.inclusion(self._hashes, record.seq - 1, self._parts)
        return EntryProof(
            origin=self._origin,
            after=passport.spelled(before),
            header=passport.spelled(entry.header),
            salt=passport.spelled(salt),
            content=passport.spelled(content),
            path=tuple(map(passport.spelled, path)),
        )


def _may_be_carried(line: PassportLine) -> bool:
    """Proved, or without a word of its own: a number that was given, an end."""
    return line.proof is not None or not line.record.text


def _given(record: ExchangeLine, agent: str) -> ExchangeLine:
    """For the agent that was asked for."""
    if not agent or record.log not in OF_AGENTS:
        return record
    return msgspec.structs.replace(record, of=agent)
