"""Compiled files before workers begin: else each compiles everything anew, at the same moment.

Assertions of tests are compiled by pytest, and only where a file is imported; its functions for
that are called here in a process for each core. Where a file has changed, its worker compiles it.
"""

import compileall
import os
import re
import sys
from pathlib import Path
from typing import Final

import pytest
from _pytest.assertion import rewrite

ROOT: Final = Path(__file__).parents[1]
REWRITTEN: Final = ("test_*.py", "conftest.py")
TESTS: Final = re.compile(r"/(?:test_[^/]*|conftest)\.py$")


def before_workers(config: pytest.Config) -> None:
    """Compile what was never compiled here."""
    if sys.dont_write_bytecode or not config.getoption("numprocesses", None):
        return
    state = config.stash[rewrite.assertstate_key]
    found = sorted(path for name in REWRITTEN for path in (ROOT / "tests").rglob(name))
    left = [path for path in found if not _compiled(path).exists()]
    if not left:
        return
    count = os.process_cpu_count() if hasattr(os, "process_cpu_count") else os.cpu_count()
    children = []
    for n in range(count or 1):
        child = os.fork()
        if child:
            children.append(child)
            continue
        try:
            for path in left[n :: count or 1]:
                path_of = _compiled(path)
                rewrite.try_makedirs(path_of.parent)
                digest, code = rewrite._rewrite_test(path, config)
                rewrite._write_pyc(state, code, digest, path_of)
            for folder in ("src", "tests", "bench")[n :: count or 1]:
                compileall.compile_dir(ROOT / folder, rx=TESTS, quiet=2)
        finally:
            os._exit(0)  # nothing of the parent's may run in the child
    for child in children:
        os.waitpid(child, 0)


def _compiled(path: Path) -> Path:
    return rewrite.get_cache_dir(path) / (path.name.removesuffix(".py") + rewrite.PYC_TAIL)
