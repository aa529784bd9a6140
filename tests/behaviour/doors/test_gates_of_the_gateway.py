"""The small gates behind every door: which verbs a key has, how often it calls, what it shows."""

import pytest

import muniment
from muniment.adapters.gateway import api_keys, permissions, rate_limits
from muniment.adapters.gateway.api_keys import Grant, MemoryCredentials
from muniment.adapters.gateway.errors import RateLimitedError, UnauthorizedError
from muniment.adapters.gateway.gateway import Gateway
from muniment.adapters.gateway.rate_limits import Allowance, Doorkeeper, Limiter, Rate
from muniment.model.errors import InputError, PermissionDeniedError
from muniment.model.policy import Governance
from muniment.model.scope import Channel, Persona, Role
from muniment.rules import governance


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
    assert permissions.check(("recall", "log", "recall")) == ("log", "recall")
    with pytest.raises(InputError) as refused:
        permissions.check(("recall", "zap", "yap"))
    assert "there is no verb 'yap'; there are " in refused.value.detail
    assert "confirm, consent, " in refused.value.detail


def test_a_bucket_empties_says_how_long_to_wait_and_fills_by_the_clock() -> None:
    clock = Clock()
    clock.now = 10.0
    limiter = Limiter(Rate(per_second=0.25, burst=2), clock)
    assert limiter.allowance("a") == Allowance(2, 2, 0)
    limiter.take("a")
    assert limiter.allowance("a") == Allowance(2, 1, 4)
    limiter.take("a")
    with pytest.raises(RateLimitedError) as refused:
        limiter.take("a")
    assert refused.value.meta["retry_after"] == "4"
    assert limiter.allowance("b") == Allowance(2, 2, 0), "each has a bucket of their own"
    clock.now = 12.0
    with pytest.raises(RateLimitedError) as refused:
        limiter.take("a")
    assert refused.value.meta["retry_after"] == "2", "half a token is there"
    clock.now = 14.0
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


def test_what_a_key_may_not_is_refused_by_its_name() -> None:
    permissions.permit("facts_put", Role.USER, Persona.ACTOR, ())
    with pytest.raises(PermissionDeniedError) as refused:
        permissions.permit("facts_put", Role.AGENT, Persona.ACTOR, ())
    assert refused.value.detail == "`facts_put` needs a key of role user"
    assert refused.value.meta == {"verb": "facts_put"}
    with pytest.raises(PermissionDeniedError, match="`requests` needs a key of role council or ad"):
        permissions.permit("requests", Role.USER, Persona.ACTOR, ())
    with pytest.raises(PermissionDeniedError, match="narrowed to other verbs than `recall`"):
        permissions.permit("recall", Role.USER, Persona.ACTOR, ("log",))
    with pytest.raises(PermissionDeniedError, match="of role agent and persona subconscious"):
        permissions.permit("dream", Role.AGENT, Persona.ACTOR, ())
    permissions.permit("dream", Role.AGENT, Persona.SUBCONSCIOUS, ())


def test_who_guesses_is_told_to_wait_by_address_and_who_calls_by_key() -> None:
    with muniment.open(":memory:") as memory:
        keys = MemoryCredentials()
        now = "2026-01-01T00:00:00.000Z"
        gateway = Gateway(memory, keys, channel=Channel.HTTP, now=lambda: now)
        grant = Grant(role=Role.USER, agent="ada", user="tuff")
        texts = [api_keys.issue(keys, grant, now=now, days=1)[0] for _ in range(2)]
        rate = Rate(per_second=1, burst=2)
        door = Doorkeeper(gateway, rate=rate, guesses=Rate(per_second=1, burst=1), clock=Clock())

        first, second = (door.admit(text, "here") for text in texts)
        door.admit(texts[0], "here")

        assert door.allowance(first) == Allowance(2, 0, 2)
        assert door.allowance(second) == Allowance(2, 1, 1)
        with pytest.raises(RateLimitedError):
            door.admit(texts[0], "elsewhere")
        for address in ("here", "there"):
            with pytest.raises(UnauthorizedError):
                door.admit("mk_wrong", address)
        with pytest.raises(RateLimitedError):
            door.admit("mk_wrong", "here")


def test_an_approval_binds_what_was_asked_and_an_ending_needs_a_second_hand() -> None:
    asked = ("put", "user/profile/user_tuff/tea", "green", 3, 900)
    changed = [
        (*asked[:place], other, *asked[place + 1 :])
        for place, other in enumerate(("delete", "user/profile/user_tuff/cup", "black", 4, 901))
    ]
    bound = {governance.binding(*each) for each in (asked, *changed)}  # type: ignore[arg-type]
    assert len(bound) == 6
    assert governance.binding(*asked) == governance.binding(*asked)

    alone, many = Governance(quorum=1), Governance(quorum=2)
    for action, ending in (("put", ""), ("delete", "+admin"), ("erase", "+admin")):
        assert governance.required_approval(action, alone) == f"owner{ending}"
        assert governance.required_approval(action, many) == f"council_quorum{ending}"
    assert governance.binding("put", "k", "v", 1, 2) == (
        "5d6219a753939255ccd5b53cb3aba62ae6559a15d439b937ff2973b5eed09c16"
    ), "what was voted on before is bound by the same bytes"


@pytest.mark.parametrize(
    ("vote", "member", "bound", "why"),
    [
        ("approve", "ann", True, ""),
        ("reject", "ann", True, ""),
        ("abstain", "ann", True, ""),
        ("maybe", "ann", True, "vote_unknown"),
        ("approve", "ray", True, "vote_by_requester"),
        ("approve", "bob", True, "vote_already_cast"),
        ("approve", "ann", False, "vote_binds_other_bytes"),
    ],
)
def test_a_vote_that_does_not_count_is_told_why(
    vote: str, member: str, *, bound: bool, why: str
) -> None:
    told = governance.refusal_of_vote(
        vote=vote, member=member, barred="ray", votes={"bob": "approve"}, bound=bound
    )
    assert told == why


@pytest.mark.parametrize(
    ("cast", "quorum", "open_", "at_the_deadline"),
    [
        ("", 1, "", "expired"),
        ("-", 1, "", "expired"),
        ("+", 1, "approved", "approved"),
        ("n", 1, "rejected", "rejected"),
        ("+", 2, "", "rejected"),
        ("n", 2, "", "rejected"),
        ("++", 2, "approved", "approved"),
        ("+n", 2, "rejected", "rejected"),
        ("+n-", 3, "", "rejected"),
        ("++n", 2, "approved", "approved"),
        ("++nn", 2, "rejected", "rejected"),
        ("++n", 3, "approved", "rejected"),
        ("+nn", 3, "rejected", "rejected"),
        ("+++nn", 3, "approved", "approved"),
    ],
)
def test_a_question_is_settled_by_a_majority_of_a_quorum_and_ties_reject(
    cast: str, quorum: int, open_: str, at_the_deadline: str
) -> None:
    words = {"+": "approve", "n": "reject", "-": "abstain"}
    votes = {f"m{n}": words[each] for n, each in enumerate(cast)}
    policy = Governance(quorum=quorum)

    assert governance.outcome(votes, policy, deadline=False) == open_
    assert governance.outcome(votes, policy, deadline=True) == at_the_deadline
    assert governance.tally(votes) == (cast.count("+"), cast.count("n"))


def test_what_is_not_limited_has_no_allowance_and_never_waits() -> None:
    limiter = Limiter(Rate(per_second=0, burst=1), Clock())
    for _ in range(3):
        limiter.take("a")
    assert limiter.allowance("a") is None


def test_a_bucket_that_is_full_stays_full() -> None:
    clock = Clock()
    limiter = Limiter(Rate(per_second=1, burst=2), clock)
    limiter.take("a")
    clock.now = 100.0
    assert limiter.allowance("a") == Allowance(2, 2, 0)
    limiter.take("a")
    limiter.take("a")
    with pytest.raises(RateLimitedError):
        limiter.take("a")
