"""Ranker: weights of the features, scores, and the order of the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias

from muniment.model.fixed_point import MILLION
from muniment.retrieval import arrays as np
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.index.columns import Integers, distinct
from muniment.retrieval.ranking import bm25, date_feature, learned_order, revision
from muniment.retrieval.ranking.corrections import CORRECTS, find_corrections
from muniment.retrieval.ranking.features import Features, Mask
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.ranking.recency_rerank import (
    ANEW,
    ECHO,
    LOOKED_AT,
    REPEATED,
    SEEN,
    SecondLook,
)
from muniment.retrieval.ranking.revision import GATHERED, READ, Reading, Revised, stated
from muniment.retrieval.ranking.sort_order import Order
from muniment.retrieval.ranking.statement_pair import news
from muniment.retrieval.ranking.weights import LEXICAL, Weights, counted, counting, weigh
from muniment.retrieval.text import tokenizer

STATE: Final = "state"
BEFORE: Final = "before"  # of what was so before it changed, where that is asked for
REVISES: Final = "revises"  # of what says that an older answer is over
PLANNED: Final = "planned"  # of what says what is to be, where that is asked for
OWN_WORD: Final = "own_word"  # of what a person stated, where a machine says otherwise
LED_PART: Final = 85  # percent of what the text has whose name leads to another
RELATIONS: Final = "relations"  # of what says a step of "my wife's employer"
LEARNED: Final = "learned"  # of what trees put in another order
STATE_AHEAD: Final = 250_000  # so far that it is first in a context too, which counts how new it is
FORMULAS_MAX: Final = 4  # sets of formulas that are taken out of the best of one question

Numbers: TypeAlias = "np.NDArray[np.int64]"
# Of some documents, which say what the agent says again and again, with all that say the same.
Formulas = Callable[[Numbers], Numbers]


class Ranking:
    """Document numbers, best first: score descending, time descending, id ascending."""

    def __init__(
        self,
        evidence: Features,
        weights: Weights,
        found: Mapping[str, Revised] | None = None,
        formulas: Formulas | None = None,
    ) -> None:
        self._found, self._formulas = found or {}, formulas
        self._evidence, self._numbers = evidence, evidence.candidates
        self._counting = counting(weights)
        self._features = evidence.features(self._numbers, self._counting)
        weighed = weigh(self._features, self._counting)
        self._scores = weighed.sum(axis=0).astype(np.int64)
        self._sums = self._scores.copy()  # before a second look
        self._beside: dict[int, dict[str, int]] = {}  # by number, what a second look added
        self._replaced: set[int] = set()  # numbers of what something newer was told in place of
        self._look_again(weighed)
        self._revise(CORRECTS, self._found.get(CORRECTS, ()))

    @property
    def order(self) -> Numbers:
        """All candidates; a question is answered from those that are related to it."""
        return self._ranked.numbers

    @property
    def scores_ppm(self) -> Numbers:
        return self._ranked.scores

    @cached_property
    def _ranked(self) -> Order:
        return Order(self._evidence.collection, self._numbers, self._scores)

    def best(self, count: int) -> Numbers:
        """So many of the best, in no order."""
        places = Order(self._evidence.collection, self._numbers, self._scores).first(count)
        found: Numbers = self._numbers[places]
        return found

    def _look_again(self, weighed: np.NDArray[np.float64]) -> None:
        """What only asks again has nothing for it; what tells anew has as much as the older."""
        evidence, asked = self._evidence, self._evidence.asked
        self._quieten(weighed)
        places = Order(evidence.collection, self._numbers, self._scores).first(LOOKED_AT)
        terms = {name: its[places] for name, its in self._features.items() if name in SEEN}
        look = SecondLook(self._numbers[places], evidence, terms)
        if len(echoes := look.echoes()):
            self._take_own(places[echoes], weighed)
        if (asked.vector or asked.own_letters) and not (evidence.gathers or asked.of_then):
            lifted, more = look.lifts(self._scores[places])
            self._add(places[lifted], ANEW, more)
            self._replaced.update(older for _, older in look.told_anew())
        self._revise(OWN_WORD, look.own_words(self._scores[places]))
        self._revise(OWN_WORD, look.holders_own(self._scores[places]))
        if asked.states and not (asked.who or asked.of_then):
            self._settle()
            self._revise(STATE, look.told_anew(in_change=True) if asked.of_their_place else ())
        name, revised = self._revised(look, self._scores[places])
        self._revise(name, revised)
        if asked.of_plans and not asked.of_then:
            best = self._numbers[places]
            self._revise(PLANNED, [(best[one], best[other]) for one, other in look.plans()])
        self._revise(RELATIONS, self._found.get(RELATIONS, ()), LED_PART)
        if self._bridged.any():
            self._lead_on(revised, look.told_anew())

    def _lead_on(self, revised: Revised, anew: Revised) -> None:
        """What leads on may be an answer of its own, and told anew since by the same names."""
        asked = self._evidence.asked
        half = np.full(np.count_nonzero(self._bridged), self._scores.max() // 2)
        self._add(self._bridged.nonzero()[0], RELATIONS, half)
        named = self._numbers[self._naming(tokenizer.stems(" ".join(n for n, _ in asked.bridges)))]
        self._revise(RELATIONS, [*revised, *(pair for pair in anew if pair[0] in named)])
        # What people told of whom a chain of kin ends at stands before its steps.
        told = self._naming(asked.reached) & (self._bridged == asked.of_reached_name)
        told &= stated(self._evidence.collection, asked, self._numbers)
        if told.any():
            more = max(self._scores.max() + STATE_AHEAD - self._scores[told].max(), 0)
            self._add(told.nonzero()[0], RELATIONS, np.full(np.count_nonzero(told), more))

    def _revised(self, look: SecondLook, scores: Numbers) -> tuple[str, Revised]:
        """What revises an older answer; what that was before, where it is asked for."""
        revised, then = self._found.get(REVISES, ()), self._evidence.asked.of_before
        return (BEFORE, look.replaced(revised, scores)) if then else (REVISES, revised)

    def _quieten(self, weighed: np.NDArray[np.float64]) -> None:
        """A formula of the agent's answers nothing: it keeps what its neighbours give it.

        Its copies are many, and would fill the best; so all of them go before others are looked at.
        """
        quiet = np.zeros(0, np.int64)
        for _ in range(FORMULAS_MAX if self._formulas is not None else 0):
            assert self._formulas is not None
            heard = distinct(self._formulas(self.best(LOOKED_AT)))
            found = heard[~np.isin(heard, quiet)]
            if not len(found):
                return
            quiet = np.append(quiet, found)
            self._take_own(np.isin(self._numbers, found).nonzero()[0], weighed)

    def _take_own(self, places: Numbers, weighed: np.NDArray[np.float64]) -> None:
        """Of these candidates, all that they have for being like the question in themselves."""
        own = [name in REPEATED for name in counted(self._features, self._counting)]
        for_itself = np.maximum(weighed[own][:, places], 0).sum(axis=0)
        self._add(places, ECHO, -for_itself.astype(np.int64))

    @cached_property
    def _bridged(self) -> Mask:
        """Of the candidates, what says how the relations of the question lead on."""
        bridges = self._evidence.asked.bridges
        if not bridges:
            return np.zeros(len(self._numbers), bool)
        ids = self._evidence.collection.ids_of(self._numbers)
        return np.isin(np.array(ids, object), [said for _, said in bridges])

    def _naming(self, stems: Sequence[str]) -> Mask:
        """Of the candidates, what says one of these names."""
        collection, keys = self._evidence.collection, list(map(tokenizer.key, stems))
        found = [each for each, _ in collection.postings.find(keys, collection.count)]
        return np.isin(self._numbers, np.concatenate([np.zeros(0, np.int64), *found]))

    def _revise(self, name: str, revised: Revised, percent: int = 100) -> None:
        """What revises an older answer has as much as it has, and of equals the newer is first."""
        if not revised:
            return
        self._replaced.update(older for _, older in revised)
        newer, older = np.searchsorted(self._numbers, np.array(revised).T)
        moments = self._evidence.collection.moments[self._numbers]
        at_once = (moments[newer] <= moments[older]).astype(np.int64)  # then the time tells nothing
        equalled = self._scores.copy()
        for _ in revised:  # and what revises that; of two at one moment each may revise the other
            before = equalled.copy()
            np.maximum.at(equalled, newer, before[older] * percent // 100 + at_once)
            if np.array_equal(equalled, before):
                break
        lifted = (equalled > self._scores).nonzero()[0]
        self._add(lifted, name, (equalled - self._scores)[lifted])

    def _settle(self) -> None:
        """Whoever tells the state that is asked for, of whom it is asked, and last, is first."""
        latest = self._evidence.latest_state()
        if latest is None:
            return
        place = np.searchsorted(self._numbers, [latest])
        others = np.delete(self._scores, place)
        more = others.max(initial=0) + STATE_AHEAD - self._scores[place]
        if more[0] > 0:
            self._add(place, STATE, more)

    def _add(self, places: Numbers, name: str, more: Numbers) -> None:
        self._scores[places] += more
        for number, each in zip(self._numbers[places].tolist(), more.tolist(), strict=True):
            self._beside.setdefault(number, {})[name] = each

    def put_in_order(self) -> None:
        """The best as trees see them."""
        best = self.best_measured()
        if not len(best.numbers):
            return
        order = learned_order.in_order(self._evidence.collection, self._evidence.asked, best)
        if (order[1:] > order[:-1]).all():
            return
        # Half of what it is moved by: a context looks at scores, and not at the order alone.
        scores = (best.scores + best.scores[order]) // 2
        for place in range(len(scores) - 1, 0, -1):  # of equals a better one would go before
            ahead = int(order[place - 1] > order[place])
            scores[place - 1] = max(scores[place - 1], scores[place] + ahead)
        more = scores - best.scores[order]
        moved = more.nonzero()[0]
        places = np.searchsorted(self._numbers, best.numbers[order][moved])
        self._add(places, LEARNED, more[moved])

    def best_measured(self) -> learned_order.Best:
        """The best, best first, with what is known of them."""
        collection = self._evidence.collection
        some = Order(collection, self._numbers, self._scores).first(learned_order.BEST)
        order = Order(collection, self._numbers[some], self._scores[some])
        places = np.searchsorted(self._numbers, order.numbers)
        told = collection.in_order(self._numbers)
        before = np.argsort(told)[places]
        beside = [self._beside.get(number, {}) for number in order.numbers.tolist()]
        return learned_order.Best(
            numbers=order.numbers,
            scores=order.scores,
            sums=self._sums[places],
            terms={
                name: measured[places] if len(measured) > 1 else np.repeat(measured, len(places))
                for name, measured in self._features.items()
            },
            rules={
                name: np.array([each.get(name, 0) for each in beside], np.int64)
                for name in (*learned_order.RULES, CORRECTS)
            },
            recency=before * MILLION // max(len(told), 1),
            replaced=np.isin(order.numbers, list(self._replaced)),
            of_long_ago=self._evidence.of_long_ago(order.numbers),
        )

    def related(self, likeness_ppm: int, *, disclosed: bool = False) -> Order:
        """What has a word of the question, resembles it enough, or was told when it says.

        With `disclosed`, all that those stated who ask of their life comes behind it; and what they
        stated of themselves where that is the question: "What do you know about me?"
        """
        disclosed |= self._evidence.asked.of_all
        return self._down_to_last(self._answering("words", likeness_ppm), beside=disclosed)

    def by_itself(self, likeness_ppm: int) -> Order:
        """The same of what has a word of the question itself.

        Words of its neighbours raise what answers; by themselves they are no answer here.
        """
        return self._down_to_last(self._answering("own_words", likeness_ppm))

    def _answering(self, words: str, likeness_ppm: int) -> Mask:
        """And what tells how the state came about that is asked for: "Nos mudamos a Gijón"."""
        features = self._features
        enough = self._enough(self._numbers, features, likeness_ppm)
        kept = (features[words] > 0) | self._resembling(enough)
        if self._evidence.tells_state is not None:
            kept |= self._evidence.tells_state[self._numbers]
        # What tells by name of those whom the question means by "my sister" is about them.
        kept |= self._bridged | self._naming(self._evidence.asked.called)
        if beside := [pair for some in self._found.values() for pair in some]:
            kept |= np.isin(self._numbers, [number for number, _ in beside])
        if "date" in features:
            kept |= features["date"] >= date_feature.IN_MONTH
        return kept

    def _down_to_last(self, answers: Mask, *, beside: bool = False) -> Order:
        """All that ranks as high as something that answers: what does not is cut off behind it.

        Where nothing answers, there is no answer; and nothing is left out that ranking puts before
        one. `beside` it stands what else was stated, of oneself before other things.
        """
        scores, collection = self._scores, self._evidence.collection
        kept = answers
        if answers.any():  # ranking puts it there by itself, or at a second look
            sums = self._sums >= self._sums[answers].min()
            kept = sums | (scores >= scores[answers].min())
        if beside:
            asked = self._evidence.asked
            of_self, stated_too = revision.stated_beside(collection, asked, self._numbers)
            # A question of oneself, or one that something answers, is about a life.
            kept = kept | of_self | (stated_too & (asked.of_self or answers.any()))
            scores = np.where(of_self & (scores == 0), 1, scores)
        return Order(collection, self._numbers[kept], scores[kept])

    def enough(self, number: int, likeness_ppm: int) -> int:
        """How much a document has to resemble the question, if nothing else speaks for it."""
        numbers = np.array([number])
        features = self._evidence.features(numbers, self._counting)
        return int(np.max(self._enough(numbers, features, likeness_ppm)))

    def _enough(
        self, numbers: Numbers, features: Mapping[str, Numbers], likeness_ppm: int
    ) -> Numbers | int:
        """Half as much for each that speaks for it beside its likeness.

        Whom the question asks about says it, it has other words for its own, or it says when, where
        that is asked.
        """
        enough: Numbers | int = likeness_ppm
        for name in ("speaker", "kin", "time"):
            if name in features:
                enough = np.where(features[name] > 0, enough // 2, enough)
        if self._evidence.asked.of_self and not self._evidence.asked.only_names:
            # Of themselves people ask in other words than they told it, and told it themselves.
            collection = self._evidence.collection
            own = stated(collection, self._evidence.asked, numbers)
            own &= collection.column("speakers")[numbers] == 0
            enough = np.where(own, np.minimum(enough, likeness_ppm // 2), enough)
        return enough

    def _resembling(self, likeness_ppm: Numbers | int) -> Mask:
        """Of the candidates, by the whole text or by one of its sentences."""
        found = np.zeros(len(self._numbers), bool)
        for name in ("like", "like_sentence"):
            if name in self._features:
                found |= self._features[name] >= likeness_ppm
        return found

    def terms(self, number: int) -> dict[str, int]:
        """What each feature added to the score of a document, ranked or not, in millionths."""
        features = self._evidence.features(np.array([number]), self._counting)
        found = dict.fromkeys(self._counting, 0)
        for name, (added,) in zip(
            counted(features, self._counting), weigh(features, self._counting), strict=True
        ):
            found[name] = int(added)
        return found | self._beside.get(number, {})

    def term(self, number: int, name: str) -> int:
        """What one feature added to the score of a candidate: measured already, with all others."""
        if name not in self._features or name not in self._counting:
            return 0
        measured = self._features[name]  # one value stands for all of them
        place = np.searchsorted(self._numbers, number) if len(measured) > 1 else 0
        return int(measured[place]) * self._counting[name] // MILLION


def rank(
    collection: Collection,
    asked: Query,
    weights: Weights,
    *,
    among: Mask | None = None,
    heard: Mask | None = None,
    tells_of: Integers | None = None,
    reading: Reading | None = None,
    formulas: Formulas | None = None,
) -> Ranking:
    """The documents worth showing, best first.

    `among` says which may be shown at all, `heard` which speak for those that stand beside them,
    `tells_of` the day that each tells of, where it says one, `reading` what they say, and
    `formulas` which of them say nothing but what the agent always says.
    """
    if asked.codes:
        others = bm25.of_other_codes(collection, asked.codes)
        among = ~others if among is None else among & ~others
    if weights.like and not asked.vector:
        weights = LEXICAL  # an embedder that knows nothing of the question leaves it to its words
    features = Features(collection, asked, among, heard, tells_of)
    ranking = Ranking(features, weights, formulas=formulas)
    if reading is None or not len(features.candidates):
        return ranking
    if not features.gathers:
        found = _led_to(ranking, features, reading, among, heard)
        if any(found.values()):
            ranking = Ranking(features, weights, found, formulas)
    if not (asked.of_then or asked.of_all or asked.of_advice or features.by_name):
        ranking.put_in_order()
    return ranking


def _led_to(
    ranking: Ranking, features: Features, reading: Reading, among: Mask | None, heard: Mask | None
) -> dict[str, Revised]:
    """What revises the best answers, and what names in them lead to: candidates from now on."""
    collection, asked = features.collection, features.asked
    best = ranking.best(GATHERED if asked.of_all else READ)
    newer = revision.find_revisions(collection, asked, best, reading)
    found: dict[str, Revised] = {
        REVISES: (*news(collection, asked, newer), *reading.over(asked, best)),
        RELATIONS: reading.leads(asked, best, reading.texts),
        CORRECTS: news(collection, asked, find_corrections(collection, best, reading.texts)),
    }
    if among is not None:
        found = {name: revision.between_shown(some, among, heard) for name, some in found.items()}
    features.include([number for some in found.values() for pair in some for number in pair])
    return found
