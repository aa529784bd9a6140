"""A refusal is told with its reason in words, and in the same words at every door."""

import pytest
from tests.service import serving

from muniment.adapters.cli import errors
from muniment.adapters.http import responses
from muniment.adapters.mcp.responses import UNKNOWN, plain
from muniment.adapters.rendering.refusal_texts import REASONS
from muniment.model.errors import HELD, NotFoundError, RefusedError

# MCP answers these as what is not there, or not allowed.
NOT_TOLD = {*UNKNOWN, "role_not_allowed"}


@pytest.mark.parametrize("reason", sorted(REASONS.keys() - NOT_TOLD))
def test_every_reason_is_told_in_the_same_words_at_every_door(reason: str) -> None:
    over_http = responses.envelope(RefusedError(reason))

    assert over_http.user_message == plain(RefusedError(reason))["message"]
    assert over_http.user_message == errors.envelope(RefusedError(reason)).user_message
    assert over_http.user_message != RefusedError.sentence
    assert over_http.meta["reason"] == plain(RefusedError(reason))["detail"] == reason


def test_what_is_not_there_is_told_as_that_to_a_model() -> None:
    for reason in UNKNOWN:
        assert plain(RefusedError(reason))["error_code"] == NotFoundError.code


def test_a_hold_is_named_and_nothing_is_added_to_it() -> None:
    told = responses.envelope(RefusedError(HELD, "hold:1"))

    assert told.user_message == "I did not do that: it is under the legal hold hold:1."


def test_over_http_whoever_forgets_what_is_not_there_is_told_so() -> None:
    with serving() as service:
        answer = service.user().send("POST", "/v1/forget", json={"item_id": "ep:none"}).json()

    assert answer["user_message"] == "I did not do that: there is no such item."
    assert (answer["error_code"], answer["meta"]["reason"]) == ("REFUSED", "item_unknown")


def test_over_http_a_key_without_a_person_sets_no_timeout_for_all_threads() -> None:
    with serving() as service:
        answer = service.agent(user="").send("POST", "/v1/threads/timeout", json={"minutes": 90})

    told = answer.json()
    assert told["meta"]["reason"] == "timeout_needs_a_person"
    assert told["user_message"] == (
        "I did not do that: a timeout for all threads needs a person, and none is named."
    )
