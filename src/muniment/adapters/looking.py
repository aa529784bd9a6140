"""Whether something is at a path: only what is not there is absent.

Since Python 3.14 `Path.exists` takes every error for absence. A key, a policy or a log that cannot
be looked at would then be made anew.
"""

from pathlib import Path


def is_there(path: Path) -> bool:
    """An error of the system is raised: nobody knows then."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True
