"""Sizes: what an installation takes, an import costs and an open memory holds, beside two peers.

Each is installed from the package index into an environment of its own, so it needs a network.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from bench.figures import goal, table

ROOT = Path(__file__).parents[1]
INSTALL_MB, IMPORT_SECONDS, RSS_MB = 110, 0.25, 60
REPEATS = 5
INSTALLERS = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence")
KEEPS_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
# What is installed, what is imported, and what opens a memory in a folder.
PROGRAMS = {
    "Muniment": (
        (str(ROOT),),
        "import muniment\nmuniment.open",
        "kept = muniment.open(place)",
    ),
    "mem0": (
        ("mem0ai",),
        "import os\nos.environ |= {'OPENAI_API_KEY': 'x', 'MEM0_TELEMETRY': 'False'}\nimport mem0",
        "store = {'provider': 'qdrant', 'config': {'path': place, 'on_disk': True}}\n"
        "kept = mem0.Memory.from_config({'vector_store': store})",
    ),
    "LangGraph": (
        ("langgraph", "langgraph-checkpoint-sqlite"),
        "import langgraph.graph\nfrom langgraph.store.sqlite import SqliteStore",
        "opened = SqliteStore.from_conn_string(place + '.db')\n"
        "kept = opened.__enter__()\nkept.setup()",
    ),
}
MEASURED = """
import json, time
began = time.process_time()
{imports}
imported = time.process_time() - began
place = {place!r}
{opens}
pages = next(line for line in open("/proc/self/status") if line.startswith("VmRSS"))
print(json.dumps([imported, int(pages.split()[1]) / 1024]))
"""


def run(folder: Path) -> None:
    found = {name: _measured(folder / name, name) for name in PROGRAMS}
    rows = [
        [name, f"{size:.0f}", f"{packages}", f"{imported:.2f}", f"{rss:.0f}"]
        for name, (size, packages, imported, rss) in found.items()
    ]
    head = ["", "MB installed", "packages", "import, CPU s", "MB of memory once open"]
    table("Sizes, each from the index into an empty environment", head, rows)
    size, _, imported, rss = found["Muniment"]
    goal(f"installed: {size:.0f} MB (goal: {INSTALL_MB})", met=size <= INSTALL_MB)
    said = f"import: {imported:.2f} s of CPU (goal: {IMPORT_SECONDS})"
    goal(said, met=imported <= IMPORT_SECONDS)
    goal(f"memory once open: {rss:.0f} MB (goal: {RSS_MB})", met=rss <= RSS_MB)


def _measured(place: Path, name: str) -> tuple[float, int, float, float]:
    """Its size in MB, its packages, the seconds of an import, and MB of memory once it is open."""
    wanted, imports, opens = PROGRAMS[name]
    python = installed(place, wanted)
    (site,) = (place / "lib").glob("python*/site-packages")
    # A new environment may hold an installer; what is measured is what was asked for.
    brought = [each for each in site.iterdir() if not each.name.startswith(INSTALLERS)]
    found = (each for top in brought for each in (top, *top.rglob("*")))
    files = [each for each in found if each.is_file() and "__pycache__" not in each.parts]
    size = sum(each.stat().st_size for each in files) / 1e6
    code = MEASURED.format(imports=imports, opens=opens, place=str(place / "memory"))
    told = [_ran(python, code) for _ in range(REPEATS + 1)][1:]  # the first one compiles
    packages = sum(each.suffix == ".dist-info" for each in brought)
    return size, packages, min(each[0] for each in told), min(each[1] for each in told)


def installed(place: Path, wanted: tuple[str, ...], base: str = sys.executable) -> Path:
    """The interpreter of a new environment that holds these packages."""
    python = place / "bin" / "python"
    uv = shutil.which("uv")
    pip = [uv, "pip", "install"] if uv else [sys.executable, "-m", "pip"]
    into = ["--python", python] if uv else ["--python", python, "install"]
    for line in (
        [base, "-m", "venv", "--without-pip", place],
        [*pip, *into, "-q", *wanted],
    ):
        subprocess.run(list(map(str, line)), check=True)  # noqa: S603 - of this very script
    return python


def _ran(python: Path, code: str) -> list[float]:
    words = [str(python), "-c", code]
    compiles = {name: told for name, told in os.environ.items() if name != KEEPS_NO_BYTECODE}
    ran = subprocess.run(  # noqa: S603
        words, check=True, capture_output=True, text=True, env=compiles
    )
    told: list[float] = json.loads(ran.stdout.splitlines()[-1])
    return told
