"""The tests see what they are for: each bug, planted in a copy of the package, turns one red.

Which bugs, and which tests must see them, stands in `bugs`, and of the requirements that were
once shown weakly in one file for every two seeds. A bug that its tests pass over is a
hole in the net; a bug whose place is no longer in the code is a row to be written anew.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.planted import bugs, seeds_000_001, seeds_002_003
from tests.planted.bugs import PlantedBug
from tests.soaking import times

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "muniment"
PATH = "/usr/local/bin:/usr/bin:/bin"
TESTS_FAILED = 1
BUGS = (*bugs.BUGS, *seeds_000_001.BROKEN, *seeds_002_003.BROKEN)
# Each takes the time of its tests: the suite plants a few, a soak all of them.
PLANTED = BUGS[: times(4, soak=len(BUGS))]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("planted") / "muniment"
    shutil.copytree(PACKAGE, copy)  # with what is compiled: only the changed file is another
    return copy


def run(package: Path, *words: str) -> subprocess.CompletedProcess[str]:
    found = {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1", "PATH": PATH}
    asked = [sys.executable, *words]
    return subprocess.run(asked, cwd=ROOT, env=found, capture_output=True, text=True, check=False)


def test_the_copy_is_what_the_tests_would_import(package: Path) -> None:
    told = run(package, "-c", "import muniment; print(muniment.__file__)")
    assert Path(told.stdout.strip()).parent == package


@pytest.mark.parametrize("bug", BUGS, ids=[e.what.replace(" ", "-") for e in BUGS])
def test_the_place_of_a_bug_is_in_the_code(bug: PlantedBug) -> None:
    assert (PACKAGE / bug.file).read_text().count(bug.right) == 1


@pytest.mark.parametrize("bug", PLANTED, ids=[e.what.replace(" ", "-") for e in PLANTED])
def test_a_planted_bug_is_caught(bug: PlantedBug, package: Path) -> None:
    place = package / bug.file
    right = place.read_text()
    place.write_text(right.replace(bug.right, bug.wrong))
    try:
        words = ("-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider")
        told = run(package, *words, *bug.tests.split())
    finally:
        place.write_text(right)
    assert told.returncode == TESTS_FAILED, f"nobody noticed: {told.stdout[-2_000:]}{told.stderr}"
