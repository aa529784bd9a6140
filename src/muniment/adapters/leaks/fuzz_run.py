"""Leak run: plants a canary at every seat through every door, and reports who heard which."""

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import msgspec

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.door_files import open_credentials
from muniment.adapters.leaks import doors, facts, projects, scratch, seats
from muniment.adapters.leaks.doors import AdapterFactory, LeakAdapter
from muniment.adapters.leaks.scratch import Scratch
from muniment.adapters.leaks.seats import LeakSeat
from muniment.adapters.operations import backup
from muniment.adapters.storage import file_scan
from muniment.adapters.storage.sqlite.store import STREAMS
from muniment.engine.api.memory import Memory
from muniment.model.errors import MunimentError, RefusedError
from muniment.model.policy import Policy
from muniment.model.scope import StreamKind

LETTERS: Final = "bdfgklmnprstvz"
VOWELS: Final = "aeiou"
LEAK, VACUOUS, CLEAN = "leak", "vacuous", "clean"
ADAPTER: Final = "adapter"
ABSENT: Final = ImportError.__name__  # a door whose packages are not installed is not there
Step = Callable[[int], None]


class Canary(msgspec.Struct, frozen=True, kw_only=True):
    """A word that nobody ever said, planted at one seat through one door."""

    word: str
    owner: LeakSeat
    door: str

    @property
    def text(self) -> str:
        """Three words of its own and one that all share: no two are told as the same thing."""
        return f"garden {self.word} {self.word[::-1]} {self.word}{self.word[:2]}"


class Leak(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody, or some file, that holds what was told elsewhere."""

    door: str  # through which it came in
    owner: str
    place: str  # where it was found
    reader: str = ""


class LeakReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was planted and found, door by door."""

    planted: dict[str, int]
    refused: dict[str, int]  # by the set-up's own policy
    found: dict[str, int]  # by whoever may: a door without any tells nothing
    failed: dict[str, str] = {}  # doors that cannot be opened here, and why
    seats: tuple[str, ...] = ()
    looked: int = 0
    leaks: tuple[Leak, ...] = ()

    @property
    def vacuous(self) -> tuple[str, ...]:
        """Doors that broke, or whose canaries nobody found, not even who may: they show nothing."""
        if not any(self.planted.values()):
            return ("every door",)
        broken = {each for each, why in self.failed.items() if not why.startswith(ABSENT)}
        return tuple(sorted({each for each in self.planted if not self.found.get(each)} | broken))

    @property
    def outcome(self) -> str:
        return LEAK if self.leaks else VACUOUS if self.vacuous else CLEAN


def run(
    address: str,
    settings: Settings,
    *,
    adapters: Mapping[str, AdapterFactory] | None = None,
    terminal: Callable[[list[str]], str] | None = None,
    step: Step = lambda _: None,
) -> LeakReport:
    """In a scratch copy of a set-up: its policy, names and grants, and none of its words."""
    grants = [each.grant for each in open_credentials(address, settings).known().values()]
    with open_memory(address, settings) as memory:
        cast = seats.of_setup(memory, grants)
        policy = _policy_of(memory, settings)
    folder = Path(tempfile.mkdtemp(prefix="muniment-leaks-"))
    try:
        own = msgspec.structs.replace(settings, policy=policy, keys="")
        with scratch.opened(folder / "memory", own, cast) as found:
            found.terminal = terminal
            return LeakRun(found, adapters or {}, step).report()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _policy_of(memory: Memory, settings: Settings) -> Policy:
    """That of a log; of governed facts the council's says who decides and who reads them."""
    streams = memory.streams()
    policy = next((memory.policy(each) for each in streams), settings.policy)
    councils = [memory.policy(each) for each in streams if each.kind is StreamKind.COUNCIL]
    if not councils:
        return policy
    governed = {"sem": councils[0].sem, "governance": councils[0].governance}
    return msgspec.structs.replace(policy, **governed)


class LeakRun:
    """One run over one scratch set-up."""

    def __init__(
        self, it: Scratch, adapters: Mapping[str, AdapterFactory], step: Step = lambda _: None
    ) -> None:
        self._it = it
        self._cast = it.seats
        self._step = step
        self._adapters: dict[str, dict[LeakSeat, LeakAdapter]] = {
            name: {seat: made(it.agent(seat)) for seat in it.seats}
            for name, made in adapters.items()
        }
        self._canaries: list[Canary] = []
        self._planted: dict[str, int] = {}
        self._refused: dict[str, int] = {}
        self._found: dict[str, int] = {}
        self._failed: dict[str, str] = {}
        self._leaks: dict[Leak, None] = {}
        self._looked = 0

    def report(self) -> LeakReport:
        self._plant()
        for place, reader, told in self._told():
            self._look(place, reader, told)
            self._looked += 1
            self._step(self._looked)
        return LeakReport(
            planted=self._planted,
            refused=self._refused,
            found=self._found,
            failed=self._failed,
            seats=tuple(each.name for each in self._cast),
            looked=self._looked,
            leaks=tuple(self._leaks),
        )

    # ── In ──────────────────────────────────────────────────────────────────────────────────────

    def _plant(self) -> None:
        for name, plant in doors.PLANTS.items():
            for seat in self._cast:
                self._put(name, seat, partial(plant, self._it, seat))
        for name, made in self._adapters.items():
            for seat, adapter in made.items():
                self._put(f"{ADAPTER} {name}", seat, adapter.put)

    def _put(self, door: str, seat: LeakSeat, plant: Callable[[str], object]) -> None:
        canary = Canary(word=_word(len(self._canaries)), owner=seat, door=door)
        self._canaries.append(canary)
        try:
            plant(canary.text)
        except RefusedError:
            self._refused[door] = self._refused.get(door, 0) + 1
        except Exception as error:
            self._failed[door] = _told(error)
        else:
            self._planted[door] = self._planted.get(door, 0) + 1

    # ── Out ─────────────────────────────────────────────────────────────────────────────────────

    def _told(self) -> Iterator[tuple[str, LeakSeat | None, str]]:
        """Every place, who stands there (nobody: nobody may hear anything), and what is told."""
        for name, look in doors.LOOKS.items():
            for seat in self._cast:
                yield (
                    name,
                    seat,
                    self._heard(name, partial(look, self._it, seat)),
                )
        for name, made in self._adapters.items():
            for seat, adapter in made.items():
                told = self._heard(name, partial(adapter.ask, doors.ASKED))
                yield f"{ADAPTER} {name}", seat, told
        for tenant in sorted({each.tenant for each in self._cast}):
            for name, said in doors.offices(self._it, tenant).items():
                yield name, None, doors.spelled(said)
        yield "logs", None, "\n".join(self._it.logged)
        yield "files", None, self._in_files(self._it.folder)
        yield "backup", None, self._in_files(self._copied())

    def _heard(self, name: str, look: Callable[[], object]) -> str:
        try:
            return doors.spelled(look())
        except Exception as error:
            self._failed[name] = _told(error)
            return ""

    def _look(self, place: str, reader: LeakSeat | None, told: str) -> None:
        for canary in self._canaries:
            if canary.word not in told:
                continue
            if reader is not None and self._may_hear(reader, canary):
                self._found[canary.door] = self._found.get(canary.door, 0) + 1
                continue
            leak = Leak(
                door=canary.door,
                owner=canary.owner.name,
                place=place,
                reader=reader.name if reader else "",
            )
            self._leaks[leak] = None

    def _may_hear(self, reader: LeakSeat, canary: Canary) -> bool:
        """By whose it is; of a fact the policy says who reads it, of a project who enters it."""
        owner, door = canary.owner, canary.door
        if door in facts.DOORS:
            return facts.may_read(self._it, reader, owner, door, canary.text)
        if door in projects.DOORS:
            return projects.may_read(reader, owner)
        return reader.may_hear(owner)

    def _in_files(self, folder: Path) -> str:
        """The canaries that some file below a folder holds."""
        words = [each.word.encode() for each in self._canaries]
        return b" ".join(file_scan.held(folder, words)).decode()

    def _copied(self) -> Path:
        target = self._it.folder.parent / "backup"
        with suppress(MunimentError):
            if (self._it.folder / STREAMS).is_dir():
                backup.backup(self._it.folder, target, self._it.settings)
        return target


def junit(report: LeakReport) -> bytes:
    """A case for each door: what leaked through it, or that nothing of it was heard at all."""
    doors_known = sorted({*report.planted, *report.refused, *report.failed})
    suite = ElementTree.Element(
        "testsuite", name="muniment fuzz-leaks", tests=str(len(doors_known))
    )
    failures = 0
    for door in doors_known:
        case = ElementTree.SubElement(suite, "testcase", classname="leaks", name=door)
        leaks = [each for each in report.leaks if each.door == door]
        if leaks:
            told = "\n".join(f"{each.owner} at {each.place} {each.reader}" for each in leaks)
            ElementTree.SubElement(case, "failure", message=f"{len(leaks)} leaks").text = told
        elif door in report.vacuous:
            ElementTree.SubElement(case, "failure", message="nobody found its canaries")
        elif not report.planted.get(door):
            why = report.failed.get(door, "refused by the policy")
            ElementTree.SubElement(case, "skipped", message=why)
        failures += case.find("failure") is not None
    if not doors_known or "every door" in report.vacuous:
        case = ElementTree.SubElement(suite, "testcase", classname="leaks", name="every door")
        ElementTree.SubElement(case, "failure", message="nothing was planted")
        failures += 1
    suite.set("failures", str(failures))
    written: bytes = ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True)
    return written


def _told(error: Exception) -> str:
    kind = ABSENT if isinstance(error, ImportError) else type(error).__name__
    return f"{kind}: {error}"[:200]


def _word(number: int) -> str:
    """A word of ten letters that is in no language, for each number another one."""
    drawn = hashlib.sha256(f"canary {number}".encode()).digest()
    return "".join(
        LETTERS[one % len(LETTERS)] + VOWELS[two % len(VOWELS)]
        for one, two in zip(drawn[:5], drawn[5:10], strict=True)
    )
