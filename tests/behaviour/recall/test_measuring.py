"""The bench tells what is found for each kind of question, in places and inside a context."""

import numpy as np
from bench.recall import made, measure, methods
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
