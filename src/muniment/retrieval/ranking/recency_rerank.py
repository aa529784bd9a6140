"""Recency reranking: a newer statement of the same thing ranks before the older one.

"My boss is Karin" answers as well in May as it did in March, and "My boss is Jonas now" is a word
longer. So of two like statements by the same person the newer has as much as the older, and of
equals the newer is first; the older, where somebody asks who was boss before Jonas. And a text that
asks what is asked, and says nothing else, answers nothing: it keeps what its neighbours give it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final, TypeAlias

from muniment.model.fixed_point import MILLION
from muniment.model.languages.tables.english import ENGLISH
from muniment.retrieval import arrays as np
from muniment.retrieval.index import document_features, int8_vectors
from muniment.retrieval.index.document_features import ABOUT_OTHERS, DISCLOSES
from muniment.retrieval.languages import state_phrases, value_mentions
from muniment.retrieval.ranking.bm25 import times_of
from muniment.retrieval.ranking.features import Features
from muniment.retrieval.ranking.revision import Revised, tell_of_it
from muniment.retrieval.ranking.statement_pair import (
    Pairs,
    of_another,
    of_whom_asked,
    topics_said,
    wishes,
    with_all_of_its,
)
from muniment.retrieval.text import tokenizer

Numbers: TypeAlias = "np.NDArray[np.int64]"

LOOKED_AT: Final = 16  # the best by the sum of their terms; ties among these are settled before
ALIKE_PPM: Final = 600_000  # "a cat named Mimi" and "a new cat, Tiger" tell of two
# Enough where the newer says itself that something has changed.
ALIKE_IN_CHANGE_PPM: Final = 450_000
# Enough by itself where it does: "We gave Rex away" has the name of "My dog is called Rex".
ALIKE_BY_ITSELF_PPM: Final = 600_000
# Enough where the newer has every word of the question that the older has: of "My name is Ada"
# the value is half of what it says.
ALIKE_IN_WORDS_PPM: Final = 350_000
# And where it says as well that something has changed: the words tell what it is about.
ALIKE_IN_CHANGED_WORDS_PPM: Final = 150_000
# And where both give a number, and one is asked for.
ALIKE_IN_NUMBERS_PPM: Final = 250_000
# And where somebody asks for what was so before.
ALIKE_BEFORE_PPM: Final = 400_000
# Enough where the newer tells of a change and is as like the question as this by itself.
ALIKE_IN_SUBJECT_PPM: Final = 600_000
LIKE_THE_QUESTION_PPM: Final = 500_000
LIKENESS_UNIT: Final = int8_vectors.NORM_UNIT * int8_vectors.NORM_UNIT * MILLION
# At most this part of what it tells anew may be lacking: it answers the question by itself. Who has
# all its words, or tells of a change, leaves out what everybody knows: "Metoprolol only 25 mg from
# today on".
LACKING_PART: Final = 5
LACKING_PART_OF_WORDS: Final = 2
SEEN: Final = ("like", "kin")  # terms of the score that are looked at once more
ANEW: Final = "anew"
ECHO: Final = "echo"
# What a text has for being like the question in itself.
REPEATED: Final = ("words", "own_words", "kin", "like", "like_sentence")


class SecondLook:
    """The best for a question, looked at side by side.

    Every recall pays for it: what decides most cases is looked at first.
    """

    def __init__(self, best: Numbers, evidence: Features, terms: Mapping[str, Numbers]) -> None:
        self._collection = collection = evidence.collection
        self._best, self._evidence, self._asked = best, evidence, evidence.asked
        self._flags = collection.column("flags")[best]
        self._lengths = collection.column("lengths")[best]
        self._asks = document_features.only_ask(self._flags)
        nothing = np.zeros(len(best), np.int64)
        self._likes, self._kin = (terms.get(name, nothing) for name in SEEN)
        self._anew: Pairs = np.zeros((len(best), len(best)), bool)  # what each tells anew

    def echoes(self) -> Numbers:
        """Places among the best: what asks, and has no telling word that the question has not."""
        if not np.count_nonzero(self._asks):
            return np.zeros(0, np.int64)
        echo: np.NDArray[np.bool_] = (
            self._asks & (self._times.sum(axis=0) >= self._lengths) & (self._lengths > 0)
        )
        return echo.nonzero()[0]

    def lifts(self, scores: Numbers) -> tuple[Numbers, Numbers]:
        """Places among the best, and how much more each has, to be equal to what it tells anew."""
        lacks = scores - scores[:, None]  # a row for each, what it lacks of each of the others
        anew = self._later()
        anew &= lacks > 0
        telling = tell_of_it(self._collection, self._asked, self._best, self._kin)
        anew &= telling[:, None] | ~telling
        by_topics = self._of_same_topics(anew)
        if not np.count_nonzero(anew):
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        of_subject = self._alike_in_subject(anew)
        near = lacks * LACKING_PART_OF_WORDS <= scores
        # Who says that a number has changed need not say again what it is of.
        if self._asked.own_letters or self._counting is not None:
            near |= self._changed
        anew &= near
        self._anew = alike = of_subject | self._alike(anew, lacks * LACKING_PART <= scores)
        alike |= by_topics
        equalled, before = scores, np.zeros_like(scores)
        while not np.array_equal(equalled, before):
            # What was moved twice has as much as what was so before both.
            before = equalled
            equalled = np.where(alike, before, before[:, None]).max(axis=1)
        lifted = (equalled - scores).nonzero()[0]
        return lifted, (equalled - scores)[lifted]

    def told_anew(self, *, in_change: bool = False) -> list[tuple[int, int]]:
        """Once lifted: each with what it tells anew; some only of what says that it has changed."""
        pairs = np.argwhere(self._anew & self._changed if in_change else self._anew)
        return [(int(one), int(other)) for one, other in self._best[pairs]]

    def replaced(self, revised: Revised, scores: Numbers) -> list[tuple[int, int]]:
        """Each told anew, with what tells it: what is named, or the last. Less likeness will do."""
        later = self._later() & (scores[:, None] >= scores)
        alike = self._alike(later, later) | self._of_same_topics(later)
        names = np.array(self._asked.names, bool)
        has = self._times > 0
        said = has[~names]
        alike |= later & self._changed & (said.T @ said) & with_all_of_its(said)
        named = has[names].any(axis=0)  # whoever is named in both makes them alike
        near = (self._likeness >= ALIKE_BEFORE_PPM) & ~(named[:, None] & named)
        alike |= later & self._changed & near
        keys = list(map(tokenizer.key, state_phrases.OF_SELF))
        for told, _ in self._collection.postings.find(keys, self._collection.count):
            of_state = np.isin(self._best, told)
            alike |= later & of_state[:, None] & of_state
        telling = tell_of_it(self._collection, self._asked, self._best, self._kin)
        alike &= telling | ~telling.any()  # "Ann ordered a lamp" is nothing of where she lived
        for newer, older in revised:
            alike |= (self._best == newer)[:, None] & (self._best == older)
        last: Pairs = alike & named[:, None]
        if not last.any():
            last = alike & ~alike.any(axis=0, keepdims=True).T
        return [(int(older), int(newer)) for newer, older in self._best[np.argwhere(last)]]

    def own_words(self, scores: Numbers) -> list[tuple[int, int]]:
        """Of the things of a life, what a person stated, each with a machine's word of the same.

        Whoever says of themselves what they are allergic to is right, whatever a form says later,
        unless it says itself that something has changed. Nor is it what their son is allergic to.
        """
        others = self._flags & ABOUT_OTHERS > 0
        others &= self._asked.of_self and not self._asked.of_others
        if not (self._asked.told_by or others.any()) or self._asked.of_then:
            return []
        person = (self._flags & document_features.BY_PERSON > 0) & ~others
        short = self._lengths <= self._asked.statement_words
        # "I wonder what Bo does" tells nothing of whoever says it.
        discloses = self._flags & DISCLOSES > 0
        stated = person & short & discloses & document_features.are_stated(self._flags)
        claims = ~person & short & ~self._changed[:, 0]
        if not (stated.any() and claims.any()):
            return []
        # One letter of a script without spaces is in too many words to be one of the question.
        has = (self._times > 0)[[len(word) > 1 for word in self._asked.words]]
        said, kin = has.any(axis=0), others & (self._kin > 0)
        pairs = stated[:, None] & (claims & (said | kin)) & with_all_of_its(has)
        pairs &= (said | (self._kin > 0))[:, None]
        pairs &= scores[:, None] * LACKING_PART_OF_WORDS >= scores
        return [(int(one), int(other)) for one, other in self._best[np.argwhere(pairs)]]

    def plans(self) -> list[tuple[int, int]]:
        """Places among the best: what says what is intended, and what was so before it."""
        planned = self._flags & document_features.PLANS > 0
        stated = document_features.are_stated(self._flags)
        has = self._times > 0
        about = has.any(axis=0) | (self._likes >= LIKE_THE_QUESTION_PPM)
        asked = self._asked
        by_name = value_mentions.names_of(asked.text, asked.naming, of_self=asked.of_self)
        if by_name:  # a wish is of Kyoto if it says so
            about &= has[[word in by_name for word in asked.words]].any(axis=0)
        newer = (planned & stated & about)[:, None] & (~planned & stated)
        newer &= self._collection.are_later(self._best[:, None], self._best)
        return [(int(one), int(other)) for one, other in np.argwhere(newer)]

    def holders_own(self, scores: Numbers) -> list[tuple[int, int]]:
        """What was stated of whom the question is about, each with what is of another: "my ex"."""
        others = self._of_another & (self._lengths <= self._asked.statement_words)
        if not others.any():
            return []
        theirs = of_whom_asked(self._collection, self._asked, self._best)
        words, common = self._asked.words, value_mentions.common(self._asked.words)
        has = (self._times > 0)[[len(word) > 1 and word not in common for word in words]]
        pairs = theirs[:, None] & others & with_all_of_its(has) & has.any(axis=0)
        pairs &= scores[:, None] * LACKING_PART_OF_WORDS >= scores
        return [(int(one), int(other)) for one, other in self._best[np.argwhere(pairs)]]

    @cached_property
    def _of_another(self) -> np.NDArray[np.bool_]:
        """Which tell of another than the question asks about."""
        return of_another(self._collection, self._asked, self._best)

    @cached_property
    def _times(self) -> Numbers:
        """A row for each word of the question: how often each of the best says it."""
        places = np.zeros(self._collection.count, np.uint8)  # from 1 on
        places[self._best] = np.arange(1, len(self._best) + 1)
        nothing = np.zeros((0, len(self._best)), np.int64)
        rows = [times_of(held, places, len(self._best)) for held in self._evidence.said]
        return rows[0] if len(rows) == 1 else np.concatenate([nothing, *rows])

    def _later(self) -> Pairs:
        """Than which others of one voice, or of a machine that a person spoke after."""
        states = self._lengths <= self._asked.statement_words
        # "I moved to Bremen. How are you?" tells before it asks.
        asking = (self._flags & document_features.QUESTION) >> document_features.QUESTION_SHIFT
        states &= ~self._asks | (asking > 1)
        later: Pairs = self._collection.are_later(self._best[:, None], self._best)
        # Who dreamt of another home or nearly moved there has told nothing anew.
        later &= (states & (self._flags & document_features.UNREAL == 0))[:, None]
        later &= states
        people = self._flags & document_features.BY_PERSON
        later &= people[:, None] >= people
        if self._collection.speakers:
            speakers = self._collection.column("speakers")[self._best]
            later &= speakers[:, None] == speakers
        later &= ~(self._of_another[:, None] & ~self._of_another)
        later &= ~wishes(self._collection, self._asked, self._best)[:, None]
        # "My son is allergic to milk" tells nothing anew of what I am allergic to.
        others, mine = (self._flags & flag > 0 for flag in (ABOUT_OTHERS, DISCLOSES))
        return later & ~((others[:, None] & ~self._changed) & (mine & ~others))

    def _alike(self, anew: Pairs, wholly: Pairs) -> Pairs:
        """Of these pairs, those that tell of the same; `wholly` are those that lack little."""
        likeness = self._likeness
        changed = self._changed
        in_words = np.where(changed, ALIKE_IN_CHANGED_WORDS_PPM, ALIKE_IN_WORDS_PPM)
        nearly: Pairs = anew & (likeness >= in_words)
        if self._asked.own_letters:
            nearly |= anew & self._silent[:, None] & self._silent
            return self._alike_in_words(wholly & anew, nearly, changed)
        has = self._times > 0
        every = with_all_of_its(has)
        alike: Pairs = likeness >= np.where(changed, ALIKE_IN_CHANGE_PPM, ALIKE_PPM)
        alike &= wholly | changed
        named = self._named(has)
        if self._names is None:
            # Who says that much of the same has changed need repeat only what it is about.
            told = changed & (likeness >= ALIKE_BY_ITSELF_PPM) & ~(~has.T @ self._rarest(has))
            if self._asked.minds_case:
                told |= changed & self._about_it(has)[:, None]
            alike &= every | told
        else:
            alike &= named
        about = self._about_it(has)
        alike |= every & about
        alike &= nearly
        if ENGLISH.name not in self._asked.languages:
            alike &= has.any(axis=0)  # what is only like it, by vectors of English, is no answer
        # "How long is the lease?" has a word more than any answer says again.
        about |= has.any(axis=0) & (self._likes >= LIKE_THE_QUESTION_PPM)
        return self._by_numbers(alike, anew & changed & about[:, None] & named)

    def _alike_in_subject(self, anew: Pairs) -> Pairs:
        """Of these pairs, those where the newer tells of a change in what the question is about.

        It need not have its words: "New test results: it is latex, peanuts are fine".
        """
        telling = self._changed[:, 0] & (self._likes >= LIKE_THE_QUESTION_PPM)
        if not telling.any() or self._asked.own_letters or self._counting is not None:
            return np.zeros_like(anew)
        alike = anew & telling[:, None]
        alike &= self._likeness >= ALIKE_IN_SUBJECT_PPM
        return alike & self._named(self._times > 0)

    def _of_same_topics(self, anew: Pairs) -> Pairs:
        """Of these pairs, those that tell of the same, where vectors know nothing of the language.

        The newer has a word of each topic of the question that the older has one of, and has one
        in common with it or, where it gives a number or time that is asked for, says that something
        has changed. Else it must do both.
        """
        if ENGLISH.name in self._asked.languages or not np.count_nonzero(anew):
            return np.zeros_like(anew)
        counts = self._counting
        changed: Pairs = self._changed if counts is None else counts[:, None] & counts
        anew = anew & changed
        if not anew.any():
            return anew
        has, words = topics_said(self._collection, self._asked, self._best)
        same: Pairs = anew & with_all_of_its(has)
        shared: Pairs = words.T @ words
        same &= shared if counts is None else shared | self._changed
        same &= has.any(axis=0)
        return same & self._named(self._times > 0)

    def _named(self, has: Pairs) -> Pairs:
        """Which have what the question names of each other; where no case tells, the rarest."""
        if self._names is not None:
            return with_all_of_its(has[self._names])
        return ~(~has.T @ (self._rarest(has) & (not self._asked.minds_case)))

    def _by_numbers(self, alike: Pairs, anew: Pairs) -> Pairs:
        """Where a number is asked for, another one is news, and what gives none is not.

        "The rent went up to 910" tells "I pay 840 euros of rent" anew; "I pay the rent by standing
        order now" does not.
        """
        counts = self._counting
        if counts is None:
            return alike
        recounted = anew & counts & (self._likeness >= ALIKE_IN_NUMBERS_PPM)
        return (alike | recounted) & (counts[:, None] | ~counts)

    @property
    def _counting(self) -> np.NDArray[np.bool_] | None:
        """Which give a number, where one is asked for."""
        asked = self._asked
        if not (asked.wants_time or asked.wants_amount):
            return None
        telling = document_features.numbers(of_time=asked.wants_time)
        counting: np.NDArray[np.bool_] = self._flags & telling > 0
        return counting

    @cached_property
    def _likeness(self) -> np.NDArray[np.float64]:
        """Of each two of the best, in millionths."""
        codes = self._collection.codes.take(self._best, axis=0).astype(np.float32)
        norms = np.maximum(self._collection.column("norms")[self._best], 1.0)
        # Whole numbers below 2^53, and one quotient of such: the same on every machine.
        products = np.matmul(codes, codes.T.copy())
        likeness: np.NDArray[np.float64] = np.multiply(products, LIKENESS_UNIT, dtype=np.float64)
        likeness /= norms[:, None] * norms
        return likeness

    def _rarest(self, has: Pairs) -> Pairs:
        """Of the words of the question that each says, those that fewest others say."""
        often = np.array([n for held in self._evidence.said for n in held.often], np.int64)[:, None]
        none = self._collection.count + 1
        least = np.where(has, often, none).min(axis=0, initial=none)
        rarest: Pairs = has & (often == least)
        return rarest

    def _about_it(self, has: Pairs) -> np.NDArray[np.bool_]:
        """Which say most of the words of the question that any of the best says.

        Half of them are enough with the rarest: "the project" alone is about no sponsor. Words that
        are said of anything count where there are no others.
        """
        any_says = has.any(axis=1)
        of_anything = value_mentions.common(self._asked.words)
        common = np.array([each in of_anything for each in self._asked.words], bool)
        counted = any_says & ~common
        counted = counted if counted.any() else any_says
        twice = 2 * has[counted].sum(axis=0)
        often = np.array([n for held in self._evidence.said for n in held.often], np.int64)
        rarest = counted & (often == often.min(where=counted, initial=self._collection.count))
        most = max(int(counted.sum()), 1)
        said: np.NDArray[np.bool_] = (twice > most) | ((twice == most) & has[rarest].any(axis=0))
        return said

    @property
    def _changed(self) -> Pairs:
        """Which say themselves that something has changed, as a column."""
        changed: Pairs = (self._flags & document_features.TELLS_CHANGE > 0)[:, None]
        return changed

    @cached_property
    def _silent(self) -> np.NDArray[np.bool_]:
        """Of what the embedder knows nothing."""
        silent: np.NDArray[np.bool_] = self._collection.column("norms")[self._best] == 0
        return silent

    @cached_property
    def _names(self) -> np.NDArray[np.bool_] | None:
        """The words of the question that name what it is about; all of several, if none does.

        What none of the best says names nothing here: a question begins with a capital anyway.
        One word need not be said again where vectors know it by others: in English.
        """
        names = np.array(self._asked.names, bool)
        if len(names) > 1:
            names &= (self._times > 0).any(axis=1)
        known = len(names) == 1 and ENGLISH.name in self._asked.languages
        return names if names.any() or known else None

    def _alike_in_words(self, wholly: Pairs, nearly: Pairs, changed: Pairs) -> Pairs:
        """The shipped vectors know little of these scripts: what it has of its words decides.

        All of them by themselves, or two of three where vectors agree or are silent; half where
        the newer tells of a change, for a letter between two others breaks two pairs.
        """
        has = self._times > 0
        shared = has.T.astype(np.int64) @ has
        enough = np.where(changed, shared * 2 >= has.sum(axis=0), shared * 3 >= has.sum(axis=0) * 2)
        alike: Pairs = nearly & enough
        alike |= wholly & with_all_of_its(has)
        alike &= has.any(axis=0)
        return alike
