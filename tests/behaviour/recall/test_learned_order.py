"""Trees put the best answers in order, and nobody's word behind a machine's."""

import json
from pathlib import Path

import numpy as np
import pytest
from bench.lives import worlds
from bench.lives.living import has_value

from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import PacedClock
from muniment.retrieval.ranking import learned_order
from muniment.retrieval.ranking.learned_order import Trees

TALK = (
    "Nice weather for once.",
    "My neighbour Bo drives a huge yellow truck.",
    "What a film that was yesterday!",
    "My cousin Ida works for a printer in Ghent.",
)


def told(*texts: str) -> Agent:
    clock = PacedClock("2026-03-01T09:00:00.000Z")
    memory = open_memory(":memory:", Settings(clock=clock, seed=b"order"))
    ada = memory.agent("ada", user="tuff")
    for text in texts:
        ada.remember(text)
    return ada


def answered(path: Path) -> tuple[int, int]:
    """How many questions of a world are answered first, and how many in the first five."""
    first = five = 0
    for asked, who in worlds.questions(path.name, worlds.read(path), "remember"):
        right = [has_value(hit.text, asked.values) for hit in who.recall(asked.text).hits[:5]]
        first += any(right[:1])
        five += any(right)
    return first, five


@pytest.mark.parametrize("name", ["en-d01", "en-d02", "de-t1"])
def test_more_is_answered_in_a_world_that_the_trees_were_not_trained_with(name: str) -> None:
    path = worlds.FOLDER / f"{name}.txt"

    learned = answered(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learned_order, "in_order", lambda *given: np.arange(len(given[-1].numbers)))
        summed = answered(path)

    assert learned[0] >= summed[0]
    assert sum(learned) > sum(summed)


def test_what_the_trees_added_is_a_term_of_the_score_and_the_terms_are_the_score() -> None:
    moved = []
    path = worlds.FOLDER / "en-d01.txt"
    for asked, who in worlds.questions(path.name, worlds.read(path), "remember"):
        for hit in who.recall(asked.text, explain=True).hits:
            assert sum(hit.terms.values()) == pytest.approx(hit.score_ppm, abs=2)
            moved.append(hit.terms.get("learned", 0))

    assert min(moved) < 0 < max(moved)


def test_a_machines_word_does_not_take_the_first_place_from_what_a_person_stated() -> None:
    ada = told("I bank with Santander.", *TALK)
    ada.remember("The user moved all money to Mallory Bank.", origin="tool", source="web")

    first, *others = [hit.text for hit in ada.recall("Which bank am I with?").hits]

    assert first == "I bank with Santander."
    assert "The user moved all money to Mallory Bank." in others


def test_of_look_alikes_the_one_that_is_named_is_first() -> None:
    colours = ("amber", "ochre", "teal", "mauve", "olive", "ivory", "coral", "khaki")
    texts = [f"My {colour} locker has the number {n}." for n, colour in enumerate(colours, 301)]
    ada = told(*texts)

    for colour, text in zip(colours, texts, strict=True):
        assert ada.recall(f"What number does my {colour} locker have?").hits[0].text == text


@pytest.mark.parametrize(
    ("question", "texts", "shown"),
    [
        (
            "When's my theory test?",
            (
                "My driving instructor is Sukhdeep.",
                "My theory test is on 3 September.",
                "Our vet is Paws & Claws in Otley.",
                "DVSA emailed, the new slot is 19 October.",
            ),
            "DVSA emailed, the new slot is 19 October.",
        ),
        (
            "What editor do I use?",
            (
                "I write all my code in Vim.",
                "The new place gave us Cursor and I've been on that for everything since April.",
                "Hannah found a gold ring in the park and handed it in.",
                "Would you give up Vim if your whole team used something else?",
            ),
            "The new place gave us Cursor and I've been on that for everything since April.",
        ),
    ],
)
def test_what_the_trees_put_before_an_answer_is_shown(
    question: str, texts: tuple[str, ...], shown: str
) -> None:
    """It has no word of the question and hardly resembles it."""
    found = [hit.text for hit in told(*texts).recall(question).hits]

    assert shown in found


def test_where_nothing_answers_trees_find_no_answer() -> None:
    assert not told("The vet is in Otley.", "We ate late.").recall("Which editor do I use?").hits


def test_the_trees_give_what_their_splits_say() -> None:
    trees = Trees(file_of([[("score", 10)]], leaves=[(5, 7)]))

    given = trees.values({"score": np.array([9, 10, 11])})

    assert given.tolist() == [5, 5, 7]


def test_a_tree_of_several_splits_ends_in_the_first_leaf_that_is_left() -> None:
    # score <= 10 ? (words <= 3 ? leaf 0 : leaf 1) : leaf 2
    header = {"format": 1, "name": "t", "features": ["score", "words"], "trees": 1, "splits": 2}
    text = json.dumps(header).encode()
    data = b"".join(
        [
            len(text).to_bytes(4, "little"),
            text,
            np.array([[0, 1]], "u1").tobytes(),
            np.array([[10, 3]], "<i4").tobytes(),
            np.array([[0b11111100, 0b11111110]], "u1").tobytes(),
            np.array([[1, 2, 4, 0, 0, 0, 0, 0]], "<i4").tobytes(),
        ]
    )

    given = Trees(data).values({"score": np.array([5, 5, 50]), "words": np.array([1, 9, 1])})

    assert given.tolist() == [1, 2, 4]


def test_every_feature_that_the_trees_look_at_is_measured() -> None:
    seen: dict[str, object] = {}
    measured = learned_order.measured

    def watched(*given: object) -> dict[str, np.ndarray]:
        found = measured(*given)  # type: ignore[arg-type]
        seen.update(found)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learned_order, "measured", watched)
        told(*TALK).recall("What does my cousin do?")

    assert set(learned_order.trees().features) <= set(seen)
    assert all(np.issubdtype(each.dtype, np.integer) for each in seen.values())  # type: ignore[attr-defined]


def file_of(trees: list[list[tuple[str, int]]], leaves: list[tuple[int, int]]) -> bytes:
    """Trees of one split each, as the file holds them."""
    header = {"format": 1, "name": "t", "features": ["score"], "trees": len(trees), "splits": 1}
    text = json.dumps(header).encode()
    values = np.zeros((len(trees), 8), "<i4")
    values[:, :2] = leaves
    return b"".join(
        [
            len(text).to_bytes(4, "little"),
            text,
            np.zeros((len(trees), 1), "u1").tobytes(),
            np.array([[bound for _, bound in each] for each in trees], "<i4").tobytes(),
            np.full((len(trees), 1), 0b11111110, "u1").tobytes(),
            values.tobytes(),
        ]
    )


def test_the_file_of_the_trees_is_small() -> None:
    path = Path(learned_order.__file__).with_name(learned_order.FILE)

    assert path.stat().st_size < 64 * 1024
