"""Filters of the mirror by hand: each narrows what is searched, and what matters is counted."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from muniment.engine.session import loop_filters
from muniment.engine.session.loop_filters import LoopFilters
from muniment.model import ids
from muniment.model.errors import InputError
from muniment.model.kinds.loop import EventKind, Visibility
from muniment.retrieval.index.index_feed import IMPORTANCE_PPM, KINDS, MIRROR

FIRST = "2026-03-01T10:00:00.000Z"
MOMENT = ids.time_ms(FIRST)


def mask(places: str) -> Any:  # noqa: ANN401 - an array
    return np.array([each == "x" for each in places])


class Register:
    """Four documents: of which kind and for whom they are, and what they say."""

    count = 4

    def __init__(self, said: Sequence[int] = (0, 1, 2, 3), kind: Sequence[int] = (0,) * 4) -> None:
        self._columns = {"said": np.array(said), "kind": np.array(kind), "seq": np.arange(4)}

    def column(self, name: str) -> Any:  # noqa: ANN401
        return self._columns[name]

    def of_kind(self, kinds: tuple[EventKind, ...]) -> Any:  # noqa: ANN401
        assert kinds == (EventKind.ERROR,)
        return mask("xxx.")

    def of_visibility(self, visibility: Visibility) -> Any:  # noqa: ANN401
        assert visibility is Visibility.INTERNAL
        return mask("xx.x")

    def of_layer(self, layers: tuple[str, ...]) -> Any:  # noqa: ANN401
        assert layers == (MIRROR,)
        return mask("xxx.")

    def ended(self, *, valid_at: int | None) -> Any:  # noqa: ANN401
        return mask("x..x") if valid_at is None else mask(".x.x")

    def holding(self, day: int) -> Any:  # noqa: ANN401
        assert day == 7
        return mask("x...")


def collection(importance: Sequence[int] = (4, 4, 4, 4)) -> Any:  # noqa: ANN401
    def of_session(name: str) -> Any:  # noqa: ANN401
        assert name == "loop:1"
        return mask("x.xx")

    columns = {"importance": np.array(importance) * IMPORTANCE_PPM}
    moments = np.array([MOMENT, MOMENT + 1, MOMENT + 2, -1])
    return SimpleNamespace(of_session=of_session, moments=moments, column=columns.__getitem__)


def among(filters: dict[str, object]) -> str:
    found = LoopFilters.read(filters).among(collection((1, 2, 3, 4)), Register())  # type: ignore[arg-type]
    return "".join("x" if each else "." for each in found)


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, "xxxx"),
        ({"kinds": ["error"]}, "xxx."),
        ({"visibility": "internal"}, "xx.x"),
        ({"loop_id": "loop:1"}, "x.xx"),
        ({"kinds": ["error"], "visibility": "internal"}, "xx.."),
        ({"kinds": ["error"], "loop_id": "loop:1"}, "x.x."),
        ({"visibility": "internal", "loop_id": "loop:1"}, "x..x"),
        ({"since": FIRST}, "xxx."),
        ({"since": "2026-03-01T10:00:00.001Z"}, ".xx."),
        ({"since": "2026-03-01"}, "xxx."),
        ({"since": "2027"}, "...."),
        ({"until": FIRST}, "x..x"),
        ({"until": "2026-03-01T10:00:00.001Z"}, "xx.x"),
        ({"until": "2026"}, "...x"),
        ({"since": FIRST, "until": FIRST}, "x..."),
        ({"since": FIRST, "kinds": ["error"], "loop_id": "loop:1"}, "x.x."),
        ({"visibility": "internal", "since": FIRST}, "xx.."),
        ({"visibility": "internal", "until": "2027"}, "xx.x"),
        ({"importance_min": 3}, "..xx"),
        ({"importance_min": 3, "kinds": ["error"]}, "..x."),
    ],
)
def test_each_filter_narrows_what_the_others_leave(filters: dict[str, object], found: str) -> None:
    assert among(filters) == found


@pytest.mark.parametrize("filters", [{"kind": "error"}, {"top_k": 0}, {"top_k": 1_001}])
def test_a_filter_that_is_none_is_refused_by_its_name(filters: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r"^filters: .*(kind|top_k|Expected)"):
        LoopFilters.read(filters)


def test_what_has_ended_is_not_shown_and_of_a_day_what_was_so_by_then() -> None:
    register: Any = Register()

    assert loop_filters.mirrored(register, None).tolist() == mask(".xx.").tolist()
    assert loop_filters.mirrored(register, 7).tolist() == mask("x...").tolist()


def test_what_is_said_again_by_the_same_kind_matters_less() -> None:
    def importances(said: Sequence[int], kind: Sequence[int], own: Sequence[int]) -> list[int]:
        register: Any = Register(said, kind)
        found: list[int] = loop_filters.importances(collection(own), register).tolist()
        return found

    assert importances((0, 1, 2, 3), (0, 0, 0, 0), (1, 4, 7, 9)) == [1, 4, 7, 7]
    assert importances((5, 5, 5, 6), (1, 1, 1, 1), (4, 5, 6, 4)) == [2, 3, 4, 4]
    assert importances((5, 5, 5, 5), (1, 1, 1, 1), (4, 5, 6, 7)) == [1, 2, 3, 4]
    assert importances((5, 5, 5, 5), (1, 2, 2, 3), (4, 4, 4, 4)) == [4, 3, 3, 4]
    assert importances((1, 0, 0, 2), (0, len(KINDS), 3, 3), (4, 4, 4, 4)) == [3, 3, 4, 4]
    assert importances((1, 0, 2, 1), (1, len(KINDS) - 1, 0, 2), (4, 4, 4, 4)) == [4, 4, 4, 4]


def test_of_an_event_in_parts_the_part_that_answers_best_is_told() -> None:
    register: Any = SimpleNamespace(column={"seq": np.array([7, 7, 8, 9, 8])}.__getitem__)
    order: Any = SimpleNamespace(
        numbers=np.array([4, 1, 2, 0, 3]), scores=np.array([50, 40, 30, 20, 10])
    )

    numbers, scores = loop_filters.best(order, register, 2)
    assert (numbers.tolist(), scores.tolist()) == ([4, 1], [50, 40])
    numbers, scores = loop_filters.best(order, register, 9)
    assert (numbers.tolist(), scores.tolist()) == ([4, 1, 3], [50, 40, 10])
