"""The memory tool of Anthropic's SDK: files under /memories are documents, folders are namespaces.

A path never leaves this process: it is split into labels, and nothing of a file system exists.
With `governed`, a change is answered with the request that waits for a yes.
"""

from collections.abc import Iterator
from typing import Final

from muniment.adapters.frameworks.document_bridge import (
    TURN,
    Agents,
    User,
    UserDocuments,
    done,
    in_turn,
    missing,
)
from muniment.engine.api.documents import Documents
from muniment.model.errors import AwaitsApprovalError, InputError, MunimentError
from muniment.model.kinds import document as documents
from muniment.model.kinds.document import Namespace, StoredDocument

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
    from anthropic.types.beta import (
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )
except ImportError as error:
    raise missing("anthropic", "anthropic") from error

ROOT: Final = "memories"
LINES_MAX: Final = 999_999
WIDTH: Final = len(str(LINES_MAX))
DEPTH_SHOWN: Final = 2
KILO: Final = 1024
UNITS: Final = ("B", "K", "M", "G")
AROUND: Final = 2  # lines shown on either side of a change
RANGE: Final = 2


class Cabinet:
    """The files of one agent, and what each command does to them."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        path = labels(command.path)
        document = self._file(path)
        if document is not None:
            return _numbered(document, command)
        if not self._is_folder(path):
            raise ToolError(f"The path {command.path} does not exist. Please provide a valid path.")
        listed = [
            f"{_size(size)}\t{command.path}/{'/'.join(name)}{'/' if folder else ''}"
            for name, size, folder in self._listed(path)
        ]
        total = sum(len(_text(each).encode()) for each in self._documents.within(path))
        return "\n".join(
            [
                f"Here're the files and directories up to 2 levels deep in {command.path}, "
                "excluding hidden items:",
                f"{_size(total)}\t{command.path}",
                *listed,
            ]
        )

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        path = labels(command.path)
        if self._file(path) is not None or self._is_folder(path):
            raise ToolError(f"File {command.path} already exists")
        self._check_folders(path)
        self._keep(path, command.file_text)
        return f"File created successfully at: {command.path}"

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        document = self._existing(command.path)
        content = _text(document)
        found = list(_places(content, command.old_str))
        if not found:
            raise ToolError(
                f"No replacement was performed, old_str `{command.old_str}` did not appear "
                f"verbatim in {command.path}."
            )
        if len(found) > 1:
            at = ", ".join(str(content[:place].count("\n") + 1) for place in found)
            raise ToolError(
                "No replacement was performed. Multiple occurrences of old_str "
                f"`{command.old_str}` in lines: {at}. Please ensure it is unique"
            )
        place = found[0]
        changed = content[:place] + command.new_str + content[place + len(command.old_str) :]
        self._keep(labels(command.path), changed, expect=document.version)
        snippet = _lines(changed.split("\n"), around=content[:place].count("\n"))
        return (
            "The memory file has been edited. Here is the snippet showing the change "
            f"(with line numbers):\n{snippet}"
        )

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        document = self._existing(command.path)
        lines = _split(_text(document))
        if not 0 <= command.insert_line <= len(lines):
            raise ToolError(
                f"Invalid `insert_line` parameter: {command.insert_line}. "
                f"It should be within the range [0, {len(lines)}]."
            )
        lines.insert(command.insert_line, command.insert_text.rstrip("\n"))
        changed = "\n".join(lines)
        changed += "" if changed.endswith("\n") else "\n"
        self._keep(labels(command.path), changed, expect=document.version)
        return f"The file {command.path} has been edited."

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        path = labels(command.path)
        if path == (ROOT,):
            raise ToolError("Cannot delete the /memories directory itself")
        within = self._under(path)
        if not within:
            raise ToolError(f"The path {command.path} does not exist")
        _told(lambda: done(self._documents.put_all({(p.namespace, p.key): None for p in within})))
        return f"Successfully deleted {command.path}"

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        old, new = labels(command.old_path), labels(command.new_path)
        if old == (ROOT,):
            raise ToolError("Cannot rename the /memories directory itself")
        if self._file(new) is not None or self._is_folder(new):
            raise ToolError(f"The destination {command.new_path} already exists")
        self._check_folders(new)
        within = self._under(old)
        if not within:
            raise ToolError(f"The path {command.old_path} does not exist")
        moves = {}
        for document in within:
            whole = (*new, *(*document.namespace, document.key)[len(old) :])
            moves[document.namespace, document.key] = (whole[:-1], whole[-1])
        _told(lambda: done(self._documents.move(moves)))
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear(self) -> str:
        every = {(each.namespace, each.key): None for each in self._documents.within((ROOT,))}
        _told(lambda: done(self._documents.put_all(dict(every))))
        return "All memory cleared"

    def _existing(self, path: str) -> StoredDocument:
        names = labels(path)
        document = self._file(names)
        if document is not None:
            return document
        if self._is_folder(names):
            raise ToolError(f"The path {path} is not a file.")
        raise ToolError(f"The path {path} does not exist. Please provide a valid path.")

    def _check_folders(self, path: Namespace) -> None:
        """A name is a file or a folder: what is there twice could be deleted only by half."""
        for depth in range(RANGE, len(path)):
            if self._file(path[:depth]) is not None:
                raise ToolError(f"The path /{'/'.join(path[:depth])} is a file, not a folder.")

    def _file(self, path: Namespace) -> StoredDocument | None:
        return self._documents.get(path[:-1], path[-1]) if len(path) > 1 else None

    def _is_folder(self, path: Namespace) -> bool:
        return path == (ROOT,) or bool(self._documents.within(path))

    def _under(self, path: Namespace) -> list[StoredDocument]:
        document = self._file(path)
        return [document] if document is not None else self._documents.within(path)

    def _listed(self, path: Namespace) -> Iterator[tuple[Namespace, int, bool]]:
        """Names up to two levels deep, in their order, folders before what is in them."""
        sizes: dict[tuple[Namespace, bool], int] = {}
        for document in self._documents.within(path):
            name = (*document.namespace, document.key)[len(path) :]
            if any(each.startswith(".") for each in name[:DEPTH_SHOWN]):
                continue
            size = len(_text(document).encode())
            for depth in range(1, min(len(name), DEPTH_SHOWN) + 1):
                shown = (name[:depth], depth < len(name))
                sizes[shown] = sizes.get(shown, 0) + size
        for (name, folder), size in sorted(sizes.items()):
            yield name, size, folder

    def _keep(self, path: Namespace, text: str, expect: int = 0) -> None:
        if len(path) < RANGE:
            raise ToolError("A file has a name below /memories")
        _told(lambda: done([self._documents.put(path[:-1], path[-1], text, expect=expect)]))


class MunimentMemoryTool(BetaAbstractMemoryTool):
    """Claude's memory tool over an agent's namespaces."""

    def __init__(self, agents: Agents, *, user: User = "", governed: bool = False) -> None:
        super().__init__()
        self._people = UserDocuments(agents, governed=governed, user=user)

    @property
    def _cabinet(self) -> Cabinet:
        """The files of whoever this call is about."""
        return Cabinet(self._people.now)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        with TURN:
            return self._cabinet.view(command)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        with TURN:
            return self._cabinet.create(command)

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        with TURN:
            return self._cabinet.str_replace(command)

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        with TURN:
            return self._cabinet.insert(command)

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        with TURN:
            return self._cabinet.delete(command)

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        with TURN:
            return self._cabinet.rename(command)

    def clear_all_memory(self) -> str:
        with TURN:
            return self._cabinet.clear()


class AsyncMunimentMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for the asynchronous client."""

    def __init__(self, agents: Agents, *, user: User = "", governed: bool = False) -> None:
        super().__init__()
        self._tool = MunimentMemoryTool(agents, user=user, governed=governed)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return await in_turn(lambda: self._tool.view(command))

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return await in_turn(lambda: self._tool.create(command))

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return await in_turn(lambda: self._tool.str_replace(command))

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return await in_turn(lambda: self._tool.insert(command))

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return await in_turn(lambda: self._tool.delete(command))

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return await in_turn(lambda: self._tool.rename(command))

    async def clear_all_memory(self) -> str:
        return await in_turn(self._tool.clear_all_memory)


def labels(path: str) -> Namespace:
    """The labels of a path; one that does not begin at /memories, or leaves it, is refused."""
    first, *rest = path.removeprefix("/").split("/")
    if not path.startswith("/") or first != ROOT:
        raise ToolError(f"Path must start with /memories, got: {path}")
    names = [ROOT]
    for label in rest:
        if label == "..":
            names.pop()
        elif label not in {"", "."}:
            names.append(label)
        if not names:
            raise ToolError(f"Path {path} would escape /memories directory")
    if "\\" in path or "\x00" in path:
        raise ToolError(f"Path {path} is not a path of this memory")
    try:
        return documents.namespace(names)
    except InputError as error:
        raise ToolError(f"Path {path} is not a path of this memory: {error}") from error


def _told(work: object) -> None:
    """What the memory says no to is told to the model in one sentence."""
    assert callable(work)
    try:
        work()
    except AwaitsApprovalError as error:
        raise ToolError(f"{error.sentence} ({', '.join(error.request_ids)})") from error
    except MunimentError as error:
        raise ToolError(f"{error.sentence} ({error.code}: {error.detail})") from error


def _text(document: StoredDocument) -> str:
    return document.value if isinstance(document.value, str) else str(document.value)


def _numbered(document: StoredDocument, command: BetaMemoryTool20250818ViewCommand) -> str:
    lines = _text(document).split("\n")
    if len(lines) > LINES_MAX:
        raise ToolError(f"File {command.path} exceeds maximum line limit of 999,999 lines.")
    first, last = 1, len(lines)
    if command.view_range and len(command.view_range) == RANGE:
        first = max(1, command.view_range[0])
        last = len(lines) if command.view_range[1] == -1 else command.view_range[1]
    shown = "\n".join(
        f"{str(n).rjust(WIDTH)}\t{line}"
        for n, line in enumerate(lines[first - 1 : last], start=first)
    )
    return f"Here's the content of {command.path} with line numbers:\n{shown}"


def _lines(lines: list[str], *, around: int) -> str:
    first, last = max(0, around - AROUND), min(len(lines), around + AROUND + 1)
    return "\n".join(
        f"{str(n).rjust(WIDTH)}\t{line}" for n, line in enumerate(lines[first:last], first + 1)
    )


def _split(content: str) -> list[str]:
    """Lines with their carriage returns; a last line that ends is no further, empty line."""
    lines = content.split("\n")
    return lines[:-1] if lines and lines[-1] == "" else lines


def _places(content: str, wanted: str) -> Iterator[int]:
    place = content.find(wanted)
    while place != -1:
        yield place
        place = content.find(wanted, place + 1)


def _size(count: int) -> str:
    size = float(count)
    for unit in UNITS:
        if size < KILO or unit == UNITS[-1]:
            break
        size /= KILO
    return f"{int(size)}{unit}" if size == int(size) else f"{size:.1f}{unit}"
