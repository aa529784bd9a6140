"""Page permissions: each page by the verbs that a key needs at other interfaces."""

from collections.abc import Callable, Sequence
from typing import Final

WORDS: Final = "words"  # no role has it: what people said is shown to who holds the store itself
# What a key must be allowed to do at other doors to see a page or send a form; one of them is
# enough, and a page that is for several shows each what is theirs.
VERBS: Final[dict[str, tuple[str, ...]]] = {
    "/logs": ("streams",),
    "/counts": ("streams",),
    "/waiting": ("requests", "streams", "incidents"),
    "/failures": ("incidents",),
    "/council": ("requests",),
    "/request": ("requests",),
    "/prove": ("prove", "rebuild"),
    "/work": ("prove", "rebuild"),
    "/signed": ("streams",),
    "/head": ("streams",),
    "/verifier": ("streams",),
    "/certify": ("prove",),
    "/bundle": ("prove",),
    "/vote": ("vote",),
    "/passport": ("passports",),
    "/erase": ("erasure_request",),
    "/destroy": ("erasure",),
    "/retention": ("erasure",),
    "/due": ("erasure",),
    "/hold": ("erasure",),
    "/lift": ("erasure",),
}
# What stands beside every page, in its order: what is known, and the log behind it.
MEMORY: Final = (
    ("/", "People"),
    ("/memories", "Memories"),
    ("/talks", "Conversations"),
    ("/life", "Timeline"),
    ("/map", "Map"),
    ("/lab", "Recall lab"),
    ("/council", "Approvals"),
)
AUDIT: Final = (
    ("/logs", "Logs"),
    ("/log", "Entries"),
    ("/diff", "Differences"),
    ("/privacy", "Privacy"),
    ("/retention", "Retention"),
    ("/branches", "Branches"),
    ("/rollback", "Roll back"),
    ("/what-if", "What if"),
    ("/prove", "Proof"),
)
MENU: Final = MEMORY + AUDIT

May = Callable[[str], bool]  # whether somebody may use a verb


def verbs(path: str) -> tuple[str, ...]:
    return VERBS.get(path, (WORDS,))


def is_shown(path: str, may: May) -> bool:
    """Whether somebody gets to see a page; of what they do not get to see there is no link."""
    return any(map(may, verbs(path)))


def home(may: May) -> str:
    """The first page that somebody gets to see; what waits has no place in the menu."""
    pages = [path for path, _ in MENU] + ["/waiting"]
    return next((path for path in pages if is_shown(path, may)), pages[0])


def shown(pages: Sequence[tuple[str, str]], may: May) -> list[tuple[str, str]]:
    return [(path, name) for path, name in pages if is_shown(path, may)]
