"""Names of entities: with their titles, without words that are none, and where somebody moved."""

import pytest

import muniment
from muniment.engine.api.agent import Agent
from muniment.retrieval.entities.relation_rules import relations


def told(*texts: str) -> Agent:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    for text in texts:
        ada.remember(text)
    return ada


def names(ada: Agent) -> set[str]:
    return {each.name for each in ada.entities()}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("My dentist is Dr. Aasen", "Dr. Aasen"),
        ("My dentist is Dr. Aasen.", "Dr. Aasen"),
        ("My doctor is Dr. Berg and she is nice", "Dr. Berg"),
        ("My doctor is Prof. Dr. Kari Aasen", "Prof. Dr. Kari Aasen"),
        ("My teacher is Mrs. Lee", "Mrs. Lee"),
        ("My teacher is Mrs Lee", "Mrs Lee"),
        ("My dog is Mr. Pickles", "Mr. Pickles"),
        ("I live in St. John", "St. John"),
        ("Mein Chef ist Herr Lang", "Herr Lang"),
        ("Mi jefa es la Dra. Paz", "Dra. Paz"),
        ("Il mio capo è il Sig. Rossi", "Sig. Rossi"),
        ("Meu chefe é o Sr. Lima", "Sr. Lima"),
        ("Mijn baas is dhr. Bos", "dhr. Bos"),
        ("Mon voisin est M. Petit", "M. Petit"),
    ],
)
def test_a_title_is_a_part_of_a_name(text: str, name: str) -> None:
    assert [each.object for each in relations(text)] == [name]


def test_two_doctors_are_two_people_and_each_is_known_without_the_title() -> None:
    ada = told("My dentist is Dr. Aasen", "My doctor is Dr. Berg", "Aasen works at Ahus")

    assert names(ada) == {"Dr. Aasen", "Dr. Berg", "Ahus"}
    assert ada.about("Aasen") == ada.about("Dr. Aasen")
    assert [each.object for each in ada.about("Aasen").relations] == ["Ahus", "Dr. Aasen"]


def test_a_name_is_one_with_and_without_its_title_first_name_and_family_name() -> None:
    ada = told(
        "My doctor is Dr. Kari Aasen",
        "Kari Aasen works at Ahus",
        "Kari lives in Oslo",
        "Dr. Aasen lives in Bergen",
    )

    (kari,) = ada.entities(kind="person")

    assert kari.name == "Dr. Kari Aasen"
    assert kari.other_names == ("Dr. Aasen", "Kari", "Kari Aasen")


def test_a_family_name_that_two_have_means_neither() -> None:
    ada = told("My boss is Mr. Lee", "My teacher is Mrs. Lee", "Lee works at Bosch")

    assert names(ada) == {"Mr. Lee", "Mrs. Lee", "Lee", "Bosch"}


def test_a_place_with_a_saints_name_is_nobody() -> None:
    ada = told("I live in St. John", "My brother is John")

    assert {each.name: each.kind for each in ada.entities()} == {
        "St. John": "place",
        "John": "person",
    }


def test_a_question_for_somebody_with_a_title_is_led_on() -> None:
    ada = told("My dentist is Dr. Aasen", "My doctor is Dr. Berg")
    ada.remember("Berg works at Ullevål")
    ada.remember("Aasen works at Ahus")

    assert ada.recall("Where does my dentist work?").hits[0].text == "Aasen works at Ahus"


@pytest.mark.parametrize(
    "text",
    ["我想住在杭州", "我希望住在杭州", "我不想住在杭州", "我想要住在杭州", "我打算住在杭州"],
)
def test_a_wish_in_chinese_names_nobody(text: str) -> None:
    assert list(relations(text)) == []


@pytest.mark.parametrize("text", ["我想，我住在杭州", "我住在杭州"])
def test_who_thinks_so_lives_there_all_the_same(text: str) -> None:
    assert [(each.subject, each.object) for each in relations(text)] == [("user", "杭州")]


@pytest.mark.parametrize(
    ("text", "home"),
    [
        ("We've moved from Rome to Bari", "Bari"),
        ("I moved from Rome to Bari", "Bari"),
        ("I've moved to Bari", "Bari"),
        ("I relocated from New York City to Bari", "Bari"),
        ("Wir sind von Rom nach Bari gezogen", "Bari"),
        ("J'ai déménagé de Rome à Bari", "Bari"),
        ("Me mudé de Roma a Bari", "Bari"),
        ("Mi sono trasferita da Roma a Bari", "Bari"),
        ("Mudei-me de Roma para Bari", "Bari"),
        ("Ik ben van Rome naar Bari verhuisd", "Bari"),
        ("Я переехал из Рима в Бари", "Бари"),
        ("Μετακόμισα από τη Ρώμη στο Μπάρι", "Μπάρι"),
        ("انتقلت من روما إلى باري", "باري"),
        ("मैं रोम से मुंबई शिफ्ट हो गया", "मुंबई"),
        ("我从罗马搬到了巴里", "巴里"),
        ("大阪から東京に引っ越しました", "東京"),
        ("부산에서 서울로 이사했어요", "서울"),
    ],
)
def test_who_moved_from_one_place_to_another_lives_in_the_second(text: str, home: str) -> None:
    assert [(each.subject, each.object) for each in relations(text)] == [("user", home)]


def test_a_move_ends_the_old_home_and_gives_the_new_one() -> None:
    ada = told("I live in Rome", "We've moved from Rome to Bari")

    assert [each.object for each in ada.about("Bari").relations] == ["Bari"]
    assert [each.object for each in ada.about("Rome").ended] == ["Rome"]
    assert ada.recall("Where do I live?").hits[0].text == "We've moved from Rome to Bari"


def test_what_a_name_begins_with_ends_no_home_of_somebody_else() -> None:
    ada = told("I live in Rome", "Liv moved from Rome to Bari")

    assert [each.subject for each in ada.about("Bari").relations] == ["Liv"]
    assert [each.subject for each in ada.about("Rome").relations] == ["user"]
