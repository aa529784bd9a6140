"""What every framework adapter does alike: say what waits for a yes, and name what is missing."""

from collections.abc import Sequence
from threading import RLock
from typing import Final

from muniment.adapters.system.optional_packages import told_of_framework
from muniment.model.errors import AwaitsApprovalError
from muniment.model.kinds.document import DocumentChange

# The engine takes one call at a time; frameworks call from many threads.
TURN: Final = RLock()

# Somebody else was here first; any other refusal is an answer, and the caller's to hear.
RACED: Final = frozenset({"document_changed", "document_unknown"})


def done(kept: Sequence[DocumentChange]) -> None:
    """A change that is done says nothing; one that waits is a typed answer with its requests."""
    waiting = tuple(each.request_id for each in kept if each.waits)
    if waiting:
        raise AwaitsApprovalError(waiting)


def missing(framework: str, extra: str) -> ImportError:
    return ImportError(told_of_framework(framework, extra))
