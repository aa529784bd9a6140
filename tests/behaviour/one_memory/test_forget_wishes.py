"""Forget wishes: who asks that what they told be forgotten is told it no more, in any language."""

from pathlib import Path

import pytest
from tests import world
from tests.talks import OPEN_SPACES
from tests.terminal import Shell

from muniment import Agent
from muniment.model.events import ItemForgotten
from muniment.model.policy import Policy

ENGLISH, GERMAN, FRENCH = (
    "I collect barometers",
    "Ich sammle Barometer",
    "Je collectionne des baromètres",
)
SPANISH, ITALIAN, PORTUGUESE = (
    "Colecciono barómetros",
    "Colleziono barometri",
    "Eu coleciono barômetros",
)
DUTCH, RUSSIAN, GREEK = "Ik verzamel barometers", "Я собираю барометры", "Συλλέγω βαρόμετρα"
ARABIC, HINDI = "أجمع البارومترات", "मैं बैरोमीटर इकट्ठा करता हूँ"
CHINESE, JAPANESE, KOREAN = "我收集气压计", "私は気圧計を集めています", "나는 기압계를 모아요"
WISHED = (
    (ENGLISH, "Forget that I collect barometers"),
    (ENGLISH, "Please forget what I said about barometers"),
    (ENGLISH, "Scratch what I told you about the barometers."),
    (ENGLISH, "You can delete that I collect barometers."),
    (GERMAN, "Vergiss, dass ich Barometer sammle"),
    (GERMAN, "Bitte vergiss, was ich über Barometer gesagt habe"),
    (FRENCH, "Oublie que je collectionne des baromètres"),
    (FRENCH, "Oublie ce que je t'ai dit sur les baromètres"),
    (SPANISH, "Olvida que colecciono barómetros"),
    (SPANISH, "Por favor, olvida lo que te dije sobre los barómetros"),
    (ITALIAN, "Dimentica che colleziono barometri"),
    (ITALIAN, "Dimentica quello che ti ho detto sui barometri"),
    (PORTUGUESE, "Esquece que coleciono barômetros"),
    (PORTUGUESE, "Esqueça o que eu disse sobre barômetros"),
    (DUTCH, "Vergeet dat ik barometers verzamel"),
    (DUTCH, "Vergeet wat ik over barometers heb gezegd"),
    (RUSSIAN, "Забудь, что я собираю барометры"),
    (RUSSIAN, "Пожалуйста, забудь то, что я сказала про барометры"),
    (GREEK, "Ξέχνα ότι συλλέγω βαρόμετρα"),
    (GREEK, "Ξέχνα ό,τι είπα για τα βαρόμετρα"),
    (ARABIC, "انس أنني أجمع البارومترات"),
    (ARABIC, "انس ما قلته عن البارومترات"),
    (HINDI, "भूल जाओ कि मैं बैरोमीटर इकट्ठा करता हूँ"),
    (HINDI, "बैरोमीटर के बारे में मैंने जो कहा, उसे भूल जाओ"),
    (CHINESE, "请忘记我收集气压计"),
    (CHINESE, "忘记我收集气压计"),
    (CHINESE, "请忘掉我说过的关于气压计的事"),
    (JAPANESE, "私が気圧計を集めていることは忘れてください"),
    (JAPANESE, "気圧計について言ったことは忘れて"),
    (KOREAN, "내가 기압계를 모은다는 것은 잊어줘"),
    (KOREAN, "기압계에 대해 말한 것은 잊어 주세요"),
)
# What asks for nothing, or not for this: the statement, and what is said then.
NOT_WISHED = (
    (ENGLISH, "Don't forget that I collect barometers"),
    (ENGLISH, "Did you forget that I collect barometers?"),
    (ENGLISH, "Can you forget that I collect barometers?"),
    (ENGLISH, 'The page says "forget that I collect barometers"'),
    (ENGLISH, '"Forget that I collect barometers"'),
    (ENGLISH, "My aunt says forget that I collect barometers"),
    (ENGLISH, "Forget that I collect stamps"),
    (ENGLISH, "Forget that I collect barometers, I sell them"),
    (ENGLISH, "Forget what I said about it"),
    (ENGLISH, "Scratch that"),
    ("I don't collect barometers", "Forget that I collect barometers"),
    ("She collects barometers", "Forget that I collect barometers"),
    ("My sister collects barometers", "Forget that I collect barometers"),
    ("I collect barometers and clocks", "Forget that I collect barometers"),
    (GERMAN, "Vergiss nicht, dass ich Barometer sammle"),
    ("Ich sammle keine Barometer", "Vergiss, dass ich Barometer sammle"),
    (FRENCH, "N'oublie pas que je collectionne des baromètres"),
    (SPANISH, "No olvides que colecciono barómetros"),
    (ITALIAN, "Non dimenticare che colleziono barometri"),
    (PORTUGUESE, "Não esqueças que coleciono barômetros"),
    (DUTCH, "Vergeet niet dat ik barometers verzamel"),
    (RUSSIAN, "Не забудь, что я собираю барометры"),
    (GREEK, "Μην ξεχνάς ότι συλλέγω βαρόμετρα"),
    (ARABIC, "لا تنس أنني أجمع البارومترات"),
    (HINDI, "मत भूलो कि मैं बैरोमीटर इकट्ठा करता हूँ"),
    (CHINESE, "别忘了我收集气压计"),
    (CHINESE, "我忘了我收集气压计"),
    (CHINESE, "我忘记我收集气压计"),
    (CHINESE, "忘了我收集气压计"),
    (CHINESE, "忘记我收集气压计了"),
    (JAPANESE, "私が気圧計を集めていることを忘れないで"),
    ("私は気圧計を集めていません", "私が気圧計を集めていることは忘れて"),
    (KOREAN, "내가 기압계를 모은다는 것을 잊지 마"),
)
BESIDE = "My sister lives in Bern"


def remembered(ada: Agent) -> list[str]:
    return [each.text for each in ada.records(limit=100).records if each.layer == "episodic"]


def recorded(ada: Agent) -> set[str]:
    talk = ada.conversation(session="s")
    return {each.text for kind in ("semantic", "short_term") for each in talk.items(kind)}


@pytest.mark.parametrize(("told", "wish"), WISHED)
def test_a_sentence_that_somebody_asks_to_forget_is_remembered_no_more(
    told: str, wish: str
) -> None:
    ada = world.memory().agent("ada", user="tuff")
    ada.remember(told)
    ada.remember(BESIDE)

    ada.remember(wish)

    assert {*remembered(ada)} == {BESIDE, wish}


@pytest.mark.parametrize(("told", "wish"), WISHED)
def test_what_was_said_in_a_talk_leaves_it_when_somebody_asks_to_forget_it(
    told: str, wish: str
) -> None:
    ada = world.memory().agent("ada", user="tuff")
    talk = ada.conversation(session="s")
    talk.record(user=told)
    talk.record(user=BESIDE)

    talk.record(user=wish)

    assert recorded(ada) == {BESIDE, wish}


@pytest.mark.parametrize(("told", "said"), NOT_WISHED)
def test_what_asks_for_nothing_or_not_for_this_leaves_it(told: str, said: str) -> None:
    of = world.memory()
    ada = of.agent("ada", user="tuff")
    ada.remember(told)
    ada.conversation(session="s").record(user=told)

    ada.remember(said)
    ada.conversation(session="s").record(user=said)

    assert {told, said} <= {*remembered(ada)}
    assert told in recorded(ada)
    assert not [each for each in world.events(of) if isinstance(each, ItemForgotten)]


def test_nobody_but_the_person_who_told_it_makes_it_forgotten() -> None:
    of = world.memory()
    ada, mia = (of.agent("ada", user=each) for each in ("tuff", "mia"))
    talk = ada.conversation(session="s")
    ada.remember(ENGLISH)
    talk.record(user=ENGLISH)
    wish = "Forget that I collect barometers"

    mia.remember(wish)
    for origin in ("agent", "tool", "external"):
        ada.remember(wish, origin=origin, source="page")
    ada.remember(wish, speaker="Bob")
    ada.remember(wish, source="chat.txt")
    talk.record(ai=wish)
    talk.record(tools=[wish])

    assert ENGLISH in remembered(ada)
    assert ENGLISH in recorded(ada)


def test_what_others_said_and_what_an_agent_noted_is_not_the_persons_to_forget_so() -> None:
    ada = world.memory().agent("ada", user="tuff")
    ada.remember(ENGLISH, origin="agent")
    ada.remember(f"{ENGLISH}.", speaker="Bob")

    ada.remember("Forget that I collect barometers")

    assert {ENGLISH, f"{ENGLISH}."} <= {*remembered(ada)}


def test_where_several_are_about_it_none_is_meant_clearly() -> None:
    ada = world.memory().agent("ada", user="tuff")
    told = (ENGLISH, "My oldest barometer is from Leeds")
    for each in told:
        ada.remember(each)

    ada.remember("Forget what I said about barometers")

    assert {*told} <= {*remembered(ada)}


def test_what_was_forgotten_on_a_wish_is_restored_as_one_change() -> None:
    of = world.memory()
    ada = of.agent("ada", user="tuff")
    ada.remember(ENGLISH)
    before = ada.remember(f"{ENGLISH}!")
    wish = ada.remember("Forget that I collect barometers")
    assert {*remembered(ada)} == {"Forget that I collect barometers"}

    assert ada.restore(first=before.seq + 1, last=wish.seq) == 2

    assert {ENGLISH, f"{ENGLISH}!"} <= {*remembered(ada)}
    assert of.prove()


def test_what_left_a_talk_on_a_wish_is_undone_as_one_change() -> None:
    of = world.memory()
    ada = of.agent("ada", user="tuff")
    talk = ada.conversation(session="s")
    talk.record(user=ENGLISH)
    told = talk.record(user="Forget that I collect barometers")
    assert {each.reason for each in told.deleted} == {"retracted"}

    talk.undo(told.seq)

    assert ENGLISH in recorded(ada)
    assert of.prove()


def test_what_left_the_window_is_forgotten_on_a_wish_too() -> None:
    ada = world.memory().agent("ada", user="tuff")
    talk = ada.conversation(session="s")
    talk.record(user=ENGLISH)
    for n in range(30):
        talk.record(user=f"The tram was {n} minutes late")

    talk.record(user="Forget that I collect barometers")

    (summary,) = [each for each in talk.items("short_term") if each.meta.summary_of]
    assert "barometer" not in summary.text
    assert ENGLISH not in [hit.text for hit in ada.recall("What do I collect?").hits]


@pytest.mark.parametrize(("space", "stays"), [("user", False), ("project", True)])
def test_in_a_space_of_ones_own_it_leaves_and_in_a_shared_one_it_stays(
    space: str,
    stays: bool,  # noqa: FBT001 - a column of the table
) -> None:
    ada = world.memory(Policy(spaces=OPEN_SPACES)).agent("ada", user="tuff")
    talk = ada.conversation(session="s", project="apollo")
    talk.record(user=ENGLISH, space=space)

    talk.record(user="Forget that I collect barometers", space=space)

    assert (ENGLISH in [each.text for each in talk.items("semantic", space)]) is stays


def told_of(ada: Agent, question: str) -> str:
    """All that memory answers somebody with."""
    talk = ada.conversation(session="s")
    hits = ada.recall(question, limit=20).hits
    found = [hit.text for hit in hits] + [each.text for each in talk.recall(question).items]
    return "\n".join([*found, ada.context(question).text, ada.summary().text])


@pytest.mark.parametrize(("told", "wish"), WISHED)
def test_a_wish_that_was_carried_out_is_kept_and_answers_nothing(told: str, wish: str) -> None:
    of = world.memory()
    ada = of.agent("ada", user="tuff")
    ada.remember(told)
    kept = ada.remember(wish)
    ada.conversation(session="s").record(user=told)
    ada.conversation(session="s").record(user=wish)

    assert all(
        words not in told_of(ada, question)
        for words in (told, wish)
        for question in (told, wish, "")
    )

    assert wish in remembered(ada)
    assert ada.get(kept.episodic_id).text == wish
    assert wish in recorded(ada)
    assert ada.why_not(kept.episodic_id, told).stage == "wish_to_forget"
    assert of.prove()


@pytest.mark.parametrize(
    ("told", "wish"),
    [
        (ENGLISH, "Forget that I collect stamps"),
        (ENGLISH, "Forget what I said about it"),
        ("Mein Hund heißt Bello", "Vergiss, dass ich Schach spiele"),
        ("Vivo en Cádiz", "Olvida que toco el arpa"),
        ("私は札幌に住んでいます", "私が切手を集めていることは忘れてください"),
        ("我住在北京", "请忘记我收集邮票"),
    ],
)
def test_a_wish_that_nothing_came_of_is_kept_and_answers_nothing_either(
    told: str, wish: str
) -> None:
    of = world.memory()
    ada = of.agent("ada", user="tuff")
    ada.remember(told)
    kept = ada.remember(wish)
    ada.remember_many([f"{wish}."])
    ada.conversation(session="s").record(user=wish)
    ada.memorize({"type": "fact", "text": wish, "source": "user"})
    phone = ada.thread("phone")
    phone.turn(wish)
    with ada.do(wish):
        pass

    assert all(wish not in told_of(ada, question) for question in (told, wish, ""))
    assert wish not in phone.context()
    assert wish in remembered(ada)
    assert wish in recorded(ada)
    assert ada.why_not(kept.episodic_id, wish).stage == "wish_to_forget"
    assert of.prove()


def test_what_somebody_else_asks_to_forget_is_a_sentence_like_any_other() -> None:
    ada = world.memory().agent("ada", user="tuff")
    ada.remember("She said: forget that I collect barometers")
    ada.remember("Don't forget that I collect stamps")

    assert "collect barometers" in told_of(ada, "Who collects barometers?")
    assert "collect stamps" in told_of(ada, "What do I collect?")


def test_what_is_told_beside_a_wish_in_one_sentence_is_still_known() -> None:
    ada = world.memory().agent("ada", user="tuff")
    ada.remember("Forget that I collect barometers, I collect clocks now")

    assert "clocks" in told_of(ada, "What do I collect?")


def test_what_else_is_said_beside_a_wish_is_still_known() -> None:
    ada = world.memory().agent("ada", user="tuff")
    ada.remember(ENGLISH)
    ada.remember("Forget that I collect barometers. I moved to Porto.")

    assert "Porto" in told_of(ada, "Where do I live?")


def test_no_summary_of_a_talk_quotes_a_wish_that_was_carried_out() -> None:
    ada = world.memory().agent("ada", user="tuff")
    talk = ada.conversation(session="s")
    talk.record(user=ENGLISH)
    talk.record(user="Forget that I collect barometers")
    for n in range(30):
        talk.record(user=f"The tram was {n} minutes late")

    assert "barometer" not in told_of(ada, "What do I collect?")
    assert "barometer" not in ada.summary("conversation", session="s").text


def test_a_wish_in_a_space_of_ones_own_answers_nothing_either() -> None:
    ada = world.memory(Policy(spaces=OPEN_SPACES)).agent("ada", user="tuff")
    ada.conversation(session="before").record(user=ENGLISH, space="user")
    talk = ada.conversation(session="s")

    talk.record(user="Forget that I collect barometers", space="user")

    assert "Forget that I collect barometers" not in told_of(ada, "What do I collect?")
    kept = [each.text for each in talk.items("semantic", "user")]
    assert kept == ["Forget that I collect barometers"]


# ── Who wished it is told what came of it ───────────────────────────────────────────────────────


def test_who_asks_to_forget_is_told_what_is_forgotten(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "m"), "--user", "tuff")
    told = shell.document("remember", ENGLISH)

    asked = shell("remember", "Forget that I collect barometers").output

    assert "Forgotten: I collect barometers" in asked
    assert told["ended"] == []


def test_who_asks_to_forget_what_was_never_told_is_told_so(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "m"), "--user", "tuff")
    shell("remember", "I live in Mannheim")

    asked = shell("remember", "Forget that I collect barometers").output
    other = shell("remember", "I collect stamps").output

    assert "Nothing was found that this clearly means" in asked
    assert "Forgotten" not in asked
    assert "Nothing was found" not in other


def test_a_program_is_told_by_id_what_a_wish_ended() -> None:
    ada = world.memory().agent("ada", user="tuff")
    told = ada.remember(ENGLISH)

    asked = ada.remember("Forget that I collect barometers")
    again = ada.remember("Forget that I collect barometers")

    assert asked.ended == (told.episodic_id,)
    assert again.ended == ()


def test_of_two_things_that_one_sentence_each_asks_to_forget_both_are_told(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "m"), "--user", "tuff")
    shell("remember", "I own a red canoe")
    shell("remember", ENGLISH)

    asked = shell("remember", "Forget that I own a red canoe. Forget that I collect barometers.")
    recalled = shell("recall", "What do I own?").output

    assert asked.exit_code == 0
    assert "Forgotten: I own a red canoe" in asked.output
    assert "Forgotten: I collect barometers" in asked.output
    assert "among 0 memories" in recalled
