"""The bench tells what is found for each kind of question, in places and inside a context."""

from pathlib import Path

import numpy as np
from bench.recall import compare, made, measure, methods, plain
from bench.recall.cases import Question, Talk


def oracle(talk: Talk) -> measure.Asking:
    """Whoever knows the evidence puts it first."""

    def answer(question: Question) -> measure.Order:
        is_evidence = np.array([turn.id in question.evidence for turn in talk.turns])
        return np.argsort(~is_evidence, kind="stable")

    return answer


def test_the_evidence_is_counted_for_each_kind_of_question() -> None:
    talks = made.talks()

    found = measure.turns(talks, oracle)

    kinds = {question.kind for talk in talks for question in talk.questions} - {measure.LEFT_OUT}
    assert len(kinds) > 1
    for kind in kinds:
        assert found.shares(kind)[-1] == 100
        assert found.in_context(kind) == [100, 100, 100]
    assert found.in_context() == [100, 100, 100]
    last_first = measure.turns(talks, lambda talk: lambda asked: oracle(talk)(asked)[::-1])
    assert found.in_context() > last_first.in_context()
    assert found.in_context("no such kind") == []


def test_what_stands_in_the_contexts_of_a_memory_is_measured_on_these() -> None:
    talks = made.talks()[:1]

    found = measure.contexts(talks, methods.by_context)

    assert found.in_context()[0] > 0
    nothing = np.empty(0, np.int64)
    assert measure.contexts(talks, lambda _: lambda *_: nothing).in_context() == [0, 0, 0]


def test_the_plain_baseline_ranks_by_the_stems_of_words_and_the_names_of_speakers() -> None:
    talk = made.talks()[0]
    words = plain.PlainBM25(talk)

    best = talk.turns[int(words.scores("bakeries in Ghent").argmax())]

    assert "bakery in Ghent" in best.text
    by_name = words.scores(talk.turns[0].speaker) > 0
    assert [turn.speaker for turn, named in zip(talk.turns, by_name, strict=True) if named]
    assert not words.scores("xyzzy").any()


def test_a_set_is_measured_by_every_method_and_every_question(tmp_path: Path) -> None:
    asked = [each for talk in made.talks() for each in talk.questions if each.kind != "adversarial"]

    found = compare.measured(tmp_path, "made", minilm=False)

    assert len(found.kinds) == len(asked)
    assert {rows.shape for rows in found.found.values()} == {(len(asked), len(compare.PLACES))}
    assert {compare.WORDS, compare.DEFAULT, compare.MEMORY} <= found.found.keys()
    for rows in found.found.values():  # who looks further finds no less
        assert (np.diff(rows, axis=1) >= 0).all()


def test_an_interval_holds_the_mean_and_is_the_same_on_every_run() -> None:
    rows = np.array([[0.0], [100.0]] * 50)

    low, high = compare.interval(rows)

    assert low[0] < 50 < high[0]
    assert [each[0] for each in compare.interval(rows)] == [low[0], high[0]]
    assert [each[0] for each in compare.interval(np.full((9, 1), 7.0))] == [7.0, 7.0]
