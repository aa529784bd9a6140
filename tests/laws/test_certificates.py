"""A certificate that says something else is refused, and a link that does not lead on."""

import base64
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.forging import check_once, encoded, files, verdict
from tests.notarial import INVALID, UNREADABLE


@pytest.fixture(autouse=True)
def checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    check_once(monkeypatch)


def rewritten(text: str, place: int, line: str | None) -> str:
    lines = text.split("\n")
    lines[place : place + 1] = [] if line is None else [line]
    return "\n".join(lines)


def proofs() -> Iterator[tuple[str, str, int]]:
    """Certificates that do not hold: what is wrong with each, and the code."""
    text = files().certificate
    hashes = [place for place, line in enumerate(text.split("\n")) if _is_hash(line)]
    blank = text.split("\n").index("")
    index = int(text.split("\n")[2].split()[1])
    yield "no first line", rewritten(text, 0, None), INVALID
    yield "another first line", rewritten(text, 0, "c2sp.org/tlog-proof@v2"), INVALID
    yield "no extra", rewritten(text, 1, None), UNREADABLE
    yield "an extra of nothing", rewritten(text, 1, f"extra {encoded('x')}"), UNREADABLE
    yield "no index", rewritten(text, 2, None), UNREADABLE
    yield "a zero before the index", rewritten(text, 2, f"index 0{index}"), UNREADABLE
    yield "a negative index", rewritten(text, 2, "index -1"), UNREADABLE
    for other in (0, index - 1, index + 1, 10**15):
        yield f"index {other}", rewritten(text, 2, f"index {other}"), INVALID
    yield "a hash that is missing", rewritten(text, hashes[0], None), INVALID
    yield "a hash that is changed", rewritten(text, hashes[0], encoded(b"h" * 32)), INVALID
    yield "a hash that is shorter", rewritten(text, hashes[0], encoded(b"h" * 31)), UNREADABLE
    yield "a hash too many", rewritten(text, blank, f"{encoded(b'h' * 32)}\n"), INVALID
    many = "\n".join([encoded(b"h" * 32)] * 64)
    yield "more hashes than any log needs", rewritten(text, blank, f"{many}\n"), UNREADABLE
    yield from others(text)


def others(text: str) -> Iterator[tuple[str, str, int]]:
    """What is wrong with the note below and the entry inside."""
    yield "no note", text.split("\n\n", maxsplit=1)[0], UNREADABLE
    other_note = files().council.note
    yield "another log's note", text.partition("\n\n")[0] + "\n\n" + other_note, INVALID
    yield "something behind it", f"{text}more\n", UNREADABLE
    for word, code in {"entry": UNREADABLE, "after": INVALID, "part": UNREADABLE}.items():
        yield f"no {word}", _without(text, word), code
    yield "another hash before", _changed(text, "after", encoded(b"h" * 32)), INVALID
    yield "a part more", _changed(text, "part", "sealed\npart sealed"), UNREADABLE
    yield "an entry more", _changed(text, "part", "sealed\nentry e30="), UNREADABLE
    yield "erased without an order", _changed(text, "part", "erased"), INVALID


def _is_hash(line: str) -> bool:
    return len(line) == 44 and line.endswith("=")


def _inner(text: str, change: Callable[[list[str]], list[str]]) -> str:
    lines = text.split("\n")
    inner = base64.b64decode(lines[1].split()[1]).decode().splitlines()
    told = "".join(f"{line}\n" for line in change(inner))
    lines[1] = f"extra {encoded(told)}"
    return "\n".join(lines)


def _without(text: str, word: str) -> str:
    return _inner(text, lambda lines: [x for x in lines if not x.startswith(f"{word} ")])


def _changed(text: str, word: str, told: str) -> str:
    return _inner(
        text, lambda lines: [f"{word} {told}" if x.startswith(f"{word} ") else x for x in lines]
    )


def test_a_certificate_that_says_something_else_is_refused(tmp_path: Path) -> None:
    wrong = {name: (verdict(tmp_path, text).code, code) for name, text, code in proofs()}

    assert len(wrong) >= 25
    assert {name: codes for name, codes in wrong.items() if codes[0] != codes[1]} == {}


def test_a_link_that_does_not_lead_on_is_refused(tmp_path: Path) -> None:
    text = files().link
    top, _, new = text.partition("\n\n")
    lines = top.split("\n")
    old = base64.b64decode(next(x for x in lines if x.startswith("old ")).split()[1]).decode()
    hashes = [place for place, line in enumerate(lines) if _is_hash(line)]
    wrong = {
        "the other way round": (
            text.replace(encoded(old), encoded(new)).replace(new, old),
            INVALID,
        ),
        "twice the same": (text.replace(encoded(old), encoded(new)), INVALID),
        "to another log": (f"{top}\n\n{files().council.note}", INVALID),
        "from another log": (text.replace(encoded(old), encoded(files().council.note)), INVALID),
        "no way": (rewritten(text, hashes[0], None), INVALID),
        "another way": (rewritten(text, hashes[0], encoded(b"h" * 32)), INVALID),
        "a longer way": (rewritten(text, hashes[0], "\n".join([lines[hashes[0]]] * 2)), INVALID),
        "no old head": (rewritten(text, hashes[0] - 1, None), UNREADABLE),
        "no heir": (rewritten(text, 1, None), INVALID),
    }

    told = {name: verdict(tmp_path, file).code for name, (file, _) in wrong.items()}

    assert told == {name: code for name, (_, code) in wrong.items()}
