"""Header packing: codes for the words that headers are spelled with, bytes for their hex digits.

Whatever is neither stays as it was written: who looks for a text in the bytes of a file still finds
it in a header. So a header is not deflated, as sealed parts are; a header that holds none of these
words is its own packing. A list that a file was written with only ever grows at its end.
"""

import re
from functools import lru_cache
from itertools import groupby, product
from typing import Final

from muniment.model.lazy_pattern import lazy_pattern

# Canonical JSON holds no byte below 0x20, so these are free. Each of the last ones but two stands
# before a value of known length, and the very last before a byte that is not a code.
SHORT: Final = bytes(range(0x01, 0x18))  # one byte for a phrase
LONG: Final = b"\x18"  # and a second byte: which of the others
MOMENT: Final = b"\x1a"
ULID: Final = b"\x1b"
HEX: Final = {64: b"\x1c", 32: b"\x1d", 16: b"\x1e"}  # by the number of its digits
ESCAPE: Final = b"\x1f"

PHRASES: Final = (
    b',"parts":[{"bucket":',
    b',"commitment":',
    b'}],"policy":',
    b',"subject":',
    b',"channel":"api","detector":',
    b',"type":"received","v":1}',
    b',"tick":0,"ts":',
    b',"role":"agent"},"cause":',
    b'{"body":{"actor":',
    b',"job":',
    b',"seq":',
    b',"ts":',
    b',"operation":',
    b',"id":',
    b',"type":',
    b'},"cause":',
    b',"asked":',
    b',"v":1}',
    b"},{",
    b'{"body":{',
    b',"at":',
    b',"tick":',
    b"true",
    # Two bytes from here on.
    b',"channel":"engine","detector":',
    b',"channel":',
    b',"detector":',
    b',"role":"engine"},"cause":',
    b',"role":"user"},"cause":',
    b'{"body":{"created_seeded_ts":',
    b',"reflective_log_id":',
    b',"space":"session"},"cause":',
    b'{"body":{"ledger":',
    b',"ledger":',
    b',"parts":[],"policy":',
    b',"reason":',
    b'"remembered","remembered","remembered","remembered",',
    b'"remembered",',
    b'{"allocated":',
    b',"considered":',
    b',"taken":',
    b',"used":',
    b',"type":"remembered"',
    b'"conversation",',
    b'"episodic",',
    b'"semantic",',
    b'{"body":{"as_of":',
    b',"budget_tokens":',
    b',"dropped":{',
    b'"budget":',
    b',"policy":',
    b',"reads":{',
    b',"scores_ppm":[',
    b',"spent":[',
    b',"tokens":',
    b',"types":[',
    b',"type":"context_assembled","v":1}',
    b',"asked":"record_context","at":',
    b',"asked":"record_interaction","at":',
    b',"asked":"record_item_recall","at":',
    b',"asked":"record_recall","at":',
    b',"asked":"remember","at":',
    b',"asked":"mirror_event","at":',
    b',"asked":"observe_event","at":',
    b',"asked":"take_turn","at":',
    b',"asked":"open_job","at":',
    b',"asked":"close_job","at":',
    b',"type":"item_written","v":1}',
    b',"type":"items_archived","v":1}',
    b',"type":"items_recalled","v":1}',
    b',"type":"memory_echo","v":1}',
    b',"type":"memory_recall","v":1}',
    b',"type":"episodic_written","v":1}',
    b',"type":"memo_kept","v":1}',
    b',"type":"turn_taken","v":1}',
    b',"type":"idetic_event","v":1}',
    b',"type":"ltm_mirrored","v":1}',
    b',"type":"ltm_embedded","v":1}',
    b',"type":"job_opened","v":1}',
    b',"type":"job_closed","v":1}',
    b'{"body":{"lines":',
    b',"where":',
    b'{"body":{"importance":',
    b',"importance":',
    b'{"body":{"kind":',
    b',"kind":',
    b',"space":',
    b'"session"',
    b'{"body":{"phase":',
    b',"phase":',
    b',"phase_started_at":',
    b',"places":{',
    b',"spaces_consulted":[',
    b',"loop_id":"loop:',
    b'"thread_id":"thread:',
    b'"episode_id":"episode:',
    b',"visibility":"external"',
    b',"visibility":"internal"',
    b',"origin":"user"',
    b'"source_seq":',
    b'"sem_snapshot_id":',
    b'"episodic_snapshot_id":',
    b'"brainstate_snapshot_id":',
    b'"created_at":',
    b'"reasons":["',
    b'"scores":{',
    b'"rules":[',
    b'"number":',
    b',"filtered":0,"in_working_memory":0,"pool":0,"repeated":0,"replaced":0,"top_k":0}',
    b',"type":"consciousness"},{"allocated":',
    b',"type":"conversation"},{"allocated":',
    b',"type":"working"},{"allocated":',
    b',"type":"goals"},{"allocated":',
    b',"type":"episodic"},{"allocated":',
    b',"type":"semantic"},{"allocated":',
    b',"type":"facts"},{"allocated":',
    b',"type":"profile"},{"allocated":',
    b',"type":"consolidated"},{"allocated":',
    b',"type":"skills"},{"allocated":',
    b"false",
    b"null",
    b',"period":',
)
CODES: Final = {
    phrase: SHORT[n : n + 1] if n < len(SHORT) else LONG + bytes([n - len(SHORT)])
    for n, phrase in enumerate(PHRASES)
}
WORDS: Final = {code: phrase for phrase, code in CODES.items()}
CROCKFORD: Final = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ"
TO_DIGITS: Final = bytes.maketrans(CROCKFORD, b"0123456789abcdefghijklmnopqrstuv")
PAIRS: Final = [bytes(pair) for pair in product(CROCKFORD, repeat=2)]
PAIR: Final = len(PAIRS) - 1
PLACES: Final = range(120, -1, -10)  # bits below each pair of digits
CODE_BYTES_MAX: Final = 2
ULID_BYTES: Final = 16
MOMENT_BYTES: Final = 8
HEADERS_KEPT: Final = 256
VALUES_KEPT: Final = 1024  # the headers of a log share references, a policy and a detector
BEGINNING: Final = 3  # bytes: no phrase is shorter


def _any_phrase() -> bytes:
    """The longest first; those that begin alike together, so that few are tried at a place."""
    ordered = sorted(PHRASES, key=lambda each: (each[:BEGINNING], -len(each)))
    alike = groupby(ordered, key=lambda each: each[:BEGINNING])
    return b"|".join(
        re.escape(start) + b"(?:%b)" % b"|".join(re.escape(each[BEGINNING:]) for each in some)
        for start, some in alike
    )


# Split by either, a header is gap, word, gap, word, gap.
_spoken = lazy_pattern(
    rb'("(?:[0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{16}|[0-7][0-9A-HJKMNP-TV-Z]{25}'
    rb'|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"|%b|[\x00-\x1f])' % _any_phrase()
)
_packed = lazy_pattern(
    rb"(?s:([\x01-\x17]|\x18.|[\x1a\x1e].{8}|[\x1b\x1d].{16}|\x1c.{32}|\x1f.))",
)


def pack(header: bytes) -> bytes:
    pieces = _spoken.split(header)
    pieces[1::2] = [CODES.get(text) or _code(text) for text in pieces[1::2]]
    return b"".join(pieces)


@lru_cache(maxsize=HEADERS_KEPT)  # a turn looks at the same few rows as the one before it
def unpack(packed: bytes) -> bytes:
    """The header again. What is no packing of one comes out as something that was never hashed."""
    pieces = _packed.split(packed)
    pieces[1::2] = [WORDS.get(code) or _value(code) for code in pieces[1::2]]
    return b"".join(pieces)


@lru_cache(maxsize=VALUES_KEPT)
def _code(text: bytes) -> bytes:
    sign = HEX.get(len(text) - 2)
    if sign:
        return sign + bytes.fromhex(text[1:-1].decode())
    if len(text) == 1:
        return ESCAPE + text
    if text.endswith(b'Z"') and b"-" in text:
        return MOMENT + int(text.translate(None, b'"-T:.Z')).to_bytes(MOMENT_BYTES)
    return ULID + int(text[1:-1].translate(TO_DIGITS), 32).to_bytes(ULID_BYTES)


@lru_cache(maxsize=VALUES_KEPT)
def _value(code: bytes) -> bytes:
    if code[:1] == ULID:
        return b'"%b"' % _ulid(int.from_bytes(code[1:]))
    if code[:1] == MOMENT:
        return _moment(b"%017d" % int.from_bytes(code[1:]))
    if len(code) <= CODE_BYTES_MAX:
        return code[1:] if code[:1] == ESCAPE else code
    return b'"%b"' % code[1:].hex().encode()


def _ulid(value: int) -> bytes:
    """26 digits, two at a time."""
    return b"".join([PAIRS[value >> place & PAIR] for place in PLACES])


def _moment(told: bytes) -> bytes:
    day = b"%b-%b-%b" % (told[:4], told[4:6], told[6:8])
    return b'"%bT%b:%b:%b.%bZ"' % (day, told[8:10], told[10:12], told[12:14], told[14:17])
