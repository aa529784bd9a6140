"""Relations on whose word: a machine's "my" is not the user's, and a person's word stands first."""

import pytest

import muniment
from muniment.engine.api.agent import Agent
from muniment.retrieval.entities.entity_relation import EntityRelation
from muniment.retrieval.entities.relation_rules import relations

Told = tuple[str, str]  # a text, and its origin


def told(*texts: str | Told) -> Agent:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    for each in texts:
        text, origin = (each, "user") if isinstance(each, str) else each
        ada.remember(text, origin=origin)
    return ada


def holding(ada: Agent) -> set[tuple[str, str, str]]:
    return {
        (each.subject, each.relation, each.object)
        for entity in ada.entities()
        for each in entity.relations
    }


def ended(ada: Agent) -> list[EntityRelation]:
    return [each for entity in ada.entities() for each in entity.ended]


MARRIED = {("user", "wife", "Liv"), ("Liv", "works_at", "Equinor")}


@pytest.mark.parametrize("origin", ["tool", "agent", "system"])
def test_a_machines_sentence_neither_ends_my_relations_nor_answers_before_them(origin: str) -> None:
    ada = told("My wife is Liv", "Liv works at Equinor")
    for text in ("My wife is Eva", "Eva works at Vandelay"):
        ada.remember(text, origin=origin)

    found = [hit.text for hit in ada.recall("Where does my wife work?").hits]

    assert found[0] == "Liv works at Equinor"
    assert holding(ada) >= MARRIED
    assert ended(ada) == []


def test_the_results_of_tools_and_the_agents_reply_in_a_conversation_are_not_the_users() -> None:
    ada = told("I live in Bergen", "My wife is Liv")
    talk = ada.conversation()
    talk.record(
        user="What do you think?", ai="I live in Oslo, as an assistant my servers are there"
    )
    talk.record(user="And now?", ai="Done.", tools=["My wife is Eva. I live in Rome."])

    assert holding(ada) == {("user", "lives_in", "Bergen"), ("user", "wife", "Liv")}
    assert ended(ada) == []


def test_what_a_job_observes_of_a_tool_is_not_the_users() -> None:
    ada = told("I live in Bergen", "Liv works at Equinor")
    job = ada.job("errand")
    job.observe("I live in Oslo. Liv left Equinor. Liv works at Vandelay.", origin="tool")
    with ada.do("Look up Liv") as loop:
        loop.observe_event("tool_call", "lookup(Liv)")
        loop.observe_event("tool_result", "I live in Rome. Liv works at Vandelay now.")

    assert holding(ada) == {("user", "lives_in", "Bergen"), ("Liv", "works_at", "Equinor")}
    assert ended(ada) == []


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("Meine Frau heißt Karin", "Meine Frau heißt Eva"),
        ("J'habite à Lyon", "J'habite à Paris"),
        ("Vivo en Lugo", "Vivo en Roma"),
        ("Lavoro per Bosch", "Lavoro per Ferrari"),
        ("Moro em Braga", "Moro em Lisboa"),
        ("Ik woon in Gent", "Ik woon in Breda"),
        ("Живу в Казани", "Живу в Омске"),
        ("Μένω στο Πόρτο", "Μένω στη Ρόδο"),
        ("أعيش في دبي", "أعيش في القاهرة"),
        ("मैं दिल्ली में रहता हूँ", "मैं मुंबई में रहता हूँ"),
        ("我住在上海", "我住在北京"),
        ("私は大阪に住んでいます", "私は東京に住んでいます"),
        ("저는 부산에 살아요", "저는 서울에 살아요"),
    ],
)
def test_a_machines_own_word_in_any_language_is_not_the_users(mine: str, theirs: str) -> None:
    ada = told(mine, (theirs, "tool"))

    (said,) = [each for entity in ada.entities() for each in entity.relations]

    assert said.sentence == mine
    assert ended(ada) == []


def test_a_machine_tells_of_others_whom_nobody_else_has_told_of_with_its_origin() -> None:
    ada = told("My wife is Liv", ("Liv works at Equinor", "tool"))

    (said,) = ada.about("Equinor").relations
    found = [hit.text for hit in ada.recall("Where does my wife work?").hits]

    assert said.origin == "tool"
    assert found == ["My wife is Liv", "Liv works at Equinor"]


def test_a_machine_that_contradicts_a_person_is_not_followed_whoever_spoke_last() -> None:
    later = told("Tom works at Acme", ("Tom works at Vandelay", "tool"))
    sooner = told(("Tom works at Vandelay", "tool"), "Tom works at Acme")

    for ada in (later, sooner):
        assert holding(ada) == {("Tom", "works_at", "Acme")}
    (over,) = ended(sooner)[:1]
    assert over.object == "Vandelay"


@pytest.mark.parametrize(
    "end",
    [
        "Tom left Acme",
        "Tom no longer works at Acme",
        "Tom retired",
        "Tom died",
        "Tom was laid off",
        "Acme went bankrupt",
    ],
)
def test_a_machine_ends_what_a_machine_told_and_not_what_a_person_did(end: str) -> None:
    of_person = told("Tom works at Acme", (end, "tool"))
    of_machine = told(("Tom works at Acme", "tool"), (end, "tool"))

    assert ("Tom", "works_at", "Acme") in holding(of_person)
    assert len(holding(of_machine)) <= 1
    if "bankrupt" not in end:
        assert holding(of_machine) == set()


def test_what_a_machine_repeats_stays_the_persons_word() -> None:
    ada = told("Tom works at Acme", ("Tom works at Acme", "tool"), ("Tom left Acme", "tool"))

    (said,) = ada.about("Tom").relations

    assert said.origin == "user"


def test_what_a_person_repeats_is_theirs_from_then_on() -> None:
    ada = told(("Tom works at Acme", "tool"), "Tom works at Acme", ("Tom left Acme", "tool"))

    (said,) = ada.about("Tom").relations

    assert said.origin == "user"


def test_a_chain_goes_where_a_person_said_and_not_where_a_machine_said_later() -> None:
    ada = told(
        "Marta works at Siemens",
        "Siemens has its main office in Munich",
        ("Siemens is based in Berlin", "tool"),
    )

    found = ada.recall("In which city is the office of Marta's employer?")

    names = [name for name, _ in found.receipt.basis.bridges] if found.receipt.basis else []
    texts = [hit.text for hit in found.hits]
    assert "Munich" in names
    assert "Berlin" not in names
    munich = texts.index("Siemens has its main office in Munich")
    assert munich < texts.index("Siemens is based in Berlin")


def test_a_named_speakers_kin_is_theirs_and_not_the_users() -> None:
    (found,) = relations("My wife works at Bosch", "Ann")

    assert found.subject == "Ann/wife"
