"""Marriages as relations: told in each language, mutual, and followed through a chain of kin."""

import pytest

import muniment
from muniment.engine.api.agent import Agent
from muniment.retrieval.entities.relation_rules import IS_OVER, relations

FAMILY = (
    "My brother is Matteo",
    "Matteo is married to Chiara",
    "Chiara is a florist",
    "My wife is Liv",
    "Liv is a baker",
    "I like florists",
    "Tom is a plumber",
)


def told(*texts: str) -> Agent:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    for text in texts:
        ada.remember(text)
    return ada


def married(ada: Agent) -> list[tuple[str, str]]:
    found = {
        (each.subject, each.object)
        for entity in ada.entities()
        for each in entity.relations
        if each.relation == "spouse"
    }
    return sorted(found)


@pytest.mark.parametrize(
    ("text", "who", "whom"),
    [
        ("Matteo is married to Chiara", "Matteo", "Chiara"),
        ("Matteo married Chiara in 2010", "Matteo", "Chiara"),
        ("Matteo and Chiara are happily married", "Matteo", "Chiara"),
        ("My brother is married to Chiara", "user/brother", "Chiara"),
        ("I'm married to Liv", "user", "Liv"),
        ("Matteo ist mit Chiara verheiratet", "Matteo", "Chiara"),
        ("Ich bin mit Liv verheiratet", "user", "Liv"),
        ("Matteo und Chiara sind verheiratet", "Matteo", "Chiara"),
        ("Mon frère est marié avec Claire", "user/brother", "Claire"),
        ("J'ai épousé Claire", "user", "Claire"),
        ("Luis está casado con Ana", "Luis", "Ana"),
        ("Me casé con Luis", "user", "Luis"),
        ("Luca è sposato con Anna", "Luca", "Anna"),
        ("Sono sposata con Luca", "user", "Luca"),
        ("O Luís é casado com a Ana", "Luís", "Ana"),
        ("Sou casada com Luís", "user", "Luís"),
        ("Jan is getrouwd met Saskia", "Jan", "Saskia"),
        ("Ik ben met Saskia getrouwd", "user", "Saskia"),
        ("Анна и Иван женаты", "Анна", "Иван"),
        ("Анна замужем за Иваном", "Анна", "Иваном"),
        ("Ο Νίκος είναι παντρεμένος με τη Μαρία", "Νίκος", "Μαρία"),
        ("ماتيو متزوج من ليلى", "ماتيو", "ليلى"),
        ("أنا متزوج من ليلى", "user", "ليلى"),
        ("राहुल की शादी सीता से हुई है", "राहुल", "सीता"),
        ("मैंने सीता से शादी की", "user", "सीता"),
        ("王明和李红结婚了", "王明", "李红"),
        ("李红嫁给了王明", "李红", "王明"),
        ("太郎は花子と結婚しています", "太郎", "花子"),
        ("민수는 지영과 결혼했어요", "민수", "지영"),
    ],
)
def test_who_is_married_to_whom_is_told_in_each_language(text: str, who: str, whom: str) -> None:
    found = [(each.subject, each.relation, each.object) for each in relations(text)]

    assert found == [(who, "spouse", whom)]


@pytest.mark.parametrize(
    "text",
    [
        "Matteo is married",
        "We got married in Rome",
        "Matteo was married to Chiara",
        "Is Matteo married to Chiara?",
        "Matteo almost married Chiara",
        "I dreamt that Matteo is married to Chiara",
        "Matteo ist mit Chiara befreundet",
        "Matteo ist mit Chiara verreist",
        "Luis está cansado con Ana",
        "Jan is met Saskia op reis",
        "我和李红吃饭了",
        "民수는 지영과 밥을 먹었어요",
    ],
)
def test_what_only_looks_like_a_marriage_is_none(text: str) -> None:
    assert [each for each in relations(text) if each.relation == "spouse"] == []


def test_it_is_over_where_it_is_denied() -> None:
    (found,) = relations("Matteo is no longer married to Chiara")

    assert found.tense == IS_OVER


def test_both_have_the_other_for_a_spouse_and_nobody_has_two() -> None:
    again = told("Matteo is married to Chiara", "Chiara is married to Paolo")

    assert married(again) == [("Chiara", "Paolo")]


def test_the_same_two_are_married_whichever_way_it_is_told() -> None:
    ada = told("My wife is Liv", "I'm married to Liv")

    assert [each for entity in ada.entities() for each in entity.ended] == []
    assert {each.relation for each in ada.about("Liv").relations} == {"wife", "spouse"}


@pytest.mark.parametrize("end", ["Matteo divorced Chiara", "Chiara divorced Matteo"])
def test_either_of_them_ends_it(end: str) -> None:
    ada = told("Matteo is married to Chiara", end)

    assert married(ada) == []


@pytest.mark.parametrize(
    ("family", "question"),
    [
        (FAMILY, "What does my brother's wife do?"),
        (
            (
                "Mein Bruder ist Matteo",
                "Matteo ist mit Chiara verheiratet",
                "Chiara ist Floristin",
                "Meine Frau ist Liv",
                "Liv ist Bäckerin",
            ),
            "Was macht die Frau meines Bruders?",
        ),
        (
            (
                "Mon frère est Matteo",
                "Matteo est marié avec Chiara",
                "Chiara est fleuriste",
                "Ma femme est Liv",
                "Liv est boulangère",
            ),
            "Que fait la femme de mon frère ?",
        ),
        (
            (
                "Mi hermano es Mateo",
                "Mateo está casado con Clara",
                "Clara es florista",
                "Mi mujer es Lola",
                "Lola es panadera",
            ),
            "¿A qué se dedica la mujer de mi hermano?",
        ),
    ],
)
def test_a_chain_of_kin_ends_at_what_is_told_of_the_last(
    family: tuple[str, ...], question: str
) -> None:
    ada = told(*family)

    assert ada.recall(question).hits[0].text == family[2]


def test_it_is_followed_from_either_of_the_two() -> None:
    ada = told(
        "My sister is Chiara", "Matteo is married to Chiara", "Matteo is a baker", *FAMILY[3:]
    )

    assert ada.recall("What does my sister's husband do?").hits[0].text == "Matteo is a baker"


def test_who_asks_only_who_it_is_gets_what_says_so() -> None:
    ada = told(*FAMILY)

    assert ada.recall("Who is my brother's wife?").hits[0].text == FAMILY[1]
    assert ada.recall("What does my wife do?").hits[0].text == "Liv is a baker"


def test_a_machines_word_of_the_last_stands_behind_the_persons() -> None:
    ada = told(*FAMILY)
    ada.remember("Chiara is a pilot", origin="tool")

    assert ada.recall("What does my brother's wife do?").hits[0].text == "Chiara is a florist"
