"""A budget is counted in real tokens: the estimate is near o200k_base in every script."""

import json
from pathlib import Path

import llama_index.core
import msgspec
import pytest
import tiktoken
from bench.token_table import ranks, table
from hypothesis import given, settings
from hypothesis import strategies as some
from tests import soaking, world

from muniment.engine.api.memory import Memory
from muniment.engine.audit.erasure_scan import Residue
from muniment.engine.streams.ports import Neighbours
from muniment.model.text import token_estimate
from muniment.model.text.token_estimate import estimate_tokens

# Counted once with o200k_base itself.
PAGE = Path(__file__).parents[2] / "golden" / "o200k_counts.json"
COUNTED = {
    name: (each["text"], each["tokens"])
    for name, each in json.loads(PAGE.read_text(encoding="utf-8")).items()
}

CACHE = Path(llama_index.core.__file__).parent / "_static" / "tiktoken_cache"
VOCABULARY = CACHE / "fb374d419588a4632f3f557e76b4b70aebbca790"
WORD_ENDS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
CUTS = "|".join(  # of o200k_base, as tiktoken has them
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+" + WORD_ENDS,
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*" + WORD_ENDS,
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )
)


@pytest.fixture(scope="session")
def tokenizer() -> tiktoken.Encoding:
    """The real one, from the vocabulary that LlamaIndex brings along."""
    return tiktoken.Encoding(
        "o200k", pat_str=CUTS, mergeable_ranks=ranks(VOCABULARY.read_bytes()), special_tokens={}
    )


@pytest.mark.parametrize("script", sorted(COUNTED))
def test_the_estimate_is_within_a_twentieth_of_what_a_tokenizer_counts(script: str) -> None:
    text, counted = COUNTED[script]
    assert abs(estimate_tokens(text) - counted) * 20 <= counted


def test_the_package_holds_the_vocabulary_that_is_counted_by() -> None:
    held = Path(token_estimate.__file__).with_name(token_estimate.TABLE).read_bytes()
    assert held == table(VOCABULARY.read_bytes())


LETTERS = "ab Zé_'s9½.,/-{}\":\n\r\tяΩأهक़ि漢字かなカ한글ไทย🦊\ufe0f\u0301"


@settings(max_examples=soaking.times(200, 5_000), deadline=None)
@given(text=some.text(LETTERS, max_size=120))
def test_texts_of_any_make_are_counted_as_a_tokenizer_does(
    text: str, tokenizer: tiktoken.Encoding
) -> None:
    """Breaks that stand alone are counted apart, for a context is packed line by line."""
    real = len(tokenizer.encode_ordinary(text))
    assert real - 1 <= estimate_tokens(text) <= real + 2 * text.count("\n") + 1


def test_a_word_without_end_is_counted_in_no_time() -> None:
    assert estimate_tokens("漢" * 300_000) > 100_000


@pytest.mark.parametrize("script", sorted(COUNTED))
def test_a_context_holds_no_more_than_its_budget_in_real_tokens(
    script: str, tokenizer: tiktoken.Encoding
) -> None:
    ada = world.memory().agent("ada", user="tuff")
    lines = COUNTED[script][0].split("\n")
    ada.remember_many(line for line in lines if line.strip())
    for budget in (40, 120, 400):
        told = ada.context(lines[0], budget=budget)
        assert len(tokenizer.encode_ordinary(told.text)) <= told.tokens <= budget


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
