"""Changes by id, one by one: what each verb answers, refuses, takes along and leaves."""

from collections.abc import Callable
from functools import cache

import pytest
from tests import given_ids, world
from tests.behaviour.learning.test_extraction import LISBON, opened
from tests.behaviour.one_memory.test_named_records import MARCH
from tests.scripted_model import Asked, scripted, texts_of
from tests.scripted_model import facts as extracted
from tests.world import events, types

from muniment.engine.api import record_changes
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.api.remember import Remembered
from muniment.model import ids
from muniment.model.commands import AnyCommand, Correct, Remember
from muniment.model.commands.documents import PutDocument
from muniment.model.errors import RefusedError
from muniment.model.events import ItemForgotten, Received
from muniment.model.events.memos import MemosForgotten
from muniment.model.events.recalls import ItemReleased

ORDER = "order 7 of the court"
LIMITED = {
    "governed fact": "fact_is_governed",
    "skill": "rests_on_others",
    "entity": "rests_on_others",
    "goal": "at_hand_only",
    "working entry": "at_hand_only",
    "receipt": "not_a_record",
    "consent": "not_a_record",
}
VERBS: dict[str, Callable[[Agent, str], object]] = {
    "forget": lambda ada, name: ada.forget(name),
    "correct": lambda ada, name: ada.correct(name, "other words"),
    "restore": lambda ada, name: ada.restore(name),
    "vouch": lambda ada, name: ada.vouch(name),
}


@cache
def lived() -> tuple[Agent, dict[str, str]]:
    """Something of every kind; what is refused changes none of it."""
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    return ada, given_ids.live(memory, ada)


def agent() -> tuple[Memory, Agent]:
    memory = world.memory(clock=world.SteppingClock())
    return memory, memory.agent("ada", user="tuff")


def refusal(of: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(RefusedError) as told:
        of()
    return told.value.reason, told.value.detail


def reasons(memory: Memory) -> dict[str, str]:
    """Why each record ended, whatever kind it is."""
    ends: dict[str, str] = {}
    for each in events(memory):
        if isinstance(each, ItemForgotten):
            ends[each.item_id] = each.reason
        if isinstance(each, MemosForgotten):
            ends |= dict.fromkeys(each.memo_ids, each.reason)
    return ends


def looped(memory: Memory, ada: Agent) -> tuple[str, tuple[str, ...]]:
    with ada.do("Find the purple box for me") as loop:
        loop.answer("the purple box is on the shelf")
    memory.subconscious("ada").dream()
    (found,) = memory.actor_view("ada").loops()
    return found.loop_id, found.mirror_ids


# ── What is no record ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("kind", LIMITED)
def test_what_is_no_record_is_refused_by_every_verb_with_its_code(verb: str, kind: str) -> None:
    ada, found = lived()
    if (verb, kind) == ("correct", "governed fact"):
        return  # its change is asked for: see below

    reason, _ = refusal(lambda: VERBS[verb](ada, found[kind]))

    assert reason == LIMITED[kind]


@pytest.mark.parametrize("kind", ["loop", "thread"])
def test_one_of_several_records_is_corrected_at_a_time(kind: str) -> None:
    ada, found = lived()

    assert refusal(lambda: ada.correct(found[kind], "x"))[0] == "names_several"


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    "name",
    ["session:monday:short_term:99", '["user_tuff",["notes"],"q"]', '["user_eve",["notes"],"p"]'],
)
def test_what_is_not_there_is_unknown_to_every_verb(verb: str, name: str) -> None:
    ada, _ = lived()

    assert refusal(lambda: VERBS[verb](ada, name))[0] in {"item_unknown", "item_is_there"}


# ── Several ─────────────────────────────────────────────────────────────────────────────────────


def test_a_loop_goes_and_comes_back_whole_and_says_how_many_records_it_was() -> None:
    memory, ada = agent()
    loop, mirrors = looped(memory, ada)

    seq = ada.forget(loop, reason="why")
    again = refusal(lambda: ada.forget(loop))
    back = ada.restore(loop)

    assert ada.seq >= seq > 0
    assert again[0] == "item_unknown"
    assert back == len(mirrors) > 1
    assert refusal(lambda: ada.restore(loop))[0] == "item_is_there"


def test_of_several_some_may_be_gone_already_and_the_others_go() -> None:
    memory, ada = agent()
    loop, mirrors = looped(memory, ada)
    ada.forget(mirrors[0])

    assert ada.forget(loop) > 0
    assert ada.restore(mirrors[0]) == 1
    assert ada.restore(loop) == len(mirrors) - 1


def test_of_several_of_which_one_is_held_the_hold_is_told() -> None:
    memory, ada = agent()
    loop, _ = looped(memory, ada)
    held = memory.admin().place_hold(user="tuff", reason=ORDER)

    assert refusal(lambda: ada.forget(loop)) == ("held", f"{held} (until it is lifted)")


def test_a_thread_is_vouched_for_record_by_record() -> None:
    memory, ada = agent()
    chat = ada.thread("mail", explicit=True)
    turns = [chat.turn(f"the purple {what}").memo_ids[0] for what in ("boat", "mast")]
    thread = ada.threads()[0].thread_id

    seq = ada.vouch(thread, reason="I saw it")

    released = [each for each in events(memory) if isinstance(each, ItemReleased)]
    assert [each.item_id for each in released] == turns
    assert {each.reason for each in released} == {"I saw it"}
    assert seq <= ada.seq


# ── An episode ──────────────────────────────────────────────────────────────────────────────────


def test_an_episode_that_is_held_is_not_put_right_and_the_hold_is_told() -> None:
    memory, ada = agent()
    told = ada.remember("The boat is blue")
    held = memory.admin().place_hold(user="tuff", reason=ORDER)

    assert refusal(lambda: ada.correct(told.episodic_id, "green")) == (
        "held",
        f"{held} (until it is lifted)",
    )
    assert refusal(lambda: ada.forget(told.episodic_id)) == ("held", f"{held} (until it is lifted)")


def test_other_words_that_are_refused_leave_the_old_ones_and_say_why() -> None:
    _, ada = agent()
    told = ada.remember("The boat is blue")

    refused = ada.correct(told.episodic_id, "ghp_" + "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zaB3dE5gH")

    assert (refused.stored, refused.reason) == (False, "privacy_deny_sensitive")
    assert [hit.text for hit in ada.recall("boat").hits] == ["The boat is blue"]


def test_a_memo_comes_back_as_a_memo_and_an_episode_as_an_episode() -> None:
    memory, ada = agent()
    with ada.job("a job") as job:
        memo = job.memorize({"type": "fact", "text": "The vase is here", "source": "user"}).ids[0]
    told = ada.remember("The boat is blue").episodic_id

    for each, there in ((memo, "memo_is_there"), (told, "item_is_there")):
        ada.forget(each)
        assert ada.restore(each) == 1
        with pytest.raises(RefusedError, match=there):
            ada.restore(each)

    assert {hit.text for hit in ada.recall("vase boat").hits} == {
        "The vase is here",
        "The boat is blue",
    }
    assert memory.prove()


# ── What rests on a record ──────────────────────────────────────────────────────────────────────


def learnt() -> tuple[Memory, Agent, str, str]:
    """An episode of which a model extracted two facts, and another one of which it did not."""

    def script(asked: Asked) -> str:
        source = {"source": texts_of(asked)[0]["id"]}
        return extracted(source | LISBON, source | MARCH)

    with scripted(script) as model:
        memory = opened(model)
        ada = memory.agent("ada", user="tuff")
        told = ada.remember("I moved to Lisbon in March").episodic_id
        ada.extract_facts()
    other = ada.remember("I teach physics").episodic_id
    return memory, ada, told, other


def test_facts_that_were_read_out_of_words_go_with_them_for_the_same_reason() -> None:
    memory, ada, told, other = learnt()
    names = [each.id for each in ada.extracted_facts()]

    ada.forget(other, reason="other")
    assert len(ada.extracted_facts()) == len(names) == 2
    ada.forget(told, reason="why")

    assert ada.extracted_facts() == []
    assert reasons(memory) == {other: "other", told: "why"} | dict.fromkeys(names, "why")


def test_facts_that_were_read_out_of_words_go_where_the_words_are_put_right() -> None:
    memory, ada, told, _ = learnt()
    names = [each.id for each in ada.extracted_facts()]

    new = ada.correct(told, "I moved to Porto")

    assert ada.extracted_facts() == []
    why = f"corrected by {new.episodic_id}"
    assert {name: reasons(memory).get(name) for name in names} == dict.fromkeys(names, why)


def test_a_correction_that_is_refused_leaves_the_facts_that_were_read_out_of_the_words() -> None:
    _, ada, told, _ = learnt()

    refused = ada.correct(told, "ghp_" + "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zaB3dE5gH")

    assert not refused.stored
    assert len(ada.extracted_facts()) == 2


def test_facts_wait_with_the_words_that_are_held_and_go_with_them() -> None:
    memory, ada, told, _ = learnt()
    held = memory.admin().place_hold(user="tuff", reason=ORDER)

    assert refusal(lambda: ada.forget(told, reason="why"))[0] == "held"
    assert len(ada.extracted_facts()) == 2
    memory.admin().lift_hold(held)

    ada = memory.agent("ada", user="tuff")
    assert ada.extracted_facts() == []
    assert not [hit for hit in ada.recall("Lisbon").hits if "Lisbon" in hit.text]


def test_what_is_not_there_takes_nothing_along() -> None:
    _, ada, told, _ = learnt()
    ada.forget(told)
    before = ada.seq

    assert refusal(lambda: ada.forget(told)) == ("item_unknown", told)
    assert ada.extracted_facts() == []
    assert ada.seq > before, "the refusal is logged"


# ── An item of a conversation ───────────────────────────────────────────────────────────────────


def shared(ada: Agent, text: str = "Remember for me that the lamp is in the cellar") -> list[str]:
    """What is kept of one utterance: in the session, and in the person's own space."""
    talk = ada.conversation(session="monday")
    talk.record(user=text)
    return [talk.items("short_term")[-1].id, talk.items("semantic", "user")[-1].id]


@pytest.mark.parametrize("n", [0, 1])
def test_what_was_kept_of_one_utterance_goes_together_whichever_is_named(n: int) -> None:
    _, ada = agent()
    names = shared(ada)

    ada.forget(names[n])

    talk = ada.conversation(session="monday")
    assert talk.items("semantic", "user") == []
    assert not [hit for hit in ada.recall("lamp cellar").hits if "lamp" in hit.text]


def test_what_was_said_again_later_is_another_utterance() -> None:
    clock = world.StillClock(ids.time_ms("2026-03-01T10:00:00.000Z"))
    ada = world.memory(clock=clock).agent("ada", user="tuff")
    first = ada.conversation(session="one")
    first.record(user="The lamp is in the cellar")
    clock.later(minutes=1)
    second = ada.conversation(session="two")
    second.record(user="The lamp is in the cellar")

    ada.forget(first.items("short_term")[0].id)

    assert [each.text for each in second.items("short_term")] == ["The lamp is in the cellar"]


def test_a_corrected_message_is_told_as_an_item_and_its_twin_goes() -> None:
    _, ada = agent()
    names = shared(ada)

    told = ada.correct(names[0], "The lamp is in the attic")

    assert told.stored
    assert (told.text, told.reason, told.echo_of) == ("The lamp is in the attic", "", "")
    assert (told.redacted, told.question, told.hash) == ((), None, "")
    assert told.episodic_id not in names
    assert told.seq > 0
    texts = {hit.text for hit in ada.recall("lamp").hits}
    assert texts
    assert all("cellar" not in each for each in texts)


def test_twins_wait_with_an_item_that_is_held_and_go_with_it() -> None:
    memory, ada = agent()
    names = shared(ada)
    held = memory.admin().place_hold(user="tuff", reason=ORDER)

    assert refusal(lambda: ada.forget(names[0]))[0] == "held"
    memory.admin().lift_hold(held)

    ada = memory.agent("ada", user="tuff")
    assert ada.conversation(session="monday").items("semantic", "user") == []


def test_an_item_that_was_forgotten_comes_back() -> None:
    _, ada = agent()
    ada.conversation(session="monday").record(user="The lamp is in the cellar")
    name = ada.conversation(session="monday").items("short_term")[0].id
    ada.forget(name)

    assert ada.restore(name) == 1
    (back,) = ada.conversation(session="monday").items("short_term")
    assert back.text == "The lamp is in the cellar"


def test_refused_words_for_an_item_say_why() -> None:
    _, ada = agent()
    names = shared(ada)

    refused = ada.correct(names[0], "ghp_" + "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zaB3dE5gH")

    assert (refused.stored, refused.episodic_id, refused.text) == (False, "", "")
    assert refused.reason


def test_an_item_that_is_gone_is_not_put_right() -> None:
    _, ada = agent()
    ada.conversation(session="monday").record(user="The lamp is in the cellar")
    name = ada.conversation(session="monday").items("short_term")[0].id
    ada.forget(name)

    assert refusal(lambda: ada.correct(name, "attic")) == ("item_unknown", name)


def test_a_person_vouches_for_an_item_and_an_agent_without_one_does_not() -> None:
    memory, ada = agent()
    names = shared(ada)

    assert all(ada.vouch(each, reason="mine") > 0 for each in names)

    assert types(memory).count("memory_released") >= 1
    alone = memory.agent("ada")
    note = alone.remember("The pier is closed", origin="external").episodic_id
    with pytest.raises(RefusedError):
        alone.vouch(note)


# ── A document ──────────────────────────────────────────────────────────────────────────────────


def put(ada: Agent, value: object) -> str:
    ada.documents().put(["notes"], "p", value)
    return '["user_tuff",["notes"],"p"]'


def test_other_words_take_the_place_of_a_documents_longest_text_wherever_it_stands() -> None:
    _, ada = agent()
    longest = "The sofa is old and green"
    name = put(ada, {"a": "short", "n": 7, "deep": [{"t": longest}, longest], "t": (longest,)})

    told = ada.correct(name, "The sofa is new")

    found = ada.documents().get(["notes"], "p")
    assert found is not None
    new = "The sofa is new"
    assert found.value == {"a": "short", "n": 7, "deep": [{"t": new}, new], "t": [new]}
    assert told == Remembered(
        stored=True,
        episodic_id=name,
        text=new,
        reason="",
        echo_of="",
        redacted=(),
        question=None,
        seq=ada.seq,
        hash="",
    )


def test_a_document_without_words_becomes_the_words() -> None:
    _, ada = agent()
    name = put(ada, {"n": 7})

    ada.correct(name, "The sofa is new")

    found = ada.documents().get(["notes"], "p")
    assert found is not None
    assert found.value == "The sofa is new"


def test_a_document_is_forgotten_and_comes_back_as_it_was_last() -> None:
    _, ada = agent()
    put(ada, {"text": "The sofa is old"})
    name = put(ada, {"text": "The sofa is new"})

    assert refusal(lambda: ada.restore(name)) == ("item_is_there", name)
    assert ada.forget(name) == ada.seq
    assert ada.documents().get(["notes"], "p") is None
    assert refusal(lambda: ada.correct(name, "x")) == ("item_unknown", name)
    assert refusal(lambda: ada.forget(name)) == ("item_unknown", name)
    assert ada.restore(name) == 1
    found = ada.documents().get(["notes"], "p")
    assert found is not None
    assert found.value == {"text": "The sofa is new"}


def test_a_document_of_somebody_else_is_unknown_where_ones_own_lies_at_the_same_place() -> None:
    memory, ada = agent()
    put(ada, {"text": "The sofa is old"})
    memory.agent("ada", user="eve").documents().put(["notes"], "p", {"text": "The bed is new"})
    name = '["user_eve",["notes"],"p"]'

    assert refusal(lambda: ada.correct(name, "x")) == ("item_unknown", name)
    assert refusal(lambda: ada.forget(name)) == ("item_unknown", name)
    ada.forget('["user_tuff",["notes"],"p"]')
    assert refusal(lambda: ada.restore(name)) == ("item_unknown", name)


# ── A governed fact ─────────────────────────────────────────────────────────────────────────────

KEY = "user/profile/user_tuff/color"


def test_other_words_for_a_fact_that_is_asked_about_answer_the_question() -> None:
    _, ada = agent()
    key = "user/profile/user_tuff/favorite_color"
    ada.sem_put(key, "purple")

    told = ada.correct(key, "Remember my favourite colour is green")

    assert told.question is None
    assert ada.questions() == []
    assert told.request_id in {each.request_id for each in ada.requests()}
    assert len(ada.requests()) == 1


def test_other_words_for_a_governed_fact_are_kept_and_its_change_is_asked_for() -> None:
    _, ada = agent()
    ada.sem_put(KEY, "purple")

    told = ada.correct(KEY, "a kind of orange")

    (request,) = ada.requests()
    assert (request.request_id, request.key, request.value) == (
        told.request_id,
        KEY,
        "a kind of orange",
    )
    assert request.justification == "its person put it right"
    assert (told.stored, told.text, told.question) == (True, "a kind of orange", None)
    assert ada.sem_get(KEY).value == "purple"
    assert ada.episode(told.episodic_id).summary == "a kind of orange"


def test_a_value_that_the_words_state_is_the_value_that_is_asked_for() -> None:
    _, ada = agent()
    key = "user/profile/user_tuff/name"
    ada.sem_put(key, "Bea")

    told = ada.correct(key, "My name is Carl")

    (request,) = ada.requests()
    assert (request.request_id, request.value) == (told.request_id, "Carl")
    assert told.question is None
    assert ada.questions() == []


# ── Values ──────────────────────────────────────────────────────────────────────────────────────


def test_only_what_says_these_words_alone_is_replaced() -> None:
    value = {"old": "old", "a": ["old", "older", 1, None, True, {"b": "old"}], "c": ("old", 2)}

    told = record_changes._replaced(value, "old", "new")

    assert told == {
        "old": "new",
        "a": ["new", "older", 1, None, True, {"b": "new"}],
        "c": ["new", 2],
    }


# ── Whose a change is ───────────────────────────────────────────────────────────────────────────


def changed(ada: Agent, change: Callable[[], object]) -> list[object]:
    """What a change wrote."""
    before = ada.seq
    change()
    return [line.event for line in ada.get_range(before + 1)]


def commands(ada: Agent, change: Callable[[], object]) -> list[AnyCommand]:
    """What a change asked the log for."""
    return [each.command for each in changed(ada, change) if isinstance(each, Received)]


def test_whatever_a_verb_writes_is_about_the_person_whose_record_it_is() -> None:
    _, ada = agent()
    told = ada.remember("The boat is blue").episodic_id
    with ada.job("a job") as job:
        memo = job.memorize({"type": "fact", "text": "The vase is here", "source": "user"}).ids[0]
    page = ada.remember("The pier is closed", origin="external").episodic_id
    ada.sem_put(KEY, "purple")
    verbs: dict[str, Callable[[], object]] = {
        "forget": lambda: ada.forget(told),
        "restore": lambda: ada.restore(told),
        "correct": lambda: ada.correct(told, "The boat is green"),
        "forget a memo": lambda: ada.forget(memo),
        "restore a memo": lambda: ada.restore(memo),
        "vouch": lambda: ada.vouch(page),
        "correct a fact": lambda: ada.correct(KEY, "a kind of orange"),
        "answer a question": lambda: ada.correct(
            "user/profile/user_tuff/favorite_color", "Remember my favourite colour is green"
        ),
    }
    ada.sem_put("user/profile/user_tuff/favorite_color", "purple")

    found = {
        verb: {each.subject for each in commands(ada, change)} for verb, change in verbs.items()
    }

    assert found == {verb: {"user_tuff"} for verb in verbs}
    assert {each.subject for each in ada.requests()} == {"user_tuff"}


@pytest.mark.parametrize("origin", ["user", "agent"])
def test_other_words_are_kept_on_whose_word_they_are(origin: str) -> None:
    _, ada = agent()
    told = ada.remember("The boat is blue").episodic_id
    ada.sem_put(KEY, "purple")

    asked = [
        *commands(ada, lambda: ada.correct(told, "The boat is green", origin=origin)),
        *commands(ada, lambda: ada.correct(KEY, "a kind of orange", origin=origin)),
    ]

    told_by = [each.origin for each in asked if isinstance(each, Correct | Remember)]
    assert told_by == [origin, origin]


def test_of_several_a_refusal_names_what_was_asked_for() -> None:
    memory, ada = agent()
    loop, _ = looped(memory, ada)
    ada.forget(loop)

    assert refusal(lambda: ada.forget(loop)) == ("item_unknown", loop)
    ada.restore(loop)
    assert refusal(lambda: ada.restore(loop)) == ("item_is_there", loop)


@pytest.mark.parametrize("place", [0, 1])
def test_who_vouches_again_under_one_key_has_vouched_once(place: int) -> None:
    _, ada = agent()
    name = shared(ada)[place]

    seqs = []
    for _ in range(2):
        with ada.keyed("once"):
            seqs.append(ada.vouch(name, reason="mine"))

    assert seqs[0] == seqs[1]


def test_what_an_agent_states_of_a_fact_is_the_value_that_is_asked_for() -> None:
    _, ada = agent()
    key = "user/profile/user_tuff/name"
    ada.sem_put(key, "Bea")

    told = ada.correct(key, "My name is Carl", origin="agent")

    (request,) = ada.requests()
    assert (request.request_id, request.value) == (told.request_id, "Carl")


def test_a_document_that_was_put_right_was_wrong_and_not_only_older() -> None:
    _, ada = agent()
    name = put(ada, {"text": "The sofa is old"})

    (asked,) = commands(ada, lambda: ada.correct(name, "The sofa is new"))

    assert isinstance(asked, PutDocument)
    assert asked.corrects


def test_a_message_that_was_put_right_is_answered_with_the_id_of_the_new_one() -> None:
    _, ada = agent()
    names = shared(ada)

    told = ada.correct(names[0], "The lamp is in the attic")

    (message,) = ada.conversation(session="monday").items("short_term")
    assert message.id == told.episodic_id


def test_what_was_said_beside_it_at_the_same_moment_stays() -> None:
    _, ada = agent()
    talk = ada.conversation(session="monday")
    talk.record(user="The lamp is in the cellar", ai="Then the lamp is in the cellar")
    asked, answered = (each.id for each in reversed(talk.items("short_term")))

    ada.forget(asked)

    assert [each.id for each in talk.items("short_term")] == [answered]


def test_a_fact_stays_where_the_new_words_still_say_it() -> None:
    _, ada, told, _ = learnt()
    before = {each.text for each in ada.extracted_facts()}

    ada.correct(told, "I moved to Lisbon in May")

    left = {each.text for each in ada.extracted_facts()}
    assert left
    assert left < before
