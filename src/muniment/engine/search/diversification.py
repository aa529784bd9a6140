"""Result diversification: of what answers, best first, only what says something of its own.

Small talk, near-duplicates and sources that have said enough make room for the next answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from muniment.engine.search.recall_filter import (
    NEAR_DUPLICATE,
    SAYS_NOTHING,
    SOURCE_CAP,
    RecallFilter,
)
from muniment.model.kinds.episode import Fact
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text.near_duplicates import TextSignature, ToldTexts, saying, spoken_by
from muniment.retrieval.index.document_status import Stands
from muniment.retrieval.languages import small_talk
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.ranking.ranker import Ranking
from muniment.retrieval.text.sentence_frame import SentenceFrames, result_form

ANSWERS: Final = "answers"  # the term of what was said behind a question that matches
# Where words are not parted, a letter tells little, and so does a pair that bends others.
_TELLING = lazy_pattern(r"[^\W_\u3041-\u309f].|\d")

ALIKE_PPM: Final = 800_000  # of all their words, from which two texts are one answer
WALKED: Final = 4  # times as many as are wanted: how many are read to find that many
TOOL: Final = "tool"  # the origin of what a machine gave back
FRAMED: Final = 2  # sentences of one frame in a context that have no word of its question


class RecallCandidate(msgspec.Struct, frozen=True):
    """One thing that may answer: of the collection, or a governed fact."""

    score_ppm: int
    moment: int
    id: str
    number: int  # in its collection
    ranking: Ranking
    stands: Stands
    said: int = 0  # a number that texts of the same words share; 0: nobody has counted
    speaker: str = ""
    fact: Fact | None = None


class Pick(msgspec.Struct, frozen=True):
    """One candidate that made it through every stage, and what it says."""

    candidate: RecallCandidate
    said: TextSignature


class Drop(msgspec.Struct, frozen=True):
    """One candidate that did not: where, and against what."""

    candidate: RecallCandidate
    stage: str
    rank: int  # its place in the order, counted from 1
    other: str = ""  # the id of what it repeats


class Choice:
    """What was picked so far, and what was dropped.

    To tell a near-duplicate takes its text, and so many are read at most. Whoever repeats one text
    a thousand times, or says a thousand things, must not use that up: where all of it went without
    enough picks, copies and sources that have said enough are passed over unread. Results of tools
    that name no source have their form for one; in a context, whose room is for the rest of a life
    too, so has what somebody says again with another word in it.
    """

    def __init__(self, asked: Query, wanted: RecallFilter, per_source: int) -> None:
        self._asked = asked
        self.picks: list[Pick] = []
        self.drops: list[Drop] = []
        self._wanted, self._per_source = wanted.results_max, per_source
        self._frames = SentenceFrames() if wanted.disclosed else None
        self._told = ToldTexts(ALIKE_PPM)
        self._given: set[str] = set()
        self._heard: dict[int, str] = {}  # by the number of its words, who says it in the answer
        self._worded: dict[tuple[str, str], str] = {}  # the same by who says it, to the letter
        # By source or form, the ids of what it has said in the answer.
        self._sources: defaultdict[int | str, list[str]] = defaultdict(list)
        self._folded = 0  # results of forms that have said enough

    def lacking(self) -> int:
        return self._wanted - len(self.picks)

    def unheard(
        self, walked: Iterable[tuple[int, RecallCandidate]]
    ) -> Iterator[tuple[int, RecallCandidate]]:
        """Those whose texts are worth reading."""
        left = 2 * self._wanted * WALKED
        for place, candidate in walked:
            flooded = place > self._wanted * WALKED
            if flooded and (drop := self._known(place, candidate)) is not None:
                self.drops.append(drop)
            elif not left:
                return
            else:
                left -= 1
                yield place, candidate

    def hear(self, place: int, candidate: RecallCandidate, text: str) -> None:
        if other := self._worded.get((candidate.speaker, text)):
            # Most of what is said again in a long life is: to compare it would tell the same.
            self.drops.append(Drop(candidate, NEAR_DUPLICATE, place, other))
            return
        spoken = told = saying(text)
        if candidate.speaker:  # the same words of two people are two sayings
            told = saying(spoken_by(candidate.speaker, text))
        if self._says_nothing(candidate, spoken):
            self.drops.append(Drop(candidate, SAYS_NOTHING, place))
            return
        if candidate.id in self._given:  # another part of a long text
            self.drops.append(Drop(candidate, NEAR_DUPLICATE, place, candidate.id))
            return
        twin = self._told.twin(told)
        if twin >= 0:
            other = self.picks[twin].candidate.id
            self._note(candidate, text, other)
            self.drops.append(Drop(candidate, NEAR_DUPLICATE, place, other))
        elif first := self._has_said_enough(source := self._source(candidate, text)):
            self.drops.append(Drop(candidate, SOURCE_CAP, place, first))
            self._folded += isinstance(source, str)
        elif framed := self._is_framed(candidate, spoken):
            self.drops.append(Drop(candidate, SOURCE_CAP, place, framed))
        else:
            self._sources[source].append(candidate.id)
            self._note(candidate, text, candidate.id)
            self.picks.append(Pick(candidate, spoken))
            self._given.add(candidate.id)
            self._told.add(told)

    def _note(self, candidate: RecallCandidate, text: str, said_by: str) -> None:
        """Whoever says just this again says the same as the one who is in the answer."""
        self._heard.setdefault(candidate.said, said_by)
        self._worded[candidate.speaker, text] = said_by

    def _says_nothing(self, candidate: RecallCandidate, said: TextSignature) -> bool:
        """A courtesy that nobody asks for; behind a question like this one it may be a yes."""
        if said.text.isascii() and small_talk.is_none_of(said.words):
            return False
        if not small_talk.is_all(said.text) or self._asked.matched(said):
            return False
        return not candidate.ranking.term(candidate.number, ANSWERS)

    def _is_framed(self, candidate: RecallCandidate, said: TextSignature) -> str:
        """The first of those of one frame that were picked, where there are enough of them."""
        if self._frames is None or candidate.stands.source:
            return ""
        if any(_TELLING.search(word) for word in self._asked.matched(said)):
            return ""
        like = self._frames.like(said.text)
        # What has nothing of the question only fills the room.
        if len(like) >= (FRAMED if candidate.score_ppm > 1 else 1):
            return like[0]
        self._frames.add(candidate.id, said.text)
        return ""

    def _known(self, place: int, candidate: RecallCandidate) -> Drop | None:
        if candidate.said and (other := self._heard.get(candidate.said)):
            return Drop(candidate, NEAR_DUPLICATE, place, other)
        if _is_unnamed(candidate) and self._folded >= self._wanted:
            return Drop(candidate, SOURCE_CAP, place)  # in a flood of results, of whatever form
        first = self._has_said_enough(candidate.stands.source)
        return Drop(candidate, SOURCE_CAP, place, first) if first else None

    def _source(self, candidate: RecallCandidate, text: str) -> int | str:
        """Who says it: a source by its number, or the form of a text; 0: nobody known.

        Results of tools go by their form. So does everything where all that is known of somebody
        is asked for: thirty days that differ in a number leave room for the rest of a life.
        """
        if candidate.stands.source:
            return candidate.stands.source
        return result_form(text) if self._asked.of_all or _is_unnamed(candidate) else 0

    def _has_said_enough(self, source: int | str) -> str:
        """The first that a source or form has said, once it has said enough."""
        said = self._sources[source] if source else []
        return said[0] if len(said) >= self._per_source and said else ""


def _is_unnamed(candidate: RecallCandidate) -> bool:
    return not candidate.stands.source and candidate.stands.origin == TOOL
