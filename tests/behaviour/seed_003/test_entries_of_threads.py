"""Threads and turns and all that they write down: every entry of a story, compared whole."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from tests import world
from tests.rendering import decided

from muniment.engine.api.memory import Memory
from muniment.engine.decide.memos import turn
from muniment.model.commands import AnyCommand, SetGoal
from muniment.model.commands.memos import AdvanceGoal, ObserveMandates, RecordExport, TrackTool
from muniment.model.commands.threads import EndThread, SetTimeout, SettleLink, TakeTurn
from muniment.model.errors import MunimentError
from muniment.model.policy import Policy
from muniment.model.policy.maintenance import Threading
from muniment.model.policy.memo_gate import Gating

Golden = Callable[[str, str], None]
FERRY = "The ferry to Lisbon leaves from quay four at eight, says Marta."


def opened(**threading: Any) -> tuple[Memory, world.StillClock]:  # noqa: ANN401
    clock = world.StillClock()
    return world.memory(Policy(threads=Threading(**threading)), clock=clock), clock


def test_a_turn_finds_its_thread_and_silence_opens_another(golden: Golden) -> None:
    of, clock = opened(inactivity_timeout_minutes=10, channel_timeouts_minutes={"slow": 60})
    ada = of.agent("ada", user="tuff")
    mail, chat = ada.thread("mail"), ada.thread("chat", timeout_minutes=20)

    mail.turn(FERRY)
    mail.turn("And Marta brings blankets.", source="model")
    chat.turn("a result", source="tool")
    of.agent("ada", user="mia").thread("mail").turn(FERRY)
    clock.later(minutes=11)
    mail.turn("Bees sleep in winter.")
    mail.set_timeout(5)
    clock.later(minutes=25)
    chat.turn("Something else.")
    ada.thread("slow").turn("It rains.")
    ada.set_thread_timeout(90)
    clock.later(minutes=70)
    mail.turn("Still here.")
    mail.turn("Something new.", new=True)

    golden("entries/threads.txt", decided(of))


def test_a_thread_goes_on_with_an_earlier_one_that_is_like_it(golden: Golden) -> None:
    of, clock = opened(
        inactivity_timeout_minutes=10, link_above_ppm=300_000, retune_decisions=2, candidates_max=2
    )
    ada = of.agent("ada", user="tuff")
    mail = ada.thread("mail")

    mail.turn(FERRY)
    clock.later(minutes=20)
    mail.turn("When does the ferry to Lisbon leave from quay four, Marta?")
    clock.later(minutes=20)
    mail.turn("Bees sleep in winter.")
    clock.later(minutes=20)
    mail.turn("Bees sleep in winter, says Marta; and the ferry to Lisbon leaves at eight.")
    of.agent("ada", user="mia").thread("mail").turn("It rains.")
    for decision, related in ((1, True), (3, False)):
        with suppress(MunimentError):
            mail.settle_link(decision, related=related)
    clock.later(minutes=20)
    mail.turn("The ferry again.")
    mail.end()
    mail.turn("The ferry to Lisbon.", new=True)

    golden("entries/links.txt", decided(of))


def test_an_explicit_channel_has_a_thread_of_its_own(golden: Golden) -> None:
    of, clock = opened(inactivity_timeout_minutes=10, threads_open_max=2)
    ada = of.agent("ada", user="tuff")
    desk = ada.thread("desk", explicit=True)

    first = desk.turn(FERRY)
    clock.later(minutes=60)
    desk.turn(FERRY)
    ada.thread("mail").turn("The ferry to Lisbon leaves at eight.")
    ada.thread("other", explicit=True).turn("It rains.")
    ada.thread("mail").turn("Chosen.", thread_id=first.thread_id)
    desk.turn("New.", new=True)
    desk.end()

    golden("entries/explicit.txt", decided(of))


@pytest.mark.parametrize(
    ("name", "policy"), [("turns", {"episode_turns": 2}), ("hours", {"episode_hours": 1})]
)
def test_an_episode_ends_after_so_many_turns_or_hours(
    golden: Golden, name: str, policy: dict[str, int]
) -> None:
    of, clock = opened(inactivity_timeout_minutes=1_000, **policy)
    mail = of.agent("ada", user="tuff").thread("mail")

    for n in range(4):
        mail.turn(f"The ferry number {n} leaves at eight.")
        clock.later(minutes=40)

    golden(f"entries/episodes_{name}.txt", decided(of))


def test_what_is_asked_of_no_thread_is_refused(golden: Golden) -> None:
    of, _ = opened()
    ada, mia = (of.agent("ada", user=each) for each in ("tuff", "mia"))
    its = ada.thread("mail").turn(FERRY).thread_id
    mine, theirs = ada._session, mia._session
    asked: list[tuple[Any, AnyCommand]] = [
        (mine, TakeTurn(text=" ", channel="mail", subject=mine.subject)),
        (mine, TakeTurn(text="x", channel=" ", subject=mine.subject)),
        (mine, TakeTurn(text="x", channel="mail", thread_id="none", subject=mine.subject)),
        (theirs, TakeTurn(text="x", channel="mail", thread_id=its, subject=theirs.subject)),
        (mine, TakeTurn(text="x", channel="mail", request="none", subject=mine.subject)),
        (mine, EndThread(thread_id="none", subject=mine.subject)),
        (theirs, EndThread(thread_id=its, subject=theirs.subject)),
        (mine, SetTimeout(thread_id="none", minutes=3, subject=mine.subject)),
        (theirs, SetTimeout(thread_id=its, minutes=3, subject=theirs.subject)),
        (mine, SettleLink(decision=9, related=True, subject=mine.subject)),
        (mine, TakeTurn(text="weighed", channel="mail", importance_ppm=0, subject=mine.subject)),
        (mine, EndThread(thread_id=its, reason="timeout", subject=mine.subject)),
        (mine, TakeTurn(text="on", channel="mail", thread_id=its, subject=mine.subject)),
    ]

    for session, command in asked:
        session.append(command)

    golden("entries/threads_refused.txt", decided(of))


# ── Tools, goals, mandates, exports ─────────────────────────────────────────────────────────────


def test_a_tool_is_tracked_as_a_pair_of_its_loop_and_as_a_memo(golden: Golden) -> None:
    of = world.memory(clock=world.StillClock())
    ada = of.agent("ada", user="tuff")
    session = ada._session
    about: dict[str, Any] = {"subject": session.subject}
    ada.remember("The ferry to Lisbon leaves from quay four.")
    given = ada.context("ferry").text

    session.append(TrackTool(tool_name="search", **about))
    with ada.job("a job") as job:
        for command in (
            TrackTool(tool_name="search", parameters={"q": "ferry"}, result=["08:00"], **about),
            TrackTool(tool_name="search", result="", error="busy", **about),
            TrackTool(tool_name=" ", **about),
            TrackTool(tool_name="echo", result=f"{given}\nIt rains.", **about),
        ):
            session.append(command, job=job.number)
        job.observe_event("actor_output", "done")
        session.append(TrackTool(tool_name="late", **about), job=job.number)

    golden("entries/tools.txt", decided(of))


def test_a_memo_of_a_tool_tells_no_more_than_16000_characters() -> None:
    command = TrackTool(tool_name="long", result="x" * 17_000)

    assert len(turn._memo(command, command.result).text) == 16_000


def test_where_tools_are_not_tracked_none_is(golden: Golden) -> None:
    of = world.memory(Policy(gating=Gating(enable_tool_tracking=False)), clock=world.StillClock())
    ada = of.agent("ada", user="tuff")

    with ada.job("a job") as job:
        command = TrackTool(tool_name="search", subject=ada._session.subject)
        ada._session.append(command, job=job.number)

    golden("entries/no_tools.txt", decided(of))


def test_goals_advance_and_mandates_and_exports_are_kept(golden: Golden) -> None:
    of = world.memory(clock=world.StillClock())
    ada = of.agent("ada", user="tuff")
    about: dict[str, Any] = {"subject": ada._session.subject}

    with ada.job("a job") as job:
        for command in (
            SetGoal(goal_id="g", text="Lisbon", **about),
            AdvanceGoal(goal_id="g", delta_ppm=400_000, expected_version=1, note="half", **about),
            AdvanceGoal(goal_id="g", delta_ppm=900_000, expected_version=2, **about),
            AdvanceGoal(goal_id="g", delta_ppm=-500_000, expected_version=2, **about),
            AdvanceGoal(goal_id="g", delta_ppm=-1_000_000, expected_version=3, **about),
            AdvanceGoal(goal_id="g", delta_ppm=-1, expected_version=4, **about),
            AdvanceGoal(goal_id="x", delta_ppm=1, expected_version=1, **about),
            ObserveMandates(mandates=[{"kind": 1}], **about),
            ObserveMandates(templates=[{"kind": 1}], **about),
            ObserveMandates(**about),
            RecordExport(export_id="e", turn=3, first_seq=1, last_seq=9, failed=("x",), **about),
        ):
            ada._session.append(command, job=job.number)

    golden("entries/goals.txt", decided(of))
