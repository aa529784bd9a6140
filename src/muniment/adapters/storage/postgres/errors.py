"""Error mapping: errors of PostgreSQL and the network become Muniment's own."""

import re
from typing import Final

import psycopg

from muniment.adapters.storage.postgres.schema.write_functions import BEYOND, MOVED, TRAVELS
from muniment.model.errors import (
    HeadMovedError,
    InputError,
    IntegrityError,
    KeyReusedError,
    MunimentError,
    OutcomeUnknownError,
    StorageFullError,
    StoreError,
)

FULL: Final = "53100"
OURS: Final = "MU"
TORN: Final = frozenset({"XX001", "XX002"})
# Two transactions met; the server has undone one of them, and the same call may win next time.
CONFLICTS: Final = frozenset({"40001", "40P01"})
CONNECTION: Final = "08"  # the class of everything that goes wrong with the line
GOING_AWAY: Final = frozenset({"57P01", "57P02", "57P03"})
# What a proxy says when its own line to a server breaks; it has no code for that.
INTERNAL, PROXY = "XX000", "PL/Proxy function"
UNIQUE: Final = "23505"
QUOTED: Final = re.compile(r'constraint "(\w+)"')
ROUTE: Final = re.compile(r"^[\w.]+\(\d+\): \[[^\]]*\] REMOTE \w+: ")
VALUES: Final = ("22021", "22P05")  # text that the server's encoding cannot hold


class StreamMovingError(StoreError):
    """The stream is on its way to another server: nothing was written, ask again."""

    code = "STREAM_MOVING"


PLAIN: Final[dict[str, type[MunimentError]]] = {
    FULL: StorageFullError,
    **dict.fromkeys(TORN, IntegrityError),
    MOVED: HeadMovedError,
    TRAVELS: StreamMovingError,
}


def told(error: psycopg.Error) -> MunimentError:
    """What an error means that came before anything could be kept: nothing was written."""
    state, detail = error.sqlstate or "", _detail(error)
    plain = PLAIN.get(state)
    if plain is not None:
        return plain(_message(error) if state.startswith(OURS) else detail)
    if state == BEYOND or state in VALUES or (not state and isinstance(error, psycopg.DataError)):
        return InputError(_message(error))
    if state == UNIQUE:
        return _told_by_guard(error)
    return StoreError(detail)


def told_by_call(error: psycopg.Error) -> MunimentError:
    """What an error means that a call raised which commits by itself: sometimes, nobody knows."""
    if is_lost(error):
        return OutcomeUnknownError(_detail(error))
    return told(error)


def is_lost(error: psycopg.Error) -> bool:
    """Whether the connection broke, so that a commit may have happened without its answer."""
    state = error.sqlstate
    if state == INTERNAL:
        return (error.diag.message_primary or "").startswith(PROXY)
    if state is None:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return state.startswith(CONNECTION) or state in GOING_AWAY


def _told_by_guard(error: psycopg.Error) -> MunimentError:
    guard = _guard(error)
    if guard == "entry_operation":
        return KeyReusedError("an operation key of this batch is already in the log")
    if guard == "shelf_row_place":
        return InputError("two rows of a shelf cannot begin at the same position")
    if guard == "episode_name":
        return InputError("an episode of this name is in the open table already")
    return IntegrityError(_detail(error))  # the head and the entries contradict each other


def _guard(error: psycopg.Error) -> str:
    """The violated constraint; a proxy passes on its name only within the message."""
    found = QUOTED.search(_message(error))
    return error.diag.constraint_name or (found[1] if found else "")


def _message(error: psycopg.Error) -> str:
    """What was said, without the route that a proxy puts before it."""
    return ROUTE.sub("", error.diag.message_primary or str(error))


def _detail(error: psycopg.Error) -> str:
    # Never the server's DETAIL line: it quotes the values that it stumbled over.
    return f"{type(error).__name__} {error.sqlstate or ''}: {_message(error)}".replace(" :", ":")
