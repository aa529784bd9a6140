"""Ports: interfaces of the engine to clock, spool, disk reserve, embedder and model."""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import msgspec

from muniment.model.kinds.episode import Goal
from muniment.model.kinds.memo import Mandate, Template
from muniment.model.kinds.turn_export import StateExport
from muniment.rules.privacy.rule import OutsideFinding


class Clock(Protocol):
    """Time as an input. `now` is stamped once at the edge; `wait` passes ticks before a retry."""

    def now(self) -> str:
        """Fixed-width UTC text, or empty where no clock is wanted."""

    def wait(self, ticks: int) -> None: ...


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A write that finally failed: durable until the log has recorded it."""

    stream: str
    operation: str
    code: str


class Spool(Protocol):
    def add(self, failure: Failure) -> None: ...

    def pending(self, stream: str) -> list[Failure]: ...

    def remove(self, failure: Failure) -> None: ...


class ReservedSpace(Protocol):
    """Room set aside for a bad day: a full disk must still take the note that it is full."""

    def release_ballast(self) -> bool: ...

    def restore_ballast(self, *, partly: bool = False) -> bool:
        """Whether all of it is held again; where the disk has less, `partly` takes that."""


class NoBallast:
    """For stores that cannot run full while the process lives."""

    def release_ballast(self) -> bool:
        return False

    def restore_ballast(self, *, partly: bool = False) -> bool:
        del partly
        return False


class Embedder(Protocol):
    """A text as a vector of int8; whoever makes it has a name that changes with the numbers."""

    @property
    def name(self) -> str: ...

    @property
    def dims(self) -> int: ...

    def embed(self, text: str) -> bytes:
        """One byte for each dimension, or none of a text that it knows nothing of.

        It may fail: what waits for it is tried again later.
        """


def question_embed(embedder: Embedder) -> Callable[[str], bytes]:
    """How an embedder reads a question: as any text, unless it says otherwise."""
    found: Callable[[str], bytes] = getattr(embedder, "embed_question", embedder.embed)
    return found


def is_repeatable(embedder: Embedder) -> bool:
    """Whether a text has the same vector on every machine and on every day.

    An embedder that says `pure = False` of itself is asked once, and its answers are kept.
    """
    return bool(getattr(embedder, "pure", True))


@runtime_checkable
class Model(Protocol):
    """Somebody who puts things into words: asked once, written down, and never asked again.

    It may fail: then the engine's own words have to do, and the log says so.
    """

    @property
    def name(self) -> str: ...

    def summarise(self, texts: Sequence[str], tokens_max: int) -> str:
        """What these texts say, in at most so many tokens."""

    def extract(self, text: str, wanted: str) -> str:
        """What is wanted of a text, as JSON."""


class Detector(Protocol):
    """Somebody who finds personal data that has no form: names, addresses, illnesses.

    It is asked beside the rules for every text that is to be kept, and shown no secret that they
    found. What it finds is recorded with the command, so a proof asks nobody. It may fail or take
    too long: then nothing of what was said is kept.
    """

    @property
    def name(self) -> str:
        """Who it is and of which version, in letters, digits and `._:@/-`."""

    def find(self, text: str) -> Sequence[OutsideFinding]: ...


class Exporter(Protocol):
    """Who is told what a turn changed: `episodic`, `semantic` and `frontal_cortex`, one by one.

    It may fail, and the same export may come twice: its id says so.
    """

    def export(self, target: str, told: StateExport) -> None: ...


class Consciousness(Protocol):
    """What an agent is told to insist on; read when a turn begins, and logged as heard."""

    def mandates(self, agent: str) -> Sequence[Mandate]: ...

    def templates(self, agent: str) -> Sequence[Template]: ...


class FrontalCortex(Protocol):
    """Where goals come from; read when a turn begins, and logged as heard."""

    def goals(self, agent: str, user: str) -> Sequence[Goal]: ...


class Tokenizer(Protocol):
    """Counts tokens as the model at hand does; receipts say its name, and what it counted."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int: ...


class Reranker(Protocol):
    """Somebody who says how well texts answer a question; kept in the receipt of a recall.

    It may fail: then the order is our own.
    """

    @property
    def name(self) -> str: ...

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """A number for each text; the larger, the better it answers."""


class QueryRewriter(Protocol):
    """Somebody who says a question in words that are better to search with.

    It may fail: then the question is asked as it is.
    """

    def rewrite(self, query: str) -> str: ...


class Neighbours(msgspec.Struct, frozen=True, kw_only=True):
    """The systems around a memory; each may be absent."""

    exporter: Exporter | None = None
    consciousness: Consciousness | None = None
    frontal_cortex: FrontalCortex | None = None
    embedders: tuple[Embedder, ...] = ()  # that a policy may name, beside those that ship
    reranker: Reranker | None = None  # of what a recall found
    rewriter: QueryRewriter | None = None  # of what a recall is asked
    detector: Detector | None = None  # of names and addresses, beside the rules
    tokenizer: Tokenizer | None = None  # without one, tokens are estimated
    # Without one, summaries are made of the texts' own sentences and nothing is extracted. It may
    # be named (`ollama:qwen3`) or be a function of instructions and a text.
    model: Model | str | Callable[[str, str], str] | None = None


@runtime_checkable
class Lexicon(Protocol):
    """An embedder that also knows words: which others mean nearly the same, in millionths."""

    def kin(self, word: str) -> Sequence[tuple[str, int]]: ...


class SilentClock:
    """No clock at all: every moment is a seeded one, and waiting takes no time."""

    def now(self) -> str:
        return ""

    def wait(self, ticks: int) -> None:
        del ticks


class MemorySpool:
    """A spool that lives as long as its process; for stores that do so too."""

    def __init__(self) -> None:
        self._failures: list[Failure] = []

    def add(self, failure: Failure) -> None:
        self._failures.append(failure)

    def pending(self, stream: str) -> list[Failure]:
        return [failure for failure in self._failures if failure.stream == stream]

    def remove(self, failure: Failure) -> None:
        if failure in self._failures:
            self._failures.remove(failure)
