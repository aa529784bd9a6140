"""Source files: a file, a folder or a zip archive as named streams of bytes, nothing unpacked."""

import codecs
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import BinaryIO, Final

from muniment.model.errors import InputError

FILES_MAX: Final = 200_000
BYTES_MAX: Final = 64 << 30  # of an archive once it is unpacked: no file gives more than it says
CHUNK_BYTES: Final = 1 << 20
LINE_CHARACTERS_MAX: Final = 1 << 20  # a longer line is read in pieces
OLD: Final = "cp1252"  # the code page that many programs still write
ARCHIVE: Final = b"PK\x03\x04"
LISTED: Final = b"PK\x01\x02"  # stands before each line of an archive's list of files
# How an archive says that it is damaged, locked, or packed in a way that nobody here unpacks.
DAMAGED: Final = (OSError, zipfile.BadZipFile, RuntimeError, EOFError, zlib.error, lzma.LZMAError)
MARKS: Final = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))


class SourceFiles:
    """What was given to an importer. Names are relative, and none leads out of the folder."""

    def __init__(self, path: Path, *, unpacked_max: int = BYTES_MAX) -> None:
        self.path = path
        self._archive: zipfile.ZipFile | None = None
        if path.is_file() and zipfile.is_zipfile(path):
            # Before it is opened: the list of files is read whole, and each takes memory.
            if _counted(path, LISTED, FILES_MAX) > FILES_MAX:
                raise InputError(f"there are more than {FILES_MAX} files")
            try:
                self._archive = zipfile.ZipFile(path)
            except (*DAMAGED, struct.error, UnicodeDecodeError) as error:
                raise InputError(f"{path.name!r} is not an archive: {error}") from None
            if sum(each.file_size for each in self._archive.infolist()) > unpacked_max:
                raise InputError(f"{path.name!r} is larger than {unpacked_max} bytes, unpacked")
        elif path.is_file():
            with path.open("rb") as data:
                if data.read(len(ARCHIVE)) == ARCHIVE:
                    raise InputError(f"{path.name!r} is a truncated or damaged archive")

    @property
    def is_archive(self) -> bool:
        """Whatever its name: an upload has none."""
        return self._archive is not None

    def names(self, *patterns: str) -> list[str]:
        """The names that fit, in their order; of a single file, its own."""
        if self._archive is not None:
            named = filter(None, (each.filename for each in self._archive.infolist()))
            found = [each for each in named if not each.endswith("/")]
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
                with _member(self._archive, name) as data:
                    yield data
            else:
                place = self.path / name if self.path.is_dir() else self.path
                with place.open("rb") as plain:
                    yield plain
        except DAMAGED as error:
            raise InputError(f"{name!r} cannot be read: {error}") from None

    def text(self, name: str, limit: int = 16 << 20) -> str:
        """A small file as text, whatever its encoding."""
        with self.open(name) as data:
            return decoded(data.read(limit))

    def lines(self, name: str) -> Iterator[str]:
        """A text line by line, whatever its encoding, so that it need not fit into memory."""
        encoding = self._encoding(name)
        with self.open(name) as data:
            text = io.TextIOWrapper(data, encoding=encoding, errors="replace")
            while line := text.readline(LINE_CHARACTERS_MAX):
                yield line.removesuffix("\n")

    def _encoding(self, name: str) -> str:
        """By its mark, or UTF-8 where all of it is, or else as many programs still write."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        with self.open(name) as data:
            chunk = data.read(CHUNK_BYTES)
            marked = next((each for mark, each in MARKS if chunk.startswith(mark)), "")
            try:
                while chunk and not marked:
                    decoder.decode(chunk)
                    chunk = data.read(CHUNK_BYTES)
                decoder.decode(b"", final=not marked)
            except UnicodeDecodeError:
                return OLD
        return marked or "utf-8"

    def _inside(self) -> Iterator[str]:
        """Files of the folder; a link that leads out of it is not followed."""
        root = self.path.resolve()
        for each in sorted(self.path.rglob("*")):
            if each.is_file() and each.resolve().is_relative_to(root):
                yield each.relative_to(self.path).as_posix()


def _member(archive: zipfile.ZipFile, name: str) -> BinaryIO:
    """A file of an archive; its own head may be damaged where the archive's list is whole."""
    try:
        return archive.open(name)  # type: ignore[return-value]
    except (struct.error, UnicodeDecodeError) as error:
        raise zipfile.BadZipFile(str(error)) from None


def _counted(path: Path, mark: bytes, enough: int) -> int:
    """How often a mark stands in a file; beyond `enough` nobody needs to know."""
    found, tail = 0, b""
    with path.open("rb") as data:
        while found <= enough and (chunk := data.read(CHUNK_BYTES)):
            seen = tail + chunk
            found += seen.count(mark)
            tail = seen[1 - len(mark) :]
    return found


def decoded(data: bytes) -> str:
    """Text by its mark, as UTF-8, or else as the code page that many programs still write."""
    for mark, name in MARKS:
        if data.startswith(mark):
            return data.decode(name, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode(OLD, errors="replace")


def _fits(name: str, pattern: str) -> bool:
    return fnmatch(name, pattern) or fnmatch(name.rpartition("/")[2], pattern)
