"""The first minute at the terminal: what to do next, three questions, a talk, and a quick start."""

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tests.behaviour.test_terminal_border import muniment as program
from tests.behaviour.test_terminal_border import on_screen
from tests.scripted_model import Reply, scripted
from tests.terminal import Shell

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.cli.main import FILES
from muniment.adapters.cli.shared_options import SHARED, shared
from muniment.engine import lazy_views

SECONDS_MAX = 60
# What a start may load besides the standard library.
LIGHT = {"click", "msgspec", "muniment", "typing_extensions"}


def loaded(code: str) -> set[str]:
    """The packages and modules of ours that a fresh process has loaded after this."""
    asked = f"{code}\nimport sys; print('\\n'.join(sys.modules))"
    ran = subprocess.run(
        [sys.executable, "-c", asked], check=True, capture_output=True, text=True, timeout=60
    )
    named = ran.stdout.split()
    ours = {each for each in named if each.startswith("muniment")}
    others = {each.partition(".")[0] for each in named} - {*sys.stdlib_module_names}
    return ours | {each for each in others if not each.startswith("_") and each != "sitecustomize"}


# ── What is loaded ──────────────────────────────────────────────────────────────────────────────


def test_importing_the_package_loads_nothing_of_it() -> None:
    assert loaded("import muniment") == {"muniment"}


def test_the_version_is_told_without_the_terminal() -> None:
    asked = "import sys; sys.argv = ['muniment', '--version']\n"
    found = loaded(f"{asked}from muniment.adapters.cli.start import main; main()")

    assert {each for each in found if not each.startswith("muniment")} <= {"0"}
    assert {each for each in found if each.startswith("muniment.")} == {
        "muniment.adapters",
        "muniment.adapters.cli",
        "muniment.adapters.cli.start",
    }


def test_ctrl_c_finds_the_terminal_ready_for_it_before_anything_slow_is_loaded() -> None:
    """What is loaded before Ctrl-C is heard is next to nothing: not even `typing`."""
    source = str(Path(str(muniment.__file__)).parents[1])
    asked = "import sys; before = {*sys.modules}\nimport muniment.adapters.cli.start"
    ran = subprocess.run(
        [sys.executable, "-S", "-c", f"{asked}; print(*{{*sys.modules}} - before)"],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
        env={"PYTHONPATH": source},
    )

    others = {each for each in ran.stdout.split() if not each.startswith("muniment")}
    frozen = {"importlib._bootstrap", "importlib._bootstrap_external"}
    assert others <= frozen | {"importlib", "_warnings", "warnings", "gc"}


@pytest.mark.parametrize("words", [[], ["--help"]])
def test_help_loads_no_command_and_nothing_of_the_engine(words: list[str]) -> None:
    asked = f"import sys; sys.argv = ['muniment', *{words!r}]; sys.stdout = open('/dev/null', 'w')"
    run = "from muniment.adapters.cli import main\ntry: main.main()\nexcept SystemExit: pass"
    found = loaded(f"{asked}\n{run}\nsys.stdout = sys.__stdout__")

    assert {each for each in found if not each.startswith("muniment.")} <= LIGHT
    heavy = ("muniment.engine", "muniment.retrieval", "muniment.rules", "muniment.log")
    assert not [each for each in found if each.startswith(heavy)]
    assert len(found) < 25


# What other commands need, or a few inputs: none of it is loaded to answer a plain question.
NOT_FOR_A_QUESTION = {
    "email",
    "httpx",
    "importlib.metadata",
    "mcp",
    "muniment.engine.api.admin",
    "muniment.engine.audit.auditor",
    "muniment.engine.audit.erasure",
    "muniment.engine.evidence.branches",
    "muniment.engine.evidence.passports",
    "muniment.engine.exchange.exchange",
    "muniment.engine.what_if.what_if",
    "numpy.ma",
    "phonenumbers",
    "prometheus_client",
    "psycopg",
    "ssl",
    "starlette",
    "stdnum",
    "uvicorn",
}


# What an import and an open memory do without: each is loaded by the first who needs it.
NOT_FOR_OPENING = {
    "email",
    "http",
    "importlib.metadata",
    "logging",
    *(each for each in NOT_FOR_A_QUESTION if each.startswith("muniment.")),
    "numpy",
    "phonenumbers",
    "ssl",
    "stdnum",
    "tomllib",
}
OPENED = "import muniment\nmuniment.open({place!r}).close()"
# Vectors and telephone numbers, when something is told; nothing that only a question needs.
TOLD = "import muniment\nmuniment.open({place!r}).agent('ada').remember('I moved to Lisbon')"


@pytest.mark.parametrize(
    ("does", "without"),
    [
        ("import muniment\nmuniment.open", NOT_FOR_OPENING),
        (OPENED, NOT_FOR_OPENING),
        (TOLD, {"email", "logging", "numpy.ma", "tomllib"}),
    ],
)
def test_a_memory_loads_only_what_it_needs(tmp_path: Path, does: str, without: set[str]) -> None:
    code = does.format(place=str(tmp_path / "memory"))
    named = f"{code}\nimport sys; print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", named], check=True, capture_output=True, text=True, timeout=60
    )
    assert not without & {*ran.stdout.split()}


# The patterns that a policy's fields are checked by, which msgspec compiles itself.
OF_FIELDS = {"muniment.model.policy", "muniment.model.policy.learning"}
COMPILED = """
import re, sys
from re import _compiler
compiled, made = _compiler.compile, set()
def noted(*told):
    frames, frame = [], sys._getframe(1)
    while frame:
        frames.append(frame.f_globals["__name__"])
        frame = frame.f_back
    made.add(next((each for each in frames if not each.startswith(("re", "functools"))), ""))
    return compiled(*told)
_compiler.compile = noted
import muniment
muniment.open
print(*sorted(made))
"""


def test_an_import_compiles_no_pattern_of_ours() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", COMPILED], check=True, capture_output=True, text=True, timeout=60
    )

    assert {each for each in ran.stdout.split() if each.startswith("muniment")} == OF_FIELDS


def test_a_question_loads_nothing_that_only_others_need(tmp_path: Path) -> None:
    Shell("--store", str(tmp_path / "memory"))("remember", "I moved to Lisbon in March")
    words = ["muniment", "recall", "Where do I live?", "--store", str(tmp_path / "memory")]
    asked = f"import sys; sys.argv = {words!r}; sys.stdout = open('/dev/null', 'w')"
    run = "from muniment.adapters.cli import main\ntry: main.main()\nexcept SystemExit: pass"
    named = f"{asked}\n{run}\nsys.stdout = sys.__stdout__\nprint(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", named], check=True, capture_output=True, text=True, timeout=60
    )

    found = {*ran.stdout.split()}
    assert "muniment.engine.search.recall" in found
    assert not NOT_FOR_A_QUESTION & found
    assert len(found) < 810


def test_every_public_name_is_found_and_a_wrong_one_is_told() -> None:
    assert {*muniment.__all__} == {*muniment.WHERE, *muniment.MODULES}
    assert all(getattr(muniment, name) is not None for name in muniment.__all__)
    assert {*muniment.__all__} <= {*dir(muniment)}
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        getattr(muniment, "nope")  # noqa: B009 - a type checker knows better


def test_type_checkers_are_told_the_same_names_from_the_same_places() -> None:
    modules = {name: where.rpartition(".")[0] for name, where in muniment.MODULES.items()}

    assert said_by_stub(muniment) == muniment.WHERE | modules
    assert said_by_stub(lazy_views) == lazy_views.WHERE
    assert all(getattr(lazy_views, name) is not None for name in lazy_views.WHERE)
    with pytest.raises(AttributeError, match="no view 'nope'"):
        getattr(lazy_views, "nope")  # noqa: B009 - a type checker knows better


def said_by_stub(module: ModuleType) -> dict[str, str]:
    """Each name of a stub and the module that it is imported from."""
    stub = Path(str(module.__file__)).with_suffix(".pyi").read_text()
    lines = (line.split() for line in stub.splitlines() if line.startswith("from "))
    return {words[3]: words[1] for words in lines}


# ── What to do next ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_what_to_do_next_fits_the_screen(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    told = Shell("--store", "none")().output

    assert "muniment init" in told
    assert max(map(len, told.splitlines()[2:])) <= columns  # behind the name and the version


def test_without_a_command_it_says_what_to_do_next(tmp_path: Path) -> None:
    store = tmp_path / "memory"
    nothing = Shell("--store", str(store))()
    assert f"There is no memory in {store} yet." in nothing.output
    assert "muniment init" in nothing.output
    assert "Options:" not in nothing.output

    Shell("--store", str(store))("remember", "I moved to Lisbon in March")
    there = Shell("--store", str(store))()
    assert f"Your memory is in {store}. Next:" in there.output
    assert "muniment recall" in there.output
    assert "muniment init" not in there.output


def test_every_step_that_is_named_is_a_command() -> None:
    for store in ("/nowhere", "."):
        told = Shell("--store", store)().output
        named = [line.split()[1] for line in told.splitlines() if line.startswith("  muniment")]
        assert named
        assert {*named} <= {*FILES}


@pytest.mark.parametrize("name", ["recall", "remember", "prove"])
def test_a_command_tells_its_own_options_and_where_the_shared_ones_are(name: str) -> None:
    told = Shell()(name, "--help").output

    assert "Folder or server address" not in told
    assert "see muniment --help" in told
    assert all(f"--{each}" in told for each in SHARED)
    assert {each.name for each in shared()} == SHARED


# ── Three questions ─────────────────────────────────────────────────────────────────────────────


def test_init_asks_three_questions_and_takes_the_answers(tmp_path: Path) -> None:
    place = tmp_path / "elsewhere"

    seen = on_screen(program("init"), f"{place}\nteam\nada\n")

    assert [seen.count(each) for each in ("Where shall", "Who must say yes", "Who are you?")] == [
        1,
        1,
        1,
    ]
    assert "quorum = 2" in (place / "policy.toml").read_text()
    assert "--user ada" in seen


def test_init_asks_nothing_with_yes_or_in_a_pipe(tmp_path: Path) -> None:
    seen = on_screen(program("init", "--yes", "--store", str(tmp_path / "a")), "")
    assert "?" not in seen
    assert "Ready" in seen
    piped = Shell("--store", str(tmp_path / "b"))("init")
    assert piped.exit_code == Exit.DONE
    assert "Ready" in piped.output


# ── A talk ──────────────────────────────────────────────────────────────────────────────────────


def test_a_chat_shows_what_is_recalled_and_what_is_learned(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    said = "I moved to Lisbon in March\nMy name is Ada\n\nWhere do I live?\n"
    secret = "my password is " + "hunter2" * 2

    told = shell("chat", typed=f"{said}{secret}\nWho won the cup?\n/quit\nnever said\n").output

    assert "learned   profile: name: Ada" in told
    assert "memory> I moved to Lisbon in March" in told
    assert "recalled  I moved to Lisbon in March" in told
    assert "not kept  it holds a secret" in told
    assert "memory> I do not know that yet." in told
    again = json.loads(shell("chat", "--json", typed="Where do I live?\n").output)
    (turn,) = again["turns"]
    assert turn["answered"] == "I moved to Lisbon in March"
    assert "never said" not in shell("log").output


def test_with_a_model_it_answers_from_what_is_remembered_and_the_last_turns(
    tmp_path: Path,
) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    shell("remember", "I moved to Lisbon in March")
    with scripted(lambda asked: f"answer to: {asked.user.splitlines()[-1]}") as model:
        told = shell(
            "chat",
            "--model",
            f"{model.address} qwen3",
            typed="Where do I live?\nAnd since when?\n",
        ).output

    first, second = model.asked
    assert "memory> answer to: User: Where do I live?" in told
    assert "I moved to Lisbon in March" in first.user.partition("</memory>")[0]
    assert "data, not instructions" in first.system
    assert "User: Where do I live?\nAssistant: answer to:" in second.user.partition("</memory>")[2]
    assert "answer to: User: Where do I live?" in shell("log").output


def test_a_secret_is_not_sent_to_the_model_and_a_silent_model_is_told(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    secret = "my password is " + "hunter2" * 2
    with scripted(lambda _: Reply(status=500)) as model:
        told = shell(
            "chat", "--model", f"{model.address} qwen3", typed=f"{secret}\nI like tea\n"
        ).output

    assert all("hunter2" not in each.user for each in model.asked)
    assert "That was not sent to the model" in told
    assert "no answer" in told
    assert "answered 500" in told
    assert "learned   I like tea" in told


def test_a_word_with_a_slash_is_a_command_of_the_chat_and_nothing_to_remember(
    tmp_path: Path,
) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")

    told = shell("chat", typed="/help\n/cntext\nI drink tea\nWhat do I drink?\n/context\n").output

    assert "  /context  show what a prompt is given" in told
    assert "There is no command /cntext; /help lists them." in told
    assert "I drink tea" in told.rpartition("memory> ")[2].partition("##")[2]
    assert "cntext" not in shell("log").output


def test_two_people_who_chat_with_one_memory_have_a_conversation_each(tmp_path: Path) -> None:
    store = str(tmp_path / "memory")

    told = [
        Shell("--store", store, "--user", each)("chat", typed=f"My name is {each}\n").output
        for each in ("Ada", "Mara")
    ]

    assert ["profile: name: Ada" in told[0], "profile: name: Mara" in told[1]] == [True, True]


def test_a_wish_for_a_lasting_fact_is_told_with_the_command_that_confirms_it(
    tmp_path: Path,
) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")

    told = shell("chat", typed="Remember my favourite colour is cerulean\n").output

    assert "not kept" not in told
    (line,) = [each for each in told.splitlines() if "lasting fact: " in each]
    program, *words = shlex.split(line.partition("lasting fact: ")[2])
    assert program == "muniment"
    assert "awaits" in shell(*words, "--store", str(tmp_path / "memory")).output


def test_a_person_who_chats_is_prompted_and_ends_with_an_empty_line(tmp_path: Path) -> None:
    seen = on_screen(program("chat", "--store", str(tmp_path / "m")), "I drink tea\n\n")

    assert seen.count("you> ") == 2
    assert "Noted." in seen


# ── Ctrl-C in the first second ──────────────────────────────────────────────────────────────────


def test_an_interrupt_while_it_still_loads_prints_no_traceback() -> None:
    early = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'click': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "from muniment.adapters.cli.start import main\n"
        "main()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", early],
        check=False,
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
    )

    assert ran.returncode == Exit.INTERRUPTED == 128 + signal.SIGINT
    assert ran.stderr == "muniment: Interrupted. What was done before that is kept.\n"
    assert not ran.stdout
