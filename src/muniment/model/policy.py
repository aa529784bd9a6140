"""Every switch and every number, as one frozen value that is adopted through the log.

Its digest is cited by each entry (`config_snapshot_id`). A missing field takes the default that
stands here; an unknown field or a wrong type is refused with its path.
"""

from enum import StrEnum
from typing import Annotated, Final

import msgspec

from muniment.model import canon
from muniment.model.errors import PolicyError
from muniment.model.text import ESTIMATOR, TOKENIZER

Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Ppm = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
SECTION: Final = {"frozen": True, "kw_only": True, "forbid_unknown_fields": True}


class Action(StrEnum):
    """What the privacy table says about a finding."""

    DENY = "deny"
    REDACT = "redact"
    ALLOW = "allow"


class Brainstate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Working and consolidated memory: lives in ticks, promotion by references."""

    promotion_references: Count = 2
    promotion_window_ticks: Count = 4
    working_ttl_ticks: Count = 3
    working_capacity_items: Count = 64  # bounded: the desk lives in memory
    reference_refreshes_ttl: bool = False
    consolidated_ttl_ticks: Count = 10
    consolidated_token_cap: Count = 512  # a quarter of the token budget of 2048
    return_references: Count = 3  # heavy use of a consolidated item brings it back
    return_window_ticks: Count = 4
    open_jobs_max: Count = 64
    sessions_max: Count = 64


class Governance(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who must say yes before a governed fact is written."""

    preset: str = "solo"
    quorum: Count = 1
    request_timeout_ticks: Count = 1_000
    user_direct: bool = True  # a user's own profile keys, under the user's own credential
    requester_may_vote: bool = True  # alone, a person answers for their own agent
    requests_pending_max: Count = 1_000
    retention_epochs: Count = 90  # days of immutability, counted by observed days


class Privacy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The decision table: what happens to what the detector finds."""

    secret: Action = Action.DENY
    pii_high: Action = Action.REDACT
    pii_medium: Action = Action.REDACT
    pii_low: Action = Action.ALLOW
    phone_regions: tuple[str, ...] = ("US", "GB", "DE", "FR", "IN")


class Sem(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The shape of governed facts."""

    scopes: tuple[str, ...] = ("user", "world", "mace", "agent", "system", "config")
    value_bytes_max: Count = 16 * 1024
    notes_characters_max: Count = 512
    # British and other spellings that mean the same attribute get one key.
    aliases: dict[str, str] = msgspec.field(
        default_factory=lambda: {"favourite": "favorite", "colour": "color"}
    )


class Recall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the past is read."""

    profile: str = "stage1"
    results_max: Count = 8
    window_entries: Count = 2_000  # how many of the newest entries are scored
    budget_tokens: Count = 2_000


class Words(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The versions of the rules that split and count text."""

    tokenizer: str = TOKENIZER
    estimator: str = ESTIMATOR


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rules_version: int = 1
    brainstate: Brainstate = Brainstate()
    governance: Governance = Governance()
    privacy: Privacy = Privacy()
    sem: Sem = msgspec.field(default_factory=Sem)
    recall: Recall = Recall()
    words: Words = Words()


PRESETS: Final = {
    "solo": Governance(preset="solo", quorum=1),
    "team": Governance(preset="team", quorum=2, requester_may_vote=False),
    "council": Governance(preset="council", quorum=3, user_direct=False, requester_may_vote=False),
}


def preset(name: str) -> Policy:
    """The policy of a preset: `solo` (one yes), `team` (two) or `council` (three)."""
    if name not in PRESETS:
        raise PolicyError(f"there is no preset {name!r}; there are {', '.join(PRESETS)}")
    return Policy(governance=PRESETS[name])


def from_builtins(raw: object) -> Policy:
    """A policy from parsed TOML or JSON; the error names the field and what was expected."""
    try:
        return msgspec.convert(raw, Policy, strict=True)
    except msgspec.ValidationError as error:
        raise PolicyError(str(error)) from None


def digest(policy: Policy) -> str:
    return canon.digest("muniment/v1/policy", canon.encode(policy)).hex()
