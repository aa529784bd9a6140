"""Trial wording: what would come out otherwise under another policy, in words of people."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from muniment.adapters.rendering import event_words
from muniment.adapters.rendering.refusal_texts import because
from muniment.adapters.studio.known import wording
from muniment.engine.what_if.report import Fate, OtherAnswer, Otherwise

# What would become of a command, as a heading over the things that it would become of.
FATES: Final = {
    Fate.REFUSED: "Would not be kept",
    Fate.KEPT: "Would be kept",
    Fate.REDACTED: "Would be redacted",
    Fate.ENDED: "Would have ended",
    Fate.STAYS: "Would still stand",
    Fate.NOT_ASKED: "Would not have come up",
    Fate.EXPIRED: "Would be gone by its age",
    Fate.LASTS: "Would have lasted",
    Fate.UNKNOWN: "Would be let through; its words were never kept",
    Fate.OTHERWISE: "Would come out otherwise",
    Fate.ANSWERED: "Would be answered otherwise",
}
BECOMES: Final = {
    "added": "kept as {}",
    "changed": "changed as {}",
    "retired": "replaced as {}",
    "forgotten": "forgotten as {}",
    "revived": "brought back as {}",
}
_EFFECT: Final = re.compile(r"^(?P<change>[a-z]+) (?P<what>[^:]+)(?:: (?P<words>.*))?$", re.DOTALL)
_FRAME: Final = re.compile(r"^- \[[^\]]*\] ")  # of a line of a prompt: its source and its day


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a command did or would do: its words, and what becomes of them."""

    words: str
    clause: str
    is_refusal: bool = False


class TrialRow(msgspec.Struct, frozen=True, kw_only=True):
    """One command that would come out otherwise."""

    words: str
    why: str
    log: str
    entry: int


class TrialAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One question that would be answered otherwise."""

    question: str
    lost: list[str]
    gained: list[str]
    log: str
    entry: int


def effect(told: str) -> Effect:
    """An effect as a report tells it: `added episodes: I live in Lisbon`."""
    found = _EFFECT.match(told)
    if found is None:
        return Effect(words=told, clause="")
    change, what = found["change"], found["what"]
    words = wording.unredacted(found["words"] or "")
    if change == "refused":
        return Effect(words=words, clause=because(what), is_refusal=True)
    if change == "event":
        return Effect(words=words, clause=event_words.NAMES.get(what, what).lower())
    if change == "redacted":
        return Effect(words=words, clause="personal data is taken out")
    return Effect(words=words, clause=BECOMES.get(change, change).format(wording.layer(what)))


def rows(examples: Iterable[Otherwise]) -> dict[str, list[TrialRow]]:
    """The examples by what would become of them, under the heading of each."""
    found: dict[str, list[TrialRow]] = {}
    for each in examples:
        found.setdefault(FATES[each.fate], []).append(_row(each))
    return found


def _row(each: Otherwise) -> TrialRow:
    then, now = [*map(effect, each.then)], [*map(effect, each.now)]
    said = dict.fromkeys(one.words for one in then + now if one.words and one.words[:4] != "req:")
    return TrialRow(
        words=" · ".join(said) or each.asked.replace("_", " ").capitalize(),
        why=_why(then, now),
        log=each.log,
        entry=each.entry,
    )


def _why(then: Sequence[Effect], now: Sequence[Effect]) -> str:
    refused = next((one.clause for one in now if one.is_refusal), "")
    if refused:
        return refused
    would = list(dict.fromkeys(one.clause for one in now if one.clause))
    if would:
        return f"it would be {', '.join(would)}"
    would = list(dict.fromkeys(one.clause for one in then if one.clause))
    return f"it would not be {', '.join(would)}" if would else ""


def answers(found: Iterable[OtherAnswer]) -> list[TrialAnswer]:
    """Answers that would differ, those that would differ most first."""
    told = [
        TrialAnswer(
            question=each.question,
            lost=[_plain(line) for line in each.lost],
            gained=[_plain(line) for line in each.gained],
            log=each.log,
            entry=each.entry,
        )
        for each in found
    ]
    return sorted(told, key=lambda each: -len(each.lost) - len(each.gained))


def _plain(line: str) -> str:
    return wording.codeless(_FRAME.sub("", line))
