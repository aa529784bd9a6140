"""Path check: whether something is at a path; only what is not there is absent.

Since Python 3.14 `Path.exists` returns False on every error. A key, a policy or a log that cannot
be read would then be created again.
"""

import errno
import os
from pathlib import Path
from typing import Final

from muniment.model.errors import StoreError

# No room: on the disk, for this user, or for a file of this size.
FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def is_there(path: Path) -> bool:
    """An error of the system is raised: nobody knows then."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def is_still(folder: Path) -> bool:
    """Whether a folder is there to be read and for nobody here to be written."""
    if not is_there(folder) or os.access(folder, os.W_OK):
        return False
    if not os.access(folder, os.R_OK | os.X_OK):  # listing it would tell of nothing in it
        raise StoreError(f"{folder.parent.name}/{folder.name} cannot be read")
    return True
