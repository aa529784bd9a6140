"""NER detectors: any function that finds names and places in a text, and Presidio, with a limit.

What has no form (names, addresses, illnesses) is found by a model, if at all. The caller brings it;
nothing is downloaded here. It is asked in a thread of its own: one that hangs costs its time and
not the writer's, and what it did not look at is not kept.
"""

import hashlib
import queue
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Protocol

from muniment.model.errors import InputError
from muniment.model.lru_cache import LruCache
from muniment.rules.privacy.rule import OutsideFinding, Risk

TIMEOUT_SECONDS: Final = 2.0
AT_ONCE_MAX: Final = 4  # of one detector; those that hang count until they come back
ANSWERS_KEPT: Final = 256  # by the digest of the text: a question is screened more than once

# What Presidio and spaCy call what they find, and what it is called here.
KINDS: Final[Mapping[str, tuple[str, Risk]]] = {
    "PERSON": ("person", "medium"),
    "PER": ("person", "medium"),
    "LOCATION": ("location", "low"),
    "LOC": ("location", "low"),
    "GPE": ("location", "low"),
    "FAC": ("location", "low"),
    "ADDRESS": ("address", "medium"),
    "STREET_ADDRESS": ("address", "medium"),
    "NRP": ("group", "high"),
    "NORP": ("group", "high"),
    "ORGANIZATION": ("organization", "low"),
    "ORG": ("organization", "low"),
    "MEDICAL_LICENSE": ("licence", "high"),
    "MEDICAL_CONDITION": ("health", "high"),
}
Labelled = tuple[int, int, str]  # start, end, label


class DetectorBusyError(Exception):
    """Too many of its calls have not come back."""


class NerDetector:
    """A function from a text to `(start, end, label)` as a detector; other labels are ignored."""

    def __init__(
        self,
        name: str,
        function: Callable[[str], Iterable[Labelled]],
        *,
        kinds: Mapping[str, tuple[str, Risk]] = KINDS,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        if timeout_seconds <= 0:
            raise InputError("a detector needs some time: timeout_seconds must be more than 0")
        self.name = name
        self._function, self._kinds, self._timeout = function, dict(kinds), timeout_seconds
        self._free = threading.BoundedSemaphore(AT_ONCE_MAX)
        self._known = LruCache[bytes, tuple[OutsideFinding, ...]](ANSWERS_KEPT)

    def find(self, text: str) -> Sequence[OutsideFinding]:
        digest = hashlib.sha256(text.encode(errors="surrogatepass")).digest()
        found = self._known.get(digest)
        if found is None:
            found = self._named(self._asked(text))
            self._known.put(digest, found)
        return found

    def _named(self, labelled: Iterable[Labelled]) -> tuple[OutsideFinding, ...]:
        known = [
            (start, end, self._kinds[label])
            for start, end, label in labelled
            if label in self._kinds
        ]
        return tuple(
            OutsideFinding(kind=kind, risk=risk, start=start, end=end)
            for start, end, (kind, risk) in known
        )

    def _asked(self, text: str) -> list[Labelled]:
        """The function's answer, or its failure, or that it took too long."""
        if not self._free.acquire(timeout=self._timeout):
            raise DetectorBusyError(f"{self.name}: {AT_ONCE_MAX} calls have not come back")
        answers = queue.SimpleQueue[list[Labelled] | Exception]()
        threading.Thread(target=self._work, args=(text, answers), daemon=True).start()
        try:
            answer = answers.get(timeout=self._timeout)
        except queue.Empty:
            raise TimeoutError(f"{self.name} took longer than {self._timeout} s") from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _work(self, text: str, answers: "queue.SimpleQueue[list[Labelled] | Exception]") -> None:
        try:
            answers.put(list(self._function(text)))
        except Exception as error:  # told to whoever waits
            answers.put(error)
        finally:
            self._free.release()


class PresidioResult(Protocol):
    """One finding of Presidio's, as its analyzer tells it."""

    entity_type: str
    start: int
    end: int


class PresidioAnalyzer(Protocol):
    """As much of Presidio's `AnalyzerEngine` as is asked."""

    def analyze(
        self, text: str, language: str, *, entities: list[str], score_threshold: float
    ) -> Sequence[PresidioResult]: ...


def presidio(
    analyzer: PresidioAnalyzer,
    *,
    language: str = "en",
    entities: Iterable[str] = ("PERSON", "LOCATION", "NRP"),
    score_min: float = 0.5,
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> NerDetector:
    """Presidio as a detector: `presidio(AnalyzerEngine(nlp_engine=…))`.

    It asks for what has no form; what has one is found without it.
    """
    wanted = sorted(entities)

    def analyze(text: str) -> list[Labelled]:
        found = analyzer.analyze(text, language, entities=wanted, score_threshold=score_min)
        return [(each.start, each.end, each.entity_type) for each in found]

    return NerDetector(f"presidio-{language}", analyze, timeout_seconds=timeout_seconds)
