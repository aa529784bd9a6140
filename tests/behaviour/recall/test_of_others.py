"""What somebody tells of others is no answer to what they ask about themselves."""

import pytest
from tests.world import SteppingClock, memory

from muniment.retrieval.index import document_features
from muniment.retrieval.languages import disclosure
from muniment.retrieval.ranking import query

NUTS = "I'm allergic to nuts"


def first_of(told: tuple[str, ...], question: str) -> str:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    for text in told:
        ada.remember(text)
    return next((hit.text for hit in ada.recall(question).hits), "")


@pytest.mark.parametrize(
    ("mine", "of_another", "question"),
    [
        (NUTS, "My son is allergic to milk", "What am I allergic to?"),
        (NUTS, "Tom is allergic to milk", "What am I allergic to?"),
        (NUTS, "A friend of mine is allergic to milk", "What am I allergic to?"),
        (NUTS, "My roommate is allergic to milk", "What am I allergic to?"),
        (NUTS, "My best friend Ana is allergic to milk", "What am I allergic to?"),
        ("I'm a baker in Hull", "My neighbour is a plumber", "What is my job?"),
        ("I'm a nurse", "My husband is a teacher", "What do I do for a living?"),
        ("I'm 34", "My sister is 29", "How old am I?"),
        ("I play the cello", "My daughter plays the violin", "Which instrument do I play?"),
        ("I play the cello", "Ana plays the violin", "Which instrument do I play?"),
        ("I prefer tea", "My husband prefers coffee", "What do I prefer to drink?"),
        ("I take metformin", "My father takes aspirin", "What medication do I take?"),
        ("I support Celtic", "He supports Rangers", "Which team do I support?"),
        ("My birthday is on 3 May", "My mother's birthday is on 9 June", "When is my birthday?"),
        ("My favourite colour is teal", "My son's favourite colour is red",
         "What's my favourite colour?"),
        ("Ich bin 34", "Meine Schwester ist 29", "Wie alt bin ich?"),
        ("Ich bin gegen Nüsse allergisch", "Mein Sohn ist gegen Milch allergisch",
         "Wogegen bin ich allergisch?"),
        ("Je suis allergique aux noix", "Mon fils est allergique au lait",
         "À quoi suis-je allergique ?"),
        ("我对坚果过敏", "我儿子对牛奶过敏", "我对什么过敏?"),
        ("我对坚果过敏", "小明对牛奶过敏", "我对什么过敏?"),
        ("Ich spiele Cello", "Anna spielt Geige", "Welches Instrument spiele ich?"),
        ("Mein Lieblingsessen ist Pizza", "Toms Lieblingsessen ist Sushi",
         "Was ist mein Lieblingsessen?"),
        ("Tengo 34 años", "Ana tiene 29 años", "¿Cuántos años tengo?"),
        ("J'ai 34 ans", "Anna a 29 ans", "Quel âge ai-je ?"),
        ("Sono allergico alle noci", "Marco è allergico al latte", "A cosa sono allergico?"),
        ("Ik ben allergisch voor noten", "Tom is allergisch voor melk",
         "Waar ben ik allergisch voor?"),
        ("У меня аллергия на орехи", "У Тома аллергия на молоко", "На что у меня аллергия?"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("mine_first", [True, False])
def test_what_is_so_of_whoever_asks_is_first(
    mine: str, of_another: str, question: str, *, mine_first: bool
) -> None:
    told = (mine, of_another) if mine_first else (of_another, mine)

    assert first_of(told, question) == mine


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ((NUTS, "My son is allergic to milk"), "What is my son allergic to?"),
        (("I'm 34", "My sister is 29"), "How old is my sister?"),
        (("My birthday is on 3 May", "Marta's birthday is on 9 June"),
         "When is Marta's birthday?"),
        (("I play the cello", "My daughter plays the violin"),
         "Which instrument does my daughter play?"),
    ],
)  # fmt: skip
def test_whoever_asks_about_another_gets_what_is_so_of_them(
    told: tuple[str, str], question: str
) -> None:
    assert first_of(told, question) == told[1]


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (("I live in Porto", "My wife and I moved to Bergen"), "Where do I live?"),
        (("Dinner is on Thursday", "My wife moved the dinner to Friday"), "When is the dinner?"),
        (("I drive a Golf", "My wife sold our car and we got a Yaris"), "What car do I drive?"),
    ],
)
def test_what_another_changed_for_both_is_told_anew(told: tuple[str, str], question: str) -> None:
    assert first_of(told, question) == told[1]


@pytest.mark.parametrize(
    ("question", "of_others"),
    [
        ("How old is my sister?", True),
        ("What are my sisters called?", True),
        ("Do I have any pets?", True),
        ("Wie heißen meine Schwestern?", True),
        ("Сколько лет моей сестре?", True),
        ("Which song do I like?", False),
        ("What category is my licence?", False),
        ("What kidney problem do I have?", False),
        ("How much petrol do I need?", False),
    ],
)
def test_whoever_is_asked_for_is_named_by_a_whole_word(question: str, *, of_others: bool) -> None:
    assert query.analyse(question).of_others is of_others


def test_what_is_all_that_is_known_is_still_found() -> None:
    assert first_of(("My son is allergic to milk",), "What am I allergic to?")
    assert first_of(("My sister is called Ines",), "Do I have a sister?")


@pytest.mark.parametrize(
    ("text", "of_others"),
    [
        ("My son is allergic to milk", True),
        ("My dog is called Biscuit", True),
        ("Marta's birthday is on 9 June", True),
        ("She takes aspirin", True),
        ("Mi hijo es alérgico a la leche", True),
        ("Il mio gatto si chiama Oreste", True),
        ("Mijn zus woont in Gent", True),
        ("أختي تعيش في القاهرة", True),
        ("제 동생 말고 아버지는 부산에 계세요", False),
        ("My wife and I are in Bergen", False),
        ("My wife sold our car", False),
        ("My son is ill. I'm at home.", False),
        ("The rent is 900 euros", False),
        ("My doctor appointment is on Monday", False),
        ("My cat food subscription costs 20 euros", False),
        ("Dinner is on Thursday", False),
        ("Standup is at ten", False),
        ("Das Treffen ist um zehn", False),
        ("La reunión es a las diez", False),
        ("会議は十時です", False),
        ("O Tomás mora em Braga", True),
        ("Today I'm in Rome", False),
        (f"My son is {'very ' * 100}ill", False),
    ],
)
def test_whose_a_statement_is_follows_from_how_it_begins(text: str, *, of_others: bool) -> None:
    long = len(text) > document_features.DISCLOSED_LETTERS_MAX

    assert (disclosure.is_of_others(text) and not long) is of_others
