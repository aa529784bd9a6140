"""A session of an agent by hand: who asks, under which key, and which receipts go along."""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest
from tests import world
from tests.faults import FaultyStore, full

from muniment.engine.api.memory import Memory
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.command_pipeline import Ask
from muniment.engine.streams.parts import Tools
from muniment.layers import episodes
from muniment.log import sealing
from muniment.model.commands import (
    CloseJob,
    OpenJob,
    RecordRecall,
    Remember,
    WriteEpisode,
)
from muniment.model.errors import (
    InputError,
    JobClosedError,
    MemoryWriteFailError,
    MunimentError,
    RefusedError,
    StorageFullError,
)
from muniment.model.events import EpisodeWritten, Recalled, Received
from muniment.model.kinds.episode import Origin
from muniment.model.policy import Policy, Privacy, RecallPolicy
from muniment.model.scope import (
    Channel,
    Persona,
    Principal,
    Role,
    agent_stream,
    council_stream,
)
from muniment.retrieval.index.hashing_embedder import HashingEmbedder

ADA, COUNCIL = agent_stream("main", "ada"), council_stream("main")
KEY = "user/profile/user_tuff/drink"
KITE, LAMP = Remember(text="The kite is red"), Remember(text="The lamp is red")
NOTE = WriteEpisode(summary="tea")
READ = RecordRecall(call="c", query="q")


def session(of: Memory, user: str = "tuff", persona: Persona = Persona.ACTOR) -> AgentSession:
    return AgentSession(
        world.hub(of), tenant="main", agent="ada", user=user, persona=persona, channel=Channel.HTTP
    )


def opened(**parts: Any) -> tuple[Memory, AgentSession]:  # noqa: ANN401
    of = world.memory(**parts)
    return of, session(of)


def received(told: AppendResult) -> Received:
    event = told.lines[0].event
    assert isinstance(event, Received)
    return event


def queries(of: Memory) -> list[str]:
    return [each.query for each in world.events(of) if isinstance(each, Recalled)]


# ── Who asks ────────────────────────────────────────────────────────────────────────────────────


def test_a_session_speaks_for_its_agent_and_its_user_in_a_stream_of_its_persona() -> None:
    of, mine = opened()
    asleep = session(of, persona=Persona.SUBCONSCIOUS)

    assert (mine.agent, mine.user, mine.subject) == ("ada", "tuff", "user_tuff")
    assert (mine.stream_id, mine.channel) == (ADA, Channel.HTTP)
    assert asleep.stream_id == agent_stream("main", "ada", Persona.SUBCONSCIOUS)
    assert session(of, user="").subject == ""
    for name in ("tuff", "mia"):
        with of.agent("ada", user=name).do(f"said by {name}"):
            pass
    assert [each.content for each in mine.library.events()] == ["said by tuff"]
    assert len(session(of, user="").library.events()) == 2
    assert asleep.library.events() == []
    assert mine.writer is mine.hub.writer(ADA)
    agent = Principal(name="ada", role=Role.AGENT, tenant="main", channel=Channel.HTTP)
    user = Principal(name="tuff", role=Role.USER, tenant="main", channel=Channel.HTTP, user="tuff")
    assert mine.prepare(NOTE).principal == agent
    assert mine.prepare(NOTE, as_user=True).principal == user


def test_what_a_person_says_themselves_is_said_by_them() -> None:
    of, mine = opened()
    own = Remember(text="I like tea", origin=Origin.USER)

    assert mine.prepare(own).principal.role is Role.USER
    assert session(of, user="").prepare(own).principal.role is Role.AGENT


def test_what_is_asked_is_told_with_its_job_its_key_and_what_was_read() -> None:
    of, mine = opened()
    of.agent("ada", user="tuff").sem_put(KEY, "tea")
    council = mine.hub.stream(COUNCIL).ref

    ask = mine.prepare(KITE, job=7, key="k")
    mine.saw("r", 5)

    assert (ask.command, ask.job) == (KITE, 7)
    assert ask.operation == mine.operation("k")
    assert ask.reads == {council: 4}
    assert mine.prepare(KITE).reads == {council: 4, "r": 5}
    assert mine.prepare(KITE).operation == ""
    assert mine.prepare(KITE).contradicts == ()


def test_whoever_says_otherwise_than_their_fact_contradicts_it() -> None:
    of, mine = opened()
    of.agent("ada", user="tuff").sem_put(KEY, "tea")
    said = Remember(text="my drink is coffee", origin=Origin.USER, subject="user_tuff")

    assert mine.prepare(said).contradicts == (KEY,)


def test_a_callers_key_is_a_token_of_the_stream_and_the_person() -> None:
    of, mine = opened()
    named = sealing.token(mine.writer.stream.key, "operation\x00user_tuff\x00k").hex()

    assert mine.operation("k") == f"key:{named}"
    assert mine.operation("") == ""
    assert session(of, user="").operation("k") != mine.operation("k")
    with pytest.raises(InputError):
        mine.operation("\ud800")


def test_who_asks_here_is_the_agent_and_the_person_it_speaks_for() -> None:
    of, mine = opened()
    find = world.hub(of).parts.world.keyring.find
    mine.append(NOTE)
    mine.append(NOTE, as_user=True)

    agent, person = (find("actor", f"main/{each}") for each in ("agent:ada", "person:tuff"))
    assert None not in {agent, person}
    assert mine.actors == {agent, person}
    assert session(of, user="").actors == {agent}


def test_a_governed_write_is_about_who_speaks_or_else_about_whose_key_it_is() -> None:
    of, mine = opened()

    assert mine.about("user/profile/user_mia/drink") == "user_tuff"
    assert session(of, user="").about("user/profile/user_mia/drink") == "user_mia"


# ── What it stands on ───────────────────────────────────────────────────────────────────────────


def test_the_policy_is_that_of_the_stream_and_before_it_has_one_that_of_the_store() -> None:
    policy = Policy(recall=RecallPolicy(results_max=7))
    _, mine = opened(policy=policy)
    other = Policy(recall=RecallPolicy(results_max=5))

    assert mine.policy is mine.hub.parts.policy
    mine.append(KITE)
    assert mine.policy == policy
    assert mine.policy_of(msgspec.structs.replace(mine.writer.desk, policy=other)) is other


def test_shelves_show_what_is_about_the_person_or_about_nobody() -> None:
    of, mine = opened()
    told = of.agent("ada", user="tuff").remember("the kite is red").episodic_id
    hers = of.agent("ada", user="mia").remember("the lamp is red").episodic_id

    assert mine.shelves(None).get(episodes.SHELF, told) is not None
    assert mine.shelves(None).get(episodes.SHELF, hers) is None
    assert session(of, user="").shelves(None).get(episodes.SHELF, hers) is not None
    assert mine.shelves(2).get(episodes.SHELF, told) is None
    assert (mine.shelves(2).at, mine.shelves(None).at) == (2, of.head(ADA))


class Other(HashingEmbedder):
    name = "other"


def test_the_index_is_that_of_a_policy_or_of_a_named_embedder() -> None:
    other = Other()
    _, mine = opened(tools=Tools(others=(other,)))
    mine.append(KITE)
    usual = mine.index()

    assert usual is mine.hub.index(ADA, "user_tuff", "")
    named = mine.index(Policy(recall=RecallPolicy(embedder="other")))
    assert named is mine.index(embedder="other") is mine.hub.index(ADA, "user_tuff", "other")
    assert named is not usual
    assert mine.index(Policy(recall=RecallPolicy(embedder="other")), usual.embedder.name) is usual


def test_where_a_job_was_opened_is_known_while_it_is_open_and_afterwards() -> None:
    _, mine = opened()
    mine.append(KITE)
    told = mine.append(OpenJob(job_seed="one"))
    mine.append(OpenJob(job_seed="two"))
    job = told.lines[0].header.job

    assert mine.opened_at(job) == told.seq
    mine.append(CloseJob(), job=job)
    assert mine.opened_at(job) == told.seq
    assert mine.opened_at(99) == 0


# ── Appending ───────────────────────────────────────────────────────────────────────────────────


def test_a_command_is_appended_by_whom_in_which_job_and_under_which_key() -> None:
    _, mine = opened()
    job = mine.append(OpenJob(job_seed="one")).lines[0].header.job

    told = mine.append(WriteEpisode(summary="tea"), as_user=True, job=job, key="k")
    plain = mine.append_or_raise(WriteEpisode(summary="milk"), as_user=True, job=job, key="j")

    for each, key in ((told, "k"), (plain, "j")):
        assert received(each).role is Role.USER
        assert received(each).operation == mine.operation(key)
        assert each.lines[0].header.job == job
    assert mine.append(WriteEpisode(summary="tea"), as_user=True, job=job, key="k").seq == told.seq
    for append in (mine.append, mine.append_or_raise):
        told = append(OpenJob(job_seed=append.__name__))
        assert received(told).role is Role.AGENT
        assert not received(told).operation.startswith("key:")


def test_a_call_under_a_key_gives_each_of_its_commands_a_key() -> None:
    _, mine = opened()

    with mine.calls.under("k"):
        first, second = mine.append(KITE), mine.append(LAMP)
        both = mine.append_all([KITE, LAMP])

    keys = [mine.operation(each) for each in ("k", "k\x002", "k\x003", "k\x004")]
    assert [received(each).operation for each in (first, second, *both)] == keys


def test_what_is_appended_must_fit_and_what_is_refused_is_said() -> None:
    _, mine = opened(policy=Policy(privacy=Privacy(deny_patterns=("kite",))))

    for append in (mine.append, mine.append_or_raise):
        with pytest.raises(InputError):
            append(Remember(text=7))  # type: ignore[arg-type]
    with pytest.raises(InputError):
        mine.append_all([Remember(text=7)])  # type: ignore[arg-type]
    with pytest.raises(InputError):
        mine.queue_receipt(RecordRecall(query=7))  # type: ignore[arg-type]
    assert mine.append(KITE).refusal is not None
    with pytest.raises(RefusedError):
        mine.append_or_raise(KITE)


def test_several_commands_are_appended_at_once_each_with_its_answer() -> None:
    store = world.CountingStore()
    _, mine = opened(store=store)
    job = mine.append(OpenJob(job_seed="one")).lines[0].header.job

    told = mine.append_all([WriteEpisode(summary="a"), WriteEpisode(summary="b")], job=job)

    assert store.appends == 2
    assert [each.lines[0].header.job for each in told] == [job, job]
    assert [_summary(each) for each in told] == ["a", "b"]
    assert mine.append_all([]) == mine.append_asks([]) == []
    assert store.appends == 2


def _summary(told: AppendResult | MunimentError) -> str:
    if not isinstance(told, AppendResult):
        return type(told).__name__
    return next(each.event.summary for each in told.lines if isinstance(each.event, EpisodeWritten))


def _asked(mine: AgentSession, *keys: str, job: int = 0) -> list[Callable[[], Ask]]:
    texts = enumerate(keys)
    return [partial(mine.prepare, Remember(text=f"{n}"), key=key, job=job) for n, key in texts]


@pytest.mark.parametrize(
    ("keys", "appends"),
    [
        (("",), 1),
        (("", ""), 1),
        (("a", "b"), 1),
        (("a", ""), 2),
        (("", "", "a"), 3),
        (("a", "b", ""), 3),
    ],
)
def test_callers_who_wait_together_are_appended_at_once_where_their_keys_allow_it(
    keys: tuple[str, ...], appends: int
) -> None:
    store = world.CountingStore()
    _, mine = opened(store=store)

    told = mine.append_each(_asked(mine, *keys))

    assert [_summary(each) for each in told] == [f"{n}" for n in range(len(keys))]
    assert store.appends == appends


def test_one_who_is_refused_keeps_nobody_else_from_their_answer() -> None:
    _, mine = opened()
    fine, gone = _asked(mine, ""), _asked(mine, "", job=9)

    told = mine.append_each([*fine, *gone, *fine])

    assert [_summary(each) for each in told] == ["0", "JobClosedError", "0"]
    assert isinstance(told[1], JobClosedError)
    assert [_summary(each) for each in mine.append_each(_asked(mine, "a", "a"))] == [
        "0",
        "KeyReusedError",
    ]


@pytest.mark.parametrize(
    ("fault", "error"), [(None, MemoryWriteFailError), (full, StorageFullError)]
)
def test_where_the_store_fails_nobody_is_tried_alone(
    fault: Any,  # noqa: ANN401
    error: type[MunimentError],
) -> None:
    store = FaultyStore()
    _, mine = opened(store=store)
    more = {"fault": fault} if fault else {}
    store.fail(*range(1, 99), only=mine.hub.stream(ADA).ref, **more)

    with pytest.raises(error):
        mine.append_each(_asked(mine, "", ""))
    assert store.attempts <= 2
