"""What proved useful is written down, measured, proposed, and adopted by approval only."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from tests import shifting
from tests.shifting import SHIFTS, Shift
from tests.terminal import Shell
from tests.world import events, memory

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model.errors import InputError, RefusedError
from muniment.model.events import PolicyAdopted, RequestRaised, VoteCast
from muniment.model.events.reads import ContextUsed, TaskEnded
from muniment.model.policy import Policy
from muniment.model.policy.context import Assembly, Coefficients
from muniment.retrieval.context import weight_feedback

BUDGET = 30  # one or two sentences: choosing well is everything
ONLY = {"types": ["remembered"]}
ALIKE_ALONE = Coefficients(
    similarity_ppm=1_000_000, recency_ppm=0, importance_ppm=0, duplication_ppm=0
)


@contextmanager
def refused(reason: str) -> Iterator[None]:
    with pytest.raises(RefusedError) as no:
        yield
    assert no.value.reason == reason


def living(weights: Coefficients) -> tuple[Memory, Agent]:
    world = memory(Policy(assembly=Assembly(coefficients=weights)))
    ada = world.agent("ada", user="tuff")
    shifting.live(ada)
    return world, ada


def ask(ada: Agent, shift: Shift, *, n: int = 0) -> bool:
    """A task: it succeeds where the context holds what is so now. A person says what was useful."""
    with ada.job(f"task-{n}-{shift.question}") as job:
        told = job.assemble_context(shift.question, BUDGET, ONLY)
        useful = [piece.id for piece in told.pieces if shift.after in piece.text]
        if not useful:
            wider = job.assemble_context(shift.question, 400, ONLY)
            useful = [piece.id for piece in wider.pieces if shift.after in piece.text]
            unused = [piece.id for piece in told.pieces]
            job.unused(unused, context=told)
            job.used(useful, context=wider)
            job.outcome("failure")
            return False
        job.used(useful, context=told)
        job.outcome("success")
        return True


def succeeding(ada: Agent, shifts: tuple[Shift, ...], *, n: int = 0) -> int:
    return sum(ask(ada, each, n=n) for each in shifts)


@pytest.mark.covers("D-122", "D-135")
def test_the_default_weights_serve_corrected_and_stale_facts_better_than_likeness_alone() -> None:
    by_all = succeeding(living(Coefficients())[1], SHIFTS)
    by_likeness = succeeding(living(ALIKE_ALONE)[1], SHIFTS)

    assert by_all >= 8
    assert by_all >= by_likeness + 3


@pytest.mark.covers("D-123")
def test_what_was_repeated_takes_its_place_once() -> None:
    _, ada = living(Coefficients())
    for often, rare, question in shifting.REPEATED:
        told = ada.context(question, budget=60, filters=ONLY)  # two lines, and never three
        assert told.text.count(often) == 1
        assert rare in told.text
        assert len(told.pieces) == 2


@pytest.mark.covers("D-117", "D-126", "D-127", "D-128", "D-129", "D-130", "D-135")
def test_a_change_that_past_turns_speak_for_is_approved_adopted_and_serves_better() -> None:
    world, ada = living(ALIKE_ALONE)
    lessons, exam = SHIFTS[::2], SHIFTS[1::2]
    before = succeeding(ada, exam)
    for shift in lessons:
        _told_by_hand(ada, shift)

    found = ada.propose_coefficients()
    assert found.improves
    assert found.quality_after.inside_ppm >= found.quality_before.inside_ppm
    assert found.quality_after.rank_ppm > found.quality_before.rank_ppm
    assert found.evidence.useful
    assert found.evidence.unused
    assert found.evidence.succeeded + found.evidence.failed >= len(exam)

    _adopt(world, ada, found)
    assert succeeding(ada, exam, n=2) > before
    assert all(proof.entries for proof in world.prove())


def _adopt(world: Memory, ada: Agent, found: weight_feedback.Proposal) -> None:
    """By the council's yes, between jobs, and not before."""
    admin = world.admin()
    request = admin.request_coefficients(
        "ada", found.after, reason="it serves better", evidence=found.evidence.receipts
    )
    with refused("change_not_approved"):
        admin.apply_policy(request)
    world.council().approve(request, reason="so it does")
    job = ada.job("in-between")
    with refused("policy_change_inside_job"):
        admin.apply_policy(request)
    job.commit()
    admin.apply_policy(request)

    (adopted,) = [e for e in events(world) if isinstance(e, PolicyAdopted) and e.reason]
    assert adopted.reason == request
    assert adopted.policy.assembly.coefficients == found.after
    docket = events(world, "council")
    asked = [e for e in docket if isinstance(e, RequestRaised | VoteCast)]
    assert [type(e) for e in asked] == [RequestRaised, VoteCast]


def test_what_if_measures_and_changes_nothing() -> None:
    _, ada = living(ALIKE_ALONE)
    for shift in SHIFTS[:4]:
        _told_by_hand(ada, shift)
    head = ada.seq
    found = ada.what_if({"similarity_ppm": 400_000, "recency_ppm": 250_000})

    assert found.quality_after.score > found.quality_before.score
    assert found == ada.what_if({"similarity_ppm": 400_000, "recency_ppm": 250_000})
    assert ada.seq == head
    with pytest.raises(InputError):
        ada.what_if({"similarity_ppm": 2_000_000})
    with pytest.raises(InputError):
        ada.what_if({"luck_ppm": 1})


def test_a_context_whose_question_was_not_kept_is_not_gathered_again() -> None:
    _, ada = living(Coefficients())
    with ada.job("task") as job:
        for secret in ("", " my password is correct-horse-77"):
            told = job.assemble_context(SHIFTS[0].question + secret, 400, ONLY)
            job.unused([told.pieces[0].id], context=told)

    assert len(ada.judged()) == 1


@pytest.mark.covers("D-127", "D-128", "D-129")
def test_use_and_outcome_are_entries_tied_to_their_receipt() -> None:
    world, ada = living(Coefficients())
    with ada.job("turn") as job:
        told = job.assemble_context(SHIFTS[0].question, 200, ONLY)
        first, second, *_ = told.pieces
        job.used([first.id], context=told, unused=[second.id])
        job.outcome("success", task_id="dentist")

    (used,) = [e for e in events(world) if isinstance(e, ContextUsed)]
    (ended,) = [e for e in events(world) if isinstance(e, TaskEnded)]
    assert (used.receipt_id, used.used, used.unused) == (
        told.receipt.receipt_id,
        (first.id,),
        (second.id,),
    )
    assert (used.how, ended.outcome) == ("told", "success")
    (turn,) = ada.judged()
    assert (set(turn.used), set(turn.unused)) == ({first.id}, {second.id})
    assert turn.outcome == "success"


@pytest.mark.covers("D-127", "D-128")
def test_a_rule_finds_out_what_an_answer_used_and_says_that_it_was_a_rule() -> None:
    world, ada = living(Coefficients())
    told = ada.context("Where does my sister Ines live?", budget=200, filters=ONLY)
    found = ada.used_in("She is at home in Braga, I believe, now.", context=told)

    (braga,) = [piece.id for piece in told.pieces if "Braga" in piece.text]
    assert braga in found
    (used,) = [e for e in events(world) if isinstance(e, ContextUsed)]
    assert used.how == weight_feedback.RULE
    assert set(used.used) | set(used.unused) == {piece.id for piece in told.pieces}


@pytest.mark.parametrize(
    ("used", "unused", "reason"),
    [
        (["ep:foreign"], [], "not_in_context"),
        ([], [], "nothing_reported"),
        (["first"], ["first"], "used_and_unused"),
    ],
)
def test_a_report_that_does_not_fit_its_context_is_refused(
    used: list[str], unused: list[str], reason: str
) -> None:
    _, ada = living(Coefficients())
    told = ada.context(SHIFTS[0].question, filters=ONLY)
    named = {"first": told.pieces[0].id}
    with refused(reason):
        ada.used(
            [named.get(each, each) for each in used],
            unused=[named.get(each, each) for each in unused],
            context=told,
        )
    with refused("context_unknown"):
        ada.used([told.pieces[0].id], context="ctx:nothing")


@pytest.mark.covers("D-117")
def test_weights_that_are_none_cannot_be_asked_for() -> None:
    world, ada = living(Coefficients())
    ada.flush()
    bad = msgspec.structs.replace(Coefficients(), similarity_ppm=7_000_000)
    with refused("coefficients_do_not_fit"):
        world.admin().request_coefficients("ada", bad, reason="more is more")


@pytest.mark.covers("D-117", "D-130")
def test_the_terminal_compares_and_proposes(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "store"))
    shell("remember", "The ferry leaves at nine")
    compared = shell.document("what-if", "--recency", "0.5")
    after = compared["after"]
    assert isinstance(after, dict)
    assert after["recency_ppm"] == 500_000
    proposed = shell.document("propose", "--request")
    assert proposed["improves"] is False
    assert proposed["request_id"] == ""
    assert "No other weights do better" in shell("propose").stdout


def _told_by_hand(ada: Agent, shift: Shift) -> None:
    """A person looks at what the context held, and at what it should have held."""
    with ada.job(f"lesson-{shift.question}") as job:
        narrow = job.assemble_context(shift.question, BUDGET, ONLY)
        wide = job.assemble_context(shift.question, 400, ONLY)
        useful = [piece.id for piece in wide.pieces if shift.after in piece.text]
        wasted = [piece.id for piece in narrow.pieces if piece.id not in useful]
        if wasted:
            job.unused(wasted, context=narrow)
        job.used(useful, context=wide)
