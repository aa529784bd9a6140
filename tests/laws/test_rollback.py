"""To roll a source back and to undo that leaves every reading as it was."""

from collections.abc import Callable
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st
from tests import soaking, world

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model import ids
from muniment.model.errors import MunimentError

MARCH = ids.time_ms("2026-03-01T10:00:00.000Z")
PAGE, OTHER = "https://kites.example.org/a", "bert"
TEXTS = (
    "The purple kite is in the attic",
    "My favourite colour is purple",
    "My favourite colour is red",
    "I moved to Lisbon in March",
    "Remember that my sister is called Ines",
)
QUERIES = ("purple kite", "favourite colour", "Lisbon", "sister Ines")
WISH = ", remember this about me"
Act = Callable[[Agent, str, str], object]


def _memorize(ada: Agent, text: str, source: str) -> object:
    told = {"type": "fact", "text": text, "source": "tool", "importance": 1, "key": "kite:colour"}
    with ada.job("a job") as job:
        return job.memorize(told | {"source_name": source})


def _correct(ada: Agent, text: str, source: str) -> object:
    hits = ada.recall(text).hits
    return ada.correct(hits[0].id, f"{text}, {source}") if hits else None


def _put(ada: Agent, text: str, source: str) -> object:
    return ada.documents().put(("notes",), source, {"text": text})


def _forget(ada: Agent, text: str, source: str) -> object:
    del source
    hits = ada.recall(text).hits
    return ada.forget(hits[-1].id) if hits else None


ACTS: dict[str, Act] = {
    "remember": lambda ada, text, source: ada.remember(text, source=source),
    "many": lambda ada, text, source: ada.remember_many([text, f"{text} again"], source=source),
    "record": lambda ada, text, source: ada.conversation(session="s").record(
        user=text, source=source
    ),
    "wish": lambda ada, text, source: ada.conversation(session="s").record(
        user=f"{text}{WISH}", source=source
    ),
    "memorize": _memorize,
    "correct": _correct,
    "put": _put,
    "forget": _forget,
}
STORIES = st.lists(
    st.tuples(
        st.sampled_from(sorted(ACTS)), st.sampled_from(TEXTS), st.sampled_from([PAGE, OTHER])
    ),
    min_size=2,
    max_size=9,
)
TARGETS = st.sampled_from([("source", "example.org"), ("source", OTHER), ("session", "s")])


def reads(memory: Memory, at: int | None = None) -> dict[str, object]:
    """What every door tells, without a trace of the asking."""
    looker, ada = memory.onlooker("ada", user="tuff"), memory.agent("ada", user="tuff")
    talk = ada.conversation(session="s")
    found: dict[str, object] = {
        f"recall {query}": [
            (hit.id, hit.text, hit.score_ppm, hit.source)
            for hit in looker.recall(query, at=at).hits
        ]
        for query in QUERIES
    }
    for kind in ("short_term", "semantic", "profile"):
        for space in ("session", "user"):
            items = talk.items(kind, space, at=at)
            found[f"items {kind} {space}"] = [(each.id, each.text) for each in items]
    found["documents"] = [
        (each.key, each.value) for each in ada.documents().newest(("notes",), 20, at=at)
    ]
    found["day"] = [
        (hit.id, hit.text) for hit in looker.recall("kite", at=at, valid_at="2026-03-02").hits
    ]
    if at is None:
        # Ages are counted in entries, and order the lines of a context: a rollback is some more.
        # Of two that say the same the first stands there, with the wish or without it.
        told = looker.context("What is my favourite colour?", budget=2_000).text
        lines = (line.removesuffix(WISH) for line in told.splitlines())
        found["context"] = {line for line in lines if not line.startswith("#")}
        exported = memory.exchange().records()
        found["export"] = [(each.event, each.id, each.text) for each in exported]
    return found


@settings(max_examples=soaking.times(12, 1_000), deadline=None)
@given(story=STORIES, target=TARGETS)
def test_a_rollback_that_is_undone_leaves_every_reading_as_it_was(
    story: list[tuple[str, str, str]], target: tuple[str, str]
) -> None:
    memory = world.memory(clock=world.StillClock(MARCH))
    ada = memory.agent("ada", user="tuff")
    for verb, text, source in story:
        with suppress(MunimentError):
            ACTS[verb](ada, text, source)
    ada.flush()
    seq = ada.seq
    before, past = reads(memory), reads(memory, at=seq)
    done = ada.roll_back(*target)
    if done.first:
        assert ada.undo_rollback(done.first)
    assert reads(memory) == before
    assert reads(memory, at=seq) == past
    for proof in memory.prove():
        assert proof.undecided == 0
