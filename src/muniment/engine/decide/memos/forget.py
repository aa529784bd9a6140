"""Forgetting memos: which memos a phrase means, and how they end."""

import re
from collections.abc import Callable
from typing import Final

from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import memo_reads
from muniment.layers.memos import memos
from muniment.layers.memos.scratchpads import Scratchpad
from muniment.model.commands.memos import ForgetMemos
from muniment.model.errors import ABOUT_NOBODY
from muniment.model.events import AnyEvent
from muniment.model.events.memos import MemosForgotten
from muniment.model.kinds.memo import Memo, MemoPlace
from muniment.model.lazy_pattern import lazy_pattern

FORGOTTEN_MAX: Final = 4_096  # an entry is bounded; whoever wants more says it again
Chosen = list[Memo] | None  # none: the place does not know the phrase

EPISODE: Final = "episode:"
BY_ID: Final = ("memory id:", "memory_id:")

_MOMENT = lazy_pattern(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z", re.ASCII)


def forget(now: DecisionContext, command: ForgetMemos) -> list[AnyEvent]:
    """Let go of what a phrase names; the log and the reads of the past keep it."""
    job = now.job
    task = command.task_id or ((job.session or job.seed) if job else "")
    pad = memos.pad_key(command.subject, task) if command.place == MemoPlace.WM else ""
    phrase = command.phrase.strip()
    chosen = _chosen(now, command.place, phrase, pad)
    if chosen is None:
        return now.deny("phrase_unknown", phrase)
    if not chosen and command.place in list(MemoPlace):
        return now.deny("memo_unknown", phrase)
    named = chosen[:FORGOTTEN_MAX]
    others = _about_nobody(now, named, phrase)
    mine = tuple(memo.id for memo in named if memo.id not in others)
    if others and not mine:
        return now.deny(ABOUT_NOBODY, phrase)
    gone = MemosForgotten(
        place=command.place,
        memo_ids=mine,
        phrase=phrase,
        reason=command.reason,
        subject=command.subject,
        pad=pad,
    )
    return [gone]


def _about_nobody(now: DecisionContext, named: list[Memo], phrase: str) -> tuple[str, ...]:
    """Those that are about nobody, where a user names them: they are not theirs to end.

    Other phrases name their own only.
    """
    if not named or not phrase.startswith((EPISODE, *BY_ID)):
        return ()
    kept = ((memo.id, memo_reads.kept_at(now.shelves, memo.id)) for memo in named)
    return tuple(memo_id for memo_id, line in kept if line and now.is_shared(line))


def _chosen(now: DecisionContext, place: str, phrase: str, pad: str) -> Chosen:
    """A guest reads its phrases itself: its state is a fold, and it hears this entry."""
    if place == MemoPlace.WM:
        held = [each.memo for each in now.desk.memos.pads.get(pad, Scratchpad()).held]
        return _working(held, phrase)
    if place == MemoPlace.EM:
        return _episodic(now, phrase)
    if place == MemoPlace.SM:
        return _semantic(now, phrase)
    return []


def _working(held: list[Memo], phrase: str) -> Chosen:
    """Positions are counted from the oldest, which is 0."""
    if phrase == "oldest":
        return held[:1]
    if phrase == "least important":
        return _least(held)
    if found := re.fullmatch(r"position:([0-9]{1,9})", phrase):
        return held[int(found[1]) : int(found[1]) + 1]
    if found := re.fullmatch(r"before:step_([0-9]{1,15})", phrase):
        return [memo for memo in held if memo.step_index < int(found[1])]
    return _by_id(phrase, lambda memo_id: [memo for memo in held if memo.id == memo_id])


def _episodic(now: DecisionContext, phrase: str) -> Chosen:
    subject = now.received.command.subject
    if phrase.startswith(EPISODE):
        named = memo_reads.of_episode(now.shelves, phrase.removeprefix(EPISODE))
        return [each for each in named if _is_at(now, each, MemoPlace.EM)]
    return _of_a_shelf(now, phrase, MemoPlace.EM, subject)


def _semantic(now: DecisionContext, phrase: str) -> Chosen:
    subject = now.received.command.subject
    if phrase.startswith("key:"):
        return memo_reads.current(now.shelves, phrase.removeprefix("key:"), subject)
    if phrase == "least important":
        return _least(memo_reads.living(now.shelves, MemoPlace.SM, subject))
    return _of_a_shelf(now, phrase, MemoPlace.SM, subject)


def _of_a_shelf(now: DecisionContext, phrase: str, place: MemoPlace, subject: str) -> Chosen:
    if phrase == "oldest":
        return memo_reads.living(now.shelves, place, subject)[-1:]
    if phrase.startswith("before:") and _MOMENT.fullmatch(phrase.removeprefix("before:")):
        moment = phrase.removeprefix("before:")
        living = memo_reads.living(now.shelves, place, subject)
        return [memo for memo in living if memo.timestamp < moment]
    return _by_id(phrase, lambda memo_id: _one(now, memo_id, place))


def _by_id(phrase: str, find: Callable[[str], list[Memo]]) -> Chosen:
    for mark in BY_ID:
        if phrase.startswith(mark):
            return find(phrase.removeprefix(mark).strip())
    return None


def _one(now: DecisionContext, memo_id: str, place: MemoPlace) -> list[Memo]:
    memo = memo_reads.get(now.shelves, memo_id)
    return [memo] if memo and _is_at(now, memo, place) else []


def _is_at(now: DecisionContext, memo: Memo, place: MemoPlace) -> bool:
    return place in memo_reads.lives_in(now.shelves, memo.id)


def _least(held: list[Memo]) -> list[Memo]:
    return sorted(held, key=lambda memo: (memo.importance_ppm, memo.timestamp, memo.id))[:1]
