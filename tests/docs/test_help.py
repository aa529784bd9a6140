"""What the terminal says of itself is whole: every command, argument, option and reason is told."""

import click
import pytest
from tests.docs.test_vocabulary import _reasons

from muniment.adapters.cli.main import COMMANDS, FILES, cli
from muniment.adapters.rendering.refusal_texts import REASONS


def command(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found
    return found


@pytest.mark.parametrize("name", FILES)
def test_every_option_of_a_command_says_what_it_does(name: str) -> None:
    options = [each for each in command(name).params if isinstance(each, click.Option)]
    silent = [each.opts[0] for each in options if not (each.help or "").endswith((".", "]"))]

    assert silent == []


@pytest.mark.parametrize("name", FILES)
def test_every_argument_stands_in_the_text_of_its_command(name: str) -> None:
    found = command(name)
    arguments = [each for each in found.params if isinstance(each, click.Argument)]
    names = [(each.metavar or str(each.name).upper()).strip("[].…") for each in arguments]

    assert [each for each in names if each not in (found.help or "")] == []


def test_every_line_of_the_contents_is_a_sentence() -> None:
    lines = [text for section in COMMANDS.values() for _, text in section.values()]

    assert [text for text in lines if not text.endswith(".") or not text[0].isupper()] == []


def test_every_reason_of_a_refusal_has_its_words() -> None:
    assert _reasons() - set(REASONS) == set()
