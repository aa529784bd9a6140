"""Every public verb and every wrong type: bad input, or an answer; never a bare Python error."""

import inspect
from collections.abc import Callable, Iterator
from inspect import Parameter

import pytest
from tests import world

from muniment.engine.api.memory import Memory
from muniment.model.errors import MunimentError
from muniment.model.scope import agent_stream

WRONG: tuple[object, ...] = (None, True, -1, 2.5, "x", b"x", (), [], {}, [1], {"a": 1}, object())
# What ends a thing, or hands a callable or a shared object through, is not asked here.
ASIDE = {"close", "keyed", "let_go", "registry", "beside"}


def everyone(memory: Memory) -> dict[str, object]:
    """Everybody who has verbs, on a memory in which something has happened."""
    ada = memory.agent("ada", user="tuff")
    ada.remember("I moved to Lisbon in March")
    ada.thread("mail").turn("The report is late")
    talk = ada.conversation(session="s")
    talk.record(user="My name is Ada", ai="Good to know")
    ada.documents().put(("prefs",), "k", 1)
    return {
        "agent": ada,
        "job": ada.job(),
        "documents": ada.documents(),
        "channel": ada.thread("mail"),
        "conversation": talk,
        "council": memory.council(),
        "admin": memory.admin(),
        "auditor": memory.auditor(),
        "eraser": memory.eraser(),
        "identities": memory.identities(),
        "indexing": memory.indexing(),
        "subconscious": memory.subconscious("ada"),
        "actor view": memory.actor_view("ada"),
        "memory": memory,
    }


def verbs(of: object) -> list[str]:
    found = inspect.getmembers(type(of), inspect.isfunction)
    return [name for name, _ in found if not name.startswith("_") and name not in ASIDE]


def calls(verb: Callable[..., object]) -> Iterator[tuple[tuple[object, ...], dict[str, object]]]:
    """Each parameter with each wrong value, the others as somebody might have given them."""
    taken = [
        each
        for each in inspect.signature(verb).parameters.values()
        if each.kind != each.VAR_KEYWORD
    ]
    for place in taken:
        for wrong in WRONG:
            args: list[object] = []
            named: dict[str, object] = {}
            for each in taken:
                value = wrong if each is place else GIVEN.get(each.name, "x")
                if each.default is not each.empty and each is not place:
                    continue
                if each.kind is each.KEYWORD_ONLY or args_skipped(taken, each, place):
                    named[each.name] = value
                else:
                    args.append(value)
            yield tuple(args), named


def args_skipped(taken: list[Parameter], each: Parameter, place: Parameter) -> bool:
    """Whether a parameter before this one was left to its default."""
    before = taken[: taken.index(each)]
    return any(one.default is not one.empty and one is not place for one in before)


GIVEN: dict[str, object] = {
    "stream": agent_stream("main", "ada"),
    "seq": 1,
    "start": 1,
    "namespace": ("prefs",),
    "budget": 10,
    "count": 1,
    "number": 1,
    "minutes": 5,
    "decision": 1,
    "related": True,
    "values": [1],
    "moves": {},
    "changes": {},
    "ids": [],
    "utterances": [],
    "texts": [],
}
NAMES = tuple(everyone(world.memory()))


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_type_is_bad_input_and_never_a_python_error(name: str) -> None:
    memory = world.memory()
    of = everyone(memory)[name]
    bare: set[str] = set()
    for verb in verbs(of):
        for args, named in calls(getattr(of, verb)):
            try:
                getattr(of, verb)(*args, **named)
            except MunimentError:
                continue
            except Exception as error:
                bare.add(f"{name}.{verb}({args}, {named}): {type(error).__name__}: {error}"[:160])
    assert not bare, "\n".join(sorted(bare))
    assert memory.prove()
