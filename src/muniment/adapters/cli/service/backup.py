"""`backup` and `restore`: a proved copy while others write, and its return."""

from pathlib import Path

import click
import msgspec

from muniment.adapters.cli.options import SERVER, Terminal, command
from muniment.adapters.cli.output import say
from muniment.adapters.cli.progress import progress
from muniment.adapters.config import Settings
from muniment.adapters.operations import backup as operations_backup
from muniment.model.errors import InputError
from muniment.model.scope import Channel


@command("backup")
@click.argument("folder", metavar="FOLDER")
def backup(terminal: Terminal, *, folder: str) -> None:
    """Copy the store, keys included, to the empty FOLDER and prove the copy, for every tenant.

    The copy is a snapshot of one moment, even while others write. Whoever has it can read
    everything in it. A person who is erased later is still in older copies: keep them no
    longer than you may. API keys are not copied: after a restore, create new ones with
    `muniment keys create`.
    """
    source = _folder(terminal)
    told = operations_backup.backup(source, Path(folder), _settings(terminal), progress)
    _answer(terminal, folder, msgspec.to_builtins(told), f"{told.entries} entries proved")


@command("restore")
@click.argument("folder", metavar="FOLDER")
def restore(terminal: Terminal, *, folder: str) -> None:
    """Restore the backup in FOLDER as the store, which must not exist yet, and prove it."""
    target = _folder(terminal)
    told = operations_backup.restore(Path(folder), target, _settings(terminal), progress)
    _answer(
        terminal, str(target), msgspec.to_builtins(told), f"{told.entries} entries as they were"
    )


def _settings(terminal: Terminal) -> Settings:
    return Settings(tenant=terminal.options.tenant, channel=Channel.TERMINAL)


def _folder(terminal: Terminal) -> Path:
    if SERVER in terminal.options.store:
        raise InputError("a server is backed up with its own tools; its keys are a folder to copy")
    return Path(terminal.options.store)


def _answer(terminal: Terminal, folder: str, document: dict[str, object], words: str) -> None:
    terminal.answer(
        {"folder": folder} | document, lambda: [say(("Done", "good"), f": {folder}, {words}")]
    )
