"""Legal holds: over random histories no door ends what one covers, and every log proves."""

from collections.abc import Callable
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st
from tests import soaking, world
from tests.laws.test_rollback import ACTS, MARCH, OTHER, PAGE, QUERIES, STORIES, reads

from muniment.engine.api.memory import Memory
from muniment.model.errors import MunimentError
from muniment.model.policy import Governance, Policy
from muniment.model.policy.keep_days import KINDS, KeepDays

DAY = 24 * 60
SWEPT = Policy(
    keep_days=KeepDays(**dict.fromkeys(KINDS, 3)), governance=Governance(retention_epochs=1)
)


def _each(verb: str) -> Callable[[Memory], None]:
    """Ends, or puts right, whatever a question finds, one by one."""

    def tried(memory: Memory) -> None:
        ada = memory.agent("ada", user="tuff")
        found = [hit.id for query in QUERIES for hit in memory.onlooker("ada").recall(query).hits]
        talk = ada.conversation(session="s")
        found += [item.id for kind in ("short_term", "semantic") for item in talk.items(kind)]
        for name in dict.fromkeys(found):
            with suppress(MunimentError):
                if verb == "forget":
                    ada.forget(name)
                else:
                    ada.correct(name, "something else")

    return tried


def _erase(memory: Memory) -> None:
    request = memory.eraser("owner").request("tuff", reason="he asks")
    memory.council("ann").approve(request)
    memory.eraser("owner").carry_out(request)


def _discard(memory: Memory) -> None:
    for branch in memory.branches().list():
        memory.branches().discard(branch.name)


ENDS: dict[str, Callable[[Memory], object]] = {
    "forget": _each("forget"),
    "correct": _each("correct"),
    "where": lambda it: it.agent("ada", user="tuff").forget_where({"not": {"session": "none"}}),
    "memos": lambda it: it.agent("ada", user="tuff").forget_memos("SM", "least important"),
    "page": lambda it: it.agent("ada", user="tuff").roll_back("source", "example.org"),
    "sender": lambda it: it.agent("ada", user="tuff").roll_back("source", OTHER),
    "session": lambda it: it.agent("ada", user="tuff").roll_back("session", "s"),
    "clear": lambda it: it.agent("ada", user="tuff").documents().clear(("notes",)),
    "drop": lambda it: it.agent("ada", user="tuff").documents().drop(("notes",), PAGE),
    "thin": lambda it: it.agent("ada", user="tuff").thin(items_max=0),
    "erase": _erase,
    "discard": _discard,
    "sweep": lambda it: it.admin().carry_out_due(),
}


@settings(max_examples=soaking.times(12, 1_000), deadline=None)
@given(story=STORIES, ends=st.lists(st.sampled_from(sorted(ENDS)), min_size=1, max_size=6))
def test_a_hold_is_passed_by_no_door(story: list[tuple[str, str, str]], ends: list[str]) -> None:
    """Given a hold on a person, when every door is tried, then each read is as it was."""
    clock = world.StillClock(MARCH)
    memory = world.memory(SWEPT, clock=clock)
    ada = memory.agent("ada", user="tuff")
    for verb, text, source in story:
        with suppress(MunimentError):
            ACTS[verb](ada, text, source)
    ada.flush()
    clock.later(minutes=5 * DAY)
    hold = memory.admin().place_hold(user="tuff", reason="order")
    before = reads(memory)
    for name in ends:
        with suppress(MunimentError):
            ENDS[name](memory)
    assert told(reads(memory)) == told(before)
    memory.prove()
    memory.admin().lift_hold(hold)
    memory.prove()


def told(found: dict[str, object]) -> dict[str, object]:
    """Which records there are: not their scores, which count what was asked meanwhile, and not the
    policy of a log that a refusal has begun.
    """
    return {
        name: sorted((each[0], each[1]) for each in records if "policy_adopted" not in each)
        if name.startswith("recall") or name == "export"
        else records
        for name, records in found.items()
        if isinstance(records, list | set)
    }
