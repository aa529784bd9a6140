"""Whoever looks at a screen sees how far a long work is, of how much, and how long is left."""

import io
import re
from contextlib import redirect_stderr
from pathlib import Path

import pytest
from tests.terminal import Shell

from muniment.adapters import config
from muniment.adapters.cli import progress
from muniment.adapters.cli.audit import provenance
from muniment.adapters.cli.main import cli
from muniment.adapters.config import Settings
from muniment.adapters.models.chat_model import PlainModel
from muniment.adapters.storage import long_reads
from muniment.engine.streams.ports import Model

SENTENCES = ["I moved to Lisbon in March", "The cat is called Miso", "I like green tea"]
NOTES = "".join(f"- note {number}: the ferry was late\n" for number in range(5))


class LookedAt(io.StringIO):
    """A screen that somebody looks at."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    made = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    for each in SENTENCES:
        made("remember", each)
    made("recall", "Where do I live?")
    return made


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> LookedAt:
    """It shows every step, and an estimate from the first on: these works are short."""
    looked_at = LookedAt()
    monkeypatch.setattr(progress, "REDRAW_SECONDS", 0.0)
    monkeypatch.setattr(progress, "ESTIMATE_SECONDS", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    return looked_at


def run(shell: Shell, screen: LookedAt, *words: str) -> None:
    """In this very process, with that screen."""
    with redirect_stderr(screen), pytest.raises(SystemExit) as end:
        cli.main([*shell.options, *words])
    assert end.value.code == 0


def ended(screen: LookedAt) -> list[str]:
    """Every stage that was counted to its end: what is done, and in which unit."""
    drawn = re.findall(r"\S ([^\r\x1b]+?) (\d+) of (\d+)([^\r\x1b]*)", screen.getvalue())
    last = [(what, rest) for what, done, of, rest in drawn if done == of]
    assert all(rest.endswith(", about 0 s left") for what, rest in last if "question" not in what)
    return [f"{what}{rest.partition(',')[0]}" for what, rest in last]


def approved_erasure(shell: Shell) -> str:
    request = str(shell.document("erase", "tuff")["request_id"])
    shell("approve", request)
    return request


def test_rekey_counts_the_keys(shell: Shell, screen: LookedAt) -> None:
    run(shell, screen, "rekey", "--yes")

    assert ended(screen) == ["Exchanging… reading keys", "Exchanging… wrapping keys"]


def test_due_counts_the_entries_that_it_reads(tmp_path: Path, screen: LookedAt) -> None:
    shell = Shell("--store", str(tmp_path / "kept"), "--user", "tuff")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "policy.toml").write_text("[keep_days]\nsentences = 30\n")
    shell("remember", "The boat is called Petrel")
    run(shell, screen, "due")
    run(shell, screen, "due", "--carry-out")

    assert ended(screen)[0] == "Looking… reading entries"
    assert ended(screen)[-1] == "Erasing… reading entries"


def test_an_erasure_counts_what_it_reads_and_builds_again(shell: Shell, screen: LookedAt) -> None:
    run(shell, screen, "erase", "--carry-out", approved_erasure(shell), "--yes")

    stages = ("reading", "comparing", "rebuilding")
    assert ended(screen) == [f"Erasing… {each} entries" for each in stages]
    assert "Erasing… scanning the files" in screen.getvalue()


def test_what_if_counts_entries_and_questions(shell: Shell, screen: LookedAt) -> None:
    run(shell, screen, "policy-what-if")

    log = "Deciding again… main/agent/default/actor:"
    assert ended(screen) == [f"{log} entry", f"{log} question"]


def test_export_counts_the_entries_and_import_the_lines(
    tmp_path: Path, shell: Shell, screen: LookedAt
) -> None:
    run(shell, screen, "export", str(tmp_path / "kept.jsonl"))
    exported = ended(screen)
    other = Shell("--store", str(tmp_path / "other"))
    run(other, screen, "import", str(tmp_path / "kept.jsonl"))
    imported = ended(screen)[len(exported) :]
    notes = tmp_path / "notes.md"
    notes.write_text(NOTES)
    run(other, screen, "import", str(notes), "--user", "ann")

    assert re.search(r"Exporting… \d+ of \d+ entries, about \d+ s left", screen.getvalue())
    assert imported == ["Importing… lines"]
    assert ended(screen)[len(exported) + 1 :] == ["Importing… lines"]


def test_a_report_about_a_person_counts_the_entries(
    tmp_path: Path, shell: Shell, screen: LookedAt
) -> None:
    run(shell, screen, "about", "tuff", "--file", str(tmp_path / "tuff.jsonl"))

    assert re.search(r"Writing… \d+ of \d+ entries, about \d+ s left", screen.getvalue())


def test_counting_what_is_known_of_a_person_says_how_far_it_is(
    shell: Shell, screen: LookedAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provenance, "COUNTED_MAX", 2)
    run(shell, screen, "about", "tuff")

    assert re.search(r"Counting… \d+ of \d+ entries, about \d+ s left", screen.getvalue())


def test_where_nobody_looks_nothing_is_drawn(shell: Shell) -> None:
    assert shell("rekey", "--yes").stderr == ""


@pytest.mark.parametrize(
    "words",
    [
        ("metrics", "--model", "ollama:none"),
        ("index", "status"),
        ("summary",),
        ("extract", "--waiting"),
        ("impact", "EPISODE"),
    ],
    ids=lambda words: words[0],
)
def test_a_command_without_stages_of_its_own_shows_how_far_it_has_read_the_log(
    shell: Shell, screen: LookedAt, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    episode = str(shell.document("list")["records"][0]["id"])  # type: ignore[index]
    monkeypatch.setattr(long_reads, "EVERY", 1)
    run(shell, screen, *(episode if word == "EPISODE" else word for word in words))

    assert re.search(r"Reading… \d+ of \d+ entries, about \d+ s left", screen.getvalue())
    assert screen.getvalue().endswith(progress.WIPE)


def test_a_work_that_is_silent_while_it_reads_shows_how_far_it_has_read(
    shell: Shell, screen: LookedAt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_reads, "EVERY", 1)
    run(shell, screen, "bundle", str(tmp_path / "bundle"))

    assert re.search(r"Writing… reading \d+ of \d+ entries, about \d+ s left", screen.getvalue())


def test_reads_after_one_that_took_a_second_are_shown_at_once(
    screen: LookedAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "ESTIMATE_SECONDS", 1.0)
    clock = iter([0.0, 0.5, *[2.0] * 100])
    monkeypatch.setattr("muniment.adapters.cli.progress.time.monotonic", lambda: next(clock))
    with redirect_stderr(screen), progress.long_reads() as reading:
        assert reading
        for done in (128, 256, 0, 128):
            reading(done, 1_000 if done else 0)

    assert re.findall(r"(\d+) of 1,000 entries", screen.getvalue()) == ["256", "128"]


def test_a_quick_read_draws_nothing(shell: Shell) -> None:
    looked_at = LookedAt()
    run(shell, looked_at, "summary")

    assert looked_at.getvalue() == ""


def test_a_model_that_is_asked_is_counted_by_texts(
    shell: Shell, screen: LookedAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    def model(settings: Settings, folder: Path | None) -> Model:
        del settings, folder
        return PlainModel.from_function(lambda *_: '{"facts": [], "sentences": []}')

    monkeypatch.setattr(config, "_model", model)
    run(shell, screen, "extract")
    run(shell, screen, "summary", "--write")

    assert ended(screen) == ["Extracting… texts", "Writing… texts"]
