"""Files that go out and come in: nothing of yours is written over, and half a file is none."""

import json
import os
from pathlib import Path

import pytest
from tests.terminal import Shell

import muniment
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


def test_what_is_exported_is_for_nobody_else_whatever_the_umask(
    shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "out.jsonl.part").write_text("left by somebody", encoding="utf-8")
    (tmp_path / "out.jsonl.part").chmod(0o644)
    before = os.umask(0)
    try:
        assert shell("export", str(tmp_path / "out.jsonl")).exit_code == Exit.DONE
        assert shell("about", "tuff", "--file", str(tmp_path / "tuff.jsonl")).exit_code == Exit.DONE
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in tmp_path.glob("*.json*")}
    assert modes == {0o600}


def test_a_line_without_a_kind_is_named_and_nothing_is_imported(
    shell: Shell, tmp_path: Path
) -> None:
    file = tmp_path / "told.jsonl"
    file.write_text(
        '{"kind": "episode", "text": "Ann sings"}\n{"text": "Bob sings"}\n', encoding="utf-8"
    )

    told = shell("import", str(file))

    assert told.exit_code == Exit.INPUT
    assert "line 2" in told.stderr.lower()
    assert "kind" in told.stderr
    assert "sings" not in shell("recall", "who sings").stdout


def test_an_export_holds_documents_and_memos_and_says_how_many(
    shell: Shell, tmp_path: Path
) -> None:
    assert shell("documents", "put", "notes/a", "k", "7").exit_code == Exit.DONE
    assert shell("documents", "put", "notes/a", "other", "8").exit_code == Exit.DONE
    assert shell("documents", "drop", "notes/a", "other").exit_code == Exit.DONE
    with muniment.open(tmp_path / "memory") as memory:
        job = memory.agent("default", user="tuff").job("seed-1")
        job.memorize({"type": "thought", "text": "The dose was changed to 25 mg"})
        job.commit()

    told = shell("export", str(tmp_path / "out.jsonl"))
    manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_text(encoding="utf-8"))

    assert manifest["format"] == "muniment-exchange"
    assert manifest["version"] == 1
    assert manifest["counts"] == {"document": 1, "episode": 1, "memo": 1}
    assert "memo" in told.stdout
    assert "other" not in (tmp_path / "out.jsonl").read_text(encoding="utf-8")


def test_a_signed_export_is_imported_by_whom_trusts_the_key_and_no_other(
    shell: Shell, tmp_path: Path
) -> None:
    shell("export", str(tmp_path / "out.jsonl"), "--sign")
    manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_text(encoding="utf-8"))
    other = Shell("--store", str(tmp_path / "other"))
    other("remember", "Something else")
    other("export", str(tmp_path / "else.jsonl"), "--sign")
    foreign = json.loads((tmp_path / "else.jsonl.manifest.json").read_text(encoding="utf-8"))

    refused = other("import", str(tmp_path / "out.jsonl"), "--trust", foreign["key"])
    assert refused.exit_code == Exit.INPUT
    assert other("import", str(tmp_path / "out.jsonl"), "--trust", manifest["key"]).exit_code == (
        Exit.DONE
    )
    assert other.listed("hits", "recall", "Lisbon", "--user", "tuff")


def test_an_unsigned_file_is_not_taken_for_a_signed_one(shell: Shell, tmp_path: Path) -> None:
    shell("export", str(tmp_path / "out.jsonl"))
    shell("export", str(tmp_path / "signed.jsonl"), "--sign")
    key = json.loads((tmp_path / "signed.jsonl.manifest.json").read_text(encoding="utf-8"))["key"]

    refused = shell("import", str(tmp_path / "out.jsonl"), "--trust", key)

    assert refused.exit_code == Exit.INPUT
    assert "signed" in refused.stderr


def test_an_export_is_narrowed_by_kind_space_and_time(shell: Shell, tmp_path: Path) -> None:
    shell("record", "--said", "Remember this for me: I prefer tea")
    with muniment.open(tmp_path / "memory") as memory:
        memory.agent("default", user="tuff").conversation(session="s").record(
            user="Remember this for me: I prefer tea"
        )
    kinds = {
        "": {"episode", "item"},
        "--kind episode": {"episode"},
        "--space user": {"item"},
        "--space session:s": {"item"},
        "--since 2999-01-01": set(),
        "--until 2000-01-01": set(),
    }
    for options, wanted in kinds.items():
        shell("export", str(tmp_path / "out.jsonl"), "--force", *options.split())
        lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
        told = [json.loads(line) for line in lines]
        found = {each["kind"] for each in told if each["event"] != "item_denied"}
        assert found == wanted, options
    assert shell("export", str(tmp_path / "x"), "--space", "moon").exit_code == Exit.INPUT
