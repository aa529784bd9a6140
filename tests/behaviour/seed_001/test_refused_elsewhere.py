"""What another space refuses is refused where it was asked; it is not "nothing done"."""

from collections.abc import Callable

import pytest
from tests.talks import letter

import muniment
from muniment.engine.conversation.conversation import Conversation
from muniment.model.errors import RefusedError
from muniment.model.kinds.conversation_item import Space
from muniment.model.policy import Policy
from muniment.model.policy.conversation import Spaces

OPEN = Policy(spaces=Spaces(write_spaces=(Space.SESSION, Space.USER, Space.PROJECT)))
SAID = {"session": "I prefer figs", "user": "I prefer tea", "project": "We decided to ship Friday"}


def talk(policy: Policy) -> Conversation:
    memory = muniment.open(":memory:", policy=policy)
    return memory.agent("ada", user="tuff").conversation(session="s", project="p")


@pytest.mark.parametrize("space", ["session", "user", "project"])
def test_an_item_that_is_gone_is_forgotten_nowhere(space: str) -> None:
    here = talk(OPEN)
    here.record(user=SAID[space], space=space)
    (item,) = here.items("semantic", space)

    gone, *copies = here.forget(item.id).deleted
    with pytest.raises(RefusedError) as refused:
        here.forget(item.id)

    assert gone.item_id == item.id
    assert {each.item_id.split(":")[2] for each in copies} <= {"short_term"}
    assert refused.value.reason == "item_unknown"


@pytest.mark.parametrize(
    "ask",
    [
        lambda here: here.forget("user:tuff:semantic:7"),
        lambda here: here.promote("user:tuff:semantic:7", "project"),
        lambda here: here.undo(here.record(user=SAID["user"], space="user").seq),
    ],
    ids=["forget", "promote", "undo"],
)
def test_what_a_shared_space_refuses_is_refused(ask: Callable[[Conversation], object]) -> None:
    with pytest.raises(RefusedError):
        ask(talk(OPEN))


def test_a_space_that_may_not_be_written_says_so() -> None:
    here = talk(letter())
    here.record(user="I prefer trains to planes", promote_to="user")
    (item,) = here.items("semantic", "user")

    with pytest.raises(RefusedError) as refused:
        here.forget(item.id)

    assert refused.value.reason == "write_space_disallowed"
    assert here.items("semantic", "user") == [item]
