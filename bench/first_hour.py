"""First hour: install the wheel into an empty environment, follow the pages, and print the times.

`python -m bench.first_hour` installs from the package index, as a stranger does. With `--borrow`
the packages that the wheel asks for, and no others, are those of the environment that runs this.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from urllib import request

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
EXTRA = "server"
TUTORIALS = ("two-users", "approvals", "erasure")
LEFT_OUT = ("studio", "mcp", "chat", "serve")  # they go on until they are ended; `serve` is a step
SECONDS_MAX = 600
Step = tuple[str, Callable[[], str]]


class FailedError(Exception):
    """A page that is not true."""


class Newcomer:
    """Somebody with an empty folder, an empty environment and the pages."""

    def __init__(self, folder: Path, *, borrow: bool) -> None:
        self.folder, self._borrow = folder, borrow
        self.bin = folder / "env" / "bin"
        self.home = folder / "home"
        self.home.mkdir()

    def steps(self) -> Iterator[Step]:
        yield "build the wheel", self.build
        yield "install it", self.install
        yield "muniment --version", lambda: self.muniment("--version")
        yield "README: ten lines", lambda: self.python(ROOT / "README.md")
        yield "README: terminal", lambda: self.session(ROOT / "README.md", "console")
        yield "Start: Python", lambda: self.python(ROOT / "docs" / "start.md")
        yield "Start: terminal", lambda: self.session(ROOT / "docs" / "start.md", "sh")
        for name in TUTORIALS:
            page = ROOT / "docs" / "tutorials" / f"{name}.md"
            yield f"tutorial: {name}", lambda page=page: self.python(page)  # type: ignore[misc]
        yield "serve, and its curl lines", self.serve

    def build(self) -> str:
        told = ["-m", "hatchling", "build", "-t", "wheel", "-d", str(self.folder)]
        _run([sys.executable, *told], ROOT)
        (self.wheel,) = self.folder.glob("*.whl")
        return f"{self.wheel.stat().st_size / 1e6:.1f} MB"

    def install(self) -> str:
        """From the index, or borrowed; then how much it is."""
        venv.create(self.bin.parent, with_pip=not self._borrow)
        (site,) = (self.bin.parent / "lib").glob("python*/site-packages")
        if self._borrow:
            zipfile.ZipFile(self.wheel).extractall(site)
            for part in _parts(EXTRA):
                (site / part.name).symlink_to(part)
        else:
            wanted = f"{self.wheel}[{EXTRA}]"
            _run([str(self.bin / "python"), "-m", "pip", "install", "-q", wanted], self.home)
        return f"{len(metadata_names(site))} packages"

    def muniment(self, *words: str) -> str:
        return _run([str(self.bin / "python"), "-I", "-m", "muniment", *words], self.home)

    def python(self, page: Path) -> str:
        """Every Python block, and what the comments beside its prints promise."""
        blocks = _blocks(page, "python")
        for block in blocks:
            said = _run([str(self.bin / "python"), "-I", "-c", block], self.home)
            missing = [each for each in _promised(block) if each not in said]
            if missing:
                raise FailedError(f"{page.name} promises {missing[0]!r}, and it says {said!r}")
        return f"{len(blocks)} blocks"

    def session(self, page: Path, kind: str) -> str:
        """Every command line of a page, in order; each `…` is the last id that fits it."""
        place = self.home / page.stem
        place.mkdir()
        seen, count = "", 0
        for block in _blocks(page, kind):
            for line in block.replace("\\\n", " ").splitlines():
                if kind == "console" and not line.startswith("$ "):
                    continue  # what was printed
                words = shlex.split(line.removeprefix("$ "), comments=True)
                if words[:1] != ["muniment"] or words[1] in LEFT_OUT:
                    continue
                words = [_filled(word, seen) for word in words[1:]]
                told = [str(self.bin / "python"), "-I", "-m", "muniment", *words]
                seen += _run(told, place)
                count += 1
        return f"{count} commands"

    def serve(self) -> str:
        """`muniment serve --new-key`, and the lines that it prints, as they stand."""
        words = ["-I", "-m", "muniment", "serve", "--new-key", "--port", "0"]
        line = [str(self.bin / "python"), *words]
        process = subprocess.Popen(  # noqa: S603 - of this very script
            line, cwd=self.home, stderr=subprocess.PIPE, text=True
        )
        try:
            assert process.stderr
            told = ""
            while '{"query' not in told:
                read = process.stderr.readline()
                if not read:
                    raise FailedError(f"serve ended by itself: {told}")
                told += read
            calls = re.findall(r"^curl -s .*?\}'$", told, re.DOTALL | re.MULTILINE)
            answers = [_called(shlex.split(each.replace("\\\n", " "))) for each in calls]
        finally:
            process.terminate()
            process.communicate(timeout=60)
        if not answers[0]["stored"] or "Lisbon" not in json.dumps(answers[1]["hits"]):
            raise FailedError(f"serve answers {answers}")
        return f"{len(answers)} calls"


def metadata_names(site: Path) -> set[str]:
    """The packages of an environment, without those that every environment brings."""
    names = {each.metadata["Name"] for each in metadata.distributions(path=[str(site)])}
    return names - {"pip", "setuptools"}


def _parts(extra: str) -> set[Path]:
    """The top-level files of every package that this one asks for, and they in turn."""
    wanted, found, parts = [("muniment", extra)], set(), set()
    while wanted:
        name, with_extra = wanted.pop()
        its = metadata.distribution(name)
        for each in map(Requirement, its.requires or ()):
            if each.marker is None or each.marker.evaluate({"extra": with_extra}):
                ask = [(each.name, more) for more in ("", *each.extras)]
                wanted += [more for more in ask if more not in found]
                found |= {*ask}
        if name != "muniment":
            tops = {file.parts[0] for file in its.files or ()} - {"..", "__pycache__"}
            parts |= {Path(str(its.locate_file(top))) for top in tops}
    return parts


def _blocks(page: Path, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)


def _promised(block: str) -> list[str]:
    return re.findall(r"print\(.*\)  # (.+)", block)


def _filled(word: str, seen: str) -> str:
    """An id of which a page shows only the beginning, as it was printed last."""
    if not word.endswith("…"):
        return word
    ids = re.findall(rf"{re.escape(word[:-1])}[\w:-]+", seen)
    if not ids:
        raise FailedError(f"nothing like {word} was printed before")
    return str(ids[-1])


def _called(words: list[str]) -> dict[str, object]:
    """What curl would do with these words."""
    _, _, url, *rest = words
    headers = dict(rest[n + 1].split(": ", 1) for n, each in enumerate(rest) if each == "-H")
    body = rest[rest.index("-d") + 1].encode()
    with request.urlopen(request.Request(url, body, headers)) as answer:  # noqa: S310 - of serve
        found: dict[str, object] = json.loads(answer.read())
    return found


def _run(words: list[str], place: Path) -> str:
    clean = {"PATH": os.environ["PATH"], "HOME": str(place), "LANG": "C.UTF-8"}
    kept = {name: told for name, told in os.environ.items() if name.startswith(("PIP_", "UV_"))}
    ran = subprocess.run(  # noqa: S603 - of this very script
        words,
        cwd=place,
        env=clean | kept,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS_MAX,
    )
    if ran.returncode:
        raise FailedError(f"{shlex.join(words[-6:])}: {ran.returncode} {ran.stderr[-800:]}")
    return ran.stdout


def walk(folder: Path, *, borrow: bool) -> list[tuple[str, float, str]]:
    """Every step in order, with its seconds; the first that fails ends it."""
    told = []
    for name, work in Newcomer(folder, borrow=borrow).steps():
        began = time.perf_counter()
        try:
            what = work().strip()
        except FailedError as error:
            raise FailedError(f"{name}: {error}") from None
        told.append((name, time.perf_counter() - began, what))
        print(f"{name:28} {told[-1][1]:6.1f} s  {what}", flush=True)
    print(f"{'all of it':28} {sum(seconds for _, seconds, _ in told):6.1f} s", flush=True)
    return told


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            walk(Path(folder), borrow="--borrow" in sys.argv[1:])
        except FailedError as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main()
