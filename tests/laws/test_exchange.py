"""Laws of exchange: what is exported and carried into an empty memory is read there as before."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from tests import soaking, world
from tests.histories import PERSONAS, SAID, SENTENCES, TENANTS, VERBS, Play, Step
from tests.postgres import NewStore

from muniment.adapters.storage.sqlite import SqliteStore
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.decide.exchange.carried_state import THERE
from muniment.engine.exchange.exchange_line import ExchangeLine
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Store
from muniment.model.errors import MunimentError
from muniment.model.kinds.conversation_item import MemoryItem

# In parts, each by its seed: a soak spreads them over its workers, and a red one is run alone.
PARTS, OF_ONE = soaking.times(1, 20), 50 if soaking.times(0, 1) else 12
# A policy that names another embedder, or another identity, changes what each later write becomes.
NOT_CARRIED = {"switch_index", "apply", "learn"}
# Ranks are weighed by how many there ever were, and what was taken back is not carried.
TAKING_BACK = {"forget", "retract", "undo", "forget_memos", "drop_document", "restore_memo"}
TAKING_BACK |= {"document_for_a_while"}  # it ends, or is moved away
CARRIED = tuple(each for each in VERBS if each not in NOT_CARRIED)
TOLD = tuple(each for each in CARRIED if each not in TAKING_BACK)
DAY = "2026-10-01"
EVERY = 100  # more than a history holds
OWN = {"seq", "born", "died", "place", "evidence", "receipt"}  # where an entry stands
# What stands for a redacted number is keyed: a question that holds it is answered by its own words.
ASKED = (SENTENCES[0], SENTENCES[2], SAID[1], SAID[3])
questions = st.sampled_from(ASKED)  # one for each history: asking takes most of the time


def told(verbs: tuple[str, ...]) -> st.SearchStrategy[list[Step]]:
    step = st.builds(
        Step,
        tenant=st.integers(0, 1),
        persona=st.integers(0, 1),
        verb=st.sampled_from(verbs),
        n=st.integers(0, 6),
    )
    return st.lists(step, min_size=1, max_size=30)


def played(history: list[Step], store: Store | None = None) -> Play:
    return Play(store or ScratchStore(), world.CountedKeyring()).run(history)


def spoken(history: list[Step]) -> list[str]:
    """The tenants that anything was said to: of the others nothing is carried."""
    return sorted({TENANTS[step.tenant] for step in history})


def moved(
    memory: Memory,
    now: world.StillClock,
    store: Store | None = None,
    keyring: world.CountedKeyring | None = None,
) -> Memory:
    """An empty memory with other keys, into which everything was carried by way of bytes."""
    lines = [msgspec.json.encode(each) for each in memory.exchange().records()]
    keyring = keyring or world.CountedKeyring(b"another")
    other = world.memory(keyring=keyring, tenant=memory.tenant, clock=now, store=store)
    read = [msgspec.json.decode(each, type=ExchangeLine) for each in lines]
    answers = list(other.exchange().carry(read, rules=True))
    # What a log derives of its loops it may have derived before the file's own comes.
    assert [each for each in answers if not each.stored and each.reason != THERE] == []
    assert {each.line.log for each in answers if each.reason == THERE} <= {"collection"}
    return other


def hands(memory: Memory, persona: str) -> Agent:
    return (
        memory.subconscious("ada")
        if persona == "subconscious"
        else memory.agent("ada", user="tuff")
    )


def tried(read: Callable[[], object]) -> object:
    try:
        return read()
    except MunimentError as error:
        return error.code


def bare(value: object) -> object:
    """An answer without where its entries stand: that is each log's own."""
    match value:
        case msgspec.Struct():
            named = {name: getattr(value, name) for name in value.__struct_fields__}
            if isinstance(value, MemoryItem) and "known" in value.meta.recall_reason:
                named.pop("created_at")  # of what no conversation holds: where it stands
            return bare(named)
        case dict():
            return {str(name): bare(inner) for name, inner in value.items() if name not in OWN}
        case list() | tuple():
            return [bare(each) for each in value]
        case _:
            return value


def listed(memory: Memory, persona: str) -> dict[str, object]:
    """Every read that lists what there is, by its name."""
    agent = hands(memory, persona)
    found: dict[str, Callable[[], object]] = {
        "facts": lambda: agent.sem_search(""),
        "facts of a day": lambda: agent.sem_search("", valid_at=DAY),
        "skills": agent.skills,
        "threads": agent.threads,
        "questions": agent.questions,
        "sessions": lambda: [agent.cwm_get(session=each) for each in ("s", "")],
        "documents": lambda: agent.documents().within(()),
        "history": lambda: [agent.documents().history(("moved",), f"k{n}") for n in (0, 1)],
    }
    for place in ("WM", "EM", "SM"):
        found[f"memos {place}"] = partial(agent.memos, place)
    for session in ("s", "t", ""):
        talk = agent.conversation(session=session, project="apollo")
        for space in ("session", "user", "project", "system"):
            for kind in ("short_term", "semantic", "profile"):
                found[f"{kind} of {session} in {space}"] = partial(talk.items, kind, space)
    return {name: bare(tried(read)) for name, read in found.items()}


def at_hand(memory: Memory, persona: str) -> object:
    """What the desk of an agent holds, but for counts of entries and for what each log names."""
    desk = hands(memory, persona)._session.writer.desk
    own = {"opened_at", "events", "packed_tokens", "kept_tokens", "touched_seq", "episodic_count"}
    held = {
        "policy": desk.policy,
        "jobs": list(desk.jobs.open.values()),
        "working": desk.working,
        "sessions": desk.consolidated.sessions,
        "owners": desk.consolidated.owners,
        "goals": desk.goals,
        "consents": desk.consents.given,
        "questions": desk.confirmations.open,
        "threads": desk.threads.open,
        "episodes": desk.threads.episodes,
        "links": desk.threads.links,
        "threshold": desk.threads.threshold_ppm,
        "mandates": (desk.memos.mandates, desk.memos.templates),
    }
    return without(msgspec.to_builtins(held, str_keys=True), own)


def without(value: object, names: set[str]) -> object:
    match value:
        case dict():
            return {name: without(its, names) for name, its in value.items() if name not in names}
        case list() | tuple():
            return [without(each, names) for each in value]
        case _:
            return value


def ranked(memory: Memory, persona: str, text: str) -> dict[str, object]:
    """Every read that answers a question, by its name."""
    agent = hands(memory, persona)
    found: dict[str, Callable[[], object]] = {
        "files": lambda: agent.documents().search((), "Lisbon"),
        "recall": partial(hits, agent, text),
        "recall of a day": partial(hits, agent, text, valid_at=DAY),
        "context": partial(context, agent, text),
        "episodes": partial(agent.episodic_query, text),
        "mirror": partial(agent.rag_query, text),
        "loops": partial(agent.fuzzy_query, text),
    }
    for session in ("s", "t", ""):
        found[f"talk {session}"] = partial(talk, agent, session, text)
    return {name: bare(tried(read)) for name, read in found.items()}


def answered(memory: Memory, persona: str, text: str) -> dict[str, object]:
    """What a question is answered with at all, in whatever order."""
    agent = hands(memory, persona)
    found: dict[str, Callable[[], object]] = {
        "recall": partial(ids_of, agent, text),
        "files": partial(names_of, agent, text),
        "context": partial(context, agent, text),
    }
    return {name: tried(read) for name, read in found.items()}


def ids_of(agent: Agent, text: str) -> list[str]:
    return sorted(hit.id for hit in agent.recall(text, limit=EVERY).hits)


def names_of(agent: Agent, text: str) -> list[tuple[str, ...]]:
    found = agent.documents().search((), text, limit=EVERY)
    return sorted((*each.namespace, each.key) for _, each in found)


def hits(agent: Agent, text: str, valid_at: str = "") -> object:
    return agent.recall(text, valid_at=valid_at).hits


def context(agent: Agent, text: str) -> object:
    """What it says: which of equals stands first depends on how long ago, counted in entries."""
    lines = agent.context(text, budget=4_000).text.splitlines()
    return sorted(line.partition("] ")[2] for line in lines if line.startswith("- "))


def talk(agent: Agent, session: str, text: str) -> object:
    return agent.conversation(session=session, project="apollo").recall(text).items


def each_history(part: int, verbs: tuple[str, ...], law: Callable[[list[Step], str], None]) -> None:
    @seed(part)
    @settings(max_examples=OF_ONE)
    @given(told(verbs), questions)
    def tried(history: list[Step], asked: str) -> None:
        law(history, asked)

    tried()


@pytest.mark.parametrize("part", range(PARTS))
def test_what_was_carried_into_an_empty_memory_is_read_there_as_before(part: int) -> None:
    def law(history: list[Step], asked: str) -> None:
        play = played(history)
        for tenant in spoken(history):
            one = play.memories[tenant]
            other = moved(one, play._actors[tenant, PERSONAS[0]].clock)
            for persona in PERSONAS:
                assert listed(other, persona) == listed(one, persona)
                assert at_hand(other, persona) == at_hand(one, persona)
                assert ranked(other, persona, asked) == ranked(one, persona, asked)
            other.prove()

    each_history(part, TOLD, law)


@pytest.mark.parametrize("part", range(PARTS))
def test_what_was_taken_back_is_not_carried_and_all_else_is_listed_and_found_as_before(
    part: int,
) -> None:
    def law(history: list[Step], asked: str) -> None:
        play = played(history)
        for tenant in spoken(history):
            one = play.memories[tenant]
            other = moved(one, play._actors[tenant, PERSONAS[0]].clock)
            for persona in PERSONAS:
                assert listed(other, persona) == listed(one, persona)
                assert at_hand(other, persona) == at_hand(one, persona)
                assert answered(other, persona, asked) == answered(one, persona, asked)

    each_history(part, CARRIED, law)


def fixed(number: int) -> list[Step]:
    """A history in which nearly every verb that takes nothing back has its day, by its seed."""
    steps, state = [], number
    for _ in range(80):
        state = (state * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % 2**64
        drawn = state >> 33
        steps.append(
            Step(
                tenant=drawn % len(TENANTS),
                persona=drawn // 2 % len(PERSONAS),
                verb=TOLD[drawn // 4 % len(TOLD)],
                n=drawn // 1024 % 7,
            )
        )
    return steps


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Store]:
    """A thousand of them would hold more files than a process may."""
    store = SqliteStore(tmp_path, ballast_bytes=0)
    yield store
    store.close()


@pytest.mark.parametrize("number", range(1, 1 + soaking.times(1, 334)))
@pytest.mark.parametrize("way", ["memory to folder", "folder to server", "server to memory"])
def test_it_holds_from_one_kind_of_store_to_another(
    way: str, number: int, folder: Store, new_postgres_store: NewStore
) -> None:
    makers: dict[str, Callable[[], Store]] = {
        "memory": ScratchStore,
        "folder": lambda: folder,
        "server": new_postgres_store,
    }
    source, _, target = way.partition(" to ")
    play, into = played(fixed(number), makers[source]()), makers[target]()
    keyring = world.CountedKeyring(b"another")  # of one store, whoever's logs lie in it
    for tenant, one in play.memories.items():
        other = moved(one, play._actors[tenant, PERSONAS[0]].clock, into, keyring)
        for persona in PERSONAS:
            assert listed(other, persona) == listed(one, persona)
            assert at_hand(other, persona) == at_hand(one, persona)
            for asked in ASKED if number == 1 else (ASKED[number % len(ASKED)],):
                assert answered(other, persona, asked) == answered(one, persona, asked)
        other.prove()
