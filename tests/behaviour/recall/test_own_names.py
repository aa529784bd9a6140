"""Who introduces themselves has told their name, whatever else they say with it."""

import pytest
from tests.world import SteppingClock, memory

from muniment.retrieval.languages import state_phrases


def hits(told: tuple[str, ...], question: str) -> list[str]:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    for text in told:
        ada.remember(text)
    return [hit.text for hit in ada.recall(question).hits]


@pytest.mark.parametrize(
    ("introduction", "beside", "question"),
    [
        ("I'm Odile.", "My locker is number 88", "What's my name?"),
        ("Hi! I'm Odile, I live in Leith and mend clocks.", "My locker is number 88",
         "What's my name?"),
        ("Call me Bex", "My locker is number 88", "What am I called?"),
        ("Hello, it's Odile here", "My bike is green", "Do you know my name?"),
        ("Odile here, back from Rome", "My bike is green", "Who am I?"),
        ("Hello, this is Odile Marsh speaking", "My bike is green", "What is my name?"),
        ("Hallo, ich bin Odile und repariere Uhren", "Mein Fahrrad ist grün", "Wie heiße ich?"),
        ("Salut, moi c'est Odile", "Mon vélo est vert", "Comment je m'appelle ?"),
        ("Bonjour, je suis Odile, horlogère à Lille", "Mon vélo est vert", "Quel est mon nom ?"),
        ("Hola, soy Odalys y arreglo relojes", "Mi bici es verde", "¿Cómo me llamo?"),
        ("Ciao, sono Odilia e riparo orologi", "La mia bici è verde", "Come mi chiamo?"),
        ("Olá, sou a Odília", "A minha bicicleta é verde", "Como me chamo?"),
        ("Hoi, ik ben Odilia", "Mijn fiets is groen", "Hoe heet ik?"),
        ("Привет, я Одиль", "Мой велосипед зелёный", "Как меня зовут?"),
        ("Γεια σου, είμαι η Οντίλ", "Το ποδήλατό μου είναι πράσινο", "Πώς με λένε;"),
        ("مرحبا، أنا أوديل", "دراجتي خضراء", "ما اسمي؟"),
        ("नमस्ते, मैं ओडिल हूँ", "मेरी साइकिल हरी है", "मेरा नाम क्या है?"),
        ("你好，我是欧蒂", "我的自行车是绿色的", "我叫什么名字？"),
        ("はじめまして、オディールです", "私の自転車は緑です", "私の名前は何ですか？"),
        ("안녕하세요, 저는 오딜이에요", "제 자전거는 초록색이에요", "제 이름이 뭐예요?"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("first", [True, False])
def test_an_introduction_answers_what_one_is_called(
    introduction: str, beside: str, question: str, *, first: bool
) -> None:
    told = (introduction, beside) if first else (beside, introduction)

    assert hits(told, question)[0] == introduction


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (("My name is Odile", "Please call me Odi"), "What's my name?"),
        (("I'm Odile.", "I go by Odi these days"), "What's my name?"),
        (("Ich heiße Odile", "Nenn mich bitte Odi"), "Wie heiße ich?"),
        (("I'm Odi.", "My name is Odile"), "What's my name?"),
    ],
)
def test_the_last_name_that_somebody_gives_is_theirs(told: tuple[str, str], question: str) -> None:
    assert hits(told, question)[0] == told[1]


def test_whoever_asks_for_another_name_gets_that() -> None:
    told = ("I'm Odile.", "My dog is called Tass", "My dentist is Dr. Kern")

    assert hits(told, "What is my dog's name?")[0] == told[1]
    assert hits(told, "What is my dentist's name?")[0] == told[2]


@pytest.mark.parametrize(
    "text",
    [
        "I'm tired",
        "I'm a nurse",
        "I'm Dutch",
        "I'm Irish and proud of it",
        "I'm in Berlin",
        "I'm Odile's sister",
        "I'm Monday's volunteer",
        "Hi, I'm new here",
        "Am I Odile?",
        'She said "I\'m Odile"',
        "My son's name is Hugo",
        "제 아내 이름은 야나예요",
        "Call me tomorrow",
        "Call me Monday",
        "It's Ana's birthday",
        "This is Jonas, my brother",
        "Lunch here is good",
        "Ich bin müde",
        "Ich bin Lehrer",
        "Je suis infirmière",
        "Soy enfermera",
        "Soy de Vigo",
        "Sono italiana",
        "Sou enfermeira",
        "Ik ben Belg",
        "Я врач",
        "Είμαι κουρασμένη",
        "مرحبا، أنا متعب",
        "नमस्ते, मैं थका हूँ",
        "我是护士",
        "你好，我是医生",
        "看護師です",
        "저는 간호사예요",
    ],
)
def test_what_somebody_is_gives_no_name(text: str) -> None:
    assert not state_phrases.introduces(text)


@pytest.mark.parametrize(
    "text",
    ["What's my son's name?", "Who am I meeting today?", "Wie heißt mein Sohn?", "我的狗叫啥？"],
)
def test_a_question_for_another_name_is_none_for_ones_own(text: str) -> None:
    assert not state_phrases.asks_own_name(text)
