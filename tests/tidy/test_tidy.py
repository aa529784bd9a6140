"""The house rules that no other tool checks, as failing tests."""

import ast
import functools
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from tests import long_tests

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "muniment"

FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 40
POSITIONAL_PARAMETERS_MAX = 5
KEYWORD_PARAMETERS_MAX = 8

PARENTS_MAX = 2
FOLDER_FILES_MAX = 15


# Names that say where the author stopped thinking.
SHY_NAMES = {
    "base",
    "common",
    "core",
    "helpers",
    "manager",
    "misc",
    "types",
    "utils",
}

# What git does not keep, we do not read.
UNREAD = {
    ".git",
    ".hypothesis",
    ".import_linter_cache",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".schemathesis",
    ".servers",
    ".upstream",
    ".venv",
    ".venv-demo",
    ".venv-lint",
    ".venv-site",
    "__pycache__",
    "build",
    "demo-month",
    "dist",
    "mutants",
    "node_modules",
    "screenshots",
    "secrets",
    "site",
}

# Spelled in halves, or this file would be its own offender.
REGISTRIES = re.compile(
    "|".join(
        re.escape(first + second)
        for first, second in [
            ("py", "pi.org"),
            ("py", "pi.python.org"),
            ("python", "hosted.org"),
            ("npm", "js.org"),
            ("npm", "js.com"),
            ("yarn", "pkg.com"),
            ("ana", "conda.org"),
        ]
    ),
    re.IGNORECASE,
)
MACHINE_PATHS = re.compile(r"(?<![\w.])/(?:wo" + r"rk|ro" + r"ot|opt/py" + r"pi)/")
TRACKER_TALK = re.compile(
    r"\b(?:iss" + r"ue|tick" + r"et|pull req" + r"uest)s?\s*(?:#|/\d)", re.IGNORECASE
)
UNFINISHED = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")

TWO_SENTENCES = re.compile(r"[.!?]\s+[A-Z]")

ADAPTERS_ONLY = {"apsw", "click", "psycopg", "starlette"}
# Code may be opened while importing; anything else is the world.
OPENED_BY_IMPORT = """
import sys
seen = []
def listen(event, args):
    code = str(args[0]).endswith((".py", ".pyc", ".so", ".pyd")) if args else False
    # A library may read the tables it ships with; that is its code in another spelling.
    if event == "open" and not code and "site-packages" not in str(args[0]):
        seen.append(f"open {args[0]}")
    if event.startswith(("socket.", "sqlite3.", "subprocess.", "_thread.start")):
        seen.append(event)
sys.addaudithook(listen)
import muniment
print(*seen, sep="\\n")
"""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def test_there_is_source_to_check() -> None:
    assert SOURCE / "__init__.py" in sources()


def test_a_file_fits_in_the_head() -> None:
    expect_none(
        f"{place(path)}: {lines} lines"
        for path in sources()
        if (lines := len(path.read_text("utf-8").splitlines())) > FILE_LINES_MAX
    )


def test_a_function_fits_on_the_screen() -> None:
    expect_none(
        f"{place(path, node)}: {node.name} has {lines} lines"
        for path in sources()
        for node in functions(path)
        if (lines := length(node)) > FUNCTION_LINES_MAX
    )


def test_a_function_takes_few_parameters() -> None:
    expect_none(
        f"{place(path, node)}: {node.name}"
        for path in sources()
        for node in functions(path)
        if len(positional(node)) > POSITIONAL_PARAMETERS_MAX
        or len(node.args.kwonlyargs) > KEYWORD_PARAMETERS_MAX
    )


def test_no_module_has_a_shy_name() -> None:
    expect_none(
        place(path)
        for path in sources()
        if any(part.split("_")[-1] in SHY_NAMES for part in module_names(path))
    )


def test_a_class_is_divided_by_composition_and_not_by_a_chain_of_parents() -> None:
    own = {node.name: (path, node) for path, node in classes()}
    expect_none(
        f"{place(path, node)}: {name} has {depth} parents of ours above it"
        for name, (path, node) in own.items()
        # An error's parents are what a caller catches.
        if (depth := parents(name, own)) > PARENTS_MAX and not name.endswith("Error")
    )


def test_a_folder_holds_as_many_files_as_one_can_look_over() -> None:
    folders = {path.parent for path in sources()}
    counts = {
        folder: sum(each.name != "__init__.py" for each in folder.glob("*.py"))
        for folder in folders
    }
    expect_none(
        f"{place(folder)}: {count} files"
        for folder, count in counts.items()
        if count > FOLDER_FILES_MAX
    )


def test_one_class_name_has_one_meaning() -> None:
    places: dict[str, list[str]] = {}
    for path, node in classes():
        places.setdefault(node.name, []).append(place(path, node))
    expect_none(f"{name}: {' '.join(found)}" for name, found in places.items() if len(found) > 1)


def test_a_module_opens_with_one_sentence() -> None:
    expect_none(place(path) for path in sources() if not is_one_sentence(opening(path)))


def test_no_import_hides_from_the_program() -> None:
    expect_none(
        place(path) for path in sources() if "TYPE_" + "CHECKING" in path.read_text("utf-8")
    )


def test_only_adapters_import_late() -> None:
    expect_none(
        place(path, node)
        for path in sources()
        # The front door opens the adapters late: whoever only wants values pays for no store.
        if not path.is_relative_to(SOURCE / "adapters") and path != SOURCE / "__init__.py"
        for function in functions(path)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    )


def test_nothing_in_the_source_is_left_for_later() -> None:
    expect_none(mentions(UNFINISHED, sources()))


def test_no_file_names_a_registry() -> None:
    expect_none(mentions(REGISTRIES, texts(ROOT)))


def test_no_file_names_a_path_of_one_machine() -> None:
    expect_none(mentions(MACHINE_PATHS, texts(ROOT)))


def test_the_text_explains_itself_without_a_tracker() -> None:
    expect_none(mentions(TRACKER_TALK, texts(ROOT)))


def test_the_front_door_imports_no_adapter() -> None:
    used = "from muniment import Agent, Memory, Policy, errors"
    imported = run(f"import sys; {used}; print(*sys.modules)").split()

    assert "muniment.engine" in imported
    assert ADAPTERS_ONLY & set(imported) == set()


def test_importing_opens_nothing() -> None:
    assert run(OPENED_BY_IMPORT) == ""


def expect_none(offenders: Iterable[str]) -> None:
    found = list(offenders)
    if found:
        pytest.fail("\n".join(["These break the rule:", *found]), pytrace=False)


def sources() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def place(path: Path, node: ast.stmt | None = None) -> str:
    where = path.relative_to(ROOT).as_posix()
    return f"{where}:{node.lineno}" if node else where


@functools.cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@functools.cache
def functions(path: Path) -> list[Function]:
    return [node for node in ast.walk(tree(path)) if isinstance(node, Function)]


@functools.cache
def classes() -> list[tuple[Path, ast.ClassDef]]:
    return [
        (path, node)
        for path in sources()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef)
    ]


def parents(name: str, own: dict[str, tuple[Path, ast.ClassDef]]) -> int:
    """How many classes of ours stand above this one, in its longest line."""
    bases = [each.value if isinstance(each, ast.Subscript) else each for each in own[name][1].bases]
    names = [each.id for each in bases if isinstance(each, ast.Name)]
    return max(
        (1 + parents(each, own) for each in names if each in own and each != name), default=0
    )


def length(function: Function) -> int:
    """Lines from the def to the end, without the docstring."""
    docstring = function.body[0] if ast.get_docstring(function) is not None else None
    return span(function) - (span(docstring) if docstring else 0)


def span(node: ast.stmt) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def positional(function: Function) -> list[str]:
    names = [argument.arg for argument in function.args.posonlyargs + function.args.args]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def module_names(path: Path) -> tuple[str, ...]:
    return path.relative_to(SOURCE).with_suffix("").parts


def opening(path: Path) -> str:
    docstring = ast.get_docstring(tree(path), clean=False) or ""
    return docstring.split("\n")[0]


def is_one_sentence(line: str) -> bool:
    return line.endswith(".") and len(line) > 1 and not TWO_SENTENCES.search(line)


def texts(folder: Path) -> Iterator[Path]:
    """Every text file that is or could be committed."""
    for path in sorted(folder.iterdir()):
        if path.name in UNREAD or path.suffix == ".egg-info" or path.is_symlink():
            continue
        if path.is_dir():
            yield from texts(path)
        elif b"\0" not in path.read_bytes():
            yield path


def mentions(pattern: re.Pattern[str], paths: Iterable[Path]) -> list[str]:
    return [
        f"{place(path)}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), start=1)
        if pattern.search(line)
    ]


def run(program: str) -> str:
    command = [sys.executable, "-B", "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_what_is_said_to_take_long_is_there() -> None:
    """Otherwise a file that was renamed begins last, and a worker waits for it alone."""
    assert [each for each in long_tests.SECONDS if not (ROOT / each).is_file()] == []
