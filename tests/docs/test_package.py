"""What is installed is whole: the wheel holds the package, its types and its licences."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from muniment.adapters.embedders import encoder_embedder

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
QUOTED_BY_INIT = "muniment/adapters/policies.md"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(made)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    (found,) = made.glob("*.whl")
    return found


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    source = ROOT / "src"
    made = [path for path in (source / "muniment").rglob("*") if path.is_file()]
    package = {path.relative_to(source).as_posix() for path in made if path.suffix != ".pyc"}

    held = set(zipfile.ZipFile(wheel).namelist())

    about = {name for name in held if ".dist-info/" in name}
    assert held - about == package | {QUOTED_BY_INIT}
    assert {"muniment/py.typed", "muniment/adapters/studio/static/LICENSES.txt"} <= held
    assert {Path(name).name for name in about if "/licenses/" in name} == {"LICENSE", "NOTICE"}


def test_the_encoder_is_a_package_of_its_own_and_brings_its_weights_and_licences(
    wheel: Path, tmp_path: Path
) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT / "packages" / "encoder", capture_output=True, check=True)
    (made,) = tmp_path.glob("muniment_encoder-1.*.whl")
    held = {name for name in zipfile.ZipFile(made).namelist() if ".dist-info/" not in name}

    files = {"__init__.py", encoder_embedder.FILE, "LICENSE", "NOTICE"}
    assert held == {f"{encoder_embedder.PACKAGE}/{each}" for each in files}
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if "encoder-1" in name]
    assert f"pip install {made.name.split('-')[0].replace('_', '-')}" in encoder_embedder.HOW


def bill(*extras: str) -> dict[str, str]:
    """What an installation brings, with its licences."""
    script = [sys.executable, str(ROOT / ".ci" / "sbom.py"), *extras]
    ran = subprocess.run(script, capture_output=True, text=True, check=True)
    document = json.loads(ran.stdout)
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    assert document["metadata"]["component"]["version"] == PROJECT["version"]
    found = document["components"]
    assert all(each["purl"].startswith(f"pkg:pypi/{each['name']}@") for each in found)
    return {each["name"]: each["licenses"][0]["license"]["name"] for each in found}


def test_the_notice_names_every_package_that_is_installed_with_its_licence() -> None:
    told = (ROOT / "NOTICE").read_text()
    always, _, extras = told.partition("Every installation:")[2].partition("Extras:")
    core, doors = bill("none"), bill()

    assert dict(re.findall(r"^- ([\w-]+): (.+)$", always, re.MULTILINE)) == core
    rest = {name: licence for name, licence in doors.items() if name not in core}
    assert dict(re.findall(r"^- ([\w-]+): (.+)$", extras, re.MULTILINE)) == rest
    assert "unknown" not in doors.values()


def test_whatever_is_under_a_licence_that_asks_for_more_is_named_as_such() -> None:
    last = (ROOT / "NOTICE").read_text().strip().rpartition("\n\n")[2]
    asks = {name for name, licence in bill().items() if re.search(r"\b[AL]?GPL|Lesser", licence)}

    assert asks == {"python-stdnum", "psycopg", "psycopg-binary"}
    assert all(name in last for name in asks)


def test_the_lock_of_the_demo_is_a_part_of_the_whole_lock() -> None:
    def pinned(name: str) -> set[str]:
        return set(re.findall(r"^([\w.-]+==[\w.]+)", (ROOT / name).read_text(), re.MULTILINE))

    demo, whole = pinned("requirements-demo.lock"), pinned("requirements.lock")
    assert demo <= whole
    assert len(demo) < len(whole) / 3
    names = {each.partition("==")[0] for each in demo}
    wanted = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["server"]]
    assert {re.split(r"[>=\[]", each)[0] for each in wanted} <= names


def test_the_locks_install_lacks_nothing_though_pip_looks_nothing_up() -> None:
    check = [sys.executable, "-m", "pip", "check", "--disable-pip-version-check"]
    checked = subprocess.run(check, capture_output=True, text=True, check=False)

    assert "--no-deps --require-hashes" in (ROOT / "Makefile").read_text()
    assert checked.returncode == 0, checked.stdout


def test_the_release_tests_every_python_that_the_project_names_and_stores_no_secret() -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text()
    named = {each.rpartition(" ")[2] for each in PROJECT["classifiers"] if ":: 3." in each}

    (tested,) = re.findall(r"python: \[(.*)\]", workflow)
    assert {each.strip(' "') for each in tested.split(",")} == named
    assert "secrets." not in workflow
    assert "id-token: write" in workflow


def test_the_readme_names_every_extra_and_no_other() -> None:
    (line,) = re.findall(r"are extras, .*", (ROOT / "README.md").read_text())
    named = set(re.findall(r"`([a-z-]+)`", line))

    assert named == set(PROJECT["optional-dependencies"]) - {"dev"}


def test_the_page_of_frameworks_names_the_oldest_version_and_the_one_that_is_tested() -> None:
    page = (ROOT / "docs" / "frameworks.md").read_text()
    row = r"\| `([a-z-]+)` \| ([\d.]+) \| ([\d.]+) \|$"
    told = {extra: rest for extra, *rest in re.findall(row, page, re.MULTILINE)}
    extras = {name: its[0] for name, its in PROJECT["optional-dependencies"].items()}
    locked = dict(
        re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements.lock").read_text(), re.M)
    )

    assert len(told) == 7
    for extra, (oldest, tested) in told.items():
        package, _, version = extras[extra].partition(">=")
        assert version == oldest.removesuffix(".0"), extra
        assert locked[package] == tested, extra
