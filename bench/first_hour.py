"""First hour: install the wheel into an empty environment, follow the pages, and print the times.

`python -m bench.first_hour` installs from the package index, as a stranger does. With `--borrow`
the packages that the wheel asks for, and no others, are those of the environment that runs this.
"""

import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from bench.page_walk import EXTRAS, SECONDS_MAX, FailedError, PageWalk, clean, fences, promised

ROOT = Path(__file__).parents[1]
PAGES = {"README": ROOT / "README.md", "Start": ROOT / "docs" / "start.md"}
TUTORIALS = ("two-users", "approvals", "erasure")
PROGRAM = """#!{python} -I
import sys
from muniment.adapters.cli.start import main
sys.exit(main())
"""
Step = tuple[str, Callable[[], str]]


class Newcomer:
    """Somebody with an empty folder, an empty environment and the pages."""

    def __init__(self, folder: Path, *, borrow: bool) -> None:
        self.folder, self._borrow = folder, borrow
        self.bin = folder / "env" / "bin"
        self.home = folder / "home"
        self.home.mkdir()
        self.not_run: dict[str, str] = {}

    def steps(self) -> Iterator[Step]:
        yield "build the wheel", self.build
        yield "install it", self.install
        yield "muniment --version", lambda: self._ran("muniment", "--version")
        for name, page in PAGES.items():
            yield f"{name}: every line", lambda page=page: self.page(page)  # type: ignore[misc]
        for name in TUTORIALS:
            page = ROOT / "docs" / "tutorials" / f"{name}.md"
            yield f"tutorial: {name}", lambda page=page: self.python(page)  # type: ignore[misc]

    def build(self) -> str:
        told = ["-m", "hatchling", "build", "-t", "wheel", "-d", str(self.folder)]
        _run([sys.executable, *told], ROOT, self.bin)
        (self.wheel,) = self.folder.glob("*.whl")
        return f"{self.wheel.stat().st_size / 1e6:.1f} MB"

    def install(self) -> str:
        """From the index, or borrowed; then how much it is."""
        venv.create(self.bin.parent, with_pip=not self._borrow)
        (site,) = (self.bin.parent / "lib").glob("python*/site-packages")
        if self._borrow:
            zipfile.ZipFile(self.wheel).extractall(site)
            for part in _parts():
                (site / part.name).symlink_to(part)
            program = self.bin / "muniment"
            program.write_text(PROGRAM.format(python=self.bin / "python"))
            program.chmod(0o755)
        else:
            self._ran("python", "-m", "pip", "install", "-q", f"{self.wheel}[{','.join(EXTRAS)}]")
        return f"{len(metadata_names(site))} packages"

    def page(self, page: Path) -> str:
        """Every command, and every Python block."""
        walk = PageWalk(page, self.home / page.stem, self.bin)
        told = walk.run()
        self.not_run |= walk.not_run
        return told

    def python(self, page: Path) -> str:
        """Every Python block, and what the comments beside its prints promise."""
        blocks = [block for kind, block in fences(page.read_text()) if kind == "python"]
        for block in blocks:
            said = self._ran("python", "-I", "-c", block)
            missing = [each for each in promised(block) if each not in said]
            if missing:
                raise FailedError(f"{page.name} promises {missing[0]!r}, and it says {said!r}")
        return f"{len(blocks)} blocks"

    def _ran(self, program: str, *words: str) -> str:
        return _run([str(self.bin / program), *words], self.home, self.bin)


def metadata_names(site: Path) -> set[str]:
    """The packages of an environment, without those that every environment brings."""
    names = {each.metadata["Name"] for each in metadata.distributions(path=[str(site)])}
    return names - {"pip", "setuptools"}


def _parts() -> set[Path]:
    """The top-level files of every package that this one asks for, and they in turn."""
    wanted, found, parts = [("muniment", extra) for extra in EXTRAS], set(), set()
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


def _run(words: list[str], place: Path, programs: Path) -> str:
    ran = subprocess.run(  # noqa: S603 - of this very script
        words,
        cwd=place,
        env=clean(place, programs),
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS_MAX,
    )
    if ran.returncode:
        raise FailedError(f"{' '.join(words[-6:])}: {ran.returncode} {ran.stderr[-800:]}")
    return ran.stdout


def walk(folder: Path, *, borrow: bool) -> list[tuple[str, float, str]]:
    """Every step in order, with its seconds; the first that fails ends it."""
    told = []
    newcomer = Newcomer(folder, borrow=borrow)
    for name, work in newcomer.steps():
        began = time.perf_counter()
        try:
            what = work().strip()
        except FailedError as error:
            raise FailedError(f"{name}: {error}") from None
        told.append((name, time.perf_counter() - began, what))
        print(f"{name:28} {told[-1][1]:6.1f} s  {what}", flush=True)
    print(f"{'all of it':28} {sum(seconds for _, seconds, _ in told):6.1f} s", flush=True)
    for line, why in newcomer.not_run.items():
        print(f"not run: {line:32} {why}")
    return told


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            walk(Path(folder), borrow="--borrow" in sys.argv[1:])
        except FailedError as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main()
