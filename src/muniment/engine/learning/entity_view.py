"""Entity view: people, places and organisations of one session, folded from its log when asked.

There is no second store. The rules read each text once; what an entry no longer says, because it
was forgotten, corrected or erased, is left out when the graph is made. What people merge or split
by hand is a memo like any other, with versions and an undo.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from muniment.engine.decide.memos.extraction import is_extracted
from muniment.engine.learning.text_validity import holds
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.argument_checks import check_day, checks_arguments
from muniment.log.entry import Line
from muniment.model.commands.memos import ForgetMemos, Memorize
from muniment.model.errors import InputError, NotFoundError
from muniment.model.events import Received
from muniment.model.kinds.memo import Memo, MemoPlace, MemoSource, MemoType
from muniment.model.text import grounding
from muniment.retrieval.dates import validity
from muniment.retrieval.entities import question_hops, relation_rules
from muniment.retrieval.entities.entity_graph import EntityGraph, EntityRelation, Joins, NamedEntity
from muniment.retrieval.index import index_feed
from muniment.retrieval.index.index_feed import Offered
from muniment.rules import extraction

KEY: Final = "entity:"  # the key of a memo that joins a name to another, or keeps it apart
SAME_AS, APART = "same_as", "apart"


class _Told(msgspec.Struct, frozen=True):
    """A text that relates somebody, and what it says."""

    text: Offered
    relations: tuple[EntityRelation, ...]


@checks_arguments
class EntityView:
    """The entities that one session may see."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session
        self._told: list[_Told] = []
        self._upto = 0
        self._generation = b""

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

    def led(self, question: str, at: int | None, valid_at: str = "") -> tuple[tuple[str, str], ...]:
        """What a chain of relations in a question ("my wife's employer") leads to, and how."""
        if not question_hops.is_chained(question):
            return ()  # nearly always: nothing is read
        return question_hops.bridges(question, self.graph(at, valid_at))

    def graph(self, at: int | None = None, valid_at: str = "") -> EntityGraph:
        """All of it as of now, of an earlier entry, or of a day."""
        day = check_day(valid_at)
        self._read_on()
        shelves = self._session.shelves(at)
        told = [
            relation
            for each in self._told
            if each.text.seq <= shelves.at and holds(shelves, each.text, day)
            for relation in each.relations
        ]
        memos = validity.known_memos(shelves, self._session.subject, day)
        told += [each for memo in reversed(memos) for each in _extracted(memo)]
        return EntityGraph(told, _joins(memos))

    # ── By hand ─────────────────────────────────────────────────────────────────────────────────

    def merge_entities(self, name: str, into: str) -> int:
        """Say that two names are one entity; returns the seq."""
        if name.strip() == into.strip():
            raise InputError("two different names are wanted")
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

    # ── What texts say ──────────────────────────────────────────────────────────────────────────

    def _read_on(self) -> None:
        """Read the entries since the last time; after an erasure, all of them again.

        What is about somebody else is not opened: an agent may speak for a thousand people.
        """
        generation = self._session.hub.parts.world.keyring.generation()
        if generation != self._generation:
            self._told, self._upto, self._generation = [], 0, generation
        shelves, observed = self._session.shelves(None), ""
        mine, trust = self._session.writer.stream, self._session.policy.trust
        after, self._upto = self._upto, shelves.at
        told = self._session.writer.lines_about(self._session.subject, after=after, upto=shelves.at)
        for line in told:
            if isinstance(line.event, Received):
                observed = line.event.at
            elif self._is_for_us(line) and shelves.is_ours(p.subject for p in line.header.parts):
                for change in index_feed.changes_of(mine, line, observed):
                    if isinstance(change, Offered) and change.origin not in trust.quarantined:
                        self._note(change)

    def _is_for_us(self, line: Line) -> bool:
        """Whoever speaks for nobody sees what is about nobody."""
        if self._session.subject:
            return True
        ours = self._session.writer.stream.ref
        return all(part.subject == ours for part in line.header.parts)

    def _note(self, text: Offered) -> None:
        found = tuple(
            EntityRelation.told(each, evidence=text.id, since=text.ts, origin=text.origin)
            for each in relation_rules.relations(text.text, text.speaker)
        )
        if found:
            self._told.append(_Told(text, found))


def _extracted(memo: Memo) -> Iterator[EntityRelation]:
    """The triple of a fact that a model extracted, where it names two."""
    if not is_extracted(memo) or not isinstance(memo.metadata, dict):
        return
    told = memo.metadata["extracted"]
    subject, relation, name = (
        str(told.get(each, "")) for each in ("subject", "relation", "object")
    )
    if relation and name and not name[0].islower():
        yield EntityRelation(
            subject=relation_rules.USER if grounding.is_user(subject) else subject,
            relation=extraction.slug(relation),
            object=name,
            evidence=str(told.get("source", memo.id)),
            sentence=str(told.get("quote", memo.text)),
            since=memo.validity.since or memo.timestamp,
            kind=relation_rules.KIND_OF.get(extraction.slug(relation), relation_rules.PERSON),
            origin=str(told.get("origin", "")),
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
