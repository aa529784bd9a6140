"""Restoring one record: what was forgotten is back under its own id, where it stood."""

import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.model.errors import NotFoundError, RefusedError

ASKED = "Where is the purple kite?"


def heard(ada: Agent) -> list[tuple[str, str]]:
    return [(hit.id, hit.text) for hit in ada.recall(ASKED).hits]


def test_what_was_forgotten_is_back_under_its_own_id_and_every_answer_is_as_it_was() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    kite = ada.remember("The purple kite is in the attic").episodic_id
    ada.remember("The purple lamp is new")
    before = heard(ada)
    ada.forget(kite)
    assert kite not in dict(heard(ada))
    with pytest.raises(NotFoundError):
        ada.episode(kite)

    assert ada.restore(kite) == 1

    assert heard(ada) == before
    assert ada.episode(kite).summary == "The purple kite is in the attic"
    memory.prove()


def test_it_can_be_forgotten_and_restored_again_and_again() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    kite = ada.remember("The purple kite is in the attic").episodic_id
    for _ in range(3):
        ada.forget(kite)
        assert heard(ada) == []
        ada.restore(kite)
        assert heard(ada) == [(kite, "The purple kite is in the attic")]
    with pytest.raises(RefusedError, match="item_is_there"):
        ada.restore(kite)
    memory.prove()


def test_of_sentences_that_were_told_together_the_one_that_is_named_is_back() -> None:
    ada = world.memory().agent("ada", user="tuff")
    ada.remember_many(["The purple kite is in the attic", "The purple boat is sold"])
    told = {text.split()[2]: name for name, text in heard(ada)}
    kite, boat = told["kite"], told["boat"]
    ada.forget(kite)
    ada.forget(boat)
    ada.restore(boat)
    assert ada.episode(boat).summary == "The purple boat is sold"
    with pytest.raises(NotFoundError):
        ada.episode(kite)


def test_nobody_restores_what_is_about_somebody_else() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    kite = ada.remember("The purple kite is in the attic").episodic_id
    ada.forget(kite)
    with pytest.raises((NotFoundError, RefusedError)):
        memory.agent("ada", user="mia").restore(kite)
