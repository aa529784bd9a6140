"""Source, tags, metadata and times are kept with what is told, and recall narrows by them."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Literal

import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.engine.search.recall_results import Hit
from muniment.engine.streams.handle_arguments import HandleOptions
from muniment.model import ids
from muniment.model.errors import InputError, RefusedError
from muniment.model.events import Recalled
from muniment.model.policy import Policy, RecallPolicy

TOLD: HandleOptions = {
    "source": "harbour-office",
    "tags": ("boats", "work"),
    "metadata": {"stars": 4, "port": {"name": "Bremen"}, "share": 0.5},
    "happened_at": "2026-02-03",
    "expires": "2030-01-01T12:00Z",
}


MARCH = ids.time_ms("2026-03-01T10:00:00.000Z")


def spoken_to(clock: world.StillClock | None = None) -> Agent:
    return world.memory(clock=clock or world.StillClock(MARCH)).agent("ada", user="tuff")


def by_remember(ada: Agent) -> None:
    ada.remember("The purple boat left the harbour", **TOLD)


def by_remember_many(ada: Agent) -> None:
    ada.remember_many(["It rained all day", "The purple boat left the harbour"], **TOLD)


def by_observe(ada: Agent) -> None:
    with ada.job("a job") as job:
        job.observe("The purple boat left the harbour", **TOLD)


def by_record(ada: Agent) -> None:
    ada.conversation(session="monday").record(user="The purple boat left the harbour", **TOLD)


def by_archive(ada: Agent) -> None:
    talk = ada.conversation(session="monday")
    talk.record(user="The purple boat left the harbour", **TOLD)
    for turn in range(20):
        talk.record(user=f"It is sunny on day {turn}")


def by_memorize(ada: Agent) -> None:
    told = {key: value for key, value in TOLD.items() if key not in {"source", "metadata"}}
    item = {"type": "observation", "text": "The purple boat left the harbour", **told}
    with ada.job("a job") as job:
        job.memorize(
            item | {"source": "user", "source_name": TOLD["source"]}, dict(TOLD["metadata"] or {})
        )


DOORS: dict[str, Callable[[Agent], None]] = {
    "remember": by_remember,
    "remember_many": by_remember_many,
    "observe": by_observe,
    "record": by_record,
    "archive": by_archive,
    "memorize": by_memorize,
}


def boat(ada: Agent, where: object = None, **then: object) -> list[Hit]:
    found = ada.recall("Where is the purple boat?", where=where, **then).hits  # type: ignore[arg-type]
    return [hit for hit in found if "boat" in hit.text]


@pytest.mark.parametrize("door", list(DOORS))
def test_whatever_the_door_a_hit_comes_back_with_its_handles(door: str) -> None:
    ada = spoken_to()
    DOORS[door](ada)
    hit = boat(ada)[0]
    assert hit.source == "harbour-office"
    assert hit.tags == ("boats", "work")
    assert hit.metadata == TOLD["metadata"]
    assert hit.happened_at == "2026-02-03"
    assert hit.expires == "2030-01-01T12:00:00.000Z"


LETS_IN: list[dict[str, object]] = [
    {"tags": "boats"},
    {"tags": {"in": ["trains", "work"]}},
    {"source": "harbour-office"},
    {"metadata.stars": 4},
    {"metadata.stars": {"gte": 3, "lt": 5}},
    {"metadata.share": {"gt": 0.25}},
    {"metadata.port.name": "Bremen"},
    {"metadata.port": {"exists": True}},
    {"happened_at": "2026-02-03"},
    {"happened_at": {"gte": "2026-02-01", "lte": "2026-02-03"}},
    {"time": {"lt": "2026-03-01"}},
    {"expires": {"gt": "2029-12-31"}},
    {"or": [{"tags": "trains"}, {"tags": "boats"}]},
    {"and": [{"tags": "work"}, {"not": {"tags": "trains"}}]},
    {"not": {"metadata.stars": {"lt": 4}}},
]
LEAVES_OUT: list[dict[str, object]] = [
    {"tags": "trains"},
    {"tags": {"ne": "boats"}},
    {"source": {"ne": "harbour-office"}},
    {"metadata.stars": "4"},
    {"metadata.stars": {"gt": 4}},
    {"metadata.stars": True},
    {"metadata.missing": {"exists": True}},
    {"happened_at": {"gt": "2026-02-03"}},
    {"time": {"gte": "2026-03-01"}},
    {"expires": {"lt": "2029-12-31"}},
    {"tags": "boats", "source": "elsewhere"},
    {"not": {"tags": "boats"}},
    {"kind": "documents"},
]


@pytest.mark.parametrize("door", list(DOORS))
def test_a_filter_lets_in_what_has_it_and_leaves_out_what_has_not(door: str) -> None:
    ada = spoken_to()
    DOORS[door](ada)
    assert [each for each in LETS_IN if not boat(ada, each)] == []
    assert [each for each in LEAVES_OUT if boat(ada, each)] == []


@pytest.mark.parametrize("door", ["record", "archive", "remember", "memorize"])
def test_a_conversation_and_a_context_are_narrowed_by_the_same_filter(door: str) -> None:
    ada = spoken_to()
    DOORS[door](ada)
    ada.remember("The purple boat is only a rumour", tags=["gossip"])
    talk, question = ada.conversation(session="tuesday"), "the purple boat"
    for where, left, kept in (
        ({"tags": "boats"}, "rumour", "left the harbour"),
        ({"not": {"tags": "boats"}}, "left the harbour", "rumour"),
    ):
        for text in (
            talk.recall(question, where=where).text,
            ada.context(question, where=where).text,
        ):
            assert kept in text
            assert left not in text


def test_a_filter_that_leaves_one_record_of_ten_thousand_finds_it() -> None:
    ada = world.memory().agent("ada")
    ada.remember("We met Bert at the station", metadata={"case": 77})
    ada.remember_many(f"We met Bert at the station on day {n}" for n in range(10_000))
    found = ada.recall("Bert at the station", where={"metadata.case": 77}).hits
    assert [hit.text for hit in found] == ["We met Bert at the station"]
    assert ada.recall("Bert at the station", limit=3).considered == 10_001


def test_a_session_a_kind_and_when_it_was_said_narrow_too() -> None:
    clock = world.StillClock(MARCH)
    ada = spoken_to(clock)
    ada.remember("The purple kite is in the attic", session="s1")
    clock.later(minutes=31 * 24 * 60)
    ada.remember("The purple lamp is in the attic", session="s2")
    ada.conversation(session="s3").record(user="The purple sofa is in the attic")

    def things(where: dict[str, object]) -> set[str]:
        hits = ada.recall("purple attic", where=where).hits
        return {hit.text.split()[2] for hit in hits}

    assert things({"session": "s1"}) == {"kite"}
    assert things({"session": {"in": ["s2", "s3"]}}) == {"lamp", "sofa"}
    assert things({"kind": "items"}) == {"sofa"}
    assert things({"kind": "episodic"}) == {"kite", "lamp"}
    assert things({"said_at": {"lt": "2026-03-15"}}) == {"kite"}
    assert things({"time": {"gte": "2026-03-15"}}) == {"lamp", "sofa"}


def test_the_receipt_keeps_the_filter_so_that_the_same_answer_is_made_again() -> None:
    ada = spoken_to()
    by_remember(ada)
    ada.remember("The purple boat is only a rumour")
    told = ada.recall("purple boat", where={"tags": "boats"})
    context = ada.context("purple boat", where={"tags": "boats"})
    ada.remember("The purple boat came back", tags=["boats"])
    receipt = next(
        line.seq
        for line in ada.get_range()
        if isinstance(line.event, Recalled) and line.event.basis
    )
    again = ada.recall_again(receipt)
    assert again.hits == told.hits
    assert again.receipt.basis
    assert again.receipt.basis.where == '{"tags":"boats"}'
    assert ada.regenerate(context.receipt.receipt_id).text == context.text


def test_other_words_for_it_keep_its_handles() -> None:
    ada = spoken_to()
    by_remember(ada)
    ada.correct(boat(ada)[0].id, "The purple boat left the harbour at noon")
    by_record(ada)
    talk = ada.conversation(session="monday")
    said = next(each for each in talk.items("short_term") if "boat" in each.text)
    talk.correct(said.id, "The purple boat left the harbour at night")
    for word in ("noon", "night"):
        hit = next(each for each in boat(ada) if word in each.text)
        assert hit.tags == ("boats", "work")
        assert hit.source == "harbour-office"


@pytest.mark.parametrize(
    "where",
    [
        [],
        {"colour": "red"},
        {"tags": {"like": "b"}},
        {"tags": {"gt": "b"}},
        {"tags": ["a", "b"]},
        {"tags": {"in": "a"}},
        {"metadata.": 1},
        {"time": "yesterday"},
        {"time": {"gte": 5}},
        {"and": []},
        {"or": {"tags": "a"}},
        {"not": ["a"]},
        {"tags": {"exists": "yes"}},
        {"metadata.a": {"gt": {"b": 1}}},
        {"happened_at": "2026-02-30"},
        "{",
    ],
)
def test_a_filter_that_means_nothing_is_refused_and_says_why(where: object) -> None:
    ada = world.memory().agent("ada")
    with pytest.raises(InputError) as refused:
        ada.recall("boat", where=where)  # type: ignore[arg-type]
    assert refused.value.detail


@pytest.mark.parametrize(
    "handles",
    [
        {"tags": "boats"},
        {"tags": [""]},
        {"tags": ["x" * 129]},
        {"tags": [str(n) for n in range(65)]},
        {"metadata": ["a"]},
        {"metadata": {"a": "x" * 20_000}},
        {"happened_at": "soon"},
        {"happened_at": 7},
        {"expires": 0},
        {"expires": -5},
        {"expires": "P"},
        {"expires": "tomorrow"},
    ],
)
def test_handles_that_cannot_be_are_refused_and_nothing_is_kept(handles: HandleOptions) -> None:
    ada = world.memory().agent("ada")
    with pytest.raises(InputError):
        ada.remember("The purple boat", **handles)
    assert ada.recall("purple boat").hits == ()


def test_a_name_that_no_handle_has_is_an_error_of_the_program() -> None:
    with pytest.raises(TypeError, match="colour"):
        world.memory().agent("ada").remember("The purple boat", colour="red")  # type: ignore[call-arg]


def test_dates_of_the_standard_library_are_understood() -> None:
    ada = spoken_to()
    ada.remember(
        "The purple boat",
        happened_at=datetime(2026, 2, 3, 12, tzinfo=UTC),
        expires=timedelta(days=2),
    )
    ada.remember("The purple kite", happened_at=date(2026, 2, 3), expires="P1DT12H")
    known = {hit.text.split()[-1]: hit for hit in ada.recall("purple").hits}
    assert known["boat"].happened_at == "2026-02-03T12:00:00.000Z"
    assert known["boat"].expires == "2026-03-03T10:00:00.000Z"
    assert known["kite"].happened_at == "2026-02-03"
    assert known["kite"].expires == "2026-03-02T22:00:00.000Z"


def test_what_happened_on_a_day_was_so_since_that_day() -> None:
    ada = spoken_to()
    by_remember(ada)
    by_record(ada)
    assert len(boat(ada, valid_at="2026-02-10")) == 1  # the same words are one answer
    assert boat(ada, valid_at="2026-02-01") == []


def test_handles_are_screened_like_words() -> None:
    ada = spoken_to()
    ada.remember("The purple boat", metadata={"owner": "bert@example.org"}, tags=["c@example.org"])
    hit = ada.recall("purple boat").hits[0]
    assert "bert@" not in str(hit.metadata)
    assert "c@" not in str(hit.tags)
    assert ada.recall("purple boat", where={"metadata.owner": "bert@example.org"}).hits
    secret = "sk-proj-" + "abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    hidden: list[HandleOptions] = [{"metadata": {"key": secret}}, {"tags": [secret]}]
    for told in hidden:
        assert not ada.remember("The purple kite", **told).stored
        assert ada.remember_many(["The purple lamp"], **told) == 0
        with pytest.raises(RefusedError, match="privacy_deny_sensitive"):
            ada.conversation(session="s").record(user="The purple sofa", **told)
    assert secret not in str(ada.get_range())
    assert {hit.text for hit in ada.recall("purple kite lamp sofa").hits} == {"The purple boat"}


@pytest.mark.parametrize("name", ["bert@example.org", "+49 170 1234567", "4111 1111 1111 1111"])
def test_a_name_in_a_filter_is_the_one_that_was_given(name: str) -> None:
    ada = spoken_to()
    ada.remember("The purple boat", session=name, source="pier")
    ada.remember("The purple kite", source=name)
    ada.conversation(session=name).record(user="The purple lamp is broken")

    def found(where: Mapping[str, object]) -> set[str]:
        return {hit.text for hit in ada.recall("purple", where=where).hits}

    session = {"The purple boat", "The purple lamp is broken"}
    assert found({"session": name}) == session
    assert found({"or": [{"session": {"in": ["x", name]}}, {"source": name}]}) == (
        session | {"The purple kite"}
    )
    assert found({"not": {"session": name}, "source": {"exists": True}}) == {"The purple kite"}
    secret = "sk-proj-" + "abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    with pytest.raises(InputError, match="may not be stored"):
        found({"session": {"in": [secret]}})


@pytest.mark.parametrize("budget", [0, 800])
@pytest.mark.parametrize("profile", ["hybrid", "stage1"])
def test_why_not_is_asked_with_the_filter_that_the_recall_had(
    profile: Literal["hybrid", "stage1"], budget: int
) -> None:
    policy = Policy(recall=RecallPolicy(profile=profile))
    ada = world.memory(policy, clock=world.StillClock(MARCH)).agent("ada", user="tuff")
    boat = ada.remember("The purple boat left the harbour", tags=["boats"]).episodic_id
    ada.sem_put("user/profile/user_tuff/purple_boat", "Lisa")
    question = "the purple boat"

    def stage(item_id: str, where: Mapping[str, object] | None) -> str:
        return ada.why_not(item_id, question, budget=budget, where=where).stage

    assert stage(boat, None) == stage(boat, {"tags": "boats"}) == "recalled"
    assert stage(boat, {"tags": "trains"}) == "filtered"
    assert stage("user/profile/user_tuff/purple_boat", {"tags": "boats"}) == "filtered"
    with pytest.raises(InputError):
        ada.why_not(boat, question, where={"tags": {"near": "boats"}})
    with pytest.raises(TypeError):
        ada.why_not(boat, question, wher={"tags": "boats"})  # type: ignore[call-arg]
