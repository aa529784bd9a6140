"""`completion`: shell completion scripts."""

import click
from click.shell_completion import get_completion_class

from muniment.adapters.cli.options import Terminal, command
from muniment.model.errors import InputError

SHELLS = ("bash", "zsh", "fish")


@command("completion")
@click.argument("shell", type=click.Choice(SHELLS), metavar="SHELL")
def completion(terminal: Terminal, *, shell: str) -> None:
    """Print the completion script for SHELL: bash, zsh or fish.

    For bash: muniment completion bash >> ~/.bashrc
    """
    from muniment.adapters.cli.main import cli

    found = get_completion_class(shell)
    if found is None:
        raise InputError(f"there is no completion for {shell}")
    try:
        text = found(cli, {}, "muniment", "_MUNIMENT_COMPLETE").source()
    except RuntimeError as error:  # an old bash
        raise InputError(str(error)) from None
    if terminal.options.json:
        terminal.answer({"shell": shell, "script": text}, list)
    else:
        click.echo(text)
