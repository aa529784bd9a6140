"""A memory that holds something of every kind, and every id that its reads give out."""

from collections.abc import Iterator

import msgspec

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory

LOOPS = 6  # three may be forgotten, and a skill still rests on the others
KEY = "user/profile/user_tuff/color"
# Fields that name no record: whoever speaks, where, and how a request is told from another.
NO_RECORD = frozenset(
    {"agent_id", "user_id", "trace_id", "task_id", "reflective_log_id", "phase_id"}
)
NAMED_BY_NAME = frozenset({"NamedEntity"})  # what has no other name than the one people use


def live(memory: Memory, ada: Agent, agent: str = "ada") -> dict[str, str]:
    """Something of every kind, told through every door of a program; an id of each."""
    found = {
        "episode": ada.remember("The purple kite is in the attic").episodic_id,
        "message": ada.conversation(session="monday")
        .record(user="The purple lamp is in the cellar")
        .written[0]
        .id,
    }
    ada.remember_many(["My purple cat sleeps", "My purple dog eats"])
    found["sentence of many"] = ada.recall("cat sleeps").hits[0].id
    ada.conversation(session="monday").record(user="Remember for me that I prefer purple socks")
    found["item of a space"] = ada.conversation(session="monday").items("semantic", "user")[0].id
    ada.documents().put(["notes"], "p", {"text": "a purple note"})
    found["document"] = ada.recall("a purple note").hits[0].id
    ada.sem_put(KEY, "purple")
    found["governed fact"] = KEY
    _work(ada, found)
    _loop(memory, ada, found, agent)
    turns = [
        ada.thread(channel, explicit=True).turn(f"we speak of the purple {thing}")
        for channel, thing in [("desk", "harbour"), ("mail", "sailor"), ("phone", "lighthouse")]
    ]
    found |= {"turn": turns[0].memo_ids[0], "thread": turns[1].thread_id}
    found["talk"] = turns[2].episode_id
    ada.remember("My wife Vera works at Purple Trams")
    found["entity"] = ada.entities(kind="person")[0].name
    found["receipt"] = ada.context("purple").receipt.receipt_id
    asked = ada.remember("Remember my favourite colour is purple").question
    assert asked is not None
    found["question"] = asked.confirmation_id
    found["request"] = ada.confirm(asked.confirmation_id)
    found["consent"] = ada.consent("you may keep my number")
    return found


def _work(ada: Agent, found: dict[str, str]) -> None:
    job = ada.job("a job")
    said = {"source": "user"}
    fact = {"content": "The purple vase is here", "type": "fact"}
    found["fact memo"] = job.memorize(fact | said).ids[0]
    seen = {"content": "We saw the purple boat", "type": "observation"}
    found["memo of what happened"] = job.memorize(seen | said).ids[0]
    thought = {"content": "look for the purple hat", "type": "thought"}
    found["scratchpad memo"] = job.memorize(thought, store="WM").ids[0]
    found["working entry"] = job.wm_insert({"type": "fact", "value": "purple coat"})
    used = job.wm_insert({"type": "fact", "value": "purple hat"})
    job.reference(used)
    job.reference(used)
    job.tick()
    found["consolidated item"] = job.cwm().items[0].cwm_id_item
    job.set_goal("g1", "find what is purple")
    found["goal"] = "g1"


def _loop(memory: Memory, ada: Agent, found: dict[str, str], agent: str) -> None:
    for _ in range(LOOPS):
        with ada.do("Find the purple box for me") as loop:
            call = loop.tool_call("find", {"q": "purple"})
            loop.tool_result(call, "the purple box is on the shelf")
            loop.answer("the purple box")
    memory.subconscious(agent).dream()
    view = memory.actor_view(agent)
    first, second, third = view.loops()[:3]
    found |= {"mirror entry": first.mirror_ids[0], "loop summary": second.id, "loop": third.loop_id}
    found["event"] = first.mirror_ids[1].removeprefix("ltm:")
    found["skill"] = ada.skills()[0].skill_id


def reads(memory: Memory, ada: Agent) -> list[object]:
    """The answers of everything that gives out ids."""
    talk, view = ada.conversation(session="monday"), memory.actor_view("ada")
    return [
        ada.recall("purple", limit=40).hits,
        ada.episodic_query("purple"),
        ada.rag_query("purple", {"top_k": 40}),
        ada.fuzzy_query("purple box", {"threshold": 0}),
        ada.skills(),
        ada.threads(),
        ada.entities(),
        ada.extracted_facts(),
        ada.summary(),
        ada.questions(),
        ada.requests(),
        [ada.memos(place) for place in ("WM", "EM", "SM")],
        [talk.items(kind, space) for kind in KINDS for space in ("session", "user")],
        talk.recall("purple").items,
        view.loops(),
        view.rag_query("purple", {"top_k": 40}),
    ]


KINDS = ("short_term", "semantic", "profile")


def given(value: object) -> Iterator[str]:
    """Every id inside an answer, at any depth."""
    match value:
        case list() | tuple():
            for each in value:
                yield from given(each)
        case msgspec.Struct():
            for name in value.__struct_fields__:
                yield from _under(value, name, getattr(value, name))
        case _:
            return


def _under(holder: object, name: str, inner: object) -> Iterator[str]:
    names_one = name == "id" or name.endswith(("_id", "_ids", "evidence", "summary_of"))
    by_name = name == "name" and type(holder).__name__ in NAMED_BY_NAME
    if (names_one or by_name) and name not in NO_RECORD:
        every = inner if isinstance(inner, list | tuple) else (inner,)
        yield from (each for each in every if isinstance(each, str) and each)
    yield from given(inner)
