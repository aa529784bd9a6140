"""What a reader keeps between two questions is never older than the log, whoever wrote to it."""

import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

import apsw
import msgspec
import pytest

import muniment
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.search.recall import Recaller
from muniment.engine.search.recall_filter import RecallFilter
from muniment.model.errors import PolicyError
from muniment.model.policy import Policy, Trust, digest

COLOUR = "user/profile/user_tuff/favorite_color"
TOLD = "the heron of Sacavem stood in the reeds"


class Two:
    """One folder opened twice; `here` has asked already, so it holds whatever it ever keeps."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.here, self.there = muniment.open(folder), muniment.open(folder)
        self.ada = self.here.agent("ada", user="tuff")
        self.other = self.there.agent("ada", user="tuff")
        self.ada.remember("tea in the garden by the river")
        self.ada.recall("heron tea")
        self.ada.context("heron tea", budget=400)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    found = Two(tmp_path / "m")
    yield found
    found.here.close()
    found.there.close()


def texts(of: Agent, question: str = "heron tea") -> list[str]:
    return [hit.text for hit in of.recall(question).hits]


def approve(of: Memory, ada: Agent, value: str) -> None:
    episode = ada.remember(f"my colour is {value}")
    request = ada.memory_promote_request(episode.episodic_id, COLOUR, "said so", value=value)
    of.council().approve(request)


def test_what_another_writer_remembered_is_recalled_at_once(two: Two) -> None:
    two.other.remember(TOLD)

    assert TOLD in texts(two.ada)
    assert TOLD in two.ada.context("heron", budget=400).text


def test_what_another_process_remembered_is_recalled_at_once(two: Two) -> None:
    script = "import muniment, sys; muniment.open(sys.argv[1]).agent('ada', user='tuff').remember"
    subprocess.run([sys.executable, "-c", f"{script}({TOLD!r})", str(two.folder)], check=True)

    assert TOLD in texts(two.ada)


def test_what_was_forgotten_elsewhere_is_not_recalled_again(two: Two) -> None:
    told = two.other.remember(TOLD)
    assert TOLD in texts(two.ada)

    two.other.forget(told.episodic_id, reason="asked")

    assert TOLD not in texts(two.ada)


def test_nothing_of_an_erased_person_is_served_from_what_was_kept(two: Two) -> None:
    two.other.remember(TOLD)
    approve(two.there, two.other, "cerulean")
    assert TOLD in texts(two.ada)
    assert any("cerulean" in text for text in texts(two.ada, "favorite color"))
    eraser = two.there.eraser()
    request = eraser.request("tuff", reason="asked for it")
    two.there.council().approve(request)

    eraser.carry_out(request)

    assert texts(two.ada) == texts(two.ada, "favorite color cerulean") == []
    assert "heron" not in two.ada.context("heron cerulean", budget=400).text


def test_a_word_that_is_vouched_for_is_recalled_at_once(two: Two) -> None:
    outside = two.other.remember(TOLD, origin="external", source="example.org")
    assert TOLD not in texts(two.ada)

    two.other.vouch(outside.episodic_id, reason="I went there")

    assert TOLD in texts(two.ada)


def test_a_change_of_policy_holds_from_the_next_question_on(two: Two) -> None:
    two.other.remember(TOLD, origin="external", source="example.org")
    before = two.ada.recall("heron").receipt.policy
    assert TOLD not in texts(two.ada)

    two.there.admin().adopt_policy(Policy(trust=Trust(quarantined=())), agent="ada")

    assert TOLD in texts(two.ada)
    assert two.ada.recall("heron").receipt.policy == digest(two.other.policy) != before


def test_an_approved_fact_and_its_successor_are_recalled_at_once(two: Two) -> None:
    approve(two.there, two.other, "cerulean")
    assert "favorite color: cerulean" in texts(two.ada, "favorite color")

    approve(two.there, two.other, "ochre")

    told = [hit for hit in two.ada.recall("favorite color").hits if hit.layer == "sem"]
    assert [hit.text for hit in told] == ["favorite color: ochre"]
    hashes = {hit.evidence.sem_snapshot_hash for hit in told}
    assert hashes == {two.other.recall("favorite color").hits[0].evidence.sem_snapshot_hash}


def test_a_receipt_names_the_head_that_its_answer_saw(two: Two) -> None:
    """Somebody writes between the look at the log and the answer: both stand on the look."""
    recaller, session = Recaller(two.ada._session), two.ada._session
    standing = session.snapshot()
    two.other.remember(TOLD)

    told = recaller.answer(recaller.question("heron tea", RecallFilter(results_max=8), standing))
    bundle = recaller.told(told)
    recaller.note(bundle, "heron tea", job=0)

    assert TOLD not in [hit.text for hit in bundle.hits]
    assert bundle.receipt.reads[session.writer.stream.ref] == standing.seq < two.ada.seq
    session.flush()
    again = two.ada.recall_again(two.ada.seq)
    assert msgspec.to_builtins(again.hits) == msgspec.to_builtins(bundle.hits)


def test_who_closes_a_memory_has_its_room_back_at_once(tmp_path: Path) -> None:
    memory = muniment.open(tmp_path)
    ada = memory.agent("ada", user="tuff")
    ada.remember(TOLD)
    ada.recall("heron")
    held = weakref.ref(ada._session.index().view(ada.seq).collection.columns)
    gc.disable()  # it would come round at some time, and meanwhile each opening would add to it
    try:
        memory.close()
        assert held() is None
        assert not [each for each in apsw.connections() if str(tmp_path) in each.filename]
    finally:
        gc.enable()


def test_a_memory_that_cannot_be_opened_holds_nothing_open(tmp_path: Path) -> None:
    (tmp_path / "policy.toml").write_text("nonsense = 1\n")
    gc.disable()
    try:
        with pytest.raises(PolicyError):
            muniment.open(tmp_path)
        assert not [each for each in apsw.connections() if str(tmp_path) in each.filename]
    finally:
        gc.enable()
