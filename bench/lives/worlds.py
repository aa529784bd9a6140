"""Worlds: small lives written by hand, in the words that people happen to use.

`python -m bench.lives.worlds` tells each file of `worlds/` to a memory of its own, between everyday
small talk, asks its questions on their days, and prints how many were answered. A file is read line
by line:

    # what follows is no part of it
    @12                               the day of all that follows, until another is named
    I moved to Kettle Lane            what the person says
    < calendar: Dentist, 4 May        what a tool called `calendar` says
    ? Where do I live? | Kettle Lane / the Lane ! Harbour Street

Behind `|` stand the values that answer, of which a hit must have one; behind `!` those that were so
once. `--check` only says whether each question can be answered from what stands above it.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bench.figures import table
from bench.lives import phrasebook
from bench.lives.living import DAY_MINUTES, START, TOP, has_value
from muniment import Agent
from muniment.adapters.config import IN_MEMORY, Settings, open_memory
from muniment.adapters.system.clock import PacedClock
from muniment.engine.api.operations import Onlooker

FOLDER = Path(__file__).parent / "worlds"
BUDGETS = (300, 800)
SMALL_TALK = 2  # turns of small talk before each line that is told
AGENT, PERSON = "ada", "robin"


@dataclass(frozen=True)
class Said:
    day: int
    text: str
    tool: str = ""


@dataclass(frozen=True)
class Asked:
    day: int
    text: str
    values: tuple[str, ...]
    old: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answered:
    asked: Asked
    hits: tuple[str, ...]
    inside: tuple[bool, ...]

    @property
    def first(self) -> bool:
        return any(has_value(each, self.asked.values) for each in self.hits[:1])

    @property
    def top(self) -> bool:
        return any(has_value(each, self.asked.values) for each in self.hits[:TOP])

    @property
    def stale(self) -> bool:
        return not self.first and any(has_value(each, self.asked.old) for each in self.hits[:1])


class WorldError(ValueError):
    """A file of a world says something that cannot be read or answered."""


def read(path: Path) -> list[Said | Asked]:
    """What a file says, line by line."""
    day, steps = 1, list[Said | Asked]()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        words = line.strip()
        if not words or words.startswith("#"):
            continue
        try:
            if words.startswith("@"):
                day = int(words[1:])
            elif words.startswith("?"):
                steps.append(_asked(day, words[1:]))
            elif words.startswith("<"):
                tool, _, text = words[1:].partition(":")
                steps.append(Said(day, text.strip(), tool.strip()))
            else:
                steps.append(Said(day, words))
        except ValueError as error:
            raise WorldError(f"{path.name}:{number}: {error}: {line}") from error
    return steps


def _asked(day: int, words: str) -> Asked:
    text, _, rest = words.partition("|")
    now, _, old = rest.partition("!")
    values, before = (
        [each.strip() for each in some.split("/") if each.strip()] for some in (now, old)
    )
    if not values:
        raise ValueError("a question needs `| value`")
    return Asked(day, text.strip(), tuple(values), tuple(before))


def faults(path: Path) -> Iterator[str]:
    """What nothing above a question answers, days that run back, values that are also old."""
    told, last = list[str](), 0
    for step in read(path):
        if step.day < last:
            yield f"{path.name}: day {step.day} behind day {last}"
        last = step.day
        if isinstance(step, Said):
            told.append(step.text)
            continue
        if not any(has_value(each, step.values) for each in told):
            yield f"{path.name}: nothing above answers {step.text!r} with {step.values}"
        if step.old and not any(has_value(each, step.old) for each in told):
            yield f"{path.name}: nothing above says the old value of {step.text!r}: {step.old}"


def live(path: Path, door: str = "remember") -> list[Answered]:
    """Everything that a world asks, in the order in which it asks."""
    return [answer(asked, who) for asked, who in questions(path.name, read(path), door)]


def answer(asked: Asked, who: Onlooker) -> Answered:
    contexts = [str(who.context(asked.text, budget=each)) for each in BUDGETS]
    hits = tuple(each.text for each in who.recall(asked.text).hits)
    return Answered(asked, hits, tuple(has_value(each, asked.values) for each in contexts))


def questions(
    name: str, steps: Iterable[Said | Asked], door: str, *, small_talk: int = SMALL_TALK
) -> Iterator[tuple[Asked, Onlooker]]:
    """Each question when it is due, with the memory that has been told all that stands above.

    The name begins with the language, and draws the small talk between the lines.
    """
    language = name.partition("-")[0]
    chance = random.Random(name)
    clock = PacedClock(START)
    with open_memory(IN_MEMORY, Settings(clock=clock, seed=b"worlds")) as memory:
        ada = memory.agent(AGENT, user=PERSON)
        turn = 0
        for step in steps:
            turn += 1
            clock.move_to_minute(step.day * DAY_MINUTES + 8 * 60 + turn)
            if isinstance(step, Said):
                for text, reply in _small_talk(language, chance, small_talk):
                    _tell(ada, door, Said(step.day, text), reply)
                _tell(ada, door, step, "Noted." if small_talk else "")
                continue
            yield step, memory.onlooker(AGENT, user=PERSON)


def _small_talk(language: str, chance: random.Random, count: int) -> Iterator[tuple[str, str]]:
    known = language if language in phrasebook.LANGUAGES else "en"
    talk = phrasebook.read(known).talk
    for _ in range(count):
        said = chance.choice(talk["small"])
        for slot in ("noun", "adjective"):
            said = said.replace("{" + slot + "}", chance.choice(talk[slot]))
        yield said, chance.choice(talk["reply"])


def _tell(ada: Agent, door: str, said: Said, reply: str) -> None:
    if door == "conversation":
        tools = [{"name": said.tool, "result": said.text}] if said.tool else []
        user = "" if said.tool else said.text
        ada.conversation(session=f"day-{said.day}").record(user=user, ai=reply, tools=tools)
    elif said.tool:
        ada.remember(said.text, origin="tool", source=said.tool)
    else:
        ada.remember(said.text)
        if reply:
            ada.remember(reply, origin="agent")


def row(name: str, answered: Sequence[Answered]) -> list[str]:
    def percent(some: Iterable[bool]) -> str:
        return f"{100 * sum(some) / max(len(answered), 1):.0f}"

    inside = [percent(each.inside[n] for each in answered) for n in range(len(BUDGETS))]
    first, top, stale = (
        percent(getattr(each, kind) for each in answered) for kind in ("first", "top", "stale")
    )
    return [name, str(len(answered)), first, top, *inside, stale]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.lives.worlds", description=__doc__)
    parser.add_argument("names", nargs="*", help="beginnings of file names; all, if none is given")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--door", default="remember", choices=["remember", "conversation"])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--misses", action="store_true", help="show what was not answered first")
    given = parser.parse_args(arguments)
    paths = sorted(given.folder.glob("*.txt"))
    if given.names:
        paths = [each for each in paths if each.name.startswith(tuple(given.names))]
    if given.check:
        sys.exit(_check(paths))
    with ProcessPoolExecutor(2) as pool:
        lived = list(pool.map(live, paths, [given.door] * len(paths)))
    show(f"Worlds told by {given.door}, percent", paths, lived)
    if given.misses:
        print("\n".join(_missed(each) for some in lived for each in some if not each.first))


def show(title: str, paths: Sequence[Path], lived: Sequence[Sequence[Answered]]) -> None:
    """A row for each file, and one for all."""
    rows = [row(path.stem, some) for path, some in zip(paths, lived, strict=True)]
    head = ["", "asked", "first", "top 5", *(f"in {each}" for each in BUDGETS), "stale"]
    table(title, head, [*rows, row("all", [each for some in lived for each in some])])


def _check(paths: Sequence[Path]) -> int:
    found = [fault for path in paths for fault in faults(path)]
    asked = sum(isinstance(step, Asked) for path in paths for step in read(path))
    print("\n".join([*found, f"{len(paths)} worlds, {asked} questions, {len(found)} faults"]))
    return bool(found)


def _missed(one: Answered) -> str:
    places = (n for n, hit in enumerate(one.hits) if has_value(hit, one.asked.values))
    mark = "stale" if one.stale else "miss "
    wanted, given = one.asked.values[0], one.hits[:1]
    return f"  {mark} {one.asked.text!r} wants {wanted!r} at {next(places, -1)}; first {given}"


if __name__ == "__main__":
    main(sys.argv[1:])
