"""Laws of a collection: growing, cutting and keeping it never change what it answers."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.model import ids
from muniment.retrieval.index import postings
from muniment.retrieval.index.collection import Collection, Document
from muniment.retrieval.index.hashing_embedder import DIMENSIONS, HashingEmbedder
from muniment.retrieval.ranking import bm25, query, ranker
from muniment.retrieval.ranking.weights import LEXICAL, STATIC

EMBEDDER = HashingEmbedder()
WORDS = ["dog", "vet", "Lisbon", "moved", "Ann", "pizza", "yesterday", "May", "is", "the", "café"]
ASKED = [*WORDS, "why?"]
TEXTS = st.lists(st.sampled_from(ASKED), max_size=8).map(" ".join)
PIECES = st.tuples(
    TEXTS,
    st.sampled_from(["", "Ann", "Bob"]),
    st.sampled_from(["", "first", "second"]),
    st.sampled_from(["user", "agent"]),
    st.integers(0, 3),  # days, so that moments repeat
    st.integers(0, 3),  # sentences that have vectors
)


def document(number: int, piece: tuple[str, str, str, str, int, int]) -> Document:
    text, speaker, session, role, day, sentences = piece
    vectors = [EMBEDDER.embed(text)] + [EMBEDDER.embed(text[:n]) for n in range(sentences)]
    return Document(
        id=f"d{number * 7919 % 1000:03d}",  # the order of ids is not the order of documents
        seq=number,
        ts=ids.time_text(day * 86_400_000) if day else "",
        text=text,
        speaker=speaker,
        session=session,
        role=role,
        vectors=tuple(vectors) if sentences else (),
    )


DOCUMENTS = st.lists(PIECES, max_size=24).map(
    lambda pieces: [document(number, piece) for number, piece in enumerate(pieces)]
)
QUESTIONS = st.tuples(TEXTS, st.booleans())


def answer(collection: Collection, question: tuple[str, bool]) -> list[tuple[int, int, object]]:
    text, with_vector = question
    asks = query.analyse(text, speakers=collection.speakers)
    if with_vector:
        asks = asks.with_vector(EMBEDDER.embed(asks.meant))
    ranking = ranker.rank(collection, asks, STATIC)
    return [
        (int(number), int(score), ranking.terms(int(number)) if place < 2 else {})
        for place, (number, score) in enumerate(zip(ranking.order, ranking.scores_ppm, strict=True))
    ]


def built(documents: Sequence[Document]) -> Collection:
    return Collection.build(documents, DIMENSIONS)


@given(DOCUMENTS, st.lists(st.integers(0, 24), max_size=4), QUESTIONS)
def test_a_collection_that_grew_equals_one_that_was_built(
    documents: list[Document], cuts: list[int], question: tuple[str, bool]
) -> None:
    grown = built([])
    places = [0, *sorted(min(cut, len(documents)) for cut in cuts), len(documents)]
    for start, stop in pairwise(places):
        grown = grown.extend(documents[start:stop])
    whole = built(documents)
    assert grown.at_rest() == whole.at_rest()
    assert answer(grown, question) == answer(whole, question)


@given(DOCUMENTS, st.integers(0, 24), QUESTIONS)
def test_the_beginning_answers_as_if_nothing_had_come_later(
    documents: list[Document], cut: int, question: tuple[str, bool]
) -> None:
    count = min(cut, len(documents))
    seen = built(documents[: count // 2]).extend(documents[count // 2 :]).prefix(count)
    alone = built(documents[:count])
    assert seen.speakers == alone.speakers
    assert seen.at_rest() == alone.at_rest()
    assert answer(seen, question) == answer(alone, question)


@given(DOCUMENTS, st.integers(0, 24), QUESTIONS)
def test_two_futures_of_one_past_do_not_meet(
    documents: list[Document], cut: int, question: tuple[str, bool]
) -> None:
    count = min(cut, len(documents))
    past = built(documents[:count])
    before = answer(past, question)
    one, other = past.extend(documents[count:]), past.extend(documents[count:][::-1])
    assert answer(past, question) == before
    assert one.at_rest() == built(documents).at_rest()
    assert other.at_rest() == built(documents[:count] + documents[count:][::-1]).at_rest()


@given(DOCUMENTS, DOCUMENTS, QUESTIONS)
def test_what_was_kept_as_bytes_is_the_same_collection(
    documents: list[Document], more: list[Document], question: tuple[str, bool]
) -> None:
    kept = Collection.read([built(documents).at_rest()])
    assert kept.at_rest() == built(documents).at_rest()
    assert kept.ids == tuple(each.id for each in documents)
    assert answer(kept, question) == answer(built(documents), question)
    assert kept.extend(more).at_rest() == built(documents + more).at_rest()


@given(DOCUMENTS, QUESTIONS)
def test_the_order_is_total(documents: list[Document], question: tuple[str, bool]) -> None:
    collection = built(documents)
    ranked = answer(collection, question)
    ranks = [
        (-score, -int(collection.moments[number]), collection.id_of(number))
        for number, score, _ in ranked
    ]
    assert ranks == sorted(ranks)
    assert len(ranked) == len(documents)


@given(DOCUMENTS, QUESTIONS, st.data())
def test_only_what_may_be_shown_is_ranked(
    documents: list[Document], question: tuple[str, bool], data: st.DataObject
) -> None:
    collection = built(documents)
    shown = data.draw(st.lists(st.booleans(), min_size=len(documents), max_size=len(documents)))
    asks = query.analyse(question[0], speakers=collection.speakers)
    ranking = ranker.rank(collection, asks, LEXICAL, among=np.array(shown, dtype=bool))
    assert {int(number) for number in ranking.order} == {n for n, may in enumerate(shown) if may}


@given(DOCUMENTS, st.lists(QUESTIONS, min_size=1, max_size=3), st.data())
def test_a_question_is_answered_alike_whatever_was_asked_before_among_other_documents(
    documents: list[Document], questions: list[tuple[str, bool]], data: st.DataObject
) -> None:
    masks = st.lists(st.booleans(), min_size=len(documents), max_size=len(documents))
    asked = [(data.draw(st.sampled_from(questions)), data.draw(masks)) for _ in range(4)]

    def told(collection: Collection, question: str, shown: list[bool]) -> list[list[int]]:
        asks, among = query.analyse(question, speakers=collection.speakers), np.array(shown, bool)
        ranking = ranker.rank(collection, asks, LEXICAL, among=among)
        return [ranking.order.tolist(), ranking.scores_ppm.tolist()]

    one = built(documents)
    for (question, _), shown in asked:
        assert told(one, question, shown) == told(built(documents), question, shown)


@given(DOCUMENTS, QUESTIONS)
def test_a_score_is_the_sum_of_its_terms(
    documents: list[Document], question: tuple[str, bool]
) -> None:
    for _, score, terms in answer(built(documents), question)[:2]:
        assert isinstance(terms, dict)
        assert sum(terms.values()) == score


@given(DOCUMENTS, DOCUMENTS)
def test_collections_that_were_joined_equal_one_that_was_built(
    documents: list[Document], more: list[Document]
) -> None:
    joined = Collection.join([built(documents), built(more)])
    assert joined.at_rest() == built(documents + more).at_rest()


@given(several=st.lists(DOCUMENTS, min_size=2, max_size=5), apart=st.integers(1, 12))
def test_pieces_that_stay_apart_answer_like_one_that_was_built(
    several: list[list[Document]], apart: int
) -> None:
    documents = [each for some in several for each in some]
    whole = built(documents)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postings, "APART_FROM", apart)
        joined = Collection.join([built(some) for some in several])
    assert joined.at_rest() == whole.at_rest()
    for count in range(0, len(documents) + 1, 5):
        assert answer(joined.prefix(count), ("dog vet", True)) == answer(
            whole.prefix(count), ("dog vet", True)
        )


@given(
    values=st.lists(st.integers(-(1 << 62), 1 << 62) | st.integers(0, 1 << 53), min_size=1),
    by=st.integers(1, 1 << 40),
)
def test_many_numbers_are_divided_as_each_would_be(values: list[int], by: int) -> None:
    near = [*values, *(value // by * by for value in values), *(value // by for value in values)]
    for some in (near, [value % (1 << 53) for value in near]):
        found = bm25.divided(np.array(some, np.int64), by)
        assert found.tolist() == [value // by for value in some]
