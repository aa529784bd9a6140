"""Ranking features: the terms of a document's score, in millionths, for candidates only."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cached_property
from typing import Final, TypeAlias

from muniment.model.fixed_point import MILLION
from muniment.retrieval import arrays as np
from muniment.retrieval.index import document_features, int8_vectors, sign_bit_scan
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.index.columns import NONE, Integers, distinct
from muniment.retrieval.ranking import bm25
from muniment.retrieval.ranking.date_feature import DAY_MS, agreement_of, days_of_life
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.text import tokenizer

Numbers: TypeAlias = "np.NDArray[np.int64]"
Mask: TypeAlias = "np.NDArray[np.bool_]"
Heard = tuple[Numbers, Mask]  # what was said just before, and whether somebody else said it

KNOWN: Final = 2 * MILLION  # added to a cosine once it is computed: what is 0 is not yet
LONG_WORDS: Final = 15  # telling words from which a text leans on its neighbours less than half
# Of all that the words asked for could give, in percent: the best match counts in full if it has
# enough, and hardly at all if it has little. Where nobody has said most of them, to share the rest
# means little.
ENOUGH: Final = 35
LITTLE: Final = 10
HARDLY: Final = 20  # the part that the best match counts at least
ENOUGH_IN_SESSION: Final = 5  # the part of it that the best session has, to count in full
EVERYTHING: Final = 2048  # documents that are all candidates
HAPPENED: Final = MILLION // 2  # to say when, where all that has happened is asked for
SMALL_TALK_PART: Final = 3  # of what a person's own statement has for itself
CANDIDATES_EACH: Final = 512  # best by words, best by vector; ties at the cut included


class Features:
    """One question against one collection: candidates, and their features when asked for."""

    def __init__(
        self,
        collection: Collection,
        asked: Query,
        among: Mask | None = None,
        heard: Mask | None = None,
        tells_of: Integers | None = None,
    ) -> None:
        self.collection, self.asked = collection, asked
        self._tells_of = tells_of
        by_words, by_kin = collection.once(bm25.LastSums).of(
            collection, asked.words, asked.kin, heard
        )
        self._window, self._own, self._sessions, self._touched, most, self.said = by_words
        self._kin, self._touched_by_kin = by_kin
        self._among, self._audible = among, heard
        if among is not None:
            self._hide(among)
        # Between people a question tells little; to an assistant everything is one.
        self.by_name = len(collection.speakers) > 1
        self.gathers = self.by_name and asked.gathers
        self._best_window = self._best_own = _in_full(_best(self._window, self._touched), most)
        if self._own is not self._window:
            self._best_own = _in_full(_best(self._own, self._touched), most)
        self._best_kin = _best(self._kin, self._touched_by_kin)
        self._in_sessions = len(self._sessions) > 1
        self._best_session = int(self._sessions.max()) if self._in_sessions else 0
        if self._best_session:
            self._best_session = max(self._best_session, most // ENOUGH_IN_SESSION)
        self._query = int8_vectors.QueryVector(asked.vector) if asked.vector else None
        self._cosine = np.zeros(collection.count if asked.vector else 0, np.int32)
        self.candidates = self._candidates(among)
        self._mean = 0
        self._likenesses = self._best = np.zeros(0, np.int64)
        self.include(())

    def include(self, numbers: Sequence[int]) -> None:
        """More candidates, which no search has found."""
        self.candidates = distinct(np.append(self.candidates, np.array(numbers, np.int64)))
        if self._query is not None and len(self.candidates):
            self._measure(self.candidates)

    def _hide(self, among: Mask) -> None:
        """What may not be shown is no answer, whatever is said there or around it."""
        alone = self._own is self._window
        self._window = bm25.without(self._window, self._touched, among)
        self._own = self._window if alone else bm25.without(self._own, self._touched, among)
        self._kin = bm25.without(self._kin, self._touched_by_kin, among)

    @cached_property
    def tells_state(self) -> Mask | None:
        """Of all documents, which tell how the state came about that is asked for."""
        if not self.asked.told_by:
            return None  # for most questions
        postings = self.collection.postings
        told_by = postings.known([tokenizer.key(stem) for stem in self.asked.told_by])
        told = np.zeros(self.collection.count, bool)
        for documents, _ in postings.find(told_by, self.collection.count):
            told[documents] = True
        return told if self._audible is None else told & self._audible

    def latest_state(self) -> int | None:
        """Of all that tell the state of somebody that is asked for, the one that is so last.

        "I moved to Rome ten years ago" tells of then. Of themselves people tell without a name;
        what a named speaker says is somebody else's.
        """
        keys = [tokenizer.key(each) for each in self.asked.states]
        found = self.collection.postings.find(keys, self.collection.count)
        told = np.concatenate([documents for documents, _ in found]).astype(np.int64)
        told = told[np.isin(told, self.candidates)]
        person = self.collection.column("flags")[told] & document_features.BY_PERSON > 0
        told = told[person & (self.collection.column("speakers")[told] == 0)]
        if not len(told):
            return None
        moments = self.collection.moments[told].astype(np.int64)
        so = days_of_life(moments // DAY_MS, self._days(told))
        last = np.lexsort((np.argsort(self.collection.in_order(told)), so))[-1]
        equals = told[(moments == moments[last]) & (so == so[last])]
        # One utterance may stand in two places; of a list that was told at once the end is last.
        return int(equals[0] if self.collection.are_one(equals) else told[last])

    def features(self, numbers: Numbers, wanted: Container[str]) -> dict[str, Numbers]:
        """Of the wanted features those that any of these documents has, in millionths."""
        loose = self._looseness(numbers)
        found = self._words(numbers, loose) | self._flagged(numbers)
        if self.asked.naming and not self.by_name:
            found["named"] = bm25.name_shares(self.collection, self.asked.naming, numbers)
        if "importance" in wanted:
            found["importance"] = self.collection.column("importance")[numbers].astype(np.int64)
        if self._best_kin:
            # A long text holds a word of any meaning somewhere.
            found["kin"] = self._kin_words(numbers) * loose // MILLION
        heard = self._heard(numbers) if self._in_sessions else None
        if heard and self.collection.speakers:
            found["answers"] = self._answers(heard)
        if self._best_session:
            found["session_words"] = self._session_words(numbers)
        if self.asked.about:
            found["speaker"] = self._speaker(numbers)
        if self.asked.named or self.asked.spans:
            days = self._days(numbers)
            found["date"] = agreement_of(self.asked, self.collection, numbers, days)
        return found | self._likeness(numbers, loose, heard)

    def of_long_ago(self, numbers: Numbers) -> Mask:
        """Which of them tell of what was so long before it was told."""
        days = self.collection.moments[numbers].astype(np.int64) // DAY_MS
        return days_of_life(days, self._days(numbers)) < days

    def _days(self, numbers: Numbers) -> Numbers | None:
        """The day that each tells of, where somebody has noted it."""
        return None if self._tells_of is None else self._tells_of[numbers].astype(np.int64)

    def _flagged(self, numbers: Numbers) -> dict[str, Numbers]:
        """What a document shows by itself, as far as it matters to this question."""
        telling = {
            "person": (document_features.BY_PERSON, MILLION if self.asked.of_self else 0),
            "asks": (document_features.ASKS, MILLION if self.by_name else 0),
            "time": (document_features.TELLS_TIME, self._worth_of_time()),
        }
        telling = {name: (flag, worth) for name, (flag, worth) in telling.items() if worth}
        if not telling:
            return {}
        flags = self.collection.column("flags")[numbers]
        found = {name: np.where(flags & flag, worth, 0) for name, (flag, worth) in telling.items()}
        if "person" in found:
            # Small talk is said by people too; and who asks states nothing.
            found["person"][flags & document_features.DISCLOSES == 0] //= SMALL_TALK_PART
            found["person"][document_features.only_ask(flags)] = 0
            if not self.asked.of_others:
                found["person"][document_features.only_others(flags)] //= SMALL_TALK_PART
        return found

    def _worth_of_time(self) -> int:
        """To say when matters to whoever asks for a time, and half as much to all that happened."""
        if self.asked.wants_time:
            return MILLION
        return HAPPENED if self.gathers else 0

    def _candidates(self, among: Mask | None) -> Numbers:
        count = self.collection.count
        shown = count if among is None else int(np.count_nonzero(among))
        if shown <= EVERYTHING:
            return np.arange(count) if among is None else np.flatnonzero(among)
        chosen = [_foremost(self._touched, self._window, CANDIDATES_EACH)]
        if self._best_kin:
            chosen.append(_foremost(self._touched_by_kin, self._kin, CANDIDATES_EACH // 4))
        if self._query is not None:
            near = self._near(among)
            # What has the words will be measured too: all of it at once.
            likenesses = self._measured(np.concatenate([near, *chosen]))[: len(near)]
            chosen.append(_top(near, likenesses, CANDIDATES_EACH, -KNOWN))
        marked = np.zeros(count, bool)
        for numbers in chosen:
            marked[numbers] = True
        return marked.nonzero()[0]

    def _near(self, among: Mask | None) -> Numbers:
        count = self.collection.count
        if count < sign_bit_scan.FROM:
            return np.arange(count) if among is None else np.flatnonzero(among)
        assert self._query is not None
        return sign_bit_scan.nearest(self.collection.bits, self._query, among)

    def _measure(self, numbers: Numbers) -> None:
        """What is relative to this question: the usual likeness, and the best of each session."""
        cosines = self._likenesses = self._cosines(numbers)
        self._mean = int(cosines.sum()) // len(cosines)
        if not self._in_sessions:
            return
        sessions = self.collection.column("sessions")[numbers].astype(np.int64)
        self._best = np.full(int(sessions.max()) + 1, self._mean, np.int64)
        np.maximum.at(self._best, sessions, cosines)

    def _words(self, numbers: Numbers, loose: Numbers) -> dict[str, Numbers]:
        """What is said there, and the same with what is said around it, as far as that counts."""
        window = bm25.shares(self._window.take(numbers), self._best_window)
        if self._own is self._window:
            return {"words": window, "own_words": window}
        own = bm25.shares(self._own.take(numbers), self._best_own)
        return {"words": (window * loose + own * (MILLION - loose)) // MILLION, "own_words": own}

    def _kin_words(self, numbers: Numbers) -> Numbers:
        """On the scale of the words themselves: mere likeness never looks like a full match."""
        return bm25.shares(self._kin.take(numbers), max(self._best_window, self._best_kin))

    def _answers(self, heard: Heard) -> Numbers:
        """How well the question before it, asked by somebody else, matches this one."""
        before, by_another = heard
        asks = self.collection.column("flags")[before] & document_features.ASKS > 0
        own = bm25.shares(self._own[before], self._best_own)
        return np.where(by_another & asks, own, 0)

    def _heard(self, numbers: Numbers) -> Heard:
        """What was said just before each, and whether somebody else said it.

        People are told apart by their names, and from machines without any.
        """
        before = self.collection.column("before")[numbers].astype(np.int64)
        speakers, flags = self.collection.column("speakers"), self.collection.column("flags")
        other = speakers[before] != speakers[numbers]
        other |= (flags[before] ^ flags[numbers]) & document_features.BY_PERSON > 0
        return before, (before != NONE) & other

    def _looseness(self, numbers: Numbers) -> Numbers:
        """How much a document leans on its neighbours: talk does, a long text stands for itself.

        Where people speak by name, turns are answers to each other, however long they are; where
        nothing has neighbours or kin, it does not matter.
        """
        if not (self._in_sessions or self._best_kin):
            return np.full(1, MILLION, np.int64)  # all lean wholly on neighbours that they have not
        if self.by_name:
            return np.full(len(numbers), MILLION, np.int64)
        lengths = self.collection.column("lengths").take(numbers).astype(np.int64)
        whole = MILLION * LONG_WORDS**2  # far below what a float divides exactly: see `bm25`
        return (whole / (LONG_WORDS**2 + lengths * lengths)).astype(np.int64)

    def _session_words(self, numbers: Numbers) -> Numbers:
        sessions = self.collection.column("sessions")[numbers]
        return bm25.shares(self._sessions[sessions], self._best_session)

    def _speaker(self, numbers: Numbers) -> Numbers:
        """Whether the one person whom the question is about said it."""
        if self.asked.about not in self.collection.speakers:
            return np.zeros(len(numbers), np.int64)
        wanted = self.collection.speakers.index(self.asked.about) + 1
        return np.where(self.collection.column("speakers")[numbers] == wanted, MILLION, 0)

    def _likeness(
        self, numbers: Numbers, loose: Numbers, heard: Heard | None
    ) -> dict[str, Numbers]:
        if self._query is None:
            return {}
        own = self._likenesses if numbers is self.candidates else self._cosines(numbers)
        said = self._sentence(numbers, own)
        if heard:
            said = self._as_answers(numbers, heard, said)
        found = {"like": own, "like_sentence": said}
        if self.gathers:
            return found  # told in many places, each with other neighbours
        if not self._in_sessions:
            usual = np.full(1, self._mean, np.int64)  # for all of them: nothing has neighbours
            return found | {"like_before": usual, "like_after": usual, "like_session": own}
        return found | {
            "like_before": self._beside(numbers, self.collection.column("before"), loose),
            "like_after": self._beside(numbers, self.collection.after, loose),
            "like_session": self._best_beside(numbers, own),
        }

    def _best_beside(self, numbers: Numbers, own: Numbers) -> Numbers:
        """The best likeness in a document's session; outside of any, its own."""
        if len(self._best) <= 1:
            return own
        sessions = self.collection.column("sessions")[numbers].astype(np.int64)
        known = np.where(sessions < len(self._best), sessions, 0)
        return np.where(known > 0, self._best[known], own)

    def _beside(self, numbers: Numbers, moved: Integers, loose: Numbers) -> Numbers:
        """The likeness of a neighbour; where none is heard, the usual one."""
        out = np.full(len(numbers), self._mean, np.int64)
        neighbours = moved[numbers].astype(np.int64)
        beside = neighbours != NONE
        if self._audible is not None:
            beside &= self._audible[neighbours]
        there = np.flatnonzero(beside)
        nearer = self._cosines(neighbours[there]) - self._mean
        out[there] += nearer * loose[there] // MILLION
        return out

    def _cosines(self, numbers: Numbers) -> Numbers:
        """Of each document once; a neighbour is mostly a candidate too."""
        known = self._cosine.take(numbers)
        unknown = numbers[known == 0]
        if len(unknown):
            self._measured(unknown)
            known = self._cosine.take(numbers)
        return np.subtract(known, KNOWN, dtype=np.int64)

    def _measured(self, numbers: Numbers) -> Numbers:
        assert self._query is not None
        norms = self.collection.column("norms").take(numbers)
        found = int8_vectors.cosines(
            self.collection.codes.take(numbers, axis=0), norms, self._query
        )
        self._cosine[numbers] = (found + KNOWN).astype(np.int32)
        return found

    def _as_answers(self, numbers: Numbers, heard: Heard, said: Numbers) -> Numbers:
        """The same or more where a text is read together with the question that it answers.

        "For three years!" says by itself neither what nor who; whoever asked did.
        """
        before, by_another = heard
        flags = self.collection.column("flags")[before]
        asking = (flags & document_features.QUESTION) >> document_features.QUESTION_SHIFT
        answers = by_another & (asking > 0) & (self.collection.column("norms")[numbers] > 0)
        if self._among is not None:
            answers &= self._among[before]
        places = answers.nonzero()[0]
        if not len(places):
            return said
        assert self._query is not None
        told = self.collection.codes.take(numbers[places], axis=0)
        asked = self._questions(before[places], asking[places].astype(np.int64))
        more = said.copy()
        together = int8_vectors.cosines_together(told, asked, self._query)
        more[places] = np.maximum(said[places], together)
        return more

    def _questions(self, numbers: Numbers, which: Numbers) -> int8_vectors.Codes:
        """Of each document the vector of that sentence; the whole one's where it has none."""
        found = self.collection.codes.take(numbers, axis=0)
        ends = self.collection.column("sentence_ends")
        rows = np.where(numbers > 0, ends[numbers - 1], 0) + which - 1
        known = (rows < ends[numbers]).nonzero()[0]
        found[known] = self.collection.sentence_vectors[0].take(rows[known], axis=0)
        return found

    def _sentence(self, numbers: Numbers, whole: Numbers) -> Numbers:
        """The likeness of a document's best sentence; one that is a single sentence has its own."""
        assert self._query is not None
        if not self.collection.count or not self.collection.column("sentence_ends")[-1]:
            return whole  # nobody has said two
        rows, owners = self.collection.sentences(numbers)
        if not len(rows):
            return whole
        codes, norms = self.collection.sentence_vectors
        best = np.full(len(numbers), -MILLION, np.int64)
        np.maximum.at(
            best, owners, int8_vectors.cosines(codes.take(rows, axis=0), norms[rows], self._query)
        )
        return np.where(best > -MILLION, best, whole)


def _in_full(best: int, most: int) -> int:
    """What a match needs to count in full, where the best has so much of what there could be."""
    span, above = (ENOUGH - LITTLE) * most, 100 * best - LITTLE * most
    return best if above >= span else best * span // max(above, span // HARDLY, 1)


def _best(values: Numbers, touched: Numbers) -> int:
    return int(values.take(touched).max()) if len(touched) else 0


def _foremost(touched: Numbers, scores: Numbers, wanted: int) -> Numbers:
    """Those with the best scores; where they are too many, each counts once."""
    numbers = touched if len(touched) <= wanted else bm25.distinct(touched, len(scores))
    return _top(numbers, scores[numbers], wanted)


def _top(numbers: Numbers, values: Numbers, wanted: int, least: int = 1) -> Numbers:
    """Those with the greatest values from `least` on; all that equal the last come along."""
    cut = least
    if len(values) > wanted:
        place = len(values) - wanted
        cut = max(int(np.partition(values, place)[place]), least)
    chosen: Numbers = numbers[values >= cut]
    return chosen
