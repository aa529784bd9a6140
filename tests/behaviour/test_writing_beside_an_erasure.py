"""Whoever writes for somebody who is being erased is told so, and may try again."""

import pytest
from tests.world import hub, memory

from muniment.engine.api.memory import Memory
from muniment.model.errors import BeingErasedError


def half_erased(of: Memory) -> str:
    """The moment in which a person's key is gone and their name still leads to it."""
    keyring = hub(of).parts.world.keyring
    ref = keyring.find("subject", "main/user_tuff")
    assert ref
    keyring._keys.pop(ref)  # type: ignore[attr-defined]
    return ref


def test_a_write_that_meets_an_erasure_is_refused_and_may_be_repeated() -> None:
    of = memory()
    tuff = of.agent("ada", user="tuff")
    tuff.remember("I drink tea")
    ref, before = half_erased(of), tuff.seq

    with pytest.raises(BeingErasedError) as refused:
        tuff.remember("and I drink water")

    told = refused.value.envelope()
    assert (told.error_code, told.retryable, told.outcome) == ("BEING_ERASED", True, "not_written")
    assert tuff.seq == before

    hub(of).parts.world.keyring.destroy(ref)  # the erasure has come to its end
    hub(of).forget_state()
    of.agent("ada", user="tuff").remember("I drink coffee")

    assert [hit.text for hit in of.agent("ada", user="tuff").recall("drink").hits] == [
        "I drink coffee"
    ]


def test_others_go_on_meanwhile() -> None:
    of = memory()
    of.agent("ada", user="tuff").remember("I drink tea")
    half_erased(of)

    assert of.agent("ada", user="mia").remember("I drink milk").stored
