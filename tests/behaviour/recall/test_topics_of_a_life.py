"""What is asked in one language finds what was told of the topic, and the newer word stands."""

import pytest

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock
from muniment.retrieval.languages import compounds
from muniment.retrieval.languages.disclosure import is_disclosed

TALK = (
    "The printer is jammed",
    "Сегодня пробка",
    "Les voisins font du bruit",
    "De bus was te laat",
    "Ziemlich laut heute",
)
# What was told, a question in other words, and the place of its answer.
ANSWERED = (
    (("Je suis parti vivre à Limoges.", "J'ai vu un film."), "Où est-ce que j'habite ?", 0),
    (("We zijn naar Zwolle verhuisd.",), "In welke stad woon ik?", 0),
    (("Facciamo colazione tardi.", "Abbiamo un gatto, Nocciola."), "Che animale ho?", 1),
    (("Karides yiyince her yerim şişiyor.",), "Neye alerjim var?", 0),
    (("Po orzechach cały puchnę.",), "Na co mam alergię?", 0),
    (("Gegen Krabben bin ich allergisch.",), "What am I allergic to?", 0),
    (("My sister Ursula has moved to Bath.",), "Wo wohnt meine Schwester?", 0),
    (("Die Ersatzschlüssel liegen bei Frau Petrowski.",), "Wo sind die Schlüssel?", 0),
    # The newer of two that tell of one topic.
    (
        ("Ich habe am 14. Juni einen Termin beim Zahnarzt.", "Beim Zahnarzt geht es erst am 21."),
        "Wann ist mein Zahnarzttermin?",
        1,
    ),
    (
        ("Pagamos 600 euros de renda.", "O senhorio subiu para 680 euros."),
        "Quanto pago de aluguel?",
        1,
    ),
)


@pytest.mark.parametrize(("told", "question", "place"), ANSWERED, ids=[e[1] for e in ANSWERED])
def test_what_tells_of_the_topic_is_first(told: tuple[str, ...], question: str, place: int) -> None:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"topics")).agent("ada", user="tuff")
    for day, line in enumerate([*TALK, *told, "Guten Morgen"], start=1):
        clock.set(f"2026-03-{day:02}T09:00:00.000Z")
        ada.remember(line)

    assert ada.recall(question).hits[0].text == told[place]


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("zahnarzttermin", ("zahnarzt", "termin")),
        ("ersatzfahrzeug", ("ersatz", "fahrzeug")),
        ("arbeitsvertrag", ("arbeit", "vertrag")),
        ("termin", ()),
        ("banane", ()),
    ],
)
def test_a_compound_has_its_parts(word: str, parts: tuple[str, ...]) -> None:
    assert compounds.parts(word) == parts


@pytest.mark.parametrize(
    "text",
    [
        "Работаю сварщиком на заводе.",
        "Жена Оксана работает в поликлинике.",
        "Vendemos o carro.",
        "Deixei de fumar na Páscoa.",
        "Oggi andiamo dal medico.",
        "On a revendu la Clio.",
        "Ik werk als loodgieter.",
        "Έκοψα το τσιγάρο το Πάσχα.",
        "بعنا السيارة أمس.",
        "家賃は月に七万円です。",
        "姉の佳代は理科を教えています。",
        "儿子今年上初三。",
        "한빛설비에 다녀요.",
    ],
)
def test_who_leaves_the_pronoun_out_speaks_of_themselves(text: str) -> None:
    assert is_disclosed(text)


@pytest.mark.parametrize(
    "text", ["Сегодня пробка.", "El autobús llegó tarde.", "今天很吵。", "오늘 날씨가 흐려요."]
)
def test_small_talk_states_nothing(text: str) -> None:
    assert not is_disclosed(text)
