"""What an id names: one record, several that it stands for or rests on, or nothing that lives."""

import json
from functools import cache

import pytest
from tests import given_ids, world
from tests.behaviour.learning.test_extraction import LISBON
from tests.behaviour.learning.test_summaries import honest, opened
from tests.scripted_model import Asked, scripted, texts_of
from tests.scripted_model import facts as extracted

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.conversation.record_kinds import RecordKinds, RecordName
from muniment.engine.conversation.resting_records import resting_on
from muniment.model.errors import RefusedError
from muniment.model.events.loops import LoopsDigested

ITSELF = (
    "episode",
    "message",
    "sentence of many",
    "item of a space",
    "document",
    "fact memo",
    "memo of what happened",
    "scratchpad memo",
    "mirror entry",
    "turn",
)
MARCH = {
    "op": "add",
    "statement": "The user moved in March",
    "relation": "moved_in",
    "object": "March",
    "quote": "in March",
}
LIMITS = {
    "working entry": "at_hand_only",
    "consolidated item": "at_hand_only",
    "goal": "at_hand_only",
    "receipt": "not_a_record",
    "question": "not_a_record",
    "request": "not_a_record",
    "consent": "not_a_record",
}


@cache
def lived() -> tuple[Memory, Agent, dict[str, str]]:
    """Something of every kind; these tests only read it."""
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    found = given_ids.live(memory, ada)
    chat = ada.thread("mail", explicit=True)
    found["second turn"] = chat.turn("the purple sailor has a boat").memo_ids[0]
    return memory, ada, found


def named(kind: str) -> RecordName:
    _, ada, found = lived()
    return RecordKinds(ada._session).named(found.get(kind, kind))


@pytest.mark.parametrize("kind", ITSELF)
def test_a_record_is_named_by_its_own_id(kind: str) -> None:
    assert named(kind) == RecordName(id=lived()[2][kind])


@pytest.mark.parametrize("kind", LIMITS)
def test_what_is_no_record_says_by_its_code_what_it_is(kind: str) -> None:
    assert named(kind) == RecordName(id=lived()[2][kind], limit=LIMITS[kind])
    assert named(kind).is_other


def test_an_answer_of_an_extraction_is_no_record() -> None:
    assert named("extract:1") == RecordName(id="extract:1", limit="not_a_record")


def test_an_event_of_a_loop_goes_by_the_id_of_its_mirror() -> None:
    event = lived()[2]["event"]

    assert named("event") == RecordName(id=f"ltm:{event}")


@pytest.mark.parametrize(("kind", "n"), [("loop summary", 1), ("loop", 2)])
def test_a_loop_and_its_summary_name_its_events_in_their_order(kind: str, n: int) -> None:
    memory, _, found = lived()
    loop = memory.actor_view("ada").loops()[n]

    assert named(kind) == RecordName(id=found[kind], limit="names_several", records=loop.mirror_ids)


def test_a_thread_and_a_talk_of_it_name_what_was_said_in_them_in_its_order() -> None:
    _, ada, found = lived()
    sailor = next(
        each
        for each in ada.memos("EM")
        if "purple sailor" in each.text and each.id != found["second turn"]
    )
    said = (sailor.id, found["second turn"])

    assert named("thread") == RecordName(id=found["thread"], limit="names_several", records=said)
    talk = named("talk")
    assert (talk.id, talk.limit, len(talk.records)) == (found["talk"], "names_several", 1)
    assert ada.memo(talk.records[0]).text == "we speak of the purple lighthouse"


def test_a_skill_rests_on_loops_and_an_entity_on_what_was_said_of_it() -> None:
    _, ada, found = lived()
    said = next(hit.id for hit in ada.recall("Vera works").hits if "Vera" in hit.text)

    assert named("skill") == RecordName(
        id=found["skill"], limit="rests_on_others", records=ada.skills()[0].evidence
    )
    assert named("entity") == RecordName(id="Vera", limit="rests_on_others", records=(said,))


@pytest.mark.parametrize("spelling", [given_ids.KEY, "user/profile/tuff/colour"])
def test_a_governed_fact_is_named_by_its_key_however_that_is_spelled(spelling: str) -> None:
    key = given_ids.KEY

    assert named(spelling) == RecordName(id=key, limit="fact_is_governed", records=(key,))
    assert not named(spelling).is_other


@pytest.mark.parametrize(
    "name",
    [
        "loop:none",
        "stm:none",
        "digest:none",
        "thread:none",
        "episode:none",
        "skill:none",
        "summary:none",
        "user/profile/user_tuff/size",
        "Nobody",
        "ep:none",
    ],
)
def test_what_names_nothing_is_a_record_that_is_not_there(name: str) -> None:
    assert named(name) == RecordName(id=name)
    assert not named(name).is_other


def test_what_is_another_persons_names_nothing() -> None:
    memory, _, found = lived()
    eve = RecordKinds(memory.agent("ada", user="eve")._session)
    theirs = ("goal", "entity", "loop", "thread", "talk", "event", "fact memo")

    assert {kind: eve.named(found[kind]).limit for kind in theirs} == dict.fromkeys(theirs, "")


def test_a_refusal_names_the_first_five_records_or_the_id_itself() -> None:
    many = RecordName(id="loop:1", limit="names_several", records=tuple("abcdefg"))

    with pytest.raises(RefusedError) as several:
        many.refuse("rests_on_others", "names_several")
    with pytest.raises(RefusedError) as alone:
        RecordName(id="g1", limit="at_hand_only").refuse("at_hand_only")

    assert (several.value.reason, several.value.detail) == ("names_several", "a, b, c, d, e")
    assert (alone.value.reason, alone.value.detail) == ("at_hand_only", "g1")
    many.refuse("rests_on_others")
    many.refuse()


@cache
def learnt() -> tuple[Agent, str]:
    """An episode of which a model extracted two facts, and worded a summary."""

    def script(asked: Asked) -> str:
        if "known" in json.loads(asked.user):
            source = {"source": texts_of(asked)[0]["id"]}
            return extracted(source | LISBON, source | MARCH)
        return honest(asked)

    with scripted(script) as model:
        ada = opened(model).agent("ada", user="tuff")
        told = ada.remember("I moved to Lisbon in March").episodic_id
        ada.remember("I teach physics")
        ada.extract_facts()
        ada.write_summary()
    return ada, told


def test_a_worded_summary_rests_on_what_it_cites() -> None:
    ada, told = learnt()
    worded = ada.summary()
    cited = tuple(dict.fromkeys(it.id for each in worded.sentences for it in each.citations))

    found = RecordKinds(ada._session).named(worded.summary_id)

    assert found == RecordName(id=worded.summary_id, limit="rests_on_others", records=cited)
    assert told in cited


def test_an_extracted_fact_rests_on_its_words_until_other_words_say_them_too() -> None:
    ada, told = learnt()
    session = ada._session
    march, lisbon = (memo.id for memo in ada.memos("SM"))

    assert ada.memo(lisbon).text == "The user lives in Lisbon"
    assert resting_on(session, {told}) == [march, lisbon]
    assert resting_on(session, {"ep:other"}) == []
    assert resting_on(session, {told}, still="Well, I moved to Lisbon in May") == [march]
    assert resting_on(session, {told}, still="I moved to Porto in March") == [lisbon]


@cache
def digested() -> tuple[Agent, LoopsDigested]:
    """Loops beyond the window, which holds twenty summaries, as a dream folds them."""
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    for n in range(35):
        with ada.do(f"task {n}"):
            pass
    memory.subconscious("ada").dream()
    events = [line.event for stream in memory.streams() for line in memory.log(stream)]
    (digest,) = [event for event in events if isinstance(event, LoopsDigested)]
    return ada, digest


def test_a_digest_names_the_events_of_the_loops_that_it_tells_of() -> None:
    ada, digest = digested()
    kinds = RecordKinds(ada._session)

    found = kinds.named(digest.digest_id)

    loops = digest.loop_ids[::-1]
    events = tuple(event for loop in loops for event in kinds.named(loop).records)
    assert found == RecordName(id=digest.digest_id, limit="names_several", records=events)
    assert len(events) >= len(loops) > 1
    assert kinds.named("digest:none") == RecordName(id="digest:none")


def test_a_skill_that_was_kept_as_a_memo_rests_on_the_loops_that_taught_it() -> None:
    ada = world.memory().agent("ada", user="tuff")
    loops = []
    for _ in range(2):
        with ada.do("Find the box") as loop:
            loop.answer("it is on the shelf")
        loops.append(loop.loop_id)
    taught = {"skill_id": "skill:1", "evidence": [loops[0], "loop:other"]}
    item = {"type": "fact", "text": "boxes are on shelves"}
    kept = ada.job("a job").memorize(item, metadata=taught).id
    of_loop = [RecordKinds(ada._session).named(loop).records for loop in loops]

    assert resting_on(ada._session, of_loop[0]) == [kept]
    assert resting_on(ada._session, of_loop[0][:1]) == [kept]
    assert resting_on(ada._session, of_loop[1]) == []
    assert resting_on(ada._session, ["ltm:none", "ep:none"]) == []
