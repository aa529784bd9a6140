"""Another embedder: made beside the old one, graded on real questions, switched to and back."""

from pathlib import Path

import msgspec
import pytest
from tests.terminal import Shell
from tests.world import memory

import muniment
from muniment.engine.api.memory import Memory
from muniment.engine.streams.parts import Tools
from muniment.model.errors import EmbedderError, InputError
from muniment.model.policy import Policy, RecallPolicy
from muniment.retrieval.index import segments
from muniment.retrieval.index.hashing_embedder import HashingEmbedder


class Letters:
    """Another way to see texts: by their first letters."""

    name, dims = "letters-1", 26

    def embed(self, text: str) -> bytes:
        counts = bytearray(self.dims)
        for word in text.lower().split():
            if word[0].isascii() and word[0].isalpha():
                counts[ord(word[0]) - ord("a")] += 20
        return bytes(counts)


@pytest.fixture
def of(monkeypatch: pytest.MonkeyPatch) -> Memory:
    monkeypatch.setattr(segments, "BLOCK", 4)
    made = memory(tools=Tools(embedder=HashingEmbedder(), others=(Letters(),)))
    for user in ("tuff", "mia"):
        ada = made.agent("ada", user=user)
        ada.remember_many(f"tea number {n} for {user}" for n in range(9))
        ada.remember("a quiet garden by the river")
        ada.recall("tea for the garden")
        ada.recall("river")
        ada.remember("and so on")
    return made


def test_indexes_are_made_beside_the_present_ones_and_show_their_progress(of: Memory) -> None:
    told: list[tuple[int, int]] = []
    before = of.agent("ada", user="tuff").recall("tea").receipt

    assert of.indexing().build("ada", "letters-1", progress=lambda *at: told.append(at)) == 3

    assert told == [(1, 3), (2, 3), (3, 3)]
    status = of.indexing().status("ada")
    assert (status.embedder, status.readers) == ("hashed-ngrams-1", 3)
    assert status.documents["letters-1"] >= 8
    assert of.agent("ada", user="tuff").recall("tea").receipt.scores_ppm == before.scores_ppm


def test_both_are_graded_on_the_questions_that_were_asked(of: Memory) -> None:
    grade = of.indexing().grade("ada", "letters-1")
    same = of.indexing().grade("ada", "hashed-ngrams-1")

    assert grade.questions == same.questions == 4
    assert 0 < grade.kept_ppm <= 1_000_000
    assert (same.kept_ppm, same.first_ppm, same.changed) == (1_000_000, 1_000_000, ())


def test_a_switch_is_one_entry_and_so_is_the_way_back(of: Memory) -> None:
    ada = of.agent("ada", user="tuff")
    before = msgspec.to_builtins(ada.recall("tea for the garden").hits)

    of.indexing().switch("ada", "letters-1", reason="to try it")
    there = ada.recall("tea for the garden").receipt
    of.indexing().switch("ada", "hashed-ngrams-1")

    assert there.basis is not None
    assert there.basis.embedder == "letters-1"
    assert msgspec.to_builtins(ada.recall("tea for the garden").hits) == before


def test_an_embedder_that_is_not_at_hand_is_refused_by_name(of: Memory) -> None:
    for attempt in (of.indexing().switch, of.indexing().build, of.indexing().grade):
        with pytest.raises(InputError, match="letters-1"):
            attempt("ada", "letters-99")


def test_an_embedder_that_the_policy_names_and_that_is_absent_is_nobodys_bad_input() -> None:
    of = memory()
    ada = of.agent("ada", user="tuff")
    ada.remember("tea at noon")
    found = ada.recall("tea")
    ada.flush()
    seq = ada.seq
    of.admin().adopt_policy(Policy(recall=RecallPolicy(embedder="server-1536")), agent="ada")

    assert ada.remember("more tea").stored
    for read in (ada.recall, ada.context):
        with pytest.raises(EmbedderError, match="server-1536"):
            read("tea")
    assert ada.recall_again(seq) == found
    status = of.indexing().status("ada")
    assert status.embedder == "server-1536"
    assert status.embedder not in status.at_hand


def test_whoever_is_refused_for_an_absent_embedder_reads_the_field_and_the_way_back() -> None:
    of = memory()
    ada = of.agent("ada", user="tuff")
    ada.remember("tea at noon")
    of.admin().adopt_policy(Policy(recall=RecallPolicy(embedder="server-1536")), agent="ada")

    with pytest.raises(EmbedderError) as refused:
        ada.recall("tea")

    assert "`recall.embedder`" in refused.value.detail
    assert "`muniment index switch hashed-ngrams-1`" in refused.value.detail
    of.indexing().switch("ada", "hashed-ngrams-1")
    assert ada.recall("tea").hits


def test_the_terminal_shows_builds_grades_and_switches(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "m") as kept:
        ada = kept.agent("default", user="tuff")
        ada.remember("tea at noon")
        ada.recall("tea")
    shell = Shell("--store", str(tmp_path / "m"))
    assert "pieces-" in shell("index", "status").stdout
    assert shell("index", "build", "hashed-ngrams-1").stdout.startswith("Made: 2 indexes")
    assert "answers kept" in shell("index", "grade", "hashed-ngrams-1").stdout
    assert "Searched with" in shell("index", "switch", "hashed-ngrams-1").stdout
    assert shell("recall", "tea", "--user", "tuff", "--json").stdout.count("hashed-ngrams-1") == 1
