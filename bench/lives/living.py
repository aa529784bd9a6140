"""Living a life: every step of a plot through one door, with what was answered and what it cost."""

import re
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar

import apsw

from bench.figures import Timing
from bench.lives import plot
from bench.lives.doors import DOORS
from bench.lives.plot import Forgetting, Night, Person, Plan, Question, Turn
from bench.raw import RawStore
from muniment import Agent, Memory, MunimentError
from muniment.adapters.config import IN_MEMORY, Settings, open_memory
from muniment.adapters.storage.file_scan import PASSING
from muniment.adapters.system.clock import PacedClock
from muniment.engine.api.operations import Onlooker

START = "2026-01-05T00:00:00.000Z"
DAY_MINUTES = 24 * 60
BUDGETS = (300, 800, 2_000)
PROMPT_TOKENS = 800  # of the context that each turn is answered with
TOP = 5
FORGET_ROUNDS, FORGET_HITS = 2, 30
STAGES = 4  # of a life, in which costs are told apart
BARE_INSERTS = 200
BALLAST = "ballast"
SPACELESS = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")  # scripts without spaces between words
Told = TypeVar("Told")


@dataclass(frozen=True)
class Answer:
    """How one question was answered."""

    kind: str
    how: str
    language: str
    age_days: int
    day: int
    question: str
    wanted: str
    given: str  # what came first
    first: bool
    top: bool
    inside: tuple[bool, ...]  # for each of the budgets
    stale: bool
    leaked: bool  # what was forgotten, or is somebody else's, was given out
    talk: bool | None  # a conversation's own recall in a new session; None: not asked


@dataclass
class Stage:
    """What a part of a life cost."""

    turns: int = 0
    entries: int = 0
    bytes: int = 0
    write_ms: list[float] = field(default_factory=list)
    context_ms: list[float] = field(default_factory=list)


@dataclass
class Lived:
    """Everything that was seen in one life."""

    door: str
    plan: Plan
    answers: list[Answer] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    maintenance_ms: float = 0
    seconds: float = 0
    proved: int = 0  # entries, in so many seconds of CPU
    prove_seconds: float = 0
    raw_cpu_ms: float = 0  # of a bare durable insert beside it, and by the clock
    raw_wall_ms: float = 0


def live(plan: Plan, door: str, folder: Path | None, *, prompted: bool = True) -> Lived:
    """One life in a folder of its own, or in no folder at all.

    Without `prompted` no turn is preceded by its context.
    """
    began = time.perf_counter()
    life = Life(plan, door, folder, prompted=prompted)
    with life.memory:
        for step in plot.steps(plan):
            life.take(step)
        life.close_stage()
        life.prove()
        life.insert_bare()
    life.lived.seconds = time.perf_counter() - began
    return life.lived


class Life:
    """One memory that lives a plot, step by step."""

    def __init__(self, plan: Plan, door: str, folder: Path | None, *, prompted: bool) -> None:
        self.lived = Lived(door=door, plan=plan)
        self._clock = PacedClock(START)
        self._folder, self._tell, self._prompted = folder, DOORS[door], prompted
        settings = Settings(clock=self._clock, seed=b"lives")
        self.memory: Memory = open_memory(folder or IN_MEMORY, settings)
        self._stage = Stage()
        self._entries, self._bytes = 0, _size(folder)
        self._stage_turns = -(-plan.turns // STAGES)

    def take(self, step: plot.Step) -> None:
        if isinstance(step, Turn):
            self._clock.move_to_minute(step.day * DAY_MINUTES + step.minute)
            self._turn(step)
        elif isinstance(step, Night):
            self._clock.move_to_minute(step.day * DAY_MINUTES + 23 * 60)
            _, spent = _timed(lambda: self._night(step))
            self.lived.maintenance_ms += spent
        elif isinstance(step, Forgetting):
            self._forget(step)
        else:
            self.answer(step)

    def close_stage(self) -> None:
        entries, size = self._count(), _size(self._folder)
        if self._stage.turns:
            self._stage.entries, self._stage.bytes = entries - self._entries, size - self._bytes
            self.lived.stages.append(self._stage)
        self._stage, self._entries, self._bytes = Stage(), entries, size

    def prove(self) -> None:
        """How fast all of it is decided again."""
        told, spent = _timed(self.memory.prove)
        self.lived.proved = sum(each.entries for each in told)
        self.lived.prove_seconds = spent / 1e3

    def insert_bare(self) -> None:
        """What this machine takes for a durable insert of a sentence, with no memory around it."""
        if self._folder is None:
            return
        bare, timing = RawStore(self._folder / "bare.db"), Timing("bare insert")
        for n in range(BARE_INSERTS):
            timing.run(lambda n=n: bare.remember([f"Sentence {n} of no life at all."]))  # type: ignore[misc]
        self.lived.raw_cpu_ms, self.lived.raw_wall_ms = timing.cpu_us / 1e3, timing.wall_ms(50)

    def _turn(self, turn: Turn) -> None:
        ada = self._agent(turn.person)
        if self._prompted:
            _, spent = _timed(lambda: ada.context(turn.said, budget=PROMPT_TOKENS))
            self._stage.context_ms.append(spent)
        _, spent = _timed(lambda: self._attempt(self._tell, ada, turn))
        self._stage.write_ms.append(spent)
        self._stage.turns += 1
        if self._stage.turns == self._stage_turns:
            self.close_stage()

    def _night(self, night: Night) -> None:
        for agent, user in self._people():
            self.memory.agent(agent, user=user).compact(due_only=True)
        if night.dreams:
            for agent in dict.fromkeys(agent for agent, _ in self._people()):
                self.memory.subconscious(agent).dream()

    def _forget(self, step: Forgetting) -> None:
        """As a person would: whatever an answer shows of it is forgotten, until none does."""
        ada = self._agent(step.person)
        for query in (step.question, *step.values) * FORGET_ROUNDS:
            hits = ada.recall(query, limit=FORGET_HITS).hits
            for hit in hits:
                if has_value(hit.text, step.values):
                    self._attempt(ada.forget, hit.id)

    def answer(self, asked: Question) -> None:
        self.lived.answers.append(self._answered(asked))

    def _answered(self, asked: Question) -> Answer:
        who = self.onlooker(asked)
        hits = [each.text for each in who.recall(asked.text).hits]
        contexts = [str(who.context(asked.text, budget=each)) for each in BUDGETS]
        wanted = (asked.answer,) if asked.answer else ()
        first, top = hits[:1], hits[:TOP]
        shown = "\n".join([*hits, *contexts])
        leaks = asked.foreign if wanted else (*asked.foreign, *asked.stale)
        return Answer(
            kind=asked.kind,
            how=asked.how,
            language=asked.person.book.language,
            age_days=asked.age_days,
            day=asked.day,
            question=asked.text,
            wanted=asked.answer,
            given=first[0] if first else "",
            first=_any(first, wanted),
            top=_any(top, wanted),
            inside=tuple(has_value(each, wanted) for each in contexts),
            stale=_any(first, asked.stale) and not _any(first, wanted),
            leaked=has_value(shown, leaks),
            talk=self._in_talk(asked, wanted),
        )

    def _in_talk(self, asked: Question, wanted: tuple[str, ...]) -> bool | None:
        if self.lived.door not in {"conversation", "mixed"}:
            return None
        talk = self._agent(asked.person).conversation(
            session=f"{asked.person.name}-asks-{asked.day}"
        )
        return has_value(talk.recall(asked.text).text, wanted)

    def onlooker(self, asked: Question) -> Onlooker:
        return self.memory.onlooker(asked.person.agent, user=asked.person.name)

    def _agent(self, person: Person) -> Agent:
        return self.memory.agent(person.agent, user=person.name)

    def _people(self) -> list[tuple[str, str]]:
        """Agent and user of everybody in this life."""
        count = self.lived.plan.people
        return list(zip(plot.AGENTS[:count], plot.PEOPLE[:count], strict=True))

    def _count(self) -> int:
        return sum(self.memory.head(each) for each in self.memory.streams())

    def _attempt(self, call: Callable[..., object], *given: object) -> None:
        """What a memory refuses is counted, and the life goes on."""
        try:
            call(*given)
        except MunimentError as error:
            code = str(error).split(":")[0][:40]
            self.lived.refused[code] = self.lived.refused.get(code, 0) + 1


def _timed(call: Callable[[], Told]) -> tuple[Told, float]:
    began = time.process_time()
    told = call()
    return told, (time.process_time() - began) * 1e3


def _any(texts: list[str], values: tuple[str, ...]) -> bool:
    return any(has_value(each, values) for each in texts)


def has_value(text: str, values: tuple[str, ...]) -> bool:
    """Whether a text names one of the values, whatever its capitals and spaces."""
    plain = " ".join(text.casefold().split())
    return any(_named(" ".join(each.casefold().split())).search(plain) for each in values)


@cache
def _named(value: str) -> re.Pattern[str]:
    """Where words are written apart, a value is no part of one."""
    edge = "" if SPACELESS.search(value) else r"(?!\w)"
    start = r"(?<!\w)" if edge and value[:1].isalnum() else ""
    return re.compile(start + re.escape(value) + edge)


def _size(folder: Path | None) -> int:
    """What stays on the disk: pages of databases, with those that still lie in a side file.

    The side files themselves, and the room that is held back for a full disk, grow with no turn.
    """
    if folder is None:
        return 0
    files = [each for each in folder.rglob("*") if each.is_file() and each.name != BALLAST]
    lasting = [each for each in files if not each.name.endswith(PASSING)]
    return sum(_pages(each) if each.suffix == ".db" else each.stat().st_size for each in lasting)


def _pages(path: Path) -> int:
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as opened:
        return int(opened.pragma("page_count")) * int(opened.pragma("page_size"))
