"""Whatever comes from outside is read or refused: no input of any parser ends in a traceback."""

from pathlib import Path

import pytest
from tests.forging import check_once
from tests.fuzzing.fuzz import Found, Fuzzed, fuzz
from tests.fuzzing.parsers import PARSERS, Parser
from tests.soaking import times

INPUTS = times(300, soak=35_000)  # of each parser
REFUSED_MIN = max(15, INPUTS // 100)  # the longer it goes on, the more is changed of what was read


@pytest.mark.parametrize("name", PARSERS)
def test_no_input_breaks_a_parser(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_once(monkeypatch)

    told = fuzz(name, INPUTS, tmp_path)

    assert not told.found, "\n".join(f"{each.error}\n   {each.data[:300]!r}" for each in told.found)
    assert told.kinds > 1, "everything is answered alike: nothing is tried"
    if PARSERS[name].refuses:
        assert told.refused > REFUSED_MIN, "hardly anything was refused: nothing is tried"


def test_an_input_that_breaks_a_parser_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(data: bytes, _: Path) -> object:
        return data.decode("ascii")  # which knows no other letters, and says so in its own way

    monkeypatch.setitem(PARSERS, "careless", Parser(lambda: [b"plain"], read))

    told = fuzz("careless", 200, tmp_path)

    assert isinstance(told, Fuzzed)
    assert [type(each) for each in told.found[:1]] == [Found]
    assert "UnicodeDecodeError" in told.found[0].error
