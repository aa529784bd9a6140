"""What an agent says to the user is no note about them: their own word stands before it."""

import pytest
from tests import world

from muniment.model.languages.phrases import address_words

TOLD = (
    ("My salary is 3,400 euros", "Your salary is 3,900 euros.", "What is my salary?"),
    ("My dentist is Dr. Novak", "I see that your dentist is Dr. Weber.", "Who is my dentist?"),
    ("My flight is at 9:40", "You\u2019ve got a flight at 11:15.", "When is my flight?"),
    ("I am allergic to penicillin", "You are allergic to aspirin.", "What am I allergic to?"),
    ("Mein Gehalt beträgt 3400 Euro", "Ihr Gehalt beträgt 3900 Euro.", "Wie hoch ist mein Gehalt?"),
    ("Mein Kater heißt Mikesch", "Dein Kater heißt Moritz.", "Wie heißt mein Kater?"),
    ("Mon loyer est de 700 euros", "Votre loyer est de 900 euros.", "Quel est mon loyer ?"),
    ("Mi sueldo es de 2100 euros", "Tu sueldo es de 2900 euros.", "¿Cuál es mi sueldo?"),
    ("O meu gato chama-se Tareco", "O teu gato chama-se Farrusco.", "Como se chama o meu gato?"),
    ("Il mio affitto è di 600 euro", "Il tuo affitto è di 800 euro.", "Quant'è il mio affitto?"),
    ("Mijn huur is 900 euro", "Jouw huur is 1100 euro.", "Hoe hoog is mijn huur?"),
    ("Моя зарплата 90 тысяч", "Ваша зарплата 120 тысяч.", "Какая у меня зарплата?"),
    ("我的猫叫豆豆", "你的猫叫米米。", "我的猫叫什么名字？"),
    ("私の猫の名前はタマです", "あなたの猫の名前はミケです。", "私の猫の名前は何ですか？"),
)
# Of an agent: the language it is in, and whether it is said to the user.
SPOKEN = (
    ("English", "The user wants you to answer in German", False),
    ("English", 'Their boss said "your rent is too high"', False),
    ("English", "Lives in Leeds and works nights", False),
    ("English", "You told me that you live in Leeds", True),
    ("German", "Ihre Adresse ist Hauptstraße 4", True),
    ("German", "Ich habe notiert, dass Sie in Ulm wohnen", True),
    ("German", "Sie wohnt in Ulm, ihre Adresse ist Hauptstraße 4", False),
    ("German", "Der Nutzer duzt und wird gern geduzt", False),
    ("French", "Je note que l'utilisateur habite à Nantes", False),
    ("Dutch", "Je woont in Gent", True),
    ("Greek", "Το ενοίκιό σας είναι 500 ευρώ", True),
    ("Arabic", "راتبك هنا، وعندك قطة", True),
    ("Hindi", "आपका किराया 9000 है", True),
    ("Korean", "당신은 부산에 살아요", True),
    ("Korean", "부산에 산다", False),
    ("Klingon", "you", False),
)


@pytest.mark.parametrize(("said", "reply", "asked"), TOLD)
def test_what_a_person_said_stands_before_what_an_agent_told_them(
    said: str, reply: str, asked: str
) -> None:
    ada = world.memory(clock=world.SteppingClock()).agent("ada", user="tuff")
    ada.remember(said, origin="user")
    ada.remember(reply, origin="agent")

    assert [hit.text for hit in ada.recall(asked).hits][:2] == [said, reply]


def test_what_an_agent_notes_of_a_person_is_as_good_as_their_word() -> None:
    ada = world.memory(clock=world.SteppingClock()).agent("ada", user="tuff")
    ada.remember("I live in Oslo", origin="user")
    ada.remember("The user lives in Rome.", origin="agent")

    assert "Rome" in ada.recall("Where do I live?").hits[0].text


@pytest.mark.parametrize(("language", "text", "spoken"), SPOKEN)
def test_whether_a_text_is_said_to_the_user_is_told_by_its_words(
    language: str, text: str, spoken: object
) -> None:
    assert address_words.speaks_to_user(language, text) is spoken
