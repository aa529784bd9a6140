"""Where a model is named, the studio counts the texts that wait for it."""

from tests.studios import TOKEN, Browser

import muniment
from muniment import Neighbours
from muniment.adapters.studio.auth import Sessions
from muniment.adapters.studio.page_context import Studio
from muniment.engine.api.memory import Memory


def model(instructions: str, text: str) -> str:
    del instructions, text
    return '{"facts": []}'


def waiting(memory: Memory) -> str:
    return Browser(Studio(lambda: memory, Sessions(TOKEN), place=":memory:")).get("/waiting")


def test_texts_that_no_model_has_read_are_counted_until_one_has() -> None:
    memory = muniment.open(":memory:", neighbours=Neighbours(model=model))
    ada = memory.agent("ada", user="tuff")
    ada.remember_many(["I moved to Lisbon in March", "My desk is in room 12"])

    before = waiting(memory)
    ada.extract_facts()

    assert '<span class="number">2</span> texts of Ada no model has read' in before
    assert "0 texts of Ada no model has read" in waiting(memory)


def test_without_a_model_nothing_waits_for_one() -> None:
    memory = muniment.open(":memory:")
    memory.agent("ada", user="tuff").remember("I moved to Lisbon in March")

    assert "no model has read" not in waiting(memory)
