"""Auditor: read-only access to every log of a tenant."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final

import msgspec

from muniment.engine.audit import log_statistics, provenance
from muniment.engine.audit.log_statistics import Survey, Touched
from muniment.engine.audit.person_report import Dossier, is_about
from muniment.engine.audit.provenance import Trail
from muniment.engine.audit.user_view import UserView
from muniment.engine.session.role_session import RoleSession
from muniment.engine.streams.stream_writer import Writer
from muniment.layers.governance.consents import GivenConsent
from muniment.log.entry import Header, Line
from muniment.model import canonical_json, fact_keys
from muniment.model.errors import InputError, NotFoundError
from muniment.model.events.operations import AccessRecorded
from muniment.model.kinds.episode import Fact
from muniment.model.scope import StreamId, name

PAGE_MAX: Final = 200
BLOCK: Final = 256  # entries read at once on the way back
LOOKED_MAX: Final = 5_000  # entries one page may look at before it says where to go on
ALL_FACTS: Final = "facts"  # what an administrator's look at every fact is called
SURVEY_STEP: Final = 2_000  # entries between two signs of progress


class EntryFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which entries are wanted; everything that is set must hold."""

    types: tuple[str, ...] = ()
    job: int = 0
    item: str = ""
    text: str = ""
    about: str = ""  # the reference of a person that an entry is sealed for

    def may_hold(self, header: Header) -> bool:
        """What the header of an entry says already; only the rest needs its words."""
        if self.types and header.type not in self.types:
            return False
        if self.about and not is_about(header, self.about):
            return False
        return not self.job or header.job == self.job

    def holds(self, line: Line) -> bool:
        if not self.may_hold(line.header):
            return False
        if not (self.item or self.text):
            return True
        words = list(provenance.mentions(line.event))
        made = provenance.made(line) if self.item else []
        wanted = self.text.casefold()
        return (not self.item or self.item in words or self.item in made) and (
            not wanted or any(wanted in each.casefold() for each in words)
        )


class EntryPage(msgspec.Struct, frozen=True, kw_only=True):
    """Entries, newest first; `before` is where the next page begins, 0 when there is none."""

    lines: tuple[Line, ...]
    before: int
    head: int
    looked_at: int


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about a person, and who has looked."""

    user: str
    entries: dict[str, int]  # by stream
    layers: dict[str, int]
    facts: tuple[Fact, ...]
    consents: tuple[GivenConsent, ...]
    redactions: dict[str, int]  # by kind
    accesses: tuple[AccessRecorded, ...]  # of what is theirs: before each look, and after it


class Auditor(RoleSession):
    """Reads whatever the tenant's logs say; raw private data stays with administrators."""

    def streams(self) -> list[StreamId]:
        known = self._hub.known_streams()
        return [each for each in known if each.tenant == self._principal.tenant]

    def named(self, ref: str) -> str:
        """Whom a reference in the tenant's logs stands for; empty where nobody can say any more."""
        return self._named(ref)

    @property
    def erasures(self) -> bytes:
        """How far erasures have come: what was read before another one is worth nothing."""
        return self._hub.parts.world.keyring.generation()

    def head(self, stream: StreamId) -> int:
        return self._known(stream).head.seq

    def entry(self, stream: StreamId, seq: int) -> Line:
        writer = self._known(stream)
        if not 1 <= seq <= writer.head.seq:
            raise NotFoundError
        return next(iter(writer.lines(after=seq - 1, upto=seq)))

    def batch(self, stream: StreamId, seq: int) -> list[Line]:
        """Everything that was decided together with an entry."""
        return self._known(stream).batch(self.entry(stream, seq).header.cause)

    def page(
        self,
        stream: StreamId,
        *,
        before: int = 0,
        limit: int = 50,
        sought: EntryFilter | None = None,
        at: int | None = None,
    ) -> EntryPage:
        """The newest entries that are wanted, at most so many, looking back from `before`."""
        if not 1 <= limit <= PAGE_MAX:
            raise InputError(f"a page holds from 1 to {PAGE_MAX} entries")
        writer = self._known(stream)
        head = writer.place(at)
        place = min(before - 1, head) if before else head
        floor, wanted = max(place - LOOKED_MAX, 0), sought or EntryFilter()
        looking = self._backwards(writer, place, floor, wanted)
        found = tuple(islice(filter(wanted.holds, looking), limit))
        reached = found[-1].seq if len(found) == limit else floor + 1
        looked = max(place - reached + 1, 0)
        more = reached if reached > 1 and looked else 0
        return EntryPage(lines=found, before=more, head=head, looked_at=looked)

    def survey(
        self,
        stream: StreamId,
        known: Survey | None = None,
        *,
        most: int | None = None,
        progress: Callable[[int, int], None] = lambda _done, _of: None,
    ) -> Survey:
        """Counts of a whole log; given an earlier survey, only what came since is read.

        `most` is how many entries are read at most; the next survey goes on from there. After an
        erasure, and under another policy of trust, an earlier one is worth nothing.
        """
        writer = self._known(stream)
        erasures = self.erasures
        outside, head = writer.desk.policy.trust.quarantined, writer.head.seq
        if known is None or not known.began(outside, erasures):
            known = Survey(outside, erasures)
        last = head if most is None else min(known.upto + most, head)
        told = known.copied() if known.upto < last else known
        while told.upto < last:
            upto = min(told.upto + SURVEY_STEP, last)
            told.follow(writer.lines(after=told.upto, upto=upto))
            progress(told.upto, head)
        return told

    def home(self, near: StreamId, item_id: str) -> StreamId:
        """The log that an id was born in: the one it was met in, or another of the tenant."""
        self._known(near)
        return provenance.home(self._hub, near, canonical_json.admit_text(item_id))

    def trail(self, stream: StreamId, item_id: str, *, after: int = 0, user: str = "") -> Trail:
        """What led to an item and what it led to; of a `user`, as far as they may see it."""
        self._known(stream)
        if not user:
            return provenance.trail(self._hub, stream, item_id, after=after)
        sees = self._view(user).sees
        return provenance.trail(self._hub, stream, item_id, after=after, sees=sees)

    def seen(self, user: str, stream: StreamId, lines: Iterable[Line]) -> Iterator[Line]:
        """What of these entries of a log a user may see."""
        return self._view(user).lines(stream, lines)

    def diff(
        self,
        stream: StreamId,
        start: int,
        end: int | None = None,
        *,
        most: int | None = None,
        user: str = "",
    ) -> list[Touched]:
        """What was added, changed, retired, forgotten and refused after `start`, up to `end`.

        `most` is how many of the entries between them are looked at; of a `user`, those they see.
        """
        writer = self._known(stream)
        first, last = writer.place(start), writer.place(end)
        if first > last:
            raise InputError("a difference goes from an earlier entry to a later one")
        upto = last if most is None else min(first + most, last)
        before = writer.shelves(first)

        def was_there(each: Touched) -> bool:
            """Facts, documents and skills are written again; whatever else is new has a new id."""
            shelf = log_statistics.WRITTEN_AGAIN.get(each.layer, "")
            return bool(shelf) and before.get(shelf, each.item_id) is not None

        between = writer.lines(after=first, upto=upto, wanted=log_statistics.may_touch)
        lines = self.seen(user, stream, between) if user else between
        told = log_statistics.changes(lines, was_there)
        said = {each.item_id: each for each in told if each.text}
        # A refusal may name no item, and has no other's words.
        return [
            each if each.text or not each.item_id else self._worded(stream, each, said)
            for each in told
        ]

    def _view(self, user: str) -> UserView:
        return UserView(self._hub, self._principal.tenant, user)

    def _worded(self, stream: StreamId, each: Touched, said: Mapping[str, Touched]) -> Touched:
        """What has left, in the words it had: its end names only its id."""
        if each.item_id not in said:
            line = provenance.birth(self._hub, stream, each.item_id)
            born = log_statistics.touched(line) if line else ()
            said = {it.item_id: it for it in born}
        known = said.get(each.item_id)
        if known is None:
            return each
        return msgspec.structs.replace(each, text=known.text, layer=known.layer)

    def living(self, stream: StreamId, *, at: int | None = None) -> list[Touched]:
        """Everything that could be read in a log at an entry, oldest first."""
        writer = self._known(stream)
        lines = writer.lines(upto=writer.place(at), wanted=log_statistics.may_touch)
        return list(log_statistics.living(lines).values())

    def about(self, user: str) -> About:
        """Everything the tenant's logs hold about one person; absent and erased answer alike."""
        return self.told(self.dossier(user))

    def dossier(
        self,
        user: str,
        known: Dossier | None = None,
        *,
        most: int | None = None,
        logs_most: int | None = None,
    ) -> Dossier:
        """What `about` counts; one that was begun is gone on with.

        By so many entries at most, of so many logs: each of them has to be opened.
        """
        erasures = self._hub.parts.world.keyring.generation()
        _, ref = self._person(user)
        if known is None or (known.ref, known.erasures) != (ref, erasures):
            known = Dossier(user, ref, erasures)
        if not known.unread:  # what is left of the last look is read before there is another
            known.lengths = self.lengths()
        left = sum(known.lengths.values()) if most is None else most
        for stream in known.unread[:logs_most]:
            after = known.reached(stream)
            upto = min(after + left, known.lengths[stream])
            if upto > after:
                lines = self._hub.writer(stream).lines
                own = lines(after=after, upto=upto, wanted=known.is_wanted)
                known.follow(stream, own, upto=upto)
                left -= upto - after
        return known

    def lengths(self) -> dict[StreamId, int]:
        """How many entries each log has, without opening any."""
        keyring, store = self._hub.parts.world.keyring, self._hub.parts.store
        heads = {each: store.head(keyring.ref("stream", each.text)) for each in self.streams()}
        return {each: head.seq for each, head in heads.items() if head}

    def told(self, dossier: Dossier) -> About:
        """What a dossier says as far as it has come, beside what is known without reading on."""
        who = fact_keys.user_entity(dossier.user)
        facts = tuple(self._facts_of(who))
        return About(
            user=dossier.user,
            entries=dict(dossier.entries),
            layers={layer.name: layer.count for layer in dossier.layers},
            facts=facts,
            consents=tuple(self._consents_of(who, dossier.entries)),
            redactions=dict(sorted(dossier.redactions.items())),
            accesses=tuple(
                each
                for each in self.accesses()
                if dossier.made.intersection(each.what.split())
                or (facts and each.what == ALL_FACTS)
            ),
        )

    def entries_about(self, user: str) -> Iterator[tuple[StreamId, Line]]:
        """Each entry that is sealed for a person: what they may see, and what an erasure takes."""
        _, ref = self._person(user)
        for stream in self.streams():
            lines = self._hub.writer(stream).lines(wanted=lambda header: is_about(header, ref))
            yield from ((stream, line) for line in lines)

    def ref(self, user: str) -> str:
        """The reference that stands for a person in headers; absent and erased answer alike."""
        return self._person(user)[1]

    def _person(self, user: str) -> tuple[str, str]:
        """A person as keys spell them, and their reference; absent and erased answer alike."""
        who = fact_keys.user_entity(name(user, "user"))
        ref = self._hub.parts.world.keyring.find("subject", f"{self._principal.tenant}/{who}")
        if ref is None:
            raise NotFoundError
        return who, ref

    def facts(self, prefix: str = "", *, at: int | None = None, valid_at: str = "") -> list[Fact]:
        """The governed facts of the tenant whose keys begin so; `at` is of the council's log."""
        return [fact for fact in self._facts(at, valid_at) if fact.key.startswith(prefix)]

    def accesses(self) -> list[AccessRecorded]:
        """Every privileged read of the tenant, oldest first."""
        return self._operations(AccessRecorded)

    def _facts_of(self, who: str) -> list[Fact]:
        return [fact for fact in self.facts() if fact_keys.owner(fact.key) == who]

    def _consents_of(self, who: str, logs: Container[str]) -> Iterator[GivenConsent]:
        """A consent is sealed for who gave it: where no entry is, none was given."""
        for stream in (each for each in self.streams() if each.text in logs):
            given = self._hub.writer(stream).desk.consents.given
            yield from (each for each in given.values() if each.subject == who)

    def _known(self, stream: StreamId) -> Writer:
        """A stream of this tenant that holds something; absent and foreign answer alike."""
        if stream.tenant != self._principal.tenant or not self._hub.exists(stream):
            raise NotFoundError
        return self._hub.writer(stream)

    def _backwards(
        self, writer: Writer, place: int, floor: int, sought: EntryFilter
    ) -> Iterator[Line]:
        while place > floor:
            after = max(place - BLOCK, floor)
            block = writer.lines(after=after, upto=place, wanted=sought.may_hold)
            yield from reversed(list(block))
            place = after
