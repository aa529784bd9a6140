"""Loop compaction: an event as one compact line, and a loop's lines as one summary."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, takewhile
from typing import Final

from muniment.model.kinds.loop import EventKind, IdeticEvent, Mark
from muniment.model.text import telling_lines
from muniment.model.text.tokens import shorten

COMPACT_CHARACTERS_MAX: Final = 280
SUMMARY_LINES_MAX: Final = 50  # the last ones: how a loop ended says most about it
SUMMARY_CHARACTERS_MAX: Final = 8_000
DIGEST_CHARACTERS_MAX: Final = 2_000
LIKE_CALLS_MIN: Final = 4  # one behind another: from here on one line says how many there were
INPUTS: Final = frozenset({EventKind.USER_INPUT, EventKind.SUBCONSCIOUS_PROMPT})

Told = tuple[IdeticEvent, str]  # an event, and its compact form


def compact(event: IdeticEvent) -> str:
    """What was said, on one line, cut to a readable length; the literal form stays where it is."""
    return shorten(" ".join(event.words.split()), COMPACT_CHARACTERS_MAX)


def summarise(events: Sequence[IdeticEvent], compacted: Sequence[str]) -> str:
    """A `kind: text` line for each of the last events of a loop, in order, behind its task.

    Like calls that follow each other are one line with their number, and the last of their results.
    What only repeats a context has no words of its own, and no line; a call still names its tool.
    """
    told = [each for each in _folded(list(zip(events, compacted, strict=True))) if each[1]]
    lines = [shorten(f"{each.kind}: {text}", SUMMARY_CHARACTERS_MAX) for each, text in told]
    task = [n for n, (each, _) in enumerate(told) if each.kind in INPUTS][:1]
    return "\n".join(lines[n] for n in sorted(_fitting(lines, task)))


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
    """The first line of each summary, said once however often: what the loops were about."""
    firsts = Counter(text.split("\n")[0] for text in summaries)
    lines = [f"{line} ({times} times)" if times > 1 else line for line, times in firsts.items()]
    return shorten("\n".join(lines), DIGEST_CHARACTERS_MAX)


def _fitting(lines: Sequence[str], first: Sequence[int]) -> list[int]:
    """Which lines are kept: these first, then as many as there is room for, from the end."""
    wanted = list(dict.fromkeys([*first, *reversed(range(len(lines)))]))[:SUMMARY_LINES_MAX]
    sizes = accumulate(len(lines[n]) + 1 for n in wanted)  # each with a break, the last too
    return wanted[: sum(size <= SUMMARY_CHARACTERS_MAX + 1 for size in sizes)]


def _folded(told: Sequence[Told]) -> Iterator[Told]:
    at = 0
    while at < len(told):
        run = _like_calls(told[at:])
        calls = [each for each, _ in run if each.kind is EventKind.TOOL_CALL]
        if len(calls) >= LIKE_CALLS_MIN:
            yield calls[0], f"{_tool(calls[0])}, {len(calls)} times"
            results = [each for each in run if each[0].kind is EventKind.TOOL_RESULT]
            yield from map(_whole, results[-1:])
            at += len(run)
        else:
            yield _whole(told[at])
            at += 1


def _like_calls(told: Sequence[Told]) -> Sequence[Told]:
    """Calls of one tool from here on, with what each of them gave back."""
    tool = _tool(told[0][0])
    if not tool:
        return []
    return list(
        takewhile(
            lambda each: each[0].kind is EventKind.TOOL_RESULT or _tool(each[0]) == tool, told
        )
    )


def _tool(event: IdeticEvent) -> str:
    told = event.metadata if isinstance(event.metadata, dict) else {}
    return str(told.get("tool_name") or "") if event.kind is EventKind.TOOL_CALL else ""


def _whole(each: Told) -> Told:
    """A line that was cut is told in whole sentences, a value in words; others as they are."""
    event, text = each
    if text != compact(event):
        return each  # another compactor's word
    content = event.content if event.own_words is None else event.own_words
    called = _called(event) if event.own_words is None else ""
    return event, called or telling_lines.told(content, COMPACT_CHARACTERS_MAX) or _tool(event)


def _called(event: IdeticEvent) -> str:
    """A tool with what it was given; empty where that is not told apart."""
    told = event.metadata if isinstance(event.metadata, dict) else {}
    given = telling_lines.told(told.get("tool_args") or "", COMPACT_CHARACTERS_MAX)
    tool = _tool(event)
    return shorten(f"{tool} with {given}", COMPACT_CHARACTERS_MAX) if tool and given else tool
