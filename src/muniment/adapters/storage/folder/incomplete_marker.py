"""Incomplete marker: a folder that is being filled cannot be opened until it is removed.

A copy that was cut short, by a full disk or by whoever pulled the plug, has keys and logs like any
other memory, and would answer with the half that it holds.
"""

from pathlib import Path
from typing import Final

from muniment.adapters.system import durable_files
from muniment.model.errors import StorageFullError, UnfinishedError

MARK: Final = "unfinished"
COMMANDS: Final = frozenset({"backup", "restore", "copy-store"})  # who lays it


def lay(folder: Path, by: str) -> None:
    """On the disk before anything else is; `by` is the command that fills the folder."""
    durable_files.make_folder(folder)
    durable_files.put_file(folder / MARK, by.encode(), fresh=folder / f"{MARK}.new")


def lift(folder: Path) -> None:
    (folder / MARK).unlink()
    durable_files.sync_folder(folder)


def by(folder: Path) -> str:
    """Which command was cut short here; empty where none was."""
    try:
        told = (folder / MARK).read_bytes().decode(errors="replace")
    except OSError:  # none, or no folder that can be looked into: the store will tell
        return ""
    return told if told in COMMANDS else ""


def check(folder: Path) -> None:
    if who := by(folder):
        raise UnfinishedError(f"a {who} was interrupted here; run it again")


def no_room(place: Path, error: StorageFullError) -> StorageFullError:
    """The same error, said of the copy: the memory that it is taken from lacks no room."""
    told = StorageFullError(error.detail)
    told.sentence = f"There is no room for the copy in {place.name}; the memory is as it was."
    return told
