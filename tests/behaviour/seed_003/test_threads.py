"""Threads and episodes: channels, silence, links, cross-thread episodes, and what closes them."""

import msgspec
import pytest
from tests import world

from muniment.adapters.models.chat_model import PlainModel
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.streams.parts import Tools
from muniment.model import ids
from muniment.model.errors import NotFoundError, RefusedError
from muniment.model.events.threads import (
    EpisodeClosed,
    EpisodeOpened,
    LinkDecided,
    LinksRetuned,
    OutputRecorded,
    ThreadClosed,
    ThreadOpened,
)
from muniment.model.policy import Policy
from muniment.model.policy.maintenance import Threading
from muniment.model.text.token_estimate import estimate_tokens

PARIS = (
    "The budget report for Paris is late",
    "Claire owns the Paris budget report",
    "Send the Paris budget report to Claire by 14 March",
)
AGAIN = "Has Claire sent the Paris budget report?"
SARDINES = "Which wine goes with grilled sardines tonight?"


class Watch:
    """A clock that stands still until somebody moves it."""

    def __init__(self) -> None:
        self.now_ms = 1_790_000_000_000

    def now(self) -> str:
        return ids.time_text(self.now_ms)

    def wait(self, ticks: int) -> None:
        del ticks

    def later(self, *, minutes: int = 0, hours: int = 0) -> None:
        self.now_ms += (minutes + hours * 60) * 60_000


class World:
    def __init__(self, policy: Threading | None = None, tools: Tools | None = None) -> None:
        self.watch = Watch()
        policy_ = Policy(threads=policy) if policy else Policy()
        self.memory: Memory = world.memory(policy_, clock=self.watch, tools=tools)
        self.ada: Agent = self.memory.agent("ada", user="tuff")

    def events(self, kind: type) -> list[object]:
        return [each for each in world.events(self.memory) if isinstance(each, kind)]

    def holds(self) -> bool:
        told = {proof.stream: proof.projections for proof in self.memory.prove()}
        return self.memory.rebuild() == told


@pytest.mark.covers("D-155", "D-156")
def test_turns_within_the_timeout_are_one_thread_and_one_episode() -> None:
    hub = World()
    slack = hub.ada.thread("slack")
    first = slack.turn(PARIS[0])
    hub.watch.later(minutes=30)  # exactly the timeout is not longer than it
    second = slack.turn(PARIS[1], source="model")

    assert first.opened
    assert not second.opened
    assert (first.thread_id, first.episode_id) == (second.thread_id, second.episode_id)
    (thread,) = hub.ada.threads()
    assert thread.turn_count == 2
    assert thread.channels == ("slack",)
    assert thread.inactivity_timeout_minutes == 30
    assert thread.explicit_channel is False
    assert thread.user_id == "user_tuff"
    assert thread.last_activity_at > thread.created_at
    assert hub.holds()


@pytest.mark.covers("D-156")
def test_silence_longer_than_the_timeout_opens_a_new_thread_and_closes_the_old_episode() -> None:
    hub = World()
    slack = hub.ada.thread("slack")
    old = slack.turn(PARIS[0])
    hub.watch.later(minutes=31)

    new = slack.turn(SARDINES)

    assert (new.opened, new.reason) == (True, "inactivity")
    assert new.thread_id != old.thread_id
    assert new.closed == (old.episode_id,)
    (closed,) = hub.events(ThreadClosed)
    assert closed.reason == "inactivity"  # type: ignore[attr-defined]
    (episode,) = hub.events(EpisodeClosed)
    assert episode.reason == "thread_end"  # type: ignore[attr-defined]


@pytest.mark.covers("D-156")
def test_an_implicit_thread_spans_channels() -> None:
    hub = World()
    one = hub.ada.thread("slack").turn(PARIS[0])
    hub.watch.later(minutes=10)
    two = hub.ada.thread("email").turn(PARIS[1])

    assert one.thread_id == two.thread_id
    assert hub.ada.threads()[0].channels == ("slack", "email")


@pytest.mark.covers("D-155", "D-156")
def test_an_explicit_channel_never_times_out_and_is_nobodys_continuation() -> None:
    hub = World()
    desk = hub.ada.thread("case-42", explicit=True)
    first = desk.turn(PARIS[0])
    hub.watch.later(hours=23)
    again = desk.turn(AGAIN)

    assert first.thread_id == again.thread_id
    assert hub.events(LinkDecided) == []
    assert hub.ada.thread("case-43", explicit=True).turn(AGAIN).thread_id != first.thread_id
    assert hub.ada.thread("slack").turn(AGAIN).thread_id != first.thread_id


@pytest.mark.covers("D-156")
def test_the_user_chooses_a_new_thread_ends_one_and_goes_on_with_an_ended_one() -> None:
    hub = World()
    desk = hub.ada.thread("case-42", explicit=True)
    first = desk.turn(PARIS[0])
    second = desk.turn(PARIS[1], new=True)
    assert (second.opened, second.reason) == (True, "user")
    desk.end()
    assert {each.closed_for for each in hub.ada.threads()} == {"user"}

    back = desk.turn(PARIS[2], thread_id=first.thread_id)

    assert (back.thread_id, back.turn) == (first.thread_id, 2)
    assert back.episode_id != first.episode_id
    assert [each.closed_for for each in hub.ada.threads()] == ["", "user"]
    assert hub.holds()


@pytest.mark.parametrize(
    ("channel", "minutes", "ends"),
    [("slack", 31, True), ("email", 31, False), ("email", 601, True)],
)
@pytest.mark.covers("D-156")
def test_a_channel_may_have_a_timeout_of_its_own(
    channel: str,
    minutes: int,
    ends: bool,  # noqa: FBT001 - a column of the table
) -> None:
    hub = World(Threading(channel_timeouts_minutes={"email": 600}))
    talk = hub.ada.thread(channel)
    talk.turn(PARIS[0])
    hub.watch.later(minutes=minutes)

    assert talk.turn(SARDINES).opened is ends


@pytest.mark.covers("D-156")
def test_a_user_and_a_thread_may_have_a_timeout_of_their_own() -> None:
    hub = World()
    hub.ada.set_thread_timeout(120)
    talk = hub.ada.thread("slack")
    talk.turn(PARIS[0])
    hub.watch.later(minutes=100)
    assert not talk.turn(PARIS[1]).opened

    talk.set_timeout(5)
    hub.watch.later(minutes=6)
    assert talk.turn(SARDINES).opened
    hub.watch.later(minutes=100)
    assert not talk.turn(SARDINES).opened  # the new thread has the user's again
    assert hub.holds()


def test_a_timeout_for_all_threads_of_nobody_is_refused_and_changes_nothing() -> None:
    hub = World()
    nobody = hub.memory.agent("ada")
    turned = nobody.thread("slack").turn(PARIS[0])

    with pytest.raises(RefusedError) as refused:
        nobody.set_thread_timeout(90)

    assert refused.value.reason == "timeout_needs_a_person"
    nobody.thread("slack").turn(PARIS[1], thread_id=turned.thread_id)
    (thread,) = nobody.threads()
    assert thread.own_timeout_minutes == 0
    assert hub.holds()


@pytest.mark.covers("D-155", "D-156")
def test_a_new_thread_on_the_same_subject_joins_the_episode_of_the_old_one() -> None:
    hub = World()
    talk = hub.ada.thread("slack")
    *_, old = [talk.turn(text) for text in PARIS]
    hub.watch.later(minutes=45)

    new = talk.turn(AGAIN)

    assert new.link is not None
    assert new.link.link.linked
    assert new.link.link.score_ppm > 700_000
    assert new.thread_id != old.thread_id
    assert new.episode_id == old.episode_id
    assert new.closed == ()  # it goes on
    thread = talk.thread()
    assert thread.linked_threads == (old.thread_id,)
    assert thread.cross_thread_episodes == (old.episode_id,)
    assert hub.holds()


@pytest.mark.covers("D-156")
def test_several_threads_may_join_one_episode() -> None:
    hub = World()
    talk = hub.ada.thread("slack")
    turns = [talk.turn(text) for text in PARIS]
    for _ in range(2):
        hub.watch.later(minutes=45)
        turns.append(talk.turn(AGAIN))

    assert len({each.thread_id for each in turns}) == 3
    assert len({each.episode_id for each in turns}) == 1
    assert talk.thread().linked_threads == (turns[-2].thread_id, turns[0].thread_id)


@pytest.mark.covers("D-156")
def test_an_unrelated_thread_has_an_episode_of_its_own_and_the_decision_is_recorded() -> None:
    hub = World()
    talk = hub.ada.thread("slack")
    *_, old = [talk.turn(text) for text in PARIS]
    hub.watch.later(minutes=45)

    new = talk.turn(SARDINES)

    assert new.link is not None
    assert not new.link.link.linked
    assert new.link.other_id == old.thread_id
    assert new.episode_id != old.episode_id
    assert talk.thread().linked_threads == ()


@pytest.mark.covers("D-156")
def test_a_link_to_a_thread_whose_episode_is_complete_is_a_pointer() -> None:
    hub = World()
    talk = hub.ada.thread("slack")
    *_, old = [talk.turn(text) for text in PARIS]
    talk.end()
    hub.watch.later(minutes=45)

    new = talk.turn(AGAIN)

    assert new.link is not None
    assert new.link.link.linked
    assert new.episode_id != old.episode_id
    assert talk.thread().cross_thread_episodes == (old.episode_id,)


@pytest.mark.covers("D-156")
def test_another_users_threads_are_neither_continued_nor_listed() -> None:
    hub = World()
    for text in PARIS:
        hub.ada.thread("slack").turn(text)
    mia = hub.memory.agent("ada", user="mia")

    told = mia.thread("slack").turn(AGAIN)

    assert (told.opened, told.reason, told.link) == (True, "first", None)
    assert len(mia.threads()) == len(hub.ada.threads()) == 1
    with pytest.raises(RefusedError) as refused:
        mia.thread("slack").turn(AGAIN, thread_id=hub.ada.threads()[0].thread_id)
    assert refused.value.reason == "thread_unknown"


# ── Episodes ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("D-156")
def test_the_51st_turn_opens_a_new_episode_in_the_same_thread() -> None:
    hub = World(msgspec.structs.replace(Threading(), episode_turns=5))
    assert Threading().episode_turns == 50
    talk = hub.ada.thread("slack")
    turns = [talk.turn(f"Order {n} of the Paris report is number {n * 37}") for n in range(6)]

    assert len({each.episode_id for each in turns[:5]}) == 1
    assert turns[5].episode_id != turns[0].episode_id
    assert turns[5].closed == (turns[0].episode_id,)
    assert len({each.thread_id for each in turns}) == 1
    (closed,) = hub.events(EpisodeClosed)
    assert (closed.reason, closed.turns) == ("turns", 5)  # type: ignore[attr-defined]
    assert [each.trigger for each in turns[5].compacted] == ["turns"]


@pytest.mark.covers("D-156")
def test_an_episode_is_closed_after_a_day() -> None:
    hub = World()
    desk = hub.ada.thread("case-42", explicit=True)
    first = desk.turn(PARIS[0])
    hub.watch.later(hours=23)
    assert desk.turn(PARIS[1]).episode_id == first.episode_id
    hub.watch.later(hours=1)

    told = desk.turn(PARIS[2])

    assert told.episode_id != first.episode_id
    (closed,) = hub.events(EpisodeClosed)
    assert closed.reason == "hours"  # type: ignore[attr-defined]
    assert len(hub.events(EpisodeOpened)) == 2


@pytest.mark.covers("D-156")
def test_the_end_of_a_thread_compacts_its_episode_and_every_raw_turn_stays_readable() -> None:
    hub = World()
    talk = hub.ada.thread("slack")
    said = [
        "Hello there!",
        "My flight to Lisbon is on 14 March at 08:35.",
        "Thanks a lot, that is nice of you.",
        "The hotel is called Casa Azul. My flight to Lisbon is on 14 March at 08:35.",
        "Thanks!",
    ]
    ids_ = [talk.turn(text).memo_ids[0] for text in said]

    (told,) = talk.end()

    assert (told.done, told.trigger) == (True, "thread_end")
    assert [hub.ada.memo(each).text for each in ids_] == said
    assert [memo.text for memo in hub.ada.sources(told.told_by)] == said
    living = {memo.id for memo in hub.ada.memos("EM")}
    assert told.told_by in living
    assert living.isdisjoint(told.gone)
    assert "08:35" in hub.ada.memo(told.told_by).text
    assert hub.holds()


# ── What a context says ─────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("D-155", "D-156")
def test_an_implicit_channel_pulls_linked_threads_and_states_the_continuity() -> None:
    hub = World()
    talk = hub.ada.thread("slack")
    for text in PARIS:
        talk.turn(text)
    hub.watch.later(minutes=45)
    talk.turn(AGAIN)

    told = talk.context(500)

    assert told.startswith("This goes on with an earlier conversation: 3 turns on slack until ")
    assert [line.partition("] ")[2] for line in told.split("\n")[1:]] == [*PARIS, AGAIN]
    little = talk.context(20)  # what does not fit is passed over: the heading, and two of the turns
    assert little == f"[user] {PARIS[1]}\n[user] {AGAIN}"
    assert estimate_tokens(little) <= 20 < estimate_tokens(f"[user] {PARIS[0]}\n{little}")


@pytest.mark.covers("D-155", "D-156")
def test_an_explicit_channel_pulls_its_own_thread_only() -> None:
    hub = World()
    for text in PARIS:
        hub.ada.thread("slack").turn(text)
    desk = hub.ada.thread("case-42", explicit=True)
    desk.turn(AGAIN)

    told = desk.continuity()

    assert told.text == ""
    assert [memo.text for memo in told.memos] == [AGAIN]
    assert desk.context() == f"[user] {AGAIN}"


# ── The model beside the score ──────────────────────────────────────────────────────────────────


def assessed(answer: str) -> tuple[World, list[str]]:
    asked: list[str] = []

    def extract(text: str, wanted: str) -> str:
        asked.append(text)
        assert "related" in wanted
        return answer

    tools = Tools(model=PlainModel("oracle", lambda texts, _: texts[0], extract))
    hub = World(tools=tools)
    talk = hub.ada.thread("slack")
    for text in PARIS:
        talk.turn(text)
    hub.watch.later(minutes=45)
    return hub, asked


@pytest.mark.covers("D-155", "D-156")
def test_a_models_assessment_is_recorded_and_wins_where_it_is_surer() -> None:
    answer = '{"related": false, "confidence": 0.95, "reasoning": "another year"}'
    hub, asked = assessed(answer)

    told = hub.ada.thread("slack").turn(AGAIN)

    assert told.link is not None
    link = told.link.link
    assert (link.linked, link.by, link.disagreed) == (False, "model", True)
    assert link.model_ppm == 50_000
    outputs = [each for each in hub.events(OutputRecorded) if each.purpose == "link"]  # type: ignore[attr-defined]
    (output,) = outputs
    assert (output.text, output.model) == (answer, "oracle")  # type: ignore[attr-defined]
    assert len(asked) == 1
    assert hub.holds()  # deciding again reads the log and asks nobody
    assert len(asked) == 1


def test_a_model_is_told_of_a_turn_what_the_log_may_keep_of_it() -> None:
    hub, asked = assessed('{"related": true, "confidence": 0.9, "reasoning": "the same trip"}')
    talk = hub.ada.thread("slack")

    with pytest.raises(RefusedError):
        talk.turn(f"{AGAIN} My password is {'hunter2' * 2}")
    assert asked == []  # what is refused was told to nobody
    talk.turn(f"{AGAIN} Write to bob@example.com")

    (both,) = asked
    assert AGAIN in both
    assert "[email:" in both
    assert "bob@example.com" not in both
    assert hub.holds()


@pytest.mark.covers("D-156")
@pytest.mark.parametrize("answer", ["nonsense", '{"related": "perhaps"}'])
def test_an_assessment_that_nobody_can_read_leaves_the_score_alone(answer: str) -> None:
    hub, _ = assessed(answer)

    told = hub.ada.thread("slack").turn(AGAIN)

    assert told.link is not None
    assert (told.link.link.linked, told.link.link.model_ppm) == (True, -1)
    assert hub.holds()


@pytest.mark.covers("D-156")
def test_the_threshold_is_retuned_after_so_many_decisions_with_what_people_said() -> None:
    hub = World(Threading(retune_decisions=4))
    assert Threading().retune_decisions == 100
    talk = hub.ada.thread("slack")
    for n in range(6):
        hub.watch.later(minutes=45)
        told = talk.turn(PARIS[0] if n % 2 else PARIS[1])
        if told.link and told.link.link.n < 4:
            talk.settle_link(told.link.link.n, related=True)

    retuned = hub.events(LinksRetuned)

    assert len(retuned) == 1
    (tuning,) = retuned
    assert tuning.decisions == 4  # type: ignore[attr-defined]
    assert tuning.accuracy_after_ppm >= tuning.accuracy_before_ppm  # type: ignore[attr-defined]
    with pytest.raises(RefusedError) as refused:
        talk.settle_link(1, related=True)  # it has been counted
    assert refused.value.reason == "link_unknown"
    assert hub.holds()


def test_nobody_settles_a_link_between_threads_of_somebody_else() -> None:
    hub = World()
    talk = hub.ada.thread("slack")
    talk.turn(PARIS[0])
    told = talk.turn(PARIS[1], new=True)
    assert told.link is not None
    other = hub.memory.agent("ada", user="somebody else").thread("slack")

    with pytest.raises(RefusedError) as foreign:
        other.settle_link(told.link.link.n, related=False)
    with pytest.raises(RefusedError) as absent:
        other.settle_link(77, related=False)

    assert foreign.value.reason == absent.value.reason == "link_unknown"
    talk.settle_link(told.link.link.n, related=True)
    assert hub.holds()


# ── Bounds and erasure ──────────────────────────────────────────────────────────────────────────


def opened(count: int, *, most: int) -> tuple[World, list[str]]:
    """So many threads, one after the other, where only so many may be open."""
    hub = World(msgspec.structs.replace(Threading(), threads_open_max=most))
    made = []
    for n in range(count):
        hub.watch.later(minutes=1)
        made.append(hub.ada.thread(f"case-{n}", explicit=True).turn(PARIS[0]).thread_id)
    return hub, made


@pytest.mark.covers("D-156")
def test_open_threads_are_bounded_and_the_most_silent_one_makes_room() -> None:
    hub, made = opened(5, most=3)

    closed = [each.thread_id for each in hub.events(ThreadClosed)]  # type: ignore[attr-defined]

    assert closed == made[:2]
    assert len(hub.ada.threads()) == 5  # they are listed all the same


@pytest.mark.covers("D-156")
def test_a_closed_thread_that_goes_on_by_its_id_takes_the_room_of_the_most_silent_one() -> None:
    hub, made = opened(3, most=2)
    hub.watch.later(minutes=1)

    told = hub.ada.thread("case-0").turn(PARIS[1], thread_id=made[0])

    assert (told.thread_id, told.opened) == (made[0], False)
    assert [each.thread_id for each in hub.events(ThreadClosed)] == made[:2]  # type: ignore[attr-defined]
    standing = [each.thread_id for each in hub.ada.threads() if not each.closed_for]
    assert sorted(standing) == sorted((made[0], made[2]))
    assert hub.holds()


def test_without_a_clock_no_time_passes() -> None:
    ada = world.memory().agent("ada", user="tuff")
    talk = ada.thread("slack")

    assert talk.turn(PARIS[0]).thread_id == talk.turn(SARDINES).thread_id


def test_a_channel_that_nobody_spoke_on_has_no_thread() -> None:
    with pytest.raises(NotFoundError):
        World().ada.thread("slack").thread()


def test_erasing_a_person_takes_their_threads_along() -> None:
    hub = World()
    hub.ada.thread("slack").turn(PARIS[0])
    mia = hub.memory.agent("ada", user="mia")
    mia.thread("slack").turn(SARDINES)
    eraser = hub.memory.eraser()
    request = eraser.request("tuff", reason="asked")
    hub.memory.council().approve(request)
    eraser.carry_out(request)

    assert hub.memory.agent("ada", user="tuff").threads() == []
    assert len(mia.threads()) == 1
    assert hub.memory.agent("ada", user="tuff").thread("slack").turn(AGAIN).opened
    assert len({each.thread_id for each in hub.events(ThreadOpened)}) == 2  # type: ignore[attr-defined]
    assert hub.holds()
