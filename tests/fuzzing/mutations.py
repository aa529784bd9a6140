"""Mutations: how an input is changed into one that a parser may break on, by seeded chance."""

import struct
from collections.abc import Iterator
from itertools import count
from typing import Final

from muniment.log.keyring import SeededEntropy

SIZE_MAX: Final = 40_000
DRAWN_BYTES: Final = 4_096  # at a time: a throw takes four
# What breaks parsers: half surrogates, huge numbers, constants, controls, nesting, duplicates.
SPLINTERS: Final = [
    b'"\\ud800"', b"NaN", b"Infinity", b"-0", b"1e400", b"9007199254740993", b"\x00", b"\xff",
    b"[" * 40, b'{"a":' * 40, b'{"a":1,"a":2}', b'"\\u0000"', b"\xed\xa0\x80", b"'", b"//", b"}",
    b"1.7976931348623157e308", b"\xef\xbb\xbf", b"\\", b'"', b",", b"nul", b"[1,]",
]  # fmt: skip
# Beside what breaks parsers of JSON: depth, length, numbers without end, and other notations.
HEAVY: Final = [
    b"[" * 5_000, b'{"a":' * 5_000, b"9" * 5_000, b"a." * 3_000, b"\n" * 50, b'"""', b"[[", b"]]",
    b"2026-13-45T99:99:99Z", b"= ", b"\xe2\x80\xa8", b"PK\x03\x04", b"From ", b"%00", b"&", b"=",
    b"\r\n", b"-----", b"0x", b"1e999", b"\xf0\x9f\x98\x80", b"\xd8\x00", b"null", b"{}", b"[]",
]  # fmt: skip


class Dice:
    """Chance without chance: the same throws on every run."""

    def __init__(self, seed: bytes) -> None:
        drawn = SeededEntropy(seed)
        throws = (struct.iter_unpack(">I", drawn(DRAWN_BYTES)) for _ in count())
        self._throws: Iterator[int] = (throw for some in throws for (throw,) in some)

    def __call__(self, sides: int) -> int:
        return next(self._throws) % sides


def mutated(dice: Dice, pool: list[bytes], count: int) -> Iterator[bytes]:
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
