"""Every id that a read gives out is known to every verb at every door, whatever kind it is."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client as McpClient
from tests import given_ids, soaking, world
from tests.mcp_client import seated, told
from tests.service import serving
from tests.terminal import Shell

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.client.client import Client
from muniment.engine.api.agent import Agent
from muniment.model.errors import NotFoundError, RefusedError

DONE = "done"
ASKED = "the orange thing"
SEVERAL = {"loop", "loop summary", "thread", "talk"}
RESTS = {"skill", "entity"}
AT_HAND = {"working entry", "consolidated item", "goal"}
ACTS = {"receipt", "question", "request", "consent"}
LIMITS = {
    **dict.fromkeys(RESTS, "rests_on_others"),
    **dict.fromkeys(AT_HAND, "at_hand_only"),
    **dict.fromkeys(ACTS, "not_a_record"),
    "governed fact": "fact_is_governed",
}
# What each verb answers by kind, where it does not do what it says.
ANSWERS: dict[str, dict[str, str]] = {
    "forget": LIMITS,
    "restore": LIMITS,
    "vouch": LIMITS,
    "correct": {
        **{kind: code for kind, code in LIMITS.items() if code != "fact_is_governed"},
        **dict.fromkeys(SEVERAL, "names_several"),
    },
    "why_not": {},
    "show": {"entity": "rests_on_others"},
    "blame": {"entity": "rests_on_others"},
    "impact": {"entity": "rests_on_others"},
}

# As what nobody ever told answers; of a session and of a space, its spelling says whose it is.
ABSENT = {"item_unknown", "not there", "space_is_shared", "session_of_another_person"}
TURNS = 4
Verb = Callable[[str], object]  # what it answers is its code: `done`, or why not


@contextmanager
def inside(_: Path) -> Iterator[tuple[dict[str, str], dict[str, Verb]]]:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    found = given_ids.live(memory, ada)
    auditor = memory.auditor("ann")
    stream = memory.streams()[0]

    def trail(name: str) -> object:
        return auditor.trail(auditor.home(stream, name), name)

    yield found, _verbs(ada) | {"show": trail, "blame": trail, "impact": trail}


@contextmanager
def http(_: Path) -> Iterator[tuple[dict[str, str], dict[str, Verb]]]:
    with serving() as service, Client(service.url, key=service.user(agent="ada").key) as client:
        memory = service.memory
        yield given_ids.live(memory, memory.agent("ada", user="tuff")), _verbs(client)


def _verbs(ada: Agent | Client) -> dict[str, Verb]:
    return {
        "forget": ada.forget,
        "correct": lambda name: ada.correct(name, ASKED),
        "restore": lambda name: (_first(ada.forget, name), ada.restore(name)),
        "vouch": ada.vouch,
        "why_not": lambda name: _known(ada.why_not(name, "purple").stage),
    }


@contextmanager
def terminal(folder: Path) -> Iterator[tuple[dict[str, str], dict[str, Verb]]]:
    with muniment.open(folder / "memory") as memory:
        found = given_ids.live(memory, memory.agent("default", user="tuff"), "default")
    shell = Shell("--store", str(folder / "memory"), "--user", "tuff", "--json")

    def run(*words: str) -> dict[str, Any]:
        result = shell(*words)
        if result.exit_code == Exit.NOT_FOUND:
            raise NotFoundError(" ".join(words))
        answer: dict[str, Any] = json.loads(result.stdout)
        if result.exit_code != Exit.DONE:
            raise RefusedError(answer["meta"]["reason"])
        return answer

    yield (
        found,
        {
            "forget": lambda name: run("forget", name),
            "correct": lambda name: run("correct", name, ASKED),
            "restore": lambda name: (_first(run, "forget", name), run("unforget", name)),
            "vouch": lambda name: run("vouch", name),
            "why_not": lambda name: _known(str(run("why-not", name, "purple")["stage"])),
            "show": lambda name: run("show", name),
            "blame": lambda name: run("blame", name),
            "impact": lambda name: run("impact", name),
        },
    )


@contextmanager
def mcp(_: Path) -> Iterator[tuple[dict[str, str], dict[str, Verb]]]:
    memory = world.memory()
    found = given_ids.live(memory, memory.agent("ada", user="tuff"))

    def run(tool: str, **arguments: object) -> object:
        async def talk(client: McpClient) -> dict[str, object]:
            return await told(client, tool, **arguments)

        answer = seated(memory, talk, user="tuff")
        if "error_code" in answer:
            raise RefusedError(str(answer["detail"]))
        return answer

    yield (
        found,
        {
            "forget": lambda name: run("forget", item_id=name),
            "correct": lambda name: run("correct", item_id=name, text=ASKED),
        },
    )


def _known(stage: str) -> str:
    if stage == "not_visible":
        raise NotFoundError(stage)
    return stage


def _first(verb: Callable[..., object], *names: str) -> str:
    """What is to be restored is forgotten before; what cannot be says so by its code."""
    try:
        verb(*names)
    except RefusedError as refused:
        return refused.reason
    return DONE


DOORS = {"inside": inside, "http": http, "terminal": terminal, "mcp": mcp}
CELLS = [
    (door, verb)
    for door, verbs in {
        "inside": tuple(ANSWERS),
        "http": ("forget", "correct", "restore", "vouch", "why_not"),
        "terminal": tuple(ANSWERS),
        "mcp": ("forget", "correct"),
    }.items()
    for verb in verbs
]
# A door may do more than the others: the terminal asks the council in the person's name, and an
# auditor, who speaks for nobody, looks for entries only.
APART = {
    ("terminal", "forget", "governed fact"): DONE,
    ("inside", "show", "entity"): "not there",
    ("inside", "blame", "entity"): "not there",
    ("inside", "impact", "entity"): "not there",
}


@pytest.mark.parametrize(("door", "verb"), CELLS)
def test_an_id_of_any_kind_is_known_to_every_verb_at_every_door(
    door: str, verb: str, tmp_path: Path
) -> None:
    with DOORS[door](tmp_path) as (found, verbs):
        kinds = _dealt(tuple(found), door, verb)
        answers = {kind: _answer(verbs[verb], found[kind]) for kind in kinds}

    wanted = {
        kind: APART.get((door, verb, kind), ANSWERS[verb].get(kind, DONE)) for kind in answers
    }
    assert answers == wanted


def _dealt(kinds: tuple[str, ...], door: str, verb: str) -> tuple[str, ...]:
    """All of them; of those at the terminal, which opens the memory each time, a share in turn."""
    if door != "terminal" or soaking.times(0, 1):
        return kinds
    return kinds[tuple(ANSWERS).index(verb) % TURNS :: TURNS]


def _answer(verb: Verb, name: str) -> str:
    try:
        verb(name)
    except RefusedError as refused:
        return refused.reason
    except NotFoundError:
        return "not there"
    return DONE


def test_no_read_gives_out_an_id_that_cannot_be_named_again() -> None:
    """Given something of every kind, when every read is asked, then each id in it is known."""
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    given_ids.live(memory, ada)
    ids = sorted({name for read in given_ids.reads(memory, ada) for name in given_ids.given(read)})

    assert len(ids) > len(LIMITS), "reads that give out nothing show nothing"
    assert {name for name in ids if _answer(ada.vouch, name) == "item_unknown"} == set()
    assert {name for name in ids if ada.why_not(name, "purple").stage == "not_visible"} == set()


@pytest.mark.parametrize("verb", ["forget", "correct", "restore", "vouch", "why_not"])
def test_what_is_another_persons_is_like_what_is_not_there(verb: str) -> None:
    memory = world.memory()
    found = given_ids.live(memory, memory.agent("ada", user="tuff"))
    eve = _verbs(memory.agent("ada", user="eve"))
    by_spelling = {*ACTS, "working entry", "consolidated item"}  # an answer that looks nowhere
    shared = {"skill"}  # what an agent can do is its own

    for kind in found.keys() - by_spelling - shared:
        answer = _answer(eve[verb], found[kind])
        assert answer in ABSENT, kind
