"""Source names: however it is spelled, a page is its site and a site its owner's.

Whether several sources say the same decides what is believed, so whoever owns one name must not
speak under three. Where nobody can tell, two count as one: what waits then waits for a person.
"""

import re
from typing import Final

from muniment.model.unicode14 import is_unseen, known, normalised

_SCHEME = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?[/\\]{2,}")
_PAGE = re.compile(r"[/\\?#]")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+")
# Under these a country's registry gives names away one level further down: example.co.uk.
_REGISTRIES: Final = frozenset(
    ["ac", "co", "com", "edu", "go", "gob", "gov", "ne", "net", "or", "org"]
)
_COUNTRY_LETTERS: Final = 2


def canonical_name(source: str) -> str:
    """The name by which a source is known; empty for one without a name."""
    seen = "".join(each for each in normalised("NFKC", known(source)) if not _is_hidden(each))
    name = " ".join(seen.casefold().split()).rstrip(".")
    scheme = _SCHEME.match(name)
    site = _PAGE.split(name[scheme.end() :] if scheme else name, maxsplit=1)[0]
    if scheme:
        site = site.rpartition("@")[2]
    site = site if site.startswith("[") else site.partition(":")[0].rstrip(".")
    if _HOST.fullmatch(site):
        return _owner(site)
    return site or name if scheme else name


def _is_hidden(letter: str) -> bool:
    return is_unseen(letter) and not letter.isspace()


def _owner(host: str) -> str:
    """The part of a host's name that somebody had to register."""
    labels = host.split(".")
    if all(each.isdecimal() for each in labels):
        return host  # an address of numbers
    deep = len(labels[-1]) == _COUNTRY_LETTERS and labels[-2] in _REGISTRIES
    return ".".join(labels[-3:] if deep else labels[-2:])
