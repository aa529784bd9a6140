"""What is installed is whole: the wheel holds the package, its types and its licences."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
QUOTED_BY_INIT = "muniment/adapters/policies.md"


def test_the_wheel_holds_the_package_and_nothing_else(tmp_path: Path) -> None:
    source = ROOT / "src"
    made = [path for path in (source / "muniment").rglob("*") if path.is_file()]
    package = {path.relative_to(source).as_posix() for path in made if path.suffix != ".pyc"}

    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())

    about = {name for name in held if ".dist-info/" in name}
    assert held - about == package | {QUOTED_BY_INIT}
    assert {"muniment/py.typed", "muniment/adapters/studio/static/LICENSES.txt"} <= held
    assert {Path(name).name for name in about if "/licenses/" in name} == {"LICENSE", "NOTICE"}


def test_the_readme_names_every_extra_and_no_other() -> None:
    (line,) = re.findall(r"are extras, .*", (ROOT / "README.md").read_text())
    named = set(re.findall(r"`([a-z-]+)`", line))

    assert named == set(PROJECT["optional-dependencies"]) - {"dev"}


def test_the_page_of_frameworks_names_the_oldest_version_that_is_installed() -> None:
    page = (ROOT / "docs" / "frameworks.md").read_text()
    told = dict(re.findall(r"\| `([a-z-]+)` \| ([\d.]+) \|$", page, re.MULTILINE))
    extras = {name: its[0] for name, its in PROJECT["optional-dependencies"].items()}

    assert len(told) == 5
    for extra, version in told.items():
        assert extras[extra].partition(">=")[2] == version.removesuffix(".0"), extra
