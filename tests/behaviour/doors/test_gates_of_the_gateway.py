"""The small gates behind every door: which verbs a key has, how often it calls, what it shows."""

import pytest

from muniment.adapters.gateway import permissions, rate_limits
from muniment.adapters.gateway.errors import RateLimitedError
from muniment.adapters.gateway.rate_limits import Allowance, Limiter, Rate
from muniment.model.errors import InputError
from muniment.model.scope import Persona, Role


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_verb_is_allowed_by_role_and_persona_and_by_what_a_key_was_narrowed_to() -> None:
    actor = Persona.ACTOR
    assert permissions.allows("recall", Role.USER, actor, ())
    assert permissions.allows("recall", Role.USER, actor, ("recall",))
    assert not permissions.allows("recall", Role.USER, actor, ("log",))
    assert not permissions.allows("payloads", Role.USER, actor, ())
    assert not permissions.allows("payloads", Role.USER, actor, ("payloads",))
    assert not permissions.allows("dream", Role.AGENT, actor, ())
    assert permissions.allows("dream", Role.AGENT, Persona.SUBCONSCIOUS, ())


def test_a_key_is_narrowed_to_verbs_that_are_there() -> None:
    permissions.check(("recall", "log"))
    with pytest.raises(InputError) as refused:
        permissions.check(("recall", "zap", "yap"))
    assert "there is no verb 'yap'; there are " in refused.value.detail
    assert "confirm, consent, " in refused.value.detail


def test_a_bucket_empties_says_how_long_to_wait_and_fills_by_the_clock() -> None:
    clock = Clock()
    limiter = Limiter(Rate(per_second=0.25, burst=2), clock)
    assert limiter.allowance("a") == Allowance(2, 2, 0)
    limiter.take("a")
    assert limiter.allowance("a") == Allowance(2, 1, 4)
    limiter.take("a")
    with pytest.raises(RateLimitedError) as refused:
        limiter.take("a")
    assert refused.value.meta["retry_after"] == "4"
    assert limiter.allowance("b") == Allowance(2, 2, 0), "each has a bucket of their own"
    clock.now = 4.0
    assert limiter.allowance("a") == Allowance(2, 1, 4)
    limiter.take("a")


def test_whoever_waits_for_less_than_a_second_is_told_one() -> None:
    limiter = Limiter(Rate(per_second=100, burst=1), Clock())
    limiter.take("a")
    with pytest.raises(RateLimitedError) as refused:
        limiter.take("a")
    assert refused.value.meta["retry_after"] == "1"


def test_a_header_shows_a_key_behind_a_known_word_and_else_nothing() -> None:
    assert rate_limits.token("Bearer mk_1") == "mk_1"
    assert rate_limits.token("tOKEN  mk_1 ") == "mk_1"
    assert rate_limits.token("Basic mk_1") == ""
    assert rate_limits.token("") == ""
