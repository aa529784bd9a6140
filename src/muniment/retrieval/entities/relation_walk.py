"""Relation walk: the names that the kin words and relations of a question lead to in a graph."""

from typing import Final

from muniment.retrieval.entities import question_hops
from muniment.retrieval.entities.entity_graph import EntityGraph
from muniment.retrieval.entities.relation_rules import USER
from muniment.retrieval.ranking import query

HOPS_MAX: Final = 3
NAMES_MAX: Final = 6


def led(question: str, graph: EntityGraph) -> tuple[tuple[str, str], ...]:
    """Who is meant by kin, with nothing behind it; and what a chain of relations leads to.

    What has ended leads on only a question for what was before.
    """
    then = query.asks_of_then(question)
    chained = bridges(question, graph, of_then=then) if question_hops.hops_in(question) else ()
    return (*kin_names(question, graph, of_then=then), *chained)


def ended(question: str, graph: EntityGraph) -> tuple[tuple[str, str], ...]:
    """What said a relation of those whom a question is about, and what said that it is over."""
    if query.asks_of_then(question):
        return ()
    kin = graph.followed(USER, question_hops.kin_in(question), of_then=True)
    named = (*question_hops.POSSESSIVE.findall(question), *question_hops.called_in(question))
    about = {each.object for each in kin} | {
        each.name for name in named if (each := graph.about(name))
    }
    over = (each for each in graph.ended if about & {each.subject, each.object})
    told = (
        (each.evidence, each.ended_by) for each in over if each.ended_by not in {"", each.evidence}
    )
    return tuple(dict.fromkeys(told))[:NAMES_MAX]


def kin_names(
    question: str, graph: EntityGraph, *, of_then: bool = False
) -> tuple[tuple[str, str], ...]:
    """What those are called whom a question names as kin.

    A dog and a cat are both pets: where one is told in the word of the question, it is meant.
    """
    if question_hops.called_in(question) or question_hops.POSSESSIVE.search(question):
        return ()  # "Ann's brother" is another's
    words = question_hops.kin_said(question)
    steps = graph.followed(USER, question_hops.kin_in(question), of_then=of_then)
    so_called = [each for each in steps if any(w in each.sentence.casefold() for w in words)]
    return tuple(dict.fromkeys((each.object, "") for each in (so_called or steps)[:NAMES_MAX]))


def bridges(
    question: str, graph: EntityGraph, *, of_then: bool = False
) -> tuple[tuple[str, str], ...]:
    """The names that a question leads to, from the user or whoever it names, and what says so."""
    kin, hops = question_hops.kin_in(question), question_hops.hops_in(question)
    called = question_hops.called_in(question)
    steps = graph.followed(USER, kin, of_then=of_then) if kin else []
    if called:  # "my friend Noor" is none of the other friends
        steps = [each for each in steps if called & set(each.object.casefold().split())]
    names = dict.fromkeys([*question_hops.POSSESSIVE.findall(question), *sorted(called)])
    named = (graph.about(name) for name in names)
    known = len(steps)
    reached = [*(each.object for each in steps), *(each.name for each in named if each)]
    for _ in range(HOPS_MAX):
        on = (*kin, *hops)
        found = [e for name in reached for e in graph.followed(name, on, of_then=of_then)]
        found = [each for each in found if each not in steps]
        steps += found
        reached = [each.object for each in found]
    if len(steps) == known:
        return ()  # to be somebody's sister leads to nothing by itself
    return tuple(dict.fromkeys((step.object, step.evidence) for step in steps[:NAMES_MAX]))
