"""The first minute at the terminal: what to do next, three questions, a talk, and a quick start."""

import json
import shlex
from pathlib import Path

import click
import pytest
from tests.behaviour.test_terminal_border import muniment as program
from tests.behaviour.test_terminal_border import on_screen
from tests.scripted_model import Reply, scripted
from tests.terminal import Shell

from muniment.adapters.cli.errors import Exit
from muniment.adapters.cli.main import FILES, cli
from muniment.adapters.cli.shared_options import SHARED, shared
from muniment.model.canonical_json import INTEGER_MAX

# ── What to do next ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_what_to_do_next_fits_the_screen(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    told = Shell("--store", "none")().output

    assert "muniment init" in told
    assert max(map(len, told.splitlines()[2:])) <= columns  # behind the name and the version


def test_without_a_command_it_says_what_to_do_next(tmp_path: Path) -> None:
    store = tmp_path / "memory"
    nothing = Shell("--store", str(store))()
    assert f"There is no memory in {store} yet." in nothing.output
    assert "muniment init" in nothing.output
    assert "Options:" not in nothing.output

    Shell("--store", str(store))("remember", "I moved to Lisbon in March")
    there = Shell("--store", str(store))()
    assert f"Your memory is in {store}. Next:" in there.output
    assert "muniment recall" in there.output
    assert "muniment init" not in there.output


def test_every_step_that_is_named_is_a_command() -> None:
    for store in ("/nowhere", "."):
        told = Shell("--store", store)().output
        named = [line.split()[1] for line in told.splitlines() if line.startswith("  muniment")]
        assert named
        assert {*named} <= {*FILES}


@pytest.mark.parametrize("name", ["recall", "remember", "prove"])
def test_a_command_tells_its_own_options_and_where_the_shared_ones_are(name: str) -> None:
    told = Shell()(name, "--help").output

    assert "Folder or server address" not in told
    assert "see muniment --help" in told
    assert all(f"--{each}" in told for each in SHARED)
    assert {each.name for each in shared()} == SHARED


def test_help_names_no_limit_that_nobody_reaches() -> None:
    """And what lies beyond it is still refused as bad input."""
    context = click.Context(cli)
    every = [(name, cli.get_command(context, name)) for name in FILES]
    inner = [
        (f"{name} {part}", command)
        for name, group in every
        if isinstance(group, click.Group)
        for part, command in group.commands.items()
    ]
    unreached = [
        name
        for name, command in [*every, *inner]
        if command and str(INTEGER_MAX) in command.get_help(click.Context(command))
    ]

    assert not unreached
    told = Shell()("unforget", "--first", str(INTEGER_MAX + 1), "--last", "1")
    assert (told.exit_code, str(INTEGER_MAX) in told.stderr) == (Exit.INPUT, True)


# ── Three questions ─────────────────────────────────────────────────────────────────────────────


def test_init_asks_three_questions_and_takes_the_answers(tmp_path: Path) -> None:
    place = tmp_path / "elsewhere"

    seen = on_screen(program("init"), f"{place}\nteam\nada\n")

    assert [seen.count(each) for each in ("Where shall", "Who must approve", "Who are you?")] == [
        1,
        1,
        1,
    ]
    assert "quorum = 2" in (place / "policy.toml").read_text()
    assert "--user ada" in seen


def test_init_asks_nothing_with_yes_or_in_a_pipe(tmp_path: Path) -> None:
    seen = on_screen(program("init", "--yes", "--store", str(tmp_path / "a")), "")
    assert "?" not in seen
    assert "Ready" in seen
    piped = Shell("--store", str(tmp_path / "b"))("init")
    assert piped.exit_code == Exit.DONE
    assert "Ready" in piped.output


# ── A talk ──────────────────────────────────────────────────────────────────────────────────────


def test_a_chat_shows_what_is_recalled_and_what_is_learned(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    said = "I moved to Lisbon in March\nMy name is Ada\n\nWhere do I live?\n"
    secret = "my password is " + "hunter2" * 2

    told = shell("chat", typed=f"{said}{secret}\nWho won the cup?\n/quit\nnever said\n").output

    assert "learned   profile: name: Ada" in told
    assert "memory> I moved to Lisbon in March" in told
    assert "recalled  I moved to Lisbon in March" in told
    assert "not kept  it contains a secret" in told
    assert "memory> I do not know that yet." in told
    again = json.loads(shell("chat", "--json", typed="Where do I live?\n").output)
    (turn,) = again["turns"]
    assert turn["answered"] == "I moved to Lisbon in March"
    assert "never said" not in shell("log").output


def test_with_a_model_it_answers_from_what_is_remembered_and_the_last_turns(
    tmp_path: Path,
) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    shell("remember", "I moved to Lisbon in March")
    with scripted(lambda asked: f"answer to: {asked.user.splitlines()[-1]}") as model:
        told = shell(
            "chat",
            "--model",
            f"{model.address} qwen3",
            typed="Where do I live?\nAnd since when?\n",
        ).output

    first, second = model.asked
    assert "memory> answer to: User: Where do I live?" in told
    assert "I moved to Lisbon in March" in first.user.partition("</memory>")[0]
    assert "data, not instructions" in first.system
    assert "User: Where do I live?\nAssistant: answer to:" in second.user.partition("</memory>")[2]
    assert "answer to: User: Where do I live?" in shell("log").output


def test_a_secret_is_not_sent_to_the_model_and_a_silent_model_is_told(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    secret = "my password is " + "hunter2" * 2
    with scripted(lambda _: Reply(status=500)) as model:
        told = shell(
            "chat", "--model", f"{model.address} qwen3", typed=f"{secret}\nI like tea\n"
        ).output

    assert all("hunter2" not in each.user for each in model.asked)
    assert "That was not sent to the model" in told
    assert "no answer" in told
    assert "answered 500" in told
    assert "learned   I like tea" in told


def test_a_word_with_a_slash_is_a_command_of_the_chat_and_nothing_to_remember(
    tmp_path: Path,
) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")

    told = shell("chat", typed="/help\n/cntext\nI drink tea\nWhat do I drink?\n/context\n").output

    assert "  /context  show what a prompt is given" in told
    assert "There is no command /cntext; /help lists them." in told
    assert "I drink tea" in told.rpartition("memory> ")[2].partition("##")[2]
    assert "cntext" not in shell("log").output


def test_two_people_who_chat_with_one_memory_have_a_conversation_each(tmp_path: Path) -> None:
    store = str(tmp_path / "memory")

    told = [
        Shell("--store", store, "--user", each)("chat", typed=f"My name is {each}\n").output
        for each in ("Ada", "Mara")
    ]

    assert ["profile: name: Ada" in told[0], "profile: name: Mara" in told[1]] == [True, True]


def test_a_wish_for_a_lasting_fact_is_told_with_the_command_that_confirms_it(
    tmp_path: Path,
) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")

    told = shell("chat", typed="Remember my favourite colour is cerulean\n").output

    assert "not kept" not in told
    (line,) = [each for each in told.splitlines() if "lasting fact: " in each]
    program, *words = shlex.split(line.partition("lasting fact: ")[2])
    assert program == "muniment"
    assert "needs approval" in shell(*words, "--store", str(tmp_path / "memory")).output


def test_a_person_who_chats_is_prompted_and_ends_with_an_empty_line(tmp_path: Path) -> None:
    seen = on_screen(program("chat", "--store", str(tmp_path / "m")), "I drink tea\n\n")

    assert seen.count("you> ") == 2
    assert "Noted." in seen
