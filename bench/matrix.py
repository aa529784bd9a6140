"""Matrix of one memory: what is told through any door, by every read and every change.

`python -m bench matrix` plants a fact through each door and prints who finds it and who changes
it: yes, or the number of the exception, whose reason and line of a seed stand below the table.
Doors follow from the table of commands: one that is neither a door nor excused fails.
"""

import inspect
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from bench import matrix_edges
from muniment import open as open_memory
from muniment.engine.api.agent import Agent
from muniment.engine.api.job import Job
from muniment.engine.api.memory import Memory
from muniment.engine.decide import RULES, wire_name
from muniment.engine.search.recall_results import Hit
from muniment.model.errors import MunimentError
from muniment.rules.write_gate import WORDS

WORD: Final = "zanzibarite"
FACT: Final = f"The stone in the ring of my aunt is a {WORD}"
ASKED: Final = "Which stone is in the ring of my aunt?"
OTHER: Final = "The stone in the ring of my aunt is a garnet"
YES: Final = "yes"


def _job(work: Callable[[Job], object]) -> Callable[[Agent], object]:
    def plant(ada: Agent) -> object:
        with ada.job(session="talk") as job:
            return work(job)

    return plant


def _loop(ada: Agent) -> None:
    with ada.do("Look at the ring") as loop:
        loop.tool_result(loop.tool_call("look"), FACT)
        loop.answer("I have looked")


def _answer(ada: Agent) -> None:
    with ada.do("Look at the ring") as loop:
        loop.answer(FACT)


def _task(ada: Agent) -> None:
    with ada.do(FACT):
        pass


def _settled(ada: Agent) -> None:
    ada.sem_put("user/profile/user_tuff/stone_in_the_ring_of_my_aunt", WORD)


# Each door by the command that it gives, and how a fact is told through it.
DOORS: Final[dict[str, tuple[str, Callable[[Agent], object]]]] = {
    "remember": ("remember", lambda ada: ada.remember(FACT)),
    "remember_many": ("remember_many", lambda ada: ada.remember_many([FACT])),
    "record, user": (
        "record_interaction",
        lambda ada: ada.conversation(session="talk").record(user=FACT),
    ),
    "record, answer": (
        "record_interaction",
        lambda ada: ada.conversation(session="talk").record(ai=FACT),
    ),
    "record, tool": (
        "record_interaction",
        lambda ada: ada.conversation(session="talk").record(tools=[FACT]),
    ),
    "observe": ("remember", _job(lambda job: job.observe(FACT))),
    "episodic_write": ("episodic_write", _job(lambda job: job.episodic_write(FACT))),
    "memorize": (
        "memorize",
        _job(lambda job: job.memorize({"content": FACT, "type": "fact", "source": "user"})),
    ),
    "tracked tool": (
        "track_tool",
        _job(lambda job: job.track_tool_invocation("look", {"at": "ring"}, FACT)),
    ),
    "do, task": ("observe_event", _task),
    "do, tool result": ("observe_event", _loop),
    "do, answer": ("observe_event", _answer),
    "turn": ("take_turn", lambda ada: ada.thread("mail").turn(FACT)),
    "document": ("put_document", lambda ada: ada.documents().put(("notes",), "a", {"text": FACT})),
    "documents": ("add_documents", lambda ada: ada.documents().add(("notes",), [{"text": FACT}])),
    "sem_put": ("sem_put", _settled),
    "record, wish": (
        "record_interaction",
        lambda ada: ada.conversation(session="talk").record(
            user=f"Remember for me: {FACT[0].lower()}{FACT[1:]}", promote_to="user"
        ),
    ),
}
ROWS: Final = (*DOORS, *matrix_edges.DOORS)
# Commands that carry nothing a person would ask for by its words, or that only change it.
NO_DOORS: Final[dict[str, str]] = {
    "wm_insert": "working memory lives as long as its job (seed 000, WM)",
    "set_goal": "a goal steers its job and stands in every context of it",
    "correct": "a change of what was told, in the columns",
    "forget": "a change of what was told, in the columns",
}


def _texts(hits: tuple[Hit, ...]) -> str:
    return " ".join(hit.text for hit in hits)


def _asking(read: Callable[[Memory, str], str]) -> Callable[[Memory, Agent], str]:
    return lambda memory, _: read(memory, ASKED)


READS: Final[dict[str, Callable[[Memory, Agent], str]]] = {
    "recall": lambda _, ada: _texts(ada.recall(ASKED).hits),
    "context": lambda _, ada: ada.context(ASKED, budget=800).text,
    "same talk": lambda _, ada: ada.conversation(session="talk").recall(ASKED).text,
    "other talk": lambda _, ada: ada.conversation(session="other").recall(ASKED).text,
    "job": lambda _, ada: _assembled(ada),
    "other agent": lambda memory, _: _texts(memory.agent("bob", user="tuff").recall(ASKED).hits),
    **{name: _asking(read) for name, read in matrix_edges.READS.items()},
    "not eve": lambda memory, _: _texts(memory.agent("ada", user="eve").recall(ASKED).hits),
    "not eve's talk": lambda memory, _: (
        memory.agent("ada", user="eve").conversation(session="new").recall(ASKED).text
    ),
}
HIDDEN: Final = frozenset({"not eve", "not eve's talk"})  # yes: they find nothing


def _assembled(ada: Agent) -> str:
    with ada.job() as job:
        return job.assemble_context(ASKED, 800).text


def _forgets(ada: Agent) -> bool:
    while given := [each for each in ada.recall(ASKED).hits if WORD in each.text]:
        ada.forget(given[0].id)  # one form of a record takes the others along
    return WORD not in _texts(ada.recall(ASKED).hits)


def _corrects(ada: Agent) -> bool:
    corrected: set[str] = set()
    while given := [each for each in ada.recall(ASKED).hits if WORD in each.text]:
        if given[0].id in corrected:
            return False  # it says the same as before: to ask again would change nothing
        corrected.add(given[0].id)
        ada.correct(given[0].id, OTHER)
    told = _texts(ada.recall(ASKED).hits)
    return WORD not in told and "garnet" in told


def _explains(ada: Agent) -> bool:
    return all(ada.why_not(hit.id, ASKED).id == hit.id for hit in ada.recall(ASKED).hits)


CHANGES: Final[dict[str, Callable[[Agent], bool]]] = {
    "forget": _forgets,
    "correct": _corrects,
    "why_not": _explains,
}
COLUMNS: Final = (*READS, *CHANGES)
# By door and column: why it is otherwise, with the line of the seed.
GOVERNED: Final = (
    "a governed fact changes by a request and a yes (seed 000, line 105: any change to SEM)"
)
PER_AGENT: Final = (
    "what one agent is told is its own until it is promoted to the person's space"
    " (seed 002, line 15: per agent; line 73: only for its own agent_id)"
)
SHARED: Final = ("sem_put", "record, wish")
EXCEPTIONS: Final[dict[tuple[str, str], str]] = {
    ("sem_put", "forget"): GOVERNED,
    ("sem_put", "correct"): GOVERNED,
    **{(door, "other agent"): PER_AGENT for door in ROWS if door not in SHARED},
}
# Reads by something else than the words of a question, or of one kind alone.
NOT_BY_WORDS: Final = frozenset(
    {"read", "episode", "memo", "memos", "sem_get", "cwm_get", "threads", "skills", "preview"}
    | {"why_not", "sem_search", "episodic_query", "rag_query", "fuzzy_query", "context", "recall"}
    | {"assemble_context", "entities", "about", "path", "extracted_facts", "get_version"}
    | {"path_between", "structured", "get", "records", "summary"}
)


def plant(door: str, memory: Memory, ada: Agent) -> None:
    """Tell the fact through one door."""
    if door in DOORS:
        DOORS[door][1](ada)
    else:
        matrix_edges.DOORS[door](memory, ada, FACT)


def row(door: str) -> dict[str, str]:
    """Every column of one door; reads change nothing, so they share a memory."""
    with closing(open_memory(":memory:")) as memory:
        ada = memory.agent("ada", user="tuff")
        plant(door, memory, ada)
        found = {column: _read(door, column, memory, ada) for column in READS}
    return found | {column: _changed(door, column) for column in CHANGES}


def cell(door: str, column: str) -> str:
    """Yes, or the reason of an exception; anything else is what went wrong."""
    return row(door)[column]


def _read(door: str, column: str, memory: Memory, ada: Agent) -> str:
    told = READS[column](memory, ada)
    return _judged(door, column, holds=(WORD in told) is not (column in HIDDEN))


def _changed(door: str, column: str) -> str:
    with closing(open_memory(":memory:")) as memory:
        ada = memory.agent("ada", user="tuff")
        plant(door, memory, ada)
        try:
            holds, reason = CHANGES[column](ada), "no"
        except MunimentError as error:
            holds, reason = False, str(error)
    return _judged(door, column, holds=holds, reason=reason)


def _judged(door: str, column: str, *, holds: bool, reason: str = "no") -> str:
    """Yes, or the reason of an exception, which is to hold; anything else is what went wrong."""
    excused = EXCEPTIONS.get((door, column))
    if excused:
        return f"{excused}: but it holds" if holds else excused
    return YES if holds else reason


def table() -> dict[str, dict[str, str]]:
    """Every door by every read and change."""
    return {door: row(door) for door in ROWS}


def failures(found: dict[str, dict[str, str]]) -> list[str]:
    """What is neither yes nor an exception; and a fact that nobody found, which proves nothing."""
    told = [
        f"{door}, {column}: {said}"
        for door, row in found.items()
        for column, said in row.items()
        if said not in (YES, EXCEPTIONS.get((door, column)))
    ]
    for door, row in found.items():
        if YES not in {row[column] for column in READS if column not in HIDDEN}:
            told.append(f"{door}: the planted fact is found nowhere, so nothing was shown")
    return told


def unlisted() -> list[str]:
    """Commands with words of their own that have no row, and reads that have no column."""
    carried = {wire_name(kind) for kind in WORDS}
    rows = {command for command, _ in DOORS.values()} | NO_DOORS.keys()
    reads = {
        name
        for name, verb in inspect.getmembers(Agent, callable)
        if not name.startswith("_") and "at" in inspect.signature(verb).parameters
    }
    return sorted((carried - rows) | (rows - RULES.keys()) | (reads - NOT_BY_WORDS))


def run(_: Path) -> None:
    found = table()
    width = max(map(len, ROWS))
    reasons = list(dict.fromkeys(EXCEPTIONS.values()))
    print(" " * width, *COLUMNS, sep=" | ")
    for door, row in found.items():
        shown = [
            said if said == YES else f"({reasons.index(said) + 1})" if said in reasons else "NO"
            for said in row.values()
        ]
        print(door.ljust(width), *map(str.ljust, shown, map(len, COLUMNS)), sep=" | ")
    for n, reason in enumerate(reasons, start=1):
        print(f"({n}) {reason}")
    wrong = [*failures(found), *(f"{name} has no row" for name in unlisted())]
    if wrong:
        raise SystemExit("\n".join(wrong))
