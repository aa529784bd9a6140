"""The auditor: eyes on every log of a tenant, and no hands."""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from muniment.engine import survey, trail
from muniment.engine.survey import Survey, Touched
from muniment.engine.trail import Trail
from muniment.engine.view import View
from muniment.engine.writer import Writer
from muniment.layers.consents import Consent
from muniment.log.entry import Line
from muniment.model import keys
from muniment.model.errors import InputError, NotFoundError
from muniment.model.events import PiiRedacted
from muniment.model.item import Fact
from muniment.model.operation_events import AccessRecorded
from muniment.model.scope import StreamId, name

PAGE_MAX: Final = 200
BLOCK: Final = 256  # entries read at once on the way back
LOOKED_MAX: Final = 5_000  # entries one page may look at before it says where to go on
ALL_FACTS: Final = "facts"  # what an administrator's look at every fact is called
SURVEY_STEP: Final = 2_000  # entries between two signs of progress


class Sought(msgspec.Struct, frozen=True, kw_only=True):
    """Which entries are wanted; everything that is set must hold."""

    types: tuple[str, ...] = ()
    job: int = 0
    item: str = ""
    text: str = ""

    def holds(self, line: Line) -> bool:
        if self.types and line.header.type not in self.types:
            return False
        if self.job and line.header.job != self.job:
            return False
        if not (self.item or self.text):
            return True
        words = list(trail.mentions(line.event))
        made = trail.made(line) if self.item else []
        wanted = self.text.casefold()
        return (not self.item or self.item in words or self.item in made) and (
            not wanted or any(wanted in each.casefold() for each in words)
        )


class Page(msgspec.Struct, frozen=True, kw_only=True):
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
    consents: tuple[Consent, ...]
    redactions: dict[str, int]  # by kind
    accesses: tuple[AccessRecorded, ...]  # of what is theirs: before each look, and after it


class Auditor(View):
    """Reads whatever the tenant's logs say; raw private data stays with administrators."""

    def streams(self) -> list[StreamId]:
        known = self._house.known_streams()
        return [each for each in known if each.tenant == self._principal.tenant]

    def named(self, ref: str) -> str:
        """Whom a reference in the tenant's logs stands for; empty where nobody can say any more."""
        return self._named(ref)

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
        sought: Sought | None = None,
        at: int | None = None,
    ) -> Page:
        """The newest entries that are wanted, at most so many, looking back from `before`."""
        if not 1 <= limit <= PAGE_MAX:
            raise InputError(f"a page holds from 1 to {PAGE_MAX} entries")
        writer = self._known(stream)
        head = writer.place(at)
        place = min(before - 1, head) if before else head
        found: list[Line] = []
        looked = 0
        for line in self._backwards(stream, place):
            looked += 1
            place = line.seq
            if sought is None or sought.holds(line):
                found.append(line)
            if len(found) == limit or looked == LOOKED_MAX:
                break
        more = place if place > 1 and looked else 0
        return Page(lines=tuple(found), before=more, head=head, looked_at=looked)

    def survey(
        self,
        stream: StreamId,
        known: Survey | None = None,
        *,
        progress: Callable[[int, int], None] = lambda _done, _of: None,
    ) -> Survey:
        """Counts of a whole log; given an earlier survey, only what came since is read."""
        writer = self._known(stream)
        told, head = known or Survey(), writer.head.seq
        while told.upto < head:
            upto = min(told.upto + SURVEY_STEP, head)
            told.follow(writer.lines(after=told.upto, upto=upto))
            progress(told.upto, head)
        return told

    def trail(self, stream: StreamId, item_id: str, *, after: int = 0) -> Trail:
        """What led to an item and what it led to."""
        self._known(stream)
        return trail.trail(self._house, stream, item_id, after=after)

    def diff(self, stream: StreamId, start: int, end: int | None = None) -> list[Touched]:
        """What was added, changed, retired, forgotten and refused after `start`, up to `end`."""
        writer = self._known(stream)
        first, last = writer.place(start), writer.place(end)
        if first > last:
            raise InputError("a difference goes from an earlier entry to a later one")
        return survey.changes(writer.lines(after=first, upto=last))

    def living(self, stream: StreamId, *, at: int | None = None) -> list[Touched]:
        """Everything that could be read in a log at an entry, oldest first."""
        writer = self._known(stream)
        return list(survey.living(writer.lines(upto=writer.place(at))).values())

    def about(self, user: str) -> About:
        """Everything the tenant's logs hold about one person; absent and erased answer alike."""
        who, ref = self._person(user)
        entries: dict[str, int] = {}
        redactions: dict[str, int] = {}
        counted = Survey()
        ids: set[str] = set()
        for stream in self.streams():
            own = [line for line in self._house.writer(stream).lines() if _is_about(line, ref)]
            if own:
                entries[stream.text] = len(own)
            counted.follow(own)
            ids.update(each for line in own for each in trail.made(line))
            for kind in _redacted(own):
                redactions[kind] = redactions.get(kind, 0) + 1
        facts = tuple(self._facts_of(who))
        return About(
            user=user,
            entries=entries,
            layers={layer.name: layer.count for layer in counted.layers},
            facts=facts,
            consents=tuple(self._consents_of(who)),
            redactions=dict(sorted(redactions.items())),
            accesses=tuple(
                each
                for each in self.accesses()
                if ids.intersection(each.what.split()) or (facts and each.what == ALL_FACTS)
            ),
        )

    def entries_about(self, user: str) -> Iterator[tuple[StreamId, Line]]:
        """Each entry that is sealed for a person: what they may see, and what an erasure takes."""
        _, ref = self._person(user)
        for stream in self.streams():
            for line in self._house.writer(stream).lines():
                if _is_about(line, ref):
                    yield stream, line

    def _person(self, user: str) -> tuple[str, str]:
        """A person as keys spell them, and their reference; absent and erased answer alike."""
        who = keys.user_entity(name(user, "user"))
        ref = self._house.parts.world.keyring.find("subject", f"{self._principal.tenant}/{who}")
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
        return [fact for fact in self.facts() if keys.owner(fact.key) == who]

    def _consents_of(self, who: str) -> Iterator[Consent]:
        for stream in self.streams():
            given = self._house.writer(stream).desk.consents.given
            yield from (each for each in given.values() if each.subject == who)

    def _known(self, stream: StreamId) -> Writer:
        """A stream of this tenant that holds something; absent and foreign answer alike."""
        if stream.tenant != self._principal.tenant or not self._house.exists(stream):
            raise NotFoundError
        return self._house.writer(stream)

    def _backwards(self, stream: StreamId, place: int) -> Iterator[Line]:
        writer = self._known(stream)
        while place > 0:
            after = max(place - BLOCK, 0)
            yield from reversed(list(writer.lines(after=after, upto=place)))
            place = after


def _is_about(line: Line, ref: str) -> bool:
    return any(part.subject == ref for part in line.header.parts)


def _redacted(lines: list[Line]) -> Iterator[str]:
    for line in lines:
        if isinstance(line.event, PiiRedacted):
            yield from (each.kind for each in line.event.redactions)
