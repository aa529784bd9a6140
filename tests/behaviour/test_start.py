"""Start: what a process loads before it works, and what Ctrl-C does meanwhile."""

import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tests.terminal import Shell

import muniment
from muniment.adapters.cli import start
from muniment.adapters.cli.errors import Exit
from muniment.engine import lazy_modules, lazy_views
from muniment.model import lazy_events
from muniment.model.errors import InputError

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
    "muniment.adapters.embedders.bert_numpy",
    "muniment.adapters.requests.memory",
    "muniment.engine.api.admin",
    "muniment.engine.api.record_changes",
    "muniment.engine.audit.auditor",
    "muniment.engine.audit.erasure",
    "muniment.engine.context.context_builder",
    "muniment.engine.evidence.branches",
    "muniment.engine.evidence.passports",
    "muniment.engine.evidence.rollback",
    "muniment.engine.evidence.watch",
    "muniment.engine.exchange.exchange",
    "muniment.engine.learning.entity_view",
    "muniment.engine.learning.extraction",
    "muniment.engine.memos.memos",
    "muniment.engine.search.explain",
    "muniment.engine.what_if.what_if",
    "muniment.retrieval.context.bundle",
    "muniment.retrieval.entities.entity_graph",
    "numpy.f2py",
    "numpy.fft",
    "numpy.ma",
    "numpy.polynomial",
    "numpy.random",
    "numpy.testing",
    "phonenumbers",
    "prometheus_client",
    "psycopg",
    "secrets",
    "shutil",
    "ssl",
    "starlette",
    "stdnum",
    "uvicorn",
}


# What an agent gives out when it is asked, and what decides commands that nobody has given.
NOT_UNTIL_ASKED = {
    "muniment.adapters.gateway.api_keys",
    "muniment.adapters.storage.file_scan",
    "muniment.adapters.storage.folder.webhook_file",
    "muniment.adapters.storage.memory_store",
    "muniment.engine.api.job",
    "muniment.engine.context.conversation_candidates",
    "muniment.engine.conversation.channel",
    "muniment.engine.conversation.conversation",
    "muniment.engine.decide.conversation.record",
    "muniment.engine.decide.exchange.carry",
    "muniment.engine.decide.memos.compaction",
    "muniment.engine.evidence.watch",
    "muniment.engine.maintenance.compaction",
    "muniment.engine.memos.turn",
    "muniment.engine.search.explain",
}
# What an import and an open memory do without: each is loaded by the first who needs it.
NOT_FOR_OPENING = {
    "bz2",
    "email",
    "http",
    "importlib.metadata",
    "logging",
    *(each for each in NOT_FOR_A_QUESTION if each.startswith("muniment.")),
    *NOT_UNTIL_ASKED,
    "muniment.engine.api.agent",
    "muniment.engine.decide",
    "muniment.engine.search.recall",
    "muniment.engine.session.agent_session",
    "muniment.engine.session.stream_hub",
    "muniment.engine.streams.command_pipeline",
    "muniment.model.commands",
    "muniment.model.events",
    "muniment.retrieval.ranking",
    "muniment.rules.privacy.detect",
    "numpy",
    "phonenumbers",
    "random",
    "shutil",
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
        (TOLD, {"email", "logging", "numpy.ma", "tomllib", *NOT_UNTIL_ASKED}),
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
    # Of whom a statement is, and what is told as real, are read in fourteen languages.
    assert len(found) < 685
    assert len([each for each in found if each.startswith("muniment")]) <= 413


DOCS = """
from muniment.adapters.cli import deferred_docs
deferred_docs.defer()
deferred_docs.defer()
import numpy, sys
print(sys.meta_path.count(deferred_docs._Deferring), bool(numpy.ndarray.sum.__doc__))
for each in deferred_docs.NAMES & {*sys.modules}:
    vars(sys.modules[each]), sys.modules[each].add_newdoc
print(bool(numpy.ndarray.sum.__doc__))
"""


def test_a_brief_command_loads_docstrings_of_numpy_when_somebody_uses_them() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", DOCS], check=True, capture_output=True, text=True, timeout=60
    )
    assert ran.stdout.split() == ["1", "False", "True"]


def test_the_frames_of_a_command_share_one_piece_of_memory() -> None:
    """A piece of CPython's stack has 16 KiB: a larger frame gets a larger piece to itself."""
    assert start._run.__code__.co_stacksize * 8 > 16 * 1024


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
    assert said_by_stub(lazy_events) == lazy_events.WHERE
    assert all(getattr(lazy_events, name) is not None for name in lazy_events.WHERE)
    rooms = {name: where.rpartition(".")[0] for name, where in lazy_modules.WHERE.items()}
    assert said_by_stub(lazy_modules) == rooms
    assert all(getattr(lazy_modules, n).__name__ == at for n, at in lazy_modules.WHERE.items())
    with pytest.raises(AttributeError, match="no lazy module 'nope'"):
        getattr(lazy_modules, "nope")  # noqa: B009 - a type checker knows better
    with pytest.raises(AttributeError, match="no view 'nope'"):
        getattr(lazy_views, "nope")  # noqa: B009 - a type checker knows better
    with pytest.raises(AttributeError, match="no event 'nope'"):
        getattr(lazy_events, "nope")  # noqa: B009 - a type checker knows better


def said_by_stub(module: ModuleType) -> dict[str, str]:
    """Each name of a stub and the module that it is imported from."""
    stub = Path(str(module.__file__)).with_suffix(".pyi").read_text()
    lines = (line.split() for line in stub.splitlines() if line.startswith("from "))
    return {words[3]: words[1] for words in lines}


# ── Ctrl-C in the first second ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("loading", ["click", "muniment.adapters.cli.memory.recall", "msgspec"])
def test_an_interrupt_while_it_still_loads_prints_no_traceback(loading: str) -> None:
    early = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {loading!r}: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "sys.argv = ['muniment', 'recall', 'Where do I live?']\n"
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

    assert ran.returncode == -signal.SIGINT  # which a shell calls 130
    assert not ran.stderr
    assert not ran.stdout


def test_an_interrupt_of_a_command_that_has_begun_is_told_in_one_line(tmp_path: Path) -> None:
    begun = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'numpy': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        f"sys.argv = ['muniment', 'recall', 'Where?', '--store', {str(tmp_path / 'memory')!r}]\n"
        "from muniment.adapters.cli.start import main\n"
        "main()\n"
    )
    Shell("--store", str(tmp_path / "memory"))("remember", "I moved to Lisbon in March")
    ran = subprocess.run(
        [sys.executable, "-c", begun],
        check=False,
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
    )

    assert ran.returncode == Exit.INTERRUPTED == 128 + signal.SIGINT
    assert ran.stderr.strip() == "muniment: Interrupted. What was done before that is kept."
    assert not ran.stdout


def test_an_interrupt_after_the_command_has_ended_prints_no_traceback(tmp_path: Path) -> None:
    ended = (
        "import atexit, os, signal, sys, time\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "atexit.register(lambda: [os.kill(os.getpid(), signal.SIGINT), time.sleep(60)])\n"
        f"sys.argv = ['muniment', 'remember', 'Hello', '--store', {str(tmp_path / 'memory')!r}]\n"
        "from muniment.adapters.cli.start import main\n"
        "main()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", ended],
        check=False,
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
    )

    assert ran.returncode == -signal.SIGINT
    assert ran.stdout.startswith("Kept: Hello")
    assert not ran.stderr


def test_an_interrupt_that_is_ignored_stays_ignored() -> None:
    """As in the background of a shell, or under `nohup`."""
    asked = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "sys.argv = ['muniment', '--version']\n"
        "from muniment.adapters.cli.start import main\n"
        "main()\n"
        "assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN\n"
    )
    assert not subprocess.run([sys.executable, "-c", asked], check=False).returncode


@pytest.mark.parametrize("place", [5, 5.0, None, True, b"memory", ["memory"], {}])
def test_what_is_neither_a_text_nor_a_path_becomes_no_folder(
    place: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(InputError, match="address of a memory is a text or a path"):
        muniment.open(place)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="folder of the keys is a text or a path"):
        muniment.open("memory", keys=place)  # type: ignore[arg-type]

    assert list(tmp_path.iterdir()) == []
