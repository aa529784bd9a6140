"""Kinds of names of two frameworks, each in a process of its own: `tests/naming_apart.py` asks it.

Each line that comes in is a name, what to do with it, and in which kind; each that goes out is an
answer in all that it says, or the code with which it was refused.
"""

import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any

import muniment
from muniment.engine.api.agent import Agent
from muniment.model.errors import MunimentError
from muniment.model.scope import name

Tell = Callable[[str, str], object]
Hear = Callable[[str], object]
Kinds = dict[str, tuple[Tell, Hear]]
ASKED = "Which tea?"
NEAR = [1.0, 0.5]  # of everything: what is found is found by its names alone


def people(house: muniment.Memory, agent: str) -> Callable[[str], Agent]:
    return lambda user: house.agent(agent, user=name(user, "user"))


def autogen(house: muniment.Memory) -> Kinds:
    from autogen_core.memory import MemoryContent, MemoryMimeType  # noqa: PLC0415 - one of two

    from muniment.adapters.frameworks.autogen import MunimentMemory  # noqa: PLC0415

    one = house.agent("one", user="tuff")

    def told(memory: MunimentMemory, text: str) -> None:
        content = MemoryContent(content=text, mime_type=MemoryMimeType.TEXT)
        asyncio.run(memory.add(content))

    def heard(memory: MunimentMemory) -> object:
        return [asyncio.run(memory.query(each)) for each in (ASKED, "")]

    def of(user: str) -> MunimentMemory:
        return MunimentMemory(people(house, "autogen"), user=user)

    return {
        "AutoGen: name": (
            lambda each, text: told(MunimentMemory(one, name=each), text),
            lambda each: heard(MunimentMemory(one, name=each)),
        ),
        "AutoGen: user": (lambda each, text: told(of(each), text), lambda each: heard(of(each))),
    }


def crewai(house: muniment.Memory) -> Kinds:
    from crewai.memory.types import MemoryRecord  # noqa: PLC0415 - one of two

    from muniment.adapters.frameworks.crewai import MunimentStorage  # noqa: PLC0415

    def kept(which: str) -> MunimentStorage:
        return MunimentStorage(house.agent(which, user="tuff"))

    def of(user: str) -> MunimentStorage:
        return MunimentStorage(people(house, "crewai"), user=user)

    def record(text: str, **more: object) -> list[MemoryRecord]:
        return [MemoryRecord.model_validate({"content": text, "embedding": NEAR} | more)]

    def found(storage: MunimentStorage, **narrowed: Any) -> list[MemoryRecord]:  # noqa: ANN401
        return [each for each, _ in storage.search(NEAR, limit=500, **narrowed)]

    scopes, kinds, values, ids = (kept(each) for each in ("scopes", "kinds", "values", "ids"))

    def in_scope(each: str) -> object:
        """What lies in a scope, besides what lies in a scope below it."""
        scope = f"/{each}"
        lying = [*found(scopes, scope_prefix=scope), *scopes.list_records(scope, limit=500)]
        return [each for each in lying if not each.scope.startswith(f"{scope}/")]

    return {
        "CrewAI: scope": (
            lambda each, text: scopes.save(record(text, scope=f"/{each}")),
            in_scope,
        ),
        "CrewAI: category": (
            lambda each, text: kinds.save(record(text, categories=[each])),
            lambda each: found(kinds, categories=[each]),
        ),
        "CrewAI: value of the metadata": (
            lambda each, text: values.save(record(text, metadata={"k": each})),
            lambda each: found(values, metadata_filter={"k": each}),
        ),
        "CrewAI: name in the metadata": (
            lambda each, text: values.save(record(text, metadata={each: "v"})),
            lambda each: found(values, metadata_filter={each: "v"}),
        ),
        "CrewAI: record": (
            lambda each, text: ids.save(record(text, id=each)),
            ids.get_record,
        ),
        "CrewAI: user": (
            lambda each, text: of(each).save(record(text)),
            lambda each: found(of(each)),
        ),
    }


def answered(kinds: Kinds, kind: str, which: str, text: str | None) -> dict[str, str]:
    tell, hear = kinds[kind]
    try:
        return {"said": repr(hear(which) if text is None else tell(which, text))}
    except MunimentError as error:
        return {"code": error.code}


def main(framework: str) -> None:
    out, sys.stdout = sys.stdout, sys.stderr  # whatever a framework prints is no answer
    kinds = {"autogen": autogen, "crewai": crewai}[framework](muniment.open(":memory:"))
    print(json.dumps([*kinds]), file=out, flush=True)
    for line in sys.stdin:
        print(json.dumps(answered(kinds, *json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
