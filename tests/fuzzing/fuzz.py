"""Fuzzing guided by answers: an input that is answered as none before it is changed further.

No coverage-guided fuzzer with compiled probes can be had for every Python that is supported, so
what guides here is what a parser says: the kind of its error, or of what it read, and where the
error was raised. Chance is seeded; a count and a seed give the same inputs everywhere.
"""

import traceback
from pathlib import Path
from typing import Final

import msgspec
from tests.fuzzing.mutations import SIZE_MAX, Dice, mutated
from tests.fuzzing.parsers import PARSERS, Parser

POOL_MAX: Final = 400


class Found(msgspec.Struct, frozen=True):
    """An input that was neither read nor refused."""

    parser: str
    error: str
    data: bytes


class Fuzzed(msgspec.Struct):
    """What one parser was given, and what it answered."""

    parser: str
    inputs: int = 0
    read: int = 0
    refused: int = 0
    kinds: int = 0  # of answers
    found: list[Found] = []


def fuzz(name: str, count: int, folder: Path, seed: int = 0) -> Fuzzed:
    parser, told = PARSERS[name], Fuzzed(parser=name)
    dice = Dice(f"{name} {seed}".encode())
    pool, seen = [*parser.seeds()], set[str]()
    for data in pool:
        how, what = _asked(parser, data, folder)
        assert how == "read" or not parser.whole, (name, what, data[:80])
        seen.add(what)
    for data in mutated(dice, pool, count):
        how, what = _asked(parser, data, folder)
        told.inputs += 1
        told.read += how == "read"
        told.refused += how == "refused"
        if what not in seen:
            seen.add(what)
            if how == "broken":
                told.found.append(Found(name, what, data))
            elif len(pool) < POOL_MAX and len(data) < SIZE_MAX:
                pool.append(data)
    told.kinds = len(seen)
    return told


def _asked(parser: Parser, data: bytes, folder: Path) -> tuple[str, str]:
    """Read, refused or broken; and what tells this answer from others."""
    try:
        answer = parser.read(data, folder)
    except parser.answers as error:
        return "refused", f"{type(error).__name__} {_where(error)}"
    except Exception as error:
        return "broken", f"{type(error).__name__} {_where(error)}"
    return "read", f"{type(answer).__name__} {str(answer)[:24]}"


def _where(error: Exception) -> str:
    """The last three places that an error came through."""
    steps = traceback.extract_tb(error.__traceback__)[-3:]
    return " ".join(f"{Path(each.filename).name}:{each.lineno}" for each in steps)
