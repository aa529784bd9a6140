"""What may not be shown says nothing: not for itself, not beside others, not in anybody's place."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.world import SteppingClock, memory

from muniment.engine.api.agent import Agent
from muniment.retrieval.index import sign_bit_scan
from muniment.retrieval.index.collection import Collection, Document
from muniment.retrieval.index.document_features import Mask
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.ranking.ranker import rank
from muniment.retrieval.ranking.revision import Reading
from muniment.retrieval.ranking.weights import STATIC

QUESTION = "Who hid the treasure in Zanzibar?"
HIDDEN = "The treasure of Zanzibar is hidden"
BESIDE = "I will bring a shovel then"
DIMS = 64

Told = Callable[[Agent], str]  # keeps the hidden text, and hides it; returns since when to ask


def _forgotten(ada: Agent) -> str:
    told = ada.remember(HIDDEN, session="a call")
    ada.remember(BESIDE, session="a call")
    ada.forget(told.episodic_id)
    return ""


def _replaced(ada: Agent) -> str:
    told = ada.remember(HIDDEN, session="a call")
    ada.remember(BESIDE, session="a call")
    ada.correct(told.episodic_id, "We talked of nothing much")
    return ""


def _from_outside(ada: Agent) -> str:
    ada.remember(HIDDEN, origin="external", source="example.org", session="a call")
    ada.remember(BESIDE, session="a call")
    return ""


def _not_so_yet(ada: Agent) -> str:
    ada.remember(f"{HIDDEN} since 2026-12-24", session="a call")
    ada.remember(f"{BESIDE} since 2026-01-02", session="a call")
    return "2026-10-01"


@pytest.mark.parametrize("purpose", ["", "act"])
@pytest.mark.parametrize("hide", [_forgotten, _replaced, _from_outside, _not_so_yet])
def test_what_may_not_be_shown_raises_nothing_that_stands_beside_it(
    hide: Told, purpose: str
) -> None:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    ada.remember("It rained on Sunday")

    day = hide(ada)

    found = ada.recall(QUESTION, valid_at=day, purpose=purpose, explain=True)
    assert [hit.text for hit in found.hits if "words" in hit.terms] == []
    assert not any(BESIDE in hit.text for hit in found.hits)


def test_what_is_shown_does_raise_what_stands_beside_it() -> None:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    ada.remember("It rained on Sunday")
    ada.remember(HIDDEN, session="a call")
    ada.remember(BESIDE, session="a call")

    assert [hit.text for hit in ada.recall(QUESTION).hits] == [HIDDEN, BESIDE]


def test_what_was_forgotten_corroborates_nothing() -> None:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    told = [
        ada.remember("The bridge is closed", origin="external", source=source)
        for source in ("a.example", "b.example", "c.example")
    ]
    assert ada.recall("bridge").hits

    ada.forget(told[0].episodic_id)

    assert not ada.recall("bridge").hits
    assert ada.why_not(told[1].episodic_id, "bridge").stage == "quarantined"
    assert ada.recall("bridge", at=told[2].seq).hits


def test_what_is_not_so_yet_corroborates_nothing() -> None:
    clock = SteppingClock()
    ada = memory(clock=clock).agent("ada", user="tuff")
    for source in ("a.example", "b.example"):
        ada.remember("The bridge is closed", origin="external", source=source)
    day = ada.recall("bridge", quarantined=True).hits[0].created[:10]
    assert not ada.recall("bridge", valid_at=day).hits

    clock.later(3)
    ada.remember("The bridge is closed", origin="external", source="c.example")

    assert ada.recall("bridge").hits
    assert not ada.recall("bridge", valid_at=day).hits


def test_a_neighbour_that_is_not_heard_is_like_no_neighbour() -> None:
    drawn = np.random.default_rng(3)
    asked, other, hidden = drawn.integers(-90, 90, (3, DIMS)).astype(np.int8)
    scores = []
    for beside in (asked, hidden):
        documents = [
            Document(id=name, seq=n, ts="", text="", session="s", vectors=(codes.tobytes(),))
            for n, (name, codes) in enumerate([("hidden", beside), ("shown", other)])
        ]
        collection = Collection.build(documents, DIMS)
        shown = np.array([False, True])
        question = Query(text="", vector=asked.tobytes())
        scores.append(rank(collection, question, STATIC, among=shown, heard=shown).scores_ppm)

    assert scores[0].tolist() == scores[1].tolist()


def test_what_may_not_be_shown_takes_nobodys_place_however_near_it_is() -> None:
    drawn = np.random.default_rng(4)
    codes = drawn.integers(-90, 90, (sign_bit_scan.FROM + 8, DIMS)).astype(np.int8)
    question = Query(text="", vector=codes[0].tobytes())
    flood = slice(8, sign_bit_scan.wanted(len(codes)) + 400)
    codes[flood] = codes[0]
    codes[1] = np.where(np.arange(DIMS) < 60, codes[0], -codes[0])  # nearly what is asked for
    documents = [
        Document(id=str(n), seq=n, ts="", text="", vectors=(each.tobytes(),))
        for n, each in enumerate(codes)
    ]
    shown = np.ones(len(codes), bool)
    shown[0] = shown[flood] = False

    best = rank(Collection.build(documents, DIMS), question, STATIC, among=shown, heard=shown)

    assert int(best.order[0]) == 1


CARS = ("I drive a Skoda", "I drive a Fiat", "I drive a Volvo", "I drive a Saab", "It rains")
NUMBERS = st.integers(0, len(CARS) - 1)
PAIRS = st.lists(st.tuples(NUMBERS, NUMBERS), max_size=8)
MASKS = st.lists(st.booleans(), min_size=len(CARS), max_size=len(CARS)).map(np.array)


def _ranked(
    revised: list[tuple[int, int]], led: list[tuple[int, int]], shown: Mask, heard: Mask
) -> dict[str, int]:
    """Scores of what may be shown, where these documents revise and lead to those."""
    documents = [
        Document(id=text, seq=n, ts=f"2026-01-0{n + 1}T08:00:00.000Z", text=text)
        for n, text in enumerate(CARS)
    ]
    reading = Reading(
        lambda numbers: [CARS[n] for n in numbers.tolist()],
        over=lambda *_: revised,
        leads=lambda *_: led,
    )
    asked = Query(text="Do I drive a Skoda?", words=("drive", "skoda"))
    found = rank(
        Collection.build(documents, 0), asked, STATIC, among=shown, heard=heard, reading=reading
    )
    return {CARS[n]: score for n, score in zip(found.order, found.scores_ppm.tolist(), strict=True)}


@given(revised=PAIRS, led=PAIRS, shown=MASKS)
def test_what_is_not_heard_revises_nothing_and_leads_nowhere(
    revised: list[tuple[int, int]], led: list[tuple[int, int]], shown: Mask
) -> None:
    """The scores are those of a memory whose documents never revised, or led to, what is hidden."""
    within = [[pair for pair in pairs if shown[[*pair]].all()] for pairs in (revised, led)]

    assert _ranked(revised, led, shown, shown) == _ranked(within[0], within[1], shown, shown)


def test_what_is_offered_elsewhere_hands_on_what_it_revises() -> None:
    heard = np.array([True, True, True, True, True])
    shown = np.array([True, False, True, True, True])

    found = _ranked([(1, 0), (2, 1)], [], shown, heard)

    assert found["I drive a Volvo"] > found["I drive a Saab"]
    assert found == _ranked([(2, 0)], [], shown, heard)
