"""Short cuts of the ranking: what is left out or guessed on the way changes no answer."""

import re

import numpy as np
import pytest

from muniment.adapters.embedders.static_embedder import TableEmbedder
from muniment.model.errors import InputError
from muniment.model.text.near_duplicates import saying
from muniment.model.text.tokens import plain_words
from muniment.retrieval.index import int8_vectors, sign_bit_scan
from muniment.retrieval.index.collection import Collection, Document
from muniment.retrieval.ranking.query import Query, analyse
from muniment.retrieval.ranking.sort_order import FIRST, Order
from muniment.retrieval.text import tokenizer

DIMS = 128


@pytest.mark.parametrize("count", [0, 1, FIRST, 2 * FIRST + 1, 500])
def test_the_best_first_and_then_the_rest_is_the_whole_order(count: int) -> None:
    drawn = np.random.default_rng(count)
    # Few scores and few moments: nearly everything is tied with something.
    documents = [
        Document(
            id=f"d{drawn.integers(1 << 40)}",
            seq=n,
            ts=f"2026-01-0{n % 3 + 1}T00:00:00.000Z",
            text="",
        )
        for n in range(count)
    ]
    collection = Collection.build(documents, 0)
    scores = drawn.integers(-5, 20, count)
    order = Order(collection, np.arange(count), scores)
    pages = list(order.pages())
    assert [n for numbers, _ in pages for n in numbers.tolist()] == sorted(
        range(count),
        key=lambda n: (-scores[n], -collection.moments[n], documents[n].id),
    )
    assert [s for _, its in pages for s in its.tolist()] == sorted(scores.tolist(), reverse=True)
    assert order.numbers.tolist() == [n for numbers, _ in pages for n in numbers.tolist()]


def positive(codes: "np.typing.NDArray[np.int8]") -> "np.typing.NDArray[np.bool_]":
    """Each code added to or taken from the others, by how many ones two numbers share."""
    ones = np.bitwise_count(np.arange(DIMS)[:, None] & np.arange(DIMS))
    return codes @ np.where(ones % 2, -1, 1) > 0


@pytest.mark.parametrize("alike_at", ["nowhere", "the beginning", "where no sample looks"])
def test_the_nearest_signs_are_those_that_a_look_at_all_of_them_finds(alike_at: str) -> None:
    drawn = np.random.default_rng(7)
    codes = drawn.integers(-90, 90, (sign_bit_scan.COUNTED + 5, DIMS)).astype(np.int8)
    query = int8_vectors.QueryVector(codes[4_000].tobytes())
    if alike_at == "the beginning":
        codes[:3_000] = codes[4_000]
    elif alike_at != "nowhere":  # the sample sees nothing of what is near
        codes[:] = -codes[4_000]
        codes[1::4] = drawn.integers(-90, 90, (len(codes[1::4]), DIMS))
    apart = (positive(codes) != positive(query.codes)).sum(axis=1)
    cut = np.sort(apart)[sign_bit_scan.wanted(len(codes)) - 1]
    found = sign_bit_scan.nearest(sign_bit_scan.of(codes), query)
    assert found.tolist() == np.flatnonzero(apart <= cut).tolist()


@pytest.mark.parametrize("dims", [0, 16, 64, 150, 200, 384, 768])
def test_signs_of_any_width_tell_a_text_from_its_opposite_and_are_kept_as_they_are(
    dims: int,
) -> None:
    drawn = np.random.default_rng(dims)
    codes = drawn.integers(-90, 90, (500, dims)).astype(np.int8)
    codes[250:] = -codes[:250]
    found = sign_bit_scan.of(codes)
    assert found.shape == (-(-dims // 64), 500)
    for n in range(0, 250, 50) if dims else ():
        apart = np.bitwise_count(found ^ found[:, n : n + 1]).sum(axis=0)
        others = np.delete(apart, [n, n + 250])
        assert apart[n] == 0 < others.min() <= others.max() < apart[n + 250]
    place = sign_bit_scan.room(dims, 500)
    sign_bit_scan.read(found.tobytes(), place)
    assert place.tobytes() == found.tobytes() == sign_bit_scan.of(codes, place).tobytes()
    with pytest.raises(InputError, match="signs for each"):
        sign_bit_scan.read(found.tobytes() + b"more", place)


def test_most_of_the_nearest_go_on_to_the_exact_product_in_a_large_collection() -> None:
    """Where a few dimensions tell most, as in every embedder, and the others little."""
    drawn = np.random.default_rng(3)
    scale = 60 / (1 + np.arange(DIMS)) ** 0.5
    codes = np.clip(drawn.normal(0, scale, (20_000, DIMS)), -127, 127).round().astype(np.int8)
    bits, norms, found = sign_bit_scan.of(codes), int8_vectors.norms(codes), 0
    for n in range(50):
        near = (codes[n] + drawn.normal(0, scale / 2)).round().clip(-127, 127).astype(np.int8)
        query = int8_vectors.QueryVector(near.tobytes())
        best = np.argsort(-int8_vectors.cosines(codes, norms, query), kind="stable")[:10]
        found += len(np.intersect1d(best, sign_bit_scan.nearest(bits, query)))
    assert found >= 475  # of 500; by the signs of the dimensions themselves 213


def test_a_stem_in_ascii_begins_as_its_word_does() -> None:
    """So the words of an answer that the question names are looked for among few."""
    known = [word for word in TableEmbedder().table.pieces.vocabulary if word.isalpha()]
    plain = [word for word in known if word.isascii()][::3]
    ends = ("ies", "ied", "ing", "ying", "ly", "y", "s", "er", "ation", "ability", "iveness", "ful")
    for word in (*plain, "dying", *(f"{word}{end}" for word in plain for end in ends)):
        stem = tokenizer.stem(word)
        assert word[0] in {form[0] for form in tokenizer.forms(stem)}
        assert word.startswith(Query(text="", words=(stem,)).beginnings)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Two DOGS, and a dog-run_2!", ("dog", "dogs", "run")),
        ("My dog's runs; the dogs' running`", ("dog", "dogs", "running", "runs")),
        ("Zo\u00eb\u2019s dogs ran to the Caf\u00c9", ("cafe", "dogs", "zoe")),
        ("\u212aelly has cats", ("kelly",)),
        ("a quiet garden", ()),
        ("she is lying on a lilo", ("lying",)),
        ("", ()),
    ],
)
def test_what_a_text_shares_with_a_question_is_told_as_if_each_word_were_stemmed(
    text: str, found: tuple[str, ...]
) -> None:
    asked = analyse("Do dogs run or lie near Kelly's caf\u00e9 with Zo\u00eb?")
    shared = {word for word in tokenizer.spelled(text) if tokenizer.stem(word) in asked.words}
    assert asked.matched(saying(text)) == tuple(sorted(shared)) == found


def test_words_in_ascii_are_runs_of_letters_and_digits() -> None:
    assert plain_words("It's 3 PM, e-mail_me\tNOW\x00!") == [
        *("it", "s", "3", "pm", "e", "mail", "me", "now")
    ]
    assert plain_words("") == plain_words(" .,") == []


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "\u0130pek",
        "I\u015f\u0131k",
        "Stra\u00dfer",
        "\u212aim",
        "\u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2",
    ],
)
def test_a_speaker_is_named_in_any_case_that_a_pattern_knows(name: str) -> None:
    for spelled in {name, name.lower(), name.upper(), name.swapcase(), name.title()}:
        text = f"What did {spelled} say to Annabel?"
        found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
        assert analyse(text, speakers=(name,)).who == ((name,) if found else ())
