"""A soak is as long as whoever starts it has time, and never shorter than the suite."""

import pytest
from tests.soaking import times


@pytest.mark.parametrize(
    ("share", "done"), [("", 15), ("1", 15), ("10", 18), ("100", 180), ("300", 540)]
)
def test_a_share_of_a_soak(monkeypatch: pytest.MonkeyPatch, share: str, done: int) -> None:
    monkeypatch.setenv("MUNIMENT_SOAK", share)
    assert times(15, soak=180) == done
