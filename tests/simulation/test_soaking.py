"""A soak is as long as whoever starts it has time, and never shorter than the suite."""

from pathlib import Path

import pytest
from tests.simulation import soak
from tests.soaking import times

# Tests that do more of the same when they are asked to soak.
WHOSE_COUNT_GROWS = sorted(
    path
    for path in (soak.ROOT / "tests").rglob("test_*.py")
    if "soaking" in path.read_text() and path != Path(__file__)
)


@pytest.mark.parametrize(
    ("share", "done"), [("", 15), ("1", 15), ("10", 18), ("100", 180), ("300", 540)]
)
def test_a_share_of_a_soak(monkeypatch: pytest.MonkeyPatch, share: str, done: int) -> None:
    monkeypatch.setenv("MUNIMENT_SOAK", share)
    assert times(15, soak=180) == done


def test_every_row_of_a_soak_names_tests_that_there_are() -> None:
    named = [path for row in soak.ROWS for path in row.tests.split()]

    assert [path for path in named if not (soak.ROOT / path).exists()] == []
    assert {str(each.relative_to(soak.ROOT)) for each in WHOSE_COUNT_GROWS} <= {
        str(each.relative_to(soak.ROOT))
        for path in named
        for each in [soak.ROOT / path, *(soak.ROOT / path).glob("test_*.py")]
    }


def test_a_row_that_fails_is_told_and_ends_the_soak_with_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test_good.py").write_text("def test_it() -> None:\n    assert True\n")
    (tmp_path / "test_bad.py").write_text("def test_it() -> None:\n    assert not 'lost'\n")
    rows = [soak.Row("all is kept", str(tmp_path / "test_good.py"))]
    rows += [soak.Row("nothing is lost", str(tmp_path / "test_bad.py"))]
    crowd = soak.Outcome("a crowd", is_good=True, said="116, 0 failed", seconds=1, output="")
    monkeypatch.setattr(soak, "ROWS", tuple(rows))
    monkeypatch.setattr(soak, "crowd", lambda _: crowd)
    # No settings of ours apply in that folder, and none of the plugins of others is needed there.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "xdist.plugin")

    code = soak.main(["1", "0"])

    told = capsys.readouterr()
    assert code == 1
    assert "all is kept                          held" in told.out
    assert "nothing is lost                      FAILED" in told.out
    assert "1 of 3 failed" in told.out
    assert "assert not 'lost'" in told.err
