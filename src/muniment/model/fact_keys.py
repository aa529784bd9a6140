"""Canonical keys of governed facts: `<scope>/<entity_type>/<entity_id>/<attribute>`."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from muniment.model.canonical_json import admit_text
from muniment.model.errors import InputError
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.unicode14 import known, normalised

KEY: Final = lazy_pattern(r"([a-z0-9_]+)/([a-z0-9_]+)/([a-z0-9_\-]+)/([a-z0-9_]+)")
NO_ALIASES: Final[Mapping[str, str]] = {}
SEGMENTS: Final = 4
ENTITY: Final = 2  # the place of the entity id, counted from 0
COMPONENT_CHARACTERS_MAX: Final = 64
KEY_CHARACTERS_MAX: Final = 256
ENTITY_SLUG_CHARACTERS: Final = 48  # a longer id keeps this much and a hash of the whole
OWN_PROFILE: Final = "user/profile/"
PERSON: Final = "user_"
PERSON_TAG_DIGITS: Final = 16  # nobody finds another id with the same ones by trying

_OTHER = lazy_pattern(r"[^a-z0-9]+")


def slug(text: str) -> str:
    """Lower-case ASCII words joined by single underscores, at most 64 characters."""
    plain = normalised("NFKD", known(text).strip().lower()).encode("ascii", "ignore").decode()
    return _OTHER.sub("_", plain).strip("_")[:COMPONENT_CHARACTERS_MAX].strip("_")


def entity_slug(text: str) -> str:
    """An id keeps its hyphens; one that is cut or loses letters is told apart by a hash of it."""
    joined = _entity_words(text)
    if len(text) <= COMPONENT_CHARACTERS_MAX and not _loses_letters(text):
        return joined[:COMPONENT_CHARACTERS_MAX].strip("-_")
    tag = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()[:8]
    return f"{joined[:ENTITY_SLUG_CHARACTERS].strip('-_')}-{tag}".strip("-")


def _entity_words(text: str) -> str:
    words = [slug(word) for word in text.split("-")]
    return "-".join(word for word in words if word)


@lru_cache(maxsize=1024)
def user_entity(user: str) -> str:
    """`user_` and the normalised id, once: `TUFF` and `user_tuff` are the same person.

    Whoever has a sign, a space or an accent that a key cannot hold is told apart by a hash of the
    whole: `a.b@x.org` and `a_b@x.org` are two people.
    """
    told = _told_apart(user).removeprefix(PERSON)
    plain = _entity_words(told).removeprefix(PERSON)
    if not plain and not _loses_letters(told):
        raise InputError("a user's name needs letters or digits")
    room = COMPONENT_CHARACTERS_MAX - len(PERSON)
    if plain == told and len(plain) <= room:
        return PERSON + plain
    tag = hashlib.sha256(told.encode()).hexdigest()[:PERSON_TAG_DIGITS]
    return PERSON + f"{plain[: room - len(tag) - 1].strip('-_')}-{tag}".strip("-")


def _told_apart(user: str) -> str:
    """An id as its person is known by: capitals alone make no two people of one."""
    seen = known(user.strip())
    # A letter that is newer than our tables has no small one that every machine agrees on.
    return normalised("NFC", seen.lower()) if seen == user.strip() else user.strip()


def _loses_letters(text: str) -> bool:
    """Whether letters, and not only their marks, have no plain form: two such ids must differ."""
    seen = known(text)
    plain = normalised("NFKD", seen.lower())
    # Of what nobody knows yet it may be one.
    return seen != text or any(letter.isalnum() and not letter.isascii() for letter in plain)


def canonical(key: str, aliases: Mapping[str, str] = NO_ALIASES) -> str:
    """The one spelling of a key; an error says which part is wrong.

    Words of its attribute that `aliases` names are spelled as it says: one thing has one key.
    """
    segments = admit_text(key).strip().strip("/").split("/")
    if len(segments) != SEGMENTS:
        raise InputError("a key has four parts: scope/entity_type/entity_id/attribute")
    scope, entity_type, entity_id, attribute = segments
    entity = entity_slug(entity_id)
    if (slug(scope), slug(entity_type)) == ("user", "profile"):
        entity = user_entity(entity_id)
    found = "/".join((slug(scope), slug(entity_type), entity, one_spelling(attribute, aliases)))
    if not KEY.fullmatch(found) or len(found) > KEY_CHARACTERS_MAX:
        raise InputError(f"{key[:80]!r} is not a key: each part needs letters or digits")
    return found


def one_spelling(attribute: str, aliases: Mapping[str, str]) -> str:
    """An attribute with each of its words spelled the one way."""
    return "_".join(aliases.get(word, word) for word in slug(attribute).split("_"))


def canonical_prefix(prefix: str, aliases: Mapping[str, str] = NO_ALIASES) -> str:
    """A prefix in the same spelling as a key; its last part may be cut short."""
    segments = admit_text(prefix).strip().lstrip("/").split("/")
    if len(segments) > SEGMENTS:
        raise InputError("a prefix has at most four parts")
    plain = [entity_slug(part) if n == ENTITY else slug(part) for n, part in enumerate(segments)]
    if plain[:2] == ["user", "profile"] and len(plain) >= SEGMENTS - 1 and segments[2]:
        cut = len(plain) == SEGMENTS - 1 and PERSON.startswith(plain[2])
        plain[2] = plain[2] if cut else user_entity(segments[2])
    if len(plain) == SEGMENTS:
        plain[-1] = one_spelling(plain[-1], aliases)
    return "/".join(plain)


def has_scope(key: str, scopes: Sequence[str]) -> bool:
    """Whether a key begins with one of these."""
    return key.partition("/")[0] in scopes


def known_scopes(scopes: Sequence[str]) -> str:
    """What would have been right, to whom it is refused."""
    return f"the scopes are {', '.join(scopes)}"


def profile_key(user: str, attribute: str, aliases: Mapping[str, str]) -> str:
    """The key of something a user says about themselves; spellings share one attribute."""
    return canonical(f"user/profile/{user}/{attribute}", aliases)


def owner(key: str) -> str:
    """Whose data a key holds: the person of a user key, otherwise nobody's in particular."""
    scope, _, entity, _ = key.split("/")
    return user_entity(entity) if scope == "user" else ""


def owner_of(key: str) -> str:
    """The same of a key in any spelling; what is no key is nobody's."""
    try:
        return owner(canonical(key))
    except InputError:
        return ""


def is_own_profile(key: str, user: str) -> bool:
    return bool(user) and key.startswith(f"{OWN_PROFILE}{user_entity(user)}/")
