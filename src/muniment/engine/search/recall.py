"""Recall: ranked answer by words and vectors, its receipt, and the same answer again."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Final

import msgspec

from muniment.engine import lazy_views as views
from muniment.engine.projections.index import Index
from muniment.engine.projections.index_view import IndexView
from muniment.engine.search import candidate_selection, current_answers, recall_results
from muniment.engine.search.candidate_selection import RankedCollection, Selection
from muniment.engine.search.diversification import Pick, RecallCandidate
from muniment.engine.search.held_records import HeldRecords
from muniment.engine.search.recall_filter import RecallFilter, findable
from muniment.engine.search.recall_results import Bundle, Hit, Receipt
from muniment.engine.search.visibility import VisibleItems
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.ports import is_repeatable
from muniment.engine.streams.read_snapshot import ReadSnapshot
from muniment.layers import document_rows
from muniment.layers.governance import governed_facts
from muniment.log.entry import Line
from muniment.model import canonical_json, ids
from muniment.model.errors import RefusedError
from muniment.model.events import EpisodeWritten
from muniment.model.kinds.episode import Fact
from muniment.model.kinds.handles import NONE
from muniment.model.kinds.receipts import Basis
from muniment.model.scope import Channel, StreamId
from muniment.retrieval.entities import question_hops
from muniment.retrieval.filters import record_filter
from muniment.retrieval.index import index_feed, segments
from muniment.retrieval.index.collection import Collection, Document
from muniment.retrieval.ranking import weights
from muniment.retrieval.ranking.current_answer import Standing
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.text import tokenizer

QUERY_CHARACTERS_MAX: Final = 4_096  # what comes after that is not looked for


class RankedQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """One question as it is ranked: where, narrowed how, and with which code."""

    text: str
    wanted: RecallFilter
    snapshot: ReadSnapshot
    as_of: str = ""
    whole: bool = True  # its words may be kept
    policy: str = ""  # the digest of what holds, where the past is read
    code: bytes | None = None  # of a question that was asked before
    embedder: str = ""  # and with which it was answered
    rewritten: str = ""  # these words, where they are not the caller's own
    bridges: tuple[tuple[str, str], ...] = ()  # names its relations led to, and what says so
    ended: tuple[tuple[str, str], ...] = ()  # what said a relation, and what said that it is over
    asked: Query | None = None  # as the reader's own index is asked, where somebody knows already


class RecallAnswer(msgspec.Struct, frozen=True):
    """A question with everything that was found out about it."""

    question: RankedQuestion
    asked: Query
    view: IndexView
    ranked: RankedCollection  # of the collection
    shared: tuple[RankedCollection, ...]  # of the spaces that this reader shares
    approved: RankedCollection | None  # of the governed facts, where there are any
    facts: tuple[Fact, ...]  # the same in their order
    found: Selection
    basis: Basis
    homes: Mapping[int, Index]  # by their ranking, of the collections that lie in an index
    standing: Standing = Standing()


class Recaller:
    """One session's recall; what it may see was fixed when the session was made."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session
        self._facts: tuple[str, Collection] | None = None  # as they were last asked

    def question(
        self, query: object, wanted: RecallFilter, snapshot: ReadSnapshot
    ) -> RankedQuestion:
        """A question that this session may ask, as of now or of then."""
        # The words that are looked for: as memory keeps them, and as the receipt tells them.
        admitted = canonical_json.admit_text(query)[:QUERY_CHARACTERS_MAX]
        text, whole = self._session.screened(admitted)
        self.check(wanted)
        now = "" if snapshot.at is not None else self._session.hub.parts.clock.now()
        # Nothing is loaded for a question that is not about kin, as nearly all are.
        entities = question_hops.is_related(text) and views.EntityView(self._session)
        return RankedQuestion(
            text=text,
            whole=whole,
            wanted=wanted,
            snapshot=snapshot,
            as_of=now,
            policy="" if snapshot.at is None else snapshot.desk.policy_digest,
            **(entities.leads(text, snapshot.at, wanted.valid_at) if entities else {}),
        )

    def spelled(self, where: object) -> str:
        """A filter as it is asked with and as its receipt keeps it: screened like what it finds."""
        text = record_filter.spelled(where)
        return record_filter.screened(text, self._session.screened) if text else ""

    def check(self, wanted: RecallFilter) -> None:
        """What waits for a yes is shown to people only."""
        person = self._session.user or self._session.channel is Channel.TERMINAL
        if wanted.quarantined and not person:
            raise RefusedError("needs_a_person", "quarantined items are shown to people only")

    def answer(self, question: RankedQuestion) -> RecallAnswer:
        """Rank, choose, and say what it stood on; nothing is noted."""
        wanted, snapshot = question.wanted, question.snapshot
        trust, facts = snapshot.desk.policy.trust, recall_results.let_in(snapshot.own, wanted.where)
        index = self._session.index(snapshot.desk.policy, question.embedder)
        view = index.view(snapshot.seq)
        wanted = msgspec.structs.replace(wanted, now=question.as_of or view.now)
        question = msgspec.structs.replace(question, wanted=wanted)
        asked = question.asked or as_asked(question, index, view)
        ranked = candidate_selection.search(view, asked, index.recipe, wanted, trust)
        approved = self._approved(facts, index, asked)
        homes = {id(ranked.ranking): index}
        spaces = snapshot.shared.items()
        shared = [self._space(space, seq, question, homes) for space, seq in spaces]
        shared += self._documents(question, homes)
        several = [*([approved] if approved else []), ranked, *shared]
        found = candidate_selection.choose(
            several, asked, wanted, trust, lambda some: self._texts(homes, some)
        )
        if asked.of_before:  # then what was replaced is the answer
            standing = Standing()
        else:
            found, standing = current_answers.settled(found, snapshot.desk.policy.sem.aliases)
        basis = Basis(
            index=segments.FORMAT,
            embedder=index.embedder.name,
            words=tokenizer.NAME,
            recipe=weights.NAME,
            code=asked.vector,
            as_of=question.as_of,
            considered=len(facts) + sum(each.considered for each in (ranked, *shared)),
            dropped=found.counts,
            policy=question.policy,
            bridges=question.bridges,
            ended=question.ended,
            rewritten=question.rewritten,
            **wanted.stated,
        )
        asked_of = (ranked, tuple(shared), approved, tuple(facts))
        return RecallAnswer(question, asked, view, *asked_of, found, basis, homes, standing)

    def _space(
        self, space: StreamId, seq: int, question: RankedQuestion, homes: dict[int, Index]
    ) -> RankedCollection:
        """What a shared space answers; its statistics are its own."""
        policy = question.snapshot.desk.policy
        named = question.embedder or policy.recall.embedder
        index = self._session.hub.index(space, self._session.subject, named)
        return self._among(index, seq, question, homes)

    def _among(
        self, index: Index, seq: int, question: RankedQuestion, homes: dict[int, Index]
    ) -> RankedCollection:
        view, trust = index.view(seq), question.snapshot.desk.policy.trust
        asked = as_asked(question, index, view)
        ranked = candidate_selection.search(view, asked, index.recipe, question.wanted, trust)
        homes[id(ranked.ranking)] = index
        return ranked

    def _documents(
        self, question: RankedQuestion, homes: dict[int, Index]
    ) -> list[RankedCollection]:
        """What documents answer that this reader may read; most readers have none."""
        snapshot = question.snapshot
        index = self.document_index(snapshot)
        return [self._among(index, snapshot.seq, question, homes)] if index else []

    def indexes(self, snapshot: ReadSnapshot) -> Iterator[tuple[Index, int]]:
        """The reader's own index and those of the spaces they share, each with its entry."""
        own = self._session.index(snapshot.desk.policy)
        yield own, snapshot.seq
        for space, seq in snapshot.shared.items():
            yield self._session.hub.index(space, self._session.subject, own.embedder.name), seq

    def document_index(self, snapshot: ReadSnapshot) -> Index | None:
        """The index of the documents that this reader may read, where there are any."""
        session = self._session
        if not session.shelves(snapshot.seq).any(document_rows.SHELF):
            return None
        return session.hub.documents(session.stream_id, session.subject, snapshot.desk.policy)

    def of_layer(self, layer: str, question: RankedQuestion) -> list[tuple[str, int, Line]]:
        """What one layer says to a question by its own words or likeness, best first: the id, the
        score, and the entry that offers it.
        """
        policy = question.snapshot.desk.policy
        index = self._session.index(policy)
        view = index.view(question.snapshot.seq)
        if not view.register.of_layer((layer,)).any():
            return []  # many readers keep no memos at all
        others = tuple(each for each in index_feed.LAYERS if each != layer)
        now = question.as_of or view.now
        wanted = msgspec.structs.replace(question.wanted, without=others, now=now)
        asked = question.asked or as_asked(question, index, view)
        ranked = candidate_selection.search(view, asked, index.recipe, wanted, policy.trust)
        order = ranked.ranking.by_itself(index.recipe.likeness_ppm)
        best = order.numbers[: wanted.results_max]
        seqs = view.register.column("seq")[best].tolist()
        lines, scores = index.lines(seqs), order.scores[: wanted.results_max].tolist()
        found = zip(view.collection.ids_of(best), scores, seqs, strict=True)
        return [(name, score_ppm, lines[seq]) for name, score_ppm, seq in found]

    def note(self, told: Bundle, query: str, *, job: int) -> None:
        """Keep the receipt of an answer to what was asked, word for word: what the log leaves out
        of that, it says.
        """
        receipt = told.receipt
        self._session.queue_recall_receipt(
            receipt.call,
            canonical_json.admit_text(query)[:QUERY_CHARACTERS_MAX],
            [hit.evidence for hit in told.hits],
            receipt.reads,
            receipt.scores_ppm,
            job=job,
            basis=receipt.basis,
            texts=[hit.text for hit in told.hits],
        )

    def told(self, answer: RecallAnswer, *, explain: bool = False) -> Bundle:
        """The answer with its receipt, which nothing keeps."""
        question, snapshot = answer.question, answer.question.snapshot
        held = HeldRecords(self._session)
        picks = answer.found.picks
        moments = current_answers.moments(answer.view, answer.ranked.ranking, picks)
        told = zip(picks, moments, strict=True)
        hits = tuple(_hit(answer, pick, when, held, explain=explain) for pick, when in told)
        receipt = Receipt(
            call="recall",
            query=question.text,
            ids=tuple(hit.id for hit in hits),
            scores_ppm=tuple(hit.score_ppm for hit in hits),
            reads=snapshot.reads,
            policy=snapshot.desk.policy_digest,
            basis=answer.basis,
        )
        return Bundle(hits=hits, receipt=receipt, considered=findable(answer.basis))

    def view(self, snapshot: ReadSnapshot) -> IndexView:
        """Everything that this session may recall from, and where it stands."""
        return self._session.index(snapshot.desk.policy).view(snapshot.seq)

    def shown(self, wanted: RecallFilter, snapshot: ReadSnapshot, as_of: str = "") -> VisibleItems:
        """Everything that nothing but its rank could keep out of an answer."""
        view = self.view(snapshot)
        timed = msgspec.structs.replace(wanted, now=as_of or view.now)
        return VisibleItems(view, timed, snapshot.desk.policy.trust)

    def episodes(
        self, wanted: RecallFilter, snapshot: ReadSnapshot, limit: int, *, as_of: str = ""
    ) -> Iterator[Line]:
        """The newest episodes that may be shown; the index is asked only where it could say no."""
        self.check(wanted)
        waiting = snapshot.desk.policy.trust.quarantined
        narrowed = bool(wanted.valid_at or wanted.purpose or wanted.where)
        shown = cache(lambda: self.shown(wanted, snapshot, as_of))

        def keep(told: EpisodeWritten) -> bool:
            if not recall_results.answers(told):
                return False
            asked = narrowed or told.origin in waiting or bool(told.handles.expires)
            return not asked or told.episodic_id in shown()

        shelves = self._session.shelves(snapshot.seq)
        return recall_results.episodes(shelves, limit, keep, valid_at=wanted.valid_at)

    def newest_episodes(
        self, wanted: RecallFilter, snapshot: ReadSnapshot, count: int, *, as_of: str = ""
    ) -> Iterator[Line]:
        """The last episodes that may be shown.

        The shelf holds those of everybody who speaks with an agent; a reader's index has their own.
        """
        is_indexed = snapshot.desk.policy.recall.profile != recall_results.STAGE1
        if not (is_indexed and self._session.user) or wanted.valid_at:
            return self.episodes(wanted, snapshot, count, as_of=as_of)
        self.check(wanted)
        shelves, shown = self._session.shelves(snapshot.seq), self.shown(wanted, snapshot, as_of)
        index = self._session.index(snapshot.desk.policy)
        return islice(shown.newest_episodes(shelves, index.lines, count), count)

    def _approved(
        self, facts: Sequence[Fact], index: Index, asked: Query
    ) -> RankedCollection | None:
        if not facts:
            return None
        return candidate_selection.of_facts(
            self._collected(facts, index), facts, asked, index.recipe
        )

    def _collected(self, facts: Sequence[Fact], index: Index) -> Collection:
        """Governed facts as a collection of their own; they rarely change."""
        known = f"{index.embedder.name}\x00{governed_facts.snapshot_hash(list(facts))}"
        if not self._facts or self._facts[0] != known:
            documents = [
                Document(
                    id=fact.key,
                    seq=fact.seq,
                    ts=fact.last_updated,
                    text=recall_results.fact_line(fact),
                    vectors=index.codes(recall_results.fact_line(fact)),
                )
                for fact in facts
            ]
            self._facts = (known, Collection.build(documents, index.embedder.dims))
        return self._facts[1]

    def _texts(
        self, homes: Mapping[int, Index], candidates: Sequence[RecallCandidate]
    ) -> list[str | None]:
        """What each of them says, from the index that it was found by."""
        found: dict[tuple[str, int], str | None] = {}
        own = next(iter(homes.values()))
        groups: dict[int, list[RecallCandidate]] = {}
        for each in candidates:
            groups.setdefault(id(each.ranking), []).append(each)
        for home, some in groups.items():
            texts = self._read(homes.get(home, own), some)  # facts lie in none
            pairs = zip(some, texts, strict=True)
            found |= {(each.id, each.stands.n): text for each, text in pairs}
        return [found[each.id, each.stands.n] for each in candidates]

    def _read(self, index: Index, candidates: Sequence[RecallCandidate]) -> list[str | None]:
        """What each of them says; a governed fact lies in no index."""
        texts = iter(index.texts([its.stands for its in candidates if its.fact is None]))
        return [
            next(texts) if each.fact is None else recall_results.fact_line(each.fact)
            for each in candidates
        ]


def as_asked(question: RankedQuestion, index: Index, view: IndexView) -> Query:
    """The question as an index is asked; what may not be kept is told to no embedder elsewhere."""
    code = question.code
    if code is None and not question.whole and not is_repeatable(index.embedder):
        code = b""  # its words decide
    asked = index.asked(question.text, view, as_of=question.as_of, code=code)
    return question_hops.with_names(asked, question.bridges, question.ended)


def _hit(
    answer: RecallAnswer, pick: Pick, moments: list[int], held: HeldRecords, *, explain: bool
) -> Hit:
    candidate, stands = pick.candidate, pick.candidate.stands
    standing = answer.standing
    claim = standing.contradicted.get(candidate.id)
    terms = candidate.ranking.terms(candidate.number) if explain else {}
    home = answer.homes.get(id(candidate.ranking))
    told = home.handles(stands.seq) if home and stands.labelled else NONE
    return Hit(
        id=candidate.id,
        layer=stands.layer,
        text=pick.said.text,
        score_ppm=candidate.score_ppm,
        matched=answer.asked.matched(pick.said),
        created=ids.time_text(candidate.moment) if candidate.moment >= 0 else "",
        seq=stands.seq,
        evidence=recall_results.evidence_of(
            stands.layer, candidate.id, answer.question.snapshot.stamp
        ),
        origin=stands.origin,
        speaker=recall_results.unsaid(candidate.speaker, pick.said.text),
        terms={name: value for name, value in terms.items() if value},
        contradicted_by=claim.id if claim else "",
        contradicts=standing.contradicting.get(candidate.id, ""),
        said=len(moments),
        last_said=ids.time_text(max(moments)) if max(moments) >= 0 else "",
        folded=answer.found.folded[candidate.id],
        held=_held(held, home, stands.seq, candidate.id),
        **recall_results.by_handles(told),
    )


def _held(held: HeldRecords, home: Index | None, seq: int, item_id: str) -> tuple[str, ...]:
    """The holds on a hit; a governed fact lies in no index."""
    if not held:
        return ()
    return held.at(home, seq) if home else held.on_fact(item_id)
