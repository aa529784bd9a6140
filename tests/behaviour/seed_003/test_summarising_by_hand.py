"""Summaries by hand: what a sentence is worth, which ones are chosen, and how they are joined."""

from collections.abc import Iterable, Sequence

import pytest
from tests import world

from muniment.model.policy.maintenance import Compaction, Limit, Resolution
from muniment.rules.memos import summarise
from muniment.rules.memos.summarise import _Sentence

MILLION = 1_000_000


def said(
    place: int,
    text: str = "x" * 9,
    *,
    values: Iterable[str] = (),
    terms: Iterable[str] = (),
    edge: bool = False,
    level: int = 0,
    source: int = 0,
    after: str = " ",
) -> _Sentence:
    return _Sentence(
        place=place,
        source=source,
        text=text,
        after=after,
        values=frozenset(values),
        terms=frozenset(terms),
        edge=edge,
        level=level,
    )


def limit(sentences: int = 9, tokens: int = 100) -> Limit:
    return Limit(sentences_max=sentences, tokens_max=tokens)


# ── What is between sentences ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("gap", ["\n\n", " " * 1_000, "\n" * 50, "\t\n" * 500])
def test_a_summary_fits_its_limit_however_far_apart_the_sentences_stand(gap: str) -> None:
    orders = [f"Order {n * 7} went to Rome." for n in range(400)]

    for resolution in Resolution:
        wanted = Compaction().limit(resolution)
        told = summarise.summarise([gap.join(orders)], wanted)
        assert told.tokens <= wanted.tokens_max
        assert set(told.text.replace(". ", ".\n").split("\n")) <= {*orders, ""}


def test_sentences_that_fit_only_side_by_side_are_put_side_by_side() -> None:
    text = "Rome has 12 parks.{}Oslo has 40 hills.{}Bern has 9 towers."
    close = "Rome has 12 parks.\nOslo has 40 hills. Bern has 9 towers."

    wide = summarise.summarise([text.format("  \n", "    ")], limit(3, 14))

    assert len(close) == 56
    assert (wide.text, wide.tokens, wide.quality_ppm) == (close, 14, MILLION)
    assert summarise.summarise([text.format("\n\n\n", "   ")], limit(3, 15)).text == text.format(
        "\n\n\n", "   "
    )


def test_a_memory_of_paragraphs_is_compacted_or_it_is_told_why_not() -> None:
    ada = world.memory().agent("ada", user="tuff")
    chat = ada.thread("case", explicit=True)
    orders = [f"Order {n * 7} of {n} boxes went to Rome." for n in range(90)]
    for start in range(0, 90, 15):
        chat.turn("\n\n".join(orders[start : start + 15]))

    (told,) = [each for each in ada.compact() if each.strategy == "summary"]

    assert (told.done, told.reason) == (False, "nothing_gained")


def test_neighbours_stay_neighbours_and_a_line_ends_where_something_is_left_out() -> None:
    chosen = [
        said(0, "a.", after="  "),
        said(1, "b.", after=" "),
        said(3, "c.", after="  "),
        said(4, "d.", source=1, after="  "),
        said(5, "e.", source=1, after="\t"),
    ]

    assert summarise._joined(chosen) == "a.  b.\nc.\nd.  e."
    assert summarise._joined([]) == ""


# ── What is read ────────────────────────────────────────────────────────────────────────────────


def test_sentences_are_read_with_their_places_edges_and_levels() -> None:
    asked: list[tuple[int, str]] = []

    def weigh(source: int, text: str) -> int:
        asked.append((source, text))
        return source + 5

    read = summarise._read(["One of it.  Two of it. Three.", " Four 4!"], weigh)

    assert [(e.place, e.source, e.text, e.after, e.edge, e.level) for e in read] == [
        (0, 0, "One of it.", "  ", True, 5),
        (1, 0, "Two of it.", " ", False, 5),
        (2, 0, "Three.", "", True, 5),
        (3, 1, "Four 4!", "", True, 6),
    ]
    assert asked == [(0, "One of it.  "), (0, "Two of it. "), (0, "Three."), (1, "Four 4!")]
    assert read[0].terms == {"one", "of", "it"}
    assert read[3].values == {"4"}
    plain = summarise._read(["One of it. Two of it."])
    assert [(each.level, each.terms) for each in plain] == [(0, frozenset()), (0, frozenset())]


def test_of_too_many_sentences_the_higher_then_the_richer_are_read_in_their_order() -> None:
    filler = ["Rain fell."] * 1_024
    texts = ["plain", *filler, "walnut basil cedar", "it is 7", "high"]

    read = summarise._read(texts, lambda _, text: int(text == "high"))

    assert len(read) == 1_024
    assert [each.text for each in read][-3:] == ["walnut basil cedar", "it is 7", "high"]
    assert [each.place for each in read] == [*range(1, 1_022), 1_025, 1_026, 1_027]
    assert len(summarise._read(["walnut", *["Rain fell."] * 1_023])) == 1_024
    assert summarise._read(["a", *["walnut basil"] * 1_024])[0].place == 1


# ── What it is worth ────────────────────────────────────────────────────────────────────────────


def test_a_word_is_worth_more_the_rarer_it_is_beside_a_value() -> None:
    read = [
        said(0, values=["7"], terms=["rare", "twice", "often", "half"]),
        said(1, terms=["twice", "often", "half", "apart"]),
        said(2, terms=["often", "half"]),
        *(said(n, terms=["often"]) for n in range(3, 7)),
    ]

    assert summarise._weights(read) == {"rare": 4, "twice": 3, "half": 2, "apart": 1, "7": 8}
    assert summarise._weights(read[:3]) == {"rare": 3, "twice": 2, "apart": 1, "7": 8}


def test_a_sentence_is_worth_what_its_values_and_words_are() -> None:
    weights = {"7": 8, "rare": 4}

    assert summarise._worth(said(0, values=["7"], terms=["rare", "none"]), weights) == 12


def test_a_sentence_is_central_as_far_as_others_share_its_words() -> None:
    read = [said(0, terms=["a", "b"]), said(1, terms=["a", "c"]), said(2, terms=["a"]), said(3)]

    assert summarise._centrality(read) == {0: 333_333, 1: 333_333, 2: 666_666, 3: 0}
    assert summarise._centrality(read[:1]) == {0: 0}
    assert summarise._centrality(read[1:3]) == {1: 500_000, 2: MILLION}
    assert summarise._centrality([]) == {}
    assert all(type(each) is int for each in summarise._centrality(read).values())


@pytest.mark.parametrize(
    ("each", "covered", "gain"),
    [
        (said(7, values=["7"], terms=["rare"]), set(), 1_200_050),
        (said(7, values=["7"], terms=["rare", "none"]), set(), 1_200_050),
        (said(7, values=["7"], terms=["rare"], edge=True), set(), 1_400_050),
        (said(7, values=["7"], terms=["rare"], edge=True), {"7"}, 400_050),
        (said(7, values=["7"], terms=["rare"], edge=True), {"7", "rare"}, 0),
        (said(7, terms=["rare"], edge=True), set(), 400_050),
        (said(7, terms=["none"], edge=True), set(), 0),
        (said(7, "x" * 6, terms=["rare"]), set(), 571_500),
    ],
)
def test_a_sentence_adds_what_is_new_for_its_length(
    each: _Sentence, covered: set[str], gain: int
) -> None:
    found = summarise._gain(each, covered, {"7": 8, "rare": 4}, {7: 500})

    assert (found, type(found)) == (gain, int)


# ── What is chosen ──────────────────────────────────────────────────────────────────────────────

WEIGHTS = {"a": 5, "b": 4, "c": 3, "d": 2, "v": 8}


def chosen(
    read: Sequence[_Sentence], to: Limit | None = None, first: Sequence[_Sentence] = ()
) -> list[int]:
    found = summarise._chosen(read, WEIGHTS, to or limit(), first)
    return [each.place for each in found]


A, B, C, D = (said(n, terms=[word]) for n, word in enumerate("abcd"))


def test_the_sentences_that_add_most_are_chosen_and_told_in_their_order() -> None:
    assert chosen([D, C, B, A], limit(2)) == [0, 1]
    assert chosen([A, B, C, D], limit(9, 5)) == [0, 1]
    assert chosen([A, B, C, D], limit(9, 4)) == [0]
    assert chosen([A, B, C, D], limit(9, 0)) == []


def test_what_says_nothing_new_is_not_chosen() -> None:
    assert chosen([A, said(5, terms=["a"]), said(6, terms=["none"]), B]) == [0, 1]
    both = said(5, terms=["a", "b"], values=["v"])
    assert chosen([A, B, both, C], limit(2)) == [2, 5]
    assert chosen([both, said(6, values=["v"]), said(7, terms=["b", "d"])]) == [5, 7]


def test_a_higher_level_is_served_first_and_what_is_too_long_is_passed_over() -> None:
    assert chosen([A, B, said(8, terms=["d"], level=1)], limit(1)) == [8]
    long = said(8, "x" * 41, terms=["a", "b", "c"], level=1)
    assert chosen([long, C], limit(9, 10)) == [2]
    assert chosen([said(8, "x" * 40, terms=["a"]), C], limit(1, 10)) == [2]
    assert chosen([said(8, "x" * 40, terms=["a"])], limit(1, 10)) == [8]


def test_room_is_counted_with_one_character_between_sentences() -> None:
    # 9 and 1 and 10 characters fit into 20, and not into 16.
    assert chosen([A, said(1, "x" * 10, terms=["b"])], limit(9, 5)) == [0, 1]
    assert chosen([A, said(1, "x" * 11, terms=["b"])], limit(9, 5)) == [0]
    assert chosen([A, B, said(2, "x" * 8, terms=["c"])], limit(9, 7)) == [0, 1, 2]
    assert chosen([A, B, said(2, "x" * 9, terms=["c"])], limit(9, 7)) == [0, 1]


def test_what_goes_first_is_chosen_as_far_as_there_is_room_and_covers_what_it_says() -> None:
    both = said(5, terms=["a", "c"], values=["v"])

    assert chosen([A, B, C, D, both], limit(2), [D, C]) == [2, 3]
    assert chosen([A, B, C, D, both], limit(1), [D, C]) == [3]
    assert chosen([A, B, both], limit(2), [both]) == [1, 5]
    assert chosen([A, B, C, D, both], limit(9), [both, D]) == [1, 3, 5]
    assert chosen([A, B], limit(9, 5), [said(5, "x" * 10, terms=["d"])]) == [0, 5]
    assert chosen([A, B], limit(9, 5), [said(5, "x" * 11, terms=["d"])]) == [5]
    assert chosen([B], limit(9, 5), [said(5, "x" * 20, terms=["d"]), C]) == [1, 2]
    assert chosen([B], limit(9, 5), [said(5, "x" * 19, terms=["d"]), C]) == [5]
    assert chosen([B], limit(9, 5), [said(5, "x" * 9, terms=["d"]), said(6, "x" * 10)]) == [1, 5]


def test_coverage_is_how_much_of_the_weight_is_told() -> None:
    read = [said(0, values=["v"], terms=["a", "none"]), said(1, terms=["b"])]

    assert summarise._coverage(read, WEIGHTS, [A, said(1, terms=["none"])]) == 294_117
    assert summarise._coverage(read, WEIGHTS, read) == MILLION
    assert summarise._coverage(read, {}, [A]) == MILLION
    assert type(summarise._coverage(read, WEIGHTS, [A])) is int
