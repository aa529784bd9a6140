"""A budget is counted in real tokens: the estimate is near o200k_base in every script."""

import json
from pathlib import Path

import msgspec
import pytest
from tests import world

from muniment.engine.api.memory import Memory
from muniment.engine.audit.erasure_scan import Residue
from muniment.engine.streams.ports import Neighbours
from muniment.model.text.token_estimate import estimate_tokens, hundredths

# Counted once with o200k_base itself.
PAGE = Path(__file__).parents[2] / "golden" / "o200k_counts.json"
COUNTED = {
    name: (each["text"], each["tokens"])
    for name, each in json.loads(PAGE.read_text(encoding="utf-8")).items()
}


@pytest.mark.parametrize("script", sorted(COUNTED))
def test_the_estimate_is_within_a_tenth_of_what_a_tokenizer_counts(script: str) -> None:
    text, counted = COUNTED[script]
    assert abs(hundredths(text) - counted * 100) <= counted * 10


def test_all_of_it_together_is_within_a_twentieth() -> None:
    known = sum(counted for _, counted in COUNTED.values())
    told = sum(hundredths(text) for text, _ in COUNTED.values())
    assert abs(told - known * 100) <= known * 5


@pytest.mark.parametrize("budget", [0, 1, 20, 60, 200, 1_000])
def test_a_context_never_holds_more_than_its_budget(budget: int) -> None:
    ada = world.memory().agent("ada", user="tuff")
    for text, _ in COUNTED.values():
        ada.remember_many(f"{n} {line}" for n, line in enumerate(text.split("\n")))
    told = ada.context("museum flight 医生 血圧 बैठक", budget=budget)
    assert told.tokens == estimate_tokens(told.text) <= budget


def test_lines_cost_together_what_each_of_them_costs() -> None:
    texts = [text for text, _ in COUNTED.values()]
    parts = [line for text in texts for line in text.split("\n")]
    assert estimate_tokens("\n".join(parts)) <= sum(estimate_tokens(f"{line}\n") for line in parts)


class Letters:
    """A tokenizer of somebody's own: each letter is a token."""

    name = "letters-1"

    def count(self, text: str) -> int:
        return len(text)


def test_a_tokenizer_of_ones_own_counts_and_is_not_needed_to_make_it_again() -> None:
    memory = world.memory(neighbours=Neighbours(tokenizer=Letters()))
    ada = memory.agent("ada", user="tuff")
    ada.remember_many(f"We met Bert at station {n}" for n in range(50))
    told = ada.context("Bert at the station", budget=400)
    assert 200 < len(told.text) == told.tokens <= 400
    assert told.receipt.counter == "letters-1"
    ada.flush()
    without = Memory(
        msgspec.structs.replace(world.hub(memory).parts, neighbours=Neighbours()),
        scanner=lambda _: Residue(files=0, found=(), digest=""),
    )
    again = without.agent("ada", user="tuff").regenerate(told.receipt.receipt_id)
    assert (again.text, again.tokens, again.receipt) == (told.text, told.tokens, told.receipt)
