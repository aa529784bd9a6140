"""What every test may lean on: how hard Hypothesis tries, and files that hold expected text."""

import difflib
import gc
import os
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import settings
from tests import compiled, long_tests

# Fixtures for tests that need a server live beside it.
pytest_plugins = ("tests.postgres",)

GOLDEN = Path(__file__).parent / "golden"

# The same examples every time, so that a red test is red for everybody.
settings.register_profile(
    "default", max_examples=50, deadline=None, derandomize=True, database=None
)
# New examples every time; a failure prints the blob that replays it.
settings.register_profile(
    "laws", max_examples=1000, deadline=None, derandomize=False, database=None, print_blob=True
)
settings.load_profile("laws" if os.getenv("MUNIMENT_LAWS") else "default")


def pytest_configure(config: pytest.Config) -> None:
    compiled.before_workers(config)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Ten thousand tests and their modules live to the end: garbage is not looked for in them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    long_tests.longest_first(items)


@pytest.fixture(scope="session")
def golden() -> Callable[[str, str], None]:
    """Compare text with tests/golden/<name>, or write it there when `make golden` asks."""
    return rewrite if os.getenv("MUNIMENT_GOLDEN") == "1" else compare


def rewrite(name: str, text: str) -> None:
    path = GOLDEN / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def compare(name: str, text: str) -> None:
    path = GOLDEN / name
    if not path.is_file():
        pytest.fail(
            f"There is no golden file {name}: run `make golden` and read it.", pytrace=False
        )
    # Bytes, because reading as text would hide a changed line ending.
    expected = path.read_bytes().decode()
    if text != expected:
        pytest.fail(difference(name, expected, text), pytrace=False)


def difference(name: str, expected: str, text: str) -> str:
    lines = difflib.unified_diff(
        expected.split("\n"), text.split("\n"), f"golden/{name}", "now", lineterm=""
    )
    return "\n".join([*lines, "", "If the change is meant, run `make golden` and review the diff."])
