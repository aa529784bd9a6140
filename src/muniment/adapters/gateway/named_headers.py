"""Named headers: for whom and in which branch a request is meant, read alike at every door.

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
    named = [(name, value) for name, value in headers if name in {USER, BRANCH}]
    said = dict(named)
    if len(said) != len(named):
        raise InputError("a header that says for whom or where stands twice")
    user, branch = (_text(said, name) for name in (USER, BRANCH))
    visit = visit.speaking_for(user) if user else visit
    return visit.on_branch(branch) if branch else visit


def _text(said: dict[bytes, bytes], name: bytes) -> str:
    try:
        return said.get(name, b"").decode()
    except UnicodeDecodeError:  # put right by guessing, two names would become one
        raise InputError(f"the header {name.decode()} is not UTF-8") from None
