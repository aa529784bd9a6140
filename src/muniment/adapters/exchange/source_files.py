"""Source files: a file, a folder or a zip archive as named streams of bytes, nothing unpacked."""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import BinaryIO, Final

from muniment.model.errors import InputError

FILES_MAX: Final = 200_000
BYTES_MAX: Final = 64 << 30  # of one file inside an archive, whatever its header says


class SourceFiles:
    """What was given to an importer. Names are relative, and none leads out of the folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._archive: zipfile.ZipFile | None = None
        if path.is_file() and zipfile.is_zipfile(path):
            try:
                self._archive = zipfile.ZipFile(path)
            except (zipfile.BadZipFile, OSError) as error:
                raise InputError(f"{path.name!r} is no archive: {error}") from None

    def names(self, *patterns: str) -> list[str]:
        """The names that fit, in their order; of a single file, its own."""
        if self._archive is not None:
            found = [each.filename for each in self._archive.infolist() if not each.is_dir()]
        elif self.path.is_dir():
            found = list(self._inside())
        else:
            return [self.path.name]
        if len(found) > FILES_MAX:
            raise InputError(f"there are more than {FILES_MAX} files")
        return sorted(each for each in found if any(_fits(each, p) for p in patterns))

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        try:
            if self._archive is not None:
                with self._archive.open(name) as data:
                    yield data  # type: ignore[misc]
            else:
                place = self.path / name if self.path.is_dir() else self.path
                with place.open("rb") as plain:
                    yield plain
        except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
            raise InputError(f"{name!r} cannot be read: {error}") from None

    def text(self, name: str, limit: int = 16 << 20) -> str:
        """A small file as text, whatever its encoding."""
        with self.open(name) as data:
            return decoded(data.read(limit))

    def _inside(self) -> Iterator[str]:
        """Files of the folder; a link that leads out of it is not followed."""
        root = self.path.resolve()
        for each in sorted(self.path.rglob("*")):
            if each.is_file() and each.resolve().is_relative_to(root):
                yield each.relative_to(self.path).as_posix()


def decoded(data: bytes) -> str:
    """Text by its mark, as UTF-8, or else as the code page that many programs still write."""
    for mark, name in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(name, errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _fits(name: str, pattern: str) -> bool:
    return fnmatch(name, pattern) or fnmatch(name.rpartition("/")[2], pattern)
