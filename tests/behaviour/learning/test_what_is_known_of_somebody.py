"""A profile says what is known of somebody: what they stated, as it stands, and no chatter."""

from itertools import chain, cycle, islice

import pytest
from tests import world

from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock
from muniment.model.kinds.conversation_item import ROLLING
from muniment.model.text.sentences import sentences
from muniment.retrieval.languages import statement_levels
from muniment.retrieval.languages.statement_levels import Level

# By language: what somebody states of themselves and theirs, and what is said all day long.
LIVES = {
    "English": (
        (
            "I live in Stornoway above a bakery",
            "My husband Callum mends organs",
            "Our daughter Isla can't eat walnuts",
            "I'm a ferry pilot",
            "We're going to Tallinn in October",
            "I prefer stairs to lifts",
        ),
        "lol {n}|hmm wait {n}|tell me a story|thanks!|what is {n} times 4|make it shorter"
        "|what a mess {n}|ok cool|write a limerick about eels|good morning",
    ),
    "German": (
        (
            "Ich wohne in Husum über einer Bäckerei",
            "Mein Mann Carsten repariert Orgeln",
            "Unsere Tochter Ilse verträgt keine Walnüsse",
            "Ich bin Lotsin",
            "Wir fahren im Oktober nach Tallinn",
            "Ich nehme lieber die Treppe",
        ),
        "lol {n}|hm warte {n}|erzähl mir eine Geschichte|danke!|was ist {n} mal 4|kürzer bitte"
        "|was für ein Chaos {n}|ok super|schreib ein Gedicht über Aale|guten Morgen",
    ),
    "French": (
        (
            "J'habite à Roscoff au-dessus d'une boulangerie",
            "Mon mari Corentin répare des orgues",
            "Notre fille Iseult ne supporte pas les noix",
            "Je suis pilote de ferry",
            "Nous allons à Tallinn en octobre",
            "Je préfère les escaliers",
        ),
        "mdr {n}|attends {n}|raconte-moi une histoire|merci !|combien font {n} fois 4|plus court"
        "|super|écris un poème sur les anguilles|bonjour",
    ),
    "Spanish": (
        (
            "Vivo en Luarca encima de una panadería",
            "Mi marido Camilo arregla órganos",
            "Nuestra hija Inés no puede comer nueces",
            "Soy práctica del puerto",
            "Vamos a Tallin en octubre",
            "Prefiero las escaleras",
        ),
        "jaja {n}|espera {n}|cuéntame un cuento|gracias|cuánto es {n} por 4|hazlo más corto"
        "|vaya día {n}|vale|escribe un poema sobre anguilas|buenos días",
    ),
    "Russian": (
        (
            "Я живу в Кеми над пекарней",
            "Мой муж Клим чинит органы",
            "Наша дочь Инна не ест грецкие орехи",
            "Я лоцман",
            "Мы едем в Таллин в октябре",
            "Я предпочитаю лестницу",
        ),
        "лол {n}|подожди {n}|расскажи сказку|спасибо|сколько будет {n} на 4|короче"
        "|ну и день {n}|круто|напиши стих про угрей|доброе утро",
    ),
    "Chinese": (
        (
            "我住在舟山一家面包店楼上",
            "我丈夫凯峰修管风琴",
            "我女儿依云不能吃核桃",
            "我是渡轮领航员",
            "我们十月去塔林",
            "我更喜欢走楼梯",
        ),
        "哈哈{n}|等等{n}|给我讲个故事|谢谢|{n}乘以4是多少|短一点|好的|写一首关于鳗鱼的诗|早上好",
    ),
    "Japanese": (
        (
            "私は小樽のパン屋の上に住んでいます",
            "夫の和馬はオルガンを直しています",
            "娘の伊織はくるみアレルギーです",
            "私はフェリーの水先人です",
            "私たちは十月にタリンへ行きます",
            "私は階段のほうが好きです",
        ),
        "笑{n}|ちょっと待って{n}|話をして|ありがとう|{n}かける4は|もっと短くして|はい"
        "|うなぎの詩を書いて|おはよう",
    ),
}
TURNS = 150


def lived(language: str) -> list[str]:
    """A statement every now and then among the chatter."""
    stated, chatter = LIVES[language]
    talk = islice(cycle(chatter.split("|")), TURNS)
    every = TURNS // len(stated)
    said = ((each.format(n=n), *stated[n // every : n // every + 1][: not n % every])
            for n, each in enumerate(talk))  # fmt: skip
    return list(chain.from_iterable(said))


def agent() -> Agent:
    return world.memory().agent("ada", user="tuff")


def profile(*texts: str) -> list[str]:
    ada = agent()
    ada.remember_many(texts)
    return [each.text for each in ada.summary().sentences]


@pytest.mark.parametrize("language", LIVES)
def test_of_many_turns_of_chatter_and_a_few_statements_a_profile_has_the_statements(
    language: str,
) -> None:
    assert profile(*lived(language)) == [*LIVES[language][0]][::-1]


@pytest.mark.parametrize("language", LIVES)
def test_a_conversation_is_told_by_them_too(language: str) -> None:
    ada = agent()
    talk = ada.conversation(session="s")
    for n, said in enumerate(lived(language)):
        page = [{"name": "search", "arguments": {"q": n}, "result": f"page {n}, cookies, footer"}]
        talk.record(user=said, ai="Let me see.", tools=page if n % 9 == 0 else [])

    stated = [*LIVES[language][0]]
    summary = [each.text for each in ada.summary("conversation", session="s").sentences]
    (rolling,) = [each for each in talk.items("short_term") if ROLLING in each.meta.policy_tags]
    early = stated[:4]  # the others are still in the window

    assert [each for each in summary if each in stated] == stated
    assert [each.rstrip(".。") for each in rolling.text.splitlines() if each][-4:] == early[::-1]


def test_every_sentence_of_a_profile_is_quoted_from_an_entry() -> None:
    ada = agent()
    ada.remember_many(lived("English"))

    for each in ada.summary().sentences:
        (citation,) = each.citations
        assert (citation.quote, bool(citation.label)) == (each.text, True)


@pytest.mark.parametrize(
    ("told", "stands"),
    [
        (
            ("I work at Quaystone.", "I go to the gym on Mondays.", "I've left Quaystone.",
             "I cancelled the gym."),
            ["I cancelled the gym.", "I've left Quaystone."],
        ),
        (("I weigh 82 kilos", "I weigh 79 kilos now"), ["I weigh 79 kilos now"]),
        (("I eat pork", "I don't eat pork anymore"), ["I don't eat pork anymore"]),
        (("I live in Kirkwall", "I live in Kirkwall with my aunt"),
         ["I live in Kirkwall with my aunt"]),
        (("Ich arbeite bei Fenster Holt.", "Ich habe bei Fenster Holt gekündigt."),
         ["Ich habe bei Fenster Holt gekündigt."]),
        (("Voy al gimnasio los lunes.", "Dejé el gimnasio."), ["Dejé el gimnasio."]),
        (("Я вешу 82 кило", "Я вешу 79 кило"), ["Я вешу 79 кило"]),
        (("我体重82公斤", "我体重79公斤"), ["我体重79公斤"]),
        (("月曜にジムへ通っています。", "ジムは辞めました。"), ["ジムは辞めました。"]),
    ],
)  # fmt: skip
def test_what_is_over_is_not_given_as_current(told: tuple[str, ...], stands: list[str]) -> None:
    assert profile(*told) == stands


@pytest.mark.parametrize(
    ("told", "stands"),
    [
        (("My brother smokes a pipe.", "I quit smoking."), "My brother smokes a pipe."),
        (("My sister Ada works at Quaystone.", "I've left Quaystone."),
         "My sister Ada works at Quaystone."),
        (("I eat pork", "I eat no shellfish"), "I eat pork"),
    ],
)  # fmt: skip
def test_what_ends_for_one_does_not_end_for_another(told: tuple[str, ...], stands: str) -> None:
    assert stands in profile(*told)


@pytest.mark.parametrize(
    "told",
    [
        ("My favourite colour is teal", "My son's favourite colour is red"),
        ("My son's favourite colour is red", "My favourite colour is teal"),
        ("My favourite colour is teal", "Tom's favourite colour is tan"),
        ("My daughter plays the viola", "My son plays the viola"),
    ],
)
def test_what_two_statements_say_in_short_words_alone_is_told_of_both(
    told: tuple[str, str],
) -> None:
    ada = agent()
    for each in told:
        ada.conversation(session="s").record(user=each)

    assert {each.text for each in ada.summary("conversation", session="s").sentences} == {*told}
    assert {*profile(*told)} == {*told}


def test_what_was_comes_behind_what_is_and_what_is_said_of_others_behind_both() -> None:
    assert profile("The sea was rough all day", "I live in Kirkwall", "I used to live in Wick") == [
        "I live in Kirkwall",
        "I used to live in Wick",
        "The sea was rough all day",
    ]


def test_a_plan_whose_day_has_passed_comes_behind_what_is() -> None:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"plans")).agent("ada", user="tuff")
    told = (
        ("2026-02-01", "I keep bees"),
        ("2026-03-05", "We're going to Tallinn in October"),
        ("2026-03-06", "Our flight is on 15 December"),
        ("2026-12-10", "I mend clocks"),
    )
    for day, said in told:
        clock.set(f"{day}T09:00:00.000Z")
        ada.remember(said)

    assert [each.text for each in ada.summary().sentences] == [
        "I mend clocks",
        "Our flight is on 15 December",
        "I keep bees",
        "We're going to Tallinn in October",
    ]


def test_a_day_before_the_name_of_its_month_ends_no_sentence() -> None:
    told = "Am 14. Oktober bekomme ich neue Zähne. Davor graut mir."

    assert profile(told) == ["Am 14. Oktober bekomme ich neue Zähne.", "Davor graut mir."]
    assert sentences("Wir wurden Platz 14. Danach gab es Kuchen.")[0] == "Wir wurden Platz 14. "


def test_days_of_work_with_tools_are_told_by_what_the_user_said() -> None:
    ada = agent()
    for n, said in enumerate(("I keep bees", "lol 4", "we lost a hive", "hmm 7")):
        with ada.do(said) as doing:
            call = doing.tool_call("web", {"q": f"hives {n}"})
            doing.tool_result(call, {"page": n, "rank": 4711})
            doing.answer("Let me see.")

    page = ada.summary("reflection", since="2020-01-01")

    assert {"I keep bees", "we lost a hive"} <= {each.text for each in page.sentences}
    assert not [each.text for each in page.sentences if "{" in each.text or "lol" in each.text]


def test_who_was_named_as_ones_own_is_spoken_of_as_ones_own() -> None:
    found = profile("My aunt is called Morag", "Morag swims at dawn", "The pier swims in light")

    assert found[:2] == ["Morag swims at dawn", "My aunt is called Morag"]


@pytest.mark.parametrize(
    ("sentence", "level"),
    [
        ("what do you think", Level.ASKED),
        ("rewrite that in a kinder tone", Level.ASKED),
        ("I'm vegan, would you cook this?", Level.DISCLOSED),
        ("Call me Torquil", Level.DISCLOSED),
        ("Call me at [phone:3f0c9a51d2e4b607]", Level.DISCLOSED),
        ("hmm 12", Level.NOTHING),
        ("nice one", Level.NOTHING),
        ("Nenn mich Tjark", Level.DISCLOSED),
        ("fass das zusammen", Level.ASKED),
        ("come si fa", Level.ASKED),
        ("mia moglie canta", Level.DISCLOSED),
        ("traduz isto", Level.ASKED),
        ("a minha irmã mora em Faro", Level.DISCLOSED),
        ("vertel me een mop", Level.ASKED),
        ("mijn zus woont in Sneek", Level.DISCLOSED),
        ("τι λες", Level.ASKED),
        ("η γυναίκα μου είναι δασκάλα", Level.DISCLOSED),
        ("اكتب قصيدة", Level.ASKED),
        ("زوجتي معلمة", Level.DISCLOSED),
        ("एक चुटकुला सुनाओ", Level.ASKED),
        ("मेरी बहन डॉक्टर है", Level.DISCLOSED),
        ("농담 하나 해줘", Level.ASKED),
        ("우리 언니는 의사예요", Level.DISCLOSED),
        ("再试一次", Level.ASKED),
        ("すぐ戻る", Level.NOTHING),
    ],
)
def test_a_statement_of_oneself_is_told_from_talk(sentence: str, level: Level) -> None:
    assert statement_levels.level(sentence) is level


def test_a_title_names_what_was_asked_for_and_no_chatter() -> None:
    ada = agent()
    talk = ada.conversation(session="s")
    for said in ("hey", "make it 40 words", "plan a trip to Tallinn for two", "lol 7"):
        talk.record(user=said, ai="Sure.")

    assert ada.summary("title", session="s").text == "plan a trip to Tallinn for two"
