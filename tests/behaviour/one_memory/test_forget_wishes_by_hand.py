"""Forget wishes by hand: what a text wishes, which statements that names, and what ends then."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest
from tests import world
from tests.behaviour.seed_001.test_space_writer_by_hand import Room, as_written, kept, offer
from tests.deciding import NOW, REF, TUFF, Kept, context, placed, written
from tests.talks import talk

from muniment.engine.decide import forget_wishes as sentences
from muniment.engine.decide.conversation import forget_wishes as items
from muniment.engine.decide.conversation.space_writer import Sheet
from muniment.layers import episodes
from muniment.layers.shelves import ITEMS
from muniment.log.entry import Line
from muniment.model.commands import Remember
from muniment.model.commands.conversation import RecordInteraction
from muniment.model.events import AnyEvent, EpisodeWritten, ItemForgotten
from muniment.model.events.conversation import ItemDeleted
from muniment.model.kinds.conversation_item import (
    WISH,
    Kind,
    Ledger,
    MemoryItem,
    Source,
    Space,
    store_key,
)
from muniment.model.kinds.episode import Authority, EpisodicSource, Origin
from muniment.model.policy import Policy, RecallPolicy
from muniment.retrieval.languages import asked_to_forget
from muniment.retrieval.languages.asked_to_forget import LETTERS_MAX, ForgetWish

STATEMENT = "I collect barometers"
FORGET = f"Forget that {STATEMENT}"
WISHED = ForgetWish(language="English", says=STATEMENT)
NEWEST_TWO = Policy(recall=RecallPolicy(window_entries=2))


def named(wish: str, *told: str) -> list[str]:
    """The statements that one wish names."""
    (found,) = asked_to_forget.wishes(wish)
    return asked_to_forget.named(found, [(each, each) for each in told])


# ── What a text wishes ──────────────────────────────────────────────────────────────────────────


def test_each_sentence_may_wish_by_words_or_by_what_it_is_about() -> None:
    assert asked_to_forget.wishes(f" {FORGET} .  It rains.\nForget what I said about Bern.") == [
        WISHED,
        ForgetWish(language="English", about="Bern"),
    ]
    assert asked_to_forget.wishes("It rains. Forget it.") == []
    assert asked_to_forget.wishes("") == []


def test_who_says_more_than_four_hundred_letters_asks_for_more_than_that() -> None:
    long = f"{FORGET}. ".ljust(LETTERS_MAX, "X")

    assert asked_to_forget.wishes(long) == [WISHED]
    assert asked_to_forget.wishes(f"{long}X") == []


def test_a_whole_sentence_within_quotes_is_no_wish() -> None:
    for quotes in ('""', "\u201c\u201d", "\u00ab\u00bb", "\u300c\u300d"):
        text = f"She said {quotes[0]}Hello. {FORGET}. Bye.{quotes[1]}"
        assert asked_to_forget.wishes(text) == []


@pytest.mark.parametrize(
    "asked",
    [
        f"{FORGET}?",
        "انس أنني أجمع البارومترات؟",
        "Μπορείς να ξεχάσεις ότι συλλέγω βαρόμετρα;",
        "Μπορείς να ξεχάσεις ότι συλλέγω βαρόμετρα\u037e",
        "Μπορείς να ξεχάσεις ότι συλλέγω βαρόμετρα; Ευχαριστώ.",
        "Ξέχνα ό,τι είπα για τα βαρόμετρα;",
    ],
)
def test_a_question_is_no_wish_by_whatever_mark_it_asks(asked: str) -> None:
    assert asked_to_forget.wishes(asked) == []


def test_what_is_nothing_but_wishes_has_no_other_sentence() -> None:
    assert asked_to_forget.is_nothing_else(f"{FORGET}.\n\n Forget that I own a car. ")
    assert not asked_to_forget.is_nothing_else(f"{FORGET}. It rains.")
    assert not asked_to_forget.is_nothing_else("It rains.")
    assert not asked_to_forget.is_nothing_else("")


# ── Which statements a wish names ───────────────────────────────────────────────────────────────


def test_a_statement_is_named_by_its_words_whoever_speaks_and_however_it_was_told() -> None:
    same = (STATEMENT, "Barometers collect.", "Please remember that I collect barometers")
    other = ("I collect barometers here", "We collect barometers", "I collect")

    assert named(FORGET, *same, *other) == [*same]
    assert ForgetWish(language="English", says="\u2026").names("\u2026") is False


def test_a_question_and_a_wish_are_not_what_a_wish_names() -> None:
    wish = "Forget what I said about barometers"
    asked = ("Do I collect barometers?  ", "Συλλέγω barometers;", FORGET)

    assert named(wish, *asked, STATEMENT) == [STATEMENT]


def test_what_it_is_about_names_the_only_statement_that_has_all_of_its_words() -> None:
    wish = "Forget what I said about the old barometers"

    assert named(wish, "Old barometers!", STATEMENT) == ["Old barometers!"]
    assert named(wish, "My barometers are old", "Old barometers!") == []
    assert named("Forget what I said about it", "It is about it") == []


def test_a_statement_that_was_told_twice_is_still_one() -> None:
    twice = (STATEMENT, f"{STATEMENT}!", f"Remember that {STATEMENT}")

    assert named("Forget what I said about barometers", *twice) == [*twice]


def test_a_statement_in_two_forms_is_one_in_japanese() -> None:
    twice = ("私は気圧計を集めています", "ぼくは気圧計を集めている")
    other = "私は切手を集めています"

    assert named("気圧計について言ったことは忘れて", *twice, other) == [*twice]
    assert named("気圧計を集めていることは忘れて", *twice, other) == [*twice]


def test_a_denial_alone_makes_no_two_statements_the_same() -> None:
    told = ("私はたばこをすわない", "おすしはたべない")

    assert named("私はおさけをのまないことは忘れて", *told) == []
    assert named("わたしはねないことは忘れて", *told) == []
    assert named("私はお酒を飲まないことは忘れて", "私はお酒を飲みます", "私はお酒を飲まない") == [
        "私はお酒を飲まない"
    ]


def test_in_japanese_a_verb_in_kana_is_told_apart_by_how_it_begins_and_not_how_it_ends() -> None:
    same = ("私は車をもっています", "車をもっている。", "私は車をもつ")
    other = ("私は車をうりました", "私は車がほしい", "私は車をもっていません")

    assert named("私が車をもっていることは忘れて", *other, *same) == [*same]
    assert named("私が学生だということは忘れて", "私は学生です") == ["私は学生です"]
    assert named("私が走ることは忘れて", "私は走ります") == ["私は走ります"]


def test_what_is_written_in_kana_alone_is_about_it_in_several_statements() -> None:
    wish = "おすしについて言ったことは忘れて"

    assert named(wish, "おすしがすき", "おすしはあした") == []
    assert named(wish, "おすしがすき", "おすしがすき") == ["おすしがすき"] * 2
    assert named("猫について言ったことは忘れて", "私は猫がすき", "私は猫をかう") == []


def test_in_korean_the_ending_of_the_verb_and_particles_do_not_matter_but_a_denial_does() -> None:
    same = ("나는 기압계를 모아요", "기압계 모아요")
    other = ("나는 기압계를 모으지 않아요", "나는 우표를 모아요")

    assert named("내가 기압계를 모은다는 것은 잊어줘", *same, *other) == [*same]


def test_in_korean_a_single_word_is_not_named_by_its_first_letter() -> None:
    told = ("나는 운전해요", "나는 운동해요")
    assert named("내가 운전한다는 것은 잊어줘", *told) == [told[0]]

    doctor, member = "나는 의사예요", "나는 의원이에요"
    assert named("내가 의사라는 것은 잊어줘", doctor, member) == [doctor]


def test_in_chinese_it_is_the_statement_letter_by_letter_whoever_speaks() -> None:
    same = ("我收集气压计。", "收集气压计", "我收集，气压计")

    assert named("请忘记我收集气压计", *same, "我妹妹收集气压计", "我不收集气压计") == [*same]


@pytest.mark.parametrize(
    ("wish", "told", "other"),
    [
        ("请忘掉我说过的关于气压计的事", "我收集气压计", "我住在北京"),
        ("おすしについて言ったことは忘れて", "ぼくはおすしがすき", "ぼくはねる"),
        ("카누에 대해 말한 것은 잊어 주세요", "고무카누가 있어요", "나는 우표를 모아요"),
    ],
)
def test_where_words_are_not_parted_a_statement_is_about_what_it_has_in_it(
    wish: str, told: str, other: str
) -> None:
    assert named(wish, told, other) == [told]


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ("把我说的都忘掉", "我和妻子都喜欢茶"),
        ("我之前说的话都忘掉吧", "我的电话是123"),
        ("我说过的，都忘掉吧", "我住在北京，喜欢茶"),
        ("请忘掉我说过的关于它的事", "我喜欢它"),
        ("すみません、 について言ったことは忘れて", "私は茶が好き"),
        ("それについて言ったことは忘れて", "それはいい"),
        ("그것에 대해 말한 것은 잊어 주세요", "그것은 좋아요"),
    ],
)
def test_what_is_about_everything_or_nothing_names_no_statement(wish: str, told: str) -> None:
    assert named(wish, told) == []


# ── Sentences that end ──────────────────────────────────────────────────────────────────────────


class Told(Kept):
    """Sentences as they were told, the newest first."""

    def __init__(self, *lines: Line) -> None:
        named = [each for each in lines if isinstance(each.event, EpisodeWritten)]
        super().__init__({(episodes.SHELF, named_as(each)): each for each in named})
        self._newest_first = lines

    def newest(self, shelf: str, limit: int = -1) -> Iterator[Line]:
        if shelf != episodes.SHELF:
            return iter(())
        return islice(self._newest_first, None if limit < 0 else limit)


def sentence(n: int, text: str = STATEMENT, *, about: str = TUFF, **more: Any) -> Line:  # noqa: ANN401
    told: dict[str, Any] = {"origin": Origin.USER, "source": EpisodicSource.AGENT, **more}
    return placed(written(n, text, alone=True, **told), about=(about,))


def named_as(line: Line) -> str:
    assert isinstance(line.event, EpisodeWritten)
    return line.event.episodic_id


def ended(
    *lines: Line,
    text: str = FORGET,
    policy: Policy | None = None,
    **more: Any,  # noqa: ANN401
) -> list[AnyEvent]:
    command = Remember(text=text, **{"subject": "user_tuff", **more})
    now = context(command, policy=policy or Policy())
    return sentences.ending(msgspec.structs.replace(now, shelves=Told(*lines)), command)


def gone(*lines: Line) -> list[AnyEvent]:
    return [ItemForgotten(item_id=named_as(each), shelf=episodes.SHELF) for each in lines]


def test_what_a_wish_names_ends_once_and_without_a_reason_and_the_rest_stays() -> None:
    first, second, other = sentence(2), sentence(3, "I own a canoe"), sentence(4, "It rains")
    twice = f"{FORGET}. Forget what I said about barometers. Forget that I own a canoe."

    assert ended(first, second, other) == gone(first)
    assert ended(first, second, other, text=twice) == gone(first, second)
    assert ended(first, text="It rains") == []
    assert ended(first, text="I forget") == []


@pytest.mark.parametrize(
    "more",
    [
        {"speaker": "Bob"},
        {"source": "chat.txt"},
        {"happened_at": "2026-01-01"},
        {"origin": Origin.AGENT},
        {"origin": Origin.TOOL},
        {"origin": Origin.EXTERNAL},
    ],
)
def test_a_wish_that_is_told_on_or_is_nobodys_own_ends_nothing(more: dict[str, Any]) -> None:
    assert ended(sentence(2), **more) == []


@pytest.mark.parametrize(
    "line",
    [
        sentence(2, origin=Origin.AGENT),
        sentence(2, speaker="Bob"),
        sentence(2, form=episodes.WISH),
        sentence(2, about=REF),
        placed(ItemForgotten(item_id="ep:1", shelf=episodes.SHELF)),
    ],
)
def test_only_a_sentence_of_ones_own_ends(line: Line) -> None:
    mine = sentence(3)

    assert ended(line, mine) == gone(mine)
    assert ended(line) == []


def test_only_the_newest_sentences_are_looked_through() -> None:
    old, *new = (sentence(n, text) for n, text in ((2, STATEMENT), (3, "It rains"), (4, "ok")))

    assert ended(*new, old, policy=NEWEST_TWO) == []
    assert ended(new[0], old, policy=NEWEST_TWO) == gone(old)


# ── Items of a talk that end ────────────────────────────────────────────────────────────────────


class Spoken(Room):
    """A space as it stands, with items that have ended: by kind, the newest first."""

    def __init__(self, *living: MemoryItem, dead: tuple[MemoryItem, ...] = ()) -> None:
        super().__init__(*living)
        self._every = (*dead, *living)
        self._dead = {each.id for each in dead}

    def ever(
        self, shelf: str, *, item_id: str = "", key: str = ""
    ) -> Iterator[tuple[int, int | None, Line]]:
        for each in self._every:
            meta = each.meta
            assert meta.space
            place = f"{store_key(meta.space, meta.owner)}:{each.kind}"
            if shelf == ITEMS and (item_id == each.id or key == place):
                yield 5, NOW if each.id in self._dead else None, placed(as_written(each))


def page(
    *living: MemoryItem,
    dead: tuple[MemoryItem, ...] = (),
    space: Space = Space.SESSION,
    policy: Policy | None = None,
) -> Sheet:
    command = RecordInteraction(
        session="s1", messages=(), owners={Space.USER: "tuff", Space.PROJECT: "p"}, subject="tuff"
    )
    now = context(command, policy=policy or Policy())
    now = msgspec.structs.replace(now, shelves=Spoken(*living, dead=dead))
    owner = {Space.USER: "tuff", Space.PROJECT: "p"}.get(space, "s1")
    return Sheet(now, Ledger(number=4, space=space, owner=owner, subject="tuff"), [])


def said(n: int, text: str = STATEMENT, kind: Kind = Kind.SHORT_TERM, **more: Any) -> MemoryItem:  # noqa: ANN401
    return kept(n, text, kind, **{"dedup_key": "", **more})


def test_a_message_and_its_copy_end_once_however_often_that_is_wished() -> None:
    message, copy, other = said(1), said(1, kind=Kind.SEMANTIC), said(2, "It rains")
    sheet = page(message, other, copy)

    assert items.ending(sheet, Source.USER, FORGET) == [copy, message]
    assert items.ending(sheet, Source.USER, f"{FORGET}. Please forget that {STATEMENT}.") == [
        copy,
        message,
    ]
    assert items.ending(sheet, Source.USER, "I forget things") == []
    assert items.ending(sheet, Source.AI, FORGET) == []


@pytest.mark.parametrize(
    ("space", "owner", "heard"),
    [(Space.USER, "tuff", True), (Space.PROJECT, "p", False)],
)
def test_a_wish_is_heard_where_one_person_alone_speaks(
    space: Space,
    owner: str,
    heard: bool,  # noqa: FBT001 - a column of the table
) -> None:
    there = said(1, space=space, owner=owner)

    found = items.ending(page(there, space=space), Source.USER, FORGET)

    assert found == ([there] if heard else [])


def test_what_has_ended_or_was_said_by_others_or_imposed_does_not_end() -> None:
    living = said(1)
    over = said(2)
    imposed = said(3, authority=Authority.SYSTEM_IMPOSED)
    by_ai = msgspec.structs.replace(said(4), source=Source.AI)
    fact = said(5, kind=Kind.PROFILE)

    sheet = page(imposed, by_ai, fact, living, dead=(over,))

    assert items.ending(sheet, Source.USER, FORGET) == [living]


def test_of_each_kind_only_the_newest_items_are_looked_through() -> None:
    new = [said(n, f"The tram was {n} minutes late") for n in (3, 2)]
    old, copy = said(1), said(1, kind=Kind.SEMANTIC)

    assert items.ending(page(*new, old, copy, policy=NEWEST_TWO), Source.USER, FORGET) == [copy]
    assert items.ending(page(new[0], old, policy=NEWEST_TWO), Source.USER, FORGET) == [old]
    over = page(new[0], old, dead=(new[1],), policy=NEWEST_TWO)
    assert items.ending(over, Source.USER, FORGET) == [], "what has ended is counted too"


def test_what_ends_takes_its_facts_along_and_no_other() -> None:
    message, copy = said(1), said(1, kind=Kind.SEMANTIC, dedup_key="hobby")
    bare = said(2, "I own a canoe", kind=Kind.SEMANTIC)
    by_key = said(1, "barometers", Kind.PROFILE, dedup_key="hobby")
    by_turn = said(2, "yes", Kind.PROFILE, dedup_key="collects", source_turn_ids=("x", message.id))
    imposed = said(
        3, "barometers", Kind.PROFILE, dedup_key="hobby", authority=Authority.SYSTEM_IMPOSED
    )
    other = said(4, "Bern", Kind.PROFILE, dedup_key="town", source_turn_ids=("x",))
    keyless = said(5, "Ada", Kind.PROFILE, source_turn_ids=())
    sheet = page(message, copy, bare, by_key, by_turn, imposed, other, keyless)

    items.end(sheet, [copy, message, bare])

    assert [
        (each.item_id, each.reason) for each in sheet.events if isinstance(each, ItemDeleted)
    ] == [(each.id, "retracted") for each in (copy, message, bare, by_key, by_turn)]
    assert len(sheet.events) == 5


def test_a_summary_leaves_out_what_is_forgotten() -> None:
    of = world.memory(Policy(recall=RecallPolicy(short_term_messages=2)))
    ada = talk(of=of)
    for text in (STATEMENT, "It rains in Bern", "ok", "fine"):
        ada.record(user=text)

    told = ada.record(user=f"{FORGET}. {FORGET}.")

    (summary,) = [each for each in ada.items(Kind.SHORT_TERM) if each.meta.summary_of]
    assert "Bern" in summary.text
    assert "barometers" not in summary.text
    retracted = [each.item_id for each in told.deleted if each.reason == "retracted"]
    assert retracted == ["session:tuff:semantic:1", "session:tuff:short_term:1"]


def test_a_wish_is_marked_if_it_says_nothing_else() -> None:
    wish, more = offer(FORGET), offer(f"{FORGET}. It rains.")

    assert items.heard(wish) == msgspec.structs.replace(wish, policy_tags=("allowed", WISH))
    assert items.heard(more) == more
