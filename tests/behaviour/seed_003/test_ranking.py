"""One formula ranks across memory types: its four parts, their scales, and its one order."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.model.fixed_point import MILLION
from muniment.model.policy import Policy
from muniment.model.policy.context import Assembly, Coefficients, ContextFilters
from muniment.model.text.near_duplicates import same, saying
from muniment.model.text.token_estimate import estimate_tokens
from muniment.retrieval.context import cross_type_rank
from muniment.retrieval.context.bundle import Pools, compose, cut
from muniment.retrieval.context.candidates import ContextCandidate

RULES = Assembly()


def candidate(name: str, **parts: object) -> ContextCandidate:
    told = {"type": "remembered", "place": "EM", "text": f"the saying called {name}"} | parts
    return ContextCandidate(id=name, authority="user_asserted", origin="user", **told)  # type: ignore[arg-type]


def with_weights(**weights: int) -> Assembly:
    none = dict.fromkeys(msgspec.structs.asdict(Coefficients()), 0)
    return Assembly(coefficients=Coefficients(**(none | weights)))


def names(candidates: list[ContextCandidate], rules: Assembly = RULES) -> list[str]:
    return [each.candidate.id for each in cross_type_rank.rerank(candidates, (), rules)]


@pytest.mark.covers("D-118", "D-119", "D-120", "D-121", "D-122")
def test_the_policy_starts_with_the_four_weights_of_the_document() -> None:
    told = Policy().assembly.coefficients

    assert told.similarity_ppm == 400_000
    assert told.recency_ppm == 250_000
    assert told.importance_ppm == 250_000
    assert told.duplication_ppm == 100_000
    assert told.similarity_ppm > told.recency_ppm == told.importance_ppm > told.duplication_ppm


@pytest.mark.covers("D-116")
@pytest.mark.parametrize(
    ("weight", "better", "worse"),
    [
        ("similarity_ppm", {"similarity_ppm": 900_000}, {"similarity_ppm": 100_000}),
        ("recency_ppm", {"age": 1, "span": 100}, {"age": 90, "span": 100}),
        ("importance_ppm", {"importance_ppm": 900_000}, {"importance_ppm": 100_000}),
    ],
)
def test_each_part_of_the_score_decides_where_it_alone_counts(
    weight: str, better: dict[str, int], worse: dict[str, int]
) -> None:
    two = [candidate("a", **worse), candidate("b", **better)]

    assert names(two, with_weights(**{weight: MILLION})) == ["b", "a"]


@pytest.mark.covers("D-094", "D-116")
def test_the_score_is_the_weighed_sum_to_the_millionth() -> None:
    held = saying("the tea is green")
    one = candidate(
        "a",
        text="the tea is black",
        similarity_ppm=500_000,
        importance_ppm=700_000,
        age=100,
        span=100,
    )
    rules = Assembly(half_life_span_percent=100, importance_spread_percent=100)
    (ranked,) = cross_type_rank.rerank([one], [held], rules)

    assert ranked.similarity_ppm == 500_000
    assert ranked.recency_ppm == 500_000  # one half-life old
    assert ranked.importance_ppm == 700_000
    assert ranked.duplication_ppm == 600_000  # three of five words
    assert ranked.score_ppm == 200_000 + 125_000 + 175_000 - 60_000


@pytest.mark.covers("D-116", "D-121")
def test_what_repeats_working_memory_loses_to_what_does_not() -> None:
    held = [saying("the ferry to Porto leaves at nine")]
    repeats = candidate(
        "a", text="the ferry to Porto leaves at nine or ten", similarity_ppm=MILLION
    )
    fresh = candidate("b", text="bring the blue bag", similarity_ppm=MILLION)

    assert [
        each.candidate.id for each in cross_type_rank.rerank([repeats, fresh], held, RULES)
    ] == [
        "b",
        "a",
    ]
    without = msgspec.structs.replace(RULES, coefficients=Coefficients(duplication_ppm=0))
    scores = [each.score_ppm for each in cross_type_rank.rerank([repeats, fresh], held, without)]
    assert scores[0] == scores[1]


def test_age_is_measured_on_the_memorys_own_span_and_never_buries_a_match() -> None:
    for span in (10, 1_000_000):
        oldest = candidate("old", similarity_ppm=MILLION, age=span, span=span)
        newest = candidate("new", similarity_ppm=MILLION * 6 // 10, age=0, span=span)
        assert names([oldest, newest]) == ["old", "new"]

    spread = MILLION - cross_type_rank.recency_ppm(1_000, 1_000, RULES)
    assert (
        spread * RULES.coefficients.recency_ppm < MILLION * RULES.coefficients.similarity_ppm // 8
    )


@pytest.mark.covers("D-150", "D-114")
def test_recency_follows_the_decay_law_with_one_parameter() -> None:
    rules = Assembly(half_life_span_percent=50)
    at = [cross_type_rank.recency_ppm(age, 1_000, rules) for age in (0, 250, 500, 1_000)]

    assert at == [1_000_000, 707_107, 500_000, 250_000]


@pytest.mark.covers("D-114")
def test_the_pool_of_episodes_holds_what_is_alike_and_has_not_faded() -> None:
    rules = Assembly(half_life_span_percent=50, episodic_candidates=1)
    old = candidate("old", similarity_ppm=600_000, age=1_000, span=1_000)  # by now a quarter of it
    new = candidate("new", similarity_ppm=400_000, age=0, span=1_000)
    dull = candidate("dull", similarity_ppm=100_000, age=0, span=1_000)

    assert [each.id for each in cut([old, new, dull], rules)] == ["new"]


def test_scores_on_other_scales_are_made_one_by_the_best_of_their_pool() -> None:
    found = [
        candidate("a", similarity_ppm=30, pool="words"),
        candidate("b", similarity_ppm=15, pool="words"),
        candidate("c", similarity_ppm=4_000_000, pool="vectors"),
    ]
    ranked = {
        each.candidate.id: each.similarity_ppm for each in cross_type_rank.rerank(found, (), RULES)
    }

    assert ranked == {"a": MILLION, "b": MILLION // 2, "c": MILLION}


# ── What says the same ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "The meeting with Anna in room twelve starts at 10",
            "The meeting with Anna in room twelve starts at 11",
        ),
        (
            "Anna told Ben about the plan to sell the house",
            "Ben told Anna about the plan to sell the house",
        ),
        (
            "I do eat meat on most of the days of the week",
            "I don't eat meat on most of the days of the week",
        ),
        (
            "The train to Lisbon leaves from the northern platform of the station",
            "The train to Porto leaves from the northern platform of the station",
        ),
        (
            "the budget is 1,000 euros for all of us this year",
            "the budget is 10,00 euros for all of us this year",
        ),
    ],
)
def test_texts_that_differ_in_a_value_are_never_one(one: str, other: str) -> None:
    assert not same(saying(one), saying(other), 500_000)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I moved to Lisbon in March", "i moved to Lisbon, in March!"),
        ("So the meeting with Anna is at 10", "So the meeting, with Anna, is at 10."),
    ],
)
def test_punctuation_and_case_make_no_news(one: str, other: str) -> None:
    assert same(saying(one), saying(other), 900_000)


@pytest.mark.covers("D-123")
def test_what_working_memory_says_already_is_dropped_and_counted() -> None:
    held = candidate("w", place="WM", type="working", text="The code is 4711", standing=True)
    echo = candidate("e", text="the code is 4711!", similarity_ppm=MILLION)
    other = candidate("o", text="the code is 4712", similarity_ppm=MILLION)
    twice = candidate("t", text="The code is 4712.", similarity_ppm=MILLION // 2)
    bundle = compose(_pools([held, echo, other, twice]), RULES)

    assert {each.id for each in bundle.items} == {"w", "o"}
    assert bundle.dropped["in_working_memory"] == 1
    assert bundle.dropped["repeated"] == 1


# ── Laws ────────────────────────────────────────────────────────────────────────────────────────

WORDS = st.sampled_from(
    [
        "tea",
        "ferry",
        "Lisbon",
        "Porto",
        "10",
        "11",
        "not",
        "never",
        "green",
        "harbour",
        "cello",
        "Anna",
    ]
)
TYPES = ("remembered", "facts", "working", "recent", "guest")
ANY = st.builds(
    candidate,
    st.integers(0, 40).map("i{}".format),
    text=st.lists(WORDS, max_size=9).map(" ".join),
    type=st.sampled_from(list(TYPES)),
    place=st.sampled_from(["WM", "EM", "SM"]),
    similarity_ppm=st.integers(0, 3_000_000),
    pool=st.sampled_from(["", "words"]),
    importance_ppm=st.integers(0, MILLION),
    age=st.integers(0, 500),
    span=st.integers(1, 500),
    standing=st.booleans(),
)
MANY = st.lists(ANY, max_size=25, unique_by=lambda each: (each.type, each.id))


def _pools(found: list[ContextCandidate], budget: int = 500) -> Pools:
    types = tuple(sorted({*TYPES, *(each.type for each in found)}))
    return Pools(
        candidates=tuple(found), types=types, budget_tokens=budget, wanted=ContextFilters()
    )


@pytest.mark.covers("D-131", "D-133", "D-134", "D-074")
@given(st.data(), MANY, st.integers(0, 300))
def test_any_order_of_candidates_gives_the_same_bundle(
    data: st.DataObject, found: list[ContextCandidate], budget: int
) -> None:
    shuffled = data.draw(st.permutations(found))

    assert compose(_pools(shuffled, budget), RULES) == compose(_pools(found, budget), RULES)


@pytest.mark.covers("D-133", "D-124")
@given(MANY, st.integers(0, 400))
def test_a_context_never_exceeds_its_budget_by_one_token(
    found: list[ContextCandidate], budget: int
) -> None:
    bundle = compose(_pools(found, budget), RULES)

    assert estimate_tokens(bundle.text) == bundle.tokens <= budget
    assert sum(bundle.dropped.values()) + len(bundle.items) == bundle.considered
    for spent in bundle.spent:
        assert (
            spent.used
            <= budget * RULES.shares.get(spent.type, RULES.guest_share).max_percent // 100
        )


@given(MANY, st.integers(0, 60))
def test_more_budget_keeps_the_sections_in_their_order(
    found: list[ContextCandidate], budget: int
) -> None:
    for tokens in (budget, budget + 200):
        lines = compose(_pools(found, tokens), RULES).text.split("\n")
        headers = [line for line in lines if line.startswith("## ")]
        order = ["## facts", "## remembered", "## guest", "## working", "## recent"]
        assert headers == [each for each in order if each in headers]
