"""Documents and all that they write down: every entry of a story, compared whole with its file."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from tests import world
from tests.rendering import decided

from muniment.model.commands import AnyCommand
from muniment.model.commands.documents import AddDocuments, DropDocuments
from muniment.model.errors import RefusedError
from muniment.model.policy import DocumentPolicy, Governance, Policy
from muniment.model.scope import council_stream

Golden = Callable[[str, str], None]
NOTES = ("notes", "home")


def test_what_is_put_added_and_dropped_is_counted_and_keeps_its_place(golden: Golden) -> None:
    clock = world.StillClock()
    of = world.memory(clock=clock)
    ada, mia = (of.agent("ada", user=each).documents() for each in ("tuff", "mia"))

    ada.put(NOTES, "tea", {"with": "milk"})
    clock.later(minutes=1)
    ada.put(NOTES, "tea", {"with": "lemon"}, expect=1)
    mia.put(NOTES, "tea", "mine")
    ada.add(NOTES, ["one", ["two"]])
    ada.add(NOTES, ["three"])
    ada.put(("other",), "soon", 1, ttl_seconds=60)
    ada.put(("other",), "later", 1, ttl_seconds=600)
    clock.later(minutes=2)
    ada.put(("other",), "soon", 2, expect=0, ttl_seconds=60)
    ada.drop(NOTES, "tea", expect=2)
    ada.put(NOTES, "tea", "again")
    clock.later(minutes=2)
    ada.sweep()
    ada.clear(NOTES)
    ada.replace(NOTES, ["four"])

    golden("entries/documents.txt", decided(of))


def test_what_does_not_fit_or_has_changed_is_refused(golden: Golden) -> None:
    clock = world.StillClock()
    of = world.memory(Policy(documents=DocumentPolicy(value_bytes_max=8, added_max=2)), clock=clock)
    agent = of.agent("ada", user="tuff")
    ada = agent.documents()
    labels: dict[str, Any] = {
        "namespace": NOTES,
        "docket": ada._filing()["docket"],
        "subject": agent._session.subject,
    }
    raw: list[AnyCommand] = [
        AddDocuments(values=each, **labels) for each in ("x", [], [1, 2, 3], ["123456789"])
    ]
    raw += [
        AddDocuments(values=[1, 2], **labels),
        DropDocuments(keys=("tea",), expect=9, **labels),
        DropDocuments(keys=("none",), **labels),
        DropDocuments(keys=("tea", "none"), **labels),
        DropDocuments(keys=("milk",), expired=True, **labels),
    ]

    ada.put(NOTES, "tea", "123456")
    ada.put(NOTES, "milk", "123", ttl_seconds=60)
    for key, value, expect in (("tea", "1234567", -1), ("tea", "x", 0), ("new", "x", 1)):
        with pytest.raises(RefusedError):
            ada.put(NOTES, key, value, expect=expect)
    for each in raw:
        agent._session.append(each)
    clock.later(minutes=1)
    agent._session.append(DropDocuments(keys=("milk",), **labels))
    agent._session.append(DropDocuments(keys=("milk",), expired=True, **labels))

    golden("entries/documents_refused.txt", decided(of))


def test_what_is_governed_is_written_as_it_was_approved_or_not_at_all(golden: Golden) -> None:
    rules = Policy(governance=Governance(requests_pending_max=5))
    of = world.memory(rules, clock=world.StillClock())
    of.admin().adopt_policy(rules, agent="ada")
    plain = of.agent("ada", user="tuff").documents()
    asking = of.agent("ada", user="tuff").documents(governed=True)
    plain.put(NOTES, "tea", 1)

    asked = asking.put(NOTES, "tea", 2, ttl_seconds=60)
    of.council().approve(asked.request_id)
    many = asking.add(NOTES, ["one", "two", "three"])
    of.council().approve(many[0].request_id)
    late = asking.put(NOTES, "tea", 4)
    plain.put(NOTES, "tea", 3)
    of.council().approve(late.request_id)
    away = asking.clear(NOTES)
    assert away is not None
    of.council().approve(away.request_id)
    of.council().reject(asking.put(NOTES, "tea", 5).request_id)
    asking.add(NOTES, ["six", "seven"])
    for n in range(6):
        with suppress(RefusedError):
            asking.put(("many",), f"k{n}", n)

    golden("entries/documents_governed.txt", decided(of))


def test_where_the_policy_asks_for_it_every_document_is_governed(golden: Golden) -> None:
    clock = world.StillClock()
    of = world.memory(Policy(documents=DocumentPolicy(governed=True)), clock=clock)
    ada = of.agent("ada").documents()

    for n, key in enumerate(["tea", "milk"]):
        asked = ada.put(NOTES, key, n, ttl_seconds=60 * n)
        of.council().approve(asked.request_id)
    ada.drop(NOTES, "tea")
    clock.later(minutes=3)
    ada.sweep()

    assert council_stream("main") in of.streams()
    golden("entries/documents_of_policy.txt", decided(of))
