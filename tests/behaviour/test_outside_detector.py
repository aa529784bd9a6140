"""An outside detector: names are found by whoever brings one, and a proof needs it no more."""

import threading
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

import muniment
from muniment.adapters.models.ner_detector import AT_ONCE_MAX, Labelled, NerDetector, presidio
from muniment.engine.streams.ports import Detector, Neighbours
from muniment.model.errors import InputError
from muniment.rules.privacy.detect import detector_version
from muniment.rules.privacy.rule import OutsideFinding

SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zaB3dE5gH"


class KnowsPeople:
    """A detector that knows two people by name, and remembers what it was shown."""

    name = "people-1"

    def __init__(self) -> None:
        self.shown: list[str] = []

    def find(self, text: str) -> Sequence[OutsideFinding]:
        self.shown.append(text)
        return [
            OutsideFinding(kind="person", start=text.index(each), end=text.index(each) + len(each))
            for each in ("Anna Kowalska", "Li Wei")
            if each in text
        ]


class Failing:
    """A detector that cannot say anything."""

    name = "failing"

    def find(self, text: str) -> Sequence[OutsideFinding]:
        raise RuntimeError("no model today")


class Wrong:
    """A detector that answers with what cannot be."""

    name = "wrong"

    def __init__(self, found: OutsideFinding) -> None:
        self._found = found

    def find(self, text: str) -> Sequence[OutsideFinding]:
        return [self._found]


def kept_bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.covers("A-011", "A-099")
def test_what_it_finds_is_redacted_recorded_and_proved_without_it(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "m", neighbours=Neighbours(detector=KnowsPeople())) as memory:
        kept = memory.agent("ada", user="tuff").remember("I met Anna Kowalska on +49 30 901820")

    assert kept.redacted == ("person", "phone")
    assert kept.text.startswith("I met [person:")
    with muniment.open(tmp_path / "m") as memory:
        assert all(proof.entries for proof in memory.prove())
        told = [
            msgspec.to_builtins(line.event)
            for stream in memory.streams()
            for line in memory.log(stream)
        ]
    assert "Kowalska" not in repr(told)
    assert f"{detector_version()}+people-1" in repr(told)
    assert "outside.people-1.person" in repr(told)
    assert b"Kowalska" not in kept_bytes(tmp_path)


def test_a_question_is_asked_and_kept_as_it_may_be_kept() -> None:
    with muniment.open(":memory:", neighbours=Neighbours(detector=KnowsPeople())) as memory:
        ada = memory.agent("ada", user="tuff")
        mine = ada.remember("Anna Kowalska likes tea")
        found = ada.recall("what does Anna Kowalska like?")

        assert found.hits[0].id == mine.episodic_id
        assert "Kowalska" not in found.receipt.query


@pytest.mark.covers("A-011")
def test_one_that_fails_is_a_refusal() -> None:
    with muniment.open(":memory:", neighbours=Neighbours(detector=Failing())) as memory:
        kept = memory.agent("ada", user="tuff").remember("perfectly plain words")

    assert (kept.stored, kept.reason) == (False, "PII_BLOCKED")


@pytest.mark.parametrize(
    "found",
    [
        OutsideFinding(kind="person", start=0, end=1_000),
        OutsideFinding(kind="person", start=-1, end=2),
        OutsideFinding(kind="person", start=2, end=2),
        OutsideFinding(kind="A person!", start=0, end=2),
        OutsideFinding(kind="", start=0, end=2),
    ],
)
def test_one_that_answers_with_what_cannot_be_is_a_refusal(found: OutsideFinding) -> None:
    with muniment.open(":memory:", neighbours=Neighbours(detector=Wrong(found))) as memory:
        assert memory.agent("ada", user="tuff").remember("plain words").reason == "PII_BLOCKED"


def test_it_is_shown_no_secret_that_the_rules_found() -> None:
    people = KnowsPeople()
    with muniment.open(":memory:", neighbours=Neighbours(detector=people)) as memory:
        kept = memory.agent("ada", user="tuff").remember(f"Li Wei has the token {SECRET}")

    assert kept.reason == "privacy_deny_sensitive"
    assert people.shown
    assert all(SECRET not in text for text in people.shown)


def test_its_name_stands_in_the_log_and_so_has_a_form() -> None:
    people = KnowsPeople()
    people.name = "my people\n"
    with pytest.raises(InputError, match="the name of a detector"):
        muniment.open(":memory:", neighbours=Neighbours(detector=people))


# ── Any function, and Presidio ──────────────────────────────────────────────────────────────────


def test_any_function_of_names_is_a_detector() -> None:
    def function(text: str) -> list[Labelled]:
        return [(0, 6, "PERSON"), (7, 9, "DATE")] if text.startswith("Li Wei") else []

    found = NerDetector("mine-1", function)

    assert found.find("Li Wei is here") == (OutsideFinding(kind="person", start=0, end=6),)
    assert found.find("nobody") == ()


def test_one_that_takes_too_long_is_not_waited_for_and_the_write_is_refused() -> None:
    hanging = threading.Event()

    def function(text: str) -> list[Labelled]:
        hanging.wait(30)
        return []

    slow = NerDetector("slow", function, timeout_seconds=0.05)
    with muniment.open(":memory:", neighbours=Neighbours(detector=slow)) as memory:
        ada = memory.agent("ada", user="tuff")
        answers = [ada.remember(f"plain words {n}").reason for n in range(AT_ONCE_MAX + 2)]
    hanging.set()

    assert set(answers) == {"PII_BLOCKED"}


def test_the_failure_of_a_function_is_told_to_whoever_asked() -> None:
    def function(text: str) -> list[Labelled]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        NerDetector("bad", function).find("x")


def test_one_text_is_asked_about_once() -> None:
    asked: list[str] = []

    def function(text: str) -> list[Labelled]:
        asked.append(text)
        return []

    counting = NerDetector("counting", function)
    assert [counting.find("x"), counting.find("x"), counting.find("y")] == [(), (), ()]
    assert asked == ["x", "y"]


class Result(msgspec.Struct):
    entity_type: str
    start: int
    end: int


class FakeAnalyzer:
    """As Presidio's analyzer answers; it notes what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[str, ...], float]] = []

    def analyze(
        self, text: str, language: str, *, entities: list[str], score_threshold: float
    ) -> list[Result]:
        self.asked.append((language, tuple(entities), score_threshold))
        return [Result("PERSON", 0, 6), Result("URL", 7, 9)]


def test_presidio_is_asked_for_what_has_no_form() -> None:
    analyzer = FakeAnalyzer()
    found: Detector = presidio(analyzer, language="de", entities=("PERSON",), score_min=0.7)

    assert found.name == "presidio-de"
    assert list(found.find("Li Wei is here")) == [OutsideFinding(kind="person", start=0, end=6)]
    assert analyzer.asked == [("de", ("PERSON",), 0.7)]
