"""Check for pgvector, which is not used; `doctor` reports it.

An index of vectors on the server would need them unencrypted, and an approximate index answers
differently after every insertion: see the decision on that. Recall ranks in the library,
from sealed segments, the same on every store.
"""

from typing import Any, Final

import msgspec
import psycopg

Link = psycopg.Connection[tuple[Any, ...]]

FOUND: Final = """
SELECT default_version, installed_version FROM pg_available_extensions WHERE name = 'vector'
"""


class VectorReport(msgspec.Struct, frozen=True, kw_only=True):
    available: str  # the version that could be installed; empty: none
    installed: str  # the version in this database; empty: none

    @property
    def told(self) -> str:
        """Whether pgvector is installed, as one sentence."""
        if self.installed:
            return f"{self.installed} is installed, and off: recall never asks it"
        if self.available:
            return f"{self.available} could be installed; recall has no use for it"
        return "not on this server; recall has no use for it"


def report(link: Link) -> VectorReport:
    available, installed = link.execute(FOUND).fetchone() or ("", "")
    return VectorReport(available=available or "", installed=installed or "")
