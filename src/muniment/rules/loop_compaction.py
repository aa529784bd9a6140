"""How an event becomes one compact line, and how a loop's lines become one summary."""

from collections.abc import Sequence
from typing import Final

from muniment.model.kinds.loop import EventKind, IdeticEvent, Mark
from muniment.model.text.tokens import shorten

COMPACT_CHARACTERS_MAX: Final = 280
SUMMARY_LINES_MAX: Final = 50  # the last ones: how a loop ended says most about it
SUMMARY_CHARACTERS_MAX: Final = 8_000
DIGEST_CHARACTERS_MAX: Final = 2_000
INPUTS: Final = frozenset({EventKind.USER_INPUT, EventKind.SUBCONSCIOUS_PROMPT})


def compact(event: IdeticEvent) -> str:
    """What was said, on one line, cut to a readable length; the literal form stays where it is."""
    return shorten(" ".join(event.words.split()), COMPACT_CHARACTERS_MAX)


def summarise(events: Sequence[IdeticEvent], compacted: Sequence[str]) -> str:
    """One `kind: text` line for each of the last events of a loop, in order, behind its task."""
    lines = [f"{each.kind}: {text}" for each, text in zip(events, compacted, strict=True)]
    if len(lines) > SUMMARY_LINES_MAX:
        task = [line for each, line in zip(events, lines, strict=True) if each.kind in INPUTS][:1]
        lines = [*task, *lines[len(task) - SUMMARY_LINES_MAX :]]
    return shorten("\n".join(lines), SUMMARY_CHARACTERS_MAX)


def marks(events: Sequence[IdeticEvent]) -> tuple[Mark, ...]:
    """The kinds and visibilities that occur in a loop, each pair once, in a fixed order."""
    pairs = sorted({(each.kind, each.visibility) for each in events})
    return tuple(Mark(kind=kind, visibility=visibility) for kind, visibility in pairs)


def is_complete(events: Sequence[IdeticEvent]) -> bool:
    """Whether a loop had its input, a result for each call, and its answer."""
    kinds = [each.kind for each in events]
    answers = {EventKind.ACTOR_OUTPUT, EventKind.SUBCONSCIOUS_OUTPUT}
    paired = kinds.count(EventKind.TOOL_CALL) == kinds.count(EventKind.TOOL_RESULT)
    return bool(INPUTS & set(kinds)) and paired and bool(answers & set(kinds))


def digest(summaries: Sequence[str]) -> str:
    """The first line of each summary: enough to know what the loops were about."""
    return shorten("\n".join(text.split("\n")[0] for text in summaries), DIGEST_CHARACTERS_MAX)
