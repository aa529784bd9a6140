"""Run the benchmarks: `python -m bench` for all of them, or name some."""

import platform
import sys
import tempfile
from pathlib import Path

import apsw

from bench import (
    branches,
    contexts,
    growth,
    http,
    matrix,
    mcp,
    memos,
    opening,
    postgres,
    privacy,
    ready,
    recall_speed,
    recall_stores,
    servers,
    sizes,
    studio,
    token_table,
    upkeep,
    what_if,
    writes,
)
from bench.lives import command as lives
from bench.peers import command as peers
from bench.scale import command as scale

SECTIONS = {
    "writes": writes.run,
    "memos": memos.run,
    "opening": opening.run,
    "branches": branches.run,
    "contexts": contexts.run,
    "ready": ready.run,
    "recall": recall_speed.run,  # or of the sizes that follow: `recall 1000000` takes minutes
    "upkeep": upkeep.run,
    "what_if": what_if.run,
    "privacy": privacy.run,
    "postgres": postgres.run,
    "mcp": mcp.run,
    "studio": studio.run,
    "http": http.run,
    "servers": servers.run,
    "stores": recall_stores.run,  # with --large: a hundred thousand memories
    "growth": growth.run,
    "scale": scale.run,  # a hundredth; with options (`scale --help`) a million, and 100,000 people
    "peers": peers.run,  # with --peers beside others, which it installs
    "sizes": sizes.run,  # beside mem0 and LangGraph; needs a package index
    "matrix": matrix.run,  # what is told through each door, by every read and change
    "lives": lives.run,  # its options: `lives --help`
}


def main() -> None:
    if sys.argv[1:2] == ["token-table"]:
        token_table.run(sys.argv[2:])
        return
    alone = {"lives": lives.main, "scale": scale.main}  # with options of their own
    if sys.argv[2:] and sys.argv[1] in alone:
        with tempfile.TemporaryDirectory() as folder:
            alone[sys.argv[1]](sys.argv[2:], Path(folder))
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
            SECTIONS[name](Path(folder))


if __name__ == "__main__":
    main()
