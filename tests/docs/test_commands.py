"""The commands, files and calls of every page are true: they are parsed, loaded or made."""

import contextlib
import doctest
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from bench.page_walk import fits
from tests.docs.test_readme import PAGES, ROOT
from tests.service import serving
from tests.terminal import Shell

from muniment.adapters import config
from muniment.adapters.cli.main import FILES, cli

Line = tuple[str, str]


def blocks(page: Path, *kinds: str) -> list[str]:
    found = re.findall(r"^```(\w*)\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    return [text for kind, text in found if kind in kinds]


def lines() -> Iterator[Line]:
    """Every command that stands in a block, with the page it stands on."""
    for page in PAGES:
        for text in blocks(page, "", "sh", "console"):
            for line in text.replace("\\\n", " ").splitlines():
                if re.match(r"(\$ )?muniment ", line):
                    yield page.stem, line.removeprefix("$ ")
        for text in blocks(page, "json"):
            for its in json.loads(text).get("mcpServers", {}).values():
                yield page.stem, shlex.join([its["command"], *its["args"]])


def parsed(command: click.Command, words: list[str], parent: click.Context | None = None) -> None:
    """As the terminal reads it, down to the last option; nothing is done."""
    with command.make_context(words.pop(0), words, parent) as context:
        if isinstance(command, click.Group):
            rest = [*context._protected_args, *context.args]
            name, inside, _ = command.resolve_command(context, rest)
            assert inside, name
            parsed(inside, rest, context)


@pytest.mark.parametrize("line", sorted(set(lines())), ids=lambda line: f"{line[0]}: {line[1]}")
def test_every_command_of_a_block_is_one_that_the_terminal_takes(line: Line) -> None:
    told, *_ = line[1].split(" > ")  # where the answer goes is the shell's affair
    words = shlex.split(told, comments=True)

    parsed(cli, words)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_in_a_sentence_has_the_options_that_it_names(page: Path) -> None:
    for told in re.findall(r"`(?:muniment )([a-z][^`]*)`", page.read_text()):
        name, *words = told.split()
        assert name in FILES, told
        command = cli.get_command(click.Context(cli), name)
        assert command
        known = {option for each in everything(command) for option in each.opts}
        assert {word for word in words if word.startswith("--")} <= known, told


def everything(command: click.Command) -> list[click.Parameter]:
    inside = command.commands.values() if isinstance(command, click.Group) else ()
    return [*command.params, *(each for its in inside for each in everything(its))]


def test_the_files_of_the_pages_are_read_as_they_stand(tmp_path: Path) -> None:
    (policy,) = blocks(ROOT / "docs" / "policies.md", "toml")
    (identity,) = blocks(ROOT / "docs" / "personas.md", "toml")
    (tmp_path / "policy.toml").write_text(policy)
    (tmp_path / "ada.identity.toml").write_text(identity)

    assert config.read_policy(tmp_path / "policy.toml").governance.quorum == 2
    agent, read = config.read_identity(tmp_path / "ada.identity.toml")
    assert (agent, read.memory.actor.threshold) == ("ada", 50)


def test_the_quick_start_of_the_http_page_goes_as_it_is_printed(tmp_path: Path) -> None:
    page = ROOT / "docs" / "http.md"
    start, _ = blocks(page, "console")
    command, *printed = start.split("$ ")[1].splitlines()
    with contextlib.chdir(tmp_path):
        told = Shell()(*shlex.split(command)[1:]).output.splitlines()
    assert all(map(fits, printed, told)), told

    (session,) = blocks(page, "pycon")
    with serving() as service:
        session = session.replace("http://127.0.0.1:8600", service.url)
        session = session.replace("mk_…", service.user().key).replace("…", doctest.ELLIPSIS_MARKER)
        test = doctest.DocTestParser().get_doctest(session, {}, "http.md", None, None)
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
        tried = runner.run(test, clear_globs=False)
        test.globs["memory"].close()
    assert (tried.failed, tried.attempted) == (0, 4)
