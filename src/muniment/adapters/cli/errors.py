"""Error output: every error leaves as one sentence, a stable code and an exit code."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from pathlib import PurePath
from typing import Final

import click
import msgspec

from muniment.adapters.rendering.plain_text import visible
from muniment.adapters.system.optional_packages import lacking
from muniment.adapters.system.path_exists import FULL
from muniment.model import errors
from muniment.model.errors import Envelope, MunimentError, RefusedError

DEBUG: Final = "MUNIMENT_DEBUG"
USAGE: Final = "USAGE"
INTERNAL: Final = "INTERNAL"
TELLS_WHERE: Final = {"erasure_left_residue": " in {}", "branch_has_branches": " ({})"}
TOO_MANY: Final = "unexpected extra argument"  # as click says it
LACKING: Final = ("Missing argument", "Missing option", "No such option")
NO_NUMBER: Final = ("not a valid integer range", "not a valid integer")  # in its own words too


class Stopped(BaseException):
    """Somebody told this process to end; it goes as from Ctrl-C, so that nothing half is left."""


class Exit(IntEnum):
    DONE = 0
    REFUSED = 1
    INPUT = 2
    NOT_FOUND = 3
    STORE = 4
    INTEGRITY = 5
    INTERNAL = 70  # EX_SOFTWARE: a mistake of ours, never one of yours
    INTERRUPTED = 130  # 128 + SIGINT, as every tool of a shell
    PIPE_CLOSED = 141  # 128 + SIGPIPE
    STOPPED = 143  # 128 + SIGTERM


# The first kind that fits; what is left over is the store's.
EXITS: Final[tuple[tuple[type[MunimentError], Exit], ...]] = (
    (errors.RefusedError, Exit.REFUSED),
    (errors.PermissionDeniedError, Exit.REFUSED),
    (errors.JobClosedError, Exit.REFUSED),
    (errors.BeingErasedError, Exit.REFUSED),
    (errors.InputError, Exit.INPUT),
    (errors.KeyReusedError, Exit.INPUT),
    (errors.NotFoundError, Exit.NOT_FOUND),
    (errors.IntegrityError, Exit.INTEGRITY),
    (errors.ReplayDivergedError, Exit.INTEGRITY),
)


class ClosedPipeError(Exception):
    """The reader has seen enough: `muniment log | head`."""


@contextmanager
def naming(what: str) -> Iterator[None]:
    """Whatever is not there is said by its name: a person has typed one."""
    try:
        yield
    except errors.NotFoundError:
        raise errors.NotFoundError(what) from None


def no_memory(place: str) -> errors.NotFoundError:
    told = "`muniment init` makes one, and --store names another"
    return errors.NotFoundError(f"there is no memory in {place}; {told}")


def guard(work: Callable[[], object], *, as_json: bool) -> int:
    """Do the work; returns the exit code, having said what is to be said."""
    try:
        code = work()
        if sys.stdout:  # somebody may have closed it: `>&-`
            sys.stdout.flush()
    except (ClosedPipeError, BrokenPipeError):
        _let_go_of_stdout()
        return Exit.PIPE_CLOSED
    except (click.Abort, KeyboardInterrupt):
        return _ended_by("interrupted", Exit.INTERRUPTED)
    except Stopped:
        return _ended_by("told to stop", Exit.STOPPED)
    except Exception as error:  # the last border: nobody shall see a traceback
        if os.environ.get(DEBUG):
            import traceback

            traceback.print_exc()
        code = _report(_explained(error), as_json=as_json)
        _leave_nothing_behind()
    return code if isinstance(code, int) else Exit.DONE


def _ended_by(what: str, code: Exit) -> Exit:
    """One line for who looks: what had to be told in full was not."""
    with suppress(OSError):
        click.echo(f"muniment: {_ended(what)} What was done before that is kept.", err=True)
    return code


def _explained(error: Exception) -> Exception:
    """A package that is not there is nobody's mistake: an extra brings it."""
    missing = lacking(error) if isinstance(error, ImportError) else ""
    return errors.InputError(missing) if missing else error


def exit_of(error: Exception) -> Exit:
    match error:
        case MunimentError():
            return next((code for kind, code in EXITS if isinstance(error, kind)), Exit.STORE)
        case click.ClickException() | UnicodeError():
            return Exit.INPUT
        case OSError():
            return Exit.STORE
        case _:
            return Exit.INTERNAL


def sentence(error: Exception) -> str:
    """One sentence for a person, without its code."""
    match error:
        case RefusedError() if error.sentence != RefusedError.sentence:
            return error.sentence  # what holds private data, and what is held
        case RefusedError():
            # Late, for most commands are not refused.
            from muniment.adapters.rendering.refusal_texts import because

            told = TELLS_WHERE.get(error.reason, "") if error.detail != error.reason else ""
            return _ended(f"I did not do that: {because(error.reason)}{told.format(error.detail)}")
        case errors.MemoryWriteFailError() | errors.StorageFullError():
            return error.sentence  # word for word: people may have built on it
        case MunimentError():
            return _ended(error.detail)
        case click.ClickException():
            return _ended(_hinted(error))
        case OSError():
            return _ended(_told_by_disk(error))
        case UnicodeError():
            return "The text is not valid UTF-8."
        case _:
            return f"Something went wrong inside ({type(error).__name__}); {DEBUG}=1 shows where."


def code_of(error: Exception) -> str:
    match error:
        case RefusedError():
            return f"{error.code}: {error.reason}"
        case MunimentError():
            return error.code
        case click.ClickException():
            return USAGE
        case OSError() if error.errno in FULL:
            return errors.StorageFullError.code
        case _:
            return {Exit.INPUT: "INVALID_INPUT", Exit.STORE: "STORE_UNAVAILABLE"}.get(
                exit_of(error), INTERNAL
            )


def envelope(error: Exception) -> Envelope:
    """The same envelope as at every other door."""
    if isinstance(error, MunimentError):
        return msgspec.structs.replace(error.envelope(), user_message=sentence(error))
    code = exit_of(error)
    return Envelope(
        error_code=code_of(error),
        status=400 if code == Exit.INPUT else 500,
        severity="info" if code == Exit.INPUT else "error",
        user_message=sentence(error),
        developer_message=visible(str(error)) or type(error).__name__,
        retryable=False,
        outcome="not_written",
        meta={},
    )


def _report(error: Exception, *, as_json: bool) -> Exit:
    if not (as_json and _is_told(envelope(error))):
        click.echo(f"muniment: {sentence(error)} [{code_of(error)}]", err=True)
    return exit_of(error)


def _is_told(document: Envelope) -> bool:
    """Whether it could be written where answers go: a full disk or a closed pipe takes nothing."""
    told = msgspec.json.format(msgspec.json.encode(document), indent=2)
    try:
        click.echo(told.decode())
    except OSError:
        _let_go_of_stdout()
        return False
    return True


def _told_by_disk(error: OSError) -> str:
    if error.errno not in FULL:
        return f"the disk refused it: {error.strerror or error}"
    return "the disk is full" + (f": {PurePath(error.filename).name}" if error.filename else "")


def _hinted(error: click.ClickException) -> str:
    """What helps: quotes, where each word was an argument of its own; else the help."""
    text = error.format_message()
    for words in NO_NUMBER:
        text = text.replace(words, "not a whole number")
    if TOO_MANY in text:
        return f"{text}; put a text of several words in quotes"
    asked = getattr(error, "ctx", None)
    if text.startswith(LACKING) and "." not in text.removesuffix(".") and asked:
        return f"{text.removesuffix('.')}; `{asked.command_path} --help` shows how"
    return text


def _ended(text: str) -> str:
    """A sentence stands on one line, begins with a capital and ends with a stop."""
    told = visible(" ".join(text.split()))
    return told[:1].upper() + told[1:] + ("" if told.endswith((".", "!", "?")) else ".")


def _leave_nothing_behind() -> None:
    """What could not be written is tried once more, here and not by Python at exit."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError:
        _let_go_of_stdout()


def _let_go_of_stdout() -> None:
    """What is still buffered has no reader; Python must not complain about it at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = sys.__stderr__
