"""LoCoMo and LongMemEval in detail: contexts, formulas, lines of a transcript, other draws."""

import sys
from collections.abc import Iterator
from pathlib import Path

from bench.figures import goal, table
from bench.recall import cases, made, measure, methods
from bench.recall.cases import Talk
from muniment.adapters.embedders.minilm_embedder import MiniLMEmbedder
from muniment.adapters.embedders.static_embedder import TableEmbedder
from muniment.model.errors import EmbedderError
from muniment.retrieval.index.hashing_embedder import HashingEmbedder
from muniment.retrieval.ranking import weights as weights_of
from muniment.retrieval.ranking.weights import HASHING, LEXICAL, STATIC, Weights

ONLY_WORDS = Weights(own_words=1_000_000)
ONLY_VECTORS = Weights(like=1_000_000)


DEFAULT, FORMULA, MINILM = "recipe, table (default)", "  in the seed's formula", "recipe, MiniLM"
MEMORY = "the memory itself (default)"
CONTEXTS = "  its own contexts"
APART = "  without speakers and sessions"
LINES = "  told as lines of a transcript"
DOCUMENTS = "  added to a namespace, talk by talk"
# Of LoCoMo: at least so much in the first 5, 10, 20 places; the formula's price; a context.
PLACES_MIN = {DEFAULT: (73, 81, 88), MEMORY: (73, 81, 88), MINILM: (77, 85, 91)}
FORMULA_COST_MAX, CONTEXT_MIN = 1.0, 80
# Of LongMemEval: any and all evidence sessions, any evidence turn, in the first five.
SESSION_HEADS = ("session any@5", "session all@5", "turn any@5")
SESSIONS_MIN = (97, 89, 93)
DRAWS = ("a", "b")  # further ones, to tell what holds from what came by chance


def run(folder: Path, *, minilm: bool) -> None:
    compared = competitors(minilm=minilm)
    if (folder / cases.LOCOMO).is_file():
        told(show("LoCoMo", cases.locomo(folder / cases.LOCOMO), compared))
    else:
        print(f"No public conversations in {folder}: made-up ones instead.")
        show("Made-up conversations", made.talks(), compared)
    if (folder / cases.LONGMEMEVAL).is_file():
        show_sessions(list(cases.longmemeval(folder / cases.LONGMEMEVAL)), compared)
        show_draws(folder / cases.LONGMEMEVAL)


def competitors(*, minilm: bool) -> dict[str, methods.Method]:
    static = methods.Library(TableEmbedder())
    compared: dict[str, methods.Method] = {
        "seed 000's overlap": methods.by_overlap,
        "RapidFuzz token set": methods.by_fuzz,
        "BM25 alone": methods.by_recipe(ONLY_WORDS, static),
        "vectors alone (table)": methods.by_recipe(ONLY_VECTORS, static),
        "recipe, words only": methods.by_recipe(LEXICAL, static),
        "recipe, hashing": methods.by_recipe(HASHING, methods.Library(HashingEmbedder())),
        DEFAULT: methods.by_recipe(STATIC, static),
        FORMULA: methods.by_formula(STATIC, static),
        MEMORY: methods.by_memory,
        LINES: methods.by_lines,
        DOCUMENTS: methods.by_documents,
        APART: methods.by_recipe_apart(STATIC, methods.Library(TableEmbedder())),
    }
    if minilm:
        try:
            model = methods.Library(MiniLMEmbedder())
        except EmbedderError as error:
            sys.exit(error.detail)
        compared["vectors alone (MiniLM)"] = methods.by_recipe(ONLY_VECTORS, model)
        compared[MINILM] = methods.by_recipe(weights_of.MINILM, model)
    return compared


def one_by_one(compared: dict[str, methods.Method]) -> Iterator[tuple[str, methods.Method]]:
    """Each with a word about how far we are: some take minutes."""
    for number, (name, method) in enumerate(compared.items(), start=1):
        print(f"{number} of {len(compared)}: {name.strip()}", file=sys.stderr, flush=True)
        yield name, method


def show(
    title: str, talks: list[Talk], compared: dict[str, methods.Method]
) -> dict[str, measure.Found]:
    kinds = [kind for kind in cases.CATEGORIES.values() if kind != measure.LEFT_OUT]
    found = {name: measure.turns(talks, method) for name, method in one_by_one(compared)}
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
    print("and the contexts that a memory makes", file=sys.stderr, flush=True)
    assembled = found | {CONTEXTS: measure.contexts(talks, methods.by_context)}
    table(
        f"{title}: questions whose whole evidence is inside a context of so many tokens",
        [
            "",
            *(f"{budget:,}" for budget in measure.BUDGETS),
            *(f"{kind} 1k/2k/4k" for kind in kinds),
        ],
        [
            [
                name,
                *measure.cells(each.in_context()),
                *("/".join(measure.cells(each.in_context(kind))) for kind in kinds),
            ]
            for name, each in assembled.items()
        ],
    )
    table(
        f"{title}: R@5/@10/@20 of each conversation",
        ["", *(talk.name for talk in talks)],
        [
            [name, *("/".join(measure.cells(each.of_talk(talk.name))) for talk in talks)]
            for name, each in found.items()
        ],
    )
    return assembled


def told(found: dict[str, measure.Found]) -> None:
    """Which of the goals are met."""
    for name in [each for each in PLACES_MIN if each in found]:
        for place, least, share in zip(
            measure.PLACES, PLACES_MIN[name], found[name].shares(), strict=True
        ):
            goal(f"{name}: R@{place} {share:.1f}, at least {least}", met=share >= least)
    cost = found[DEFAULT].shares()[1] - found[FORMULA].shares()[1]
    goal(f"the formula costs {cost:.1f} of R@10, at most 1.0", met=cost <= FORMULA_COST_MAX)
    for name in (DEFAULT, CONTEXTS):
        whole = found[name].in_context()[1]
        goal(
            f"{name.strip()}: all evidence in 2,000 tokens {whole:.1f}, at least {CONTEXT_MIN}",
            met=whole >= CONTEXT_MIN,
        )


def show_sessions(talks: list[Talk], compared: dict[str, methods.Method]) -> None:
    found = {name: measure.sessions(talks, method) for name, method in one_by_one(compared)}
    table(
        f"LongMemEval: {len(talks)} questions, each among {cases.HAYSTACK_SESSIONS} sessions",
        ["", *SESSION_HEADS],
        [[name, *measure.cells(each)] for name, each in found.items()],
    )
    for head, share, least in zip(SESSION_HEADS, found[DEFAULT], SESSIONS_MIN, strict=True):
        goal(f"{DEFAULT}: {head} {share:.1f}, at least {least}", met=share >= least)


def show_draws(path: Path) -> None:
    rows = []
    for draw in DRAWS:
        talks = list(cases.longmemeval(path, draw))
        library = methods.Library(TableEmbedder())
        for name, weights in (("BM25 alone", ONLY_WORDS), (DEFAULT, STATIC)):
            found = measure.sessions(talks, methods.by_recipe(weights, library))
            rows.append([f"{name}, draw {draw}", *measure.cells(found)])
    table("LongMemEval: the same questions among other sessions", ["", *SESSION_HEADS], rows)
