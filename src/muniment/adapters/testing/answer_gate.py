"""Answer gate: recorded questions and commands, asked again, fail a build where they differ."""

from collections.abc import Mapping
from typing import Final, Literal
from xml.etree import ElementTree

import msgspec

from muniment.engine.api.memory import Memory
from muniment.engine.what_if.report import Fate, OtherAnswer, WhatIf
from muniment.model.errors import InputError
from muniment.model.policy import Policy

SHOWN_MAX: Final = 10  # differences that a failure names
Outcome = Literal["same", "changed", "vacuous"]


class AnswerVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a build may go on: nothing differs beyond what was allowed, and something was asked.

    Without a single recorded question nothing was shown, and that is no pass.
    """

    outcome: Outcome
    beyond: dict[str, int]  # by fate, how many more than allowed
    report: WhatIf


def judged(report: WhatIf, allow: Mapping[str, int]) -> AnswerVerdict:
    if unknown := sorted(allow.keys() - {str(fate) for fate in Fate}):
        raise InputError(f"there is no {unknown[0]!r}; there are {', '.join(Fate)}")
    over = {fate: count - allow.get(fate, 0) for fate, count in report.counts.items()}
    beyond = {fate: count for fate, count in over.items() if count > 0}
    outcome: Outcome = "changed" if beyond else "same" if report.questions else "vacuous"
    return AnswerVerdict(outcome=outcome, beyond=beyond, report=report)


def assert_same_answers(
    memory: Memory, *, policy: Policy | None = None, allow: Mapping[str, int] | None = None
) -> WhatIf:
    """Every recorded question of a memory has the answer it had, and every command its outcome.

    Under another policy, or without one under this version of the program. `allow` says by fate
    how many may differ: `{"refused": 3}`.
    """
    verdict = judged(memory.admin().what_if_policy(policy), allow or {})
    assert verdict.outcome == "same", "\n".join(sentences(verdict))
    return verdict.report


def sentences(verdict: AnswerVerdict) -> list[str]:
    """What differs, in lines for people."""
    if verdict.outcome == "vacuous":
        return ["no question was recorded: nothing was shown"]
    report = verdict.report
    told = [f"{fate}: {count} more than allowed" for fate, count in verdict.beyond.items()]
    told += [
        f"{each.log} entry {each.entry}: {each.asked} {each.fate}: "
        f"{' | '.join(each.then) or 'nothing'} -> {' | '.join(each.now) or 'nothing'}"
        for each in report.examples[:SHOWN_MAX]
    ]
    told += [
        f"{each.log} entry {each.entry}: {each.question!r} {_differs(each)}"
        for each in report.answers[:SHOWN_MAX]
    ]
    return told


def _differs(answer: OtherAnswer) -> str:
    """How an answer would be another one: only what there is to tell."""
    told = {
        "loses": " | ".join(answer.lost),
        "gains": " | ".join(answer.gained),
        "begins with": answer.first,
    }
    found = [f"{how}: {words}" for how, words in told.items() if words]
    return "; ".join(found) or "has the same in another order"


def junit(verdict: AnswerVerdict) -> bytes:
    """A case for each way in which something may differ."""
    suite = ElementTree.Element("testsuite", name="muniment gate", tests=str(len(Fate) + 1))
    for fate in Fate:
        case = ElementTree.SubElement(suite, "testcase", classname="gate", name=fate)
        if fate in verdict.beyond:
            message = f"{verdict.beyond[fate]} more than allowed"
            told = "\n".join(sentences(verdict))
            ElementTree.SubElement(case, "failure", message=message).text = told
    case = ElementTree.SubElement(suite, "testcase", classname="gate", name="questions")
    if not verdict.report.questions:
        ElementTree.SubElement(case, "failure", message="no question was recorded")
    suite.set("failures", str(len(list(suite.iter("failure")))))
    written: bytes = ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True)
    return written
