"""Entity view: people, places and organisations of one session, folded on request.

There is no second store. The rules read each text once; what an entry no longer says, because it
was forgotten, corrected or erased, is left out when the graph is made. What people merge or split
by hand is a memo like any other, with versions and an undo.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypedDict

import msgspec

from muniment.engine.decide.memos.extraction import is_extracted
from muniment.engine.learning.text_validity import until
from muniment.engine.projections.told_relations import TextEndings, TextRelations
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.argument_checks import check_day, checks_arguments
from muniment.layers.shelves import Shelves
from muniment.model import ids
from muniment.model.commands.memos import ForgetMemos, Memorize
from muniment.model.errors import InputError, NotFoundError
from muniment.model.kinds.episode import Origin
from muniment.model.kinds.memo import Memo, MemoPlace, MemoSource, MemoType
from muniment.model.kinds.origin_tables import OF_MACHINES
from muniment.model.text import grounding
from muniment.retrieval.dates import validity
from muniment.retrieval.entities import relation_rules, relation_spans, relation_walk
from muniment.retrieval.entities.entity_graph import EntityGraph, NamedEntity
from muniment.retrieval.entities.entity_names import Joins
from muniment.retrieval.entities.entity_relation import EntityRelation, ToldRelation
from muniment.retrieval.index.index_feed import Offered
from muniment.rules import extraction

KEY: Final = "entity:"  # the key of a memo that joins a name to another, or keeps it apart
SAME_AS, APART = "same_as", "apart"


class Leads(TypedDict, total=False):
    """Where the relations of a question lead, by the fields of what is asked with them."""

    bridges: tuple[tuple[str, str], ...]
    ended: tuple[tuple[str, str], ...]


@checks_arguments
class EntityView:
    """The entities that one session may see."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session

    # ── Reads ───────────────────────────────────────────────────────────────────────────────────

    def entities(
        self, *, kind: str = "", at: int | None = None, valid_at: str = ""
    ) -> list[NamedEntity]:
        """People, places and organisations, those with most relations first.

        `kind` is `person`, `place`, `organisation` or `animal`.
        """
        return self.graph(at, valid_at).entities(kind)

    def about(self, name: str, *, at: int | None = None, valid_at: str = "") -> NamedEntity:
        """One entity by any of its names: its relations, each with the sentence behind it."""
        found = self.graph(at, valid_at).about(name)
        if found is None:
            raise NotFoundError
        return found

    def path_between(
        self, start: str, end: str, *, at: int | None = None, valid_at: str = ""
    ) -> list[EntityRelation]:
        """How two entities are connected, step by step; nothing where they are not.

        `user` is whoever this memory is of.
        """
        return self.graph(at, valid_at).path(start, end)

    def leads(self, question: str, at: int | None, valid_at: str = "") -> Leads:
        """Whom kin in a question is, where "my wife's employer" leads, and what of it is over."""
        graph = self.graph(at, valid_at)
        return Leads(
            bridges=relation_walk.led(question, graph), ended=relation_walk.ended(question, graph)
        )

    def graph(self, at: int | None = None, valid_at: str = "") -> EntityGraph:
        """All of it as of now, of an earlier entry, or of a day."""
        day, mine, shelves = check_day(valid_at), self._session, self._session.shelves(at)
        untrusted = tuple(mine.policy.trust.quarantined)
        now = day or self._now(shelves, at)
        read = mine.writer.stream.ref, mine.subject, shelves.at, day, now[:10]
        basis = (*read, self._generation, untrusted)
        return mine.hub.relations.graph(basis, lambda: self._graph(shelves, day, now, untrusted))

    def _now(self, shelves: Shelves, at: int | None) -> str:
        """The moment of now, or of an earlier entry."""
        if at is None:
            return self._session.hub.parts.clock.now()
        line = shelves.line(shelves.at)
        return validity.moment(shelves, line) if line else ""

    def _graph(
        self, shelves: Shelves, day: str, now: str, untrusted: Sequence[Origin]
    ) -> EntityGraph:
        """What is told by then: of a day, nothing of what was so only later."""

        def may_tell(text: Offered) -> bool:
            is_known = text.seq <= shelves.at and text.origin not in untrusted
            return is_known and not (day and text.days[0] > ids.day_number(day))

        told = [
            msgspec.structs.replace(relation, over=over if not day or over <= day else "")
            for each in self._told()
            if may_tell(each.text) and (over := until(shelves, each.text)) is not None
            for relation in each.relations
        ]
        moments = {each.said.evidence: each.moment for each in told}
        memos = validity.known_memos(shelves, self._session.subject, day)
        told += [each for memo in reversed(memos) for each in _extracted(memo, moments)]
        endings = [
            ending
            for each in self._ended(told)
            if may_tell(each.text) and until(shelves, each.text) is not None
            for ending in each.endings
        ]
        # What a clock that stepped back has told is so by now, too.
        last = day or max([now, *(each.moment for each in told)])
        return EntityGraph(
            told, _joins(memos), endings=endings, day=ids.day_number(last) if last else None
        )

    @property
    def _generation(self) -> bytes:
        return self._session.hub.parts.world.keyring.generation()

    def _told(self) -> tuple[TextRelations, ...]:
        mine, now = self._session, self._session.shelves(None)
        return mine.hub.relations.read(mine.index(), now, mine.subject, self._generation)

    def _ended(self, told: Sequence[ToldRelation]) -> list[TextEndings]:
        """The texts that may end one of these."""
        stems = {stem for each in told for stem in relation_spans.ending_stems(each.said)}
        mine, now = self._session, self._session.shelves(None)
        return mine.hub.relations.endings(mine.index(), now, mine.subject, self._generation, stems)

    # ── By hand ─────────────────────────────────────────────────────────────────────────────────

    def merge_entities(self, name: str, into: str) -> int:
        """Say that two names are one entity; returns the seq."""
        if name.strip() == into.strip():
            raise InputError("expected two different names")
        graph = self.graph()
        kept = [graph.about(each) for each in (name, into)]
        if None in kept:
            raise NotFoundError
        return self._keep(name, f"{name} is {into}", {SAME_AS: into})

    def split_entity(self, name: str) -> int:
        """Say that a name is an entity of its own, whatever longer name begins with it."""
        return self._keep(name, f"{name} is an entity of its own", {APART: True})

    def restore_entity(self, name: str) -> int:
        """Take back what was merged or split by hand; returns the seq."""
        command = ForgetMemos(
            place=MemoPlace.SM, phrase=f"key:{KEY}{name}", subject=self._session.subject
        )
        return self._session.append_or_raise(command).seq

    def _keep(self, name: str, text: str, told: dict[str, object]) -> int:
        command = Memorize(
            kind=MemoType.FACT,
            text=text,
            source=MemoSource.USER if self._session.user else MemoSource.MODEL,
            store=MemoPlace.SM,
            importance_ppm=700_000,
            metadata={"entity": {"name": name, **told}},
            key=f"{KEY}{name}",
            subject=self._session.subject,
        )
        return self._session.append_or_raise(command, as_user=bool(self._session.user)).seq


def _extracted(memo: Memo, moments: Mapping[str, str]) -> Iterator[ToldRelation]:
    """The triple of a fact that a model extracted, where it names two; told when its source was."""
    if not is_extracted(memo) or not isinstance(memo.metadata, dict):
        return
    told = memo.metadata["extracted"]
    subject, relation, name = (
        str(told.get(each, "")) for each in ("subject", "relation", "object")
    )
    if relation and name and not name[0].islower():
        source = str(told.get("source", memo.id))
        since = memo.validity.since or memo.timestamp
        origin = str(told.get("origin", ""))
        said = EntityRelation(
            subject=relation_rules.USER if grounding.is_user(subject) else subject,
            relation=extraction.slug(relation),
            object=name,
            evidence=source,
            sentence=str(told.get("quote", memo.text)),
            since=since,
            began_by=source,
            kind=relation_rules.KIND_OF.get(extraction.slug(relation), relation_rules.PERSON),
            origin=origin,
        )
        yield ToldRelation(
            said=said,
            moment=moments.get(source) or since,
            over=memo.validity.until,
            by_machine=origin in OF_MACHINES,
        )


def _joins(memos: list[Memo]) -> Joins:
    merged: dict[str, str] = {}
    apart: set[str] = set()
    for memo in memos:
        match memo.metadata:
            case {"entity": {"name": str(name), "same_as": str(other)}} if memo.key.startswith(KEY):
                merged[name] = other
            case {"entity": {"name": str(name), "apart": True}} if memo.key.startswith(KEY):
                apart.add(name)
            case _:
                pass
    return Joins(merged=merged, apart=frozenset(apart))
