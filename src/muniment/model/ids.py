"""Counted ids and seeded time: names and moments derived from a seed, never drawn.

Everything here is a pure function of a seed, a place (the stream's origin) and a counter, so a
replay gives the same names, and equal seeds in two places give different ones.
"""

import hashlib
import hmac
from functools import lru_cache
from typing import Final

from muniment.model.lazy_pattern import lazy_pattern

EPOCH_MS: Final = 1_735_689_600_000  # 2025-01-01T00:00:00Z: where seeded time begins
SPREAD_SECONDS: Final = 315_360_000  # ten years, so that seeds rarely share a base
ULID_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
PAIRS: Final = tuple(first + second for first in ULID_ALPHABET for second in ULID_ALPHABET)
BLOCK_BYTES: Final = 64  # of SHA-256
INNER_PAD: Final = bytes(byte ^ 0x36 for byte in range(256))
OUTER_PAD: Final = bytes(byte ^ 0x5C for byte in range(256))
MINUTE_MS: Final = 60_000
RETRY_TICKS_MAX: Final = 3
OBSERVED_SEED: Final = lazy_pattern(r"at:([0-9]{13}):[0-9]+")
COUNTED_SEED: Final = lazy_pattern(r"(?:auto|at:[0-9]{13}):([0-9]+)")
# Names that are made here and nowhere else: digests, episodes, ULIDs, requests, receipts, moments.
MADE: Final = lazy_pattern(
    r"[0-9a-f]{64}"
    r"|ep:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    r"|(?:loop:|req:)?[0-7][0-9A-HJKMNP-TV-Z]{25}"
    r"|ctx:[0-9a-f]{16,64}"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z"
)


def counted_seed(number: int, observed_ms: int | None) -> str:
    """The seed of a job whose caller named none: its number, and the moment it was observed at."""
    return f"auto:{number}" if observed_ms is None else f"at:{observed_ms:013d}:{number}"


def is_of_another_job(job_seed: str, number: int) -> bool:
    """Whether a seed has the form of a counted one that belongs to a job of another number."""
    counted = COUNTED_SEED.fullmatch(job_seed)
    return counted is not None and int(counted[1]) != number


@lru_cache(maxsize=1024)
def seeded_base_ms(job_seed: str) -> int:
    """The first moment of a job: the one its seed names, or a point in ten years chosen by it."""
    if named := OBSERVED_SEED.fullmatch(job_seed):
        return int(named[1])
    drawn = hmac.digest(job_seed.encode(), b"muniment/v1/time", "sha256")
    return EPOCH_MS + int.from_bytes(drawn[:4], "big") % SPREAD_SECONDS * 1000


def time_text(time_ms: int) -> str:
    """Fixed-width UTC text, so that the order of texts is the order of moments."""
    minutes, within = divmod(time_ms, MINUTE_MS)
    digits = str(100_000 + within)  # of milliseconds, with the zeros in front
    return f"{_minute_text(minutes)}{digits[1:3]}.{digits[3:]}Z"


def time_ms(text: str) -> int:
    """The moment that a fixed-width UTC text names."""
    return _minute_ms(text[:16]) + int(text[17:19]) * 1000 + int(text[20:23])


def day_number(text: str) -> int:
    """Days since 1970 of a fixed-width UTC text."""
    return days(int(text[:4]), int(text[5:7]), int(text[8:10]))


def day_text(number: int) -> str:
    """The day that is so many days after 1970."""
    return "{:04d}-{:02d}-{:02d}".format(*civil(number))


@lru_cache(maxsize=1024)
def ulid(moment_ms: int, place: str, job_seed: str, counter: int) -> str:
    """A valid ULID without a clock or chance: 48 bits of seeded time, 80 bits of keyed hash."""
    bits = _mac(job_seed, f"muniment/v1/id\x00{place}\x00{counter}")[:10]
    return _crockford(moment_ms, 10) + _crockford(int.from_bytes(bits, "big"), 16)


def is_made(text: str) -> bool:
    """Whether a text is, letter for letter, a name of a form that only this engine gives."""
    return MADE.fullmatch(text) is not None


def working_id(job_seed: str, counter: int) -> str:
    return f"wm:{job_seed}:{counter}"


def consolidated_id(session_or_job_seed: str) -> str:
    return f"cwm:{session_or_job_seed}"


def is_episode(name: str) -> bool:
    return name.startswith("ep:")


def episodic_id(place: str, job_seed: str, counter: int) -> str:
    """`ep:` and a UUID (version 8: the maker's own bits) from the seed and the counter."""
    raw = bytearray(_mac(job_seed, f"muniment/v1/episodic\x00{place}\x00{counter}")[:16])
    raw[6] = (raw[6] & 0x0F) | 0x80
    raw[8] = (raw[8] & 0x3F) | 0x80
    text = raw.hex()
    return f"ep:{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def loop_id(place: str, job_seed: str, opened_at: int) -> str:
    """The name of a loop: of the entry that opened its job, so it is there from the start."""
    return f"loop:{ulid(seeded_base_ms(job_seed), place, job_seed, opened_at)}"


def memo_id(moment_ms: int, place: str, job_seed: str, counter: int) -> str:
    """A ULID of its own: a stream counts its memos apart from its entries."""
    return ulid(moment_ms, f"{place}\x00memo", job_seed, counter)


def request_id(moment_ms: int, token: bytes) -> str:
    """`req:` and a ULID of the moment and a keyed token: in order of time, and it counts nothing.

    Whoever asks is told the id: a counter would tell them how much others ask.
    """
    return f"req:{_crockford(moment_ms, 10)}{_crockford(int.from_bytes(token[:10], 'big'), 16)}"


def retry_delay_ticks(job_seed: str, operation: str) -> int:
    """How long to wait before the one retry: derived, so that two runs wait alike."""
    message = b"muniment/v1/retry|" + operation.encode()
    drawn = hmac.digest(job_seed.encode(), message, "sha256")
    return 1 + int.from_bytes(drawn[:4], "big") % RETRY_TICKS_MAX


def keyed_digest(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256 of a short message.

    `hmac.digest` looks its hash function up at every call, which takes longer than to hash it.
    """
    inner, outer = _padded(key)
    return hashlib.sha256(outer + hashlib.sha256(inner + message).digest()).digest()


def _mac(job_seed: str, message: str) -> bytes:
    """HMAC-SHA-256 keyed by the seed; most ids of a moment share one, so keying is done once."""
    keyed = _keyed(job_seed)
    inner, outer = keyed[0].copy(), keyed[1].copy()
    inner.update(message.encode())
    outer.update(inner.digest())
    return outer.digest()


@lru_cache(maxsize=64)
def _keyed(job_seed: str) -> "tuple[hashlib._Hash, hashlib._Hash]":
    """The two halves of RFC 2104 with the key already in them."""
    inner, outer = _padded(job_seed.encode())
    return hashlib.sha256(inner), hashlib.sha256(outer)


def _padded(key: bytes) -> tuple[bytes, bytes]:
    """What RFC 2104 hashes before the message, and before the hash of that."""
    short = hashlib.sha256(key).digest() if len(key) > BLOCK_BYTES else key
    whole = short.ljust(BLOCK_BYTES, b"\0")
    return whole.translate(INNER_PAD), whole.translate(OUTER_PAD)


def _crockford(value: int, letters: int) -> str:
    """The low bits of a number in the ULID alphabet, two letters at a time."""
    return "".join([PAIRS[value >> shift & 1023] for shift in range(letters * 5 - 10, -1, -10)])


@lru_cache(maxsize=1024)
def _minute_text(minutes: int) -> str:
    """The part of a moment that hardly changes from one entry to the next."""
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    year, month, day = civil(days)
    return f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:"


@lru_cache(maxsize=1024)
def _minute_ms(text: str) -> int:
    hours = day_number(text) * 24 + int(text[11:13])
    return hours * 60 * MINUTE_MS + int(text[14:16]) * MINUTE_MS


def days(year: int, month: int, day: int) -> int:
    """Days since 1970 of a day of the calendar."""
    shifted = year - (1 if month <= 2 else 0)
    era, year_of_era = divmod(shifted, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * 146_097 + day_of_era - 719_468


def civil(days: int) -> tuple[int, int, int]:
    """Days since 1970 as year, month, day (Hinnant's era arithmetic; no calendar library here)."""
    shifted = days + 719_468
    era, day_of_era = divmod(shifted, 146_097)
    year_of_era = (
        day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096
    ) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    month_index = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * month_index + 2) // 5 + 1
    month = month_index + 3 if month_index < 10 else month_index - 9
    return year_of_era + era * 400 + (1 if month <= 2 else 0), month, day
