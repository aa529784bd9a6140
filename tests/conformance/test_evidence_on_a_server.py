"""Branches and retention on PostgreSQL: what they do in memory, they do on a server."""

from collections.abc import Callable

import pytest
from tests import world
from tests.postgres import NewStore

from muniment.log.reference_store import ScratchStore
from muniment.log.store import Store
from muniment.model import ids
from muniment.model.policy import Governance, Policy
from muniment.model.policy.keep_days import KeepDays

MARCH = ids.time_ms("2026-03-05T10:00:00.000Z")
DAY = 24 * 60
KEPT = Policy(keep_days=KeepDays(sentences=30), governance=Governance(retention_epochs=1))


def branched(store: Store) -> list[object]:
    """A branch that is merged and one that is discarded, and whoever was in both is erased."""
    memory = world.memory(store=store, clock=world.StillClock(MARCH))
    ada = memory.agent("ada", user="tuff")
    ada.remember("I live in Lisbon")
    told: list[object] = []
    for name in ("kept", "lost"):
        branch = memory.branch(name)
        inside = branch.agent("ada", user="tuff")
        inside.remember(f"My boat is called the {name} Petrel")
        told.append([each.text for found in branch.diff().changes.values() for each in found])
        told.append(
            sorted(hit.text for hit in branch.agent("ada", user="tuff").recall("boat").hits)
        )
        told.append(len(branch.merge(preview=True).conflicts))
        if name == "kept":
            ada.remember("I have a dog called Rex")  # so it is said again, and not appended
            branch.merge()
        else:
            branch.discard()
    told.append(sorted(hit.text for hit in ada.recall("boat Lisbon dog", limit=20).hits))
    memory.branch("open").agent("ada", user="tuff").remember("My cat is called Kit")
    request = memory.eraser("owner").request("tuff", reason="he asks")
    memory.council("ann").approve(request)
    memory.eraser("owner").carry_out(request)
    told.append([proof.shredded for proof in memory.prove()])
    told.append([proof.shredded for proof in memory.prove_branches()])
    return told


def swept(store: Store) -> list[object]:
    """A month passes, and what is due goes."""
    clock = world.StillClock(MARCH)
    memory = world.memory(KEPT, store=store, clock=clock)
    ada = memory.agent("ada", user="tuff")
    ada.remember("I live in Lisbon")
    ada.conversation(session="s").record(user="My boat is called Petrel")
    clock.later(minutes=30 * DAY)
    ada.remember("I have a dog called Rex")
    due, gone = memory.admin().due(), memory.admin().carry_out_due()
    left = sorted(hit.text for hit in ada.recall("boat Lisbon dog", limit=20).hits)
    proved = [(proof.shredded, proof.undecided) for proof in memory.prove()]
    emptied = [
        entry.seq
        for stream in sorted(store.streams())
        for entry in store.read(stream)
        if entry.parts and not any(entry.parts)
    ]
    return [due, gone, left, proved, len(emptied), memory.admin().due()]


@pytest.mark.parametrize("story", [branched, swept])
def test_a_server_does_what_memory_does(
    story: Callable[[Store], list[object]], new_postgres_store: NewStore
) -> None:
    here, there = story(ScratchStore()), story(new_postgres_store())
    assert here == there
    assert "I have a dog called Rex" in str(here)
