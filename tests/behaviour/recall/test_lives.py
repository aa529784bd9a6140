"""Small lives, told line by line: what was asked in between is answered by how things stood.

A life is a text file of `tests/lives`: `- ` is told, each line a day after the one before it, and
`? question | words` is asked there, where the first answer, and the first line of a small context,
has these words. Another life is another file.
"""

from pathlib import Path

import pytest

from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock

LIVES = sorted((Path(__file__).parents[2] / "lives").glob("*.txt"))
TOLD, ASKED = "- ", "? "
START_DAY = 14  # of March; a life takes less than a month
CONTEXT_TOKENS = 90


def first_answer(ada: Agent, question: str) -> str:
    hits = ada.recall(question).hits
    return hits[0].text if hits else ""


def first_line(ada: Agent, question: str) -> str:
    lines = ada.context(question, budget=CONTEXT_TOKENS).text.splitlines()
    return next((line for line in lines if line.startswith("- ")), "")


@pytest.mark.parametrize("life", LIVES, ids=lambda life: life.stem)
def test_what_is_so_by_now_answers_first_at_every_point_of_a_life(life: Path) -> None:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"lives")).agent("ada", user="tuff")
    wrong = []
    day = START_DAY
    for line in life.read_text(encoding="utf-8").splitlines():
        clock.set(f"2026-{3 + day // 31:02}-{1 + day % 31:02}T09:00:00.000Z")
        if line.startswith(TOLD):
            ada.remember(line.removeprefix(TOLD))
            day += 1
        if line.startswith(ASKED):
            question, wanted = line.removeprefix(ASKED).split(" | ")
            said = first_answer(ada, question), first_line(ada, question)
            wrong += [(question, wanted, each) for each in said if wanted not in each]
    assert not wrong
