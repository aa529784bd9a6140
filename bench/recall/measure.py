"""Evidence found: in the first places, in whole sessions, inside a context of so many tokens."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bench.recall.cases import Question, Talk
from muniment.model.text.tokens import tokens_by_length

PLACES = (5, 10, 20)
BUDGETS = (1000, 2000, 4000)
LEFT_OUT = "adversarial"  # these have no answer in the conversation
SESSIONS_AT = 5

Order = NDArray[np.int64]
Asking = Callable[[Question], Order]
Method = Callable[[Talk], Asking]
Assembling = Callable[[Talk], Callable[[Question, int], Order]]


@dataclass
class Found:
    """Shares of evidence, one row for each question, by kind and by conversation."""

    places: dict[str, list[list[float]]] = field(default_factory=dict)
    talks: dict[str, list[list[float]]] = field(default_factory=dict)
    budgets: dict[str, list[list[float]]] = field(default_factory=dict)

    def add(self, talk: str, kind: str, shares: list[float], packed: list[float]) -> None:
        self.places.setdefault(kind, []).append(shares)
        self.talks.setdefault(talk, []).append(shares)
        self.budgets.setdefault(kind, []).append(packed)

    def shares(self, kind: str = "") -> list[float]:
        return _of_kind(self.places, kind)

    def of_talk(self, talk: str) -> list[float]:
        return [100 * value for value in np.mean(self.talks[talk], axis=0)]

    def in_context(self, kind: str = "") -> list[float]:
        return _of_kind(self.budgets, kind)


def _of_kind(by_kind: dict[str, list[list[float]]], kind: str) -> list[float]:
    """The mean of one kind of question, or of all."""
    rows = [row for name, rows in by_kind.items() if kind in ("", name) for row in rows]
    return [100 * value for value in np.mean(rows, axis=0)] if rows else []


def turns(talks: Iterable[Talk], method: Method) -> Found:
    """The share of each question's evidence in the first places, and whether all fits a context."""
    found = Found()
    for talk in talks:
        answer = method(talk)
        sizes = np.array([tokens_by_length(shown(turn.speaker, turn.text)) for turn in talk.turns])
        for question in talk.questions:
            if question.kind == LEFT_OUT:
                continue
            order = answer(question)
            names = [talk.turns[number].id for number in order[: max(PLACES)]]
            shares = [
                len(question.evidence & set(names[:place])) / len(question.evidence)
                for place in PLACES
            ]
            packed = [packs(talk, question, order, sizes, budget) for budget in BUDGETS]
            found.add(talk.name, question.kind, shares, packed)
    return found


def contexts(talks: Iterable[Talk], method: Assembling) -> Found:
    """Whether all evidence of each question stands in what was made of it for each budget."""
    found = Found()
    for talk in talks:
        assemble = method(talk)
        for question in talk.questions:
            if question.kind != LEFT_OUT:
                taken = [_names(talk, assemble(question, budget)) for budget in BUDGETS]
                packed = [float(question.evidence <= names) for names in taken]
                found.budgets.setdefault(question.kind, []).append(packed)
    return found


def _names(talk: Talk, order: Order) -> set[str]:
    return {talk.turns[number].id for number in order}


def packs(talk: Talk, question: Question, order: Order, sizes: Order, budget: int) -> float:
    """Whether all evidence is among the whole turns that fit by themselves, taken best first."""
    left, taken = budget, set()
    for number in order:
        if sizes[number] <= left:
            left -= int(sizes[number])
            taken.add(talk.turns[number].id)
    return float(question.evidence <= taken)


def shown(speaker: str, text: str) -> str:
    return f"{speaker}: {text}\n"


def sessions(talks: Iterable[Talk], method: Method) -> list[float]:
    """LongMemEval's measures: any and all evidence sessions in five, any evidence turn in five."""
    any_session, all_sessions, any_turn = [], [], []
    for talk in talks:
        (question,) = talk.questions
        order = method(talk)(question)
        first = list(dict.fromkeys(talk.turns[number].session for number in order))[:SESSIONS_AT]
        any_session.append(bool(question.sessions & set(first)))
        all_sessions.append(question.sessions <= set(first))
        if question.evidence:
            near = {talk.turns[number].id for number in order[:SESSIONS_AT]}
            any_turn.append(bool(question.evidence & near))
    return [100 * float(np.mean(row)) for row in (any_session, all_sessions, any_turn)]


def cells(values: Sequence[float]) -> list[str]:
    return [f"{value:.1f}" for value in values]
