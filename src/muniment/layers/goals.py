"""Goals: what the agent is about, as it last said."""

from muniment.log.entry import Line
from muniment.model.events import GoalSet
from muniment.model.item import Goal

Goals = dict[str, Goal]


def fold(state: Goals, lines: list[Line]) -> Goals:
    goals = dict(state)
    for line in lines:
        match line.event:
            case GoalSet(status="active" | "paused") as told:
                goals[told.goal_id] = Goal(
                    goal_id=told.goal_id,
                    text=told.text,
                    priority=told.priority,
                    type=told.kind,
                    status=told.status,
                    major=told.major,
                )
            case GoalSet(goal_id=goal_id):
                goals.pop(goal_id, None)
            case _:
                pass
    return goals
