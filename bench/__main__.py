"""Run the benchmarks: `python -m bench` for all of them, or name some."""

import platform
import sys
import tempfile
from importlib import import_module
from pathlib import Path

import apsw

# By name, and loaded when it is run: some bring a dozen frameworks along.
SECTIONS = {
    "writes": "writes",
    "memos": "memos",
    "opening": "opening",
    "branches": "branches",
    "contexts": "contexts",
    "ready": "ready",
    "recall": "recall_speed",  # or of the sizes that follow: `recall 1000000` takes minutes
    "upkeep": "upkeep",
    "what_if": "what_if",
    "privacy": "privacy",
    "postgres": "postgres",
    "mcp": "mcp",
    "studio": "studio",
    "http": "http",
    "servers": "servers",
    "stores": "recall_stores",  # with --large: a hundred thousand memories
    "growth": "growth",
    "scale": "scale.command",  # by itself a million memories and 100,000 people: `scale --help`
    "peers": "peers.command",  # with --peers beside others, which it installs
    "sizes": "sizes",  # beside mem0 and LangGraph; needs a package index
    "matrix": "matrix",  # what is told through each door, by every read and change
    "lives": "lives.command",  # its options: `lives --help`
}
WHOLE = "scale"  # a hundredth of it among the others


def main() -> None:
    if {"-h", "--help"}.intersection(sys.argv[1:2]):
        print(f"{__doc__}\n\n  {' '.join(SECTIONS)}\n\nAll of them take about an hour.")
        return
    if sys.argv[1:2] == ["token-table"]:
        import_module("bench.token_table").run(sys.argv[2:])
        return
    if sys.argv[1:2] == [WHOLE] or (sys.argv[1:2] == ["lives"] and sys.argv[2:]):
        with tempfile.TemporaryDirectory() as folder:
            import_module(f"bench.{SECTIONS[sys.argv[1]]}").main(sys.argv[2:], Path(folder))
        return
    named = [each for each in sys.argv[1:] if not each.startswith("--") and not each.isdigit()]
    wanted = named or list(SECTIONS)
    unknown = set(wanted) - set(SECTIONS)
    if unknown:
        sys.exit(
            f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}"
        )
    print(
        f"Python {platform.python_version()}, SQLite {apsw.sqlite_lib_version()}, "
        f"{platform.machine()}"
    )
    for name in wanted:
        with tempfile.TemporaryDirectory() as folder:
            import_module(f"bench.{SECTIONS[name]}").run(Path(folder))


if __name__ == "__main__":
    main()
