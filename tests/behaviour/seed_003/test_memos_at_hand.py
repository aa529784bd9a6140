"""Memos in a context: what the index has at hand is not opened for every context again."""

from tests import world

QUESTION = "Which harbour does the ferry leave from?"
MEMOS = [f"The ferry number {n} leaves from harbour {n} in the morning." for n in range(12)]


def test_a_second_context_opens_no_memo_that_the_first_has_opened() -> None:
    store = world.OpeningStore()
    memory = world.memory(store=store)
    ada = memory.agent("ada", user="tuff")
    for text in MEMOS:
        ada.memorize({"type": "observation", "text": text}, store="EM")
    first = ada.context(QUESTION, budget=800)
    assert sum(text in str(first) for text in MEMOS) > 3, "they are in it"
    store.handed_out = 0
    assert str(memory.agent("ada", user="tuff").context(QUESTION, budget=800)) == str(first)
    assert store.handed_out == 0


def test_a_memo_that_came_back_is_told_again() -> None:
    ada = world.memory().agent("ada", user="tuff")
    for text in MEMOS[:3]:
        ada.memorize({"type": "observation", "text": text}, store="EM")
    gone = ada.recall(MEMOS[2]).hits[0]
    assert gone.text == MEMOS[2]

    ada.forget(gone.id)
    assert MEMOS[2] not in str(ada.context(QUESTION, budget=2_000))

    ada.restore(gone.id)
    assert MEMOS[2] in str(ada.context(QUESTION, budget=2_000))
