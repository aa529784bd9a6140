"""A secret of every kind, every route, every role: its owner finds it, and nobody else does."""

from collections.abc import Callable, Iterator

import pytest
from tests.behaviour.doors.test_isolation import ABSENT, absent, requests, strangers
from tests.service import Running, serving

from muniment.adapters.http.route_table import ROUTES
from muniment.engine.api.agent import Agent
from muniment.engine.api.job import Job
from muniment.engine.api.memory import Memory

KEY = "user/profile/mona/treasure"
ASKED = "What is the treasure?"


def _practised(mona: Agent, _: Job, word: str) -> None:
    for n in range(3):
        with mona.do("look for the treasure") as doing:
            doing.tool_result(doing.tool_call(f"dig_{word}", {"n": n}), n)


def _done(mona: Agent, _: Job, word: str) -> None:
    with mona.do(f"The treasure of the loop is {word}") as doing:
        doing.tool_result(doing.tool_call("search", {"n": 1}), "found it")


def _requested(mona: Agent, _: Job, word: str) -> None:
    kept = mona.remember("there is a treasure of requests").episodic_id
    mona.memory_promote_request(kept, "user/profile/mona/chest", "said so", value=word)


Plant = Callable[[Agent, Job, str], object]
Find = Callable[[Agent, Job], object]
# How each kind of thing is told, and a read in which its owner finds it.
KINDS: dict[str, tuple[Plant, Find]] = {
    "episode": (
        lambda mona, _, word: mona.remember(f"The treasure lies in {word}"),
        lambda mona, _: mona.recall(ASKED, limit=50),
    ),
    "conversation item": (
        lambda mona, _, word: mona.conversation(session="s").record(
            user=f"I prefer the treasure in {word}"
        ),
        lambda mona, _: mona.conversation(session="s").items(),
    ),
    "profile": (
        lambda mona, _, word: mona.conversation(session="s").record(
            user=f"My name is {word.title()}, remember that for me"
        ),
        lambda mona, _: str(mona.conversation(session="s").recall("name")).lower(),
    ),
    "memo": (
        lambda mona, job, word: job.memorize({"type": "fact", "text": f"treasure: {word}"}),
        lambda mona, job: [job.memos("EM"), job.memos("SM")],
    ),
    "governed fact": (
        lambda mona, _, word: mona.sem_put(KEY, word),
        lambda mona, _: mona.sem_get(KEY),
    ),
    "mirror entry": (_done, lambda mona, _: mona.rag_query("treasure of the loop")),
    "skill": (_practised, lambda mona, _: mona.skills()),
    "document": (
        lambda mona, _, word: mona.documents().put(("treasure",), "k", word),
        lambda mona, _: mona.documents().get(("treasure",), "k"),
    ),
    "request": (_requested, lambda mona, _: mona.requests()),
    "goal": (
        lambda mona, job, word: job.set_goal("g", f"find the treasure {word}"),
        lambda mona, job: job.goals(),
    ),
    "working memory": (
        lambda mona, job, word: job.wm_insert({"type": "fact", "value": f"treasure {word}"}),
        lambda mona, job: job.wm_find(),
    ),
    "confirmation": (
        lambda mona, _, word: mona.remember(f"Remember my favourite treasure is {word}"),
        lambda mona, _: mona.questions(),
    ),
    "thread turn": (
        lambda mona, _, word: mona.thread("desk").turn(f"The treasure is a {word}"),
        lambda mona, _: mona.get_range(),
    ),
}
WORDS = {kind: f"zq{'abcdefghijklmnopqrstuvwxyz'[n]}vorkel" for n, kind in enumerate(KINDS)}
# What an office or another agent of the same person is there to see is no secret to them.
ALLOWED = {
    "another agent for the same user": {"governed fact", "profile", "request"},
    "a council member": {"request"},
    "an auditor": set(KINDS),
    "the other persona": {"mirror entry", "skill"},
}


def told(memory: Memory) -> tuple[Agent, Job]:
    mona = memory.agent("ada", user="mona")
    job = mona.job("monas-own")
    for kind, (plant, _) in KINDS.items():
        plant(mona, job, WORDS[kind])
    return mona, job


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with serving() as running:
        told(running.memory)
        yield running


def test_its_owner_finds_each() -> None:
    """A matrix that finds its secret nowhere proves nothing."""
    with serving() as running:
        mona, job = told(running.memory)
        missing = [
            kind for kind, (_, find) in KINDS.items() if WORDS[kind] not in repr(find(mona, job))
        ]
    assert not missing


def test_no_route_tells_anybody_else(service: Running) -> None:
    words = {"query": ASKED, "text": ASKED, "prompt": ASKED, "prefix": "", "session": "s"}
    words |= {"key": KEY, "target_sem_key": KEY, "number": "1"}
    heard: list[tuple[str, str, str, str]] = []
    tried = 0
    for who, caller in strangers(service).items():
        for route in ROUTES:
            if route.streams:
                continue
            made = requests(route, absent(ABSENT) | words)
            answer = caller.http.request(made.pop("method"), made.pop("url"), **made)
            tried += 1
            heard += [
                (who, route.method, route.path, kind)
                for kind, word in WORDS.items()
                if word in answer.text.lower() and kind not in ALLOWED.get(who, set())
            ]
    assert tried > 10 * len(ROUTES) * 0.8
    assert not heard, "\n".join(map(str, heard))


READS: dict[str, Callable[[Agent], object]] = {
    "recall": lambda other: other.recall(ASKED, limit=50),
    "records": lambda other: other.records(limit=500),
    "context": lambda other: other.context(ASKED, budget=4000),
    "sem_search": lambda other: other.sem_search(""),
    "sem_get": lambda other: other.sem_get(KEY),
    "episodic_query": lambda other: other.episodic_query("treasure", 50),
    "rag_query": lambda other: other.rag_query("treasure"),
    "fuzzy_query": lambda other: other.fuzzy_query("treasure"),
    "skills": lambda other: other.skills(),
    "requests": lambda other: other.requests(),
    "questions": lambda other: other.questions(),
    "log": lambda other: other.get_range(),
    "documents": lambda other: other.documents().search(("treasure",), "treasure"),
    "conversation": lambda other: other.conversation(session="t").recall("treasure name"),
    "goals": lambda other: other.job().goals(),
    "memos": lambda other: other.job().memos("SM"),
}


# An agent that speaks for nobody is the agent itself: it reads what all its people told it, and no
# fact about any of them (tests/behaviour/test_fact_readers.py). So it is no stranger here.
@pytest.mark.parametrize("read", sorted(READS))
@pytest.mark.parametrize(("agent", "user"), [("ada", "tuff"), ("bob", "tuff"), ("bob", "")])
def test_no_read_of_a_program_tells_anybody_else(
    service: Running, read: str, agent: str, user: str
) -> None:
    found = repr(READS[read](service.memory.agent(agent, user=user))).lower()

    assert [kind for kind, word in WORDS.items() if word in found] == []
