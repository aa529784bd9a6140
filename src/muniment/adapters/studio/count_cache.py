"""Count cache: counts of each log, and about recently viewed persons.

A page reads so many entries at most. What is left it says, and the next one goes on from there;
so nothing is counted for somebody who has left.
"""

from threading import Lock
from typing import Final, NamedTuple

from muniment.adapters.studio.known.catalogue import MemoryCatalogue
from muniment.adapters.studio.page_progress import PageProgress
from muniment.engine.api.memory import Memory
from muniment.engine.audit.auditor import About
from muniment.engine.audit.log_statistics import Survey
from muniment.engine.audit.person_report import Dossier
from muniment.model.scope import StreamId
from muniment.retrieval.entities.entity_relation import EntityRelation

STEP_ENTRIES: Final = 5_000  # read for one page: about a third of a second
STEP_CATALOGUE: Final = 1_000  # read for one page of what is known: every entry has to be opened
STEP_LOGS: Final = 100  # opened for one page, however short they are
DOSSIERS_KEPT: Final = 8
RELATIONS_KEPT: Final = 32


class Counting:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._guard = Lock()
        self._turns: dict[str, Lock] = {}  # who counts the same log waits, and finds it counted
        self._surveys: dict[str, Survey] = {}
        self._dossiers: dict[str, Dossier] = {}
        self._catalogue: MemoryCatalogue | None = None
        self._catalogued = b""  # how far erasures had come when it began
        self._cataloguing = Lock()
        self._writing = Lock()  # a dossier is written in, so one person at a time

    def survey(self, stream: StreamId) -> tuple[Survey, PageProgress]:
        """The counts of a log, as far as they are; nobody changes them afterwards."""
        with self._guard:
            turn = self._turns.setdefault(stream.text, Lock())
        with turn:
            known, head = self._surveys.get(stream.text), self._memory.head(stream)
            told = self._memory.auditor().survey(stream, known, most=STEP_ENTRIES)
            self._surveys[stream.text] = told
        return told, PageProgress(told.upto, max(head, told.upto))

    def about(self, user: str) -> tuple[About, PageProgress]:
        """What is known about a person, as far as the logs were read."""
        auditor = self._memory.auditor()
        with self._writing:
            begun = self._dossiers.pop(user, None)
            found = auditor.dossier(user, begun, most=STEP_ENTRIES, logs_most=STEP_LOGS)
            self._dossiers[user] = found  # the one asked for last stands last
            while len(self._dossiers) > DOSSIERS_KEPT:
                del self._dossiers[next(iter(self._dossiers))]
            whole = sum(found.lengths.values())
            return auditor.told(found), PageProgress(found.done, max(whole, found.done))

    def catalogue(self) -> tuple[MemoryCatalogue, PageProgress]:
        """Everything that is known, as far as the logs were read."""
        auditor = self._memory.auditor()
        with self._cataloguing:
            erasures = auditor.erasures
            if self._catalogue is None or self._catalogued != erasures:
                self._catalogue, self._catalogued = MemoryCatalogue(self._outside()), erasures
            told, left = self._catalogue, STEP_CATALOGUE
            lengths = auditor.lengths()
            for stream, length in lengths.items():
                after = told.upto.get(stream, 0)
                upto = min(after + left, length)
                if upto > after:
                    lines = self._memory.log(stream, after=after, upto=upto)
                    told.follow(stream, lines, auditor.named)
                    left -= upto - after
            whole = sum(lengths.values())
            return told, PageProgress(min(told.entries, whole), whole)

    def warm(self) -> None:
        """Read on until everything is known, step by step: pages are told as far as it is."""
        while not self.catalogue()[1].is_whole:
            pass

    def _outside(self) -> frozenset[str]:
        """The origins whose word waits for a person's, in any log."""
        found = (self._memory.policy(each).trust.quarantined for each in self._memory.streams())
        return frozenset(origin for origins in found for origin in origins)


class RelationsThen(NamedTuple):
    """Who was related to whom at one time, and who had been before."""

    held: list[EntityRelation]
    ended: list[EntityRelation]


class Relations:
    """Who is related to whom, of the persons who were asked for last: read once, till it changes.

    What `sign` names is compared: it is another whenever something about them has changed.
    """

    def __init__(self) -> None:
        self._held: dict[str, tuple[object, RelationsThen]] = {}
        self._erasures = b""  # how far erasures had come: what was read before is let go

    def is_known(self, user: str, sign: object, erasures: bytes) -> bool:
        if erasures != self._erasures:
            self._held, self._erasures = {}, erasures
        held = self._held.get(user)
        return held is not None and held[0] == sign

    def of(self, user: str) -> RelationsThen:
        return self._held[user][1]

    def keep(self, user: str, sign: object, told: RelationsThen) -> None:
        self._held.pop(user, None)
        self._held[user] = (sign, told)
        while len(self._held) > RELATIONS_KEPT:
            del self._held[next(iter(self._held))]
