"""What people complain about in other memories, as promises of this one."""

import pytest
from tests import world
from tests.talks import DECAYS_AT_3, OPEN_SPACES, decaying, letter, recalled, talk, texts

from muniment.model.commands.conversation import UndoWrite
from muniment.model.errors import InputError, NotFoundError, RefusedError
from muniment.model.kinds.conversation_item import Kind
from muniment.model.policy import Policy
from muniment.model.scope import Principal, Role, agent_stream

# ── The same fact comes back many times ─────────────────────────────────────────────────────────


def test_a_fact_that_is_restated_nine_times_is_one_item() -> None:
    ada = talk()

    for text in (
        "My name is Ada",
        "my name is Ada.",
        "MY NAME IS Ada!",
        "Hi, my name is Ada",
        "call me Ada",
        "I prefer tea",
        "I prefer tea!",
        "i prefer   TEA",
        "I PREFER TEA.",
    ):
        ada.record(user=text)

    assert texts(ada.items("profile")) == ["Ada"]
    assert len(ada.items("semantic")) == 2
    assert len([e for e in ada.recall("tea Ada").items if e.kind is not Kind.SHORT_TERM]) == 3


def test_the_same_saying_in_two_spaces_is_recalled_once() -> None:
    ada = talk()
    ada.record(user="I prefer tea", promote_to="user")
    ada.record(user="I prefer tea")

    assert recalled(ada, "tea", Kind.SEMANTIC) == ["I prefer tea"]


# ── Contradictions sit side by side ─────────────────────────────────────────────────────────────


@pytest.mark.covers("B-048")
def test_a_corrected_name_is_the_only_one_returned_and_blame_shows_the_old() -> None:
    ada = talk()
    ada.record(user="My name is Ada")
    ada.record(user="Actually my name is Bea")

    lasting = [each for each in ada.recall("name").items if each.kind is not Kind.SHORT_TERM]
    assert [each.text for each in lasting] == ["Actually my name is Bea", "Bea"]

    (new,) = ada.items("profile")
    old, current = ada.blame(new.id)
    assert (old.item.text, old.state, old.replaced_by) == ("Ada", "corrected", new.id)
    assert (current.item.text, current.state, current.valid_to) == ("Bea", "current", None)
    assert ada.blame(old.item.id) == [old, current]  # from either end


# ── True facts get retired by mistake ───────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I prefer tea", "I prefer coffee"),  # both may be true
        ("My name is Ada", "My editor is vim"),
        ("My name is Ada and I grew up in Porto", "Actually my name is Bea"),
        ("we decided on Rust", "Actually we decided on Zig"),
    ],
)
def test_nothing_but_the_same_key_may_supersede(first: str, second: str) -> None:
    ada = talk()
    ada.record(user=first)

    told = ada.record(user=second)

    assert set(texts(ada.items("semantic"))) == {first, second}
    assert {each.item_id.split(":")[2] for each in told.deleted} <= {"profile"}


def test_a_declared_conflict_retires_exactly_what_it_names() -> None:
    ada = talk()
    ada.record(user="I prefer tea")
    ada.record(user="I prefer trains")
    (tea, trains) = ada.items("semantic")

    told = ada.correct(tea.id, "I prefer coffee in the morning")

    assert [each.item_id for each in told.deleted] == [tea.id]
    assert texts(ada.items("semantic")) == [trains.text, "I prefer coffee in the morning"]
    assert [each.rule for each in told.conflicts] == ["correction"]


def test_one_call_lists_what_a_write_retired_and_one_brings_it_back() -> None:
    memory = world.memory(letter())
    ada = talk(of=memory)
    ada.record(user="My name is Ada")
    told = ada.record(user="Actually my name is Bea")

    gone = ada.retired_by(told.seq)
    assert [(each.item.text, each.reason, each.rule) for each in gone] == [
        ("My name is Ada", "superseded", "correction"),
        ("Ada", "superseded", "correction"),
    ]
    before = len(world.lines(memory))

    back = ada.undo(told.seq)

    assert texts(ada.items("profile")) == ["Ada"]
    assert texts(ada.items("semantic")) == ["My name is Ada"]
    assert {each.reason for each in back.deleted} == {"undone"}
    assert len(world.lines(memory)) > before  # a new entry; nothing was taken out of the log
    (restored,) = ada.items("profile")
    assert [each.state for each in ada.blame(restored.id)] == ["corrected", "undone", "current"]
    assert f"restored_from:{gone[1].item.id}" in restored.meta.policy_tags
    assert memory.rebuild() == {each.stream: each.projections for each in memory.prove()}


def test_an_undo_can_itself_be_listed_and_undone_by_saying_it_again() -> None:
    ada = talk()
    ada.record(user="My name is Ada")
    told = ada.record(user="Actually my name is Bea")
    back = ada.undo(told.seq)

    assert {each.item.text for each in ada.retired_by(back.seq)} == {
        "Actually my name is Bea",
        "Bea",
    }
    ada.record(user="Actually my name is Bea")
    assert texts(ada.items("profile")) == ["Bea"]


def test_an_undo_is_undone_like_any_other_write() -> None:
    memory = world.memory(letter())
    ada = talk(of=memory)
    ada.record(user="My name is Ada")
    told = ada.record(user="Actually my name is Bea")
    back = ada.undo(told.seq)

    again = ada.undo(back.seq)

    assert texts(ada.items("profile")) == ["Bea"]
    assert texts(ada.items("semantic")) == ["Actually my name is Bea"]
    ada.undo(again.seq)
    (restored,) = ada.items("profile")
    assert restored.text == "Ada"
    assert [each.state for each in ada.blame(restored.id)] == [
        "corrected", "undone", "undone", "undone", "current",
    ]  # fmt: skip
    tags = [each for each in restored.meta.policy_tags if each.startswith("restored_from:")]
    assert len(tags) == 1  # however often it went back and forth
    assert memory.rebuild() == {each.stream: each.projections for each in memory.prove()}


def test_what_was_taken_back_does_not_return_beside_what_took_its_key() -> None:
    ada = talk()
    ada.record(user="My name is Ada")
    (name,) = ada.items("profile")
    taken = ada.forget(name.id)
    ada.record(user="My name is Bea")

    with pytest.raises(RefusedError, match="undo_superseded"):
        ada.undo(taken.seq)

    assert texts(ada.items("profile")) == ["Bea"]


def test_what_retired_nothing_has_nothing_to_undo() -> None:
    ada = talk()
    told = ada.record(user="My name is Ada")

    with pytest.raises(RefusedError, match="nothing_to_undo"):
        ada.undo(told.seq)


def test_a_write_whose_winner_was_replaced_since_is_not_undone_behind_its_back() -> None:
    ada = talk()
    ada.record(user="My name is Ada")
    told = ada.record(user="Actually my name is Bea")
    ada.record(user="Actually my name is Cleo")

    with pytest.raises(RefusedError, match="undo_superseded"):
        ada.undo(told.seq)
    assert texts(ada.items("profile")) == ["Cleo"]


def test_what_a_promotion_retired_in_another_space_is_listed_and_undone_too() -> None:
    memory = world.memory(letter())
    ada = talk(of=memory)
    ada.record(user="My name is Ada", promote_to="user")
    told = ada.record(user="Actually my name is Bea", promote_to="user")
    assert texts(ada.items("profile", "user")) == ["Bea"]
    assert "Ada" in [each.item.text for each in ada.retired_by(told.seq)]

    ada.undo(told.seq)

    assert texts(ada.items("profile", "user")) == ["Ada"]
    assert memory.rebuild() == {each.stream: each.projections for each in memory.prove()}


def test_a_saying_and_its_fact_are_both_undone_in_the_space_that_they_were_sent_to() -> None:
    ada = talk(Policy(spaces=OPEN_SPACES))
    ada.record(user="My editor is vim", promote_to="user")
    told = ada.record(user="Actually my editor is Zed", promote_to="user")

    undone = ada.undo(told.seq)

    kept = {kind: texts(ada.items(kind, "user")) for kind in ("semantic", "profile")}
    assert kept == {"semantic": ["My editor is vim"], "profile": ["vim"]}
    ada.undo(undone.seq)
    kept = {kind: texts(ada.items(kind, "user")) for kind in ("semantic", "profile")}
    assert kept == {"semantic": ["Actually my editor is Zed"], "profile": ["Zed"]}


def test_what_left_the_session_because_another_space_has_it_is_listed_too() -> None:
    ada = talk()
    ada.record(user="I prefer tea")
    (tea,) = ada.items("semantic")

    told = ada.promote(tea.id, "user")

    assert [(each.item.id, each.reason) for each in ada.retired_by(told.seq)] == [
        (tea.id, "promoted")
    ]


def test_another_sessions_writes_cannot_be_listed_or_undone() -> None:
    memory = world.memory(letter())
    one = talk(of=memory, session="one")
    one.record(user="My name is Ada")
    told = one.record(user="Actually my name is Bea")
    two = talk(of=memory, session="two")

    with pytest.raises(NotFoundError):
        two.retired_by(told.seq)
    with pytest.raises(NotFoundError):
        two.undo(told.seq)
    # Nor does the decision take it, whoever asks for it by its number.
    stream, lived = agent_stream("main", "ada"), world.hub(memory)
    principal = Principal(name="tuff", role=Role.USER, tenant="main")
    undo = UndoWrite(batch=told.seq, session="two", subject="user_tuff")
    (answer,) = lived.append(stream, [lived.prepare(undo, principal)])
    assert answer.refusal is not None
    assert answer.refusal.reason == "nothing_to_undo"
    assert texts(one.items("profile")) == ["Bea"]


# ── One wrong fact cannot be fixed ──────────────────────────────────────────────────────────────


def test_one_wrong_fact_is_put_right_by_its_id() -> None:
    ada = talk()
    ada.record(user="My name is Ada and I speak Portuguese")
    name, language = ada.items("profile")

    ada.correct(name.id, "Bea")

    assert texts(ada.items("profile")) == ["Portuguese", "Bea"]
    assert [each.state for each in ada.blame(name.id)] == ["corrected", "current"]
    assert [each.state for each in ada.blame(language.id)] == ["current"]


def test_one_item_is_taken_back_by_its_id_and_nothing_else() -> None:
    ada = talk()
    told = ada.record(user="I prefer tea")
    ada.record(user="I prefer milk")
    (wrong,) = [each for each in told.written if each.kind == "semantic"]

    ada.forget(wrong.id)

    assert texts(ada.items("semantic")) == ["I prefer milk"]
    assert ada.blame(wrong.id)[0].state == "retracted"
    assert texts(ada.items("semantic", at=told.seq + 6)) == ["I prefer tea"]


@pytest.mark.parametrize("wrong", ["session:tuff:semantic:9", "session:other:semantic:1"])
def test_an_unknown_id_changes_nothing(wrong: str) -> None:
    ada = talk()
    ada.record(user="I prefer tea")

    with pytest.raises(RefusedError) as refused:
        ada.forget(wrong)
    assert refused.value.reason == "item_unknown"
    with pytest.raises(NotFoundError):
        ada.blame(wrong)
    with pytest.raises(InputError):
        ada.forget("nonsense")
    assert texts(ada.items("semantic")) == ["I prefer tea"]


# ── Stale facts are presented as current ────────────────────────────────────────────────────────


def test_wrong_replaced_and_expired_are_three_states_with_their_spans() -> None:
    ada = talk(decaying(DECAYS_AT_3))
    ada.record(user="My name is Ada")
    ada.record(user="My editor is vim")
    ada.record(user="I prefer tea")
    ada.record(user="Actually my name is Bea")  # it was wrong
    ada.record(user="My editor is helix")  # it was true until now
    for _ in range(3):
        ada.record(user="ok")  # and the preference had its time

    states = {
        each.item.text: each
        for kind, n in (("profile", 1), ("profile", 2), ("semantic", 3))
        for each in ada.blame(f"session:tuff:{kind}:{n}")
    }

    assert states["Ada"].state == "corrected"
    assert states["vim"].state == "replaced"
    assert states["I prefer tea"].state == "expired"
    for text in ("Ada", "vim", "I prefer tea"):
        assert states[text].valid_from < (states[text].valid_to or 0)
    now = [each.text for each in ada.recall("name editor tea").items if each.kind == "profile"]
    assert now == ["Bea", "helix"]


def test_what_was_true_then_can_be_read_as_of_then() -> None:
    ada = talk()
    ada.record(user="My editor is vim")
    (old,) = ada.items("profile")
    ada.record(user="My editor is helix")
    ended = ada.blame(old.id)[0].valid_to
    assert ended is not None

    assert texts(ada.items("profile", at=ended - 1)) == ["vim", "helix"]
    assert texts(ada.items("profile", at=ended)) == ["helix"]
    assert texts(ada.items("profile", at=ada.blame(old.id)[0].valid_from)) == ["vim"]
