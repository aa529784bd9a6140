"""Access to governed facts: who reads one beside the person it is about."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from muniment.model import fact_keys
from muniment.model.errors import InputError, PolicyError

EVERYBODY: Final = "*"
AGENT: Final = "agent:"
USER: Final = "user:"

Readers = Mapping[str, Sequence[str]]


class FactReader(msgspec.Struct, frozen=True):
    """For whom governed facts are read: an agent of the tenant, and whom it speaks for."""

    agent: str
    subject: str = ""  # the entity of a person; empty where it speaks for nobody

    def may_read(self, key: str, readers: Readers) -> bool:
        """Whether a fact is about its person, about nobody, or opened to it by the policy."""
        about = fact_keys.owner(key)
        if about and about == self.subject:
            return True
        rows = [prefix for prefix in readers if key.startswith(prefix)]
        if not rows:
            return not about
        return any(self._is_named(each) for each in readers[max(rows, key=len)])

    def _is_named(self, reader: str) -> bool:
        if reader.startswith(USER):
            return fact_keys.user_entity(reader.removeprefix(USER)) == self.subject
        return reader in {EVERYBODY, f"{AGENT}{self.agent}"}


def check(readers: Readers) -> None:
    """Rows of a policy that say who reads which keys; an error says what is allowed."""
    for prefix, names in readers.items():
        if not prefix or _spelled(prefix) != prefix:
            raise PolicyError(f"Expected `readers` by the prefix of a key, not {prefix[:80]!r}")
        for name in names:
            _check_name(name)


def _check_name(name: str) -> None:
    kind, colon, rest = name.partition(":")
    known = name == EVERYBODY or (rest and kind + colon in {AGENT, USER})
    if known and kind + colon == USER:
        try:
            fact_keys.user_entity(rest)
        except InputError:
            known = False
    if not known:
        raise PolicyError(f"Expected `agent:<name>`, `user:<name>` or `*`, not {name[:80]!r}")


def _spelled(prefix: str) -> str:
    try:
        return fact_keys.canonical_prefix(prefix)
    except InputError:
        return ""
