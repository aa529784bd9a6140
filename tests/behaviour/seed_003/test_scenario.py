"""The example scenario of the fourth document, from the turn's start to its trace."""

from pathlib import Path

import pytest

import muniment
from muniment.model.kinds.turn_export import StateExport


class Archive:
    """Whoever reads the exports."""

    def __init__(self) -> None:
        self.told: dict[str, StateExport] = {}

    def export(self, target: str, told: StateExport) -> None:
        self.told[target] = told


@pytest.mark.covers("D-006", "D-014", "D-023", "D-026", "D-044")
@pytest.mark.covers("D-157", "D-158", "D-159", "D-160", "D-161", "D-162", "D-163")
@pytest.mark.covers("D-164", "D-165", "D-166", "D-167", "D-168", "D-169")
def test_a_turn_from_its_beginning_to_its_trace(tmp_path: Path) -> None:  # noqa: PLR0915 - a story
    archive = Archive()
    memory = muniment.open(
        tmp_path / "m", neighbours=muniment.Neighbours(exporter=archive), seed=b"s", clock=False
    )
    ada = memory.agent("ada", user="tuff")
    with ada.job("yesterday", session="s") as before:
        before.memorize({"type": "fact", "text": "The build listens on port 5432"})
        before.memorize({"type": "observation", "text": "The build was slow on Monday"})

    # 1: the turn starts with a configured budget.
    job = ada.job("today", session="s", budget=2_000, channel="desk")
    job.set_goal("g", "get the build to listen again")
    assert job.get_budget_status().budget_tokens == 2_000

    # 2-3: a query; the budget is divided among the types, each is asked, the answers combined.
    context = job.assemble_context("Why does the build not listen on its port?", budget=2_000)
    assert 0 < context.tokens <= 2_000
    assert {"semantic", "working", "goals"} <= set(context.sources)
    assert sum(each.used for each in context.receipt.spent) <= 2_000
    assert 0 < sum(each.allocated for each in context.receipt.spent) <= 2_000
    assert {each.type for each in context.receipt.spent} == {t.name for t in job.memory_types()}
    assert "The build listens on port 5432" in context.text

    # 4-6: a tool is called; episodic memory receives the trace.
    traced = job.track_tool_invocation("lsof", {"port": 5432}, "postgres, pid 77")
    assert traced.id in [memo.id for memo in job.memos("EM")]

    # 7-9: the answer is memorized; the gate routes it.
    answer = {"type": "observation", "text": "Port 5432 is taken by postgres, so the build fails"}
    told = job.memorize(answer, {"speaker": "ada"})
    assert told.routing.places == ("EM", "WM")
    job.advance_goal("g", 0.5, expected_version=1, note="the cause is known")

    # 10-12: the turn ends; exports are generated and handed on.
    done = job.commit()
    assert done.confirmed
    assert set(archive.told) == {"episodic", "semantic", "frontal_cortex"}
    assert [memo.id for memo in done.export.episodic_exports] == [traced.id, told.id]
    assert done.export.semantic_exports == ()
    assert [goal.delta_ppm for goal in done.export.fc_updates.goals] == [0, 500_000]

    # 13: every operation is in the trace, reads included, and the log proves itself.
    operations = [step.operation for step in job.trace()]
    for wanted in ("context_assembled", "idetic_event", "memo_kept", "goal_advanced", "job_closed"):
        assert wanted in operations
    assert memory.rebuild() == {each.stream: each.projections for each in memory.prove()}
    memory.close()
