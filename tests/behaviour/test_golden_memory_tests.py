"""The golden tests M-T1, M-T2, M-T3, M-T4 and M-T7 of the specification, with their logs."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.rendering import render
from tests.world import events, lines, memory

import muniment
from muniment.engine.api.memory import Memory
from muniment.model.events import EpisodeWritten, Promoted, WorkingExpired

ROOT = Path(__file__).parents[2]
Golden = Callable[[str, str], None]

RUNS = 100
# Whatever order a set or a dictionary of another process has, the log must not show it.
HASH_SEEDS = ("1", "4242")
PACKAGE = str(Path(muniment.__file__).parents[1])  # of which this process is asked
ANOTHER_PROCESS = """
from tests.behaviour.test_golden_memory_tests import promotions_and_episodes, whole_log
from tests.world import memory
print(whole_log(promotions_and_episodes(memory())), end="")
"""


def whole_log(of: Memory) -> str:
    """Every stream of a memory, one after the other."""
    return "\n".join(render(of.log(each), heading=f"# {each.text}") for each in of.streams())


@pytest.mark.covers("A-022", "A-023", "A-123", "A-124")
def test_m_t1_an_entry_with_two_ticks_to_live_is_gone_after_two_ticks(golden: Golden) -> None:
    of = memory()
    job = of.agent("ada").job("seed-m-t1")
    wm_id = job.wm_insert({"type": "hint", "value": "the kettle is on", "ttl_ticks": 2})

    job.tick()
    after_one = [entry.ttl_ticks for entry in job.wm_find()]
    job.tick()

    assert after_one == [1]
    assert job.wm_find() == []
    assert events(of)[-1] == WorkingExpired(wm_id=wm_id, reason="ttl")
    golden("m_t1.log", whole_log(of))


@pytest.mark.covers("A-025", "A-063", "A-123", "A-125")
def test_m_t2_an_item_used_twice_within_four_ticks_is_promoted(golden: Golden) -> None:
    of = memory()
    job = of.agent("ada").job("seed-m-t2")
    wm_id = job.wm_insert({"type": "fact", "value": {"drink": "tea"}, "ttl_ticks": 4})

    job.reference(wm_id)
    for _ in range(3):
        job.tick()
    assert [entry.wm_id for entry in job.wm_find()] == [wm_id]
    job.reference(wm_id)
    job.tick()

    assert job.wm_find() == []
    assert [(item.promoted_from, item.value) for item in job.cwm_find()] == [
        (wm_id, {"drink": "tea"})
    ]
    golden("m_t2.log", whole_log(of))


@pytest.mark.covers("A-067", "A-123", "A-126")
def test_m_t3_the_end_of_a_job_appends_a_summary_with_the_consolidated_snapshot(
    golden: Golden,
) -> None:
    of = memory()
    job = of.agent("ada").job("seed-m-t3")
    job.set_goal("goal-1", "breakfast", major=True)
    for value in ("tea", {"bread": "rye", "slices": 2}):
        wm_id = job.wm_insert({"type": "fact", "value": value})
        job.reference(wm_id)
        job.reference(wm_id)
        job.tick()
    held = job.cwm()
    assert len(held.items) == 2

    job.commit()

    (written,) = [event for event in events(of) if isinstance(event, EpisodeWritten)]
    assert written.form == "summary"
    assert written.payload == {
        "cwm": {
            "cwm_id": held.cwm_id,
            "topic": "breakfast",
            "items": [
                {"cwm_id_item": item.cwm_id_item, "value": item.value, "promoted_from_wm": True}
                for item in held.items
            ],
            "token_estimate": held.token_estimate,
        }
    }
    golden("m_t3.log", whole_log(of))


@pytest.mark.covers("A-082", "A-123", "A-127")
def test_m_t4_seeded_entries_are_ranked_in_the_expected_order(golden: Golden) -> None:
    of = memory()
    ada = of.agent("ada")
    with ada.job("seed-m-t4") as job:
        for summary in (
            "green tea in the garden at noon",
            "tea",
            "black coffee",
            "green tea",
            "Tea! Green, if possible.",
            "a garden without a gate",
        ):
            job.episodic_write(summary)

    found = ada.episodic_query(["green", "tea", "garden"], 8)
    ada.flush()

    assert [(each.entry.summary, each.score_ppm) for each in found] == [
        ("green tea", 1_000_000),
        ("tea", 1_000_000),
        ("Tea! Green, if possible.", 500_000),
        ("green tea in the garden at noon", 428_571),
        ("a garden without a gate", 200_000),
    ]
    golden("m_t4.log", whole_log(of))


def promotions_and_episodes(of: Memory) -> Memory:
    """A job with promotions, an expiry and episodic writes, beside another one."""
    ada = of.agent("ada", user="tuff")
    job, other = ada.job("seed-m-t7", session="kitchen"), ada.job("seed-m-t7-b", session="kitchen")
    for value in ("tea", {"bread": "rye", "share": 0.5}, ["jam", None, "日本茶"]):
        wm_id = job.wm_insert({"type": "fact", "value": value, "ttl_ticks": 4})
        job.reference(wm_id)
        other.wm_insert({"type": "hint", "value": {"seen": value}, "ttl_ticks": 1})
        job.tick()
        job.reference(wm_id)
        other.tick()
        job.tick()
    job.episodic_write("breakfast was served", {"guests": ["tuff", "ada"]}, source="executor")
    found = job.episodic_query("breakfast")
    job.memory_promote_request(
        found[0].entry.episodic_id, "user/profile/user_tuff/breakfast", "it was asked for"
    )
    job.commit()
    other.commit()
    return of


@pytest.mark.covers("A-066", "A-107", "A-111", "A-123", "A-132")
def test_m_t7_a_job_run_again_with_its_seed_gives_the_same_events_and_ids(golden: Golden) -> None:
    first = promotions_and_episodes(memory())
    told = whole_log(first)
    assert sum(isinstance(event, Promoted) for event in events(first)) == 3
    assert sum(isinstance(event, EpisodeWritten) for event in events(first)) == 4

    for _ in range(RUNS):
        again = promotions_and_episodes(memory())
        assert events(again) == events(first)
        assert [line.hash for line in lines(again)] == [line.hash for line in lines(first)]
        assert whole_log(again) == told
    assert first.prove() == promotions_and_episodes(memory()).prove()
    golden("m_t7.log", told)


@pytest.mark.covers("A-003", "A-107", "A-110", "A-132")
@pytest.mark.parametrize("hash_seed", HASH_SEEDS)
def test_m_t7_another_process_gives_the_same_log(hash_seed: str) -> None:
    shown = subprocess.run(
        [sys.executable, "-B", "-c", ANOTHER_PROCESS],
        cwd=ROOT,
        env={"PYTHONHASHSEED": hash_seed, "PYTHONIOENCODING": "utf-8", "PYTHONPATH": PACKAGE},
        capture_output=True,
        check=True,
    )

    assert shown.stdout.decode() == whole_log(promotions_and_episodes(memory()))
