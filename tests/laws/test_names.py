"""Names are injective: two names of anything are two things, in every place where one stands."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from agent_framework import Message
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests import confusable, naming, naming_apart, soaking, world
from tests.confusable import NAMES, PAIRS, one_form
from tests.naming import CODES, NotAdmittedError, answered

from muniment.adapters.frameworks.agent_framework import MunimentHistoryProvider
from muniment.adapters.gateway.gateway import MARK
from muniment.engine.api.agent import Agent
from muniment.model import fact_keys
from muniment.model.canonical_json import admit_text
from muniment.model.errors import InputError
from muniment.model.policy import target
from muniment.model.scope import agent_stream, escaped, name, space_stream, unescaped

# Signs that once ended a name inside an id, stood for another or were left out.
SIGNS = st.text(alphabet="ab _:%~-.@A\u00e9\u3000\u00a0|+", min_size=1, max_size=6)
DRAWN = SIGNS.filter(lambda text: text.strip() == text).map(admit_text)


@given(one=DRAWN, other=DRAWN, beside=st.sampled_from(["", MARK]))
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
@given(one=DRAWN, other=DRAWN)
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


@settings(max_examples=150, deadline=None)
@given(data=st.data(), one=DRAWN, other=DRAWN)
def test_of_no_pair_of_names_is_one_found_under_the_other(
    data: st.DataObject, one: str, other: str
) -> None:
    with naming.python(Path()) as kinds:
        kind = data.draw(st.sampled_from(sorted(kinds)))
        assume(one_form(kind, one) != one_form(kind, other))
        assert not found_elsewhere(kinds[kind], kind, (one, other))


DOORS = naming.DOORS | naming_apart.DOORS
# A door with so many kinds of names tries a third of the pairs with each, and all of them together;
# a soak tries all with each.
SHARES = 3


@pytest.mark.parametrize("door", sorted(DOORS))
def test_at_no_door_is_a_secret_found_under_a_name_that_looks_like_its_own(
    door: str, tmp_path: Path
) -> None:
    """Each of the names is told a secret; then each is asked, and knows its own and no other."""
    with DOORS[door](tmp_path) as kinds:
        assert kinds, "nothing is tried"
        wrong = [
            (kind, *each)
            for n, (kind, its) in enumerate(kinds.items())
            for each in found_elsewhere(its, kind, share(n, len(kinds)), beginning=n * len(NAMES))
        ]

    assert not wrong, "\n".join(map(str, wrong))


def share(number: int, kinds: int) -> tuple[str, ...]:
    """The names that the door tries with this one of its kinds."""
    step = 1 if kinds < SHARES or soaking.times(0, 1) else SHARES
    pairs = list(PAIRS.values())[number % step :: step]
    return tuple(dict.fromkeys(each for pair in pairs for each in pair))


@pytest.mark.parametrize("kinds", range(1, 9))
def test_every_door_is_tried_with_every_pair(kinds: int) -> None:
    tried = [{*share(number, kinds)} for number in range(kinds)]
    assert all(any({*pair} <= names for names in tried) for pair in PAIRS.values())


ADMITTED_PERCENT_MIN = 65  # of the names, at the door that is strictest with them
FEW = 2


def found_elsewhere(
    its: tuple[naming.Tell, naming.Hear], kind: str, names: tuple[str, ...], beginning: int = 0
) -> list[tuple[str, str]]:
    """Names that find what was told under others, with a name that was; and those that fail."""
    tell, hear = its
    told: dict[str, dict[str, str]] = {}  # the words of each form, and under which name
    wrong: list[tuple[str, str]] = []
    for n, each in enumerate(names, start=beginning):
        word = confusable.word(n)
        try:
            answered(lambda each=each, word=word: tell(each, confusable.sentence(word)))  # type: ignore[misc]
            if each:  # where none is no name it is nobody's, or everybody's
                told.setdefault(one_form(kind, each), {})[word] = each
        except NotAdmittedError as error:
            wrong += [(each, f"refused with {error.code}")] * (error.code not in CODES)
    for each in names:
        try:
            heard = answered(lambda each=each: hear(each)).lower()  # type: ignore[misc]
        except NotAdmittedError as error:
            wrong += [(each, f"refused with {error.code}")] * (error.code not in CODES)
            heard = ""
        form = one_form(kind, each)
        for its_form, words in told.items():
            found = [told_as for word, told_as in words.items() if word in heard]
            if its_form != form and each:
                wrong += [(each, f"finds what was told under {told_as!r}") for told_as in found]
            elif its_form == form and each and not found:
                wrong.append((each, "finds nothing: nothing is tried"))
    least = len(names) * ADMITTED_PERCENT_MIN // 100 if len(names) > FEW else 1
    assert len(told) >= least, (kind, len(told))
    return wrong


# ── What is done under one name is not done to another ──────────────────────────────────────────

ENDS: dict[str, Callable[[Agent, str], object]] = {
    "forgotten": lambda ada, session: ada.forget_where({"session": session}),
    "rolled back": lambda ada, session: ada.roll_back("session", session),
}


def two_sessions() -> Agent:
    """What is said in `a b` lies under `a%20b`, which is the name of the other."""
    ada = world.memory().agent("ada", user="tuff")
    for session, tea in (("a b", "heron"), ("a%20b", "quail")):
        ada.conversation(session=session).record(user=f"I prefer {tea} tea")
    return ada


@pytest.mark.parametrize("end", ENDS)
def test_one_session_ends_and_the_other_that_is_spelled_like_its_ids_stays(end: str) -> None:
    ada = two_sessions()

    ENDS[end](ada, "a%20b")

    assert "heron" in repr(ada.conversation(session="a b").items())
    assert "quail" not in repr(ada.conversation(session="a%20b").items())


def test_a_summary_is_of_one_session_and_not_of_one_that_is_spelled_like_its_ids() -> None:
    ada = two_sessions()

    told = [repr(ada.summary("conversation", session=each)) for each in ("a b", "a%20b")]

    assert ["heron" in each for each in told] == [True, False]
    assert ["quail" in each for each in told] == [False, True]


def test_a_receipt_names_both_of_two_documents_whose_places_read_alike() -> None:
    of = world.memory()
    ada = of.agent("ada", user="tuff")
    ada.documents().put(("a", "b"), "c", "heron tea")
    ada.documents().put(("a",), "b/c", "quail tea")

    assert len(ada.documents().search(("a",), "tea")) == len(["heron", "quail"])
    ada.flush()

    receipt = repr(ada.get_range()[-1].event)
    assert "'a/b/c'" in receipt
    assert "'a/b%2Fc'" in receipt


def test_a_talk_without_a_name_is_no_talk_that_is_called_by_some_word() -> None:
    history = MunimentHistoryProvider(world.memory().agent("ada", user="tuff"))
    asyncio.run(history.save_messages(None, [Message("user", ["heron tea"])]))

    nameless = asyncio.run(history.get_messages(None))

    assert [each.text for each in nameless] == ["heron tea"]
    assert not asyncio.run(history.get_messages("default"))
