"""A proof by spans: workers share a long log; what was proved or signed is not decided again."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.test_terminal_proving import damage
from tests.terminal import Shell

import muniment
from muniment.adapters.config import Settings
from muniment.adapters.operations import bulk_jobs
from muniment.adapters.operations.bulk_jobs import BulkOptions
from muniment.engine.api.memory import Memory
from muniment.engine.audit.replay import Proof, joined
from muniment.engine.audit.replayed_stream import DecidedSpan, spans
from muniment.engine.streams import command_pipeline
from muniment.model.errors import IntegrityError, ReplayDivergedError
from muniment.model.events import EpisodeWritten
from muniment.model.scope import agent_stream

LOG = "main/agent/ada/actor"
SENTENCES = tuple(f"Sentence number {n} is about the {n}th garden" for n in range(12))
FORGED = SENTENCES[7]


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return muniment.open(tmp_path / "memory")


def tell(memory: Memory) -> list[int]:
    ada = memory.agent("ada")
    return [ada.remember(each).seq for each in SENTENCES]


def otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on one sentence is kept as another than was said, by a program that is wrong."""
    decide = command_pipeline.events

    def wrongly(*told: object) -> object:
        return [
            msgspec.structs.replace(each, summary="Something else")
            if isinstance(each, EpisodeWritten) and each.summary == FORGED
            else each
            for each in decide(*told)  # type: ignore[arg-type]
        ]

    monkeypatch.setattr(command_pipeline, "events", wrongly)


@given(st.integers(0, 500_000), st.integers(1, 40), st.integers(0, 500_000))
def test_spans_cover_what_is_left_once_and_end_open(entries: int, pieces: int, after: int) -> None:
    after = min(after, entries)

    made = spans(entries, pieces, after)

    assert len(made) == pieces
    assert made[0].after == after
    assert [each.upto for each in made[:-1]] == [each.after for each in made[1:]]
    assert made[-1].upto is None
    assert [each.after for each in made] == sorted(each.after for each in made)
    assert made[-1].after <= entries


def test_the_spans_of_a_log_prove_together_what_one_proof_does(memory: Memory) -> None:
    tell(memory)
    stream = agent_stream("main", "ada")

    parts = [memory.prove_stream(stream, span=each) for each in spans(memory.head(stream), 3)]

    assert [each.decided_after for each in parts] == sorted(each.decided_after for each in parts)
    assert len({each.decided_after for each in parts}) == 3
    assert joined(parts) == memory.prove_stream(stream)


def test_a_wrong_decision_is_found_by_the_span_that_holds_it_and_by_no_later_one(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        otherwise(patched)
        seqs = tell(memory)
    stream, wrong = agent_stream("main", "ada"), seqs[SENTENCES.index(FORGED)]

    with pytest.raises(ReplayDivergedError):
        memory.prove_stream(stream)
    with pytest.raises(ReplayDivergedError):
        memory.prove_stream(stream, span=DecidedSpan(after=seqs[2], upto=wrong + 1))
    behind = memory.prove_stream(stream, span=DecidedSpan(after=wrong))
    before = memory.prove_stream(stream, span=DecidedSpan(upto=seqs[2]))

    assert behind.decided_after == wrong
    assert before.entries < wrong < behind.entries


def test_workers_share_a_long_log_and_answer_as_one(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(memory)
    (whole,) = memory.prove()
    memory.close()
    monkeypatch.setattr(bulk_jobs, "SHARED_ENTRIES_MIN", 10)
    address, wish = str(tmp_path / "memory"), BulkOptions(workers=2)

    chores = bulk_jobs.chores(address, "prove", Settings(), wish)
    (told,) = bulk_jobs.work(address, "prove", Settings(), wish=wish)

    assert [each.stream for each in chores] == [LOG, LOG]
    assert msgspec.json.decode(told.told, type=Proof) == whole


def test_only_what_is_new_since_a_report_or_a_signature_is_decided_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--agent", "ada")
    with monkeypatch.context() as patched:
        otherwise(patched)
        shell("remember", FORGED)
    with muniment.open(tmp_path / "memory") as memory:
        stood = memory.log(agent_stream("main", "ada"))[-1]
    head = {"stream": LOG, "entries": stood.seq, "head": stood.hash.hex()}
    (tmp_path / "heads.json").write_bytes(msgspec.json.encode({"streams": [head]}))
    shell("sign")
    shell("remember", "I moved to Lisbon in March")

    assert shell("prove").exit_code != 0, "the wrong decision lies before both"
    since = shell("prove", "--new", "--since", str(tmp_path / "heads.json"))
    signed = shell("prove", "--new", "--workers", "2")

    for told in (since, signed):
        assert told.exit_code == 0, told.output
        assert f"every decision behind the first {stood.seq} comes out the same" in told.output


def test_what_was_signed_must_still_be_the_same_bytes(memory: Memory, tmp_path: Path) -> None:
    seqs = tell(memory)
    memory.notary().sign(agent_stream("main", "ada"))
    upto = memory.signed()[LOG]
    assert upto == memory.head(agent_stream("main", "ada"))
    memory.close()
    damage(tmp_path / "memory", seqs[3])

    with muniment.open(tmp_path / "memory") as again, pytest.raises(IntegrityError):
        again.prove(after={LOG: upto})
