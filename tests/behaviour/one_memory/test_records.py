"""The list of records: everything that can be recalled stands in it once, newest first."""

import shlex
from pathlib import Path

import pytest
from mcp import Client as McpClient
from tests import world
from tests.mcp_client import seated
from tests.mcp_client import told as answered
from tests.terminal import Shell

from muniment.engine.api.agent import Agent
from muniment.engine.search.recall_results import Record
from muniment.engine.search.record_list import RecordPage
from muniment.model import ids
from muniment.model.errors import InputError, NotFoundError

MARCH = ids.time_ms("2026-03-01T10:00:00.000Z")
LONG = " ".join(f"line {n} of the manual;" for n in range(900)) + " the last word is cinnabar"


def told() -> Agent:
    """A day in every kind of memory, an hour between two things that are told."""
    clock = world.StillClock(MARCH)
    ada = world.memory(clock=clock).agent("ada", user="tuff")
    ada.remember("The purple kite is in the attic", tags=["toys"], source="bert")
    clock.later(minutes=60)
    ada.conversation(session="monday").record(user="I live in Porto", ai="Noted, Porto.")
    clock.later(minutes=60)
    with ada.job("a job") as job:
        memo = {"type": "fact", "text": "The purple vase is here", "source": "user"}
        job.memorize(memo | {"importance": 1})
        job.observe_event("user_input", "the shop opens at nine")
    clock.later(minutes=60)
    ada.documents().put(("manuals",), "kettle", {"text": LONG})
    return ada


def whole(ada: Agent, size: int) -> list[Record]:
    """Every page of so many, one behind the other."""
    found: list[Record] = []
    page = RecordPage(records=(), next="")
    while not found or page.next:
        page = ada.records(limit=size, after=page.next)
        assert len(page.records) <= size
        found += page.records
    return found


def test_what_was_told_in_any_kind_of_memory_is_listed_once() -> None:
    ada = told()
    short = ["I live in Porto", "Noted, Porto.", "the shop opens at nine"]
    purple = ["The purple kite is in the attic", "The purple vase is here"]
    assert sorted(each.text for each in ada.records().records) == sorted([*short, *purple, LONG])


def test_the_newest_is_first_and_pages_of_any_size_make_the_same_list() -> None:
    ada = told()
    at_once = whole(ada, 50)
    assert [each.created for each in at_once] == sorted(
        (each.created for each in at_once), reverse=True
    )
    for size in (1, 2, 3, 6, 7):
        assert [each.id for each in whole(ada, size)] == [each.id for each in at_once]


def test_a_record_is_found_by_its_id_whatever_kind_it_is() -> None:
    ada = told()
    for each in whole(ada, 50):
        assert ada.get(each.id) == each


def test_what_is_somebody_elses_is_neither_listed_nor_found() -> None:
    memory = world.memory()
    ada, bob = memory.agent("ada", user="tuff"), memory.agent("ada", user="bob")
    ada.remember("The purple kite is in the attic")
    bob.remember("Bob hides the silver spoon")
    (spoon,) = bob.records().records
    assert [each.text for each in ada.records().records] == ["The purple kite is in the attic"]
    with pytest.raises(NotFoundError):
        ada.get(spoon.id)


def test_what_was_forgotten_is_gone_and_stands_in_the_list_of_then() -> None:
    ada = told()
    (kite,) = ada.records(where={"source": "bert"}).records
    before = ada.seq
    ada.forget(kite.id)
    assert kite.id not in {each.id for each in whole(ada, 50)}
    with pytest.raises(NotFoundError):
        ada.get(kite.id)
    assert ada.get(kite.id, at=before).text == kite.text
    assert kite.id in {each.id for each in ada.records(at=before).records}


def test_a_filter_narrows_the_list_as_it_narrows_a_recall() -> None:
    ada = told()
    found = ada.records(where={"kind": "items"}).records
    assert {each.text for each in found} == {"I live in Porto", "Noted, Porto."}
    assert [each.tags for each in ada.records(where={"tags": "toys"}).records] == [("toys",)]
    assert ada.records(where={"tags": "nothing"}) == RecordPage(records=())


def test_a_page_that_follows_nothing_is_refused_by_the_name_of_its_field() -> None:
    with pytest.raises(InputError, match="after"):
        told().records(after="yesterday")


def test_who_listed_something_has_seen_it() -> None:
    ada = told()
    kite = ada.records(where={"source": "bert"}).records[0]
    ada.remember("Something else")  # a receipt is written with the next entry
    reads = [line.event for line in ada.get_range() if line.header.type == "memory_recall"]
    assert any(kite.id in getattr(each, "ids", ()) for each in reads)


def test_a_model_lists_lines_and_goes_on_where_they_ended() -> None:
    memory = world.memory(clock=world.SteppingClock())
    ada = memory.agent("ada", user="tuff")
    for n in range(3):
        ada.remember(f"Shelf {n} is teal")

    async def talk(client: McpClient) -> None:
        first = await answered(client, "records", limit=2)
        rest = await answered(client, "records", limit=2, after=first["next"])
        texts = [each["text"] for each in (*first["records"], *rest["records"])]
        assert texts == ["Shelf 2 is teal", "Shelf 1 is teal", "Shelf 0 is teal"]
        assert rest["next"] == ""

    seated(memory, talk, user="tuff")


def test_the_terminal_shows_a_page_and_the_line_that_goes_on(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "store"), "--user", "tuff")
    for n in range(3):
        shell("remember", f"Shelf {n} is teal")
    first = shell("list", "--limit", "2")
    assert "Shelf 2 is teal" in first.stdout
    assert "Shelf 0 is teal" not in first.stdout
    words = first.stdout.strip().splitlines()[-1].removeprefix("More: muniment ")
    assert "Shelf 0 is teal" in shell(*shlex.split(words)).stdout


def test_the_line_that_goes_on_repeats_every_option_that_was_given(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "my store"), "--user", "tuff")
    for n in range(3):
        shell("remember", f"Rose {n} is red", "--tag", "a rose", "--origin", "external")
        shell("remember", f"Shelf {n} is teal")
    then = str(shell.document("remember", "This is the last word of then")["seq"])
    shell("remember", "Rose 3 is red", "--tag", "a rose", "--origin", "external")
    asked = ("--where", '{"tags":"a rose"}', "--limit", "1", "--at", then, "--quarantined")
    page = shell("list", *asked).stdout
    for n in (2, 1):
        assert [f"Rose {each}" in page for each in range(4)] == [each == n for each in range(4)]
        words = shlex.split(page.strip().splitlines()[-1].removeprefix("More: muniment "))
        assert words.count("--after") == 1
        page = Shell()(*words).stdout
    assert "Rose 0 is red" in page
    assert "More" not in page


def test_the_line_that_goes_on_stays_in_its_branch(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "store"), "--user", "tuff")
    shell("remember", "Shelf 0 is teal")
    shell("branch", "open", "try")
    for n in (1, 2):
        shell("remember", f"Shelf {n} is teal", "--branch", "try")
    page = shell("list", "--limit", "1", "--branch", "try").stdout
    words = shlex.split(page.strip().splitlines()[-1].removeprefix("More: muniment "))
    assert "Shelf 1 is teal" in Shell()(*words).stdout
