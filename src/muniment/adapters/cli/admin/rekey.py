"""`rekey`: replace the master key, and destroy the old one."""

from contextlib import closing
from pathlib import Path

import click

from muniment.adapters.cli.options import SERVER, Terminal, command
from muniment.adapters.cli.output import say
from muniment.adapters.cli.progress import stages
from muniment.adapters.keys.keystore import KEYS, FileKeystore
from muniment.adapters.storage.folder import incomplete_marker
from muniment.adapters.system.path_exists import is_still, is_there
from muniment.model.errors import InputError, NotFoundError, ReadOnlyError


@command("rekey")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def rekey(terminal: Terminal, *, yes: bool) -> None:
    """Replace the master key: every key is encrypted again, and the old one destroyed.

    What is remembered does not change, and open processes continue. Backups contain the master
    key of their time: make a new one, and destroy those whose key must not be used again.
    If it is interrupted it is done or not done; to be sure, run it again.
    """
    folder = _folder(terminal)
    if not yes:
        click.confirm(f"Exchange the master key in {folder / KEYS}?", abort=True, err=True)
    with closing(FileKeystore(folder)) as keystore, stages("Exchanging", "keys") as shown:
        count = keystore.exchange(shown)
    told = f": {count:,} keys are wrapped by another master key. Make a backup now."
    terminal.answer({"keys": count}, lambda: [say(("Exchanged", "good"), told)])


def _folder(terminal: Terminal) -> Path:
    """Where the keys lie; none are made here."""
    if SERVER in terminal.options.store and not terminal.options.keys:
        raise InputError("a memory on a server needs the folder of its keys: --keys")
    folder = Path(
        terminal.options.keys if SERVER in terminal.options.store else terminal.options.store
    )
    if not is_there(folder / KEYS):
        raise NotFoundError(f"there are no keys of a memory in {folder.name}")
    incomplete_marker.check(folder)
    if is_still(folder / KEYS):
        raise ReadOnlyError
    return folder
