"""Interfaces of a set-up: how text enters each, and everything that each returns."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol

import msgspec

from muniment.adapters.gateway.api_keys import Grant
from muniment.adapters.leaks import facts, projects
from muniment.adapters.leaks.scratch import Scratch
from muniment.adapters.leaks.seats import LeakSeat
from muniment.engine.api.agent import Agent
from muniment.model.errors import RefusedError
from muniment.model.scope import Role

ASKED: Final = projects.ASKED
LIMIT: Final = 500
BUDGET: Final = 200_000
NAMESPACE: Final = ["garden"]


class LeakAdapter(Protocol):
    """What connects a framework to one seat: made by a factory that is given the seat's agent."""

    def put(self, text: str) -> object: ...

    def ask(self, question: str) -> object: ...


AdapterFactory = Callable[[Agent], LeakAdapter]
Plant = Callable[[Scratch, LeakSeat, str], object]
Look = Callable[[Scratch, LeakSeat], object]


def _kept(told: Any) -> None:  # noqa: ANN401 - answers of every door
    if not told.stored:
        raise RefusedError(told.reason, "the set-up's policy keeps nothing of it")


def _session(seat: LeakSeat) -> str:
    return f"garden of {seat.user or seat.agent}"


def _of_others(scratch: Scratch, seat: LeakSeat) -> list[object]:
    """What a seat is told that names somebody else's session."""
    found: list[object] = []
    for other in scratch.seats:
        if other.agent == seat.agent and other != seat:
            with suppress(RefusedError):
                found.append(
                    scratch.agent(seat).conversation(session=_session(other)).recall(ASKED)
                )
    return found


def _terminal(scratch: Scratch, seat: LeakSeat, *words: str) -> str:
    given = ["--store", str(scratch.folder), "--tenant", seat.tenant, "--agent", seat.agent]
    person = ["--user", seat.user] if seat.user else []
    if scratch.terminal is None:
        raise ImportError("whoever runs this brings no terminal along")
    return scratch.terminal([*given, *person, *words])


def _mcp(scratch: Scratch, seat: LeakSeat, tool: str, **given: object) -> str:
    # Imported late: whoever has no MCP has no such door.
    from muniment.adapters.mcp import server
    from muniment.adapters.mcp.session import of_words

    role = Role.USER if seat.user else Role.AGENT
    grant = of_words(seat.tenant, seat.agent, seat.user, role=role)
    with server.local(scratch.tenant(seat.tenant), grant) as found:
        return repr(asyncio.run(found.call_tool(tool, given)))


def _mem0(scratch: Scratch, seat: LeakSeat, text: str) -> object:
    said = {"messages": [{"role": "user", "content": text}]}
    return scratch.client(seat)._http.post("/v3/memories/add/", json=said).raise_for_status()  # noqa: SLF001 - another program's client


PLANTS: Final[dict[str, Plant]] = {
    "python remember": lambda it, seat, text: _kept(it.agent(seat).remember(text)),
    "python conversation": lambda it, seat, text: (
        it.agent(seat).conversation(session=_session(seat)).record(user=text)
    ),
    "python memo": lambda it, seat, text: it.agent(seat).memorize(
        {"type": "observation", "text": text, "importance": 1}, store="EM"
    ),
    "python document": lambda it, seat, text: it.agent(seat).documents().put(NAMESPACE, text, text),
    "http remember": lambda it, seat, text: _kept(it.client(seat).remember(text)),
    "http conversation": lambda it, seat, text: (
        it.client(seat).conversation(session=_session(seat)).record(user=text)
    ),
    "http document": lambda it, seat, text: it.client(seat).documents().put(NAMESPACE, text, text),
    "mem0": _mem0,
    "python fact": facts.put,
    "http fact": facts.put_over_http,
    facts.BY_COUNCIL: facts.decided,
    "python project": projects.put,
    "http project": projects.put_over_http,
    "mcp remember": lambda it, seat, text: _mcp(it, seat, "remember", text=text),
    "terminal remember": lambda it, seat, text: _terminal(it, seat, "remember", text),
}

LOOKS: Final[dict[str, Look]] = {
    "python recall": lambda it, seat: it.agent(seat).recall(ASKED, limit=LIMIT),
    "python context": lambda it, seat: it.agent(seat).context(ASKED, budget=BUDGET),
    "python conversation": lambda it, seat: (
        it.agent(seat).conversation(session=_session(seat)).recall(ASKED)
    ),
    "python items": lambda it, seat: it.agent(seat).conversation(session=_session(seat)).items(),
    "python sessions of others": _of_others,
    "python documents": lambda it, seat: it.agent(seat).documents().within(NAMESPACE),
    "python facts": lambda it, seat: it.agent(seat).sem_search(""),
    "python entities": lambda it, seat: it.agent(seat).entities(),
    "python watch": lambda it, seat: it.agent(seat).watch(question=ASKED, limit=20).look(),
    "python log": lambda it, seat: it.agent(seat).get_range(),
    "http recall": lambda it, seat: it.client(seat).recall(ASKED, limit=LIMIT),
    "http context": lambda it, seat: it.client(seat).context(ASKED, budget=BUDGET),
    "http documents": lambda it, seat: it.client(seat).documents().within(NAMESPACE),
    "http facts": lambda it, seat: it.client(seat).sem_search(""),
    "http log": lambda it, seat: it.client(seat).log(limit=200),
    "python project": projects.told,
    "http project": projects.told_over_http,
    "http projects of others": projects.told_of_others,
    "mcp recall": lambda it, seat: _mcp(it, seat, "recall", query=ASKED),
    "mcp entities": lambda it, seat: _mcp(it, seat, "entities", sources=True),
    "terminal recall": lambda it, seat: _terminal(it, seat, "recall", ASKED, "--json"),
}


def offices(scratch: Scratch, tenant: str) -> dict[str, object]:
    """What is told to whoever keeps a tenant without reading it, and to whoever measures it."""
    auditor = scratch.office(Grant(tenant=tenant, role=Role.AUDITOR, who="ann"))
    council = scratch.office(Grant(tenant=tenant, role=Role.COUNCIL, who="olga"))
    streams = auditor.memory.streams()
    headers = [auditor.memory.headers(each.stream, limit=200) for each in streams]
    return {
        "auditor": (streams, headers, auditor.memory.prove()),
        "council": council.council.requests(),
        "metrics": auditor._http.get("/metrics").text,  # noqa: SLF001 - no verb of memory
    }


def spelled(told: object) -> str:
    """An answer in all that it says."""
    try:
        return msgspec.json.encode(told).decode() + repr(told)
    except (TypeError, ValueError):
        return repr(told)
