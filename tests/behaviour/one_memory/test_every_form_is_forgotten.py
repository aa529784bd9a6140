"""What was told goes with every form of it, by whichever id it is forgotten or corrected."""

from collections.abc import Callable

import pytest
from tests import world
from tests.behaviour.one_memory import forgetting
from tests.behaviour.one_memory.forgetting import PLANTED, TOLD, WAYS, Way

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.search.recall_results import Record

OTHER_WORDS = "The quay is of granite"


def forgotten(ada: Agent, item_id: str) -> None:
    ada.forget(item_id)


def corrected(ada: Agent, item_id: str) -> None:
    ada.correct(item_id, OTHER_WORDS)


def told(way: Way) -> tuple[Memory, Agent, list[str]]:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    way(ada)
    return memory, ada, forgetting.ids_of(ada)


def records_of(ada: Agent) -> list[Record]:
    return [each for each in ada.records(limit=50).records if PLANTED in each.text]


@pytest.mark.parametrize("end", [forgotten, corrected])
@pytest.mark.parametrize("way", WAYS)
def test_no_read_gives_what_was_forgotten_by_any_of_its_ids(
    way: Way, end: Callable[[Agent, str], None]
) -> None:
    _, ada, ids = told(way)
    assert ids, "it was told"
    assert forgetting.telling(ada)
    for n in range(len(ids)):
        memory, ada, again = told(way)

        end(ada, again[n])

        assert forgetting.telling(ada) == set()
        assert memory.prove()


def test_the_call_stays_when_only_its_result_is_forgotten() -> None:
    _, ada, ids = told(forgetting.by_tracked_result)

    ada.forget(next(each for each in ids if each.startswith("ltm:")))

    assert [hit.text for hit in ada.recall("lookup").hits] == ['lookup {"q":"harbour"}']


def test_another_call_with_the_same_answer_is_another_record() -> None:
    ada = world.memory().agent("ada", user="tuff")
    for place in ("the pier", "the gate"):
        with ada.job(session=place) as job:
            job.track_tool_invocation("lookup", {"at": place}, TOLD)
    assert len(records_of(ada)) == 4
    first = min(records_of(ada), key=lambda each: each.seq)

    ada.forget(first.id)

    assert {each.layer for each in records_of(ada)} == {"memo_em", "mirror"}


def test_a_loop_that_is_forgotten_takes_the_memo_of_its_tool_along() -> None:
    ada = world.memory().agent("ada", user="tuff")
    with ada.job(session="work") as job:
        job.track_tool_invocation("lookup", {"q": "harbour"}, TOLD)
        named = job.loop_id

    ada.forget(named)

    assert forgetting.telling(ada) == set()


def test_forgetting_by_filter_takes_every_form_along() -> None:
    _, ada, _ = told(forgetting.by_tracked_result)

    ada.forget_where({"metadata.tool_name": "lookup", "origin": "tool"})

    assert forgetting.telling(ada) == set()
