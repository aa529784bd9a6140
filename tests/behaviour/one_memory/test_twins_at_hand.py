"""Looking for what was said before: what is at hand is not opened, and is judged no differently."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from tests import world
from tests.soaking import times
from tests.world import OpeningStore

from muniment import Memory
from muniment.engine.decide import sayings
from muniment.log.reference_store import ScratchStore

WHO = ("I", "My sister", "The doctor")
WHAT = ("the blue bicycle", "the old piano", "two concert tickets")
WHERE = ("in the shop behind the harbour last week", "from a neighbour in Porto")
TEXTS = [f"{who} bought {what} {where}." for who in WHO for what in WHAT for where in WHERE]


def told(texts: Sequence[str], user: str = "tuff") -> tuple[OpeningStore, Memory, Memory]:
    """The store, the memory that was told these texts, and another on the same store."""
    store, keyring = OpeningStore(), world.CountedKeyring()
    one, other = (world.memory(store=store, keyring=keyring) for _ in range(2))
    for text in texts:
        one.agent("ada", user=user).remember(text)
    return store, one, other


def test_a_sentence_like_many_before_opens_none_that_is_at_hand() -> None:
    store, memory, _ = told(TEXTS)
    store.handed_out = 0
    kept = memory.agent("ada", user="tuff").remember(TEXTS[0].replace("week", "month"))
    assert kept.like, "they are as like as that"
    assert store.handed_out == 0


def test_words_said_often_are_counted_without_opening_them_again() -> None:
    store, memory, _ = told([TEXTS[0]] * 30)
    store.handed_out = 0
    assert memory.agent("ada", user="tuff").remember(TEXTS[0]).said == 31
    assert store.handed_out == 0


def test_whoever_has_nothing_at_hand_opens_few_however_many_are_alike() -> None:
    store, _, other = told(TEXTS * 2)
    ada = other.agent("ada", user="tuff")
    assert ada.seq  # the desk is folded before anybody counts
    store.handed_out = 0
    assert ada.remember(TEXTS[0].replace("week", "month")).like
    assert 0 < store.handed_out <= sayings.COMPARED_MAX


def test_what_had_to_be_opened_once_is_at_hand_when_it_is_said_again() -> None:
    store, _, other = told(TEXTS * 2)
    ada = other.agent("ada", user="tuff")
    assert ada.remember(TEXTS[0]).said == 3
    store.handed_out = 0
    assert ada.remember(TEXTS[0]).said == 4
    assert store.handed_out == 0


def test_the_receipt_of_a_context_that_goes_first_makes_nobody_open_what_is_only_counted() -> None:
    store, memory, _ = told([TEXTS[0]] * 10)
    ada = memory.agent("ada", user="tuff")
    ada.context("What did I buy?")
    store.handed_out = 0
    assert ada.remember(TEXTS[0]).said == 11
    assert store.handed_out == 0


def test_what_somebody_else_said_is_at_hand_and_not_told_of() -> None:
    _, memory, _ = told(TEXTS)
    kept = memory.agent("ada", user="ines").remember(TEXTS[0])
    assert (kept.said, kept.like) == (1, "")


STEPS = st.lists(
    st.tuples(st.sampled_from(("tell", "tell", "tell", "forget")), st.sampled_from(TEXTS)),
    max_size=14,
)


@settings(max_examples=times(25, 1_000), deadline=None)
@given(STEPS)
def test_what_is_at_hand_and_what_is_opened_are_judged_alike(steps: list[tuple[str, str]]) -> None:
    """One memory lives through it; beside it each step meets a memory that holds nothing yet."""
    keyring, store = world.CountedKeyring(), ScratchStore()
    lived = world.memory()
    kept: list[str] = []
    for verb, text in steps:
        opened = world.memory(store=store, keyring=keyring)
        both = [each.agent("ada", user="tuff") for each in (lived, opened)]
        if verb == "forget" and kept:
            gone = kept.pop()
            for ada in both:
                ada.forget(gone)
        else:
            one, other = (ada.remember(text) for ada in both)
            assert (one.episodic_id, one.said, one.like) == (
                other.episodic_id,
                other.said,
                other.like,
            )
            kept.append(one.episodic_id)
