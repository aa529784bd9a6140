"""The published schema of an exchange file is the one the code has, and every line fits it."""

import json
import os
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import msgspec
from tests import world

from muniment.adapters.exchange import exchange_file

SCHEMA = Path(__file__).parents[2] / "docs" / "exchange.schema.json"


def test_the_published_schema_is_the_one_the_code_has() -> None:
    shown = json.dumps(exchange_file.schema(), indent=1, ensure_ascii=False) + "\n"
    if os.getenv("MUNIMENT_GOLDEN") == "1":
        SCHEMA.write_text(shown, encoding="utf-8")
    assert SCHEMA.read_text(encoding="utf-8") == shown


def test_every_line_of_an_export_fits_the_schema_and_a_changed_one_does_not() -> None:
    memory = world.memory(clock=world.SteppingClock())
    agent = memory.agent("ada", user="tuff")
    told = agent.remember("I moved to Lisbon in March")
    agent.correct(told.episodic_id, "I moved to Porto in March")
    agent.remember_many(["One", "Two"])
    agent.conversation(session="s").record(user="My name is Ada and remember: I prefer tea")
    agent.documents().put(("prefs",), "k", {"a": 2.5})
    with agent.do("look something up") as loop:
        loop.tool_call("search", {"n": 1})
    with agent.job("seed") as job:
        job.memorize({"type": "thought", "text": "The dose was changed to 25 mg"})
        job.set_goal("g", "to be done")
    check = jsonschema.Draft202012Validator(exchange_file.schema())

    lines = [json.loads(msgspec.json.encode(each)) for each in memory.exchange().records()]

    assert {each["kind"] for each in lines} >= {"episode", "item", "profile", "document", "loop"}
    assert {each["kind"] for each in lines} >= {"memo", "goal"}
    for line in lines:
        check.validate(line)
        assert not check.is_valid(line | {"data": {**line["data"], "unheard_of": 1}})
