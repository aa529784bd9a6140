"""Power loss: a recorder of writes, syncs and names below a folder, and the disks a cut may leave.

Nothing is durable but what was synced. A write since the last sync of its file may be there, may
be missing, or may be torn between two sectors; a name is only sure once its folder was synced.
What a recorder saw can be cut at every step, and a second process may go on from any of them: the
system still has everything then, and the disk still has not.
"""

import copy
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import msgspec
from tests.conformance.disks import Chance

SECTORS = (512, 4096)
# The index of a write-ahead log dies with its process; locks and the ballast hold nothing.
PASSING = ("-shm", ".lock", "ballast", "ballast.part")


class Write(msgspec.Struct, frozen=True):
    inode: int
    at: int
    data: bytes


class Cut(msgspec.Struct, frozen=True):
    inode: int
    size: int


class Sync(msgspec.Struct, frozen=True):
    inode: int


class Name(msgspec.Struct, frozen=True):
    """A name that a folder has from now on: of a file, or with no number of a folder."""

    path: str
    inode: int


class Gone(msgspec.Struct, frozen=True):
    path: str


class SyncFolder(msgspec.Struct, frozen=True):
    path: str


Change = Write | Cut | Sync | Name | Gone | SyncFolder
FOLDER = 0


class Disk:
    """Two disks in one: what the system shows (`now`), and what is sure to survive (`kept`)."""

    def __init__(self) -> None:
        self.now: dict[str, int] = {}
        self.kept: dict[str, int] = {}
        self.shown: dict[int, bytes] = {}
        self.sure: dict[int, bytes] = {}
        self.unsynced: dict[int, list[Write | Cut]] = {}
        self.unsynced_names: list[Name | Gone] = []
        self.last = 0

    def new_inode(self) -> int:
        self.last += 1
        return self.last

    def apply(self, change: Change) -> None:
        match change:
            case Write() | Cut():
                self.shown[change.inode] = changed(self.shown.get(change.inode, b""), change)
                self.unsynced.setdefault(change.inode, []).append(change)
            case Sync():
                self.sure[change.inode] = self.shown.get(change.inode, b"")
                self.unsynced.pop(change.inode, None)
            case Name() | Gone():
                self.last = max(self.last, change.inode if isinstance(change, Name) else 0)
                renamed(self.now, change)
                self.unsynced_names.append(change)
            case SyncFolder():
                ours = [each for each in self.unsynced_names if _is_in(each.path, change.path)]
                for each in ours:
                    renamed(self.kept, each)
                self.unsynced_names = [each for each in self.unsynced_names if each not in ours]

    def copy(self) -> "Disk":
        return copy.deepcopy(self)

    def put(self, folder: Path) -> None:
        """As a process finds it that comes after one that was killed."""
        _put(folder, self.now, self.shown)

    def after_power_cut(self, folder: Path, *, kind: int, chance: Chance) -> None:
        """What is there when the power is back. 0: what was synced; 1: all; else some of it."""
        if kind == 1:
            _put(folder, self.now, self.shown)
            return
        names, files = dict(self.kept), dict(self.sure)
        if kind:
            sector = SECTORS[kind % 2]
            for name in self.unsynced_names:
                if chance.below(2):
                    renamed(names, name)
            for inode, changes in self.unsynced.items():
                for each in changes:
                    files[inode] = _partly(files.get(inode, b""), each, sector, chance)
        _put(folder, names, files)


def changed(data: bytes, change: Write | Cut) -> bytes:
    if isinstance(change, Cut):
        return data[: change.size].ljust(change.size, b"\x00")
    return _written(data, change)


def _written(data: bytes, change: Write) -> bytes:
    before = data[: change.at].ljust(change.at, b"\x00")
    return before + change.data + data[change.at + len(change.data) :]


def _partly(data: bytes, change: Write | Cut, sector: int, chance: Chance) -> bytes:
    """Four in ten are lost, two in ten torn: some of their sectors are there, others are not."""
    fate = chance.below(10)
    if fate < 4:
        return data
    if fate < 8 or isinstance(change, Cut):
        return changed(data, change)
    start, end = change.at, change.at + len(change.data)
    while start < end:
        border = min(end, (start // sector + 1) * sector)
        if chance.below(2):
            piece = change.data[start - change.at : border - change.at]
            data = _written(data, Write(change.inode, start, piece))
        start = border
    return data


def renamed(names: dict[str, int], change: Name | Gone) -> None:
    if isinstance(change, Gone):
        names.pop(change.path, None)
    else:
        # A file that is renamed is at its new place or at its old one, never at both.
        for path in [its for its, inode in names.items() if inode and inode == change.inode]:
            del names[path]
        names[change.path] = change.inode


def _is_in(path: str, folder: str) -> bool:
    return os.path.dirname(path) == folder  # noqa: PTH120 - both are plain texts


def _put(folder: Path, names: dict[str, int], files: dict[int, bytes]) -> None:
    folder.mkdir(parents=True)
    for path, inode in sorted(names.items()):
        place = folder / path
        if not place.parent.is_dir():  # the name of its folder did not survive
            continue
        if inode == FOLDER:
            place.mkdir(mode=0o700)
        else:
            place.write_bytes(files.get(inode, b""))
            place.chmod(0o600)


class Recorder(apsw.VFS):
    """Sees what is written, synced and named below a folder, by SQLite and by everybody else.

    As long as it records, nothing is really synced: a test that runs on needs no disk for it.
    """

    def __init__(self, folder: Path, disk: Disk | None = None) -> None:
        self.folder = folder.resolve()
        self.disk = disk or Disk()
        self.changes: list[Change] = []
        self._numbers: dict[int, int] = {}  # the system's number of a file -> ours
        self._by_sqlite: set[str] = set()
        self._looked: dict[str, int] = {}
        if disk is not None:
            for path, inode in disk.now.items():
                system = (self.folder / path).stat().st_ino
                self._looked[path] = system
                self._numbers[system] = inode
        super().__init__(f"recorder {folder}", base="unix", makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: ANN401, N802
        place = name.filename() if isinstance(name, apsw.URIFilename) else name
        if place is None or not Path(place).is_relative_to(self.folder):
            return apsw.VFSFile("unix", name, flags)
        path = str(Path(place).relative_to(self.folder))
        self._by_sqlite.add(path)
        opened = _Recorded(self, path, name, flags)
        self.look()
        return opened

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: FBT001, N802
        super().xDelete(filename, False)  # noqa: FBT003
        self.look()
        place = Path(filename)
        if syncdir and place.is_relative_to(self.folder):
            self.sync_folder(place.parent)

    def note(self, change: Change) -> None:
        self.changes.append(change)
        self.disk.apply(change)

    def inode(self, path: str) -> int:
        if path not in self.disk.now:
            self.look()
        return self.disk.now[path]

    def sync_folder(self, folder: Path) -> None:
        inside = folder.relative_to(self.folder)
        self.note(SyncFolder("" if inside == Path() else str(inside)))

    def fsync(self, descriptor: int) -> None:
        """In the place of `os.fsync`."""
        self.look()
        place = Path(f"/proc/self/fd/{descriptor}").readlink()
        if not place.is_relative_to(self.folder):
            return
        if place.is_dir():
            self.sync_folder(place)
        elif not place.name.endswith(PASSING):
            self.note(Sync(self.inode(str(place.relative_to(self.folder)))))

    def look(self) -> None:
        """What others than SQLite have changed since we looked: names, and small files."""
        found, files = self._found()
        for path in sorted(set(self._looked) - set(found), reverse=True):
            del self._looked[path]
            if self._looked_like(path, found) is None:
                self.note(Gone(path))
        for path, system in sorted(found.items()):
            if self._looked.get(path) != system:
                self._name(path, system)
        for path in files:
            if path not in self._by_sqlite:
                self._compare(path)

    def _looked_like(self, path: str, found: dict[str, int]) -> str | None:
        """Where a file that left its place stands now: it was renamed."""
        inode = self.disk.now.get(path, FOLDER)
        systems = {system for system, ours in self._numbers.items() if inode and ours == inode}
        return next((its for its, system in found.items() if system in systems), None)

    def _name(self, path: str, system: int) -> None:
        known = self._numbers.get(system)
        moved = known is not None and any(
            inode == known and its != path for its, inode in self.disk.now.items()
        )
        if (self.folder / path).is_dir():
            inode = FOLDER
        elif moved and known is not None:
            inode = known
        else:
            inode = self._numbers[system] = self.disk.new_inode()
        self._looked[path] = system
        self.note(Name(path, inode))

    def _compare(self, path: str) -> None:
        with open(f"{self.folder}/{path}", "rb") as file:  # noqa: PTH123 - many thousand times
            inode, data = self.disk.now[path], file.read()
        before = self.disk.shown.get(inode, b"")
        if len(data) < len(before):
            self.note(Cut(inode, len(data)))
            before = before[: len(data)]
        if data != before:
            pairs = enumerate(zip(data, before, strict=False))
            same = next((at for at, (new, old) in pairs if new != old), len(before))
            self.note(Write(inode, same, data[same:]))

    def _found(self) -> tuple[dict[str, int], list[str]]:
        """All that is there by its system's number, and which of it are files.

        Every write looks: paths are cut from strings, because objects of them take half of a test.
        """
        found, files = dict[str, int](), list[str]()
        waiting = [str(self.folder)]
        inside = len(waiting[0]) + 1
        while waiting:
            with os.scandir(waiting.pop()) as entries:
                for each in entries:
                    if not each.name.endswith(PASSING):
                        found[each.path[inside:]] = each.inode()
                        if each.is_dir():
                            waiting.append(each.path)
                        elif each.is_file():
                            files.append(each.path[inside:])
        return found, files


class _Recorded(apsw.VFSFile):
    def __init__(self, by: Recorder, path: str, name: Any, flags: list[int]) -> None:  # noqa: ANN401
        self._by, self._path = by, path
        # As SQLite does: the first sync of a journal makes its name durable too.
        self._new = not flags[0] & apsw.SQLITE_OPEN_MAIN_DB
        super().__init__("unix", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: ANN401, N802
        super().xWrite(data, offset)
        self._by.look()
        self._by.note(Write(self._by.inode(self._path), offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        super().xTruncate(newsize)
        self._by.note(Cut(self._by.inode(self._path), newsize))

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._by.look()
        self._by.note(Sync(self._by.inode(self._path)))
        if self._new:
            self._by.sync_folder((self._by.folder / self._path).parent)
            self._new = False


@contextmanager
def recorded(folder: Path, disk: Disk | None = None) -> Iterator[Recorder]:
    """Everything that happens below a folder while the block lasts."""
    recorder, real = Recorder(folder, disk), os.fsync
    os.fsync = recorder.fsync  # type: ignore[assignment]
    try:
        yield recorder
    finally:
        os.fsync = real
        recorder.unregister()
