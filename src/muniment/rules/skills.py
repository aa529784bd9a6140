"""When repetition is a skill: three loops that did the same, each without an error."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from muniment.model import canon
from muniment.model.item import Value
from muniment.model.loop import EventKind, IdeticEvent
from muniment.model.skill import Constant, Skill
from muniment.model.text import MARK, shorten, tokens

REPEATS_MIN: Final = 3
WHOLE_PPM: Final = 1_000_000
# An entry is bounded, so a skill is: whatever is longer than this is no procedure but a story.
STEPS_MAX: Final = 64
ARGUMENTS_MAX: Final = 64
NAME_CHARACTERS_MAX: Final = 128
WORDS_MAX: Final = 16
EVIDENCE_MAX: Final = 16
UNNAMED: Final = "value"  # the argument of a call that got one without a name
INPUTS: Final = frozenset({EventKind.USER_INPUT, EventKind.SUBCONSCIOUS_PROMPT})


class Call(msgspec.Struct, frozen=True, kw_only=True):
    tool: str
    arguments: dict[str, Value]


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One loop as far as a skill is concerned."""

    loop_id: str
    ended_at: str
    words: frozenset[str]
    calls: tuple[Call, ...]
    failed: bool

    @property
    def procedure(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Tools in their order, each with the names of its arguments."""
        return tuple((call.tool, tuple(sorted(call.arguments))) for call in self.calls)


def extract(
    collection: str, subject: str, loops: Iterable[Sequence[IdeticEvent]]
) -> tuple[Skill, ...]:
    """The skills that one person's ended loops show, in the order in which each was first done."""
    runs: dict[tuple[tuple[str, tuple[str, ...]], ...], list[Run]] = {}
    for run in filter(None, map(_run, loops)):
        runs.setdefault(run.procedure, []).append(run)
    found = (_skill(f"{collection}\x00{subject}", alike) for alike in runs.values())
    return tuple(skill for skill in found if skill is not None)


def _skill(place: str, alike: Sequence[Run]) -> Skill | None:
    done = [run for run in alike if not run.failed]
    if len(done) < REPEATS_MIN:
        return None
    procedure = done[0].procedure
    steps = tuple(tool for tool, _ in procedure)
    parameters, constants = _arguments(done)
    named = canon.digest("muniment/v1/skill", place.encode(), canon.encode(procedure)).hex()
    return Skill(
        skill_id=f"skill:{named[:32]}",
        name=shorten(", then ".join(steps), NAME_CHARACTERS_MAX),
        preconditions=tuple(sorted(frozenset.intersection(*(run.words for run in done))))[
            :WORDS_MAX
        ],
        steps=steps,
        parameters=parameters,
        constants=constants,
        frequency=len(done),
        confidence_ppm=len(done) * WHOLE_PPM // len(alike),
        evidence=tuple(run.loop_id for run in done[-EVIDENCE_MAX:]),
        last_seen=done[-1].ended_at,
    )


def _arguments(done: Sequence[Run]) -> tuple[tuple[str, ...], tuple[Constant, ...]]:
    """What varied between loops in any step, and what did not."""
    names = sorted({name for _, arguments in done[0].procedure for name in arguments})
    varied: list[str] = []
    constants: list[Constant] = []
    for name in names:
        each = {tuple(_values(run, name)) for run in done}
        if len(each) > 1:
            varied.append(name)
        else:
            constants.append(Constant(name=name, value=_kept(done[0], name)))
    return tuple(varied), tuple(constants)


def _values(run: Run, name: str) -> Iterator[bytes]:
    return (canon.encode(each.arguments[name]) for each in run.calls if name in each.arguments)


def _kept(run: Run, name: str) -> str:
    """A constant's value, if it is one short scalar in every step with nothing taken out of it."""
    values = [call.arguments[name] for call in run.calls if name in call.arguments]
    told = canon.readable(values[0])
    is_plain = isinstance(values[0], str | int | None) and len(told) <= NAME_CHARACTERS_MAX
    same = len(set(_values(run, name))) == 1
    return told if is_plain and same and not MARK.search(told) else ""


def _run(events: Sequence[IdeticEvent]) -> Run | None:
    """A loop as a run; none if it called nothing, or something that has no proper name."""
    calls = [_call(each) for each in events if each.kind is EventKind.TOOL_CALL]
    named = tuple(call for call in calls if call is not None)
    arguments = sum(len(call.arguments) for call in named)
    if not named or len(named) < len(calls) or len(named) > STEPS_MAX or arguments > ARGUMENTS_MAX:
        return None
    return Run(
        loop_id=events[0].loop_id,
        ended_at=events[-1].ts,
        words=frozenset(word for each in events if each.kind in INPUTS for word in _words(each)),
        calls=named,
        failed=any(each.kind is EventKind.ERROR for each in events),
    )


def _call(event: IdeticEvent) -> Call | None:
    told = event.metadata if isinstance(event.metadata, dict) else {}
    tool, given = told.get("tool_name"), told.get("tool_args")
    arguments: dict[str, Value] = {}
    if isinstance(given, dict) and given.keys() != {canon.FRACTION}:
        arguments = {str(name): value for name, value in given.items()}
    elif given is not None:
        arguments = {UNNAMED: given}
    names = [tool, *arguments]
    if not all(isinstance(each, str) and len(each) <= NAME_CHARACTERS_MAX for each in names):
        return None
    return Call(tool=tool, arguments=arguments) if tool else None


def _words(event: IdeticEvent) -> Iterator[str]:
    content = event.content
    text = content if isinstance(content, str) else canon.readable(content)
    words = tokens(MARK.sub(" ", text))
    return (word for word in words if len(word) <= NAME_CHARACTERS_MAX)
