"""Goals: the agent's goals in their latest version, and their progress."""

import msgspec

from muniment.log.entry import Line
from muniment.model.events import GoalSet
from muniment.model.events.memos import GoalAdvanced
from muniment.model.kinds.episode import Goal
from muniment.model.struct_copy import copied

Goals = dict[str, Goal]


def key(subject: str, goal_id: str) -> str:
    """Two people may call their goals alike."""
    return f"{subject}/{goal_id}"


def of(state: Goals, subject: str) -> list[Goal]:
    """The goals about one person, or about nobody; the most urgent first."""
    mine = [goal for goal in state.values() if goal.subject == subject]
    return sorted(mine, key=lambda goal: (-goal.priority, goal.goal_id))


def fold(state: Goals, lines: list[Line]) -> Goals:
    goals = dict(state)
    for line in lines:
        match line.event:
            case GoalSet(status="active" | "paused") as told:
                name = key(told.subject, told.goal_id)
                goals[name] = _goal(told, goals.get(name))
            case GoalSet(goal_id=goal_id, subject=subject):
                goals.pop(key(subject, goal_id), None)
            case GoalAdvanced(goal_id=goal_id, subject=subject) as told:
                name = key(subject, goal_id)
                goals[name] = msgspec.structs.replace(
                    goals[name], version=told.version, progress_ppm=told.progress_ppm
                )
            case _:
                pass
    return goals


def _goal(told: GoalSet, before: Goal | None) -> Goal:
    return copied(Goal, told, type=told.kind, progress_ppm=before.progress_ppm if before else 0)
