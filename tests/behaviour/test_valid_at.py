"""What was so on a day: every read of statements can be asked about the world of then."""

from collections.abc import Callable

import pytest
from tests.world import SteppingClock, memory

from muniment import Agent
from muniment.model.errors import InputError, NotFoundError, RefusedError
from muniment.model.policy import Governance, Policy, RecallPolicy

MAY_20: int = 1_779_267_600_000
BEFORE, THEN, NOW = "2026-05-10", "2026-05-25", "2026-06-25"
KEY = "user/profile/tuff/city"


@pytest.fixture
def ada() -> Agent:
    """Lisbon from 20 May on; thirty days later it is Porto."""
    clock = SteppingClock(MAY_20)
    direct = Governance(user_direct=True)
    ada = memory(Policy(governance=direct), clock=clock).agent("ada", user="tuff")
    talk = ada.conversation(session="s")
    ada.sem_put(KEY, "Lisbon")
    ada.remember("my city is Lisbon, by the river")
    talk.record(user="My editor is vim")
    with ada.do("look up my city") as loop:
        loop.observe_event("actor_output", "the city office of Lisbon is open")
    clock.later(30)
    ada.sem_put(KEY, "Porto")
    ada.remember("my city is Porto, by the river")
    talk.record(user="My editor is emacs")
    with ada.do("look up my city again") as loop:
        loop.observe_event("actor_output", "the city office of Porto is open")
    return ada


def a_fact(ada: Agent, day: str) -> str:
    return str(ada.sem_get(KEY, valid_at=day).value)


def facts(ada: Agent, day: str) -> str:
    return str([fact.value for fact in ada.sem_search("user/profile/tuff", valid_at=day)])


def recalled(ada: Agent, day: str) -> str:
    return str([hit.text for hit in ada.recall("my city by the river", valid_at=day).hits])


def context(ada: Agent, day: str) -> str:
    return ada.context("my city by the river", valid_at=day).text


def episodes(ada: Agent, day: str) -> str:
    found = ada.episodic_query("my city by the river", valid_at=day)
    return str([each.entry.summary for each in found])


def mirrored(ada: Agent, day: str) -> str:
    return str([hit.entry.summary for hit in ada.rag_query("city office", valid_at=day)])


@pytest.mark.parametrize("read", [a_fact, facts, recalled, context, episodes, mirrored])
def test_a_read_tells_what_was_so_on_a_day(ada: Agent, read: Callable[[Agent, str], str]) -> None:
    assert "Lisbon" not in read(ada, BEFORE)
    assert "Porto" not in read(ada, BEFORE)
    assert "Lisbon" in read(ada, THEN)
    assert "Porto" not in read(ada, THEN)
    assert "Porto" in read(ada, NOW)
    if read in {a_fact, facts}:  # what was said was said; a fact has one value at a time
        assert "Lisbon" not in read(ada, NOW)


def test_what_was_put_right_was_never_so() -> None:
    clock = SteppingClock(MAY_20)
    ada = memory(clock=clock).agent("ada", user="tuff")
    wrong = ada.remember("the ferry leaves at nine").episodic_id
    clock.later(30)
    ada.correct(wrong, "the ferry leaves at ten")

    assert "nine" not in recalled(ada, THEN)
    assert "nine" not in episodes(ada, THEN)


@pytest.mark.parametrize("told", [["nine"], ["two", "nine", "three"]])
def test_what_puts_it_right_was_so_all_along_by_the_same_persons_word(told: list[str]) -> None:
    clock = SteppingClock(MAY_20)
    ada = memory(clock=clock).agent("ada", user="tuff")
    texts = [f"The ferry leaves at {each}" for each in told]
    ada.remember_many(texts, speakers=["Ann"] * len(texts), session="pier")
    wrong = next(hit.id for hit in ada.recall("ferry").hits if "nine" in hit.text)
    clock.later(30)
    right = ada.correct(wrong, "The ferry leaves at ten").episodic_id
    right = ada.correct(right, "The ferry leaves at eleven").episodic_id

    for day, so in ((BEFORE, False), (THEN, True), (NOW, True)):
        (*found,) = ada.recall("When does the ferry leave?", valid_at=day).hits
        assert any((hit.id, hit.speaker) == (right, "Ann") for hit in found) is so, day
        assert not any("nine" in hit.text or "ten" in hit.text for hit in found)
        queried = ada.episodic_query("ferry leaves", valid_at=day)
        assert any(each.entry.episodic_id == right for each in queried) is so, day
    assert ada.episode(right, valid_at=THEN).summary == "The ferry leaves at eleven"
    with pytest.raises(NotFoundError):
        ada.episode(right, valid_at=BEFORE)

    dated = ada.correct(right, "Since 1 June the ferry leaves at twelve").episodic_id
    with pytest.raises(NotFoundError):  # it says so itself
        ada.episode(dated, valid_at=THEN)


def conversed(ada: Agent, day: str) -> str:
    return ada.conversation(session="s").recall("which editor", valid_at=day).text


def items(ada: Agent, day: str) -> str:
    talk = ada.conversation(session="s")
    return str([each.text for each in talk.items("profile", "session", valid_at=day)])


@pytest.mark.parametrize("read", [conversed, items])
def test_a_conversation_tells_what_was_so_on_a_day(
    ada: Agent, read: Callable[[Agent, str], str]
) -> None:
    assert "vim" not in read(ada, BEFORE)
    assert "vim" in read(ada, THEN)
    assert "emacs" not in read(ada, THEN)
    assert "emacs" in read(ada, NOW)


def test_what_was_known_at_an_entry_of_a_day_is_both_asked_at_once(ada: Agent) -> None:
    early = ada.recall("my city").hits[0].seq
    assert ada.sem_get(KEY, valid_at=NOW).value == "Porto"

    known_then = [
        seq for seq in range(1, early) if ada.sem_get(KEY, at=seq, valid_at=NOW).value == "Lisbon"
    ]

    assert known_then, "before the change was told, Lisbon was taken to be so on every later day"


def test_the_context_of_a_day_is_made_again_from_its_receipt(ada: Agent) -> None:
    then = ada.context("my city by the river", valid_at=THEN)
    now = ada.context("my city by the river")
    ada.remember("my city has a new bridge")

    assert then.receipt.valid_at == THEN
    assert then.receipt.receipt_id != now.receipt.receipt_id
    assert ada.regenerate(then.receipt.receipt_id).text == then.text


def test_the_lexical_profile_knows_days_and_whose_word_it_is_too() -> None:
    clock = SteppingClock(MAY_20)
    lexical = Policy(recall=RecallPolicy(profile="stage1"))
    ada = memory(lexical, clock=clock).agent("ada", user="tuff")
    ada.remember("the city is Lisbon")
    ada.remember("the city is for sale", origin="external")
    clock.later(30)
    ada.remember("the city is Porto")

    def told(**how: str) -> list[str]:
        return [hit.text for hit in ada.recall("city", **how).hits]  # type: ignore[arg-type]

    assert told(valid_at=THEN) == ["the city is Lisbon"]
    assert "the city is for sale" not in told()
    assert "the city is for sale" not in told(purpose="act")


def test_what_waits_is_shown_to_people_only_in_every_profile() -> None:
    lexical = Policy(recall=RecallPolicy(profile="stage1"))
    ada = memory(lexical).agent("ada")
    ada.remember("the city is for sale", origin="external")

    with pytest.raises(RefusedError):
        ada.recall("city", quarantined=True)
    with pytest.raises(RefusedError):
        ada.context("city", quarantined=True)


@pytest.mark.parametrize(
    "day",
    [
        "yesterday",
        "2026-13-01",
        "2026-02-00",
        "26-01-01",
        "2026-02-29",
        "2026-04-31",
        "2026-03-05Tea time",
        "2026-03-05T",
    ],
)
def test_a_day_that_is_none_is_refused_everywhere(ada: Agent, day: str) -> None:
    for read in (a_fact, facts, recalled, context, episodes, mirrored, conversed, items):
        with pytest.raises(InputError):
            read(ada, day)
