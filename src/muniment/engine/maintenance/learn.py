"""Learn: a small change of the identity, tried on recent loops before it is requested."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from muniment.engine.session.loop_reader import Library
from muniment.model.errors import PolicyError
from muniment.model.kinds.loop import EventKind, LoopSummary
from muniment.model.policy.identity import Heuristics, Identity, heuristics, patched
from muniment.model.scope import Persona
from muniment.model.text.tokens import shorten, tokens
from muniment.retrieval.languages.detect_language import shows_language
from muniment.retrieval.scoring import fuzzy
from muniment.rules import tuning

LOOPS_TRIED: Final = 8
NOTE_CHARACTERS_MAX: Final = 280
NOTES_MAX: Final = 32  # beyond it the oldest note makes room
NOTES: Final = "instructions.operational_notes"

Patch = Mapping[str, object]
# Proposes a patch from the identity, the feedback and the summaries of recent loops.
Proposer = Callable[[Identity, str, Sequence[str]], Patch]


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a feedback: the patch, how it did, and the request that now waits for a yes."""

    patch: dict[str, object]
    score_before_ppm: int
    score_after_ppm: int
    improved: bool
    request_id: str  # empty where nothing was asked
    reason: str  # why nothing was asked
    loop_id: str


def note(identity: Identity, feedback: str, loops: Sequence[str]) -> Patch:
    """The smallest change there is: the feedback itself becomes one more operational note."""
    del loops
    text = shorten(" ".join(feedback.split()), NOTE_CHARACTERS_MAX)
    notes = [each for each in identity.instructions.operational_notes if each != text]
    return {NOTES: [*notes, text][-NOTES_MAX:]} if text else {}


def trial(
    library: Library, identity: Identity, patch: Patch, feedback: str
) -> tuple[int, int, tuple[str, ...]]:
    """The scores without and with a patch on the same recent loops, and which loops those were."""
    loops = library.summaries(LOOPS_TRIED)
    questions = {each.loop_id: _question(library, each.loop_id) for each in loops}
    try:
        changed = patched(identity, patch)
    except PolicyError:
        changed = identity  # the decision will say what is wrong with it
    wished = tuning.wishes(feedback, understood=_is_understood(feedback, loops))
    before, after = (_score(loops, questions, each, wished) for each in (identity, changed))
    return before, after, tuple(questions)


def _is_understood(feedback: str, loops: Sequence[LoopSummary]) -> bool:
    """Whether it shows a language that is known here, or speaks of what was done of late."""
    done = {word for each in loops for word in tokens(each.summary)}
    return shows_language(feedback) or not done.isdisjoint(tokens(feedback))


def _score(
    loops: list[LoopSummary],
    questions: Mapping[str, str],
    identity: Identity,
    wished: frozenset[str],
) -> int:
    rules = heuristics(identity, Persona.ACTOR)
    ranks = [_rank(loops, each.loop_id, questions[each.loop_id], rules) for each in loops]
    return tuning.score(wished, identity.instructions.operational_notes, ranks)


def _rank(loops: list[LoopSummary], loop_id: str, question: str, rules: Heuristics) -> int:
    """At which place a loop is found by its own question; 0 when it is not."""
    now = max(each.ts_end for each in loops)
    found = fuzzy.search(question, loops[: rules.stm_window_size], rules, as_of=now)
    places = [place for place, each in enumerate(found, 1) if each.summary.loop_id == loop_id]
    return places[0] if places else 0


def _question(library: Library, loop_id: str) -> str:
    asked = (
        each
        for each in library.events()
        if each.loop_id == loop_id and each.kind is EventKind.USER_INPUT
    )
    return next((str(each.content) for each in asked), "")
