"""No outsider is deceived: whatever is changed in a bundle, the verifier refuses it."""

import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from tests.forging import (
    body,
    check_once,
    closed,
    encoded,
    files,
    verdict,
    with_root,
)
from tests.laws.test_signed_notes import base64_twin
from tests.notarial import INVALID, PARTLY, UNREADABLE, VALID, outsider

from muniment.adapters import verifier
from muniment.log import signed_notes
from muniment.log.keyring import SeededEntropy
from muniment.log.signed_notes import SecretKey

FLIPS: Final = 150  # of each file
REFUSED: Final = {INVALID, UNREADABLE}


@pytest.fixture(autouse=True)
def checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    check_once(monkeypatch)


def test_untouched_they_hold(tmp_path: Path) -> None:
    its = files()

    codes = [
        verdict(tmp_path, file).code
        for file in (its.bundle, its.sealed, its.certificate, its.link, its.head.note)
    ]

    assert codes == [PARTLY, PARTLY, VALID, VALID, INVALID], "a bare note names no heir"
    assert verdict(tmp_path, its.votes, its.council).code == PARTLY
    assert closed(body(its.bundle)) == its.bundle


# ── A byte, a line, the end ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["bundle", "certificate", "link"])
def test_any_flipped_bit_is_noticed(name: str, tmp_path: Path) -> None:
    file = getattr(files(), name)
    data = file.encode() if isinstance(file, str) else file
    draw = SeededEntropy(name.encode())
    for _ in range(FLIPS):
        place = int.from_bytes(draw(4), "big") % len(data)
        changed = bytearray(data)
        changed[place] ^= 1 << draw(1)[0] % 8

        assert verdict(tmp_path, bytes(changed)).code in REFUSED, (place, bytes(changed)[place])


def test_a_file_that_ends_early_is_noticed_wherever_it_ends(tmp_path: Path) -> None:
    data, lines = files().bundle, body(files().bundle)
    for place in range(0, len(data), len(data) // 40):
        assert verdict(tmp_path, data[:place]).code in REFUSED
    for count in range(len(lines)):
        assert verdict(tmp_path, closed(lines[:count])).code in REFUSED


def test_a_line_that_is_left_out_or_said_twice_is_noticed(tmp_path: Path) -> None:
    lines = body(files().bundle)
    heads = [place for place, line in enumerate(lines) if line.startswith("head ")]
    for place, line in enumerate(lines):
        rest = [*lines[:place], *lines[place + 1 :]]
        twice = [*lines[:place], line, *lines[place:]]

        code = verdict(tmp_path, closed(rest)).code
        if place in heads[:-1]:
            assert code == PARTLY, "a bundle with fewer heads says less, and nothing wrong"
        else:
            assert code in REFUSED, line[:40]
        again = verdict(tmp_path, closed(twice)).code
        assert again in REFUSED or line.startswith(("order ", "heir ")), line[:40]


def test_lines_in_another_order_are_noticed(tmp_path: Path) -> None:
    lines = body(files().bundle)
    for place in range(len(lines) - 1):
        swapped = [*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]]
        if swapped != lines:
            assert verdict(tmp_path, closed(swapped)).code in REFUSED, lines[place][:40]


def test_entries_that_change_places_with_all_they_have_are_noticed(tmp_path: Path) -> None:
    lines = body(files().bundle)
    starts = [place for place, line in enumerate(lines) if line.startswith("entry ")]
    groups = [lines[a:b] for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)]
    for place in range(len(groups) - 1):
        moved = [*groups[:place], groups[place + 1], groups[place], *groups[place + 2 :]]
        flat = [line for group in moved for line in group]

        assert verdict(tmp_path, closed(lines[: starts[0]] + flat)).code == INVALID


# ── Each thing that a line says ─────────────────────────────────────────────────────────────────

Change = Callable[[str], str]


def first(kind: str, change: Change, *, which: int = 0) -> Callable[[], bytes]:
    """A bundle in which one line of a kind is changed, and the file closed again."""

    def made() -> bytes:
        lines = body(files().bundle)
        places = [place for place, line in enumerate(lines) if line.startswith(kind)]
        lines[places[which]] = change(lines[places[which]])
        return closed(lines)

    return made


def inside(change: Change) -> Change:
    """The same for what is spelled in base64 behind the word."""

    def made(line: str) -> str:
        word, _, told = line.rpartition(" ")
        return f"{word} {encoded(change(base64.b64decode(told).decode()))}"

    return made


def swapped(old: str, new: str) -> Change:
    def made(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return made


def resigned(change: Change) -> Change:
    """A head that says something else, signed by the right key: a dishonest operator's."""

    def made(note: str) -> str:
        return signed_notes.signed(change(signed_notes.parse(note).text), files().key)

    return made


def foreign(note: str) -> str:
    return signed_notes.signed(
        signed_notes.parse(note).text, SecretKey(name="muniment/x", seed=b"x" * 32)
    )


def _other_padding(line: str) -> str:
    return line.rstrip("=") if line.endswith("=") else f"{line}="


def _signed_as(note: str, seed: bytes) -> str:
    key = SecretKey(name=files().key.name, seed=seed)
    told = encoded(
        files().key.public.id
        + base64.b64decode(key.line(signed_notes.parse(note).text).split()[-1])[4:]
    )
    return f"{signed_notes.parse(note).text}\n{signed_notes.DASH}{key.name} {told}\n"


def _with_head(note: str) -> bytes:
    lines = body(files().bundle)
    place = max(place for place, line in enumerate(lines) if line.startswith("head "))
    return closed([*lines[:place], f"head {encoded(note)}", *lines[place + 1 :]])


def _with_line(before: str, line: str) -> bytes:
    lines = body(files().bundle)
    place = next(place for place, each in enumerate(lines) if each.startswith(before))
    return closed([*lines[:place], line, *lines[place:]])


def _usurped(note: str) -> str:
    """Somebody else's key, named by somebody else."""
    mine = SecretKey(name="muniment/x", seed=b"x" * 32)
    lines = signed_notes.parse(note).text.split("\n")
    return signed_notes.signed(f"{lines[0]}\n{lines[1]}\n{mine.public.text}\n", mine)


def _as_order(certificate: str) -> str:
    """A true certificate of something else."""
    text = certificate.split("\n")
    extra = base64.b64decode(text[1].split()[1]).decode().splitlines()
    told = "".join(f"{line}\n" for line in extra if not line.startswith("heir "))
    proof = "\n".join([text[0], f"extra {encoded(told)}", *text[2:]])
    return f"order {encoded(proof)}"


def _capitals(line: str) -> str:
    word, state, salt, told = line.split(" ")
    return " ".join((word, state, salt.upper() if salt != salt.upper() else f"{salt}A", told))


def _exchanged() -> bytes:
    lines = body(files().bundle)
    one, two, *_ = (place for place, line in enumerate(lines) if line.startswith("part opened"))
    lines[one], lines[two] = lines[two], lines[one]
    return closed(lines)


CASES: dict[str, tuple[Callable[[], bytes], int]] = {
    "a word that has no meaning": (first("head ", lambda line: f"x{line}"), UNREADABLE),
    "two spaces": (first("entry ", swapped(" ", "  ")), UNREADABLE),
    "a space at the end": (first("entry ", lambda line: f"{line} "), UNREADABLE),
    "an empty line": (first("entry ", lambda line: f"{line}\n"), UNREADABLE),
    "the end of a line as others write it": (first("entry ", lambda line: f"{line}\r"), UNREADABLE),
    "letters that are not ASCII": (first("entry ", lambda line: f"{line}é"), UNREADABLE),
    "base64 without its end": (first("head ", _other_padding), UNREADABLE),
    "base64 with a letter that says nothing": (first("head ", base64_twin), UNREADABLE),
    "base64 of nothing": (first("entry ", lambda _: "entry "), UNREADABLE),
    "no base64": (first("entry ", lambda _: "entry !"), UNREADABLE),
    "another name of the file": (
        lambda: closed(["muniment-bundle-2", *body(files().bundle)[1:]]),
        UNREADABLE,
    ),
    # A head.
    "another size": (first("head ", inside(swapped("\n1", "\n2"))), INVALID),
    "another root": (first("head ", inside(swapped("=\n\n", "=\n\n\n"))), INVALID),
    "another origin": (first("head ", inside(swapped("/e1", "/e2"))), INVALID),
    "a stranger's signature": (first("head ", inside(foreign), which=-1), INVALID),
    "a stranger under the name of the key": (
        first("head ", inside(lambda note: _signed_as(note, b"x" * 32)), which=-1),
        INVALID,
    ),
    "no signature": (
        first("head ", inside(lambda n: signed_notes.parse(n).text), which=-1),
        UNREADABLE,
    ),
    "a size with a zero before it": (
        first(
            "head ",
            inside(resigned(lambda text: re.sub(r"\n(\d)", r"\n0\1", text, count=1))),
            which=-1,
        ),
        UNREADABLE,
    ),
    "a size with a sign": (
        first(
            "head ",
            inside(resigned(lambda text: re.sub(r"\n(\d)", r"\n+\1", text, count=1))),
            which=-1,
        ),
        UNREADABLE,
    ),
    "a line more in a head": (
        first("head ", inside(resigned(lambda text: f"{text}more\n")), which=-1),
        UNREADABLE,
    ),
    "a root that was signed of another log": (
        first("head ", inside(resigned(lambda text: with_root(text, b"r" * 32))), which=-1),
        INVALID,
    ),
    "a shorter log than there is": (
        first(
            "head ", inside(resigned(lambda text: re.sub(r"\n\d+", "\n3", text, count=1))), which=-1
        ),
        INVALID,
    ),
    "a longer log than there is": (
        first(
            "head ",
            inside(resigned(lambda text: re.sub(r"\n\d+", "\n99", text, count=1))),
            which=-1,
        ),
        INVALID,
    ),
    "the next epoch": (
        first("head ", inside(resigned(swapped("/e1", "/e2"))), which=-1),
        INVALID,
    ),
    "a log of nobody": (
        first(
            "head ", inside(resigned(lambda text: re.sub(r"/[0-9a-f]+/", f"/{'0' * 32}/", text)))
        ),
        INVALID,
    ),
    "a head of the council in its place": (
        lambda: _with_head(files().council.note),
        INVALID,
    ),
    # A key.
    "an heir that the old key did not sign": (
        first(
            "heir ", inside(lambda n: signed_notes.signed(signed_notes.parse(n).text, files().key))
        ),
        INVALID,
    ),
    "another heir": (first("heir ", inside(_usurped)), INVALID),
    "an heir in another spelling": (first("heir ", inside(swapped("heir", "hair"))), UNREADABLE),
    # An order of erasure.
    "an order that is none": (first("order ", lambda _: _as_order(files().certificate)), INVALID),
    "an order without its place": (
        first("order ", inside(swapped("index 1", "index 2"))),
        INVALID,
    ),
    "an order with a zero before its place": (
        first("order ", inside(swapped("index ", "index 0"))),
        UNREADABLE,
    ),
    # An entry.
    "a header with another place": (
        first("entry ", inside(swapped('"seq":1,', '"seq":2,'))),
        INVALID,
    ),
    "a header of another type": (first("entry ", inside(swapped("received", "recieved"))), INVALID),
    "another commitment": (
        first("entry ", inside(lambda t: re.sub(r'commitment":"..', 'commitment":"00', t))),
        INVALID,
    ),
    "a header with a space": (first("entry ", inside(swapped(",", ", "))), UNREADABLE),
    "a header that says a thing twice": (
        first("entry ", inside(swapped("{", '{"a":1,"a":2,'))),
        UNREADABLE,
    ),
    "a header that is no object": (first("entry ", inside(lambda _: "[]")), UNREADABLE),
    "a header that is nothing": (first("entry ", inside(lambda _: "nothing")), UNREADABLE),
    "a header deeper than deep": (first("entry ", inside(lambda _: "[" * 99_999)), UNREADABLE),
    "parts that are no list": (
        first("entry ", inside(lambda t: re.sub(r'"parts":\[.*?\]', '"parts":{}', t))),
        UNREADABLE,
    ),
    # A part.
    "another payload": (first("part opened", inside(swapped('"', ' "'))), INVALID),
    "another salt": (first("part opened", lambda t: re.sub(r"d [0-9a-f]", "d f0"[:3], t)), INVALID),
    "a salt in capitals": (first("part opened", _capitals), UNREADABLE),
    "a salt that is shorter": (
        first("part opened", lambda t: re.sub(r"d [0-9a-f]", "d ", t)),
        UNREADABLE,
    ),
    "a salt that is longer": (first("part opened", swapped("opened ", "opened 0")), UNREADABLE),
    "a part in a state of its own": (first("part opened", lambda _: "part shown"), UNREADABLE),
    "a part that says nothing": (first("part opened", lambda _: "part"), UNREADABLE),
    "a part that is erased and says so twice": (
        first("part erased", lambda t: f"{t} {t}"),
        UNREADABLE,
    ),
    "a part that is erased by nobody": (first("part opened", lambda _: "part erased"), INVALID),
    "the payload of another part": (_exchanged, INVALID),
    # The end.
    "something behind the end": (lambda: files().bundle + b"\n", UNREADABLE),
    "two ends": (lambda: files().bundle + files().bundle[-80:], UNREADABLE),
    "another count": (lambda: re.sub(rb"end \d+", b"end 1", files().bundle), INVALID),
    "a count with a zero before it": (
        lambda: files().bundle.replace(b"\nend ", b"\nend 0"),
        INVALID,
    ),
    "the seal in capitals": (
        lambda: files().bundle[:-65] + files().bundle[-65:].upper(),
        INVALID,
    ),
    "no end": (lambda: "\n".join([*body(files().bundle), ""]).encode(), UNREADABLE),
    "a last line without its end": (lambda: files().bundle[:-1], INVALID),
    "an entry that begins elsewhere": (
        lambda: _with_line("entry ", f"after {encoded(b'h' * 32)}"),
        UNREADABLE,
    ),
    "nothing at all": (lambda: b"", UNREADABLE),
    "bytes": (lambda: bytes(range(256)), UNREADABLE),
    "one endless line": (lambda: b"muniment-bundle-1\n" + b"entry " + b"A" * (1 << 22), UNREADABLE),
}


@pytest.mark.parametrize("name", CASES)
def test_a_bundle_that_says_something_else_is_refused_with_its_own_code(
    name: str, tmp_path: Path
) -> None:
    made, code = CASES[name]

    assert verdict(tmp_path, made()).code == code


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--key", "x", "--origin", "muniment"], UNREADABLE),
        (["--origin", "muniment"], UNREADABLE),
        ([], UNREADABLE),
        (["--help"], VALID),
    ],
)
def test_whoever_asks_wrongly_is_told_so_and_not_that_it_is_valid(
    words: list[str], code: int, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(files().bundle)

    assert verifier.main([*words, str(tmp_path / "file")]) == code


def test_a_known_head_that_cannot_be_read_is_no_known_head(tmp_path: Path) -> None:
    its = files()

    for note, code in {
        "": UNREADABLE,
        "x\ny\n\nz\n": UNREADABLE,
        its.council.note: UNREADABLE,
    }.items():
        assert outsider(tmp_path, its.votes, its.council, known=[its.council.note]).code == PARTLY
        assert outsider(tmp_path, its.bundle, its.head, known=[note]).code in {code, INVALID}
