"""Connect: the entry of this memory in a coding agent's configuration, and its hooks; both undone.

A change is computed as text, so it can be shown before it is written. The original is kept beside
the file and restored byte for byte; if the file was edited since, only our entry is removed.
"""

import json
import re
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path
from typing import Final

import msgspec

from muniment.adapters.operations import jsonc
from muniment.adapters.system import durable_files
from muniment.model.errors import UNREADABLE, InputError

NAME: Final = "muniment"
BACKUP: Final = ".before-muniment"
BEGIN: Final = "# >>> muniment"
END: Final = "# <<< muniment"
BLOCK: Final = re.compile(rf"\n?{BEGIN}\n.*?{END}\n", re.DOTALL)
HOOKED: Final = ("SessionStart", "SessionEnd")
Json = dict[str, object]


class CodingAgent(msgspec.Struct, frozen=True, kw_only=True):
    """Where a coding agent keeps its servers, and under which word."""

    file: str
    servers: str
    hooks: str = ""  # the file of its hooks, where it has any
    is_toml: bool = False
    in_home: bool = False
    is_typed: bool = False  # an entry says that it speaks on stdio


AGENTS: Final = {
    "claude-code": CodingAgent(
        file=".mcp.json", servers="mcpServers", hooks=".claude/settings.json"
    ),
    "cursor": CodingAgent(file=".cursor/mcp.json", servers="mcpServers"),
    "vscode": CodingAgent(file=".vscode/mcp.json", servers="servers", is_typed=True),
    "codex": CodingAgent(
        file=".codex/config.toml", servers="mcp_servers", is_toml=True, in_home=True
    ),
}


class FileChange(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a file before and after; None where there is no file."""

    path: Path
    before: str | None
    after: str | None

    @property
    def diff(self) -> str:
        lines = unified_diff(
            (self.before or "").splitlines(keepends=True),
            (self.after or "").splitlines(keepends=True),
            str(self.path) if self.before is not None else "/dev/null",
            str(self.path) if self.after is not None else "/dev/null",
        )
        return "".join(each if each.endswith("\n") else f"{each}\n" for each in lines)


def connected(name: str, folder: Path, command: list[str], *, hooks: bool) -> list[FileChange]:
    """What is to change so that a coding agent has this memory."""
    its = AGENTS[name]
    place = folder / its.file
    if its.is_toml:
        return _changed(place, _with_block(_text(place), its, command))
    entry: Json = {"command": command[0], "args": command[1:]}
    entry = {"type": "stdio", **entry} if its.is_typed else entry
    changes = _changed(place, _with_entry(place, its.servers, entry))
    if hooks and its.hooks:
        changes += _changed(folder / its.hooks, _hooked(folder / its.hooks, command))
    return changes


def _with_entry(place: Path, servers: str, entry: Json) -> str:
    """A file with our entry; where it has comments, they stay."""
    text, told = _text(place) or "", _object(place)
    found = _inner(place, told, servers)
    if jsonc.is_plain(text):
        found[NAME] = entry
        return _shown(told)
    return text if found.get(NAME) == entry else jsonc.with_member(text, (servers,), NAME, entry)


def disconnected(name: str, folder: Path) -> list[FileChange]:
    """What is to change so that nothing of ours is left in it."""
    its = AGENTS[name]
    place = folder / its.file
    if its.is_toml:
        kept, backup = BLOCK.sub("", _text(place) or ""), _text(Path(f"{place}{BACKUP}"))
        same = backup is not None and backup.strip() == kept.strip()
        return _changed(place, backup if same else kept or None)
    changes = _restored(
        place,
        lambda told: _without(told, its.servers),
        lambda text: jsonc.without_member(text, (its.servers,), NAME),
    )
    hooks = folder / its.hooks
    if its.hooks and _is_ours(_text(hooks)):
        changes += _restored(hooks, _unhooked, lambda text: _rehooked(text, _unhooked))
    return changes


def apply(change: FileChange) -> None:
    """Write the new text; the original is kept beside it until it is restored."""
    backup = Path(f"{change.path}{BACKUP}")
    change.path.parent.mkdir(parents=True, exist_ok=True)
    if change.before is not None and not backup.exists() and _is_ours(change.after):
        backup.write_text(change.before, encoding="utf-8")
    if change.after is None:
        change.path.unlink(missing_ok=True)
    else:
        half = change.path.with_name(f"{change.path.name}.part")
        half.write_text(change.after, encoding="utf-8")
        half.replace(change.path)
    if not _is_ours(change.after) or change.after == _text(backup):
        backup.unlink(missing_ok=True)
    durable_files.sync_folder(change.path.parent)


def _is_ours(text: str | None) -> bool:
    return NAME in (text or "")


def _changed(path: Path, after: str | None) -> list[FileChange]:
    before = _text(path)
    return [] if before == after else [FileChange(path=path, before=before, after=after)]


def _restored(
    path: Path, without_ours: Callable[[Json], Json], cut: Callable[[str], str]
) -> list[FileChange]:
    """The bytes of before, where nothing but ours has changed since; no file where none was."""
    backup, told = Path(f"{path}{BACKUP}"), without_ours(_object(path))
    if backup.exists() and without_ours(_object(backup)) == told:
        return _changed(path, backup.read_text(encoding="utf-8"))
    text = _text(path) or ""
    if told and not jsonc.is_plain(text):
        return _changed(path, cut(text))
    return _changed(path, _shown(told) if told else None)


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{str(path)!r} cannot be read: {error}") from None


def _object(path: Path) -> Json:
    text = _text(path)
    if text is None or not text.strip():
        return {}
    try:
        told = json.loads(jsonc.blanked(text))
    except UNREADABLE as error:
        raise InputError(f"{str(path)!r} is not JSON ({error}); nothing was changed") from None
    if not isinstance(told, dict):
        raise InputError(f"{str(path)!r} is not a JSON object; nothing was changed")
    return told


def _inner(path: Path, told: Json, name: str) -> Json:
    found = told.setdefault(name, {})
    if not isinstance(found, dict):
        raise InputError(f"{str(path)!r}: {name!r} is not an object; nothing was changed")
    return found


def _shown(told: Json) -> str:
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def _without(told: Json, servers: str) -> Json:
    found = told.get(servers)
    if isinstance(found, dict):
        found.pop(NAME, None)
        if not found:
            told.pop(servers)
    return told


def _hooked(path: Path, command: list[str]) -> str:
    """What is asked at the start of a session, and told at its end."""
    told = _unhooked(_object(path))
    hooks = _inner(path, told, "hooks")
    words = " ".join(_quoted(each) for each in (command[0], "hook", *command[2:]))
    for event in HOOKED:
        rows = hooks.setdefault(event, [])
        if not isinstance(rows, list):
            raise InputError(f"{str(path)!r}: the hooks of {event} are not a list")
        rows.append({"hooks": [{"type": "command", "command": words}]})
    text = _text(path) or ""
    if jsonc.is_plain(text):
        return _shown(told)
    return text if told == _object(path) else _rehooked(text, lambda _: told)


def _rehooked(text: str, changed: Callable[[Json], Json]) -> str:
    """The hooks of a file with comments as they are to be; all else stays."""
    hooks = changed(json.loads(jsonc.blanked(text))).get("hooks")
    for event in HOOKED:
        text = jsonc.without_member(text, ("hooks",), event)
        if isinstance(hooks, dict) and event in hooks:
            text = jsonc.with_member(text, ("hooks",), event, hooks[event])
    return text if hooks else jsonc.without_member(text, (), "hooks")


def _unhooked(told: Json) -> Json:
    hooks = told.get("hooks")
    if not isinstance(hooks, dict):
        return told
    for event in HOOKED:
        rows = hooks.get(event)
        if isinstance(rows, list):
            hooks[event] = [each for each in rows if not _is_our_hook(each)]
            if not hooks[event]:
                hooks.pop(event)
    if not hooks:
        told.pop("hooks")
    return told


def _is_our_hook(row: object) -> bool:
    return f"{NAME} hook" in json.dumps(row)


def _with_block(text: str | None, its: CodingAgent, command: list[str]) -> str:
    kept = BLOCK.sub("", text or "")
    if f"[{its.servers}.{NAME}]" in kept:
        raise InputError("there is already an entry of that name, written by another program")
    args = json.dumps(command[1:], ensure_ascii=False)
    block = f"[{its.servers}.{NAME}]\ncommand = {json.dumps(command[0])}\nargs = {args}\n"
    before = f"{kept.rstrip()}\n\n" if kept.strip() else ""
    return f"{before}{BEGIN}\n{block}{END}\n"


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"[\w./:=-]+", word) else "'" + word.replace("'", "'\\''") + "'"
