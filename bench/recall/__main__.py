"""Measure recall: `python -m bench.recall [folder]`; no model, the same figures on every run."""

import os
import sys
from pathlib import Path

from bench.figures import table
from bench.recall import cases, made, measure, methods
from bench.recall.cases import Talk
from muniment.adapters.embedders.minilm import MiniLMEmbedder
from muniment.adapters.embedders.table import TableEmbedder
from muniment.model.errors import EmbedderError
from muniment.retrieval import recipe
from muniment.retrieval.hashing import HashingEmbedder
from muniment.retrieval.recipe import Weights

BESIDE = Path(__file__).parents[2].parent / "shared" / "data"
LOCOMO = "locomo_tune.json"
LONGMEMEVAL = "longmemeval_oracle_tune.json"
ONLY_WORDS = Weights(own_words=1_000_000)
ONLY_VECTORS = Weights(like=1_000_000)


def main() -> None:
    folder = Path(
        [*sys.argv[1:], os.environ.get("MUNIMENT_BENCH_DATA", ""), str(BESIDE)][0] or BESIDE
    )
    compared = competitors()
    if (folder / LOCOMO).is_file():
        show("LoCoMo", cases.locomo(folder / LOCOMO), compared)
    else:
        print(f"No public conversations in {folder}: made-up ones instead.")
        show("Made-up conversations", made.talks(), compared)
    if (folder / LONGMEMEVAL).is_file():
        show_sessions(list(cases.longmemeval(folder / LONGMEMEVAL)), compared)


def competitors() -> dict[str, methods.Method]:
    static = methods.Library(TableEmbedder())
    compared: dict[str, methods.Method] = {
        "seed 000's overlap": methods.by_overlap,
        "RapidFuzz token set": methods.by_fuzz,
        "BM25 alone": methods.by_recipe(ONLY_WORDS, static),
        "vectors alone (table)": methods.by_recipe(ONLY_VECTORS, static),
        "recipe, words only": methods.by_recipe(recipe.LEXICAL, static),
        "recipe, hashing": methods.by_recipe(recipe.HASHING, methods.Library(HashingEmbedder())),
        "recipe, table (default)": methods.by_recipe(recipe.STATIC, static),
        "  in the seed's formula": methods.by_formula(recipe.STATIC, static),
    }
    try:
        minilm = methods.Library(MiniLMEmbedder())
    except EmbedderError as error:
        print(f"{error.detail}; its rows are left out.")
        return compared
    compared["vectors alone (MiniLM)"] = methods.by_recipe(ONLY_VECTORS, minilm)
    compared["recipe, MiniLM"] = methods.by_recipe(recipe.MINILM, minilm)
    return compared


def show(title: str, talks: list[Talk], compared: dict[str, methods.Method]) -> None:
    kinds = [kind for kind in cases.CATEGORIES.values() if kind != measure.LEFT_OUT]
    found = {name: measure.turns(talks, method) for name, method in compared.items()}
    asked = sum(q.kind != measure.LEFT_OUT for talk in talks for q in talk.questions)
    heads = [f"R@{place}" for place in measure.PLACES]
    table(
        f"{title}: {len(talks)} conversations, {asked} questions, share of evidence turns found",
        ["", *heads, *(f"{kind} @5/@10/@20" for kind in kinds)],
        [
            [
                name,
                *measure.cells(each.shares()),
                *("/".join(measure.cells(each.shares(kind))) for kind in kinds),
            ]
            for name, each in found.items()
        ],
    )
    table(
        f"{title}: questions whose whole evidence is inside a context of so many tokens",
        ["", *(f"{budget:,}" for budget in measure.BUDGETS)],
        [[name, *measure.cells(each.in_context())] for name, each in found.items()],
    )


def show_sessions(talks: list[Talk], compared: dict[str, methods.Method]) -> None:
    table(
        f"LongMemEval: {len(talks)} questions, each among {cases.HAYSTACK_SESSIONS} sessions",
        ["", "session any@5", "session all@5", "turn any@5"],
        [
            [name, *measure.cells(measure.sessions(talks, method))]
            for name, method in compared.items()
        ],
    )


if __name__ == "__main__":
    main()
