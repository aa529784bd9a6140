"""Whether the server has pgvector, and whether it is used: it never is unless somebody asks.

An approximate index may at most name candidates: what is answered is scored by the library, so
that every store gives the same list. Today nothing names candidates but the library itself, so
the switch has one position; this is where `doctor` looks.
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
    candidates: bool = False  # whether it finds candidates for a recall


def report(link: Link) -> VectorReport:
    available, installed = link.execute(FOUND).fetchone() or ("", "")
    return VectorReport(available=available or "", installed=installed or "")
