"""Relation dates: since when and until when a sentence says that a relation holds."""

from muniment.model import ids
from muniment.model.kinds.origin_tables import OF_MACHINES
from muniment.retrieval.dates import date_mentions, valid_from
from muniment.retrieval.entities.entity_relation import EntityRelation, ToldRelation
from muniment.retrieval.entities.relation_rules import (
    LIVES_IN,
    NOW,
    WAS,
    WORKS_AT,
    Relation,
)
from muniment.retrieval.languages.detect_language import detect_languages

TOLD_WITH_A_DAY = frozenset({WORKS_AT, LIVES_IN})  # of kin a day tells of something else


def dated(found: Relation, *, moment: str, evidence: str, origin: str = "") -> ToldRelation:
    """A relation as a text tells it at a moment, with the days that its sentence names."""
    since, until = _days(found, moment) if moment else ("", "")
    said = EntityRelation.told(found, evidence=evidence, since=since, origin=origin)
    by_machine = origin in OF_MACHINES
    return ToldRelation(
        said=said, moment=moment, tense=found.tense, until=until, by_machine=by_machine
    )


def _days(found: Relation, moment: str) -> tuple[str, str]:
    told = ids.day_number(moment)
    if found.tense == NOW:
        first = valid_from.day(found.sentence, moment) if _is_dated(found) else told
        return (moment if first == told else ids.day_text(first)), ""
    named = date_mentions.first(detect_languages(found.sentence))
    if found.tense == WAS and named is not None and named[0].year:
        first, last = named[0].span(named[0].year)
        if last < told:  # "in 2018": the whole of it
            return ids.day_text(first), ids.day_text(last + 1)
    return moment, over_since(found.sentence, moment)


def over_since(sentence: str, moment: str) -> str:
    """The day before the telling on which a sentence says that something ended; or nothing."""
    over = valid_from.tells_of(sentence, moment) if moment else 0
    return ids.day_text(over) if moment and over < ids.day_number(moment) else ""


def _is_dated(found: Relation) -> bool:
    if found.relation in TOLD_WITH_A_DAY:
        return True
    return any(
        pattern.search(text)
        for language, text in detect_languages(found.sentence)
        for pattern in language.patterns(language.begins)
    )
