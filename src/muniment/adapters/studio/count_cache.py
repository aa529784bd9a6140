"""Counts that are kept warm: of each log, and about the persons who were asked for last.

A page reads so many entries at most. What is left it says, and the next one goes on from there;
so nothing is counted for somebody who has left.
"""

from threading import Lock
from typing import Final

from muniment.adapters.studio.far import Far
from muniment.engine.api.memory import Memory
from muniment.engine.audit.auditor import About
from muniment.engine.audit.log_statistics import Survey
from muniment.engine.audit.person_report import Dossier
from muniment.model.scope import StreamId

STEP_ENTRIES: Final = 5_000  # read for one page: about a third of a second
STEP_LOGS: Final = 100  # opened for one page, however short they are
DOSSIERS_KEPT: Final = 8


class Counting:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._guard = Lock()
        self._turns: dict[str, Lock] = {}  # who counts the same log waits, and finds it counted
        self._surveys: dict[str, Survey] = {}
        self._dossiers: dict[str, Dossier] = {}
        self._writing = Lock()  # a dossier is written in, so one person at a time

    def survey(self, stream: StreamId) -> tuple[Survey, Far]:
        """The counts of a log, as far as they are; nobody changes them afterwards."""
        with self._guard:
            turn = self._turns.setdefault(stream.text, Lock())
        with turn:
            known, head = self._surveys.get(stream.text), self._memory.head(stream)
            told = self._memory.auditor().survey(stream, known, most=STEP_ENTRIES)
            self._surveys[stream.text] = told
        return told, Far(told.upto, max(head, told.upto))

    def about(self, user: str) -> tuple[About, Far]:
        """What is known about a person, as far as the logs were read."""
        auditor = self._memory.auditor()
        with self._writing:
            begun = self._dossiers.pop(user, None)
            found = auditor.dossier(user, begun, most=STEP_ENTRIES, logs_most=STEP_LOGS)
            self._dossiers[user] = found  # the one asked for last stands last
            while len(self._dossiers) > DOSSIERS_KEPT:
                del self._dossiers[next(iter(self._dossiers))]
            whole = sum(found.lengths.values())
            return auditor.told(found), Far(found.done, max(whole, found.done))
