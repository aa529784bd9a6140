"""Whoever watches is told each change of what they may read, once, and its end."""

import asyncio
import threading
import time

import pytest
from tests.service import serving
from tests.world import memory

import muniment
from muniment import Agent, Memory
from muniment.adapters.client.client import AsyncClient, Client
from muniment.engine.evidence.watch import WatchChange
from muniment.model.errors import InputError, MunimentError
from muniment.model.policy import Governance, Policy, Sem

HOME = "Where do I live?"
KEY = "user/profile/user_tuff/city"


def person(of: Memory, user: str = "tuff") -> Agent:
    return of.agent("ada", user=user)


def texts(change: WatchChange | None) -> list[str]:
    assert change is not None
    return [each.text for each in change.items]


def erased(of: Memory, user: str) -> None:
    eraser, council = of.eraser(), of.council()
    request = eraser.request(user, reason="they asked for it")
    council.approve(request)
    eraser.carry_out(request)


def test_a_question_is_told_again_only_when_its_answer_changes() -> None:
    ada = person(muniment.open(":memory:"))
    watch = ada.watch(question=HOME)

    assert watch.look() is None, "nothing is known, and that is no change"
    ada.remember("I live in Lisbon")
    first = watch.look()
    assert first is not None
    assert (first.change, texts(first)) == ("known", ["I live in Lisbon"])
    ada.remember("My dog is called Rex")
    assert watch.look() is None, "the answer is the same"
    ada.remember("I live in Porto now")
    second = watch.look()
    assert second is not None
    assert (second.change, texts(second)) == ("changed", ["I live in Porto now"])
    assert first.delivery_id != second.delivery_id
    assert watch.look() is None, "a change is told once"


def test_a_governed_fact_is_watched_by_its_key() -> None:
    of = memory(Policy(governance=Governance(user_direct=True)))
    ada = person(of)
    watch = ada.watch(key=KEY)

    ada.sem_put(KEY, "Lisbon")
    assert texts(watch.look()) == ["Lisbon"]
    ada.sem_put(KEY, "Porto")
    found = watch.look()
    assert found is not None
    assert (found.change, found.items[0].value) == ("changed", "Porto")


def test_a_memo_is_watched_by_its_key() -> None:
    ada = person(memory())
    watch = ada.watch(key="city:home")

    for city in ("Lisbon", "Porto"):
        ada.memorize(
            {"type": "fact", "text": f"the city is {city}", "key": "city:home", "importance": 1},
            store="SM",
        )
        assert texts(watch.look()) == [f"the city is {city}"]


def test_an_entity_is_watched_by_any_of_its_names() -> None:
    ada = person(muniment.open(":memory:"))
    watch = ada.watch(entity="Mona")

    kept = ada.remember("My sister Mona works at Siemens")
    assert "Mona works_at Siemens" in texts(watch.look())
    ada.forget(kept.episodic_id)
    ended = watch.look()
    assert ended is not None
    assert (ended.change, ended.items) == ("ended", ())


def test_an_entity_is_watched_in_every_text_that_names_it() -> None:
    """Given no relation at all: a sentence, a message, a document, a memo, then their ends."""
    ada = person(muniment.open(":memory:"))
    watch = ada.watch(entity="Mona")

    kept = ada.remember("The blue bicycle is for mona")
    assert texts(watch.look()) == ["The blue bicycle is for mona"]
    ada.remember("Ramona sold the red bicycle")
    assert watch.look() is None, "that is another name"
    ada.correct(kept.episodic_id, "The green bicycle is for Mona")
    assert texts(watch.look()) == ["The green bicycle is for Mona"]
    ada.conversation(session="s").record(user="Mona paid for the bicycle in cash")
    assert "Mona paid for the bicycle in cash" in texts(watch.look())
    ada.documents().put(("notes",), "k", {"text": "Call Mona on Friday"})
    assert any("Call Mona" in each for each in texts(watch.look()))
    ada.memorize({"type": "fact", "text": "Mona likes tea", "importance": 1}, store="SM")
    assert "Mona likes tea" in texts(watch.look())
    ada.forget_where({"not": {"session": "nobodys"}})
    assert texts(watch.look()) == ["Call Mona on Friday"]
    ada.documents().clear(("notes",))
    ended = watch.look()
    assert ended is not None
    assert (ended.change, ended.items) == ("ended", ())


def test_an_entity_of_several_names_is_watched_by_each_of_them() -> None:
    ada = person(muniment.open(":memory:"))
    ada.remember("My sister is Mona Lima")
    watch = ada.watch(entity="Mona Lima")
    assert watch.look() is not None

    ada.remember("The blue bicycle is for Mona")

    assert "The blue bicycle is for Mona" in texts(watch.look())


def test_after_a_restart_a_cursor_goes_on_without_loss_and_without_an_echo() -> None:
    ada = person(muniment.open(":memory:"))
    ada.remember("I live in Lisbon")
    heard = ada.watch(question=HOME).look()
    assert heard is not None

    assert ada.watch(question=HOME, after=heard.cursor).look() is None, "it was heard"
    ada.remember("I live in Porto now")
    for _ in range(2):  # whoever dies before they noted it hears it again under the same id
        again = ada.watch(question=HOME, after=heard.cursor).look()
        assert texts(again) == ["I live in Porto now"]
    ids = {ada.watch(question=HOME, after=heard.cursor).look() for _ in range(3)}
    assert len(ids) == 1


def test_a_cursor_tells_nothing_of_what_was_known_and_must_be_one() -> None:
    ada = person(muniment.open(":memory:"))
    ada.remember("I live in Lisbon")
    found = ada.watch(question=HOME).look()
    assert found is not None

    assert "isbon" not in found.cursor + found.delivery_id
    for odd in ("7", "x.none", "7.LISBON", f"7.{'g' * 32}", "7.none\n"):
        with pytest.raises(InputError):
            ada.watch(question=HOME, after=odd)
    for both in ({}, {"question": HOME, "key": KEY}, {"question": HOME, "limit": 0}):
        with pytest.raises(InputError):
            ada.watch(**both)


def test_watching_leaves_no_trace_in_the_log() -> None:
    of = muniment.open(":memory:")
    ada = person(of)
    ada.remember("I live in Lisbon")
    before = ada.seq
    watch = ada.watch(question=HOME)

    assert texts(watch.look()) == ["I live in Lisbon"]
    ada.flush()
    assert ada.seq == before


def test_forgetting_is_an_end_and_what_comes_after_it_is_new() -> None:
    ada = person(muniment.open(":memory:"))
    kept = ada.remember("I live in Lisbon")
    watch = ada.watch(question=HOME)
    assert texts(watch.look()) == ["I live in Lisbon"]

    ada.forget(kept.episodic_id)
    ended = watch.look()
    assert ended is not None
    assert (ended.change, ended.items) == ("ended", ())
    assert watch.look() is None
    ada.remember("I live in Porto")
    known = watch.look()
    assert known is not None
    assert known.change == "known"


def test_an_erasure_is_an_end_also_for_whoever_was_away() -> None:
    of = muniment.open(":memory:")
    ada = person(of)
    ada.remember("I live in Lisbon")
    present = ada.watch(question=HOME)
    heard = present.look()
    assert heard is not None

    erased(of, "tuff")

    for watch in (present, person(of).watch(question=HOME, after=heard.cursor)):
        ended = watch.look()
        assert ended is not None
        assert (ended.change, ended.items) == ("ended", ())


def test_nobody_is_told_of_what_is_somebody_elses() -> None:
    of = muniment.open(":memory:")
    mona, tuff = person(of, "mona"), person(of, "tuff")
    watches = [
        tuff.watch(question=HOME),
        tuff.watch(entity="Siemens"),
        tuff.watch(key="user/profile/user_mona/city"),
        of.agent("bob", user="mona").watch(question=HOME),
    ]

    mona.remember("I live in Lisbon and my sister Ann works at Siemens")

    assert [each.look() for each in watches] == [None] * len(watches)


def test_a_reader_whose_permission_has_gone_is_told_an_end() -> None:
    named = Policy(
        governance=Governance(user_direct=True), sem=Sem(readers={"user/": ("agent:desk",)})
    )
    of = memory(named)
    person(of).sem_put(KEY, "Lisbon")
    watch, stranger = of.agent("desk").watch(key=KEY), of.agent("bob").watch(key=KEY)
    assert texts(watch.look()) == ["Lisbon"]
    assert stranger.look() is None

    of.admin().adopt_policy(Policy(governance=Governance(user_direct=True)), reason="no more")

    ended = watch.look()
    assert ended is not None
    assert (ended.change, ended.items) == ("ended", ())


def test_a_loop_waits_for_the_next_change() -> None:
    of = muniment.open(":memory:")
    heard: list[WatchChange] = []
    watch = person(of).watch(question=HOME)

    def listen() -> None:
        for change in watch:
            heard.append(change)
            if change.change == "changed":
                return

    listener = threading.Thread(target=listen)
    listener.start()
    person(of).remember("I live in Lisbon")
    until = time.monotonic() + 10
    while not heard and time.monotonic() < until:
        time.sleep(0.02)
    person(of).remember("I live in Porto now")
    listener.join(10)

    assert [texts(each) for each in heard] == [["I live in Lisbon"], ["I live in Porto now"]]


def test_changes_come_over_http_and_a_lost_line_goes_on() -> None:
    with serving() as service:
        caller = service.user()
        with Client(service.url, key=caller.key) as tuff:
            tuff.remember("I live in Lisbon")
            following = tuff.watch(question=HOME)
            first = next(following)
            assert texts(first) == ["I live in Lisbon"]
            tuff.remember("I live in Porto now")
            second = next(following)
            assert texts(second) == ["I live in Porto now"]
            again = next(tuff.watch(question=HOME, after=first.cursor))
            assert texts(again) == texts(second)
            head = {"last-event-id": first.cursor, "authorization": f"Bearer {caller.key}"}
            with caller.http.stream(
                "GET", "/v1/watch", params={"question": HOME}, headers=head
            ) as answer:
                lines = answer.iter_lines()
                told = next(line for line in lines if line.startswith("data: "))
            assert "Porto" in told


def test_a_revoked_key_ends_what_it_follows() -> None:
    with serving() as service:
        caller, otto = service.user(), service.admin()
        with Client(service.url, key=caller.key) as tuff:
            tuff.remember("I live in Lisbon")
            following = tuff.watch(question=HOME)
            next(following)
            otto.post(f"/v1/admin/keys/{caller.key.split('_')[1]}/revoke")
            with pytest.raises(MunimentError) as raised:
                next(following)
            assert raised.value.code == "UNAUTHORIZED"


async def _heard(url: str, key: str) -> WatchChange:
    client = AsyncClient(url, key=key)
    async for change in client.watch(question=HOME):
        await client.close()
        return change
    raise AssertionError


def test_an_async_loop_hears_the_same() -> None:
    with serving() as service:
        caller = service.user()
        caller.post("/v1/remember", {"text": "I live in Lisbon"})
        found = asyncio.run(_heard(service.url, caller.key))
        assert texts(found) == ["I live in Lisbon"]
