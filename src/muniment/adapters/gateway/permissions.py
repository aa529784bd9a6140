"""Permissions: which role may use which verb; no role contains another."""

from functools import cache
from typing import Final

from muniment.model.errors import InputError, PermissionDeniedError
from muniment.model.scope import Persona, Role

READING: Final = frozenset({"recall", "context", "explain", "episodes", "facts", "log", "items"})
SPEAKING: Final = frozenset({"remember", "forget", "correct", "converse", "phases", "petition"})
TELLING: Final = frozenset({"webhooks", "export", "import"})
WORKING: Final = frozenset({"jobs", "loops"})
USERS_OWN: Final = frozenset({"confirm", "consent", "vouch", "facts_put", "erasure_request"})
DREAMING: Final = frozenset({"dream", "learn", "coverage"})
COUNCIL: Final = frozenset({"requests", "vote"})
ADMIN: Final = frozenset(
    {
        "requests",
        "payloads",
        "facts_all",
        "deletion",
        "policy",
        "identity",
        "impose",
        "incidents",
        "erasure_request",
        "erasure",
        "streams",
        "prove",
        "rebuild",
        "branches",
        "keys",
        "passports",
        "export",
        "import",
        "metrics",
    }
)
AUDITOR: Final = frozenset({"streams", "prove", "metrics"})

ALLOWED: Final[dict[Role, frozenset[str]]] = {
    Role.AGENT: READING | SPEAKING | TELLING | WORKING | DREAMING,
    Role.USER: READING | SPEAKING | TELLING | USERS_OWN,
    Role.COUNCIL: COUNCIL,
    Role.ADMIN: ADMIN,
    Role.AUDITOR: AUDITOR,
}
ALL: Final = frozenset().union(*ALLOWED.values())


@cache
def of(role: Role, persona: Persona) -> frozenset[str]:
    """What a role may do; only the Subconscious dreams."""
    allowed = ALLOWED.get(role, frozenset())
    return allowed if persona is Persona.SUBCONSCIOUS else allowed - DREAMING


def check(wanted: tuple[str, ...]) -> tuple[str, ...]:
    """The verbs that a key is narrowed to; only the words there are."""
    unknown = sorted(set(wanted) - ALL)
    if unknown:
        raise InputError(f"there is no verb {unknown[0]!r}; there are {', '.join(sorted(ALL))}")
    return tuple(sorted(set(wanted)))


def allows(verb: str, role: Role, persona: Persona, narrowed: tuple[str, ...]) -> bool:
    return verb in of(role, persona) and (not narrowed or verb in narrowed)


def permit(verb: str, role: Role, persona: Persona, narrowed: tuple[str, ...]) -> None:
    if not allows(verb, role, persona, narrowed):
        raise PermissionDeniedError(_needed(verb, role, persona), verb=verb)


def _needed(verb: str, role: Role, persona: Persona) -> str:
    """Which key may, where this one may not."""
    if verb in of(role, persona):
        return f"this key is narrowed to other verbs than `{verb}`"
    roles = " or ".join(each for each, verbs in ALLOWED.items() if verb in verbs)
    dreaming = f" and persona {Persona.SUBCONSCIOUS}" if verb in DREAMING else ""
    return f"`{verb}` needs a key of role {roles}{dreaming}"
