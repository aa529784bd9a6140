"""Context wording: what an agent is told, line by line, and why the rest was left out."""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from muniment.adapters.studio.known import wording
from muniment.retrieval.context import render_line
from muniment.retrieval.context.bundle import Selected

APPROVED: Final = "approved"
# Where a line stands in a context, in the order in which a reader meets it.
SECTIONS: Final = {
    "in_force": "Laid down",
    "facts": "Facts",
    "goals": "Goals",
    "remembered": "Remembered",
    "recent": "Said lately",
    "skills": "Skills",
}
# The stages of a recall and of a context at which something is left out.
STAGES: Final = {
    "not_visible": "not this person's, or not there",
    "layer_not_asked_for": "of a kind that was not asked for",
    "forgotten": "forgotten",
    "not_valid_then": "not so on that day",
    "expired": "had its time",
    "wish_to_forget": "a wish to forget something",
    "filtered": "left out by a filter",
    "quarantined": "from outside, and nobody has vouched for it",
    "not_enough_to_act_on": "not sure enough to act on",
    "not_a_candidate": "has nothing to do with the question",
    "says_nothing": "says nothing that an answer could use",
    "near_duplicate": "says what another one says",
    "source_cap": "its source has its share already",
    "replaced_by_newer": "a newer word says otherwise",
    "replaced": "a newer word says otherwise",
    "rank_below_results_max": "others fit better",
    "pool": "others fit better",
    "top_k": "others fit better",
    "outside_the_window": "too long ago for this profile",
    "in_working_memory": "is at hand already",
    "repeated": "says what another line says",
    "did_not_fit_the_budget": "did not fit into the tokens",
    "budget": "did not fit into the tokens",
    "recalled": "told",
}


# What each term of a score says of a memory.
TERMS: Final = {
    "words": "the question's words",
    "session_words": "words of its conversation",
    "kin": "words that mean nearly the same",
    "overlap": "words in common",
    "answers": "answers a question like this",
    "speaker": "said by whom it is about",
    "asks": "is a question itself",
    "time": "speaks of time",
    "date": "of the day that is asked for",
    "like": "means the same",
    "like_before": "what was said before it",
    "like_after": "what was said after it",
    "like_session": "what its conversation is about",
    "like_sentence": "its best sentence",
    "anew": "tells it anew",
    "before": "what was so before",
    "revises": "says that it is over",
    "named": "has the name that is asked for",
    "learned": "put in another order, as was learned",
    "own_word": "what the person said themselves",
    "planned": "says what is planned",
    "relations": "a name leads to it",
    "state": "the latest word on it",
    "echo": "only asks the same, or is what the agent always says",
    "person": "stated by who asks",
    "importance": "how much it matters",
}


class PromptLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line that an agent is told: its words, on whose word, since when, and what it costs."""

    id: str
    section: str
    words: str
    source: str
    when: str
    tokens: int
    percent: int  # of the weight that the best line has


def lines(pieces: Iterable[Selected]) -> list[PromptLine]:
    """The lines of a context in their order, each by its weight against the best one's."""
    told = list(pieces)
    best = max((each.score_ppm for each in told), default=0) or 1
    return [
        PromptLine(
            id=each.id,
            section=SECTIONS.get(each.section, wording.attribute(each.section).capitalize()),
            words=wording.unredacted(render_line.words(each.text)),
            source=_source(each),
            when=wording.day(each.created) if each.created else "",
            tokens=each.tokens,
            percent=max(each.score_ppm * 100 // best, 0),
        )
        for each in told
    ]


def left_out(dropped: Mapping[str, int]) -> list[tuple[str, str, int]]:
    """Why something was left out, in words, with its code, and how much of it."""
    found = [(stage(code), code, count) for code, count in dropped.items() if count]
    return sorted(found, key=lambda each: (-each[2], each[1]))


def term(code: str) -> str:
    return TERMS.get(code, code.replace("_", " "))


def stage(code: str) -> str:
    return STAGES.get(code, code.replace("_", " "))


def _source(each: Selected) -> str:
    if each.authority == APPROVED:
        return "approved by the council"
    return wording.SOURCES.get(each.origin, each.origin)
