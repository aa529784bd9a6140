"""Changes of several documents in one append: all of them are made, or none of them."""

import pytest
from tests.world import memory, types

from muniment.engine.api.documents import Documents
from muniment.engine.api.memory import Memory
from muniment.model.errors import RefusedError
from muniment.model.kinds.document import Namespace

SECRET = "my password is correct-horse-77"  # noqa: S105 - nobody's
TURNS: Namespace = ("turns",)


def tuffs(of: Memory) -> Documents:
    return of.agent("ada", user="tuff").documents()


def values(documents: Documents, namespace: Namespace = TURNS) -> list[object]:
    return [each.value for each in documents.within(namespace)]


@pytest.mark.parametrize("place", [0, 150, 250, 500], ids=lambda place: f"at {place}")
def test_of_many_values_all_are_added_or_none_wherever_the_secret_stands(place: int) -> None:
    of = memory()
    documents = tuffs(of)
    told = [f"value {n}" for n in range(500)]

    with pytest.raises(RefusedError, match="privacy_deny_sensitive"):
        documents.add(TURNS, [*told[:place], SECRET, *told[place:]])

    assert values(documents) == []
    assert "memory_denied" in types(of), "why not stands in the log"
    assert of.prove()


@pytest.mark.parametrize("target", [("b", SECRET), (SECRET, "x")], ids=["key", "label"])
def test_a_document_that_may_not_lie_elsewhere_stays_where_it_is(target: tuple[str, str]) -> None:
    of = memory()
    documents = tuffs(of)
    documents.put(("a",), "x", "heron tea")
    documents.put(("a",), "y", "quail tea")

    with pytest.raises(RefusedError, match="privacy_deny_sensitive"):
        documents.move(
            {(("a",), "y"): (("b",), "y"), (("a",), "x"): (target[:1], target[1])},
        )

    assert values(documents, ("a",)) == ["heron tea", "quail tea"]
    assert values(documents, ("b",)) == []
    assert of.prove()


def test_values_take_the_place_of_all_that_lay_in_a_namespace_in_one_append() -> None:
    of = memory()
    documents = tuffs(of)
    documents.add(TURNS, ["one", "two"])
    documents.put((*TURNS, "inside"), "k", "deeper")
    before = of.agent("ada", user="tuff").seq

    documents.replace(TURNS, ["three", "four"])
    between = documents.within(TURNS, at=before)
    documents.replace(TURNS, [f"value {n}" for n in range(300)])

    assert [each.value for each in between] == ["one", "two", "deeper"]
    assert values(documents) == ["deeper", *(f"value {n}" for n in range(300))]
    documents.replace(TURNS, [])
    documents.replace(TURNS, [])
    assert values(documents) == ["deeper"]
    assert of.prove()


def test_what_lay_there_stays_where_what_would_replace_it_is_refused() -> None:
    documents = tuffs(memory())
    documents.add(TURNS, ["one", "two"])

    with pytest.raises(RefusedError, match="privacy_deny_sensitive"):
        documents.replace(TURNS, ["three", SECRET])

    assert values(documents) == ["one", "two"]


def test_a_replacement_that_is_asked_for_twice_is_made_once() -> None:
    ada = memory().agent("ada", user="tuff")
    documents = ada.documents()
    documents.add(TURNS, ["one"])

    for _ in range(2):
        with ada.keyed("once"):
            documents.replace(TURNS, ["two", "three"])

    assert values(documents) == ["two", "three"]
    assert len(documents.history(TURNS, documents.within(TURNS)[0].key)) == 1


def test_a_replacement_that_waits_changes_nothing_until_all_of_it_is_allowed() -> None:
    of = memory()
    documents = of.agent("ada", user="tuff").documents(governed=True)
    tuffs(of).add(TURNS, ["one"])

    asked = documents.replace(TURNS, ["two"])

    assert values(documents) == ["one"]
    assert all(each.waits for each in asked)
    for each in asked:
        of.council().approve(each.request_id)
    assert values(documents) == ["two"]
