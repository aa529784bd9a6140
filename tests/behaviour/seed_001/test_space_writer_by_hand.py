"""One space of one owner, write by write: what is kept, what loses, what leaves, which phase."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from tests.deciding import Kept, context, placed

from muniment.engine.decide.conversation import space_writer
from muniment.engine.decide.conversation.space_writer import Sheet
from muniment.layers.shelves import ARCHIVE, ITEMS, LEDGERS, PHASES, RIVALS
from muniment.layers.space_ledgers import Ledgers
from muniment.log.entry import Line
from muniment.model.commands.conversation import RecordInteraction
from muniment.model.events import AnyEvent
from muniment.model.events.conversation import (
    BorderChecked,
    Forwarded,
    ItemDeleted,
    ItemDenied,
    ItemExpired,
    ItemsArchived,
    ItemsConflicted,
    ItemWritten,
    LedgerOpened,
    LedgerShelved,
    PhaseDropped,
    PhaseStarted,
)
from muniment.model.events.rollback import RecordsRevived
from muniment.model.kinds.conversation_item import (
    EventType,
    Kind,
    Ledger,
    MemoryItem,
    Meta,
    Phase,
    Source,
    Space,
    item_id,
    rival_key,
    store_key,
)
from muniment.model.kinds.episode import Authority
from muniment.model.kinds.recollection import Offer
from muniment.model.policy import Brainstate, Policy
from muniment.model.policy.conversation import (
    ForgetMode,
    Phasing,
    Retention,
    RetentionRule,
    Writing,
)

Known = dict[str, Any]
CLOCK, FORWARDED, NUMBER = 20, 3, 4
SEMANTIC, PROFILE, SHORT = Kind.SEMANTIC, Kind.PROFILE, Kind.SHORT_TERM


class Room(Kept):
    """A space as it stands on the shelves: its items newest first, those archived, its phases."""

    def __init__(
        self,
        *items: MemoryItem,
        archived: tuple[MemoryItem, ...] = (),
        phases: tuple[PhaseStarted, ...] = (),
        shelved: LedgerShelved | None = None,
    ) -> None:
        gone = ItemsArchived(ledger=NUMBER, reason="decay", item_ids=())
        told: dict[tuple[str, str], Any] = {(ITEMS, each.id): as_written(each) for each in items}
        told |= {(ARCHIVE, each.id): gone for each in archived}
        if shelved:
            told[LEDGERS, store_key(shelved.kept.space, shelved.kept.owner)] = shelved
        super().__init__(told)
        self._items, self._archived, self._phases = items, archived, phases

    def under(self, shelf: str, key: str, limit: int = -1) -> Iterator[Line]:
        assert limit == -1
        for each in self._items:
            meta = each.meta
            assert meta.space
            place = f"{store_key(meta.space, meta.owner)}:{each.kind}"
            rival = rival_key(meta.space, meta.owner, each.kind, meta.dedup_key)
            if (shelf, key) in {(ITEMS, place), (RIVALS, rival)}:
                yield placed(as_written(each))
        for phase in self._phases:
            if (shelf, key) == (PHASES, store_key(phase.space, phase.owner)):
                yield placed(phase)

    def ever(
        self, shelf: str, *, item_id: str = "", key: str = ""
    ) -> Iterator[tuple[int, int | None, Line]]:
        del key
        for each in (*self._items, *self._archived):
            if (shelf, item_id) == (ITEMS, each.id):
                yield 5, None, placed(as_written(each))


def as_written(item: MemoryItem) -> ItemWritten:
    return ItemWritten(ledger=NUMBER, kind=item.kind, n=1, created_at=1, item=item)


def kept(
    n: int = 1,
    text: str = "tea",
    kind: Kind = SEMANTIC,
    *,
    at: int = 1,
    importance: int = 2,
    space: Space = Space.SESSION,
    owner: str = "s1",
    **meta: Any,  # noqa: ANN401
) -> MemoryItem:
    told: Known = {"event_type": EventType.FACT, "authority": Authority.USER_ASSERTED}
    return MemoryItem(
        id=item_id(space, owner, kind, n),
        kind=kind,
        text=text,
        source=Source.USER,
        created_at=at,
        importance=importance,
        meta=Meta(**{"space": space, "owner": owner, "dedup_key": "drink", **told, **meta}),
    )


def offer(text: str = "coffee", kind: Kind = SEMANTIC, **more: Any) -> Offer:  # noqa: ANN401
    told: Known = {
        "source": Source.USER,
        "importance": 2,
        "event_type": EventType.FACT,
        "importance_reason": ("event:fact",),
        "dedup_key": "drink",
        "authority": Authority.USER_ASSERTED,
        "authority_reason": "said",
        "policy_tags": ("allowed",),
    }
    return Offer(**{"kind": kind, "text": text, **told, **more})


def made(n: int, text: str = "coffee", kind: Kind = SEMANTIC, **more: Any) -> MemoryItem:  # noqa: ANN401
    """The item that an offer becomes."""
    told: Known = {
        "importance_reason": ("event:fact",),
        "authority_reason": "said",
        "policy_tags": ("allowed",),
        "at": CLOCK + 1,
        **more,
    }
    return kept(n, text, kind, **told)


def ledger(number: int = NUMBER, owner: str = "s1", **more: Any) -> Ledger:  # noqa: ANN401
    told: Known = {"space": Space.SESSION, "subject": "tuff", **more}
    return Ledger(number=number, owner=owner, **told)


def sheet(
    *items: MemoryItem,
    policy: Policy | None = None,
    room: Room | None = None,
    **its: Any,  # noqa: ANN401
) -> Sheet:
    command = RecordInteraction(
        session="s1", messages=(), owners={Space.USER: "tuff"}, subject="tuff"
    )
    state = Ledgers(clock=CLOCK, forwarded=FORWARDED)
    now = context(command, policy=policy or Policy(), ledgers=state)
    now = msgspec.structs.replace(now, shelves=room or Room(*items))
    return Sheet(now, ledger(**its), [])


def wrote(item: MemoryItem, n: int, **more: str) -> ItemWritten:
    return ItemWritten(
        ledger=NUMBER, kind=item.kind, n=n, created_at=item.created_at, item=item, **more
    )


def deleted(item: MemoryItem, reason: str, phase: int = 0, **more: str) -> ItemDeleted:
    return ItemDeleted(
        ledger=NUMBER,
        space=Space.SESSION,
        phase=phase,
        reason=reason,
        owner="s1",
        item_id=item.id,
        **more,
    )


def conflicted(winner: MemoryItem, loser: MemoryItem, rule: str, **more: Any) -> ItemsConflicted:  # noqa: ANN401
    return ItemsConflicted(
        ledger=NUMBER,
        rule=rule,
        winner_id=winner.id,
        loser_id=loser.id,
        dedup_key="drink",
        **more,
    )


# ── What is there ───────────────────────────────────────────────────────────────────────────────


def test_an_item_of_this_space_is_found_until_it_ends_also_when_it_is_archived() -> None:
    old, far = kept(1), kept(2)
    page = sheet(room=Room(old, archived=(far,)), counts={SEMANTIC: 2})
    new = page.write(offer("milk", dedup_key="other"))

    assert new
    assert [page.get(each.id) for each in (old, far, new)] == [old, far, new]
    assert page.get("session:s1:semantic:9") is None
    page.delete(old, "undone")
    page.delete(new, "undone")
    assert [page.get(each.id) for each in (old, new)] == [None, None]


def test_an_item_of_another_space_or_owner_is_not_found_here() -> None:
    for other in (kept(1, space=Space.USER), kept(1, owner="s2")):
        assert sheet(other).get(other.id) is None


def test_the_living_items_of_a_kind_are_listed_newest_first() -> None:
    kinds = (kept(3), kept(2), kept(1), kept(1, kind=PROFILE))
    page = sheet(*kinds, counts={SEMANTIC: 3, PROFILE: 1})
    first = page.write(offer("milk", dedup_key="a"))
    second = page.write(offer("wine", dedup_key="b"))
    other = page.write(offer("Ada", kind=PROFILE, dedup_key="name"))

    assert page.alive(SEMANTIC) == [second, first, *kinds[:3]]
    assert page.alive(PROFILE) == [other, kinds[3]]
    page.delete(kinds[1], "undone")
    page.expire([kinds[2]], "decay")
    assert page.alive(SEMANTIC) == [second, first, kinds[0]]


def test_rivals_share_the_key_or_are_named() -> None:
    same, other, third = kept(1), kept(2, dedup_key="food"), kept(3, dedup_key="town")
    page = sheet(same, other, third)

    assert page.rivals(offer()) == [same]
    assert page.rivals(offer(replaces=other.id)) == [same, other]
    assert page.rivals(offer(replaces=same.id)) == [same]
    assert page.rivals(offer(replaces="session:s1:semantic:9")) == [same]
    assert page.rivals(offer(dedup_key="none")) == []
    assert page.sharing(kept(9)) == [same]
    assert page.sharing(kept(9, dedup_key="food")) == [other]
    assert page.sharing(kept(9, kind=PROFILE)) == []


def test_a_key_has_but_one_item_where_the_policy_wants_that() -> None:
    loose = Policy(writing=Writing(dedupe_enabled=False))

    def keyed(kind: Kind, policy: Policy | None = None, key: str = "drink") -> list[MemoryItem]:
        held = kept(1, kind=kind, dedup_key=key)
        return sheet(held, policy=policy).rivals(offer(kind=kind, dedup_key=key))

    assert keyed(SEMANTIC) == [kept(1)]
    assert keyed(SEMANTIC, loose) == []
    assert keyed(PROFILE, loose) == [kept(1, kind=PROFILE)]
    assert keyed(SHORT) == []
    assert keyed(PROFILE, key="") == []


def test_what_was_written_before_in_the_same_decision_is_a_rival_too() -> None:
    old = kept(1)
    page = sheet(old, counts={SEMANTIC: 1})
    new = page.write(offer())

    assert page.rivals(offer("milk")) == [new]
    assert page.rivals(offer("milk", kind=PROFILE)) == []
    assert page.rivals(offer("milk", dedup_key="food")) == []


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────


def test_an_item_is_written_under_the_next_number_of_its_kind_and_the_next_tick() -> None:
    page = sheet(counts={SEMANTIC: 6})

    assert page.write(offer()) == made(7)
    assert page.events == [wrote(made(7), 7)]
    assert page.write(offer("Ada", kind=PROFILE)) == made(1, "Ada", PROFILE, at=CLOCK + 2)
    third = page.write(offer("milk", dedup_key="milk"))
    assert third == made(8, "milk", at=CLOCK + 3, dedup_key="milk")


def test_an_item_says_its_phase_and_when_it_expires() -> None:
    ttl = {EventType.FACT: RetentionRule(mode=ForgetMode.TTL, ticks=5)}
    policy = Policy(retention=Retention(semantic=ttl))
    phase = Phase(n=2, name="two", started_at=9, reason="manual")
    its: Known = {
        "phase_id": "phase-2",
        "phase_name": "two",
        "phase_started_at": 9,
        "phase_reason": "manual",
    }

    page = sheet(policy=policy, phase=phase)

    assert page.write(offer()) == made(1, expires_at=CLOCK + 6, **its)
    assert page.write(offer("x", kind=PROFILE)) == made(1, "x", PROFILE, at=CLOCK + 2, **its)


def test_an_item_of_no_type_is_kept_as_long_as_a_context() -> None:
    ttl = {EventType.CONTEXT: RetentionRule(mode=ForgetMode.TTL, ticks=5)}
    page = sheet(policy=Policy(retention=Retention(semantic=ttl)))

    again = page.restore(kept(1, event_type=None))

    assert again.meta.expires_at == CLOCK + 6


def test_an_item_beside_the_rules_is_made_and_not_yet_put_down() -> None:
    page = sheet(counts={SEMANTIC: 6})

    assert page.fresh(offer()) == (made(7), 7)
    assert page.events == []
    page.put(made(7), 7, prior="before")
    assert page.events == [wrote(made(7), 7, prior="before")]
    assert page.get(made(7).id) == made(7)


def test_a_newer_word_takes_the_place_of_an_equal_one() -> None:
    old = kept(1)
    page = sheet(old, counts={SEMANTIC: 1})
    new = made(2)

    assert page.write(offer()) == new
    assert page.events == [
        conflicted(new, old, "recency"),
        wrote(new, 2),
        deleted(old, "superseded", rule="recency", replaced_by=new.id),
    ]


@pytest.mark.parametrize("kind", [SEMANTIC, PROFILE])
def test_the_winner_keeps_the_larger_importance_in_semantic_memory(kind: Kind) -> None:
    old = kept(1, kind=kind, importance=6)

    new = sheet(old, counts={kind: 1}).write(offer(kind=kind))

    merged: Known = {"importance": 6, "importance_reason": ("event:fact", "conflict_merge")}
    assert new == made(2, kind=kind, **(merged if kind is SEMANTIC else {}))


def test_a_word_that_weighs_less_is_not_written_but_counted() -> None:
    strong = kept(1, authority=Authority.TOOL_VERIFIED)
    weak = kept(2, dedup_key="food")
    page = sheet(strong, weak, counts={SEMANTIC: 2})

    assert page.write(offer(replaces=weak.id)) is None
    assert page.events == [
        conflicted(strong, made(3), "authority", kind=SEMANTIC, n=3, created_at=CLOCK + 1)
    ]
    assert page.fresh(offer())[1] == 4


def test_a_correction_that_a_person_means_wins_over_a_higher_authority() -> None:
    strong = kept(1, authority=Authority.TOOL_VERIFIED)
    corrects: Known = {"event_type": EventType.CORRECTION}

    assert sheet(strong).write(offer(**corrects)) is None
    page = sheet(strong, counts={SEMANTIC: 1})
    assert page.write(offer(**corrects, intent=True)) == made(2, **corrects)


def test_a_profile_fact_that_is_there_is_not_written_again() -> None:
    held = kept(1, "tea", PROFILE)

    def again(*items: MemoryItem, **more: Any) -> bool:  # noqa: ANN401
        its: Known = {"phase": Phase(n=1)} if items[0].meta.phase_id else {}
        page = sheet(*items, **its)
        told = page.write(offer(**{"text": "tea", "kind": PROFILE, **more}))
        assert (told in items) == (page.events == [])
        return told in items

    assert again(held)
    assert not again(held, text="milk")
    assert not again(kept(1), kind=SEMANTIC)
    assert again(kept(1, "tea", PROFILE, phase_id="phase-1"))
    assert not again(kept(1, "tea", PROFILE, phase_id="phase-2"))
    assert not again(kept(1, "tea", PROFILE, authority=Authority.AI_INFERRED))
    assert not again(kept(1, "tea", PROFILE, authority=None))
    assert again(kept(1, "tea", PROFILE, authority=None), authority=Authority.AI_INFERRED)
    assert again(kept(1, "tea", PROFILE, authority=Authority.TOOL_VERIFIED))


def test_what_is_refused_has_a_number_and_a_tick_and_nothing_has_allowed_it() -> None:
    page = sheet(counts={SEMANTIC: 6})

    page.deny(offer(), "policy_low_signal")

    assert page.events == [
        ItemDenied(
            ledger=NUMBER,
            kind=SEMANTIC,
            n=7,
            created_at=CLOCK + 1,
            reason="policy_low_signal",
            item=made(7, policy_tags=()),
        )
    ]
    assert page.fresh(offer())[1] == 8


# ── Coming back, and leaving ────────────────────────────────────────────────────────────────────


def test_what_is_restored_is_new_and_names_what_it_was_last() -> None:
    old = kept(1, policy_tags=("allowed", "restored_from:session:s1:semantic:0"))
    page = sheet(old, counts={SEMANTIC: 1})
    again = kept(2, at=CLOCK + 1, policy_tags=("allowed", f"restored_from:{old.id}"))

    assert page.restore(old) == again
    assert page.events == [wrote(again, 2)]


def test_what_is_revived_is_there_again_under_its_own_id() -> None:
    old = kept(1)
    page = sheet()
    told = RecordsRevived(ledger=NUMBER, window=("w",))
    page.delete(old, "undone")

    page.revive(old, told)

    assert page.events == [deleted(old, "undone"), told]
    assert page.get(old.id) == old
    assert page.ledger.window == ("w",)


def test_an_item_leaves_with_its_phase_and_its_reason() -> None:
    page = sheet()
    old, bare = kept(1, phase_id="phase-12"), kept(2)

    page.delete(old, "superseded", rule="recency", replaced_by="new")
    page.delete(bare, "expired")

    assert page.events == [
        deleted(old, "superseded", 12, rule="recency", replaced_by="new"),
        deleted(bare, "expired"),
    ]


def test_what_has_had_its_time_is_archived_or_ends() -> None:
    one, two = kept(1), kept(2)
    literal = sheet(policy=Policy(writing=Writing(archive=False)))
    page = sheet(window=(one.id,))

    page.expire([one, two], "decay")
    literal.expire([one, two], "decay")

    assert page.events == [ItemsArchived(ledger=NUMBER, reason="decay", item_ids=(one.id, two.id))]
    assert page.ledger.unsummarised == (one.id,)
    assert literal.events == [
        ItemExpired(ledger=NUMBER, reason="decay", item_id=one.id),
        deleted(one, "expired"),
        ItemExpired(ledger=NUMBER, reason="decay", item_id=two.id),
        deleted(two, "expired"),
    ]


RULES = Retention(
    semantic={
        EventType.FACT: RetentionRule(mode=ForgetMode.TTL, ticks=10),
        EventType.DECISION: RetentionRule(mode=ForgetMode.DECAY, ticks=10),
    },
    profile={EventType.FACT: RetentionRule(mode=ForgetMode.TTL, ticks=10)},
)


def test_whatever_has_had_its_time_leaves_kind_by_kind_the_oldest_first() -> None:
    items = (
        kept(5, at=11),
        kept(4, at=10),
        kept(3, at=3, event_type=EventType.DECISION),
        kept(2, at=2),
        kept(1, kind=PROFILE, at=1),
        kept(1, kind=SHORT, at=1),
    )
    page = sheet(*items, policy=Policy(retention=RULES))

    page.sweep()

    def archived(reason: str, *gone: MemoryItem) -> ItemsArchived:
        names = tuple(each.id for each in gone)
        return ItemsArchived(ledger=NUMBER, reason=reason, item_ids=names)

    assert page.events == [
        archived("ttl_expired", items[3], items[1]),
        archived("decay", items[2]),
        archived("ttl_expired", items[4]),
    ]
    assert [page.lapsed(each) for each in items] == [False, True, True, True, True, False]


def test_a_kind_that_is_never_forgotten_is_not_swept_and_the_next_one_is() -> None:
    never = Writing(forget_policy=ForgetMode.NEVER)
    only = Retention(profile=RULES.profile)
    page = sheet(kept(1), kept(1, kind=PROFILE), policy=Policy(writing=never, retention=only))

    page.sweep()

    assert page.events == [
        ItemsArchived(ledger=NUMBER, reason="ttl_expired", item_ids=(kept(1, kind=PROFILE).id,))
    ]


# ── Phases, borders, what is sent ───────────────────────────────────────────────────────────────


def started(n: int, at: int = CLOCK + 1, name: str = "", reason: str = "auto") -> PhaseStarted:
    return PhaseStarted(
        ledger=NUMBER,
        space=Space.SESSION,
        n=n,
        created_at=at,
        owner="s1",
        name=name,
        reason=reason,
    )


def test_the_first_phase_begins_by_itself_where_there_are_phases() -> None:
    page, off = sheet(), sheet(policy=Policy(phase=Phasing(enabled=False)))
    later = sheet(phase=Phase(n=3))

    for each in (page, off, later):
        each.begin()

    assert page.events == [started(1)]
    assert off.events == later.events == []
    assert page.ledger.phase == Phase(n=1, started_at=CLOCK + 1, reason="auto")


def test_another_phase_is_counted_on_and_the_oldest_are_compared_no_more() -> None:
    known = tuple(started(n, at=n) for n in (4, 3, 2))
    dropped = [PhaseDropped(space=Space.SESSION, n=n, owner="s1") for n in (3, 2)]

    def begun(limit: int | None) -> list[AnyEvent]:
        policy = Policy(phase=Phasing(max_phases=limit))
        page = sheet(policy=policy, room=Room(phases=known), phase=Phase(n=4))
        page.start_phase("five", "manual")
        return page.events

    five = started(5, name="five", reason="manual")
    assert begun(None) == [five]
    assert begun(4) == [five]
    assert begun(2) == [five, *dropped]
    assert begun(3) == [five, dropped[1]]


def test_every_crossing_is_written_down_with_its_verdict() -> None:
    page = sheet()

    assert page.border("write", "allowed")
    assert not page.border("promote", "space_disabled", Space.USER)
    assert page.events == [
        BorderChecked(action="write", from_space=Space.SESSION, allowed=True, reason="allowed"),
        BorderChecked(
            action="promote",
            from_space=Space.SESSION,
            to_space=Space.USER,
            allowed=False,
            reason="space_disabled",
        ),
    ]


def test_what_is_sent_onward_is_counted_on() -> None:
    page = sheet()
    command = RecordInteraction(session="s1", messages=())

    page.send("one", command)
    page.send("two", command)

    assert page.events == [
        Forwarded(n=FORWARDED + 1, to="one", command=command),
        Forwarded(n=FORWARDED + 2, to="two", command=command),
    ]


# ── A space is opened ───────────────────────────────────────────────────────────────────────────


def opening(
    space: Space = Space.SESSION,
    owner: str = "",
    *,
    room: Room | None = None,
    policy: Policy | None = None,
    held: tuple[Ledger, ...] = (),
    count: int = 0,
) -> tuple[list[AnyEvent], Ledger] | str:
    command = RecordInteraction(
        session="s1", messages=(), owners={Space.USER: "ada"}, subject="tuff"
    )
    state = Ledgers(open={each.number: each for each in held}, count=count)
    now = context(command, policy=policy or Policy(), ledgers=state)
    now = msgspec.structs.replace(now, shelves=room or Room())
    told = space_writer.open_sheet(now, space, *([owner] if owner else []))
    return told if isinstance(told, str) else (told.events, told.ledger)


def opened(number: int, owner: str = "s1", **more: Any) -> LedgerOpened:  # noqa: ANN401
    told: Known = {"space": Space.SESSION, "subject": "tuff", "kept": None, **more}
    return LedgerOpened(ledger=number, owner=owner, **told)


def test_a_space_that_is_at_hand_is_not_opened_again() -> None:
    mine, other = ledger(), ledger(5, "s2")
    shared = ledger(6, "ada", space=Space.USER, subject="mia")

    assert opening(held=(other, mine)) == ([], mine)
    assert opening(owner="s2", held=(other, mine)) == ([], other)
    assert opening(Space.USER, held=(shared,)) == ([], shared)


def test_a_space_is_opened_under_the_next_number_for_whoever_speaks() -> None:
    assert opening(count=6) == ([opened(7)], ledger(7))
    assert opening(owner="s9", count=6) == ([opened(7, "s9")], ledger(7, "s9"))
    user: Known = {"space": Space.USER}
    assert opening(Space.USER, count=6) == ([opened(7, "ada", **user)], ledger(7, "ada", **user))
    assert opening(Space.PROJECT, count=6) == (
        [opened(7, "", space=Space.PROJECT)],
        ledger(7, "", space=Space.PROJECT),
    )


def test_a_space_that_was_put_aside_is_at_hand_again_as_it_was() -> None:
    before = ledger(2, counts={SEMANTIC: 6})
    shelved = LedgerShelved(ledger=2, kept=before, subject="tuff")

    assert opening(room=Room(shelved=shelved), count=6) == ([opened(2, kept=before)], before)


def test_a_session_of_somebody_else_is_not_opened() -> None:
    theirs = ledger(subject="mia")
    shelved = LedgerShelved(ledger=NUMBER, kept=theirs, subject="mia")

    assert opening(held=(theirs,)) == "session_of_another_person"
    assert opening(room=Room(shelved=shelved)) == "session_of_another_person"


def test_the_session_used_longest_ago_makes_room() -> None:
    policy = Policy(brainstate=Brainstate(sessions_max=2))
    new, old = ledger(1, "a", used_seq=9, subject="mia"), ledger(2, "b", used_seq=8, subject="bea")
    twin = ledger(3, "c", used_seq=8)
    aside = LedgerShelved(ledger=2, kept=old, subject="bea")

    assert opening(held=(new,), policy=policy, count=6) == ([opened(7)], ledger(7))
    assert opening(held=(new, old), policy=policy, count=6) == ([aside, opened(7)], ledger(7))
    assert opening(held=(new, twin, old), policy=policy, count=6) == (
        [aside, opened(7)],
        ledger(7),
    )
    user: Known = {"space": Space.USER}
    assert opening(Space.USER, held=(new, old), policy=policy, count=6) == (
        [opened(7, "ada", **user)],
        ledger(7, "ada", **user),
    )


def test_the_spaces_of_a_conversation_are_its_session_and_those_that_have_an_owner() -> None:
    command = RecordInteraction(session="s1", messages=(), places={Space.USER: "ref"})

    assert space_writer.present(context(command)) == {Space.SESSION, Space.USER}
    assert sheet().owner == "s1"
    assert sheet(space=Space.USER, owner="x").owner == "tuff"
