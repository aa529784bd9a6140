"""A summary leaves out what is over, and keeps what else the same sentence states."""

import pytest

import muniment
from muniment.retrieval.entities import clauses


def summary(*told: str) -> list[str]:
    with muniment.open(":memory:") as memory:
        ada = memory.agent("ada", user="tuff")
        for text in told:
            ada.remember(text)
        return ada.summary().text.splitlines()


@pytest.mark.parametrize(
    ("told", "newer", "left", "gone"),
    [
        ("I'm Ruth, I live in Leith and I'm allergic to wool", "I moved to Oban",
         ["I'm Ruth", "I'm allergic to wool"], "Leith"),
        ("I live in Leith and I work at Nordwind", "I work at Acme now",
         ["I live in Leith"], "Nordwind"),
        ("Ich bin Ruth, ich wohne in Ulm und ich spiele Cello", "Ich bin nach Bonn gezogen",
         ["Ich bin Ruth", "ich spiele Cello"], "Ulm"),
        ("Soy Rut, vivo en Vigo y soy alérgica al polen", "Me mudé a Gijón",
         ["Soy Rut", "soy alérgica al polen"], "Vigo"),
        ("Je m'appelle Ruth, j'habite à Lille et je suis allergique au pollen",
         "J'ai déménagé à Nantes", ["Je m'appelle Ruth", "je suis allergique au pollen"], "Lille"),
        ("Меня зовут Рита, я живу в Казани и у меня аллергия на орехи", "Я переехала в Самару",
         ["Меня зовут Рита", "у меня аллергия на орехи"], "Казани"),
        ("我叫露丝，我住在杭州，我对花生过敏", "我搬到苏州了",
         ["我叫露丝", "我对花生过敏"], "杭州"),
    ],
)  # fmt: skip
def test_only_the_clause_that_is_over_is_left_out(
    told: str, newer: str, left: list[str], gone: str
) -> None:
    said = summary(told, newer)

    assert said[0] == newer
    assert all(each in said for each in left)
    assert gone not in "\n".join(said)


@pytest.mark.parametrize(
    ("told", "newer"),
    [
        ("I work at Nordwind and have two kids, Ada and Ben", "I work at Acme now"),
        ("I live in Leith, work at Nordwind and play the oboe", "I moved to Oban"),
        ("Ich wohne in Ulm und bin gegen Pollen allergisch", "Ich bin nach Bonn gezogen"),
        ("I bank with Santander and drive a Skoda", "I closed my Santander account"),
    ],
)
def test_what_would_lack_its_subject_stays_whole_behind_the_newer(told: str, newer: str) -> None:
    assert summary(told, newer) == [newer, told]


@pytest.mark.parametrize(
    ("told", "newer"),
    [
        ("I live in Leith", "I moved to Oban"),
        ("I live in Leith, near the station", "I moved to Oban"),
        ("I live in Leith with Ada and Ben", "I moved to Oban"),
        ("Ich wohne in Ulm, gleich am Bahnhof", "Ich bin nach Bonn gezogen"),
    ],
)
def test_a_sentence_of_one_statement_is_left_out_whole(told: str, newer: str) -> None:
    assert summary(told, newer) == [newer]


def test_clauses_that_stay_side_by_side_are_quoted_as_they_stand() -> None:
    sentence = "I'm Ruth, I keep bees, I live in Leith and I row."

    left = clauses.without(sentence, lambda clause: "Leith" in clause)

    assert left == ["I'm Ruth, I keep bees", "I row."]
