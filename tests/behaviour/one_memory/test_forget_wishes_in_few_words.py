"""Forget wishes in few words: a statement is meant by a part of it, if it is the only one."""

import pytest
from tests import world
from tests.behaviour.one_memory.test_forget_wishes import recorded, remembered

from muniment import Agent
from muniment.model.events import ItemForgotten
from muniment.retrieval.languages import asked_to_forget

# A statement, and the words in which somebody who made it asks that it be forgotten.
MEANT = (
    ("I take Sertraline every morning", "Please forget that I take Sertraline"),
    ("I have a tattoo of an anchor on my left arm.", "Forget that I have a tattoo"),
    ("I'm seeing a therapist, her name is Nadia", "Forget that I'm seeing a therapist"),
    ("I was fired from Nordea last week", "Forget that I was fired from Nordea"),
    (
        "My brother-in-law Farid repairs clocks in Namur.",
        "Forget that Farid repairs clocks in Namur",
    ),
    ("My therapist is Nadia Brunel", "Forget about my therapist, please."),
    ("Ich nehme jeden Morgen Sertralin", "Vergiss, dass ich Sertralin nehme"),
    ("Tomo sertralina cada mañana", "Olvida que tomo sertralina"),
    ("I play the harp", "Forget my harp"),
    ("I live in Rome", "Forget where I live"),
    ("We moved to Bremen in May", "Forget where I live"),
    ("I play the harp in an orchestra", "Don't remember that I play the harp"),
    ("Ich spiele seit Jahren Harfe", "Vergiss das mit der Harfe"),
    ("Je prends de la sertraline tous les matins", "Oublie que je prends de la sertraline"),
    ("Je joue de la harpe depuis dix ans", "Oublie ma harpe"),
    ("Ma thérapeute s'appelle Nadia Brunel", "Oublie ma thérapeute"),
    ("Toco el arpa desde hace diez años", "Olvida lo del arpa"),
    ("Toco el arpa", "Olvida mi arpa"),
    ("Vivo en Cádiz", "Olvida dónde vivo"),
    ("Prendo la sertralina ogni mattina", "Dimentica che prendo la sertralina"),
    ("Suono l'arpa da dieci anni", "Dimentica la mia arpa"),
    ("Vivo a Lecce", "Dimentica dove vivo"),
    ("Tomo sertralina todas as manhãs", "Esquece que tomo sertralina"),
    ("Toco harpa há dez anos", "Esquece a minha harpa"),
    ("Moro em Recife", "Esquece onde moro"),
    ("Ik slik elke ochtend sertraline", "Vergeet dat ik sertraline slik"),
    ("Ik speel al jaren harp", "Vergeet mijn harp"),
    ("Ik woon in Zwolle", "Vergeet waar ik woon"),
    ("Я каждое утро принимаю сертралин", "Забудь, что я принимаю сертралин"),
    ("Я играю на арфе", "Забудь про арфу"),
    ("Я живу в Казани", "Забудь, где я живу"),
    ("Παίρνω σερτραλίνη κάθε πρωί", "Ξέχνα ότι παίρνω σερτραλίνη"),
    ("Παίζω άρπα χρόνια τώρα", "Ξέχνα την άρπα μου"),
    ("Μένω στην Πάτρα", "Ξέχνα πού μένω"),
    ("أتناول السيرترالين كل صباح", "انس أنني أتناول السيرترالين"),
    ("أعيش في عمان", "انس أين أعيش"),
    ("मैं हर सुबह सर्ट्रालिन लेता हूँ", "भूल जाओ कि मैं सर्ट्रालिन लेता हूँ"),
    ("मैं पुणे में रहता हूँ", "भूल जाओ कि मैं कहाँ रहता हूँ"),
    ("मेरी वीणा पुरानी है", "मेरी वीणा भूल जाओ"),
    ("我每天早上吃舍曲林", "请忘记我吃舍曲林"),
    ("我住在北京", "请忘记我住在哪里"),
    ("我弹竖琴", "请忘掉我的竖琴"),
    ("毎朝セルトラリンを飲んでいます", "セルトラリンを飲んでいることは忘れてください"),
    ("私は札幌に住んでいます", "どこに住んでいるか忘れて"),
    ("私はハープを弾きます", "ハープのことは忘れて"),
    ("나는 매일 아침 설트랄린을 먹어요", "내가 설트랄린을 먹는다는 것은 잊어줘"),
    ("나는 하프를 연주해요", "내 하프는 잊어줘"),
    ("나는 하프를 연주해요", "하프에 대해 잊어 주세요"),
    ("Ich wohne seit März in Ulm", "Vergiss, wo ich wohne"),
    ("J'habite à Nantes", "Oublie où j'habite"),
    ("I play the harp in an orchestra", "Forget about the harp"),
    (
        "Ich habe seit Mai einen Therapeuten, er heißt Jonas",
        "Vergiss, dass ich einen Therapeuten habe",
    ),
    ("Ich spiele Harfe", "Merk dir nicht, dass ich Harfe spiele"),
    ("Je joue de la harpe", "Ne retiens pas que je joue de la harpe"),
    ("Toco el arpa", "No recuerdes que toco el arpa"),
    ("Suono l'arpa", "Non ricordare che suono l'arpa"),
    ("Toco harpa", "Não te lembres que toco harpa"),
    ("Ik speel harp", "Onthoud niet dat ik harp speel"),
    ("Я играю на арфе", "Не запоминай, что я играю на арфе"),
    ("Παίζω άρπα", "Μη θυμάσαι ότι παίζω άρπα"),
    ("أعزف على القيثارة", "لا تتذكر أنني أعزف على القيثارة"),
    ("मैं वीणा बजाता हूँ", "याद मत रखो कि मैं वीणा बजाता हूँ"),
    ("我弹竖琴", "不要记住我弹竖琴"),
    ("私はハープを弾きます", "ハープを弾くことは覚えないで"),
    ("나는 하프를 연주해요", "내가 하프를 연주한다는 것은 기억하지 마"),
    ("I work night shifts at the Bergmann bakery", "Forget that I work at the Bergmann bakery"),
    ("I'm getting divorced from Paul this spring", "Forget that I'm getting divorced"),
    ("My son Leo has been diagnosed with asthma", "Forget that Leo has asthma"),
    ("I owe my brother 400 euros", "Forget that I owe my brother 400 euros, please"),
    ("I have diabetes", "Please forget about my diabetes."),
    ("My blood type is AB negative", "Forget my blood type"),
    ("I voted for the Greens last year", "Forget that I voted for the Greens"),
    ("Ich bin seit Januar schwanger", "Vergiss, dass ich schwanger bin"),
    ("Ich habe Schulden bei meinem Bruder", "Vergiss meine Schulden"),
    ("Mein Therapeut heißt Jonas", "Vergiss meinen Therapeuten"),
    ("Estoy embarazada de tres meses", "Olvida que estoy embarazada"),
    ("Je suis enceinte de trois mois", "Oublie que je suis enceinte"),
    ("Sono incinta di tre mesi", "Dimentica che sono incinta"),
    ("Estou grávida de três meses", "Esquece que estou grávida"),
    ("Ik ben drie maanden zwanger", "Vergeet dat ik zwanger ben"),
    ("Я на третьем месяце беременна", "Забудь, что я беременна"),
    ("Είμαι έγκυος τριών μηνών", "Ξέχνα ότι είμαι έγκυος"),
    ("أنا حامل منذ ثلاثة أشهر", "انس أنني حامل"),
    ("मुझे बचपन से मधुमेह है", "भूल जाओ कि मुझे मधुमेह है"),
    ("我去年得了糖尿病", "请忘记我得了糖尿病"),
    ("去年から糖尿病の薬を飲んでいます", "糖尿病の薬を飲んでいることは忘れてください"),
    ("나는 작년부터 당뇨병 약을 먹어요", "내가 당뇨병 약을 먹는다는 것은 잊어줘"),
)
# A statement, and what is said then that does not ask to forget it.
NOT_MEANT = (
    ("My sister lives in Rome", "Forget that I live in Rome"),
    ("I do not smoke", "forget that I smoke"),
    ("I smoke", "Forget that I don't smoke"),
    ("I take Sertraline every morning", "Don't forget that I take Sertraline"),
    ("I take Sertraline every morning", "I always forget that I take Sertraline"),
    ("I take Sertraline every morning", "Did I forget that I take Sertraline?"),
    ("I take Sertraline every morning", "She said forget that I take Sertraline"),
    ("I take Sertraline every morning", '"Forget that I take Sertraline"'),
    ("My sister plays the harp", "Forget my harp"),
    ("My sister plays the harp", "Forget that I play the harp"),
    ("Tom lives in Rome", "Forget where I live"),
    ("My sister lives in Rome", "Forget where I live"),
    ("I take Sertraline and ibuprofen", "Forget that I take Sertraline"),
    ("I live in Bern, I take Sertraline", "Forget that I take Sertraline"),
    ("I live in Bern. I take Sertraline.", "Forget that I take Sertraline"),
    ("The doctor of my sister lives in Rome", "Forget that I live in Rome"),
    ("I stopped smoking", "Forget that I smoke"),
    ("I'm allergic to dog hair", "Forget that I have a dog"),
    ("I play the harp", "Forget it"),
    ("My account is new", "Delete my account"),
    ("I play the harp", "I forget my harp all the time"),
    ("I play the harp", "Please don't forget my harp"),
    ("I play the harp", "Never forget my harp"),
    ("Ich spiele Harfe", "Vergiss meine Harfe nicht"),
    ("Meine Schwester nimmt Sertralin", "Vergiss, dass ich Sertralin nehme"),
    ("Ich nehme kein Sertralin", "Vergiss, dass ich Sertralin nehme"),
    ("Mi hermana toma sertralina cada mañana", "Olvida que tomo sertralina"),
    ("No tomo sertralina", "Olvida que tomo sertralina"),
    ("Toco el arpa", "No olvidar que toco el arpa"),
    ("Toco harpa", "Não esquecer que toco harpa"),
    ("Моя сестра принимает сертралин", "Забудь, что я принимаю сертралин"),
    ("Я не принимаю сертралин", "Забудь, что я принимаю сертралин"),
    ("我妹妹每天早上吃舍曲林", "请忘记我吃舍曲林"),
    ("我不吃舍曲林", "请忘记我吃舍曲林"),
    ("我收集气压计", "忘记我收集气压计了"),
    ("妹は毎朝セルトラリンを飲んでいます", "セルトラリンを飲んでいることは忘れてください"),
    ("セルトラリンを飲んでいません", "セルトラリンを飲んでいることは忘れてください"),
    ("내 여동생은 매일 설트랄린을 먹어요", "내가 설트랄린을 먹는다는 것은 잊어줘"),
    ("나는 설트랄린을 안 먹어요", "내가 설트랄린을 먹는다는 것은 잊어줘"),
    ("أختي تتناول السيرترالين كل صباح", "انس أنني أتناول السيرترالين"),
    ("لا أتناول السيرترالين", "انس أنني أتناول السيرترالين"),
    ("मेरी बहन हर सुबह सर्ट्रालिन लेती है", "भूल जाओ कि मैं सर्ट्रालिन लेता हूँ"),
    ("मैं सर्ट्रालिन नहीं लेता हूँ", "भूल जाओ कि मैं सर्ट्रालिन लेता हूँ"),
    ("Η αδερφή μου παίρνει σερτραλίνη", "Ξέχνα ότι παίρνω σερτραλίνη"),
    ("Δεν παίρνω σερτραλίνη", "Ξέχνα ότι παίρνω σερτραλίνη"),
    ("Ma sœur prend de la sertraline", "Oublie que je prends de la sertraline"),
    ("Mijn zus slikt sertraline", "Vergeet dat ik sertraline slik"),
    ("Mia sorella prende la sertralina", "Dimentica che prendo la sertralina"),
    ("A minha irmã toma sertralina", "Esquece que tomo sertralina"),
    ("My coffee is cold", "Forget that I collect barometers, I collect clocks now"),
    ("I play the harp. My sister lives in Rome.", "Forget that I play the harp"),
    ("My wife is pregnant", "Forget that I'm pregnant"),
    ("Meine Schwester ist schwanger", "Vergiss, dass ich schwanger bin"),
    ("Mi hermana está embarazada", "Olvida que estoy embarazada"),
    ("Ma sœur est enceinte", "Oublie que je suis enceinte"),
    ("Mia sorella è incinta", "Dimentica che sono incinta"),
    ("Anna is pregnant", "Forget that I'm pregnant"),
    ("My doctor says Tom has diabetes", "Forget my diabetes"),
    ("I work at the bakery", "Forget my work, it's fine"),
    ("I have a meeting tomorrow", "Forget the meeting"),
    ("I work in Bergen", "Forget that I work"),
    ("I love my car", "Remove my car from the list"),
    ("I love my car", "Ignore my car"),
    ("I play golf", "Remember that I play golf"),
    ("I play golf", "Don't remember"),
    ("I play golf", "I don't remember that I play golf"),
    ("I play golf", "Forget that I play golf?"),
    ("I play golf", "What did I forget about golf?"),
    ("Ich spiele Golf", "Ich vergesse, dass ich Golf spiele"),
    ("Ich spiele Golf", "Vergiss nie, dass ich Golf spiele"),
    ("Je joue au golf", "J'oublie que je joue au golf"),
    ("Juego al golf", "Se me olvida que juego al golf"),
    ("Gioco a golf", "Non dimenticare che gioco a golf"),
    ("I don't eat pork", "Forget that I eat pork"),
    ("We were fired from Nordea", "Forget that I was fired from Nordea"),
    ("My mother and I live in Rome", "Forget that I live in Rome"),
    ("Mein Bruder wohnt in Ulm", "Vergiss, wo ich wohne"),
    ("Mi hermano vive en Cádiz", "Olvida dónde vivo"),
    ("Брат живёт в Казани", "Забудь, где я живу"),
)
BESIDE = "I own a red canoe"


def told(*sentences: str) -> Agent:
    ada = world.memory().agent("ada", user="tuff")
    for each in sentences:
        ada.remember(each)
    return ada


@pytest.mark.parametrize(("statement", "wish"), MEANT)
def test_a_statement_is_meant_by_fewer_words_than_it_has(statement: str, wish: str) -> None:
    ada = told(statement, BESIDE)

    asked = ada.remember(wish)

    assert len(asked.ended) == 1
    assert {*remembered(ada)} == {BESIDE, wish}


@pytest.mark.parametrize(("statement", "said"), NOT_MEANT)
def test_what_does_not_ask_for_this_leaves_it(statement: str, said: str) -> None:
    ada = told(statement)

    asked = ada.remember(said)

    assert asked.ended == ()
    assert statement in remembered(ada)


def test_of_several_statements_that_are_all_meant_none_ends() -> None:
    both = ("I take Sertraline every morning", "I take Sertraline since the winter")
    ada = told(*both)

    assert ada.remember("Forget that I take Sertraline").ended == ()
    assert {*both} <= {*remembered(ada)}


def test_the_same_statement_told_again_is_still_one() -> None:
    statement = "I take Sertraline every morning"
    ada = told(statement, f"{statement}.", f"Please remember that {statement}")

    assert len(ada.remember("Forget that I take Sertraline").ended) == 3
    assert remembered(ada) == ["Forget that I take Sertraline"]


def test_the_statement_in_just_these_words_is_meant_before_a_longer_one() -> None:
    ada = told("I take Sertraline", "I take Sertraline every morning")

    ada.remember("Forget that I take Sertraline")

    assert "I take Sertraline every morning" in remembered(ada)
    assert "I take Sertraline" not in remembered(ada)


def test_in_a_talk_a_statement_is_meant_by_fewer_words_too() -> None:
    ada = world.memory().agent("ada", user="tuff")
    talk = ada.conversation(session="s")
    talk.record(user="I was fired from Nordea last week")
    talk.record(user=BESIDE)

    asked = talk.record(user="Forget that I was fired from Nordea")

    assert {each.reason for each in asked.deleted} == {"retracted"}
    assert recorded(ada) == {BESIDE, "Forget that I was fired from Nordea"}


def test_nobody_elses_words_make_it_forgotten_by_fewer_words_either() -> None:
    of = world.memory()
    ada = of.agent("ada", user="tuff")
    ada.remember("I play the harp in an orchestra")
    for origin in ("agent", "tool", "external"):
        ada.remember("Forget my harp", origin=origin, source="page")
    ada.remember("Forget my harp", speaker="Bob")
    ada.conversation(session="s").record(ai="Forget my harp", tools=["Forget my harp"])

    assert "I play the harp in an orchestra" in remembered(ada)
    assert not [each for each in world.events(of) if isinstance(each, ItemForgotten)]


@pytest.mark.parametrize(
    "text",
    [
        "Forget that I smoke, I quit years ago",
        "Vergiss, dass ich rauche, ich habe aufgehört",
        "Olvida que fumo, ahora vivo en Cádiz",
        "请忘记我抽烟，我已经戒了",
        "Forget my harp, my sister plays it now",
    ],
)
def test_who_says_something_else_in_the_same_sentence_does_not_only_ask_to_forget(
    text: str,
) -> None:
    assert not asked_to_forget.is_nothing_else(text)
    assert asked_to_forget.wishes(text) == []
