"""Rollbacks and all that they write down: every entry of a story, compared whole with its file."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from tests import world
from tests.rendering import decided

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.layers import document_rows
from muniment.model import ids
from muniment.model.commands import AnyCommand, Forget, RestoreRecord
from muniment.model.commands.rollback import LedgerWindow, RevertChange, RollBack
from muniment.model.errors import RefusedError
from muniment.model.events import EpisodeWritten
from muniment.model.policy import DocumentPolicy, Policy, RecallPolicy

Golden = Callable[[str, str], None]
MARCH = ids.time_ms("2026-03-01T10:00:00.000Z")
PAGE = "https://kites.example.org/a"


def opened(policy: Policy | None = None) -> tuple[Memory, Agent]:
    memory = world.memory(policy, clock=world.StillClock(MARCH))
    return memory, memory.agent("ada", user="tuff")


def corrections(of: Memory) -> list[EpisodeWritten]:
    """The newest first."""
    found = [each for each in world.events(of) if isinstance(each, EpisodeWritten)]
    return [each for each in reversed(found) if each.corrects]


def append(ada: Agent, *commands: AnyCommand) -> None:
    for each in commands:
        ada._session.append(each)


def test_sentences_and_events_go_and_what_was_put_right_stands_again(golden: Golden) -> None:
    of, ada = opened()
    told = ada.remember("The purple kite is in the attic").episodic_id
    ada.correct(told, "The purple kite is in the cellar")
    new = next(each.episodic_id for each in corrections(of))
    with ada.job("a job") as job:
        event = f"ltm:{job.observe_event('user_input', 'said')}"
    mine: dict[str, Any] = {"subject": ada._session.subject}

    append(ada, RollBack(records=(new, event), what="w", reason="r", **mine))
    append(ada, RollBack(records=(new, "x"), **mine), RollBack(records=(), **mine))
    append(ada, RollBack(records=(), changes=2, **mine))

    golden("entries/rollback.txt", decided(of))


def test_memos_go_and_those_that_they_had_replaced_stand_again(golden: Golden) -> None:
    of, ada = opened()
    with ada.job("a job") as job:
        fact = {"type": "fact", "source": "tool", "importance": 1, "key": "kite:colour"}
        job.memorize(fact | {"text": "The kite is purple"})
        new = job.memorize(fact | {"text": "The kite is green"})
        other = job.memorize({"type": "fact", "text": "It rains", "importance": 1})
    mine: dict[str, Any] = {"subject": ada._session.subject}

    append(ada, RollBack(records=(new.id, other.id), what="w", reason="r", **mine))

    golden("entries/memo_rollback.txt", decided(of))


def test_a_document_goes_and_its_version_before_stands_again(golden: Golden) -> None:
    of, ada = opened()
    documents = ada.documents()
    documents.put(("notes", "home"), "k", 1)
    documents.put(("notes", "home"), "k", 2)
    name = document_rows.document_id(ada._session.subject, ("notes", "home"), "k")
    mine: dict[str, Any] = {"subject": ada._session.subject}

    append(ada, RollBack(records=(name,), what="w", reason="r", **mine))
    append(ada, RollBack(records=(name.replace("user_tuff", "mia"),), **mine))
    append(ada, RollBack(records=(name.replace("home", "none"),), **mine))
    append(ada, RollBack(records=(name,), subject="mia"))

    golden("entries/document_rollback.txt", decided(of))


def test_of_a_chain_that_goes_the_first_stands_again(golden: Golden) -> None:
    of, ada = opened()
    names = [ada.remember("The purple kite is in the attic").episodic_id]
    for place in ("cellar", "garden", "shed"):
        ada.correct(names[-1], f"The purple kite is in the {place}")
        names.append(corrections(of)[0].episodic_id)
    mine: dict[str, Any] = {"subject": ada._session.subject}

    append(ada, RollBack(records=tuple(names[2:]), **mine))
    append(ada, RestoreRecord(item_id=names[0], **mine))
    append(ada, RollBack(records=(names[1],), **mine))

    golden("entries/chain.txt", decided(of))


def test_governed_documents_are_not_rolled_back(golden: Golden) -> None:
    of, ada = opened(Policy(documents=DocumentPolicy(governed=True)))
    asked = ada.documents().put(("notes",), "k", 1)
    of.council().approve(asked.request_id)
    document = document_rows.document_id(ada._session.subject, ("notes",), "k")

    append(ada, RollBack(records=(document,), subject=ada._session.subject))

    golden("entries/governed_rollback.txt", decided(of))


def test_what_was_taken_back_lives_again_where_nothing_stands_in_its_place(golden: Golden) -> None:
    of, ada = opened(Policy(recall=RecallPolicy(short_term_messages=2)))
    mine: dict[str, Any] = {"subject": ada._session.subject}
    one = ada.remember("The purple kite is in the attic", source=PAGE)
    with ada.job("a job") as job:
        fact = {"type": "fact", "source": "tool", "importance": 1, "key": "kite:colour"}
        memo = job.memorize(fact | {"text": "The kite is purple"})
        event = job.observe_event("user_input", "said")
    talk = ada.conversation(session="s")
    for text in (
        "My favourite colour is purple",
        "My name is Ada",
        "Actually my name is Bea",
        "ok",
    ):
        talk.record(user=text, source=PAGE)
    ada.documents().put(("notes",), "k", 1)
    first = ada.seq + 1
    append(
        ada,
        Forget(item_id=one.episodic_id, **mine),
        Forget(item_id=memo.id, **mine),
        Forget(item_id=f"ltm:{event}", **mine),
    )
    ada.documents().drop(("notes",), "k")
    ada.remember("Nothing of this is undone")
    for kind in ("short_term", "profile"):
        for each in talk.items(kind):
            with suppress(RefusedError):
                talk.forget(each.id)
    last = ada.seq

    windows = {
        "1": LedgerWindow(
            window=("session:s:short_term:3",), unsummarised=("session:s:short_term:1",)
        )
    }
    append(ada, RevertChange(first=first, last=last, windows=windows, **mine))
    append(ada, RevertChange(first=first, last=last, **mine))
    append(ada, RevertChange(first=1, last=2, **mine))

    golden("entries/revert.txt", decided(of))


def test_a_key_that_something_else_holds_by_now_stays_its(golden: Golden) -> None:
    of, ada = opened()
    mine: dict[str, Any] = {"subject": ada._session.subject}
    talk = ada.conversation(session="s")
    talk.record(user="My name is Ada")
    with ada.job("a job") as job:
        fact = {"type": "fact", "source": "tool", "importance": 1, "key": "kite:colour"}
        memo = job.memorize(fact | {"text": "The kite is purple"})
        first = ada.seq + 1
        append(ada, Forget(item_id=memo.id, **mine))
        talk.forget(talk.items("profile")[0].id)
        last = ada.seq
        job.memorize(fact | {"text": "The kite is green"})
    talk.record(user="My name is Bea")

    append(ada, RevertChange(first=first, last=last, **mine))

    golden("entries/taken_keys.txt", decided(of))


def test_one_record_is_restored_where_it_stood_and_once(golden: Golden) -> None:
    of, ada = opened()
    mine: dict[str, Any] = {"subject": ada._session.subject}
    one = ada.remember("The purple kite is in the attic").episodic_id
    with ada.job("a job") as job:
        event = f"ltm:{job.observe_event('user_input', 'said')}"

    for name in (one, event):
        append(ada, RestoreRecord(item_id=name, **mine), Forget(item_id=name, **mine))
        append(ada, RestoreRecord(item_id=name, **mine), RestoreRecord(item_id=name, **mine))
        append(ada, Forget(item_id=name, **mine), RestoreRecord(item_id=name, **mine))
    append(ada, RestoreRecord(item_id="none", **mine), RestoreRecord(item_id="ltm:none", **mine))

    golden("entries/restored.txt", decided(of))


@pytest.mark.parametrize("user", ["tuff", ""])
def test_what_is_forgotten_by_a_filter_and_rolled_back_is_undone(golden: Golden, user: str) -> None:
    memory = world.memory(clock=world.StillClock(MARCH))
    ada = memory.agent("ada", user=user)
    ada.remember("The purple kite is in the attic", source=PAGE)
    talk = ada.conversation(session="s", project="atlas")
    talk.record(user="My favourite colour is purple", source=PAGE)
    talk.record(user="We decided on purple", source=PAGE, promote_to="project")

    done = ada.roll_back("source", PAGE)
    ada.undo_rollback(done.first)

    golden(f"entries/undone_rollback_{user or 'nobody'}.txt", decided(memory))
