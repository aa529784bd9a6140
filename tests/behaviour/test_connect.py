"""Coding agents are given this memory: shown first, done when asked, and undone to the byte."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.terminal import Shell

from muniment.adapters.cli.errors import Exit
from muniment.adapters.operations import jsonc

FILES = {
    "claude-code": ".mcp.json",
    "cursor": ".cursor/mcp.json",
    "vscode": ".vscode/mcp.json",
    "codex": ".codex/config.toml",
}
FOREIGN = {
    ".mcp.json": '{"mcpServers": {"other": {"command": "x"}},\n   "odd": [1,  2]}',
    ".cursor/mcp.json": '{"mcpServers": {}}',
    ".vscode/mcp.json": '{"inputs": [], "servers": {"other": {"type": "http", "url": "u"}}}\n',
    ".codex/config.toml": 'model = "o3"\n\n[mcp_servers.other]\ncommand = "x"\n',
}


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell("--store", str(tmp_path / "memory"), "--agent", "ada", "--user", "tuff")


def entry(agent: str, path: Path) -> Any:  # noqa: ANN401 - as the file has it
    text = path.read_text(encoding="utf-8")
    if agent == "codex":
        return tomllib.loads(text)["mcp_servers"]["muniment"]
    return json.loads(text)["servers" if agent == "vscode" else "mcpServers"]["muniment"]


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("agent", sorted(FILES))
def test_an_entry_is_shown_then_written_and_undone_to_the_byte(
    shell: Shell, tmp_path: Path, agent: str, *, there: bool
) -> None:
    project = tmp_path / "project"
    path = project / FILES[agent]
    path.parent.mkdir(parents=True)
    if there:
        path.write_text(FOREIGN[FILES[agent]], encoding="utf-8")
    before = path.read_bytes() if there else None
    words = ("connect", agent, "--project", str(project))

    shown = shell.document(*words)
    assert (path.read_bytes() if path.exists() else None) == before
    assert "+" in str(shown["changes"])
    lines = shell(*words).stdout.splitlines()
    assert "\n".join(lines).startswith("--- ")
    assert any(line.startswith("+") and "mcp" in line for line in lines)
    assert not any("\\n+" in line for line in lines)

    assert shell(*words, "--yes").exit_code == Exit.DONE
    made = entry(agent, path)
    assert made["command"] == "muniment"
    assert made["args"] == [
        "mcp", "--store", str(tmp_path / "memory"), "--agent", "ada", "--user", "tuff",
        "--tenant", "main",
    ]  # fmt: skip
    assert shell.document(*words, "--yes")["changes"] == []

    assert shell(*words, "--undo", "--yes").exit_code == Exit.DONE
    assert (path.read_bytes() if path.exists() else None) == before
    assert not list(project.rglob("*before-muniment*"))


def test_what_somebody_wrote_since_stays_when_ours_is_taken_out(
    shell: Shell, tmp_path: Path
) -> None:
    path = tmp_path / ".mcp.json"
    path.write_text(FOREIGN[".mcp.json"], encoding="utf-8")
    words = ("connect", "claude-code", "--project", str(tmp_path))
    shell(*words, "--yes")
    told = json.loads(path.read_text(encoding="utf-8"))
    told["mcpServers"]["newer"] = {"command": "y"}
    path.write_text(json.dumps(told), encoding="utf-8")

    shell(*words, "--undo", "--yes")

    kept = json.loads(path.read_text(encoding="utf-8"))
    assert sorted(kept["mcpServers"]) == ["newer", "other"]
    assert kept["odd"] == [1, 2]


COMMENTED = """\
// servers of this project
{
  /* "servers": {"not": "this"} */
  "servers": { // ours come first
    "other": {"command": "x", "args": ["a//b", "/* no comment */", "}, ]",],},
  },
  "inputs": [], // and the rest
}
"""


@pytest.mark.parametrize("agent", ["claude-code", "vscode"])
def test_a_file_with_comments_keeps_them_and_comes_back_to_the_byte(
    shell: Shell, tmp_path: Path, agent: str
) -> None:
    text = COMMENTED if agent == "vscode" else COMMENTED.replace('"servers"', '"mcpServers"')
    path = tmp_path / FILES[agent]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    words = ("connect", agent, "--project", str(tmp_path))

    assert shell(*words, "--yes").exit_code == Exit.DONE
    written = path.read_text(encoding="utf-8")
    made = json.loads(jsonc.blanked(written))["servers" if agent == "vscode" else "mcpServers"]
    assert set(made) == {"muniment", "other"}
    assert made["other"]["args"] == ["a//b", "/* no comment */", "}, ]"]
    for remark in ("// servers of this project", "// ours come first", "// and the rest"):
        assert remark in written
    assert shell.document(*words, "--yes")["changes"] == []

    assert shell(*words, "--undo", "--yes").exit_code == Exit.DONE
    assert path.read_text(encoding="utf-8") == text
    assert not list(tmp_path.rglob("*before-muniment*"))


def test_what_was_written_since_into_a_file_with_comments_stays(
    shell: Shell, tmp_path: Path
) -> None:
    path = tmp_path / ".vscode" / "mcp.json"
    path.parent.mkdir()
    path.write_text(COMMENTED, encoding="utf-8")
    words = ("connect", "vscode", "--project", str(tmp_path))
    shell(*words, "--yes")
    newer = path.read_text(encoding="utf-8").replace('"inputs": []', '"inputs": [1]')
    path.write_text(newer, encoding="utf-8")

    assert shell(*words, "--undo", "--yes").exit_code == Exit.DONE

    kept = path.read_text(encoding="utf-8")
    told = json.loads(jsonc.blanked(kept))
    assert (sorted(told["servers"]), told["inputs"]) == (["other"], [1])
    assert "// ours come first" in kept


def test_hooks_are_added_beside_comments_and_those_of_others_and_leave_alone(
    shell: Shell, tmp_path: Path
) -> None:
    path = tmp_path / ".claude" / "settings.json"
    path.parent.mkdir()
    mine = '{"hooks": [{"type": "command", "command": "mine"}]}'
    text = f'{{\n  // mine\n  "hooks": {{"SessionStart": [{mine}]}},\n}}\n'
    path.write_text(text, encoding="utf-8")
    words = ("connect", "claude-code", "--project", str(tmp_path))

    shell(*words, "--hooks", "--yes")
    hooks = json.loads(jsonc.blanked(path.read_text(encoding="utf-8")))["hooks"]
    assert (len(hooks["SessionStart"]), len(hooks["SessionEnd"])) == (2, 1)
    assert "// mine" in path.read_text(encoding="utf-8")
    assert shell.document(*words, "--hooks", "--yes")["changes"] == []
    path.write_text(path.read_text(encoding="utf-8") + "// since\n", encoding="utf-8")

    shell(*words, "--undo", "--yes")

    kept = path.read_text(encoding="utf-8")
    assert "// mine" in kept
    assert json.loads(jsonc.blanked(kept)) == json.loads(jsonc.blanked(text))


def test_an_entry_of_the_same_name_that_was_there_comes_back(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text('{"mcpServers": {"muniment": {"command": "old"}}}', encoding="utf-8")
    words = ("connect", "cursor", "--project", str(tmp_path))

    shell(*words, "--yes")
    shell(*words, "--undo", "--yes")

    assert json.loads(path.read_text("utf-8"))["mcpServers"]["muniment"] == {"command": "old"}
    assert not list(tmp_path.rglob("*before-muniment*"))


def test_hooks_that_cannot_be_read_do_not_keep_an_entry_from_being_undone(
    shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text("{ broken", encoding="utf-8")
    words = ("connect", "claude-code", "--project", str(tmp_path))
    shell(*words, "--yes")

    assert shell(*words, "--undo", "--yes").exit_code == Exit.DONE
    assert not (tmp_path / ".mcp.json").exists()


@pytest.mark.parametrize("text", ["/* half a comment\n{}", "[]", "{", '{"mcpServers": []}'])
def test_a_file_that_is_not_understood_is_left_as_it_is(
    shell: Shell, tmp_path: Path, text: str
) -> None:
    path = tmp_path / ".mcp.json"
    path.write_text(text, encoding="utf-8")

    told = shell("connect", "claude-code", "--project", str(tmp_path), "--yes")

    assert told.exit_code == Exit.INPUT
    assert path.read_text(encoding="utf-8") == text


def test_a_session_is_remembered_at_its_end_and_known_at_the_start_of_the_next(
    shell: Shell, tmp_path: Path
) -> None:
    shell("connect", "claude-code", "--project", str(tmp_path), "--hooks", "--yes")
    hooks = json.loads((tmp_path / ".claude" / "settings.json").read_text("utf-8"))["hooks"]
    assert sorted(hooks) == ["SessionEnd", "SessionStart"]
    transcript = tmp_path / "session.jsonl"
    rows = [
        {"type": "summary", "summary": "x"},
        {
            "type": "user",
            "uuid": "1",
            "timestamp": "2026-01-01T10:00:00.000Z",
            "message": {"role": "user", "content": "We decided to use Rust for the project"},
        },
        {
            "type": "assistant",
            "uuid": "2",
            "message": {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]},
        },
        {
            "type": "user",
            "uuid": "3",
            "message": {"role": "user", "content": [{"type": "tool_result", "content": None}]},
        },
    ]
    transcript.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    event = {"hook_event_name": "SessionEnd", "transcript_path": str(transcript), "session_id": "s"}

    for _ in range(2):
        assert shell("hook", typed=json.dumps(event)).exit_code == Exit.DONE
    told = shell("hook", typed=json.dumps({"hook_event_name": "SessionStart"}))

    assert told.output.count("We decided to use Rust") == 1
    shell("connect", "claude-code", "--project", str(tmp_path), "--undo", "--yes")
    assert not (tmp_path / ".claude" / "settings.json").exists()
