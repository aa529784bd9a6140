"""Summary decisions: which sentences of a model's recorded answer are kept, and undo."""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from muniment.engine.decide.decision_context import DecisionContext
from muniment.engine.decide.memos.extraction import is_label, label, offered
from muniment.layers import episodes, model_outputs
from muniment.layers.memos import summaries
from muniment.layers.shelves import ITEMS, Shelves
from muniment.model.commands.learning import UndoSummary, WordSummary
from muniment.model.events import AnyEvent
from muniment.model.events.learning import SummaryUndone, SummaryWorded
from muniment.model.kinds.cited_summary import CitedSentence, SentenceCitation, SummaryKind
from muniment.model.kinds.episode import Origin
from muniment.model.policy import Policy
from muniment.model.struct_copy import copied
from muniment.retrieval.dates import validity
from muniment.retrieval.index.index_feed import MIRROR, Offered
from muniment.rules import cited_sentences, write_gate
from muniment.rules.cited_sentences import CitableText

NEVER_KEEP: Final = "never_keep"
DAY: Final = len("2026-03-05")
TALKS: Final = frozenset({ITEMS, episodes.SHELF})


def covers(kind: SummaryKind, scope: str, text: Offered, policy: Policy) -> bool:
    """Whether a summary is of a text; what waits for somebody to vouch for it is in none."""
    if text.origin in policy.trust.quarantined:
        return False
    match kind:
        case SummaryKind.PROFILE:
            return text.origin == Origin.USER and not text.speaker
        case SummaryKind.REFLECTION:
            since, _, until = scope.partition("/")
            day = text.ts[:DAY]
            return since <= day and (not until or day <= until)
        case SummaryKind.LOOP:
            return text.layer == MIRROR and text.session == scope
        case SummaryKind.CONVERSATION | SummaryKind.TITLE:
            return text.layer in TALKS and text.session == scope


def worded(shelves: Shelves, kind: str, scope: str, subject: str) -> SummaryWorded | None:
    """The newest wording of a summary that nobody has undone."""
    lines = shelves.under(summaries.SHELF, summaries.topic(kind, scope, subject))
    told = (line.event for line in lines)
    return next((each for each in told if isinstance(each, SummaryWorded)), None)


def cited(shelves: Shelves, citation: SentenceCitation, subject: str) -> Offered | None:
    """The text that a citation names, as long as it lives."""
    if not is_label(citation.label):
        return None
    return next(_at(shelves, citation.label, subject), None)


def standing(shelves: Shelves, told: SummaryWorded | None) -> list[CitedSentence]:
    """The sentences of a wording whose texts all live."""
    return [
        each
        for each in (told.sentences if told else ())
        if told and all(cited(shelves, it, told.subject) for it in each.citations)
    ]


def word(now: DecisionContext, command: WordSummary) -> list[AnyEvent]:
    output = model_outputs.said(now.shelves, command.request)
    if output is None:
        return now.deny("output_missing", command.request)
    known = worded(now.shelves, command.kind, command.scope, command.subject)
    reached = known.upto if known else 0
    if command.after != reached or now.shelves.has(summaries.DECIDED, command.request):
        return now.deny("wording_exists", command.request)
    before = standing(now.shelves, known)
    shown = dict(_shown(now, command))
    found = cited_sentences.standing(output.text, command.kind, shown, before, _denied(now))
    unread = found.reason == cited_sentences.UNREADABLE
    failures = 1 + (known.failures if known else 0) if unread else 0
    again = unread and failures < now.desk.policy.learning.attempts_max
    fresh = tuple(_by(each, output.model) for each in found.sentences)
    return [
        copied(
            SummaryWorded,
            command,
            kind=command.kind,
            upto=command.after if again else command.upto,
            sources=len(shown),
            model=output.model,
            failures=failures if again else 0,
            dropped=dict(sorted(found.dropped.items())),
            reason=found.reason,
            sentences=tuple(before) if found.reason else fresh,
        )
    ]


def undo(now: DecisionContext, command: UndoSummary) -> list[AnyEvent]:
    line = now.shelves.get(summaries.SHELF, command.request)
    told = line.event if line else None
    if not isinstance(told, SummaryWorded) or told.subject != command.subject:
        return now.deny("wording_unknown", command.request)
    return [SummaryUndone(request=command.request, subject=command.subject)]


def _by(sentence: CitedSentence, model: str) -> CitedSentence:
    """A sentence that is kept from before stays whose it was."""
    return sentence if sentence.by else msgspec.structs.replace(sentence, by=model)


def _denied(now: DecisionContext) -> Callable[[str], str]:
    policy = now.desk.policy

    def denied(text: str) -> str:
        if policy.learning.never_keeps(text):
            return NEVER_KEEP
        return write_gate.DENY_PATTERN if policy.privacy.denies(text) else ""

    return denied


def _shown(now: DecisionContext, command: WordSummary) -> Iterator[tuple[str, CitableText]]:
    """The texts that the model was shown, as far as they live and the summary is of them."""
    for name in command.sources:
        if not is_label(name) or not command.after < int(name.partition(".")[0]) <= command.upto:
            continue
        for each in _at(now.shelves, name, command.subject):
            if covers(command.kind, command.scope, each, now.desk.policy):
                yield (
                    name,
                    CitableText(
                        id=each.id, text=each.text, origin=each.origin, speaker=each.speaker
                    ),
                )


def _at(shelves: Shelves, name: str, subject: str) -> Iterator[Offered]:
    """The living text of a label."""
    line = shelves.line(int(name.partition(".")[0]))
    observed = validity.moment(shelves, line) if line else ""
    found = offered(shelves, line, subject, observed) if line else []
    return (each for each in found if label(each) == name)
