"""Setting up, moving in and out, copying: what a person does with a memory besides remembering."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from tests.terminal import KEY, WISH, Shell

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.cli.main import COMMANDS
from muniment.adapters.exchange import formats, import_run
from muniment.adapters.exchange.source_files import SourceFiles
from muniment.model import policy as policies
from muniment.model.errors import InputError
from muniment.model.policy import Policy
from muniment.model.scope import agent_stream


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture
def shell(store: Path) -> Shell:
    return Shell("--store", str(store), "--agent", "ada", "--user", "tuff")


def kept(shell: Shell) -> None:
    for words in ("I moved to Lisbon in March", "The cat is called Miso"):
        assert shell("remember", words).exit_code == Exit.DONE


# ── Setting up ──────────────────────────────────────────────────────────────────────────────────


def test_init_writes_every_switch_with_what_it_does(shell: Shell, store: Path) -> None:
    assert shell("init").exit_code == Exit.DONE
    text = (store / "policy.toml").read_text(encoding="utf-8")
    uncommented = "\n".join(
        line.removeprefix("# ") if " = " in line else line for line in text.splitlines()
    )
    read = policies.from_builtins(tomllib.loads(text))
    assert read == Policy()
    assert policies.from_builtins(_without_nothing(tomllib.loads(uncommented))) == Policy()
    assert "references that promote an item from working memory" in text
    again = shell("init")
    assert again.exit_code == Exit.INPUT
    assert "--force" in again.stderr


def _without_nothing(told: dict[str, object]) -> dict[str, object]:
    """A field that may be absent is shown as an empty text, and left out to mean it."""
    return {
        name: _without_nothing(value) if isinstance(value, dict) else value
        for name, value in told.items()
        if value != ""
    }


def test_what_a_log_is_born_under_is_what_the_file_says(shell: Shell, store: Path) -> None:
    shell("init", "--preset", "team")
    kept(shell)
    shown = shell.document("policy")["policy"]
    assert isinstance(shown, dict)
    assert shown["governance"]["quorum"] == 2
    (store / "policy.toml").write_text("[recall]\nprofile = 'tarot'\n")
    broken = shell("recall", "Lisbon")
    assert broken.exit_code != Exit.DONE
    assert "recall.profile" in broken.stderr


def test_a_policy_is_asked_for_approved_and_put_in_force(shell: Shell, tmp_path: Path) -> None:
    kept(shell)
    wanted = tmp_path / "wanted.toml"
    wanted.write_text("[recall]\nresults_max = 3\n")
    asked = shell.document("policy", "--file", str(wanted))
    request = str(asked["request_id"])
    waiting = shell("requests").stdout
    assert re.search(r"recall\.results_max +\d+ → 3", waiting)
    assert "working_ttl" not in waiting  # of a policy, only what it would change
    assert shell("policy", "--apply", request).exit_code == Exit.REFUSED
    assert shell("approve", request).exit_code == Exit.DONE
    assert shell("policy", "--apply", request).exit_code == Exit.DONE
    shown = shell.document("policy")["policy"]
    assert isinstance(shown, dict)
    assert shown["recall"]["results_max"] == 3


def test_the_doctor_says_what_runs_how_it_is_and_what_others_may_read(
    shell: Shell, store: Path
) -> None:
    empty = shell.listed("findings", "doctor")
    assert any(each["what"] == "store" and "none" in str(each["told"]) for each in empty)
    kept(shell)
    healthy = shell.document("doctor")
    assert healthy["healthy"] is True
    store.chmod(0o755)
    found = shell.listed("findings", "doctor")
    assert any(each["what"] == "permissions" and each["state"] == "warn" for each in found)
    master = store / "keys" / "master.key"
    master.unlink()
    broken = shell("doctor", "--json")
    assert broken.exit_code == Exit.REFUSED
    assert json.loads(broken.stdout)["healthy"] is False


def test_a_quick_look_names_what_it_did_not_look_at(shell: Shell) -> None:
    kept(shell)

    assert "sealed parts" in str(shell.document("doctor")["unchecked"])
    assert "not checked: entries before the end of each log" in shell("doctor").stdout
    assert shell.document("doctor", "--deep")["unchecked"] == []
    assert "not checked" not in shell("doctor", "--deep").stdout


@pytest.mark.parametrize("below", ["", "memory"])
@pytest.mark.parametrize("what", ["file", "link"])
def test_the_doctor_finds_a_place_bad_where_no_memory_can_ever_be(
    tmp_path: Path, what: str, below: str
) -> None:
    place = tmp_path / "place"
    if what == "file":
        place.write_text("a shopping list")
    else:
        place.symlink_to(tmp_path / "a disk that is not mounted")
    shell = Shell("--store", str(place / below))
    told = shell("doctor", "--json")
    assert told.exit_code == Exit.REFUSED
    (found,) = (each for each in json.loads(told.stdout)["findings"] if each["what"] == "store")
    assert found["state"] == "bad"
    assert str(place) in found["told"]


@pytest.mark.parametrize("which", ["bash", "zsh", "fish"])
def test_a_shell_learns_to_complete(shell: Shell, which: str) -> None:
    told = shell("completion", which)
    assert told.exit_code == Exit.DONE, told.output
    assert "_MUNIMENT_COMPLETE" in told.stdout


@pytest.mark.parametrize("name", [name for section in COMMANDS.values() for name in section])
def test_every_command_explains_itself(shell: Shell, name: str) -> None:
    told = shell(name, "--help")
    assert told.exit_code == Exit.DONE
    assert "--json" in told.stdout


# ── What led where ──────────────────────────────────────────────────────────────────────────────


def test_blame_impact_and_diff_tell_a_life(shell: Shell) -> None:
    kept(shell)
    found = str(shell.listed("hits", "recall", "Lisbon")[0]["id"])
    blamed = shell.listed("links", "blame", found)
    assert [each["why"] for each in blamed] == ["made", "asked"]
    assert shell("forget", found).exit_code == Exit.DONE
    followed = {str(each["why"]) for each in shell.listed("links", "impact", found)}
    assert {"recalled", "ended"} <= followed
    changes = {str(each["change"]) for each in shell.listed("changes", "diff", "2")}
    assert changes == {"added", "forgotten"}
    assert "Lisbon" in shell("diff", "2").stdout
    assert shell("blame", "ep:nothing").exit_code == Exit.NOT_FOUND


def test_facts_and_what_is_known_about_a_person(shell: Shell) -> None:
    asked = shell.document("remember", WISH)
    question = asked["question"]
    assert isinstance(question, dict)
    request = shell.document("confirm", str(question["confirmation_id"]))
    shell("approve", str(request["request_id"]))
    assert [each["key"] for each in shell.listed("facts", "facts", "user/")] == [KEY]
    about = shell.document("about", "tuff")
    assert about["user"] == "tuff"
    assert shell("about", "nobody").exit_code == Exit.NOT_FOUND
    assert "No skill" in shell("skills").stdout


# ── In and out ──────────────────────────────────────────────────────────────────────────────────


def test_what_is_exported_comes_back_elsewhere_once(
    shell: Shell, tmp_path: Path, store: Path
) -> None:
    kept(shell)
    gone = shell.document("remember", "The gift is a blue kite")
    shell("forget", str(gone["episodic_id"]))
    file = tmp_path / "out.jsonl"
    manifest = shell.document("export", str(file))["manifest"]
    assert isinstance(manifest, dict)
    assert manifest["counts"] == {"episode": 2}
    assert "kite" not in file.read_text(encoding="utf-8")
    other = Shell("--store", str(tmp_path / "other"), "--agent", "eve", "--user", "tuff")
    first = other.document("import", str(file))
    assert (first["lines"], first["kept"]) == (2, 2)
    with muniment.open(tmp_path / "other") as memory:
        before = memory.head(agent_stream("main", "eve"))
    assert other.document("import", str(file))["kept"] == 2
    with muniment.open(tmp_path / "other") as memory:
        assert memory.head(agent_stream("main", "eve")) == before
    assert other.listed("hits", "recall", "Lisbon")


def test_an_export_that_was_changed_is_not_imported(shell: Shell, tmp_path: Path) -> None:
    kept(shell)
    file = tmp_path / "out.jsonl"
    shell("export", str(file))
    file.write_text(file.read_text(encoding="utf-8").replace("Miso", "Mise"), encoding="utf-8")
    told = shell("import", str(file))
    assert told.exit_code == Exit.INPUT
    assert "manifest" in told.stderr


FOREIGN = {
    "mem0": json.dumps(
        {
            "results": [
                {
                    "id": "1",
                    "memory": "Likes green tea",
                    "user_id": "mira",
                    "created_at": "2025-03-01T10:00:00.5+00:00",
                },
                {"id": "2", "memory": "Lives in Porto", "user_id": "mira"},
            ]
        }
    ),
    "langgraph": "\n".join(
        json.dumps(each)
        for each in (
            {"namespace": ["m"], "key": "a", "value": {"text": "Likes green tea"}},
            {"namespace": ["m"], "key": "b", "value": {"city": "Porto"}},
        )
    ),
    "mcp": "\n".join(
        json.dumps(each)
        for each in (
            {
                "type": "entity",
                "name": "Mira",
                "entityType": "person",
                "observations": ["likes green tea", "lives in Porto"],
            },
            {"type": "relation", "from": "Mira", "relationType": "works with", "to": "Jonas"},
        )
    ),
    "transcript": "Mira: I like green tea\n  with honey\nassistant: Noted\n"
    "[2025-03-01 10:00] Mira: I live in Porto",
}


@pytest.mark.parametrize("form", FOREIGN)
def test_what_other_memories_wrote_is_kept_and_found(
    tmp_path: Path, store: Path, form: str
) -> None:
    shell = Shell("--store", str(store), "--agent", "ada", "--user", "mira")
    file = tmp_path / "foreign"
    file.write_text(FOREIGN[form], encoding="utf-8")
    told = shell.document("import", str(file), "--from", form)
    assert told["kept"] == told["lines"]
    assert shell.listed("hits", "recall", "green tea")
    assert shell.listed("hits", "recall", "Porto")


def test_what_was_said_at_a_time_is_kept_at_that_time(tmp_path: Path, store: Path) -> None:
    file = tmp_path / "chat.txt"
    file.write_text("[2025-03-01 10:00] Mira: I live in Porto", encoding="utf-8")
    shell = Shell("--store", str(store), "--agent", "ada", "--user", "mira")
    shell("import", str(file), "--from", "transcript")
    with muniment.open(store) as memory:
        asked = memory.log(agent_stream("main", "ada"))[2].event
    assert getattr(asked, "at", "") == "2025-03-01T10:00:00.000Z"


CHATS = {
    "lines": ("Mira: I like tea\nJonas: I like jam", "\nMira: In Porto?", "Jonas: Hello\nMira: Hi"),
    "json": (
        '[{"speaker": "Mira", "text": "I like tea"}, {"speaker": "Jonas", "text": "I like jam"}',
        ', {"speaker": "Mira", "text": "In Porto?"}',
        '[{"speaker": "Jonas", "text": "Hello"}, {"speaker": "Mira", "text": "Hi"}',
    ),
}


@pytest.mark.parametrize("indented", [True, False])
@pytest.mark.parametrize("form", CHATS)
def test_a_chat_is_one_session_also_when_it_has_grown_and_no_other_is_part_of_it(
    tmp_path: Path, store: Path, form: str, *, indented: bool
) -> None:
    begin, more, other = CHATS[form]
    end = "]" if form == "json" else ""
    shell = Shell("--store", str(store), "--agent", "ada", "--user", "mira")
    for text in (begin + end, begin + more + end, other + end):
        file = tmp_path / "chat"
        file.write_text(text.replace("[{", "[\n  {") if indented else text, encoding="utf-8")
        shell("import", str(file), "--from", "transcript")

    shell("export", str(tmp_path / "out.jsonl"))
    told = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    kept = [each for each in told if each.get("kind") == "episode"]

    assert [(each["data"]["speaker"], each["text"]) for each in kept] == [
        ("Mira", "I like tea"),
        ("Jonas", "I like jam"),
        ("Mira", "In Porto?"),
        ("Jonas", "Hello"),
        ("Mira", "Hi"),
    ]
    sessions = [each["data"]["session"] for each in kept]
    assert len(set(sessions[:3])) == len(set(sessions[3:])) == 1
    assert len(set(sessions)) == 2


def test_a_secret_in_an_import_is_refused_and_the_rest_is_kept(
    tmp_path: Path, shell: Shell, store: Path
) -> None:
    file = tmp_path / "chat.txt"
    file.write_text(
        "user: my password is hunter2-vAult-9931\nuser: call me at +1 415 555 2671",
        encoding="utf-8",
    )
    told = shell.document("import", str(file), "--from", "transcript")
    assert (told["kept"], told["redacted"]) == (1, 1)
    assert told["refused"] == {"privacy_deny_sensitive": 1}
    for path in store.rglob("*.db"):
        assert b"hunter2" not in path.read_bytes()


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("muniment", "{not json"),
        ("muniment", '["a"]'),
        ("mem0", "12"),
        ("mem0", '{"results": [{"id": 1}]}'),
        ("mcp", '{"type": "song"}'),
        ("transcript", "no speaker here"),
        ("langgraph", "[1]"),
        ("transcript", "\udcff"),
    ],
)
def test_a_file_that_cannot_be_read_says_where(tmp_path: Path, form: str, text: str) -> None:
    file = tmp_path / "bad"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError):
        import_run.survey(formats.read(SourceFiles(file), form))


# ── Copies ──────────────────────────────────────────────────────────────────────────────────────


def test_a_backup_is_proved_and_comes_back_the_same(
    shell: Shell, tmp_path: Path, store: Path
) -> None:
    kept(shell)
    taken = shell.document("backup", str(tmp_path / "copy"))
    assert taken["entries"]
    shell("remember", "This is said after the copy")
    back = Shell("--store", str(tmp_path / "back"), "--agent", "ada", "--user", "tuff")
    assert back.document("restore", str(tmp_path / "copy"))["heads"] == taken["heads"]
    assert back.listed("hits", "recall", "Lisbon")
    assert back("prove").exit_code == Exit.DONE
    assert not any(
        "after the copy" in str(each["text"]) for each in back.listed("hits", "recall", "copy")
    )
    assert store.is_dir()


def test_nothing_of_yours_is_written_over(shell: Shell, tmp_path: Path) -> None:
    kept(shell)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    assert shell("backup", str(tmp_path / "full")).exit_code == Exit.INPUT
    shell("backup", str(tmp_path / "copy"))
    assert shell("restore", str(tmp_path / "copy")).exit_code == Exit.INPUT


@pytest.mark.parametrize("damage", ["flip", "missing", "unfinished"])
def test_a_damaged_backup_is_not_restored(shell: Shell, tmp_path: Path, damage: str) -> None:
    kept(shell)
    copy = tmp_path / "copy"
    shell("backup", str(copy))
    file = next(copy.rglob("streams/*.db"))
    if damage == "flip":
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
    elif damage == "missing":
        file.unlink()
    else:
        (copy / "backup.json").unlink()
    back = Shell("--store", str(tmp_path / "back"), "--agent", "ada")
    assert back("restore", str(copy)).exit_code in {Exit.INPUT, Exit.INTEGRITY}


def test_a_copy_is_for_its_owner_only(shell: Shell, tmp_path: Path) -> None:
    kept(shell)
    shell("backup", str(tmp_path / "copy"))
    for path in (tmp_path / "copy").rglob("*.key"):
        assert not path.stat().st_mode & 0o077
