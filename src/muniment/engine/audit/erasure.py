"""Erasure: ordered in the log, carried out in every stream, scanned for residue, receipted."""

from collections.abc import Iterable, Iterator

import msgspec

from muniment.engine.audit import erasure_terms, replay, stray_logs
from muniment.engine.audit.erasure_scan import Residue, Scanner, SearchTerms
from muniment.engine.audit.stage_progress import Progress, Stages, over_logs, unwatched
from muniment.engine.decide import RULES
from muniment.engine.session.branch_hub import BranchHub, open_branches
from muniment.engine.session.role_session import RoleSession, raised
from muniment.engine.session.stream_hub import StreamHub
from muniment.engine.streams.stream_writer import Writer
from muniment.log.entry import Line
from muniment.model import fact_keys
from muniment.model.commands import BeginErasure, CompleteErasure, RaiseRequest
from muniment.model.errors import NotFoundError, RefusedError
from muniment.model.events import Received
from muniment.model.events.erasure import ErasureCompleted
from muniment.model.kinds.hold import LegalHold
from muniment.model.scope import BRANCH, PERIOD, Principal, Role, StreamId
from muniment.model.scope import name as scope_name


class Erasure(msgspec.Struct, frozen=True, kw_only=True):
    request_id: str
    fragments: int
    streams: int
    scanned_files: int
    scan_digest: str


class Eraser(RoleSession):
    """An administrator's hands for an erasure that the council has approved."""

    def __init__(self, hub: StreamHub, principal: Principal, scanner: Scanner) -> None:
        super().__init__(hub, principal)
        self._scanner = scanner

    def request(self, user: str, *, reason: str) -> str:
        """Ask for everything about a person to be destroyed; returns the request's id.

        A user asks for themselves: somebody else and nobody answer them alike.
        """
        ref = self._subject(user) if self._may_ask_for(user) else None
        if ref is None:
            raise NotFoundError
        # The request is not sealed under the key it asks to destroy: its receipt must survive.
        command = RaiseRequest(action="erase", key=ref, justification=reason)
        with self._hub.room.given():  # nobody is kept because a disk is full
            return raised(self._append_or_raise(self._council, command))

    def person(self, request_id: str) -> str:
        """Whom an approved request would erase, as keys spell them; empty once they are gone."""
        known = self._hub.writer(self._council).desk.requests
        request = known.approved(request_id, ("erase",))
        return self._named(request.key) if request else ""

    def carry_out(
        self,
        request_id: str,
        *,
        basis: str = "subject_request",
        progress: Stages = unwatched,
    ) -> Erasure:
        """Order it, destroy, rebuild, scan, record. A crash in between: run it again."""
        stray_logs.insist_on_whole(self._hub)  # what it holds of a person nobody could tell
        with self._hub.room.given():
            return self._carried_out(request_id, basis, progress)

    def _carried_out(self, request_id: str, basis: str, progress: Stages) -> Erasure:
        ref = self._wanted(request_id)
        about = list(self._about(ref, self._stage("reading", progress)))
        self._refuse_held(request_id, basis, ref, about)
        told = [(at, text) for at, line in about for text in erasure_terms.words(line)]
        # By what the headers say: what this run empties, a run before may have emptied in part.
        fragments = sum(_parts(line, ref) for _, line in about)
        self._order(request_id, basis, newest_at=_newest([at for at, _ in told]))
        keyring = self._hub.parts.world.keyring
        sought = SearchTerms(keyring, request_id)
        # Before the first key goes: a run after a crash can no longer read what to look for.
        in_the_open = self._said_in_the_open(self._stage("comparing", progress))
        wanted = _kept(sought, [text for _, text in told], keyring.key(ref), in_the_open)
        streams = self._hub.known_streams()
        self._forget_name(ref)
        self._hub.forget_state()
        for stream in streams:
            self._shred(stream, ref)
        rebuilt = self._stage("rebuilding", progress)
        for stream in streams:
            replay.rebuild(self._hub, stream, progress=rebuilt)
        self._erase_in_branches(ref)
        residue = self._scanned(sought, wanted, progress)
        self._append_or_raise(
            self._council,
            CompleteErasure(
                request_id=request_id,
                fragments=fragments,
                scanned_files=residue.files,
                scan_digest=residue.digest,
            ),
        )
        sought.forget()
        return Erasure(
            request_id=request_id,
            fragments=fragments,
            streams=len(streams),
            scanned_files=residue.files,
            scan_digest=residue.digest,
        )

    def completed(self, request_id: str) -> Erasure | None:
        """The receipt of an erasure that was carried out; how many streams there are, it is now."""
        for line in self._hub.writer(self._council).lines():
            event = line.event
            if isinstance(event, ErasureCompleted) and event.request_id == request_id:
                return Erasure(
                    request_id=request_id,
                    fragments=event.fragments,
                    streams=len(self._hub.known_streams()),
                    scanned_files=event.scanned_files,
                    scan_digest=event.scan_digest,
                )
        return None

    def _wanted(self, request_id: str) -> str:
        """The subject that a request names; its key, for it is a reference and says nothing."""
        request = self._hub.writer(self._council).desk.requests.open.get(request_id)
        if request is None or request.action != "erase":
            raise RefusedError("erasure_not_approved", request_id)
        return request.key

    def _refuse_held(
        self, request_id: str, basis: str, ref: str, about: list[tuple[str, Line]]
    ) -> None:
        """What a legal hold covers is not destroyed, also where it was ordered before the hold."""
        tenant, now = self._principal.tenant, self._hub.parts.clock.now()
        holds = tuple(
            hold.hold_id
            for hold in self._hub.holds.of(tenant)
            if hold.in_force(now) and (hold.person == ref or _covers(hold, ref, about))
        )
        if holds:
            command = BeginErasure(request_id=request_id, basis=basis, holds=holds)
            self._append_or_raise(self._council, command)

    def _order(self, request_id: str, basis: str, *, newest_at: str) -> None:
        """From here on the log says that it must be done; ordering twice is one order."""
        orders = self._hub.writer(self._council).desk.requests.ordered
        if request_id not in orders:
            command = BeginErasure(request_id=request_id, basis=basis, newest_at=newest_at)
            self._append_or_raise(self._council, command)

    def _forget_name(self, ref: str) -> None:
        """The key goes last: while it is there, a second run knows whose name to forget."""
        keyring = self._hub.parts.world.keyring
        name = keyring.name(ref)
        if name is not None:
            actor = keyring.find("actor", name.replace("/user_", "/person:", 1))
            if actor is not None:
                keyring.destroy(actor)
        keyring.destroy(ref)

    def _stage(self, stage: str, progress: Stages) -> Progress:
        """A counter of the entries of every log."""
        of = sum(self._hub.writer(each).head.seq for each in self._hub.known_streams())
        return over_logs(progress, stage, of)

    def _scanned(self, sought: SearchTerms, needles: list[bytes], progress: Stages) -> Residue:
        """A scan that found nothing: this one, or that of a run that did not get to say so."""
        progress("scanning the files", 0, 0)
        earlier = None if needles else sought.scanned
        residue = earlier or self._scanner(needles)
        if residue.found:
            raise RefusedError("erasure_left_residue", ", ".join(residue.found))
        sought.settle(residue)
        return residue

    def _erase_in_branches(self, ref: str) -> None:
        """In every log of a branch, also of one that is over; and what follows from the open."""
        kept = set(self._hub.ground.streams())
        for own, _ in self._hub.parts.world.keyring.known(BRANCH):
            if own in kept:
                self._hub.ground.shred(own, ref)
        for branch in self._branches():
            for stream in branch.written():
                replay.rebuild(branch, stream)

    def _branches(self) -> list[BranchHub]:
        tenants = dict.fromkeys(each.tenant for each in self._hub.known_streams())
        return [each for tenant in tenants for each in open_branches(self._hub, tenant)]

    def _writers(self) -> Iterator[tuple[Writer, int]]:
        """Every log, and where it begins to be looked at: a branch is, from where it goes on."""
        for stream in self._hub.known_streams():
            yield self._hub.writer(stream), 0
        for branch in self._branches():
            for stream in branch.written():
                yield branch.writer(stream), branch.fork(stream)

    def _shred(self, stream: StreamId, ref: str) -> None:
        self._hub.parts.store.shred(self._hub.stream(stream).ref, ref)

    def _about(self, ref: str, step: Progress) -> Iterator[tuple[str, Line]]:
        """Every entry with something under a subject's key, and the moment it was received at."""
        for writer, after in self._writers():
            at = ""
            for line in writer.lines(after=after):
                step(line.seq)
                at = line.event.at if isinstance(line.event, Received) else at
                if _parts(line, ref):
                    yield at, line

    def _said_in_the_open(self, step: Progress) -> frozenset[str]:
        """What this memory says of itself in every file: ids, times, references, names of things.

        A tool's answer quotes the id of its call, and what is sent on names where it goes.
        """
        said, rules = set[str](), set[str]()
        for writer, after in self._writers():
            lines = _stepped(writer.lines(after=after), step)
            said |= set(erasure_terms.said_in_the_open(lines))
            rules |= set(erasure_terms.said_by_the_rules(writer.desk.policy))
        keyring = self._hub.parts.world.keyring
        refs = {
            ref for kind in ("stream", "actor", BRANCH, PERIOD) for ref, _ in keyring.known(kind)
        }
        return frozenset(said | rules | refs | set(RULES))

    def _may_ask_for(self, user: str) -> bool:
        asks = self._principal
        own = fact_keys.user_entity(asks.name) == fact_keys.user_entity(scope_name(user, "user"))
        return own or asks.role is not Role.USER

    def _subject(self, user: str) -> str | None:
        who = fact_keys.user_entity(scope_name(user, "user"))
        name = f"{self._principal.tenant}/{who}"
        return self._hub.parts.world.keyring.find("subject", name)


def _kept(
    sought: SearchTerms, told: list[str], key: bytes | None, in_the_open: frozenset[str]
) -> list[bytes]:
    """The person's words that say something by themselves, and the key that sealed them.

    What a run before wrote down is weighed again: structure was a needle once, and barred it.
    """
    telling = {text.encode() for text in told if erasure_terms.is_telling(text, in_the_open)}
    kept = sought.keep(telling | ({key} if key else set()))
    return [each for each in kept if erasure_terms.is_sought(each, in_the_open)]


def _stepped(lines: Iterable[Line], step: Progress) -> Iterator[Line]:
    for line in lines:
        step(line.seq)
        yield line


def _covers(hold: LegalHold, ref: str, about: list[tuple[str, Line]]) -> bool:
    """Whether a hold on days, or on a space, covers something that a person has told."""
    if hold.person:
        return False
    if hold.space:
        return True  # who has said something there, only every log could tell: nobody is erased
    return any(hold.covers(people={ref}, places=set(), told=at) for at, _ in about)


def _newest(moments: list[str]) -> str:
    """The last moment anything was kept; unknown as soon as one of them is."""
    return max(moments) if moments and all(moments) else ""


def _parts(line: Line, ref: str) -> int:
    """How many parts of an entry are sealed under a subject's key, emptied or not."""
    return sum(part.subject == ref for part in line.header.parts)
