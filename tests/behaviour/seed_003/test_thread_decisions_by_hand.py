"""Threads, turn by turn: which thread a turn belongs to, what it opens, and what that ends."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from tests.deciding import Kept, context, denied, placed

from muniment.engine.decide.memos import threads as decisions
from muniment.layers.memos import threads as layer
from muniment.layers.memos.threads import ThreadsState
from muniment.log.entry import Line
from muniment.model.commands.threads import TakeTurn
from muniment.model.events import AnyEvent
from muniment.model.events.memos import MemoKept
from muniment.model.events.threads import (
    EpisodeClosed,
    EpisodeOpened,
    LinkDecided,
    OutputRecorded,
    ThreadClosed,
    ThreadOpened,
    TurnTaken,
)
from muniment.model.kinds.thread import Thread, ThreadEpisode
from muniment.model.policy import Policy
from muniment.model.policy.maintenance import Threading
from muniment.rules.echoes import Heard

Known = dict[str, Any]
EIGHT, LATER = "2026-03-05T08:00:00.000Z", "2026-03-05T08:20:00.000Z"
FERRY = "The ferry to Lisbon leaves."


class Ended(Kept):
    """Threads that have ended, newest first."""

    def __init__(self, *threads: Thread, limit: int = 16, **others: AnyEvent | Line) -> None:
        super().__init__({(layer.OUTPUTS, name): each for name, each in others.items()})
        self._ended, self._limit = threads, limit

    def get(self, shelf: str, item_id: str) -> Line | None:
        found = [
            each for each in self._ended if (shelf, each.thread_id) == (layer.THREADS, item_id)
        ]
        return _closing(found[0]) if found else super().get(shelf, item_id)

    def under(self, shelf: str, key: str, limit: int = -1) -> Iterator[Line]:
        assert (shelf, key, limit) == (layer.THREADS, "of:tuff", self._limit)
        yield from map(_closing, self._ended[:limit])


def _closing(ended: Thread) -> Line:
    told = ThreadClosed(
        thread_id=ended.thread_id, reason="user", subject=ended.user_id, thread=ended
    )
    return placed(told)


def thread(name: str, episode: str = "", at: str = EIGHT, **more: Any) -> Thread:  # noqa: ANN401
    told = {"created_at": EIGHT, "channels": ("mail",), "turn_count": 1}
    return Thread(
        thread_id=name,
        user_id="tuff",
        last_activity_at=at,
        primary_episode_id=episode,
        **{**told, **more},
    )


def state(*threads: Thread, episodes: Sequence[str] = (), **more: Any) -> ThreadsState:  # noqa: ANN401
    known = {
        name: ThreadEpisode(episode_id=name, opened_at=EIGHT, thread_ids=("t",))
        for name in episodes
    }
    return ThreadsState(open={each.thread_id: each for each in threads}, episodes=known, **more)


def taken(
    known: ThreadsState,
    text: str = FERRY,
    *,
    at: str = EIGHT,
    policy: Threading | None = None,
    shelves: Kept | None = None,
    echoes: tuple[tuple[str, Heard], ...] = (),
    **asked: Any,  # noqa: ANN401
) -> list[Any]:
    command = TakeTurn(**{"text": text, "channel": "mail", "subject": "tuff", **asked})
    rules = Policy(threads=policy or Threading())
    now = context(command, threads=known, policy=rules, received={"at": at})
    now = msgspec.structs.replace(now, shelves=shelves or Ended(), echoes=echoes)
    return decisions.take_turn(now, command)


def only(kind: type, told: Sequence[AnyEvent]) -> list[Any]:
    return [each for each in told if isinstance(each, kind)]


def went_to(told: Sequence[AnyEvent]) -> str:
    (turn,) = only(TurnTaken, told)
    return str(turn.thread_id)


# ── The thread of a turn ────────────────────────────────────────────────────────────────────────


def test_of_several_open_threads_the_latest_goes_on() -> None:
    old, new, other = thread("a", at=LATER), thread("b", at="2026-03-05T08:21:00.000Z"), thread("c")
    episodes: Known = {"policy": Threading(inactivity_timeout_minutes=90)}

    assert went_to(taken(state(old, new, other), at=LATER, **episodes)) == "b"
    assert went_to(taken(state(new, other, old), at=LATER, **episodes)) == "b"


def test_a_turn_goes_to_the_open_thread_that_its_user_names() -> None:
    known = state(thread("a"), thread("b", at=LATER))

    assert went_to(taken(known, thread_id="a")) == "a"
    assert taken(known, thread_id="c") == denied("thread_unknown", "c")
    theirs = msgspec.structs.replace(thread("a"), user_id="mia")
    assert taken(state(theirs), thread_id="a") == denied("thread_unknown", "a")


def test_what_only_repeats_what_memory_gave_out_is_a_turn_and_no_memo() -> None:
    echo = (("text", Heard(text="", lines=1, receipt="ctx:1")),)

    told = taken(state(thread("a", "e"), episodes=["e"]), " ", echoes=echo)

    assert [type(each) for each in told] == [TurnTaken]
    assert only(MemoKept, taken(state(thread("a", "e"), episodes=["e"])))
    assert taken(state(), " ") == denied("text_empty")


# ── A thread opens ──────────────────────────────────────────────────────────────────────────────


def test_without_a_clock_a_thread_says_no_time_and_its_own_timeout() -> None:
    told = taken(state(), at="", timeout_minutes=7)

    (opened,), (begun,), (turn,) = (
        only(kind, told) for kind in (ThreadOpened, EpisodeOpened, TurnTaken)
    )
    assert (opened.at, begun.at, turn.at) == ("", "", "")
    assert turn.thread == Thread(
        thread_id=opened.thread_id,
        user_id="tuff",
        created_at="",
        last_activity_at="",
        channels=("mail",),
        inactivity_timeout_minutes=7,
        own_timeout_minutes=7,
        primary_episode_id=begun.episode_id,
        turn_count=1,
        counts=turn.thread.counts,
        entities=turn.thread.entities,
    )


def said(name: str, episode: str, at: str = EIGHT) -> Thread:
    """A thread that spoke of the ferry."""
    return thread(name, episode, at, counts={"ferry": 1, "leaves": 1, "lisbon": 1})


LINKS = Threading(link_above_ppm=100_000)
NEVER = Threading(link_above_ppm=1_000_000)


def test_an_ended_thread_closes_its_episode_unless_the_new_one_goes_on_with_that() -> None:
    ending, other = thread("a", "e", LATER), said("b", "f")
    known = state(ending, other, episodes=["e", "f"])

    told = taken(known, new=True, policy=LINKS)

    (link,) = only(LinkDecided, told)
    (closed,) = only(EpisodeClosed, told)
    (turn,) = only(TurnTaken, told)
    assert (link.other_id, link.link.linked) == ("b", True)
    assert (closed.episode_id, turn.episode_id) == ("e", "f")
    same = taken(state(said("a", "e"), episodes=["e"]), new=True, policy=LINKS)
    assert only(EpisodeClosed, same) == only(EpisodeOpened, same) == []
    assert only(TurnTaken, same)[0].episode_id == "e"


def test_an_episode_that_another_open_thread_shares_stays_open() -> None:
    known = state(thread("a", "e", LATER), thread("b", "e"), episodes=["e"])
    alone = state(thread("a", "e", LATER), thread("b", "f"), episodes=["e"])

    assert only(EpisodeClosed, taken(known, new=True, policy=NEVER)) == []
    assert only(EpisodeClosed, taken(alone, new=True, policy=NEVER)) == [
        EpisodeClosed(episode_id="e", reason="thread_end", turns=0, tokens=0, subject="tuff")
    ]


def test_the_thread_that_ends_makes_room_for_the_one_that_opens() -> None:
    two = state(thread("a"), thread("b", at=LATER))

    def closed(limit: int) -> list[str]:
        policy = msgspec.structs.replace(NEVER, threads_open_max=limit)
        return [each.thread_id for each in only(ThreadClosed, taken(two, new=True, policy=policy))]

    assert closed(2) == ["b"]
    assert closed(1) == ["b", "a"]


def test_an_episode_that_goes_on_does_not_end_with_the_thread_that_makes_room() -> None:
    known = state(thread("a", "e"), episodes=["e"])
    ended = Ended(msgspec.structs.replace(thread("b", "e"), closed_for="user"))
    policy = msgspec.structs.replace(NEVER, threads_open_max=1)

    told = taken(known, thread_id="b", shelves=ended, policy=policy)

    assert [(each.thread_id, each.reason) for each in only(ThreadClosed, told)] == [("a", "room")]
    assert only(EpisodeClosed, told) == only(EpisodeOpened, told) == []
    (turn,) = only(TurnTaken, told)
    assert (turn.thread.thread_id, turn.episode_id, turn.thread.closed_for) == ("b", "e", "")


# ── Links ───────────────────────────────────────────────────────────────────────────────────────


def test_only_so_many_ended_threads_are_compared() -> None:
    ended = Ended(thread("x"), said("y", ""), limit=1)
    policy = msgspec.structs.replace(LINKS, candidates_max=1)

    (link,) = only(LinkDecided, taken(state(), policy=policy, shelves=ended))

    assert link.other_id == "x"


def test_a_model_is_heard_of_the_thread_that_it_was_asked_about() -> None:
    answer = OutputRecorded(
        request="r",
        purpose="link",
        model="m",
        text=json.dumps({"related": True, "confidence": 0.9}),
        subject="tuff",
    )
    known = state(said("a", ""), thread("b", at=LATER))

    def linked(assessed: str) -> tuple[str, int]:
        told = taken(
            known, new=True, policy=NEVER, shelves=Ended(r=answer), request="r", assessed=assessed
        )
        (link,) = only(LinkDecided, told)
        return link.other_id, link.link.model_ppm

    assert linked("b") == ("b", 900_000)
    assert linked("a") == ("a", 900_000)
    assert linked("c") == ("a", -1)
