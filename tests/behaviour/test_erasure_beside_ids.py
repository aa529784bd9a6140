"""Whoever has spoken of ids, days and codes can be erased: what stands in the open is no residue.

The scan at the end of an erasure looks for a person's words in every file. The headers of a log
are in one of them, and they hold ids, times and codes for ever; a person who has said one of these
must not be told that something of theirs is left.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.world import hub

import muniment
from muniment import Agent, Memory, MunimentError
from muniment.engine.audit.erasure import Erasure
from muniment.engine.audit.erasure_scan import SearchTerms
from muniment.model.errors import RefusedError

Life = Callable[[Memory, Agent], object]


def votes_twice(memory: Memory, ada: Agent) -> None:
    """The no to the second vote names the request, in an entry about the person it is about."""
    question = ada.remember("Remember my favourite colour is cerulean").question
    assert question
    request = ada.confirm(question.confirmation_id)
    memory.council("bea").approve(request)
    with pytest.raises(MunimentError):
        memory.council("bea").approve(request)


def keeps_a_day(memory: Memory, ada: Agent) -> None:
    day = ada.get_range()[-1].header.ts[:10]
    ada.documents().put(("trips",), "next", {"leaves": day})


def keeps_a_moment(memory: Memory, ada: Agent) -> None:
    ada.remember(ada.get_range()[-1].header.ts)


def keeps_a_thread(memory: Memory, ada: Agent) -> None:
    turn = ada.thread("slack").turn("Is the train on time?")
    ada.documents().put(("app",), "state", {"thread": turn.thread_id})


def keeps_a_memo(memory: Memory, ada: Agent) -> None:
    kept = ada.memorize(
        {"type": "fact", "text": "The build uses port 5432", "key": "project:build"}
    )
    ada.forget_memos("SM", "key:project:build")
    ada.remember(kept.id)
    ada.documents().put(("app",), "state", {"memo": kept.id})


def keeps_a_code(memory: Memory, ada: Agent) -> None:
    ada.documents().put(
        ("app",), "state", {"authority": "user_asserted", "recipe": "token_set_ratio"}
    )


LIVES = [votes_twice, keeps_a_day, keeps_a_moment, keeps_a_thread, keeps_a_memo, keeps_a_code]


def erase(memory: Memory, user: str) -> Erasure:
    request = memory.eraser().request(user, reason="they asked for it")
    memory.council("bea").approve(request)
    return memory.eraser().carry_out(request)


@pytest.mark.parametrize("life", LIVES)
def test_what_the_log_says_in_the_open_bars_nobody_s_erasure(life: Life, tmp_path: Path) -> None:
    with muniment.open(tmp_path) as memory:
        (tmp_path / "policy.toml").write_text('[identity.memory]\nalgorithm = "token_set_ratio"\n')
        ada = memory.agent("ada", user="tuff")
        ada.remember("I moved to Lisbon in March")
        life(memory, ada)

        assert erase(memory, "tuff").fragments
        assert all(proof.shredded for proof in memory.prove() if "agent" in proof.stream)


def test_an_erasure_that_was_barred_is_completed_by_the_next_run(tmp_path: Path) -> None:
    """What it looks for was written down by a program that took an id for a person's word."""
    with muniment.open(tmp_path) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember("I moved to Lisbon in March")
        request = memory.eraser().request("tuff", reason="they asked for it")
        memory.council("bea").approve(request)
        SearchTerms(hub(memory).parts.world.keyring, request).keep({request.encode()})

        assert memory.eraser().carry_out(request).fragments


def test_a_sentence_in_a_file_is_residue_whatever_stands_beside_it(tmp_path: Path) -> None:
    with muniment.open(tmp_path) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember("I moved to Lisbon in March")
        (tmp_path / "notes.txt").write_text("he said: I moved to Lisbon in March, 2026-11-16")

        with pytest.raises(RefusedError) as refused:
            erase(memory, "tuff")

    assert refused.value.reason == "erasure_left_residue"
    assert "notes.txt" in str(refused.value)
