"""Loop order: one input, calls with their results, and an answer at the end."""

from typing import Final

from muniment.layers.loop_events import OpenLoop
from muniment.model.kinds.loop import OF_THE_SUBCONSCIOUS, EventKind
from muniment.model.scope import Persona

LOOP_EVENTS_MAX: Final = 4_096  # its summary names each of them, and an entry is bounded
AFTERWARDS: Final = frozenset({EventKind.SYSTEM_EVENT, EventKind.ERROR})


def refusal(kind: EventKind, persona: Persona, loop: OpenLoop) -> str:
    """Why an event cannot be the next one of its loop; empty when it can."""
    if persona is Persona.ACTOR and kind in OF_THE_SUBCONSCIOUS:
        return "kind_of_the_other_persona"
    if loop.events >= LOOP_EVENTS_MAX:
        return "loop_too_long"
    if kind is EventKind.USER_INPUT and loop.inputs:
        return "loop_has_its_input"
    if kind is EventKind.TOOL_RESULT and loop.results >= loop.calls:
        return "tool_result_without_call"
    if loop.answers and kind not in AFTERWARDS:
        return "loop_is_answered"
    return ""
