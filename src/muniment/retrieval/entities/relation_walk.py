"""Relation walk: the names that the kin words and relations of a question lead to in a graph."""

from typing import Final

from muniment.retrieval.entities import question_hops
from muniment.retrieval.entities.entity_graph import EntityGraph
from muniment.retrieval.entities.relation_rules import LIVES_IN, USER, WORKS_AT
from muniment.retrieval.ranking import query
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.text import tokenizer

HOPS_MAX: Final = 3
NAMES_MAX: Final = 6
STATE_OF: Final = {WORKS_AT: "work", LIVES_IN: "home"}


def led(question: str, graph: EntityGraph) -> tuple[tuple[str, str], ...]:
    """Who is meant by kin, with nothing behind it; and what a chain of relations leads to.

    What has ended leads on only a question for what was before.
    """
    then = query.asks_of_then(question)
    goes_on = question_hops.hops_in(question) or len(question_hops.kin_in(question)) > 1
    chained = bridges(question, graph, of_then=then) if goes_on else ()
    return (*kin_names(question, graph, of_then=then), *chained)


def ended(question: str, graph: EntityGraph) -> tuple[tuple[str, str], ...]:
    """What said the relation that a question asks for, and what said later that it is over."""
    asked = query.analyse(question)
    if asked.of_then:
        return ()
    kin = graph.followed(USER, question_hops.kin_in(question), of_then=True)
    named = (*question_hops.POSSESSIVE.findall(question), *question_hops.called_in(question))
    known = (graph.about(name) for name in named)
    about = {*(each.object for each in kin), *(each.name for each in known if each)}
    # What else is asked of a wife or a dog has not changed because she left or it died.
    kin_stems = {tokenizer.stem(word) for word in question_hops.kin_said(question)}
    wanted, is_alone = _relations_asked_for(asked), kin_stems.issuperset(asked.words)
    return tuple(
        dict.fromkeys(
            (each.evidence, each.ended_by)
            for each in graph.ended
            if about & {each.subject, each.object}
            and (each.relation in wanted or (is_alone and each.subject == USER))
            and each.ended_by not in {"", each.evidence}
        )
    )[:NAMES_MAX]


def _relations_asked_for(asked: Query) -> set[str]:
    """Work and home, and whatever a word for a relation names."""
    states = {state.partition(" of ")[0] for state in asked.states}
    wanted = {relation for relation, state in STATE_OF.items() if state in states}
    return wanted | {*question_hops.hops_in(asked.text)}


def kin_names(
    question: str, graph: EntityGraph, *, of_then: bool = False
) -> tuple[tuple[str, str], ...]:
    """What those are called whom a question names as kin.

    A dog and a cat are both pets: where one is told in the word of the question, it is meant.
    """
    if question_hops.called_in(question) or question_hops.POSSESSIVE.search(question):
        return ()  # "Ann's brother" is another's
    words = question_hops.kin_said(question)
    own, kin = question_hops.own_kin_in(question), question_hops.kin_in(question)
    steps = graph.followed(USER, own, of_then=of_then)
    if further := [each for each in kin if each not in own]:  # "my brother's wife" is the wife
        steps = [e for on in steps for e in graph.followed(on.object, further, of_then=of_then)]
    so_called = [each for each in steps if any(w in each.sentence.casefold() for w in words)]
    return tuple(dict.fromkeys((each.object, "") for each in (so_called or steps)[:NAMES_MAX]))


def bridges(
    question: str, graph: EntityGraph, *, of_then: bool = False
) -> tuple[tuple[str, str], ...]:
    """The names that a question leads to, from the user or whoever it names, and what says so."""
    kin, hops = question_hops.kin_in(question), question_hops.hops_in(question)
    called = question_hops.called_in(question)
    own = question_hops.own_kin_in(question)
    steps = graph.followed(USER, own, of_then=of_then)
    further = [each for each in kin if each not in own]
    if called:  # "my friend Noor" is none of the other friends
        steps = [each for each in steps if called & set(each.object.casefold().split())]
    names = dict.fromkeys([*question_hops.POSSESSIVE.findall(question), *sorted(called)])
    named = (graph.about(name) for name in names)
    known = len(steps)
    reached = [*(each.object for each in steps), *(each.name for each in named if each)]
    met = {*reached}
    for _ in range(HOPS_MAX):
        on = (*(further or kin), *hops)
        found = [e for name in reached for e in graph.followed(name, on, of_then=of_then)]
        found = [each for each in found if each.object not in met]
        steps += found
        reached = [each.object for each in found]
        met |= {*reached}
    if len(steps) == known:
        return ()  # to be somebody's sister leads to nothing by itself
    return tuple(dict.fromkeys((step.object, step.evidence) for step in steps[:NAMES_MAX]))
