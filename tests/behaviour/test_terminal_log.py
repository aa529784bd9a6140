"""The terminal: looking things up in the log, letting go of them, and proving what is left."""

import re
import shutil
from pathlib import Path
from string import Formatter

import apsw
import pytest
from tests.terminal import KEY, Shell, contents, said, wishing

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.rendering import event_summary
from muniment.log.codec import KINDS


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture
def tuff(store: Path) -> Shell:
    return wishing(store)


# ── The log ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ([], [1, 2, 3, 4, 5]),
        (["--limit", "2"], [4, 5]),
        (["--after", "1", "--limit", "2"], [2, 3]),
        (["--after", "5"], []),
        (["--limit", "0"], [1, 2, 3, 4, 5]),
    ],
)
def test_the_log_comes_in_pages(tuff: Shell, words: list[str], places: list[int]) -> None:
    assert [each["seq"] for each in tuff.listed("entries", "log", *words)] == places


def test_the_newest_entry_is_shown_last(tuff: Shell) -> None:
    *_, last = tuff("log").stdout.splitlines()
    assert last.split()[0] == "5"
    assert "confirmation_asked" in last
    assert tuff("log", "--after", "9").stdout == "No entries.\n"


def test_an_entry_is_found_by_whatever_it_is_called(tuff: Shell) -> None:
    request = tuff.requested()
    tuff("approve", request)
    entry = tuff.document("show", "4")
    header, event = entry["header"], entry["event"]
    assert isinstance(header, dict)
    assert isinstance(event, dict)
    for name in (header["id"], event["episodic_id"]):
        assert tuff.document("show", name) == entry
    assert tuff("show", request).stdout.startswith("action_request  ")
    assert tuff("show", KEY).stdout.startswith("sem_put  ")
    assert tuff("show", "2", "--stream", "council").stdout.startswith("policy_adopted  ")


@pytest.mark.parametrize(
    "name", ["0", "99", "9" * 5000, "ep:nope", "req:nope", "a/b/c/d", "seq", "٣"]
)
def test_an_entry_that_is_not_there_is_not_found(tuff: Shell, name: str) -> None:
    result = tuff("show", name)
    assert (result.exit_code, result.stdout) == (Exit.NOT_FOUND, "")
    assert said(result).endswith("[NOT_FOUND]")


def test_a_log_that_is_not_there_is_not_found(tuff: Shell) -> None:
    result = tuff("log", "--stream", "ops")
    assert result.exit_code == Exit.NOT_FOUND
    assert "There is no ops log" in said(result)


def test_everything_that_can_happen_has_words_of_its_own() -> None:
    assert set(event_summary.GISTS) == set(KINDS)


def test_a_gist_speaks_only_of_what_its_event_holds() -> None:
    for name, template in event_summary.GISTS.items():
        fields = {field.split(".")[0] for _, field, _, _ in Formatter().parse(template) if field}
        assert fields <= set(KINDS[name].__struct_fields__)


def test_a_log_of_a_talk_is_read_by_what_was_said_and_not_by_its_fields(tuff: Shell) -> None:
    tuff("turn", "--said", "Remember my shoe size is 43", "--answered", "Hello")
    tuff("turn", "--said", "Remember for me that I prefer tea", "--answered", "Hello")

    told = {str(each["type"]): str(each["gist"]) for each in tuff.listed("entries", "log")}

    assert told["item_written"] == "ai, short_term: Hello"
    assert (
        told["item_denied"] == "user, not kept as profile (privacy_deny_profile_key): shoe size: 43"
    )
    assert told["border_checked"] == "promote from session to user: allowed"


def test_the_past_is_read_as_it_was(tuff: Shell) -> None:
    tuff("approve", tuff.requested())
    words = ["recall", "cerulean"]
    assert KEY in [hit["id"] for hit in tuff.listed("hits", *words)]
    assert KEY not in [hit["id"] for hit in tuff.listed("hits", *words, "--at", "5")]
    assert tuff(*words, "--at", "3").stdout == "Nothing found among 0 memories.\n"
    beyond = tuff(*words, "--at", "999")
    assert beyond.exit_code == Exit.INPUT
    assert "The log ends at entry" in said(beyond)


# ── Forgetting and erasing ──────────────────────────────────────────────────────────────────────


def test_an_episode_is_forgotten_at_once(tuff: Shell) -> None:
    episode = str(tuff.document("remember", "the blue door")["episodic_id"])
    assert tuff("forget", episode, "--reason", "wrong door").stdout.startswith("Forgotten: ep:")
    assert tuff.listed("hits", "recall", "door") == []
    again = tuff("forget", episode)
    assert again.exit_code == Exit.NOT_FOUND
    assert said(again) == (
        f"muniment: There is no item {episode!r}; `muniment list` shows what there is. [NOT_FOUND]"
    )


def test_a_fact_is_forgotten_by_council_and_administrator(tuff: Shell) -> None:
    tuff("approve", tuff.requested())
    asked = tuff("forget", KEY)
    early = tuff("forget", "--carry-out", asked.stdout.split()[1])
    assert said(early).endswith("[REFUSED: deletion_not_approved]")
    approved = tuff.follow(asked)
    assert approved.stdout.startswith("Approved: delete ")
    assert tuff.follow(approved).stdout.startswith("Forgotten: ")
    assert "[fact]" not in tuff("context", "colour").stdout


def test_a_person_is_erased_by_council_and_administrator(tuff: Shell, store: Path) -> None:
    asked = tuff("erase", "tuff")
    early = tuff("erase", "--carry-out", asked.stdout.split()[1])
    assert early.exit_code == Exit.REFUSED
    assert said(early).endswith("[REFUSED: erasure_not_approved]")
    done = tuff.follow(tuff.follow(asked))
    assert done.stdout.startswith("Erased. This is the receipt:\n")
    assert "scan digest" in done.stdout
    assert b"cerulean" not in contents(store)


def test_of_what_was_erased_the_log_says_so(tuff: Shell, store: Path) -> None:
    tuff.follow(tuff.follow(tuff("erase", "tuff")))
    operator = Shell("--store", str(store))
    entries = {each["seq"]: each for each in operator.listed("entries", "log")}
    assert entries[4]["gist"] == "erased"
    assert str(entries[5]["gist"]).startswith("erased: confirm:")
    assert entries[4]["erased"]
    assert not entries[2]["erased"]
    for shell in (tuff, operator):
        assert "cerulean" not in shell("show", "4").output
    assert tuff("prove").exit_code == Exit.DONE


def test_what_is_alive_and_what_was_approved_are_two_things(store: Path) -> None:
    """A fact of a conversation is alive before any yes made it a governed one."""
    with muniment.open(store) as memory:
        nell = memory.agent("default", user="nell")
        nell.conversation(session="s").record(user="I prefer tea")
        before = Shell("--store", str(store))("about", "nell").stdout
        nell.sem_put("user/profile/user_nell/drink", "tea")
    after = Shell("--store", str(store))("about", "nell").stdout

    rows = [dict(re.findall(r"^  (.+?)  +(.*)$", each, re.MULTILINE)) for each in (before, after)]
    assert [each["alive"] for each in rows] == [
        "conversation 1, facts 1",
        "conversation 1, facts 1, governed facts 1",
    ]
    assert [each["governed facts"] for each in rows] == ["none", "user/profile/user_nell/drink"]
    assert not any("facts" in each for each in rows)


def test_nobody_is_erased_who_is_not_known(tuff: Shell) -> None:
    result = tuff("erase", "somebody")
    assert result.exit_code == Exit.NOT_FOUND
    assert said(result) == "muniment: Nothing is known about 'somebody'. [NOT_FOUND]"


# ── Proofs and damage ───────────────────────────────────────────────────────────────────────────


def test_a_store_is_proved_and_rebuilt(tuff: Shell, store: Path) -> None:
    assert "every link holds" in tuff("prove").stdout
    assert "Proved 5 entries in 1 log" in Shell()("prove", str(store)).stdout
    assert "Rebuilt 1 stream from the log." in tuff("rebuild").stdout


def test_a_changed_entry_fails_the_proof(tuff: Shell, store: Path) -> None:
    tamper(store)
    result = tuff("prove")
    assert (result.exit_code, result.stdout) == (Exit.INTEGRITY, "")
    assert said(result).endswith("[INTEGRITY_FAIL]")


def test_missing_keys_are_told(tuff: Shell, store: Path) -> None:
    shutil.rmtree(store / "keys")
    result = tuff("log")
    assert result.exit_code == Exit.STORE
    assert said(result).endswith("[KEYSTORE_UNREADABLE]")


def tamper(store: Path) -> None:
    """Change one word of one header, as someone with the disk in their hands could."""
    (path,) = (store / "streams").glob("*.db")
    database = apsw.Connection(str(path))
    database.execute("DROP TRIGGER entry_stays")
    (found,) = next(iter(database.execute("SELECT header FROM entry WHERE seq = 3")))
    assert isinstance(found, bytes)
    changed = found.replace(b'"terminal"', b'"TERMINAL"')
    assert changed != found
    database.execute("UPDATE entry SET header = ? WHERE seq = 3", (changed,))
    database.close()
