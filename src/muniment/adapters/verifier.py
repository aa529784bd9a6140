"""Check what a Muniment log has signed, with nothing but Python's standard library.

    python -I verifier.py FILE --origin ORIGIN --key KEY [--known NOTE]... [--show]

FILE is a bundle (a whole log), a certificate (one entry), a link between two signed heads, or a
signed head. ORIGIN and KEY say whose it must be: get them, and this program, from somebody else
than the file. Each NOTE is a signed head that you kept; what you check must go on from it.
Where a log changed its key, the file holds the old key's word for the new one: KEY stays good.
Exit: 0 valid, 1 invalid, 2 valid but parts are sealed or erased, 3 contradicts a head that is
known, 4 unreadable. It proves what was written down and in which order, and that none of it was
changed since a head was signed; not that it is true, nor that nobody was shown another log.
"""

import argparse
import base64
import hashlib
import hmac
import json
import re
import sys
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

VALID, INVALID, PARTLY, CONTRADICTS, UNREADABLE = range(5)
VERDICTS = ("valid", "invalid", "valid in part", "contradicts", "unreadable")
EVENT, PAYLOAD = b"\x00\x11muniment/v1/event", b"muniment/v1/payload\x00"
LINE_MAX, NOTE_MAX, SIGNATURES_MAX = 1 << 22, 16_384, 16
LEAF, NODE, ID_BYTES, HASH_BYTES, SIGNATURE_BYTES = b"\x00", b"\x01", 4, 32, 64
BY_YES = {"sem_put", "sem_delete", "deletion_event"}  # they need a yes where they name a request
UNREAD = (OSError, ValueError, LookupError, TypeError, RecursionError)  # what no reader expects
Point = tuple[int, int, int, int]
# Every text there is, in its one spelling.
BUNDLE, LINK, PROOF = b"muniment-bundle-1\n", b"muniment-link-1\n", b"c2sp.org/tlog-proof@v1\n"
NAME, HASH, WHOLE = r"[!-*,-~]{1,255}", r"[A-Za-z0-9+/]{43}=", r"(0|[1-9][0-9]{0,15})"
PATH = rf"((?:{HASH}\n){{0,63}})"  # more than any log can need
ORIGIN = re.compile(r"muniment/([0-9a-f]{32})/e[1-9][0-9]{0,8}")
KEY = re.compile(rf"({NAME})\+([0-9a-f]{{8}})\+(A[Q-Za-f][A-Za-z0-9+/]{{42}})")  # of type 1
SIGNED = re.compile(rf"\N{{EM DASH}} ({NAME}) (\S{{8,}})")
HEAD = re.compile(rf"({ORIGIN.pattern})\n([1-9][0-9]{{0,15}})\n({HASH})\n")
HEIR = re.compile(r"muniment/heir\n(.+)\n(.+)\n")
CERTIFICATE = re.compile(
    rf"(?s){re.escape(PROOF.decode())}extra (\S+)\nindex {WHOLE}\n{PATH}\n(.*)"
)
CHAIN = re.compile(rf"(?s){LINK.decode()}((?:heir \S+\n)*)old (\S+)\n{PATH}\n(.*)")
OPENED = re.compile(r"opened ([0-9a-f]{64}) (\S+)")


class FaultError(Exception):
    """Why it does not hold, and the code to end with."""


def insist(holds: object, why: str, code: int = INVALID) -> None:
    if not holds:
        raise FaultError(why, code)


def read(pattern: re.Pattern[str], text: str, what: str) -> re.Match[str]:
    found = pattern.fullmatch(text)
    if found is None:
        raise FaultError(f"{what} in another spelling", UNREADABLE)
    return found


# ── Ed25519 (RFC 8032): a point is (X, Y, Z, T), where x is X/Z, y is Y/Z and xy is T/Z ─────────

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
ZERO: Point = (0, 1, 1, 0)


def add(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * p[3] * q[3] * D, 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, point: Point) -> Point:
    found = ZERO
    while number:
        found = add(found, point) if number & 1 else found
        point, number = add(point, point), number >> 1
    return found


def spelled(point: Point) -> bytes:
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(HASH_BYTES, "little")


def point_of(data: bytes) -> Point | None:
    """The point that 32 bytes stand for, in the one spelling it has."""
    number = int.from_bytes(data, "little")
    y, odd = number & (1 << 255) - 1, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * ROOT_OF_MINUS_ONE % P
    x = x if x & 1 == odd else P - x
    point = x, y, 1, x * y % P
    small = spelled(times(8, point)) == spelled(ZERO)  # under it one signature fits many texts
    return point if x * x % P == square and spelled(point) == data and not small else None


BASE = point_of((4 * pow(5, -1, P) % P).to_bytes(HASH_BYTES, "little")) or ZERO


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    point, s = point_of(key), int.from_bytes(signature[HASH_BYTES:], "little")
    if len(signature) != SIGNATURE_BYTES or s >= ORDER or point is None:
        return False
    told = int.from_bytes(hashlib.sha512(signature[:HASH_BYTES] + key + message).digest(), "little")
    back = times(told % ORDER, (P - point[0], point[1], 1, P - point[3]))
    return spelled(add(times(s, BASE), back)) == signature[:HASH_BYTES]


class NotedHead(NamedTuple):
    origin: str
    ref: str
    size: int
    root: bytes


def raw(text: str) -> bytes:
    data = base64.b64decode(text, validate=True)
    insist(base64.b64encode(data).decode() == text, "base64 in another spelling", UNREADABLE)
    return data


class Keys:
    """The key that was given, and those that it has named as its heirs."""

    def __init__(self, text: str) -> None:
        self._known: dict[tuple[str, bytes], bytes] = {}
        self._last = self._add(text)

    def text(self, note: str) -> str:
        """What a note says, if a known key has signed it; a wrong signature spoils it."""
        body, blank, below = note.removesuffix("\n").rpartition("\n\n")
        lines, seen = below.split("\n"), all(each >= " " or each == "\n" for each in note)
        shaped = blank and seen and note.endswith("\n") and len(note) <= NOTE_MAX
        insist(shaped and len(lines) <= SIGNATURES_MAX, "no signed note", UNREADABLE)
        good = False
        for line in lines:
            name, told = read(SIGNED, line, "a signature").groups()
            key = self._known.get((name, raw(told)[:ID_BYTES]))
            if key is not None:
                good = is_signed(key, f"{body}\n".encode(), raw(told)[ID_BYTES:])
                insist(good, f"a signature of {name} is not right")
        insist(good, "it is not signed by the given key, nor by its heir")
        return f"{body}\n"

    def head(self, note: str) -> NotedHead:
        origin, ref, size, root = read(HEAD, self.text(note), "a head").groups()
        return NotedHead(origin, ref, int(size), raw(root))

    def learn(self, note: str) -> None:
        """The last key that is known names the next one, which has signed the same text."""
        old, new = read(HEIR, note.rpartition("\n\n")[0] + "\n", "an heir").groups()
        if old == self._last:  # what was before the given key counts for nothing
            insist(self.text(note) and Keys(new).text(note), "that names no heir of the key")
            self._last = self._add(new)

    def _add(self, text: str) -> str:
        name, told, data = read(KEY, text, "a public key").groups()
        key_id = sha256(name.encode(), b"\n", raw(data))[:ID_BYTES]
        insist(told == key_id.hex(), "the id of a public key is not its own", UNREADABLE)
        self._known[name, key_id] = raw(data)[1:]
        return text


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def chained(*parts: bytes) -> bytes:
    return sha256(EVENT, *(len(part).to_bytes(8, "big") + part for part in parts))


def climb(place: int, last: int, path: list[str], *found: bytes) -> tuple[bytes, ...]:
    """The way up of RFC 9162; with an old root and a new one, of a consistency proof."""
    for each in map(raw, path):
        insist(last, "a proof is too long")
        if place & 1 or place == last:
            found = tuple(sha256(NODE, each, its) for its in found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = (*found[:-1], sha256(NODE, found[-1], each))
        place, last = place >> 1, last >> 1
    insist(not last, "a proof is too short")
    return found


class LineReader:
    """Takes the lines of a file in their order, and keeps what they say of one log."""

    BUNDLE = " heir head order entry part "
    CERTIFICATE = " heir order after entry part "

    def __init__(self, keys: Keys, origin: str, wanted: list[int], *, show: bool = False) -> None:
        self.keys, self.origin, self._show = keys, read(ORIGIN, origin, "an origin")[0], show
        self.hash, self.size = chained(b"genesis", origin.split("/")[1].encode()), 0
        self.heads, self.shown = list[NotedHead](), list[Any]()
        self.roots = dict.fromkeys(wanted, b"")  # of the sizes that somebody asks for
        self.header: dict[str, Any] = {}
        self.parts: dict[str, list[tuple[int, int]]] = {"opened": [], "sealed": [], "erased": []}
        self._stage, self.waiting = 0, 0  # parts of the entry that are not spoken of yet
        self._tree: list[bytes] = []  # the roots of its whole parts, the largest first
        self._votes: dict[str, dict[str, str]] = {}
        self.orders, self._approved = dict[str, str](), set[str]()  # subjects, by whose log

    def take(self, line: str, words: str) -> None:
        word, _, given = line.partition(" ")
        last, self._stage = self._stage, min(words.find(f" {word} "), words.find(" entry "))
        insist(last <= self._stage, "a line out of order, or without a meaning", UNREADABLE)
        insist((word == "part") == bool(self.waiting), "a part too many, or too few", UNREADABLE)
        getattr(self, f"_{word}")(given)

    def _heir(self, note: str) -> None:
        self.keys.learn(raw(note).decode())

    def _head(self, note: str) -> None:
        head = self.keys.head(raw(note).decode())
        later = not self.heads or self.heads[-1].size < head.size
        insist(head.origin == self.origin and later, "a head of another log, or out of order")
        self.heads.append(head)
        self.roots[head.size] = b""

    def _order(self, proof: str) -> None:
        text = raw(proof).decode()
        council = LineReader(self.keys, text.partition("\n\n")[2].partition("\n")[0], [])
        certificate(text, council)
        about = council.header["body"].get("subject_ref")
        insist(council.header["type"] == "deletion_event" and about, "that orders no erasure")
        self.orders[about] = council.origin

    def _after(self, hashed: str) -> None:
        self.hash = raw(hashed)

    def _entry(self, header: str) -> None:
        self.header, self.hash = header_of(raw(header)), chained(self.hash, raw(header))
        found, size = sha256(LEAF, self.hash), self.size
        while size & 1:
            found, size = sha256(NODE, self._tree.pop(), found), size >> 1
        self._tree.append(found)
        self.size += 1
        if self.size in self.roots:
            for left in reversed(self._tree[:-1]):
                found = sha256(NODE, left, found)
            self.roots[self.size] = found
        self.waiting = len(self.header["parts"])

    def _part(self, told: str) -> None:
        seq, its = self.header["seq"], self.header["parts"][-self.waiting]
        state, self.waiting = told.partition(" ")[0], self.waiting - 1
        if state == "opened":
            salt, content = read(OPENED, told, "an opened part").groups()
            mac = hmac.digest(bytes.fromhex(salt), PAYLOAD + raw(content), "sha256").hex()
            insist(mac == its["commitment"], f"entry {seq} did not say that")
            if self._show:
                self.shown.append([seq, self.header["type"], json.loads(raw(content))])
        else:
            insist(told in {"sealed", "erased"}, "a part in another spelling", UNREADABLE)
            ordered = told == "sealed" or its["subject"] in self.orders
            insist(ordered, f"entry {seq} was erased without an order")
        found = self.parts[state]  # as ranges, from and to: a long log has many
        last = found.pop() if found and found[-1][1] >= seq - 1 else (seq, seq)
        found.append((last[0], seq))

    def govern(self) -> None:
        """A governed fact, its end and an erasure rest on votes that stand before them."""
        seq, kind, body = self.header["seq"], self.header["type"], self.header["body"]
        insist(seq == self.size, f"entry {self.size} says that it is {seq}")
        request = str(body.get("request_id", ""))
        votes = self._votes.setdefault(request, {})
        if kind == "vote_cast":
            votes[str(body.get("member"))] = str(body.get("vote"))
        if kind == "request_settled" and body.get("outcome") == "approved":
            given = list(votes.values()).count("approve")
            insist(given and given == body.get("approvals"), f"entry {seq} counts other votes")
            self._approved.add(request)
        if kind in BY_YES and request:
            insist(request in self._approved, f"entry {seq} was approved by nobody")


def header_of(data: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(data)
    again = json.dumps(found, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    kinds = [type(found[name]) for name in ("seq", "type", "body", "parts")]
    told = [each for part in found["parts"] for each in (part["subject"], part["commitment"])]
    good = kinds == [int, str, dict, list] and all(type(each) is str for each in told)
    insist(good and again == data, "a header in another spelling", UNREADABLE)
    return found


def certificate(text: str, reader: LineReader) -> NotedHead:
    """One entry, and the way from it to a signed root."""
    extra, index, path, note = read(CERTIFICATE, text, "a certificate").groups()
    name, *lines = raw(extra).decode().removesuffix("\n").split("\n")
    for line in lines:
        reader.take(line, LineReader.CERTIFICATE)
    shaped = name == "muniment-entry-1" and reader.size == 1 and not reader.waiting
    insist(shaped, "no certificate of an entry", UNREADABLE)
    head, place = reader.keys.head(note), int(index)
    insist(head.origin == reader.origin, "a head of another log")
    insist(reader.header["seq"] == place + 1 <= head.size, "an entry of another place")
    way = climb(place, head.size - 1, path.split(), sha256(LEAF, reader.hash))
    insist(way == (head.root,), "the entry is not in the signed tree")
    return head


def link(text: str, reader: LineReader) -> list[NotedHead]:
    """Two signed heads, and the way from the earlier to the later (RFC 9162, 2.1.4.2)."""
    heirs, first, path, note = read(CHAIN, text, "a link").groups()
    for line in heirs.splitlines():
        reader.take(line, LineReader.BUNDLE)
    old, new = reader.keys.head(raw(first).decode()), reader.keys.head(note)
    insist(old.ref == new.ref and old.size < new.size, "a later head is of a longer log")
    steps = path.split()
    start = raw(steps.pop(0)) if old.size & old.size - 1 else old.root
    place, last = old.size - 1, new.size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    way = climb(place, last, steps, start, start)
    insist(way == (old.root, new.root), "the later head does not go on from the other")
    return [old, new]


def bundle(file: BinaryIO, reader: LineReader) -> list[NotedHead]:
    """A whole log, line by line; the last line counts the entries and closes the file."""
    seal, line = hashlib.sha256(BUNDLE), file.readline(LINE_MAX)
    while not line.startswith(b"end "):
        insist(line[-1:] == b"\n", "it ends too early", UNREADABLE)
        seal.update(line)
        reader.take(line[:-1].decode("ascii"), LineReader.BUNDLE)
        if line.startswith(b"entry "):
            reader.govern()
        line = file.readline(LINE_MAX)
    insist(not reader.waiting and not file.read(1), "it does not end where it should", UNREADABLE)
    insist(
        line == b"end %d %b\n" % (reader.size, seal.hexdigest().encode()), "it was changed or cut"
    )
    insist(reader.heads and reader.heads[-1].size == reader.size, "nobody signed where it ends")
    for head in reader.heads:
        insist(reader.roots[head.size] == head.root, f"not the log that was signed at {head.size}")
    return reader.heads


def check(options: argparse.Namespace) -> dict[str, Any]:
    keys, notes = Keys(options.key), [Path(each).read_bytes().decode() for each in options.known]
    with Path(options.file).open("rb") as file:
        first = file.readline(LINE_MAX)
        text = "" if first == BUNDLE else (first + file.read(LINE_MAX)).decode()
        sizes = [int(note.split("\n")[1]) for note in notes if first == BUNDLE]
        reader = LineReader(keys, options.origin, sizes, show=options.show)
        if first == BUNDLE:
            heads = bundle(file, reader)
        elif first == LINK:
            heads = link(text, reader)
        else:
            heads = [certificate(text, reader) if first == PROOF else keys.head(text)]
    last, roots = heads[-1], {head.size: head.root for head in heads} | reader.roots
    insist(last.origin == options.origin, "a head of another log")
    for head in (known := [keys.head(note) for note in notes]):
        insist(head.ref == last.ref, "a known head is of another log", UNREADABLE)
        same = roots.get(head.size, head.root) == head.root
        insist(same, f"not the log whose head is known at {head.size}", CONTRADICTS)
    orders = {"orders": sorted(set(reader.orders.values()))}  # the logs that say so: ask for them
    apart = [head.size for head in known if head.size not in roots]
    told = {"origin": last.origin, "size": last.size, "root": last.root.hex(), "heads": len(heads)}
    return {**told, **reader.parts, **orders, "not compared": apart, "shown": reader.shown}


def main(words: list[str] | None = None) -> int:
    asked = argparse.ArgumentParser(usage=__doc__)
    asked.add_argument("file")
    asked.add_argument("--origin", required=True)
    asked.add_argument("--key", required=True)
    asked.add_argument("--known", action="append", default=[])
    asked.add_argument("--show", action="store_true")
    try:
        told = check(asked.parse_args(words))
        code = PARTLY if told["sealed"] or told["erased"] else VALID
    except FaultError as fault:
        told, code = {"why": fault.args[0]}, fault.args[1]
    except SystemExit as asked_wrongly:
        return UNREADABLE if asked_wrongly.code else VALID
    except UNREAD as error:
        told, code = {"why": f"it cannot be read: {error}"}, UNREADABLE
    lines = (f"{name}: {json.dumps(its)}" for name, its in told.items() if its)
    sys.stdout.write("\n".join((VERDICTS[code], *lines, "")))
    return code


if __name__ == "__main__":
    sys.exit(main())
