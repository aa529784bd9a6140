"""Goals: what the agent is about, as it last said."""

from muniment.log.entry import Line
from muniment.model.events import GoalSet
from muniment.model.item import Goal

Goals = dict[str, Goal]


def key(subject: str, goal_id: str) -> str:
    """Two people may call their goals alike."""
    return f"{subject}/{goal_id}"


def fold(state: Goals, lines: list[Line]) -> Goals:
    goals = dict(state)
    for line in lines:
        match line.event:
            case GoalSet(status="active" | "paused") as told:
                goals[key(told.subject, told.goal_id)] = Goal(
                    goal_id=told.goal_id,
                    subject=told.subject,
                    text=told.text,
                    priority=told.priority,
                    type=told.kind,
                    status=told.status,
                    major=told.major,
                )
            case GoalSet(goal_id=goal_id, subject=subject):
                goals.pop(key(subject, goal_id), None)
            case _:
                pass
    return goals
