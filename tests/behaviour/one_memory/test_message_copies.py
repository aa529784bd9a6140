"""Message copies: whichever form of a message is named, every form of it ends."""

import pytest
from tests import world
from tests.service import serving
from tests.talks import letter

from muniment.engine.api.agent import Agent
from muniment.engine.conversation.conversation import Conversation
from muniment.model.errors import RefusedError

SAID = {
    "English": ("I bury silver under the oak", "I bury silver under the elm", "silver"),
    "German": ("Ich lege Silber unter die Eiche", "Ich lege Silber unter die Ulme", "Silber"),
    "French": ("Je cache l'argent sous le chêne", "Je cache l'argent sous l'orme", "argent"),
    "Russian": ("Я прячу серебро под дубом", "Я прячу серебро под вязом", "серебро"),
    "Greek": ("Κρύβω το ασήμι κάτω από τη βελανιδιά", "Κρύβω το ασήμι κάτω από τη φτελιά", "ασήμι"),
    "Arabic": ("أخبئ الفضة تحت شجرة البلوط", "أخبئ الفضة تحت شجرة الدردار", "الفضة"),
    "Hindi": ("मैं चाँदी बरगद के नीचे छिपाता हूँ", "मैं चाँदी पीपल के नीचे छिपाता हूँ", "चाँदी"),
    "Japanese": ("私は銀を樫の木の下に埋める", "私は銀を楡の木の下に埋める", "銀"),
}  # fmt: skip
FORMS = ("short_term", "semantic")


def talking() -> tuple[Agent, Conversation]:
    ada = world.memory(clock=world.SteppingClock()).agent("ada", user="tuff")
    return ada, ada.conversation(session="s")


def form_of(talk: Conversation, kind: str, text: str) -> str:
    return next(each.id for each in talk.items(kind) if each.text == text)


def heard(ada: Agent, talk: Conversation, asked: str) -> list[str]:
    """What any read of theirs gives for a question."""
    items = [each.text for kind in FORMS for each in talk.items(kind)]
    hits = [each.text for each in ada.recall(asked, limit=50).hits]
    return [*items, *hits, talk.recall(asked).text, ada.context(asked, budget=800).text]


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("language", SAID)
def test_a_conversation_forgets_every_form_of_a_message(language: str, kind: str) -> None:
    text, _, asked = SAID[language]
    ada, talk = talking()
    talk.record(user=text, ai="ok")
    named = next((each.id for each in talk.items(kind) if each.text == text), "")
    if not named:  # this language's sentence is kept as a message alone
        named = form_of(talk, "short_term", text)

    gone = talk.forget(named)

    assert named in {each.item_id for each in gone.deleted}
    assert not any(text in each for each in heard(ada, talk, asked))


@pytest.mark.parametrize("kind", FORMS)
def test_a_correction_takes_the_place_of_every_form(kind: str) -> None:
    text, other, asked = SAID["English"]
    ada, talk = talking()
    talk.record(user=text, ai="ok")

    told = talk.correct(form_of(talk, kind, text), other)

    assert {each.item_id.split(":")[2] for each in told.deleted} == {*FORMS}
    assert not any(text in each for each in heard(ada, talk, asked))
    assert any(other in each for each in heard(ada, talk, asked))


def test_what_was_promoted_later_goes_with_its_message() -> None:
    clock = world.SteppingClock()
    ada = world.memory(clock=clock).agent("ada", user="tuff")
    talk = ada.conversation(session="s")
    talk.record(user="I decided to keep the silver in the shed")
    text = "I decided to keep the silver in the shed"
    clock.later(days=3)
    talk.promote(form_of(talk, "semantic", text), "user")
    (copy,) = talk.items("semantic", "user")

    talk.forget(copy.id)

    assert not any(text in each for each in heard(ada, talk, "silver"))


def test_the_message_takes_its_promoted_copy_along() -> None:
    clock = world.SteppingClock()
    ada = world.memory(clock=clock).agent("ada", user="tuff")
    talk = ada.conversation(session="s")
    text = "I decided to keep the silver in the shed"
    talk.record(user=text)
    clock.later(days=3)
    talk.promote(form_of(talk, "semantic", text), "user")

    ada.forget(form_of(talk, "short_term", text))

    assert not any(text in each for each in heard(ada, talk, "silver"))


def test_the_same_words_of_another_day_stay() -> None:
    """A look-alike is another message, whoever said it."""
    clock = world.SteppingClock()
    ada = world.memory(clock=clock).agent("ada", user="tuff")
    talk = ada.conversation(session="s")
    text = SAID["English"][0]
    ada.conversation(session="before").record(user=text)
    clock.later(days=3)
    talk.record(user=text)

    talk.forget(form_of(talk, "short_term", text))

    assert [each.text for each in ada.recall("silver").hits] == [text]


def test_refused_words_end_no_form() -> None:
    ada, talk = talking()
    text = SAID["English"][0]
    talk.record(user=text)

    talk.correct(form_of(talk, "short_term", text), "my password is hunter2hunter2")

    assert [each.text for each in ada.recall("silver").hits] == [text]


def test_by_the_letter_one_item_leaves_and_no_other() -> None:
    talk = world.memory(letter()).agent("ada", user="tuff").conversation(session="s")
    talk.record(user="I prefer tea")

    gone = talk.forget(form_of(talk, "semantic", "I prefer tea")).deleted

    assert len(gone) == 1
    assert form_of(talk, "short_term", "I prefer tea")


def test_what_a_conversation_forgot_is_brought_back_by_its_undo() -> None:
    ada, talk = talking()
    text = SAID["English"][0]
    talk.record(user=text)

    talk.undo(talk.forget(form_of(talk, "semantic", text)).seq)

    assert [each.text for each in ada.recall("silver").hits] == [text]


def test_an_unknown_item_of_a_shared_space_is_put_right_nowhere() -> None:
    """The other words would be a message that nobody said."""
    ada, talk = talking()
    talk.record(user="I prefer tea", space="user")

    with pytest.raises(RefusedError, match="item_unknown"):
        talk.correct("user:tuff:semantic:99", "I prefer milk")

    assert "milk" not in " ".join(heard(ada, talk, "milk"))


@pytest.mark.parametrize("verb", ["forget", "correct"])
def test_the_http_routes_of_a_conversation_end_every_form(verb: str) -> None:
    text, other, _ = SAID["English"]
    with serving() as service:
        ada = service.user(user="tuff")
        ada.post("/v1/conversation/record", {"session": "s", "user": text})
        items = ada.get("/v1/conversation/items", session="s", kind="short_term")
        named = next(each["id"] for each in items if each["text"] == text)
        body = {"session": "s", "item_id": named} | ({"text": other} if verb == "correct" else {})

        first = ada.post(f"/v1/conversation/{verb}", body, retry="once")
        again = ada.post(f"/v1/conversation/{verb}", body, retry="once")

        hits = ada.post("/v1/recall", {"query": "Where is the silver?"})["hits"]
    assert first == again
    assert len(first["deleted"]) == len(FORMS)
    assert [each["text"] for each in hits] == ([other] if verb == "correct" else [])
