"""Source names, normalized: spelling is ignored, and a page counts as its site.

Whether several sources say the same decides what is believed, so whoever owns one name must not
speak under three. Where nobody can tell, two count as one: what waits then waits for a person.
"""

from typing import Final

from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.unicode14 import is_unseen, known, normalised

_SCHEME = lazy_pattern(r"(?:[a-z][a-z0-9+.-]*:)?[/\\]{2,}")
_PAGE = lazy_pattern(r"[/\\?#]")
_HOST = lazy_pattern(r"[\w-]+(?:\.[\w-]+)+")
# Under these a country's registry gives names away one level further down: example.co.uk.
_REGISTRIES: Final = frozenset(
    ["ac", "co", "com", "edu", "go", "gob", "gov", "ne", "net", "or", "org"]
)
_COUNTRY_LETTERS: Final = 2
_REGISTRY_LABELS: Final = 2


def canonical_name(source: str) -> str:
    """The name by which a source is known; empty for one without a name."""
    name, site, _ = _split(source)
    if _HOST.fullmatch(site):
        return _owner(site)
    return site or name if _SCHEME.match(name) else name


def is_page_of(source: str, site: str) -> bool:
    """Whether a source is a page of a site, or of one beneath it, with `https://` or without."""
    _, named, page = _split(site)
    _, host, _ = _split(source)
    if page or not _HOST.fullmatch(named) or _is_registry(named.split(".")):
        return False
    return host == named or host.endswith(f".{named}")


def _split(source: str) -> tuple[str, str, str]:
    """A source as it is compared: the whole of it, its site, and what stands behind that."""
    seen = "".join(each for each in normalised("NFKC", known(source)) if not _is_hidden(each))
    name = " ".join(seen.casefold().split()).rstrip(".")
    scheme = _SCHEME.match(name)
    site, *page = _PAGE.split(name[scheme.end() :] if scheme else name, maxsplit=1)
    if scheme:
        site = site.rpartition("@")[2]
    site = site if site.startswith("[") else site.partition(":")[0].rstrip(".")
    return name, site, "".join(page)


def _is_hidden(letter: str) -> bool:
    return is_unseen(letter) and not letter.isspace()


def _owner(host: str) -> str:
    """The part of a host's name that somebody had to register."""
    labels = host.split(".")
    if all(each.isdecimal() for each in labels):
        return host  # an address of numbers
    return ".".join(labels[-3:] if _is_registry(labels[-2:]) else labels[-2:])


def _is_registry(labels: list[str]) -> bool:
    """Whether names are given away beneath this one: co.uk is nobody's site."""
    if len(labels) != _REGISTRY_LABELS:
        return False
    name, country = labels
    return name in _REGISTRIES and len(country) == _COUNTRY_LETTERS
