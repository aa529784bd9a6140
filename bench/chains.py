"""Questions whose answer needs several texts: `python -m bench.chains [--misses]`.

Six invented lives (`bench/chains/*.txt`), each among the remarks of all six, whose names begin with
"d". It prints how many questions have all of their evidence in the first ten of a recall, and in a
context of 800 tokens.
"""

import hashlib
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock
from muniment.engine.api.agent import Agent
from muniment.model import ids

LIVES = Path(__file__).with_suffix("")
REMARK = "d"
PLACES, BUDGET = 10, 800
FIRST_DAY = ids.days(2026, 1, 5)


class Asked(msgspec.Struct, frozen=True):
    """One question, the names of the texts that answer it together, and what kind it is of."""

    text: str
    evidence: frozenset[str]
    kind: str


class Life(msgspec.Struct, frozen=True):
    """What somebody tells, by short names, and what is asked about it."""

    name: str
    texts: dict[str, str]
    questions: tuple[Asked, ...]


class Result(msgspec.Struct, frozen=True):
    """Of one question, which of its evidence was missed in a recall and in a context."""

    life: str
    asked: Asked
    in_recall: frozenset[str]
    in_context: frozenset[str]


def lives() -> Iterator[Life]:
    """Each with its own texts, and with what is said in passing in any of them."""
    told = [_read(path) for path in sorted(LIVES.glob("*.txt"))]
    remarks = {
        f"{life.name}/{name}": text
        for life in told
        for name, text in life.texts.items()
        if name.startswith(REMARK)
    }
    for life in told:
        own = {name: text for name, text in life.texts.items() if not name.startswith(REMARK)}
        yield Life(life.name, own | remarks, life.questions)


def _read(path: Path) -> Life:
    """One file: a name and a text to a line, and behind a "?" what is asked."""
    texts, questions = {}, []
    for line in path.read_text("utf-8").splitlines():
        parts = [part.strip() for part in line.removeprefix("?").split("|")]
        if line.startswith("?"):
            questions.append(Asked(parts[0], frozenset(parts[1].split()), parts[2]))
        else:
            texts[parts[0]] = parts[1]
    return Life(path.stem, texts, tuple(questions))


def asked_of(life: Life) -> Iterator[Result]:
    """A memory that was told the texts in an order drawn by their words, one on each day."""
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"chains")).agent("ada", user="tuff")
    order = sorted(life.texts, key=lambda each: hashlib.sha256(life.texts[each].encode()).digest())
    names: dict[str, str] = {}
    for day, name in enumerate(order):
        clock.set(ids.time_text((FIRST_DAY + day) * 86_400_000 + 36_000_000))
        names[ada.remember(life.texts[name]).episodic_id] = name
    for asked in life.questions:
        yield Result(life.name, asked, *_missed(ada, asked, names))


def _missed(
    ada: Agent, asked: Asked, names: dict[str, str]
) -> tuple[frozenset[str], frozenset[str]]:
    hits = {names[each.id] for each in ada.recall(asked.text, limit=PLACES).hits}
    pieces = ada.context(asked.text, budget=BUDGET).pieces
    shown = {names[each.id] for each in pieces if each.id in names}
    return asked.evidence - hits, asked.evidence - shown


def main() -> int:
    results = [each for life in lives() for each in asked_of(life)]
    by_kind = defaultdict(list)
    for each in results:
        by_kind[each.asked.kind].append(each)
        if "--misses" in sys.argv and (each.in_recall or each.in_context):
            print(f"{each.life}: {each.asked.text}")
            print(f"    recall {sorted(each.in_recall)} context {sorted(each.in_context)}")
    print(f"{'':>8}{'questions':>12}{'in ten':>10}{'in 800 tokens':>16}")
    for kind, rows in [*by_kind.items(), ("all", results)]:
        ten = sum(not each.in_recall for each in rows)
        packed = sum(not each.in_context for each in rows)
        print(f"{kind:>8}{len(rows):>12}{ten:>10}{packed:>16}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
