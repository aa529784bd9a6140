"""Files that go out and come in: nothing of yours is written over, and half a file is none."""

from pathlib import Path

import pytest
from tests.terminal import Shell

from muniment.adapters.cli.errors import Exit


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    made = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    made("remember", "I moved to Lisbon in March")
    return made


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.manifest.json"])
def test_an_export_writes_over_nothing_unless_it_is_told_to(
    shell: Shell, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text("mine", encoding="utf-8")

    refused = shell("export", str(tmp_path / "out.jsonl"))
    assert refused.exit_code == Exit.INPUT
    assert "--force" in refused.stderr
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine"

    assert shell("export", str(tmp_path / "out.jsonl"), "--force").exit_code == Exit.DONE
    assert "mine" not in (tmp_path / name).read_text(encoding="utf-8")
    assert shell("import", str(tmp_path / "out.jsonl")).exit_code == Exit.DONE


@pytest.mark.parametrize("name", ["out.jsonl.part", "out.jsonl.manifest.json.part"])
def test_an_export_without_room_leaves_what_was_there_and_nothing_else(
    shell: Shell, tmp_path: Path, name: str
) -> None:
    shell("export", str(tmp_path / "out.jsonl"))
    before = {path.name: path.read_bytes() for path in tmp_path.glob("out.*")}
    shell("remember", "And back again in May")
    (tmp_path / name).symlink_to("/dev/full")

    told = shell("export", str(tmp_path / "out.jsonl"), "--force")

    assert told.exit_code == Exit.STORE
    assert told.stderr == "muniment: The disk is full. [STORAGE_FULL]\n"
    assert {path.name: path.read_bytes() for path in tmp_path.glob("out.*")} == before


@pytest.mark.parametrize("manifest", ["", "[]", "{", "null", "\x00"])
def test_a_manifest_that_is_none_is_told_so(shell: Shell, tmp_path: Path, manifest: str) -> None:
    shell("export", str(tmp_path / "out.jsonl"))
    (tmp_path / "out.jsonl.manifest.json").write_text(manifest, encoding="utf-8")

    told = shell("import", str(tmp_path / "out.jsonl"))

    assert told.exit_code == Exit.INPUT
    assert "manifest" in told.stderr
