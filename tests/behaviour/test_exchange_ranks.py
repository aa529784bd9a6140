"""Ranks after an exchange: what they are weighed by, and why they may differ where something ended.

How rare a word is, is counted over everything that an index ever held; what was forgotten is in
the counts of the memory that forgot it, and not in those of the memory it was not carried to.
"""

import msgspec
from tests import world

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.exchange.exchange_line import ExchangeLine

HARBOUR = "The harbour of Lisbon is closed on Mondays"
OTHERS = ("The harbour is deep", "The museum is closed in winter", "A heron stands in the reeds")
FORGOTTEN = "The harbour office in Porto moved to the old town"
QUESTION = "When is the harbour closed?"


def ada(memory: Memory) -> Agent:
    return memory.agent("ada", user="tuff")


def told(*texts: str) -> Memory:
    memory = world.memory()
    for text in texts:
        ada(memory).remember(text)
    return memory


def moved(memory: Memory) -> Memory:
    lines = [msgspec.json.encode(each) for each in memory.exchange().records()]
    other = world.memory(keyring=world.CountedKeyring(b"another"))
    read = [msgspec.json.decode(each, type=ExchangeLine) for each in lines]
    assert all(each.stored for each in other.exchange().carry(read))
    return other


def tell_and_forget(memory: Memory) -> None:
    ada(memory).forget(ada(memory).remember(FORGOTTEN).episodic_id)


def scores(memory: Memory) -> list[tuple[str, int]]:
    return [(hit.text, hit.score_ppm) for hit in ada(memory).recall(QUESTION, limit=9).hits]


def test_where_nothing_ended_every_score_is_the_same() -> None:
    one = told(HARBOUR, *OTHERS)
    assert scores(moved(one)) == scores(one) != []


def test_what_was_forgotten_is_not_carried_and_its_words_are_rarer_there() -> None:
    one = told(HARBOUR, *OTHERS)
    tell_and_forget(one)
    other = moved(one)
    assert "Porto" not in str(list(one.exchange().records()))
    assert scores(other)[0] == scores(one)[0]
    assert {text for text, _ in scores(other)} == {text for text, _ in scores(one)}
    assert scores(other) != scores(one)


def test_nothing_else_differs_once_the_same_was_told_and_forgotten_there() -> None:
    one = told(HARBOUR, *OTHERS)
    tell_and_forget(one)
    other = moved(one)
    tell_and_forget(other)
    assert scores(other) == scores(one)
