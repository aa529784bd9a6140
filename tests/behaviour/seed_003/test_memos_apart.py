"""Memos of two jobs, people, personas, tenants and processes: each its own, none lost."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests import world

import muniment
from muniment.engine.api.operations import MemoryOperations
from muniment.log.reference_store import ScratchStore

KILLED = """
import os, sys, muniment
memory = muniment.open(sys.argv[1])
job = memory.agent("ada", user="tuff").job("killed", session="s")
for n in range(1000):
    print(job.memorize({"type": "action", "text": f"step {n}"}).id, flush=True)
    if n == 7:
        os._exit(9)
"""


def test_two_jobs_of_one_agent_memorize_at_once_and_lose_nothing(tmp_path: Path) -> None:
    memory = muniment.open(tmp_path / "m")
    ada = memory.agent("ada", user="tuff")
    jobs = [ada.job(f"seed-{n}") for n in range(2)]

    def work(n: int) -> list[str]:
        told = [jobs[n].memorize({"type": "action", "text": f"{n} did {i}"}) for i in range(20)]
        return [each.id for each in told]

    with ThreadPoolExecutor(2) as pool:
        ids = list(pool.map(work, range(2)))

    assert len({*ids[0], *ids[1]}) == 40
    assert {memo.id for memo in ada.memos("EM")} == {*ids[0], *ids[1]}
    memory.prove()
    memory.close()


def test_what_was_acknowledged_before_a_kill_is_there_after_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path / "m")]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()

    memory = muniment.open(tmp_path / "m")
    ada = memory.agent("ada", user="tuff")

    assert len(told) == 8
    assert [memo.id for memo in reversed(ada.memos("EM"))] == told
    memory.prove()
    memory.close()


@pytest.mark.parametrize("who", ["person", "persona", "tenant", "agent"])
def test_nobody_else_sees_a_memo_or_can_tell_that_there_is_one(who: str) -> None:
    def other_side(*, with_memos: bool) -> object:
        store, keyring = ScratchStore(), world.CountedKeyring()
        mine = world.memory(store=store, keyring=keyring)
        if with_memos:
            with mine.agent("ada", user="tuff").job("seed-1", session="s") as job:
                job.memorize({"type": "fact", "text": "ports are numbers", "key": "a:b"})
                job.memorize({"type": "observation", "text": "the port is taken"})
                job.track_tool_invocation("grep", {}, "x")
        tenant = "b" if who == "tenant" else "main"
        theirs = world.memory(store=store, keyring=keyring, tenant=tenant)
        agent = "bob" if who == "agent" else "ada"
        user = "ann" if who == "person" else "tuff"
        reader: MemoryOperations = theirs.agent(agent, user=user)
        if who == "persona":
            reader = theirs.subconscious("ada")
        told = reader.memorize({"type": "fact", "text": "ports are numbers", "key": "a:b"})
        return (
            told.stored,
            told.version,
            told.routing,
            told.evictions,
            [memo.text for memo in reader.memos("SM")],
            reader.memos("EM"),
            reader.memory_type("semantic").get_capacity_info(),
            reader.memory_type("episodic").get_capacity_info(),
        )

    assert other_side(with_memos=True) == other_side(with_memos=False)
