"""Talks, decision by decision: what a summary still tells, and what two chapters differ in."""

from tests import world
from tests.talks import talk

from muniment.engine.decide.conversation import phases, window
from muniment.model.events.conversation import ItemWritten
from muniment.model.kinds.conversation_item import Kind, MemoryItem, Meta, Source
from muniment.model.policy import Policy, RecallPolicy


def test_a_summary_stays_as_it_is_where_it_did_not_quote_what_is_forgotten() -> None:
    of = world.memory(Policy(recall=RecallPolicy(short_term_messages=2)))
    ada = talk(of=of)
    for text in (
        "My editor is vim. I like it",
        "\u6211\u559c\u6b22\u8336\u3002\u5f88\u597d",
        "It rains",
        "ok",
        "fine",
    ):
        ada.record(user=text)

    def summary() -> str:
        return next(each.text for each in ada.items(Kind.SHORT_TERM) if each.meta.summary_of)

    told = summary()
    ada.forget(next(each.id for each in ada.items(Kind.SHORT_TERM) if each.text == "fine"))
    assert summary() == told
    assert len(told.splitlines()) > 1

    ada.forget("session:tuff:short_term:1")
    assert summary().splitlines() == [each for each in told.splitlines() if "vim" not in each]


def test_a_summary_that_is_written_anew_is_not_told_from_what_is_forgotten() -> None:
    of = world.memory(Policy(recall=RecallPolicy(short_term_messages=2)))
    ada = talk(of=of)
    for text in ("My editor is vim", "It rains in Lisbon", "ok", "fine"):
        ada.record(user=text)

    def told_from() -> tuple[str, ...]:
        items = [each.item for each in world.events(of) if isinstance(each, ItemWritten)]
        return next(each.meta.summary_of for each in reversed(items) if each.meta.summary_of)

    first, *others = told_from()
    assert others
    ada.forget(first)
    assert told_from() == tuple(others)


def test_a_summary_is_read_back_with_what_still_stands_of_it_each_once() -> None:
    ada = talk(of=world.memory(Policy(recall=RecallPolicy(short_term_messages=2))))
    for text in ("My editor is vim", "It rains in Lisbon", "I have two cats", "fine", "ok", "yes"):
        ada.record(user=text)

    def told_from() -> list[str]:
        items = ada.items(Kind.SHORT_TERM)
        (summary,) = [each for each in items if each.meta.summary_of]
        return list(summary.meta.summary_of)

    first, second, *others = told_from()
    ada.forget(second)  # what follows it is told from the same messages, but for this one
    assert told_from() == [first, *others]
    ada.forget(first)
    assert told_from() == others
    recalled = ada.recall("cats", spaces=["session"]).items
    assert [list(each.meta.summary_of) for each in recalled if each.meta.summary_of] == [others]


def test_words_that_are_forgotten_leave_the_line_that_quotes_them_and_the_rest_stays() -> None:
    told = "It rains. I like tea. The kettle is on.\nMy editor is vim."
    spoken = "user: It rains | user: I like a very lo\u2026 | ai: ok"

    assert window._unquoted(told, "I like  tea") == "It rains. The kettle is on.\nMy editor is vim."
    assert window._unquoted(spoken, "I like a very long walk") == "user: It rains | ai: ok"
    assert window._unquoted("ai: ok", "ok") == ""


def test_of_two_chapters_what_has_no_key_is_added_or_deleted() -> None:
    def item(n: int, key: str = "") -> MemoryItem:
        return MemoryItem(
            id=f"i{n}",
            kind=Kind.SHORT_TERM,
            text="",
            source=Source.USER,
            created_at=n,
            importance=1,
            meta=Meta(dedup_key=key),
        )

    found = phases.compared(
        [item(1), item(2, "k"), item(3, "k")], [item(4), item(5, "k"), item(6, "k")]
    )

    assert [(each.change, each.id, each.replaces) for each in found] == [
        ("replaced", "i5", "i3"),
        ("added", "i4", ""),
        ("added", "i6", ""),
        ("deleted", "i1", ""),
        ("deleted", "i2", ""),
    ]
