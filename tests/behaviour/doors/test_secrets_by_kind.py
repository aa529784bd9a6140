"""A secret of every kind, every route, every role: its owner finds it, and nobody else does."""

from collections.abc import Callable, Iterator
from typing import get_args, get_type_hints

import msgspec
import pytest
from tests.behaviour.doors.test_isolation import ABSENT, absent, requests, strangers
from tests.service import Caller, Running, serving

import muniment
from muniment.adapters.http.route import Route
from muniment.adapters.http.route_table import ROUTES
from muniment.engine.api.agent import Agent
from muniment.engine.api.job import Job
from muniment.engine.api.memory import Memory
from muniment.model.events import AnyEvent

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


def _promoted(mona: Agent, _: Job, word: str) -> None:
    talk = mona.conversation(session="s")
    talk.record(user=f"I decided to keep the treasure chest {word}")
    talk.promote(next(each.id for each in talk.items() if word in each.text), "user")


def _consolidated(_: Agent, job: Job, word: str) -> None:
    kept = job.wm_insert({"type": "fact", "value": f"treasure {word}"})
    job.reference(kept)
    job.reference(kept)
    job.promote(kept)


def _forgotten(mona: Agent, _: Job, word: str) -> None:
    mona.forget(mona.remember("There was a treasure once").episodic_id, reason=f"it is {word}")


def _asked(mona: Agent, _: Job, word: str) -> None:
    mona.recall(f"Where is the treasure of {word}?")
    mona.flush()


def _asked_in_talk(mona: Agent, _: Job, word: str) -> None:
    mona.conversation(session="s").recall(f"the treasure of {word}")
    mona.flush()


def _prompted(mona: Agent, _: Job, word: str) -> None:
    mona.context(f"Tell me of the treasure of {word}", budget=200)
    mona.flush()


def _rolled_back(mona: Agent, _: Job, word: str) -> None:
    mona.remember("A page says where the treasure is", origin="external", source="page.example")
    mona.roll_back("source", "page.example", reason=f"because of {word}")


Plant = Callable[[Agent, Job, str], object]
Find = Callable[[Agent, Job], object]


def _in_the_log(mona: Agent, _: Job) -> object:
    return mona.get_range()


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
    "request": (_requested, lambda mona, _: [mona.requests(), mona.requests(settled=True)]),
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
    "several episodes": (
        lambda mona, _, word: mona.remember_many(
            [f"The treasure has a lid of {word}", f"The treasure has a lock of {word}"]
        ),
        lambda mona, _: mona.recall("lid of the treasure", limit=50),
    ),
    "item of one's own space": (_promoted, lambda mona, _: mona.recall("treasure chest", limit=50)),
    "consolidated memory": (_consolidated, lambda mona, job: job.cwm()),
    "phase": (
        lambda mona, _, word: mona.conversation(session="s").start_phase(f"after the {word}"),
        _in_the_log,
    ),
    "consent": (
        lambda mona, _, word: mona.consent(f"You may keep my {word} as it is"),
        _in_the_log,
    ),
    "reason of a forgetting": (_forgotten, _in_the_log),
    "reason of a rollback": (_rolled_back, _in_the_log),
    "question": (_asked, _in_the_log),
    "prompt of a context": (_prompted, _in_the_log),
    "question of a conversation": (_asked_in_talk, _in_the_log),
    "session": (lambda mona, _, word: mona.job(session=f"about {word}"), _in_the_log),
    "outcome": (
        lambda mona, job, word: job.outcome("failure", detail=f"no treasure of {word}"),
        _in_the_log,
    ),
}


def _every_entry(memory: Memory) -> list[msgspec.Struct]:
    return [line.event for stream in memory.streams() for line in memory.log(stream)]


def _voted(memory: Memory, word: str) -> None:
    (asked, *_) = memory.council("olga").requests()
    memory.council("olga").approve(asked.request_id, reason=f"she showed me {word}")


def _lifted(memory: Memory, word: str) -> None:
    placed = memory.admin("otto").place_hold(user="mona", reason="an order")
    memory.admin("otto").lift_hold(placed, reason=f"closed for {word}")


# What others write about a person; who finds it holds an office, and the person is no reader of it.
OFFICES: dict[str, tuple[Callable[[Memory, str], object], Callable[[Memory], object]]] = {
    "vote": (_voted, _every_entry),
    "reason of an administrator": (
        lambda memory, word: memory.admin("otto").facts(reason=f"looking for {word}"),
        lambda memory: memory.auditor("ann").accesses(),
    ),
    "reason of an erasure": (
        lambda memory, word: memory.eraser("otto").request("mona", reason=f"she told of {word}"),
        lambda memory: memory.council("olga").requests(),
    ),
    "lifted hold": (_lifted, _every_entry),
    "legal hold": (
        lambda memory, word: memory.admin("otto").place_hold(user="mona", reason=f"order {word}"),
        lambda memory: memory.admin("otto").holds(),
    ),
}


LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = {
    kind: f"zq{LETTERS[n % 26]}{LETTERS[n // 26]}vorkel"
    for n, kind in enumerate((*KINDS, *OFFICES))
}
# What an office or another agent of the same person is there to see is no secret to them.
ALLOWED = {
    "another agent for the same user": {
        "governed fact", "profile", "request", "item of one's own space", "vote",
    },
    "a council member": {"request", "vote", "reason of an erasure"},
    "an auditor": set(WORDS),
    "the other persona": {"mirror entry", "skill"},
}  # fmt: skip


# Events with sealed fields that hold no secret here, by the reason why.
NO_SECRET: dict[str, set[str]] = {
    "names, keys and marks of what is planted in others": {
        "PII_CONSENT_REVOKE", "PII_REDACTED", "context_used", "cwm_expired", "documents_dropped",
        "episode_closed", "episode_opened", "export_recorded", "item_conflict", "item_deleted",
        "item_expired", "item_promoted", "items_archived", "ledger_opened", "ledger_shelved",
        "link_decided", "link_settled", "ltm_embedded", "memo_declined", "memo_shelved",
        "memory_echo", "memos_compacted", "memos_evicted", "phase_dropped",
        "promotion_denied", "referenced", "sem_delete", "thread_closed", "thread_opened",
        "thread_timeout_set", "vectors_recorded", "wm_expired",
    },
    "words that stand in others, said again, and read where those are": {
        "cwm_recomputed", "goal_advanced", "item_denied", "memo_marked", "memory_denied",
        "memory_released", "memos_forgotten", "phase_diffed", "records_revived", "skill_extracted",
        "stm_digested",
    },
    "what a model said of them: tests/behaviour/learning": {
        "external_output", "extraction_undone", "facts_extracted", "summary_undone",
        "summary_worded",
    },
    "of the tenant or of an agent, and about no person": {
        "branch_closed", "branch_opened", "identity_patch_proposed", "incident",
        "mandates_observed", "policy_adopted",
    },
}  # fmt: skip


def told(memory: Memory) -> tuple[Agent, Job]:
    mona = memory.agent("ada", user="mona")
    job = mona.job("monas-own")
    for kind, (plant, _) in KINDS.items():
        plant(mona, job, WORDS[kind])
    for kind, (tell, _) in OFFICES.items():
        tell(memory, WORDS[kind])
    # Whoever says something now says it under the hold, which their own log then names.
    memory.agent("ada", user="tuff").remember("I have told nothing of it")
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
        found = {kind: repr(find(mona, job)) for kind, (_, find) in KINDS.items()}
        found |= {kind: repr(find(running.memory)) for kind, (_, find) in OFFICES.items()}
    assert [kind for kind, told in found.items() if WORDS[kind] not in told.lower()] == []


def heard_at(caller: Caller) -> Iterator[tuple[Route, set[str]]]:
    """Every route, asked for all there is; of what streams, what comes at once."""
    words = {"query": ASKED, "text": ASKED, "prompt": ASKED, "prefix": "", "session": "s"}
    words |= {"key": KEY, "target_sem_key": KEY, "number": "1"}
    for route in ROUTES:
        if route.streams:
            asked = {"question": ASKED, "limit": 20} if "watch" in route.path else {"limit": 200}
            answer = caller.follow(route.path, **asked)
        else:
            made = requests(route, absent(ABSENT) | words)
            answer = caller.http.request(made.pop("method"), made.pop("url"), **made).text
        yield route, {kind for kind, word in WORDS.items() if word in answer.lower()}


def test_no_route_tells_anybody_else(service: Running) -> None:
    told = [
        (who, route.method, route.path, kind)
        for who, caller in strangers(service).items()
        for route, heard in heard_at(caller)
        for kind in sorted(heard - ALLOWED.get(who, set()))
    ]
    assert not told, "\n".join(map(str, told))


def test_the_same_routes_tell_the_owner_of_every_kind(service: Running) -> None:
    """Asked as others are, through her own key; what is about her is not all hers to read."""
    found = {route.path: heard for route, heard in heard_at(service.user(user="mona"))}

    assert {*KINDS} - set().union(*found.values()) == set()
    assert len(found["/v1/log/stream"]) > len(KINDS) // 2
    assert "episode" in found["/v1/watch"]


def sealed_events() -> set[str]:
    """The events that hold words of somebody, by their names in a log."""
    return {
        str(kind.__struct_config__.tag)
        for kind in get_args(AnyEvent)
        if "sealed" in repr(get_type_hints(kind, include_extras=True))
    }


def test_every_event_that_holds_words_has_held_a_secret_or_says_why_not() -> None:
    """The table follows the log: a new event with sealed words fails here until it has a row."""
    with muniment.open(":memory:") as memory:
        told(memory)
        planted = {
            str(type(event).__struct_config__.tag)
            for event in _every_entry(memory)
            if any(word in repr(event).lower() for word in WORDS.values())
        }

    excused = {name for names in NO_SECRET.values() for name in names}
    assert sealed_events() - planted - excused == set()
    assert excused - sealed_events() == set(), "no such event"
    assert excused & planted == set(), "it has held a secret, and needs no excuse"


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
