"""Documentation test: every command and every Python block of a page, run as it stands.

What a page shows as printed is compared with what is printed; a `…` stands for anything. A line
that nobody can run here stands in `NOT_RUN` with its reason; any other ends the walk.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from urllib import error, request

SECONDS_MAX = 600
LASTING_SECONDS = 120  # for what goes on until it is ended
EXTRAS = ("server", "mcp")
# Lines that are not run as they stand, and why.
BUILT = "the wheel of this build is installed instead, by a step of its own"
REPOSITORY = "of the repository, not of the package"
NOT_RUN = {
    "pip install muniment": BUILT,
    **{f"pip install 'muniment[{extra}]'": BUILT for extra in EXTRAS},
    "make demo": REPOSITORY,
    "make test": REPOSITORY,
}
CLIENT = "claude mcp add memory -- "  # Claude Code is not here; what it would start is run
SHELLS = ("sh", "console")
ASKS: list[dict[str, object]] = [
    {
        "method": "initialize",
        "id": 1,
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "page", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    {"method": "tools/list", "id": 2},
]
NUMBERS = {"nine": 9}


class FailedError(Exception):
    """A page that is not true."""


class PageWalk:
    """One page in a folder of its own, with the programs of one environment."""

    def __init__(self, page: Path, place: Path, programs: Path) -> None:
        self._text = page.read_text()
        self._page, self._place, self._programs = page, place, programs
        self._seen = ""  # all that was printed so far: ids are taken from it
        self.ran: list[str] = []
        self.not_run: dict[str, str] = {}
        place.mkdir(parents=True, exist_ok=True)

    def run(self) -> str:
        for kind, block in fences(self._text):
            if kind == "python":
                self._python(block)
            elif kind in SHELLS:
                for line, shown in commands(block):
                    self._line(line, shown)
            else:
                raise FailedError(f"{self._page.name}: nobody runs a block of {kind or 'nothing'}")
        for line in inline(self._text):
            if line not in self.ran:
                self._line(line, [])
        return f"{len(self.ran)} run, {len(self.not_run)} not"

    # ── One line ────────────────────────────────────────────────────────────────────────────────

    def _line(self, line: str, shown: list[str]) -> None:
        if line in NOT_RUN:
            self.not_run[line] = NOT_RUN[line]
            return
        typed = line.removeprefix(CLIENT)
        words = shlex.split(typed)
        if words[:1] != ["muniment"]:
            raise FailedError(f"{self._page.name}: nobody runs {line!r}")
        lasting = {"serve": self._serve, "studio": self._studio, "mcp": self._mcp}
        if words[1:2] and words[1] in lasting:
            lasting[words[1]](typed)
        else:
            printed = self._printed(self._filled(typed))
            if shown and not _fit(shown, printed.splitlines()):
                raise FailedError(f"{self._page.name}: {line!r} prints {printed}")
            self._seen += printed
        self.ran.append(line)

    def _python(self, block: str) -> None:
        """A block, and what the comments beside its prints promise."""
        said = self._printed(shlex.join(["python", "-I", "-c", block]))
        missing = [each for each in promised(block) if each not in said]
        if missing:
            raise FailedError(f"{self._page.name} promises {missing[0]!r}, and it says {said!r}")
        self.ran.append(block)

    def _filled(self, line: str) -> str:
        """Each id of which a page shows only the beginning, as it was printed last."""
        for part in re.findall(r"[\w:]+…", line):
            ids = re.findall(rf"{re.escape(part[:-1])}[\w:-]+", self._seen)
            if not ids:
                raise FailedError(f"{self._page.name}: nothing like {part} was printed before")
            line = line.replace(part, ids[-1])
        return line

    def _printed(self, line: str) -> str:
        ran = subprocess.run(  # noqa: S603 - what the page says
            ["/bin/sh", "-c", line],
            cwd=self._place,
            env=clean(self._place, self._programs),
            input="I like green tea\n",  # for `chat`
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS_MAX,
        )
        if ran.returncode:
            raise FailedError(f"{self._page.name}: {line!r}: {ran.returncode} {ran.stderr[-800:]}")
        return ran.stdout

    # ── What goes on until it is ended ──────────────────────────────────────────────────────────

    def _serve(self, line: str) -> None:
        """The service, and the `curl` lines that it prints, as they stand; then its page."""
        with self._going_on(f"{line} --port 0") as process:
            told = ""
            while "--new-key" in line and '{"query' not in told:
                told += _next_line(process, told)
            if "--new-key" not in line:
                told = _next_line(process, "")
            calls = re.findall(r"^curl -s .*?\}'$", told, re.DOTALL | re.MULTILINE)
            answers = [json.loads(self._called(each)) for each in calls]
            (url,) = set(re.findall(r"http://[\w.:]+(?=\s|/v1)", told))
            _expect_page(f"{url}/docs")
        if answers and not (answers[0]["stored"] and "Lisbon" in json.dumps(answers[1]["hits"])):
            raise FailedError(f"{line!r} answers {answers}")

    def _called(self, line: str) -> str:
        """By curl itself, or where there is none by what it would do."""
        if shutil.which("curl"):
            return self._printed(line)
        _, _, url, *rest = shlex.split(line.replace("\\\n", " "))
        headers = dict(rest[n + 1].split(": ", 1) for n, each in enumerate(rest) if each == "-H")
        body = rest[rest.index("-d") + 1].encode()
        with request.urlopen(request.Request(url, body, headers)) as answer:  # noqa: S310
            return str(answer.read().decode())

    def _studio(self, line: str) -> None:
        with self._going_on(f"{line} --port 0") as process:
            told = ""
            while "http://" not in told:
                told += _next_line(process, told)
            _expect_page(re.findall(r"http://\S+", told)[0])

    def _mcp(self, line: str) -> None:
        """Asked as a client asks; the page says how many tools there are."""
        with self._going_on(f"{line} 2>/dev/null") as process:
            assert process.stdin
            assert process.stdout
            told: dict[str, object] = {}
            for ask in ASKS:
                process.stdin.write(json.dumps({"jsonrpc": "2.0", **ask}) + "\n")
                process.stdin.flush()
                if "id" in ask:
                    told = json.loads(process.stdout.readline() or "{}")
            tools = len(told.get("result", {}).get("tools", ()))  # type: ignore[attr-defined]
        says = re.findall(r"has (\w+) tools", self._text)
        if [NUMBERS.get(each) for each in says] != [tools]:
            raise FailedError(f"{self._page.name} says {says} tools, and there are {tools}")

    def _going_on(self, line: str) -> "_Ended":
        return _Ended(
            subprocess.Popen(  # noqa: S603 - what the page says
                ["/bin/sh", "-c", f"exec {line}"],
                cwd=self._place,
                env=clean(self._place, self._programs),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )


class _Ended:
    """A process that is ended with the block, however that ends."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._late = Timer(LASTING_SECONDS, process.kill)  # whoever waits for a line hears the end

    def __enter__(self) -> subprocess.Popen[str]:
        self._late.start()
        return self._process

    def __exit__(self, *_: object) -> None:
        self._late.cancel()
        self._process.terminate()
        self._process.communicate(timeout=60)


def clean(home: Path, programs: Path) -> dict[str, str]:
    """The environment of somebody who has set nothing; package indexes apart."""
    kept = {name: told for name, told in os.environ.items() if name.startswith(("PIP_", "UV_"))}
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", **kept}


def fences(text: str) -> list[tuple[str, str]]:
    """Every block of a page: its language, and what stands in it."""
    return re.findall(r"^```(\w*)[^\n]*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def inline(text: str) -> list[str]:
    """The commands that stand in sentences."""
    bare = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return list(dict.fromkeys(re.findall(r"`(muniment(?: [^`]+)?)`", bare)))


def commands(block: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of a block, and what the page shows that it prints."""
    joined = block.replace("\\\n", " ")
    if "$ " in joined:
        for step in re.split(r"^\$ ", joined, flags=re.MULTILINE)[1:]:
            line, *shown = step.splitlines()
            yield line, shown
        return
    for line in joined.splitlines():
        if bare := line.partition("  #")[0].strip():
            yield bare, []


def promised(block: str) -> list[str]:
    return re.findall(r"print\(.*\)  # (.+)", block)


def fits(shown: str, told: str) -> bool:
    """Whether a line is what a page shows of it; each `…` stands for anything."""
    pieces = [r"\s+".join(map(re.escape, part.split())) for part in shown.strip().split("…")]
    return bool(re.fullmatch(r"\s*.*?\s*".join(pieces), told.strip()))


def _fit(shown: list[str], told: list[str]) -> bool:
    return len(shown) == len(told) and all(map(fits, shown, told))


def _next_line(process: subprocess.Popen[str], told: str) -> str:
    assert process.stdout
    read = process.stdout.readline()
    if not read:
        raise FailedError(f"it ended by itself: {told}")
    return read


def _expect_page(url: str) -> None:
    """A page that answers, as soon as it does."""
    until = time.monotonic() + LASTING_SECONDS
    browser = request.build_opener(request.HTTPCookieProcessor())
    while True:
        try:
            with browser.open(url) as answer:
                if b"<html" not in answer.read():
                    raise FailedError(f"{url} is no page")
                return
        except error.HTTPError as refused:
            raise FailedError(f"{url}: {refused}") from None
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
