"""Access control of governed facts: the only place where the engine reads them."""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Final

import msgspec

from muniment.engine.streams.stream_writer import Writer
from muniment.layers.governance import governed_facts
from muniment.model import canonical_json, fact_keys
from muniment.model.commands import AnyCommand, spoken
from muniment.model.kinds.episode import Fact
from muniment.model.lru_cache import LruCache
from muniment.model.policy import Policy
from muniment.model.policy.fact_readers import FactReader, Readers
from muniment.model.scope import StreamId
from muniment.model.text.tokens import tokens
from muniment.retrieval.dates import validity
from muniment.retrieval.ranking import current_answer
from muniment.rules.conversation import classify

VIEWS_KEPT: Final = 512  # of readers who ask between two changes of the facts


class FactsSnapshot(msgspec.Struct, frozen=True):
    """The governed facts of one moment as somebody may know them: by key, and their hash."""

    facts: list[Fact]
    stamp: str


NOTHING_SETTLED: Final = FactsSnapshot([], governed_facts.snapshot_hash([]))


class FactAccess:
    """Every read of governed facts names its reader; who audits reads all of them.

    What a reader is given is made of nothing but what it may read: its hash is over that, and the
    place of a fact counts only the others it may know of.
    """

    def __init__(
        self, writer_of: Callable[[StreamId], Writer | None], generation: Callable[[], bytes]
    ) -> None:
        self._writer_of = writer_of  # nothing of a council that has no log yet
        self._generation = generation  # moves with every erasure
        self._kept: dict[str, tuple[tuple[int, bytes], dict[str, list[Fact]]]] = {}
        self._views: LruCache[tuple[object, ...], FactsSnapshot] = LruCache(VIEWS_KEPT)

    def clear(self) -> None:
        self._kept = {}
        self._views.clear()

    def seen_by(self, reader: FactReader, council: StreamId, at: int) -> FactsSnapshot:
        """The facts alive at a seq of a council's log that one reader may know of."""
        writer = self._writer_of(council) if at else None
        if writer is None:
            return NOTHING_SETTLED
        readers = writer.desk.policy.sem.readers
        known = (reader, council.text, at, self._generation(), writer.desk.policy_digest)
        found = self._views.get(known)
        if found is None:
            facts = _told_to(reader, readers, self._by_owner(writer, at))
            found = FactsSnapshot(facts, governed_facts.snapshot_hash(facts))
            self._views.put(known, found)
        return found

    def seen_on(self, reader: FactReader, council: StreamId, at: int, day: int) -> list[Fact]:
        """The same of a day, as far as was known at a seq."""
        writer = self._writer_of(council) if at else None
        if writer is None:
            return []
        found = _by_owner(validity.facts(writer.shelves(at), day))
        return _told_to(reader, writer.desk.policy.sem.readers, found)

    def audited(self, council: StreamId, at: int, day: int | None = None) -> list[Fact]:
        """Every fact alive at a seq or on a day: for roles that audit, and for nobody else."""
        writer = self._writer_of(council) if at else None
        if writer is None:
            return []
        if day is not None:
            return validity.facts(writer.shelves(at), day)
        return _sorted(fact for each in self._by_owner(writer, at).values() for fact in each)

    def _by_owner(self, writer: Writer, at: int) -> dict[str, list[Fact]]:
        """All of a moment by whom they are about; kept until the council or an erasure moves."""
        known = (at, self._generation())
        kept = self._kept.get(writer.stream.ref)
        if kept is None or kept[0] != known:
            lines = list(writer.shelves(at).newest(governed_facts.SHELF))
            kept = self._kept[writer.stream.ref] = (known, _by_owner(governed_facts.facts(lines)))
        return kept[1]


def contradicted(
    command: AnyCommand, facts: Callable[[], Sequence[Fact]], policy: Callable[[], Policy]
) -> tuple[str, ...]:
    """Keys of a person's governed facts that their own words say otherwise of."""
    stated = [each for text in spoken.by_user(command) for each in classify.stated(text)]
    if not stated:
        return ()  # nearly always
    aliases = policy().sem.aliases
    told = {current_answer.attribute(e.attribute, aliases): e.value for e in stated}
    found = []
    for fact in facts():
        said = told.get(fact.key.rpartition("/")[2])
        value = canonical_json.text_of(fact.value)
        if said is not None and tokens(said) != tokens(value):
            found.append(fact.key)
    return tuple(found)


def with_granted(facts: list[Fact], granted: list[Fact]) -> list[Fact]:
    """The council's facts, and what it granted to one persona alone, by key."""
    known = {fact.key for fact in facts} if granted else set()
    more = [fact for fact in granted if fact.key not in known]
    return _sorted([*facts, *more]) if more else facts


def _by_owner(facts: Iterable[Fact]) -> dict[str, list[Fact]]:
    found: dict[str, list[Fact]] = {}
    for fact in facts:
        found.setdefault(fact_keys.owner(fact.key), []).append(fact)
    return found


def _told_to(reader: FactReader, readers: Readers, facts: dict[str, list[Fact]]) -> list[Fact]:
    # Without a row of the policy nobody looks through the facts of other people.
    owners: Iterable[str] = facts if readers else {"", reader.subject}
    told = [
        fact
        for each in owners
        for fact in facts.get(each, ())
        if reader.may_read(fact.key, readers)
    ]
    return _sorted(_placed(told))


def _placed(facts: Sequence[Fact]) -> list[Fact]:
    """Facts with their places among themselves: the council's own would count other people's."""
    by_place = sorted(facts, key=attrgetter("seq"))
    return [msgspec.structs.replace(fact, seq=n) for n, fact in enumerate(by_place, start=1)]


def _sorted(facts: Iterable[Fact]) -> list[Fact]:
    return sorted(facts, key=attrgetter("key"))
