"""Names are injective: two names of anything are two things, in every place where one stands."""

from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests import world
from tests.talks import OPEN_SPACES

from muniment.adapters.gateway.gateway import MARK
from muniment.engine.api.memory import Memory
from muniment.model import fact_keys
from muniment.model.canonical_json import admit_text
from muniment.model.errors import InputError, NotFoundError, RefusedError
from muniment.model.policy import Policy, target
from muniment.model.scope import Channel, agent_stream, escaped, name, space_stream, unescaped

TOLD = "I prefer heron tea"

# Signs that once ended a name inside an id, stood for another or were left out.
SIGNS = st.text(alphabet="ab _:%~-.@A\u00e9\u3000\u00a0|+", min_size=1, max_size=6)
NAMES = SIGNS.filter(lambda text: text.strip() == text).map(admit_text)
PAIRS = [
    ("a b", "a_b"),
    ("a b", "a:b"),
    ("a_b", "a:b"),
    ("a  b", "a b"),
    ("a\u00a0b", "a b"),
    ("a\u3000b", "a b"),
    ("a%20b", "a b"),
    ("a%3Ab", "a:b"),
    ("a", "A"),
    ("a~b", "a%7Eb"),
]


ONE_PERSON = ("user", "a", "A")


@given(one=NAMES, other=NAMES, beside=st.sampled_from(["", MARK]))
def test_no_two_names_are_spelled_alike_inside_an_id(one: str, other: str, beside: str) -> None:
    assert (escaped(one, beside) == escaped(other, beside)) is (one == other)
    assert unescaped(escaped(one, beside)) == one
    assert not any(each in f":{beside}" or each.isspace() for each in escaped(one, beside))


SPELLED: dict[str, Callable[[str], object]] = {
    "agent": lambda each: agent_stream("main", name(each, "agent")).text,
    "tenant": lambda each: agent_stream(name(each, "tenant"), "ada").text,
    "project": lambda each: target.named(space=f"project:{each}").text,
    "space": lambda each: space_stream("main", "project", escaped(name(each, "project"))).text,
    "user of a space": lambda each: target.named(space=f"user:{each}").text,
}


@pytest.mark.parametrize("kind", sorted(SPELLED))
@given(one=NAMES, other=NAMES)
def test_no_two_names_of_a_kind_have_one_log(kind: str, one: str, other: str) -> None:
    assume(one != other)
    if "user" in kind:  # capitals make no two people of one
        assume(_person(one) != _person(other))
    try:
        assert SPELLED[kind](one) != SPELLED[kind](other)
    except InputError:
        assume(False)  # noqa: FBT003 - no name at all


def _person(text: str) -> str:
    try:
        return fact_keys.user_entity(text)
    except InputError:
        return ""


# ── The whole way: what is told under one name is not found under another ───────────────────────


def tell_session(of: Memory, each: str) -> None:
    of.agent("ada", user="tuff").conversation(session=each).record(user=TOLD)


def hear_session(of: Memory, each: str) -> object:
    return of.agent("ada", user="tuff").conversation(session=each).items()


def tell_project(of: Memory, each: str) -> None:
    talk = of.agent("ada", user="tuff").conversation(session="s", project=each)
    talk.record(user=TOLD, space="project")


def hear_project(of: Memory, each: str) -> object:
    talk = of.agent("bob", user="eve").conversation(session="t", project=each)
    return talk.items("semantic", "project")


def tell_agent(of: Memory, each: str) -> None:
    of.agent(each, user="tuff").remember(TOLD)


def hear_agent(of: Memory, each: str) -> object:
    return of.agent(each, user="tuff").recall("tea").hits


def tell_tenant(of: Memory, each: str) -> None:
    of.beside(name(each, "tenant"), Channel.API).agent("ada", user="tuff").remember(TOLD)


def hear_tenant(of: Memory, each: str) -> object:
    return of.beside(name(each, "tenant"), Channel.API).agent("ada", user="tuff").recall("tea").hits


def tell_namespace(of: Memory, each: str) -> None:
    of.agent("ada", user="tuff").documents().put((each,), "k", TOLD)


def hear_namespace(of: Memory, each: str) -> object:
    return of.agent("ada", user="tuff").documents().get((each,), "k")


def tell_key(of: Memory, each: str) -> None:
    of.agent("ada", user="tuff").documents().put(("n",), each, TOLD)


def hear_key(of: Memory, each: str) -> object:
    return of.agent("ada", user="tuff").documents().get(("n",), each)


def tell_user(of: Memory, each: str) -> None:
    of.agent("ada", user=each).remember(TOLD)


def hear_user(of: Memory, each: str) -> object:
    return of.agent("ada", user=each).recall("tea").hits


def tell_consolidated(of: Memory, each: str) -> None:
    with of.agent("ada", user="tuff").job("seed", session=each) as job:
        kept = job.wm_insert({"type": "fact", "value": TOLD})
        job.reference(kept)
        job.reference(kept)
        job.tick()


def hear_consolidated(of: Memory, each: str) -> object:
    return of.agent("ada", user="tuff").cwm_get(session=each).items


KINDS: dict[str, tuple[Callable[[Memory, str], None], Callable[[Memory, str], object]]] = {
    "session": (tell_session, hear_session),
    "project": (tell_project, hear_project),
    "agent": (tell_agent, hear_agent),
    "tenant": (tell_tenant, hear_tenant),
    "namespace": (tell_namespace, hear_namespace),
    "key of a document": (tell_key, hear_key),
    "user": (tell_user, hear_user),
    "session of working memory": (tell_consolidated, hear_consolidated),
}


# Capitals make no two people of one: docs/decisions/0075.
CASES = [(kind, pair) for kind in sorted(KINDS) for pair in PAIRS if (kind, *pair) != ONE_PERSON]


@pytest.mark.parametrize(("kind", "pair"), CASES)
def test_what_is_told_under_one_name_is_not_found_under_another(
    kind: str, pair: tuple[str, str]
) -> None:
    check(kind, *pair)


@settings(max_examples=150, deadline=None)
@given(kind=st.sampled_from(sorted(KINDS)), one=NAMES, other=NAMES)
def test_of_no_pair_of_names_is_one_found_under_the_other(kind: str, one: str, other: str) -> None:
    assume(one != other)
    assume(kind != "user" or _person(one) != _person(other))
    try:
        check(kind, one, other)
    except InputError:
        assume(False)  # noqa: FBT003 - no name at all


def check(kind: str, one: str, other: str) -> None:
    tell, hear = KINDS[kind]
    of = world.memory(Policy(spaces=OPEN_SPACES))
    tell(of, one)
    assert "heron" in repr(hear(of, one)), "a law about nothing would hold as well"
    try:
        found = repr(hear(of, other))
    except (NotFoundError, RefusedError):
        return
    assert "heron" not in found
