"""Fuzzing guided by answers: an input that is answered as none before it is changed further.

No coverage-guided fuzzer with compiled probes can be had for every Python that is supported, so
what guides here is what a parser says: the kind of its error, or of what it read, and where the
error was raised. Chance is seeded; a count and a seed give the same inputs everywhere.
"""

import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from tests.fuzzing.parsers import PARSERS, Parser
from tests.laws.test_bad_input import SPLINTERS, Dice

POOL_MAX: Final = 400
SIZE_MAX: Final = 40_000
# Beside what breaks parsers of JSON: depth, length, numbers without end, and other notations.
HEAVY: Final = [
    b"[" * 5_000, b'{"a":' * 5_000, b"9" * 5_000, b"a." * 3_000, b"\n" * 50, b'"""', b"[[", b"]]",
    b"2026-13-45T99:99:99Z", b"= ", b"\xe2\x80\xa8", b"PK\x03\x04", b"From ", b"%00", b"&", b"=",
    b"\r\n", b"-----", b"0x", b"1e999", b"\xf0\x9f\x98\x80", b"\xd8\x00", b"null", b"{}", b"[]",
]  # fmt: skip


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
    for data in _changed(dice, pool, count):
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


def _changed(dice: Dice, pool: list[bytes], count: int) -> Iterator[bytes]:
    for _ in range(count):
        data = bytearray(pool[dice(len(pool))])
        for _ in range(1 + dice(4)):
            _change(dice, data, pool)
        yield bytes(data[:SIZE_MAX])


def _change(dice: Dice, data: bytearray, pool: list[bytes]) -> None:
    place = dice(len(data) + 1)
    match dice(8):
        case 0 if data:
            data[place % len(data)] ^= 1 << dice(8)
        case 1:
            del data[place : place + 1 + dice(6)]
        case 2:
            data[place:place] = SPLINTERS[dice(len(SPLINTERS))]
        case 3:
            data[place : place + dice(40)] = HEAVY[dice(len(HEAVY))]
        case 4:
            other = pool[dice(len(pool))]
            data[place:] = other[dice(len(other) + 1) :]
        case 5:
            length = dice(30)
            data[place : place + length] = data[place : place + length] * 2
        case 6:
            del data[place:]
        case _:
            data[place:place] = bytes([dice(256)])


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
