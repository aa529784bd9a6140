"""A long message that a small context cannot hold is told by the sentences that answer."""

import msgspec
import pytest
from tests import world

from muniment import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.audit.erasure_scan import Residue
from muniment.engine.streams.ports import Neighbours
from muniment.retrieval.context import excerpt

# By language: what was told at length, a question, the word of its answer, and some chatter.
LIVES = {
    "English": (
        "The morning went sideways when the kettle died and nobody had slept. "
        "At the allotment the foxes had been at the compost again, feathers everywhere. "
        "Grandad's watch is with the repairer, Mr Pellow, in Fore Street until Friday week. "
        "Then the rain came sideways and we sat in the shed telling each other old jokes. "
        "Supper was a sad affair of cold beans and somebody else's bread. ",
        "Who is repairing grandad's watch?",
        "Pellow",
        "shall we have soup tonight",
    ),
    "German": (
        "Der Morgen fing schief an, der Wasserkocher war hin und keiner hatte geschlafen. "
        "Im Schrebergarten waren wieder die Füchse am Kompost, überall lagen Federn. "
        "Opas Armbanduhr liegt beim Uhrmacher Wendelin in der Färbergasse bis Freitag. "
        "Dann kam der Regen quer und wir saßen im Schuppen und erzählten alte Witze. "
        "Abends gab es kalte Bohnen und fremdes Brot. ",
        "Bei welchem Uhrmacher ist Opas Armbanduhr?",
        "Wendelin",
        "gibt es heute Suppe",
    ),
    "Spanish": (
        "La mañana empezó torcida, la tetera murió y nadie había dormido. "
        "En el huerto los zorros volvieron a revolver el compost, plumas por todas partes. "
        "El reloj del abuelo lo tiene el relojero Anselmo en la calle Tintes hasta el viernes. "
        "Luego llovió de lado y nos quedamos en el cobertizo contando chistes viejos. "
        "De cena hubo judías frías y pan ajeno. ",
        "¿Quién tiene el reloj del abuelo?",
        "Anselmo",
        "hay sopa esta noche",
    ),
    "Russian": (
        "Утро не задалось, чайник сгорел, и никто не выспался. "
        "На даче лисы опять разрыли компост, повсюду перья. "
        "Дедушкины часы сейчас у часовщика Пантелея на Красильной до пятницы. "
        "Потом пошёл косой дождь, и мы сидели в сарае и травили старые байки. "
        "На ужин была холодная фасоль и чужой хлеб. ",
        "У какого часовщика дедушкины часы?",
        "Пантелея",
        "будет ли сегодня суп",
    ),
    "Chinese": (
        "早上一切都不顺,水壶坏了,谁也没睡好。菜园里狐狸又翻了堆肥,到处都是羽毛。"
        "爷爷的手表在染坊街的钟表匠裴师傅那里修,要到星期五。后来下起斜雨,我们坐在棚子里讲老笑话。"
        "晚饭是冷豆子和别人家的面包。隔壁的孩子一直在敲锅,谁也没有说话。",
        "爷爷的手表在哪个师傅那里修?",
        "裴师傅",
        "今晚喝汤吗",
    ),
    "Japanese": (
        "朝から調子が悪く、やかんが壊れ、誰も眠れなかった。畑ではまた狐が堆肥を荒らし、羽だらけだった。"
        "祖父の腕時計は染物通りの時計屋の檜山さんに修理に出していて、金曜までかかる。"
        "そのあと横なぐりの雨になり、小屋で古い笑い話をした。夕飯は冷たい豆とよその家のパンだった。",
        "祖父の腕時計はどの時計屋が修理していますか?",
        "檜山",
        "今夜はスープかな",
    ),
}


def told(language: str) -> Agent:
    ada = world.memory().agent("ada", user="tuff")
    ada.remember(LIVES[language][0])
    ada.remember(LIVES[language][3])
    return ada


@pytest.mark.parametrize("language", LIVES)
def test_the_sentence_that_answers_is_told_where_the_message_has_no_room(language: str) -> None:
    long, question, answer, chatter = LIVES[language]
    ada = told(language)

    small = ada.context(question, budget=90, recent=False)

    (first, *_) = small.pieces
    assert answer in first.text
    assert ", excerpt] " in first.text
    assert excerpt.LEFT_OUT in first.text
    assert long.strip() not in small.text
    if chatter in small.text:
        assert small.text.index(answer) < small.text.index(chatter)
    assert small.tokens <= 90


@pytest.mark.parametrize("language", LIVES)
def test_a_message_that_has_room_is_told_whole(language: str) -> None:
    long, question, *_ = LIVES[language]

    whole = told(language).context(question, budget=600, recent=False)

    assert long.strip() in whole.text
    assert ", excerpt]" not in whole.text


def test_a_sentence_that_does_not_fit_is_told_by_the_clauses_that_answer() -> None:
    ada = world.memory().agent("ada", user="tuff")
    ada.remember(
        "The band met at nine, the drummer was late, the spare amplifier is in Jutta's cellar, "
        "the singer had a cold, the van needed petrol, and in the end nobody wanted to play, "
        "so the evening went to the dogs, the landlord laughed, and the rain did the rest."
    )

    small = ada.context("Where is the spare amplifier?", budget=45, recent=False)

    assert "the spare amplifier is in Jutta's cellar" in small.text
    assert "the rain did the rest" not in small.text


def test_what_answers_nothing_is_told_in_no_excerpt() -> None:
    assert excerpt.options("We walked. We talked. We slept.", "What does a stamp cost?") == ()
    assert excerpt.options('{"rank": 1, "name": "stamp"}', "What does a stamp cost?") == ()


def test_why_not_says_that_it_is_there_in_an_excerpt() -> None:
    long, question, *_ = LIVES["English"]
    ada = told("English")
    (item,) = (each.id for each in ada.recall(question).hits if each.text == long)

    found = ada.why_not(item, question, budget=90)

    assert found.stage == "recalled"
    assert found.reason.endswith("in an excerpt")


def test_a_context_with_an_excerpt_is_the_same_when_it_is_regenerated() -> None:
    ada = told("German")
    small = ada.context(LIVES["German"][1], budget=90)
    ada.remember("Opas Armbanduhr ist wieder da")

    assert small.receipt.excerpts == ((0, small.receipt.excerpts[0][1]),)
    assert ada.regenerate(small.receipt.receipt_id) == small


class Letters:
    """A tokenizer of somebody's own: each letter is a token."""

    name = "letters-2"

    def count(self, text: str) -> int:
        return len(text)


def test_the_receipt_names_the_excerpt_where_nobody_can_count_any_more() -> None:
    memory = world.memory(neighbours=Neighbours(tokenizer=Letters()))
    ada = memory.agent("ada", user="tuff")
    for part in LIVES["English"][::3]:
        ada.remember(part)
    small = ada.context(LIVES["English"][1], budget=260)
    assert "Pellow" in small.text
    assert small.receipt.excerpts
    ada.flush()

    without = Memory(
        msgspec.structs.replace(world.hub(memory).parts, neighbours=Neighbours()),
        scanner=lambda _: Residue(files=0, found=(), digest=""),
    )

    again = without.agent("ada", user="tuff").regenerate(small.receipt.receipt_id)
    assert (again.text, again.receipt) == (small.text, small.receipt)
