"""Skill extraction: three loops that did the same, each without an error.

How surely it works is, at first, how many of the loops so far did; the first use after that is
weighed against it half and half, each later use moves it a little, and idle months wear it down.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from muniment.model import canonical_json, ids
from muniment.model.kinds.episode import Value
from muniment.model.kinds.loop import EventKind, IdeticEvent
from muniment.model.kinds.skill import Constant, Example, Skill
from muniment.model.text.tokens import MARK, shorten, tokens

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
ANSWERS: Final = frozenset({EventKind.ACTOR_OUTPUT, EventKind.SUBCONSCIOUS_OUTPUT})
SKILLS_MAX: Final = 1_000
EXAMPLES_MAX: Final = 3
ERRORS_MAX: Final = 3
UNSAID: Final = "an error without words"
DESCRIPTION_CHARACTERS_MAX: Final = 2 * NAME_CHARACTERS_MAX
EXAMPLE_CHARACTERS_MAX: Final = 160
SUCCESS_PPM: Final = 50_000
FAILURE_PPM: Final = 100_000
IDLE_DAYS: Final = 30
IDLE_KEEPS_PERCENT: Final = 95
IDLE_PERIODS_MAX: Final = 400  # more than a lifetime: nothing is left by then


class ToolCall(msgspec.Struct, frozen=True, kw_only=True):
    tool: str
    arguments: dict[str, Value]


class LoopRun(msgspec.Struct, frozen=True, kw_only=True):
    """One loop as far as a skill is concerned."""

    loop_id: str
    ended_at: str
    words: frozenset[str]
    answer_words: frozenset[str]
    calls: tuple[ToolCall, ...]
    error: str  # what its first error said; empty where it met none
    returned: str
    example: Example

    @property
    def procedure(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Tools in their order, each with the names of its arguments."""
        return tuple((call.tool, tuple(sorted(call.arguments))) for call in self.calls)

    @property
    def failed(self) -> bool:
        return bool(self.error)


def extract(
    collection: str,
    subject: str,
    loops: Iterable[Sequence[IdeticEvent]],
    *,
    repeats_min: int = REPEATS_MIN,
    skills_max: int = SKILLS_MAX,
) -> tuple[Skill, ...]:
    """The skills that one person's ended loops show, in the order in which each was first done.

    Beyond the limit the least sure, then the least frequent, then the longest unused stay out.
    """
    runs: dict[tuple[tuple[str, tuple[str, ...]], ...], list[LoopRun]] = {}
    for run in filter(None, map(_run, loops)):
        runs.setdefault(run.procedure, []).append(run)
    place = f"{collection}\x00{subject}"
    found = [_skill(place, alike, repeats_min) for alike in runs.values()]
    skills = [skill for skill in found if skill is not None]
    ranked = sorted(skills, key=lambda each: each.skill_id)
    ranked = sorted(ranked, key=lambda each: each.last_used, reverse=True)
    ranked = sorted(ranked, key=lambda each: (-each.confidence_ppm, -each.frequency))
    kept = {each.skill_id for each in ranked[:skills_max]}
    return tuple(skill for skill in skills if skill.skill_id in kept)


def confidence_ppm(outcomes: Sequence[bool], repeats_min: int = REPEATS_MIN) -> tuple[int, int]:
    """How surely a procedure works after these loops, and how many of them were uses of it.

    It begins with the share of loops that worked up to the third that did; no count of fifty
    stands in the way of a skill that everybody has seen three times.
    """
    done = uses = confidence = 0
    for number, worked in enumerate(outcomes, start=1):
        if done >= repeats_min:
            uses += 1
            confidence = _used(confidence, uses, worked=worked)
        done += worked
        if done == repeats_min and not uses and worked:
            confidence = done * WHOLE_PPM // number
    return confidence, uses


def _used(confidence: int, uses: int, *, worked: bool) -> int:
    if uses == 1:
        return (confidence + (WHOLE_PPM if worked else 0)) // 2
    step = SUCCESS_PPM if worked else -FAILURE_PPM
    return min(WHOLE_PPM, max(0, confidence + step))


def faded(skill: Skill, as_of: str) -> Skill:
    """A skill as sure as it is at a moment: each thirty idle days keep 95 of 100 parts."""
    if not as_of or not skill.last_used:
        return skill
    idle_days = ids.day_number(as_of) - ids.day_number(skill.last_used)
    confidence = skill.confidence_ppm
    for _ in range(min(idle_days // IDLE_DAYS, IDLE_PERIODS_MAX)):
        confidence = confidence * IDLE_KEEPS_PERCENT // 100
    return msgspec.structs.replace(skill, confidence_ppm=confidence)


def _skill(place: str, alike: Sequence[LoopRun], repeats_min: int) -> Skill | None:
    done = [run for run in alike if not run.failed]
    if len(done) < repeats_min:
        return None
    procedure = done[0].procedure
    steps = tuple(tool for tool, _ in procedure)
    parameters, constants = _arguments(done)
    named = canonical_json.digest(
        "muniment/v1/skill", place.encode(), canonical_json.encode(procedure)
    ).hex()
    confidence, uses = confidence_ppm([not run.failed for run in alike], repeats_min)
    returned = {run.returned for run in done}
    errors = [run.error for run in alike if run.failed]
    return Skill(
        skill_id=f"skill:{named[:32]}",
        name=shorten(", then ".join(steps), NAME_CHARACTERS_MAX),
        preconditions=_shared(run.words for run in done),
        steps=steps,
        parameters=parameters,
        constants=constants,
        frequency=len(done),
        confidence_ppm=confidence,
        evidence=tuple(run.loop_id for run in done[-EVIDENCE_MAX:]),
        last_seen=done[-1].ended_at,
        description=_description(procedure, constants),
        postconditions=_shared(run.answer_words for run in done),
        returns=returned.pop() if len(returned) == 1 else "",
        examples=tuple(run.example for run in done[-EXAMPLES_MAX:]),
        uses=uses,
        last_used=alike[-1].ended_at,
        failures=len(errors),
        failed_with=tuple(dict.fromkeys(reversed(errors)))[:ERRORS_MAX][::-1],
    )


def _shared(words: Iterable[frozenset[str]]) -> tuple[str, ...]:
    return tuple(sorted(frozenset.intersection(*words)))[:WORDS_MAX]


def _description(
    procedure: Sequence[tuple[str, tuple[str, ...]]], constants: Sequence[Constant]
) -> str:
    """Its steps, each with what it is given; what never varied, with its value."""
    fixed = {each.name: each.value for each in constants if each.value}
    steps = ", then ".join(_step(tool, names, fixed) for tool, names in procedure)
    return f"{shorten(f'Call {steps}', DESCRIPTION_CHARACTERS_MAX)}."


def _step(tool: str, names: Sequence[str], fixed: Mapping[str, str]) -> str:
    given = [f"{name} = {fixed[name]}" if name in fixed else name for name in names]
    return f"{tool} with {' and '.join(given)}" if given else tool


def _arguments(done: Sequence[LoopRun]) -> tuple[tuple[str, ...], tuple[Constant, ...]]:
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


def _values(run: LoopRun, name: str) -> Iterator[bytes]:
    return (
        canonical_json.encode(each.arguments[name]) for each in run.calls if name in each.arguments
    )


def _kept(run: LoopRun, name: str) -> str:
    """A constant's value, if it is one short scalar in every step with nothing taken out of it."""
    values = [call.arguments[name] for call in run.calls if name in call.arguments]
    told = canonical_json.readable(values[0])
    is_plain = isinstance(values[0], str | int | None) and len(told) <= NAME_CHARACTERS_MAX
    same = len(set(_values(run, name))) == 1
    return told if is_plain and same and not MARK.search(told) else ""


def _run(events: Sequence[IdeticEvent]) -> LoopRun | None:
    """A loop as a run; none if it called nothing, or something that has no proper name."""
    calls = [_call(each) for each in events if each.kind is EventKind.TOOL_CALL]
    named = tuple(call for call in calls if call is not None)
    arguments = sum(len(call.arguments) for call in named)
    if not named or len(named) < len(calls) or len(named) > STEPS_MAX or arguments > ARGUMENTS_MAX:
        return None
    results = [each.content for each in events if each.kind is EventKind.TOOL_RESULT]
    return LoopRun(
        loop_id=events[0].loop_id,
        ended_at=events[-1].ts,
        words=_said(events, INPUTS),
        answer_words=_said(events, ANSWERS),
        calls=named,
        error=_error(events),
        returned=_shape(results[-1]) if results else "",
        example=Example(asked=_told(events, INPUTS), answered=_told(events, ANSWERS)),
    )


def _error(events: Sequence[IdeticEvent]) -> str:
    if not any(each.kind is EventKind.ERROR for each in events):
        return ""
    return _told(events, frozenset({EventKind.ERROR})) or UNSAID


def _said(events: Sequence[IdeticEvent], kinds: frozenset[EventKind]) -> frozenset[str]:
    return frozenset(word for each in events if each.kind in kinds for word in _words(each))


def _told(events: Sequence[IdeticEvent], kinds: frozenset[EventKind]) -> str:
    said = next((each.content for each in events if each.kind in kinds), "")
    return shorten(" ".join(canonical_json.text_of(said).split()), EXAMPLE_CHARACTERS_MAX)


def _shape(value: Value) -> str:
    """What kind of thing a result is, without anything of what it says."""
    if isinstance(value, dict):
        if value.keys() == {canonical_json.FRACTION}:
            return "number"
        return shorten(f"object({', '.join(sorted(map(str, value)))})", NAME_CHARACTERS_MAX)
    if isinstance(value, list | tuple):
        return "list"
    shapes = {str: "text", bool: "yes or no", int: "number"}
    return shapes.get(type(value), "nothing")


def _call(event: IdeticEvent) -> ToolCall | None:
    told = event.metadata if isinstance(event.metadata, dict) else {}
    tool, given = told.get("tool_name"), told.get("tool_args")
    arguments: dict[str, Value] = {}
    if isinstance(given, dict) and given.keys() != {canonical_json.FRACTION}:
        arguments = {str(name): value for name, value in given.items()}
    elif given is not None:
        arguments = {UNNAMED: given}
    names = [tool, *arguments]
    if not all(isinstance(each, str) and len(each) <= NAME_CHARACTERS_MAX for each in names):
        return None
    return ToolCall(tool=tool, arguments=arguments) if tool else None


def _words(event: IdeticEvent) -> Iterator[str]:
    words = tokens(MARK.sub(" ", canonical_json.text_of(event.content)))
    return (word for word in words if len(word) <= NAME_CHARACTERS_MAX)
