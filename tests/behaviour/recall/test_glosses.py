"""Glosses: what is said in another language is near what means the same, in it and in English."""

import pytest
from tests.behaviour.recall.test_embedders import alike

import muniment
from muniment.adapters.embedders import glosses
from muniment.adapters.embedders.static_embedder import TableEmbedder

# A question, what answers it in other words, and what does not.
ASKED = {
    "German": ("Wovon lebe ich?", "Ich verdiene mein Geld als Schreiner", "Der Hund ist krank"),
    "Dutch": ("Waar woon ik?", "Mijn huis staat in Utrecht", "De trein had vertraging"),
    "Spanish": ("¿Dónde trabajo?", "Me contrataron en el hospital", "El perro está enfermo"),
    "Portuguese": ("Onde eu moro?", "Minha casa fica no Porto", "O trem atrasou de novo"),
    "French": ("Où est-ce que j'habite ?", "Ma maison est à Lyon", "Le chien est malade"),
    "Italian": ("Dove lavoro?", "Mi hanno assunto in ospedale", "Il cane è malato"),
    "Russian": ("Где я живу?", "Моя квартира на улице Ленина", "Собака заболела"),
    "Greek": ("Πού μένω;", "Το σπίτι μου είναι στην Πάτρα", "Ο σκύλος είναι άρρωστος"),
    "Chinese": ("我住在哪里？", "我的房子在北京", "狗生病了"),
    "Japanese": ("どこに住んでいますか？", "家は大阪です", "犬が病気です"),
    "Korean": ("어디에 살아요?", "우리 집은 부산이에요", "개가 아파요"),
    "Arabic": ("أين أسكن؟", "بيتي في القاهرة", "الكلب مريض"),
    "Hindi": ("मैं कहाँ रहता हूँ?", "मेरा घर पुणे में है", "कुत्ता बीमार है"),
}


@pytest.mark.parametrize("language", ASKED)
def test_an_answer_in_other_words_is_nearer_than_what_answers_nothing(language: str) -> None:
    question, answer, other = map(TableEmbedder().embed, ASKED[language])

    assert alike(question, answer) > alike(question, other) + 50_000


@pytest.mark.parametrize("language", ASKED)
def test_every_language_has_a_glossary(language: str) -> None:
    assert len(glosses.glossaries()[language].meanings) > 1_500


@pytest.mark.parametrize(
    ("said", "english"),
    [
        ("Mein Hausarzt hat mir Tabletten verschrieben", "My doctor prescribed pills"),
        ("Mi hermana se casó en abril", "My sister got married in April"),
        ("Моя сестра работает в больнице", "My sister works in a hospital"),
        ("我妹妹在医院工作", "My sister works in a hospital"),
    ],
)
def test_what_means_the_same_in_english_is_near(said: str, english: str) -> None:
    embed = TableEmbedder().embed

    assert alike(embed(said), embed(english)) > 400_000
    assert alike(embed(said), embed("The invoice is due on Friday")) < 300_000


@pytest.mark.parametrize(
    ("word", "parts"),
    [("Zahnarzttermin", ("zahnarzt", "termin")), ("Gartenschuppen", ("garten", "schuppen"))],
)
def test_a_compound_means_what_its_parts_mean(word: str, parts: tuple[str, str]) -> None:
    known = glosses.glossaries()["German"]

    first, second = map(known.meaning, parts)

    assert first
    assert second
    assert known.meaning(word.lower()) == (*first, *second)


def test_a_name_keeps_its_own_pieces() -> None:
    embed = TableEmbedder().embed

    assert alike(embed("Kowalczyk wohnt in Bremen"), embed("Wo wohnt Kowalczyk?")) > alike(
        embed("Nadolny wohnt in Bremen"), embed("Wo wohnt Kowalczyk?")
    )


def test_english_is_read_as_ever() -> None:
    """Words that another language has as well ("war", "die", "gift") stay English in English."""
    table = TableEmbedder().table
    text = "The war was over and the gift did not die with it"

    assert TableEmbedder().embed(text) == TableEmbedder().embed(text.upper())
    assert glosses.glossed("kein", ["German"], table.pieces, (1, 4)) == table.pieces("no")


def test_a_question_finds_what_was_told_in_another_language() -> None:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    for text in ("Ich bin gegen Erdnüsse allergisch", "Der Zug hatte Verspätung", "Es regnet"):
        ada.remember(text)

    assert (
        ada.recall("Which food makes me ill?").hits[0].text == "Ich bin gegen Erdnüsse allergisch"
    )
