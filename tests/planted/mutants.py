"""Mutation testing of one module: which changes of an expression do the named tests not notice?

    python -m tests.planted.mutants src/muniment/rules/governance.py tests/behaviour/test_council.py

The changes are those of mutmut (`make mutants` installs it). The tests are collected once in one
process, and each change is tried in a fork: by the tests that call the changed function, quickest
first, as many as fit into `--seconds` of CPU. What is called only by imports therefore survives.
"""

import argparse
import difflib
import functools
import importlib
import itertools
import json
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

GRACE_SECONDS: Final = 3  # of CPU, beside five times what the tests take unchanged
MISSED, NOTICED, UNFIT = range(3)  # how a fork ends; whoever is killed by its alarm noticed


class Change(NamedTuple):
    """One expression that is another."""

    function: str  # that it is in
    source: str  # of the whole module


class Touched(NamedTuple):
    """What a test calls of the module."""

    functions: list[str]
    seconds: float  # of CPU


def changes_of(path: Path) -> Iterator[Change]:
    mutation: Any = importlib.import_module("mutmut.mutation.file_mutation")
    source = path.read_text()
    tree, found, *_ = mutation.create_mutations(str(path), source)
    holders = {id(e): its for its in tree.body if hasattr(its, "bases") for e in its.body.body}
    for one in found:
        function = one.contained_by_top_level_function
        if hasattr(function, "params"):
            holder, name = holders.get(id(function), function), function.name.value
            changed = mutation.deep_replace(holder, one.original_node, one.mutated_node)
            text = source.replace(tree.code_for_node(holder), tree.code_for_node(changed))
            yield Change(name if holder is function else f"{holder.name.value}.{name}", text)


def planted(path: Path, right: str, wrong: str) -> Iterator[Change]:
    text = path.read_text()
    if text.count(right) != 1:
        raise SystemExit(f"{right!r} must be once in {path}")
    yield Change("", text.replace(right, wrong))


class Trial:
    """Takes the place of pytest's own loop: tries every change instead of running the tests."""

    def __init__(self, path: Path, changes: dict[int, Change], seconds: float) -> None:
        self._path, self._changes, self._seconds = path, changes, seconds
        parts = path.relative_to("src").with_suffix("").parts
        self._module = importlib.import_module(".".join(parts))
        self._say = os.fdopen(os.dup(1), "w", buffering=1)  # pytest captures the other

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {each.nodeid: each for each in session.items}
        touched = self._unchanged(list(items.values()))
        counts = dict.fromkeys((MISSED, NOTICED, UNFIT), 0)
        for number, change in self._changes.items():
            names = self._chosen(touched, change)
            tried = functools.partial(self._tried, change, [items[each] for each in names])
            ended = forked(tried, GRACE_SECONDS + 5 * sum(touched[e].seconds for e in names))
            counts[ended] += 1
            if ended != NOTICED:
                self._tell(number, change, ended, len(names))
        told = f"{counts[NOTICED]} noticed, {counts[MISSED]} survived, {counts[UNFIT]} not applied"
        self._say.write(f"{self._path}: {len(self._changes)} changes, {told}\n")
        return True

    def _chosen(self, touched: dict[str, Touched], change: Change) -> list[str]:
        names = [e for e, its in touched.items() if change.function in (*its.functions, "")]
        names.sort(key=lambda each: touched[each].seconds)
        spent = itertools.accumulate(touched[each].seconds for each in names)
        return names[: sum(each <= self._seconds for each in spent)]

    def _unchanged(self, items: list[pytest.Item]) -> dict[str, Touched]:
        """Every test once, in a fork; then what they import is imported for all forks."""
        with tempfile.NamedTemporaryFile("r") as file:
            if forked(functools.partial(self._watched, items, file.name), 600) != MISSED:
                raise SystemExit("The tests fail unchanged.")
            told = json.load(file)
        for name in told["modules"]:
            importlib.import_module(name)
        return {name: Touched(*each) for name, each in told["touched"].items()}

    def _watched(self, items: list[pytest.Item], to: str) -> int:
        called: set[str] = set()

        def listen(frame: FrameType, event: str, _arg: object) -> None:
            if event == "call" and frame.f_code.co_filename == self._module.__file__:
                called.add(frame.f_code.co_qualname.split(".<locals>")[0])

        touched: dict[str, Touched] = {}
        threading.setprofile(listen)
        sys.setprofile(listen)
        for item, following in zip(items, [*items[1:], None], strict=True):
            called.clear()
            began = time.process_time()
            if fails(item, following):
                self._say.write(f"unchanged: {item.nodeid} fails\n")
                return NOTICED
            touched[item.nodeid] = Touched(sorted(called), time.process_time() - began)
        sys.setprofile(None)
        named = sorted(each for each in sys.modules if each.startswith("muniment."))
        Path(to).write_text(json.dumps({"modules": named, "touched": touched}))
        return MISSED

    def _tried(self, change: Change, chosen: list[pytest.Item]) -> int:
        other = ModuleType(self._module.__name__)
        code = compile(change.source, str(self._module.__file__), "exec")
        try:
            exec(code, vars(other))  # noqa: S102
            both = zip(functions(self._module), functions(other), strict=True)
            for (name, old), (_, changed) in both:
                if change.function in ("", name):
                    for part in ("__code__", "__defaults__", "__kwdefaults__"):
                        setattr(old, part, getattr(changed, part))
        except Exception:  # not a module any more
            return UNFIT
        return NOTICED if any(map(fails, chosen, [*chosen[1:], None])) else MISSED

    def _tell(self, number: int, change: Change, ended: int, tests: int) -> None:
        state = "not applied" if ended == UNFIT else f"survived {tests} tests"
        text = self._path.read_text().splitlines(), change.source.splitlines()
        lines = list(difflib.unified_diff(*text, n=1, lineterm=""))[2:]
        self._say.write("\n".join([f"── {number} {change.function}: {state}", *lines, ""]))


def fails(item: pytest.Item, following: pytest.Item | None) -> bool:
    return any(each.failed for each in runtestprotocol(item, log=False, nextitem=following))


def functions(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    for value in vars(module).values():
        own = getattr(value, "__module__", "") == module.__name__
        inside = vars(value).values() if own and isinstance(value, type) else ()
        for each in (value, *inside) if own else ():
            yield from layers(getattr(each, "fget", None) or getattr(each, "__func__", each))


def layers(found: object) -> Iterator[tuple[str, FunctionType]]:
    """A function, and those that it holds: of one with a decorator the first is the decorator's."""
    if isinstance(found, FunctionType):
        yield found.__code__.co_qualname.split(".<locals>")[0], found
        for cell in found.__closure__ or ():
            yield from layers(cell.cell_contents)


def forked(work: Callable[[], int], limit: float) -> int:
    """How a piece of work ends in a process of its own; what takes too long was noticed."""
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_PROF, limit)  # nobody else's load counts
        signal.alarm(60 * round(limit))  # whoever waits for a lock takes no CPU
        try:
            os._exit(work())
        except BaseException:  # nothing of the parent's may run in the child
            os._exit(NOTICED)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return ended if ended in (MISSED, UNFIT) else NOTICED


def main() -> int:
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("module", type=Path)
    asked.add_argument("tests", nargs="+", help="what pytest is given")
    asked.add_argument("--only", default="", help="functions or numbers of changes: a,b")
    asked.add_argument("--seconds", type=float, default=4, help="of CPU for one change")
    asked.add_argument("--instead", nargs=2, metavar=("RIGHT", "WRONG"), help="one change by hand")
    told = asked.parse_args()
    by_hand = told.instead and planted(told.module, *told.instead)
    only, every = set(told.only.split(",")), enumerate(by_hand or changes_of(told.module))
    found = {n: each for n, each in every if not told.only or only & {str(n), each.function}}
    trial = Trial(told.module, found, told.seconds)
    with tempfile.TemporaryDirectory() as place:
        quick = ["-q", "-p", "no:cacheprovider", "--assert=plain", "--tb=native"]
        return int(pytest.main([*quick, f"--basetemp={place}/tests", *told.tests], plugins=[trial]))


if __name__ == "__main__":
    sys.exit(main())
