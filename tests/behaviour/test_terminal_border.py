"""The border of the terminal: help, names, exit codes, real processes, a real terminal."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from tests.terminal import KEY, WISH, Shell, said, wishing

from muniment.adapters.cli import errors as border
from muniment.adapters.cli.errors import Exit
from muniment.adapters.cli.main import COMMANDS, EVERYDAY, FILES
from muniment.adapters.cli.options import shown
from muniment.adapters.cli.word_wrap import width
from muniment.adapters.webhooks import public_address, signature
from muniment.engine.evidence import passport
from muniment.model import errors

SECONDS_MAX = 60
COLUMNS = 100
COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-7][0-9;]*m")
READS = [
    "recall x",
    "context x",
    "log",
    "show 1",
    "requests",
    "approve req:1",
    "reject req:1",
    "confirm confirm:1 --user tuff",
    "consent --revoke consent:1 --user tuff",
    "forget ep:1",
    f"forget {KEY}",
    "erase tuff",
    "erase --carry-out req:1",
    "prove",
    "rebuild",
]
BAD_NAMES = ["../../x", "a/b", "..", "a\\b", "nul\0", "x" * 129, "🦊", "", " x", "a\u202eb", "a\nb"]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture
def shell(store: Path) -> Shell:
    return Shell("--store", str(store))


# ── Help and usage ──────────────────────────────────────────────────────────────────────────────


def test_choices_are_told_in_one_plain_line(shell: Shell) -> None:
    told = said(shell("completion"))
    assert told == "muniment: Missing argument 'SHELL'. Choose from: bash, zsh, fish. [USAGE]"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("backup {name}", "muniment: '{name}' is not empty; existing files are not overwritten."),
        (
            "restore {name}",
            "muniment: '{name}' is not a complete backup: backup.json cannot be read",
        ),
        ("demo --keep {name}", "muniment: '{name}' is not empty, and the demo needs"),
        ("identity {name}.toml", "muniment: '{name}.toml': an identity file is called"),
        ("export {name}", "muniment: '{name}': "),
    ],
)
def test_a_name_is_told_as_it_was_given(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: str, told: str
) -> None:
    """A sentence begins with a capital; what somebody called a file stays what they called it."""
    monkeypatch.chdir(tmp_path)
    Path("copy").mkdir()
    Path("copy", "something").write_text("of yours")
    assert Shell("--store", "here")("remember", "I moved to Lisbon").exit_code == Exit.DONE
    store = "there" if words.startswith("restore") else "here"

    result = Shell("--store", store)(*words.format(name="copy").split())

    assert said(result).startswith(told.format(name="copy"))


@pytest.mark.parametrize("words", ["roles", "shards", "move-stream main/agent/ada/actor --to 1"])
def test_what_needs_a_server_says_so_in_a_folder(shell: Shell, words: str) -> None:
    shell("remember", "I moved to Lisbon")
    result = shell(*words.split())
    assert result.exit_code == Exit.INPUT
    assert "is a folder; name a server: --store postgresql://" in said(result)


def test_a_file_that_is_no_export_leads_to_the_other_formats(shell: Shell, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("I moved to Porto")
    named = said(shell("import", str(note)))
    assert named.startswith("muniment: 'note.txt' has no known format: --from names it")

    talk = tmp_path / "chat.txt"
    talk.write_text("Ann: I moved to Porto")
    taken = said(shell("import", str(talk), "--from", "muniment"))
    assert "--from names another format" in taken


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_names_every_command_once_the_everyday_ones_first(shell: Shell, word: str) -> None:
    result = shell(word)
    assert result.exit_code == Exit.DONE
    named = re.findall(r"^  ([a-z][a-z-]+)  ", result.stdout, re.MULTILINE)
    assert tuple(named[: len(EVERYDAY)]) == EVERYDAY
    assert sorted(named) == sorted(FILES)
    assert all(f"{section}:" in result.stdout for section in COMMANDS)


@pytest.mark.parametrize("name", FILES)
def test_every_command_loads_and_has_help(shell: Shell, name: str) -> None:
    result = shell(name, "--help")
    assert result.exit_code == Exit.DONE
    assert f"muniment {name}" in result.stdout
    assert "--json" in result.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["recal"], "There is no command 'recal'; did you mean 'recall'? [USAGE]"),
        (["help"], "There is no command 'help'; `muniment --help` lists them. [USAGE]"),
        (["--nope"], "No such option '--nope'."),
        (["recall"], "Missing argument 'QUERY'; `muniment recall --help` shows how. [USAGE]"),
        (["log", "--limit", "-1"], "Invalid value for '--limit': "),
        (["log", "--stream", "other"], "Invalid value for '--stream': "),
        (["consent", "--user", "tuff"], "Give the text of the consent, or --revoke ID. [USAGE]"),
        (["erase"], "Name a user, or --carry-out ID. [USAGE]"),
        (["confirm", "confirm:1"], "Say who answers: --user NAME. [INVALID_INPUT]"),
        (["remember", " "], "There is nothing to remember. [INVALID_INPUT]"),
        (["log", "--plain", "--user", "../x"], "The user must not look like a path."),
    ],
)
def test_bad_usage_is_one_sentence(
    shell: Shell, store: Path, words: list[str], sentence: str
) -> None:
    result = shell(*words)
    assert result.exit_code == Exit.INPUT
    assert said(result).startswith(f"muniment: {sentence}")
    assert not store.exists()


def test_two_forms_at_once_are_none(shell: Shell) -> None:
    result = shell("log", "--json", "--plain")
    assert result.exit_code == Exit.INPUT
    assert json.loads(result.stdout)["error_code"] == "USAGE"


# ── What does not exist is not made by looking ──────────────────────────────────────────────────


@pytest.mark.parametrize("words", READS)
def test_a_store_that_is_not_there_is_said_so(shell: Shell, store: Path, words: str) -> None:
    result = shell(*words.split())
    assert (result.exit_code, result.stdout) == (Exit.NOT_FOUND, "")
    help_ = "`muniment init` makes one, and --store names another"
    assert said(result) == f"muniment: There is no memory in {store}; {help_}. [NOT_FOUND]"
    assert not store.exists()


def test_a_folder_of_something_else_is_no_store(shell: Shell, store: Path) -> None:
    store.mkdir()
    (store / "letter.txt").write_text("mine")
    assert shell("log").exit_code == Exit.NOT_FOUND
    assert [path.name for path in store.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("words", ["recall x", "context x", "log", "forget ep:1"])
def test_an_agent_that_never_wrote_is_not_made(store: Path, words: str) -> None:
    tuff = wishing(store)
    before = tuff.document("prove")
    result = tuff(*words.split(), "--agent", "nobody")
    assert result.exit_code == Exit.NOT_FOUND
    assert said(result).startswith("muniment: There is no agent 'nobody' in ")
    assert "; --agent names one that is: 'default'." in said(result)
    assert tuff.document("prove") == before


def test_a_text_without_its_quotes_is_asked_for_them(shell: Shell) -> None:
    result = shell("remember", "I", "moved", "to", "Lisbon")
    assert result.exit_code == Exit.INPUT
    assert "(moved to Lisbon); put a text of several words in quotes. [USAGE]" in said(result)


def test_a_place_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "a-file").write_text("mine")
    result = Shell("--store", str(tmp_path / "a-file"))("remember", "hello")
    assert result.exit_code == Exit.STORE
    assert said(result) == (
        "muniment: Not a directory: a-file/streams; a file is in the way: name another folder. "
        "[STORE_UNAVAILABLE]"
    )


@pytest.mark.parametrize("name", BAD_NAMES, ids=ascii)
@pytest.mark.parametrize("option", ["--agent", "--user", "--tenant"])
def test_a_name_is_never_a_path(shell: Shell, tmp_path: Path, option: str, name: str) -> None:
    result = shell("remember", "hello", option, name)
    assert result.exit_code == Exit.INPUT
    assert said(result).endswith("[INVALID_INPUT]")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [["log"], ["remember", "x"], ["demo", "--keep", "nul\0"]])
@pytest.mark.parametrize("address", ["nul\0", "x" * 5000])
def test_an_address_that_cannot_be_is_bad_input(words: list[str], address: str) -> None:
    result = Shell("--store", address)(*words)
    assert result.exit_code == Exit.INPUT
    assert said(result).endswith("[INVALID_INPUT]")


@pytest.mark.parametrize("words", ["--store= list", "list --store=", "--store=", "doctor --store="])
def test_a_store_without_a_name_is_said_so(words: str) -> None:
    result = Shell()(*words.split())
    assert result.exit_code == Exit.INPUT
    assert "The name of the store is empty" in said(result)


def test_a_password_in_an_address_is_not_shown() -> None:
    assert shown("postgresql://ada:s3cret@host:5432/db") == "postgresql://ada@host:5432/db"
    assert shown("postgresql://host/db") == "postgresql://host/db"
    assert shown("./memory") == "./memory"
    result = Shell("--store", "mailto://ada:s3cret@host")("remember", "x")
    assert result.exit_code == Exit.INPUT
    assert "s3cret" not in result.output


# ── Exit codes ──────────────────────────────────────────────────────────────────────────────────


# Rooms with errors of their own: whoever loads them first must not decide what is tried.
ROOMS = (passport, public_address, signature)


def kinds(parent: type[errors.MunimentError]) -> Iterator[type[errors.MunimentError]]:
    for kind in parent.__subclasses__():
        yield kind
        yield from kinds(kind)


@pytest.mark.parametrize("kind", sorted(kinds(errors.MunimentError), key=str))
def test_every_error_has_its_exit_code(kind: type[errors.MunimentError]) -> None:
    expected = {
        "REFUSED": Exit.REFUSED,
        "PERMISSION_DENIED": Exit.REFUSED,
        "MEMORY_TYPE": Exit.INPUT,
        "JOB_CLOSED": Exit.REFUSED,
        "BEING_ERASED": Exit.REFUSED,
        "INVALID_INPUT": Exit.INPUT,
        "INVALID_POLICY": Exit.INPUT,
        "IDEMPOTENCY_KEY_REUSED": Exit.INPUT,
        "ADDRESS_NOT_ALLOWED": Exit.INPUT,
        "BAD_SIGNATURE": Exit.INPUT,
        "PASSPORT_CHANGED": Exit.INPUT,
        "PASSPORT_OTHER_KEY": Exit.INPUT,
        "PASSPORT_OTHER_PERSON": Exit.INPUT,
        "PASSPORT_REPLAYED": Exit.INPUT,
        "PASSPORT_UNREADABLE": Exit.INPUT,
        "NOT_FOUND": Exit.NOT_FOUND,
        "INTEGRITY_FAIL": Exit.INTEGRITY,
        "REPLAY_DIVERGENCE": Exit.INTEGRITY,
        "DERIVED_DAMAGE": Exit.INTEGRITY,
        "ERASURE_UNFINISHED": Exit.INTEGRITY,
    }
    error = kind("why not")
    assert border.exit_of(error) == expected.get(kind.code, Exit.STORE)
    assert kind.code in border.code_of(error)
    assert border.envelope(error).error_code == kind.code


def test_the_sentence_of_a_failed_write_is_word_for_word() -> None:
    error = errors.MemoryWriteFailError("disk I/O error")
    assert border.sentence(error) == errors.MEMORY_FAILED


@pytest.mark.parametrize(
    ("raised", "code", "words"),
    [
        (ZeroDivisionError("no"), Exit.INTERNAL, "Something went wrong inside (ZeroDivisionError)"),
        (PermissionError(13, "Permission denied"), Exit.STORE, "Permission denied. [STORE_"),
        (click.Abort(), Exit.INTERRUPTED, ""),
        (KeyboardInterrupt(), Exit.INTERRUPTED, ""),
    ],
    ids=lambda value: type(value).__name__,
)
def test_nothing_leaves_as_a_traceback(
    raised: BaseException, code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def work() -> None:
        raise raised

    assert border.guard(work, as_json=False) == code
    told = capsys.readouterr().err
    assert words in told
    assert "Traceback" not in told


def test_a_traceback_is_there_for_who_asks(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_DEBUG", "1")
    result = shell("log")
    assert result.exit_code == Exit.NOT_FOUND
    assert "Traceback" in result.stderr


# ── Real processes ──────────────────────────────────────────────────────────────────────────────


def muniment(*words: str, program: tuple[str, ...] = ("-m", "muniment")) -> list[str]:
    return [sys.executable, *program, *words]


def test_the_package_runs_as_a_program() -> None:
    done = subprocess.run(
        muniment("version", "--plain"), capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("muniment: ")
    assert done.stderr == ""


def test_a_reader_who_has_seen_enough_ends_it_quietly(store: Path) -> None:
    wishing(store)
    words = muniment("log", "--json", "--store", str(store))
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()  # long before there is anything to read
        assert process.stderr.read() == b""
        assert process.wait(SECONDS_MAX) == Exit.PIPE_CLOSED


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("how", ["--json", "--plain"])
def test_an_answer_that_cannot_be_written_is_told_beside_it(store: Path, how: str) -> None:
    wishing(store)
    words = muniment("log", how, "--store", str(store))

    with Path("/dev/full").open("w") as full:
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert done.returncode == Exit.STORE
    assert done.stderr == "muniment: The disk is full. [STORAGE_FULL]\n"


def test_an_interrupt_ends_it_with_one_line(store: Path) -> None:
    program = (
        # Where the suite itself runs in the background, interrupts are ignored.
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from muniment.adapters.cli import main\n"
        "from muniment.adapters.cli.memory import remember as remembering\n"
        "print('ready', flush=True); main.main()"
    )
    words = muniment("remember", "-", "--store", str(store), program=("-c", program))
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.5)  # it now waits for what nobody types
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS_MAX)
    assert process.returncode == Exit.INTERRUPTED
    said = b"muniment: Interrupted. What was done before that is kept."
    assert (out, err.strip()) == (b"", said)


# ── A real terminal ─────────────────────────────────────────────────────────────────────────────


def on_screen(words: list[str], typed: str = "", **environment: str) -> str:
    """What a person sees who runs this and types that."""
    keeper, screen = pty.openpty()
    known = {"TERM": "xterm-256color", "COLUMNS": str(COLUMNS), "LANG": "C.UTF-8"} | environment
    with subprocess.Popen(words, stdin=screen, stdout=screen, stderr=screen, env=known) as process:
        os.close(screen)
        os.write(keeper, typed.encode())
        seen = b"".join(iter(lambda: _read(keeper), b""))
        process.wait(SECONDS_MAX)
    os.close(keeper)
    return seen.decode().replace("\r\n", "\n")


def _read(keeper: int) -> bytes:
    ready = select.poll()  # where a worker of the suite has more than a thousand files open
    ready.register(keeper, select.POLLIN)
    if not ready.poll(SECONDS_MAX * 1000):
        return b""
    try:
        return os.read(keeper, 65_536)
    except OSError:  # the other side has closed
        return b""


def test_a_person_is_asked_and_answers(store: Path) -> None:
    here = ("--store", str(store), "--user", "tuff")
    seen = on_screen(muniment("remember", WISH, *here), "y\n")
    assert "Shall I keep “favorite color: cerulean” as a lasting fact? [y/N]" in seen
    assert "needs approval" in seen
    shell = Shell(*here)
    assert len(shell.listed("requests", "requests")) == 1
    seen = on_screen(muniment("remember", WISH, *here), "\n")
    assert "Not kept as a fact." in seen
    assert len(shell.listed("requests", "requests")) == 1


def test_a_screen_has_colours_unless_they_are_not_wanted(store: Path) -> None:
    words = muniment("remember", "a plain day", "--store", str(store))
    assert COLOUR.search(on_screen(words, NO_COLOR=""))
    assert not COLOUR.search(on_screen(words, NO_COLOR="1"))
    assert "\x1b" not in on_screen(words, TERM="dumb")


@pytest.mark.parametrize("columns", [40, 41, 60])
def test_a_narrow_screen_shows_ids_whole_and_breaks_no_word(store: Path, columns: int) -> None:
    here = ("--store", str(store), "--user", "tuff")
    kept = Shell(*here).document("remember", "I moved from Porto to Lisbon in the rain of March")
    words = muniment("recall", "Where did I move?", *here)
    seen = on_screen(words, COLUMNS=str(columns), NO_COLOR="1").splitlines()

    found = [line for line in seen if str(kept["episodic_id"]) in line]
    assert len(found) == 1
    assert all(len(line) <= columns for line in seen)
    assert "Lisbon" in " ".join(seen).split()


def test_long_work_shows_that_it_goes_on(store: Path) -> None:
    wishing(store)
    seen = on_screen(muniment("prove", "--store", str(store)))
    assert "Proving…" in seen
    assert "Proved" in seen


# ── The demonstration ───────────────────────────────────────────────────────────────────────────


def test_the_demonstration_fits_the_screen_and_leaves_nothing(tmp_path: Path) -> None:
    result = Shell()("demo")
    assert result.exit_code == Exit.DONE
    assert max(width(line) for line in result.stdout.splitlines()) <= COLUMNS
    for words in ("cerulean", "privacy_deny_sensitive", "byte for byte", "in none of "):
        assert words in result.stdout
    assert result.stdout.endswith("The store was temporary and is gone; --keep FOLDER keeps one.\n")
    assert list(tmp_path.iterdir()) == []


def test_the_demonstration_can_be_kept_and_looked_at(store: Path) -> None:
    assert f"--store {store}" in Shell()("demo", "--keep", str(store)).stdout
    ada = Shell("--store", str(store), "--agent", "ada")
    assert "erased" in ada("log").stdout
    assert ada("prove").exit_code == Exit.DONE
    again = Shell()("demo", "--keep", str(store))
    assert again.exit_code == Exit.INPUT
    assert "is not empty" in said(again)


def test_the_demonstration_as_a_document() -> None:
    steps = Shell().listed("steps", "demo")
    assert [set(step) for step in steps] == [{"title", "asked", "noted", "answer"}] * len(steps)


# ── What was typed is what is named ─────────────────────────────────────────────────────────────

ABSENT = {
    "certify 99": "no entry 99",
    "retired 4": "entry 4 is no write",
    "recall --again 4": "entry 4 is no receipt",
    "about nobody": "nothing is known about 'nobody'",
    "about nobody --file out.jsonl": "nothing is known about 'nobody'",
    "keys revoke zz": "there is no such key",
}


@pytest.mark.parametrize("line", ABSENT)
def test_what_is_not_there_is_said_by_the_name_that_was_typed(shell: Shell, line: str) -> None:
    shell("remember", "I moved to Lisbon in March", "--user", "tuff")

    told = shell(*line.split(), "--user", "tuff")

    assert told.exit_code == Exit.NOT_FOUND
    assert ABSENT[line] in told.stderr.lower()


@pytest.mark.parametrize("line", ["recall x --limit two", "retired two", "compact --items two"])
def test_a_number_that_is_none_is_called_so(shell: Shell, line: str) -> None:
    told = shell(*line.split())

    assert told.exit_code == Exit.INPUT
    assert "'two' is not a whole number." in told.stderr


def test_a_check_names_what_is_wrong_the_key_or_the_file_that_is_missing(
    shell: Shell, tmp_path: Path
) -> None:
    shell("remember", "I moved to Lisbon in March")
    head = shell.listed("heads", "sign")[0]
    note = tmp_path / "kept.note"
    note.write_text(str(head["note"]), encoding="utf-8")
    asked = ["verify", str(note), "--origin", str(head["origin"])]

    assert "--key is not a public key" in shell(*asked, "--key", "mine").stderr
    missing = shell(*asked, "--key", str(head["key"]), "--known", "older.note").stderr
    assert "older.note" in missing
    assert "kept.note" not in missing


def test_documents_are_searched_as_they_are_in_python(shell: Shell) -> None:
    shell("documents", "put", "notes/a", "k", "the kite is blue")
    shell("documents", "put", "notes/b", "k", "the heron is grey")

    asked = ["documents", "search", "notes", "Which colour is the kite?"]

    (first,) = shell.listed("hits", *asked, "--limit", "1")
    assert first["document"]["value"] == "the kite is blue"  # type: ignore[index]
    assert "the kite is blue" in shell(*asked).stdout
    assert shell("documents", "search", "notes").exit_code == Exit.INPUT
    assert shell("documents", "list", "--limit", "1").exit_code == Exit.INPUT


def test_the_list_of_keys_tells_who_has_one_and_what_it_is_narrowed_to(shell: Shell) -> None:
    shell("keys", "create", "--role", "council", "--who", "ann", "--verb", "requests")
    shell("keys", "create", "--agent", "bot", "--project", "apollo")

    told = shell("keys").stdout

    assert " ann " in told
    assert " requests " in told
    council, bot = shell.listed("keys", "keys")
    assert (council["who"], council["verbs"]) == ("ann", ["requests"])
    assert (bot["projects"], bot["verbs"]) == (["apollo"], [])
