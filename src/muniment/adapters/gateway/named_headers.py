"""Named headers: the user and the branch of a request, parsed alike everywhere.

Read in two ways, one person would be two: whoever is erased as one of them would live on as the
other.
"""

from collections.abc import Iterable
from typing import Final

from muniment.adapters.gateway.gateway import Visit
from muniment.model.errors import InputError

USER: Final = b"muniment-user"
BRANCH: Final = b"muniment-branch"


def narrowed(visit: Visit, headers: Iterable[tuple[bytes, bytes]]) -> Visit:
    """The visit for the user and in the branch that the headers name; neither widens it."""
    said: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in said:
            raise InputError(f"the header {name.decode()} occurs twice")
        if name in {USER, BRANCH}:
            said[name] = value
    user, branch = (_text(said, name) for name in (USER, BRANCH))
    visit = visit.speaking_for(user) if user else visit
    return visit.on_branch(branch) if branch else visit


def _text(said: dict[bytes, bytes], name: bytes) -> str:
    try:
        return said.get(name, b"").decode()
    except UnicodeDecodeError:  # put right by guessing, two names would become one
        raise InputError(f"the header {name.decode()} is not UTF-8") from None
