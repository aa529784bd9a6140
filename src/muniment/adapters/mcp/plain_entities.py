"""Plain entities: people, places and organisations as lines for a model, and their size in tokens.

The sentence behind a line and its id cost more than the line, so they are added on request.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from muniment.adapters.mcp.plain_answers import DAY_LETTERS, PlainAnswer
from muniment.model.text.token_estimate import estimate_tokens
from muniment.retrieval.context import render_line
from muniment.retrieval.entities.entity_graph import NamedEntity
from muniment.retrieval.entities.entity_relation import EntityRelation
from muniment.retrieval.entities.relation_rules import LIVES_IN, LOCATED_IN, WORKS_AT

VERBS: Final = {WORKS_AT, LIVES_IN, LOCATED_IN}  # every other relation is a noun: sister, pet
NOBODY: Final = "No people, places or organisations are known yet."
NO_PATH: Final = "No sentence connects them."
ENDED: Final = "No longer so:"


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """How many lines are shown, and whether the sentence behind each is."""

    limit: int
    sources: bool


def of_entities(found: Sequence[NamedEntity], shown: Shown) -> PlainAnswer:
    """One line for each; its relations are told to whoever asks for it by name."""
    some = found[: shown.limit]
    lines = [f"- {_heading(each)}, {_counts(each)}" for each in some] or [NOBODY]
    counted = [
        _named(each) | {"relations": len(each.relations), "ended": len(each.ended)} for each in some
    ]
    return _answer(lines, {"entities": counted}, more=len(found) - len(some))


def of_entity(found: NamedEntity, shown: Shown) -> PlainAnswer:
    """What is so, newest first; then what is no longer so."""
    holds = found.relations[: shown.limit]
    ended = found.ended[: shown.limit - len(holds)]
    lines = [_heading(found), *_lines(holds, shown)]
    lines += [ENDED, *_lines(ended, shown)] if ended else []
    told = _named(found) | {"relations": _steps(holds, shown), "ended": _steps(ended, shown)}
    more = len(found.relations) + len(found.ended) - len(holds) - len(ended)
    return _answer(lines, told, more=more)


def of_path(found: Sequence[EntityRelation], shown: Shown) -> PlainAnswer:
    """Every step of the way: half of one would connect nothing."""
    return _answer(_lines(found, shown) or [NO_PATH], {"path": _steps(found, shown)})


def _answer(lines: Sequence[str], told: dict[str, object], more: int = 0) -> PlainAnswer:
    """The lines, and how many are missing: a list that was cut short must not look whole."""
    text = "\n".join([*lines, *([f"{more} more: raise `limit`"] if more else [])])
    size: dict[str, object] = {"more": more, "tokens": estimate_tokens(text)}
    return PlainAnswer(text=text, document=told | size)


def _named(each: NamedEntity) -> dict[str, object]:
    return {"name": each.name, "kind": each.kind, "other_names": each.other_names}


def _heading(each: NamedEntity) -> str:
    return f"{', '.join((each.name, *each.other_names))} ({each.kind})"


def _counts(each: NamedEntity) -> str:
    holds = f"{len(each.relations)} relation{'' if len(each.relations) == 1 else 's'}"
    return f"{holds}, {len(each.ended)} ended" if each.ended else holds


def _lines(steps: Sequence[EntityRelation], shown: Shown) -> list[str]:
    """What relates two, from when until when; then the sentence that began it, or ended it."""
    return [f"- {_words(each)} ({_days(each)}){_source(each, shown)}" for each in steps]


def _words(each: EntityRelation) -> str:
    relation = each.relation.replace("_", " ")
    if each.relation in VERBS:
        return f"{each.subject} {relation} {each.object}"
    return f"{each.subject}'s {relation}: {each.object}"


def _days(each: EntityRelation) -> str:
    since, until = each.since[:DAY_LETTERS], each.until[:DAY_LETTERS]
    return f"{since} to {until}" if until else f"since {since}"


def _source(each: EntityRelation, shown: Shown) -> str:
    if not shown.sources:
        return ""
    told = each.ended_sentence or each.sentence
    return f": “{render_line.plain(told)}” ({each.ended_by or each.evidence})"


def _steps(steps: Sequence[EntityRelation], shown: Shown) -> list[object]:
    return [each if shown.sources else _short(each) for each in steps]


def _short(each: EntityRelation) -> dict[str, str]:
    days = {"since": each.since[:DAY_LETTERS], "until": each.until[:DAY_LETTERS]}
    ends = {"subject": each.subject, "relation": each.relation, "object": each.object}
    return ends | {name: day for name, day in days.items() if day}
