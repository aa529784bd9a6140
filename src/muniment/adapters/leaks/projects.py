"""Project spaces as canaries: what is shared by those who enter a project, and by nobody else.

Over HTTP a key says which projects it enters. Here every seat of an agent enters that agent's.
"""

from contextlib import suppress
from typing import Any, Final

from muniment.adapters.leaks.scratch import Scratch
from muniment.adapters.leaks.seats import LeakSeat
from muniment.model.errors import PermissionDeniedError, RefusedError

DOORS: Final = frozenset({"python project", "http project"})
PROJECT: Final = "project"
ASKED: Final = "What is in the garden?"


def put(scratch: Scratch, seat: LeakSeat, text: str) -> None:
    _share(_talk(scratch.agent(seat), seat, seat.project), text)


def put_over_http(scratch: Scratch, seat: LeakSeat, text: str) -> None:
    _share(_talk(scratch.client(seat), seat, seat.project), text)


def told(scratch: Scratch, seat: LeakSeat) -> object:
    return _heard(_talk(scratch.agent(seat), seat, seat.project))


def told_over_http(scratch: Scratch, seat: LeakSeat) -> object:
    return _heard(_talk(scratch.client(seat), seat, seat.project))


def told_of_others(scratch: Scratch, seat: LeakSeat) -> list[object]:
    """What a key is told of projects that it does not enter."""
    found: list[object] = []
    for project in sorted({each.project for each in scratch.seats} - {seat.project}):
        with suppress(PermissionDeniedError):
            found.append(_heard(_talk(scratch.client(seat), seat, project)))
    return found


def may_read(reader: LeakSeat, owner: LeakSeat) -> bool:
    """Whoever enters the same project; and whoever hears its owner anyway."""
    inside = (reader.tenant, reader.project) == (owner.tenant, owner.project)
    return inside or reader.may_hear(owner)


def _talk(speaker: Any, seat: LeakSeat, project: str) -> Any:  # noqa: ANN401 - an agent, or a client
    return speaker.conversation(session=f"plot of {seat.user or seat.agent}", project=project)


def _share(talk: Any, text: str) -> None:  # noqa: ANN401
    """Said as a decision, and promoted from the session into the project."""
    talk.record(user=f"Decision: {text}")
    found = [each for each in talk.items() if text in each.text]
    if not found:
        raise RefusedError("policy_deny_event_type", "the set-up's policy keeps no decision")
    for each in found:
        talk.promote(each.id, PROJECT)


def _heard(talk: Any) -> list[object]:  # noqa: ANN401
    return [talk.recall(ASKED), talk.items("semantic", PROJECT)]
