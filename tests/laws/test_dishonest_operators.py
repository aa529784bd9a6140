"""What an operator who holds the key can do, and by what an outsider notices it."""

import base64
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests.forging import body, check_once, closed, files, with_root
from tests.notarial import CONTRADICTS, INVALID, PARTLY, outsider

from muniment.log import merkle_tree, outsider_lines, signed_notes
from muniment.log.entry import genesis, link
from muniment.log.signed_notes import TreeHead
from muniment.model import canonical_json


@pytest.fixture(autouse=True)
def checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    check_once(monkeypatch)


def forged(change: Callable[[list[dict[str, object]]], None], bundle: bytes, ref: str) -> bytes:
    """A log that was written anew from the first entry, chained and signed as it should be."""
    lines = body(bundle)
    headers: list[dict[str, object]] = [
        msgspec.json.decode(base64.b64decode(line.split()[1]))
        for line in lines
        if line.startswith("entry ")
    ]
    change(headers)
    data = [canonical_json.encode(header) for header in headers]
    hashed, hashes = genesis(ref).hash, []
    for each in data:
        hashed = link(hashed, each)
        hashes.append(hashed)
    head = TreeHead(ref=ref, epoch=1, size=len(data), root=merkle_tree.root(hashes))
    told = [line for line in lines if line.startswith(("muniment", "heir "))]
    told.append(outsider_lines.head(signed_notes.signed(head.text, files().key)))
    for header, each in zip(headers, data, strict=True):
        told += [outsider_lines.entry(each), *[outsider_lines.SEALED] * len(header["parts"])]  # type: ignore[arg-type]
    return closed(told)


def council(change: Callable[[list[dict[str, object]]], None]) -> bytes:
    return forged(change, files().votes, files().council.origin.split("/")[1])


def leave_out(kind: str) -> Callable[[list[dict[str, object]]], None]:
    """And number what is left as if it had never been there."""

    def change(headers: list[dict[str, object]]) -> None:
        headers[:] = [header for header in headers if header["type"] != kind]
        for place, header in enumerate(headers, start=1):
            header["seq"] = place

    return change


def test_a_log_that_is_written_anew_whole_holds_and_a_known_head_gives_it_away(
    tmp_path: Path,
) -> None:
    """This is what a signature cannot show: keep a head, and it is noticed."""

    def change(headers: list[dict[str, object]]) -> None:
        headers[3]["tick"] = 99

    its = files().council
    other = council(change)

    assert outsider(tmp_path, other, its).code == PARTLY
    assert outsider(tmp_path, other, its, known=[its.note]).code == CONTRADICTS
    assert outsider(tmp_path, council(lambda _: None), its, known=[its.note]).code == PARTLY


def test_a_log_that_was_put_back_is_given_away_by_a_later_head_that_is_known(
    tmp_path: Path,
) -> None:
    its = files().council

    def change(headers: list[dict[str, object]]) -> None:
        del headers[-1]

    assert outsider(tmp_path, council(change), its, known=[its.note]).code == CONTRADICTS


def test_two_heads_of_one_size_contradict_each_other(tmp_path: Path) -> None:
    its = files().council
    text = with_root(signed_notes.parse(its.note).text, b"r" * 32)

    other = signed_notes.signed(text, files().key)

    assert outsider(tmp_path, other, its, known=[its.note]).code == CONTRADICTS


@pytest.mark.parametrize("kind", ["vote_cast", "request_settled"])
def test_a_fact_that_nobody_has_voted_for_is_noticed(kind: str, tmp_path: Path) -> None:
    assert outsider(tmp_path, council(leave_out(kind)), files().council).code == INVALID


def test_one_member_who_votes_twice_is_one_vote(tmp_path: Path) -> None:
    def change(headers: list[dict[str, object]]) -> None:
        votes = [header["body"] for header in headers if header["type"] == "vote_cast"]
        for vote in votes:
            vote["member"] = votes[0]["member"]  # type: ignore[index]

    assert outsider(tmp_path, council(change), files().council).code == INVALID


def test_entries_whose_numbers_leave_one_out_are_noticed(tmp_path: Path) -> None:
    def change(headers: list[dict[str, object]]) -> None:
        del headers[4]

    assert outsider(tmp_path, council(change), files().council).code == INVALID
