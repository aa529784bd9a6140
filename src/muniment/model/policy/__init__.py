"""Policy: every setting as one frozen value that is adopted through the log.

Its digest is cited by each entry (`config_snapshot_id`). A missing field takes the default that
stands here; an unknown field or a wrong type is refused with its path.
"""

import re
from enum import EnumType, StrEnum
from typing import Annotated, Final, Literal, get_args

import msgspec

from muniment.model import canonical_json
from muniment.model.errors import InputError, PolicyError
from muniment.model.kinds.episode import REFERENCES_KEPT, Origin
from muniment.model.policy import fact_readers
from muniment.model.policy.context import Assembly
from muniment.model.policy.conversation import (
    ADMITTED,
    Phasing,
    Promotion,
    Retention,
    Spaces,
    Writing,
    retention_rules,
)
from muniment.model.policy.deny_pattern import bounded_pattern, check_pattern
from muniment.model.policy.identity import Identity
from muniment.model.policy.keep_days import KeepDays
from muniment.model.policy.learning import Learning
from muniment.model.policy.maintenance import Compaction, Threading
from muniment.model.policy.memo_gate import Gating
from muniment.model.text.tokens import ESTIMATOR, TOKENIZER
from muniment.model.unicode14 import known

Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Few = Annotated[int, msgspec.Meta(ge=1, le=REFERENCES_KEPT)]
Region = Annotated[str, msgspec.Meta(pattern="^[A-Z]{2}$")]  # of ISO 3166
Segment = Annotated[str, msgspec.Meta(pattern="^[a-z0-9_]{1,64}$")]  # as a key has it
PROFILE_KEYS: Final = ("name", "timezone", "language", "project", "editor", "units")
VERSION_DIGITS: Final = 12  # 48 bits: a whole number in every language


class Action(StrEnum):
    """What the privacy table says about a finding."""

    DENY = "deny"
    REDACT = "redact"
    ALLOW = "allow"


class Brainstate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Working and consolidated memory: lives in ticks, promotion by references."""

    promotion_references: Few = 2
    promotion_window_ticks: Count = 4
    working_ttl_ticks: Count = 3
    working_capacity_items: Count = 64  # bounded: the desk lives in memory
    reference_refreshes_ttl: bool = False
    consolidated_ttl_ticks: Count = 10
    consolidated_token_cap: Count = 512  # a quarter of the token budget of 2048
    return_references: Few = 3  # heavy use of a consolidated item brings it back
    return_window_ticks: Count = 4
    open_jobs_max: Count = 64
    sessions_max: Count = 64
    goals_max: Count = 64


class Governance(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who must say yes before a governed fact is written."""

    preset: Annotated[str, msgspec.Meta(min_length=1, max_length=64)] = "solo"
    quorum: Count = 1
    request_timeout_ticks: Count = 1_000
    user_direct: bool = True  # a user's own profile keys, under the user's own credential
    requester_may_vote: bool = True  # alone, a person answers for their own agent
    requests_pending_max: Count = 1_000
    confirmations_open_max: Count = 256
    retention_epochs: Count = 90  # days of immutability, counted by observed days


class Privacy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The decision table: what happens to what the detector finds."""

    secret: Action = Action.DENY
    pii_high: Action = Action.REDACT
    pii_medium: Action = Action.REDACT
    pii_low: Action = Action.ALLOW
    phone_regions: tuple[Region, ...] = ("US", "GB", "DE", "FR", "IN")
    deny_patterns: tuple[str, ...] = ()  # what no memory item may hold
    profile_keys: tuple[Segment, ...] = PROFILE_KEYS

    def __post_init__(self) -> None:
        for pattern in self.deny_patterns:
            check_pattern(pattern)

    def denies(self, text: str) -> bool:
        """Whether a text holds what no memory may hold."""
        seen = known(text)
        return any(bounded_pattern(known(each)).search(seen) for each in self.deny_patterns)


class Sem(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The shape of governed facts."""

    scopes: Annotated[tuple[Segment, ...], msgspec.Meta(min_length=1)] = (
        "user",
        "world",
        "mace",
        "agent",
        "system",
        "config",
    )
    value_bytes_max: Count = 16 * 1024
    notes_characters_max: Count = 512
    # British and other spellings that mean the same attribute get one key.
    aliases: dict[Segment, Segment] = msgspec.field(
        default_factory=lambda: {"favourite": "favorite", "colour": "color"}
    )
    # Who reads facts whose keys begin so, beside the person they are about: `agent:<name>`,
    # `user:<name>` or `*`. The longest beginning counts; without one, facts about a person are
    # read by that person, and facts about nobody by every agent of the tenant.
    readers: dict[str, tuple[str, ...]] = {}

    def __post_init__(self) -> None:
        fact_readers.check(self.readers)


class DocumentPolicy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What frameworks put into namespaces."""

    governed: bool = False  # a put and a drop wait for a yes
    value_bytes_max: Count = 128 * 1024
    added_max: Count = 500  # values that one command may add to a namespace


class RecallPolicy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the past is read."""

    # Words and vectors over everything, or the overlap of words over the newest entries.
    profile: Literal["hybrid", "stage1"] = "hybrid"
    embedder: Annotated[str, msgspec.Meta(max_length=128)] = ""  # by name; none: the store's own
    results_max: Count = 8
    window_entries: Count = 2_000  # how many of the newest entries `stage1` scores
    budget_tokens: Count = 2_000
    short_term_messages: Count = 12  # the window of recent messages of a conversation
    semantic_top_k: Count = 3  # of each space
    profile_max: Count = 20  # of each space


class Trust(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose word is enough, and when somebody else's becomes so."""

    quarantined: tuple[Origin, ...] = (Origin.EXTERNAL,)  # kept, and not recalled until released
    corroborating_sources: Count = 3  # so many that say the same release each other
    results_per_source: Count = 3  # of one named source in one answer
    act_on: tuple[Origin, ...] = (Origin.USER, Origin.SYSTEM)  # enough to act on by themselves


class TextVersions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The versions of the rules that split and count text."""

    tokenizer: Literal["split-1"] = TOKENIZER
    estimator: Literal["chars4-1"] = ESTIMATOR


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rules_version: Literal[1] = 1
    brainstate: Brainstate = Brainstate()
    governance: Governance = Governance()
    privacy: Privacy = Privacy()
    sem: Sem = msgspec.field(default_factory=Sem)
    recall: RecallPolicy = RecallPolicy()
    trust: Trust = Trust()
    words: TextVersions = TextVersions()
    writing: Writing = Writing()
    retention: Retention = Retention()
    keep_days: KeepDays = KeepDays()
    promotion: Promotion = Promotion()
    spaces: Spaces = Spaces()
    phase: Phasing = Phasing()
    compaction: Compaction = Compaction()
    threads: Threading = Threading()
    learning: Learning = Learning()
    identity: Identity = msgspec.field(default_factory=Identity)
    documents: DocumentPolicy = DocumentPolicy()
    gating: Gating = Gating()
    assembly: Assembly = msgspec.field(default_factory=Assembly)


PRESETS: Final = {
    "solo": Governance(preset="solo", quorum=1),
    "team": Governance(preset="team", quorum=2, requester_may_vote=False),
    "council": Governance(preset="council", quorum=3, user_direct=False, requester_may_vote=False),
    "seed": Governance(preset="seed", quorum=1),
}
SEED: Final = "seed"  # the preset that keeps every number and effect of the seeds literally


# What the preset `seed` sets beside its governance.
LITERAL: Final = {"writing": Writing(archive=False)}

# What a preset stands for; under a name of one's own each of them is said.
NUMBERS: Final = frozenset({"quorum", "user_direct", "requester_may_vote"})


def preset(name: str) -> Policy:
    """The policy of a preset: `solo` (one yes), `team` (two), `council` (three), or `seed`.

    `seed` is `solo` with the literal numbers and effects of the seeds: what leaves a window ends.
    """
    if name not in PRESETS:
        raise PolicyError(f"there is no preset {name!r}; there are {', '.join(PRESETS)}")
    usual = Policy(governance=PRESETS[name])
    return msgspec.structs.replace(usual, **LITERAL) if name == SEED else usual


def from_builtins(raw: object) -> Policy:
    """A policy from parsed TOML or JSON; the error names the field and what was expected.

    A preset that is named brings its numbers with it, as far as they are not named too: whoever
    writes `preset = "council"` and nothing else has not asked for one person's yes.
    """
    try:
        return msgspec.convert(_with_preset(raw), Policy, strict=True)
    except msgspec.ValidationError as error:
        raise PolicyError(f"{error}{_expected(str(error))}") from None
    except UnicodeEncodeError:
        raise PolicyError("a policy holds half of a surrogate pair, no character") from None


def checked(policy: Policy) -> Policy:
    """A policy as every log can hold it and read it back; the error names the field.

    A struct takes whatever it is made of. Whoever hands one over is checked like a file.
    """
    if not isinstance(policy, Policy):
        raise PolicyError(f"a Policy was expected, not {type(policy).__name__}")
    try:
        raw = canonical_json.admit(msgspec.to_builtins(policy))
    except (TypeError, ValueError, RecursionError, InputError) as error:
        raise PolicyError(f"a policy contains plain values only: {error}{_at(policy)}") from None
    return from_builtins(raw)


def _at(policy: object, path: str = "$") -> str:
    """The field that no log can hold, as far down as one alone is to blame."""
    for field in msgspec.structs.fields(policy):  # type: ignore[arg-type]
        value = getattr(policy, field.name)
        here = f"{path}.{field.encode_name}"
        try:
            canonical_json.admit(msgspec.to_builtins(value))
        except (TypeError, ValueError, RecursionError, InputError):
            return _at(value, here) if isinstance(value, msgspec.Struct) else f" - at `{here}`"
    return f" - at `{path}`"


def _with_preset(raw: object) -> object:
    match raw:
        case {"governance": {"preset": str(named), **said}, **rest} if not said.keys() >= NUMBERS:
            usual = msgspec.to_builtins(preset(named))
            literal = {name: usual[name] | rest.get(name, {}) for name in LITERAL}
            sections = rest | (literal if named == SEED else {})
            return {**sections, "governance": usual["governance"] | said}
        case _:
            return raw


def _expected(message: str) -> str:
    """Of a word that is none of those a field knows: the words it knows."""
    found = re.search(r"^Invalid enum value .*`\$\.([\w.]+)(?:\[[\d.]+\])?`$", message)
    if found is None:
        return ""
    kind: object = Policy
    for name in found[1].split("."):
        known = {each.name: each.type for each in msgspec.structs.fields(kind)}  # type: ignore[arg-type]
        kind = known[name]
    words: list[str] = [each for each in get_args(kind) if isinstance(each, str)]
    for each in (kind, *get_args(kind)):
        words += list(each) if isinstance(each, EnumType) else []
    return f" (expected one of {', '.join(words)})" if words else ""


def digest(policy: Policy) -> str:
    return canonical_json.digest("muniment/v1/policy", canonical_json.encode(policy)).hex()


def version(named: str) -> int:
    """What a request can expect to be in force: the first bits of a policy's digest, as a number.

    A policy has no counter: two streams that adopted the same one stand under the same.
    """
    return int(named[:VERSION_DIGITS] or "0", 16)


def snapshot(policy: Policy) -> dict[str, object]:
    """The policy of conversations as a trace shows it: every derived rule spelled out."""
    writing = policy.writing
    expanded = {
        "write_policy": writing.write_policy,
        "forget_policy": writing.forget_policy,
        "admitted_event_types": ADMITTED[writing.write_policy],
        "allow_event_types": writing.allow_event_types,
        "deny_event_types": writing.deny_event_types,
        "dedupe_enabled": writing.dedupe_enabled,
        "authority_order": writing.authority_order,
        "correction_overrides_system": writing.correction_overrides_system,
        "short_term": policy.recall.short_term_messages,
        "semantic": policy.recall.semantic_top_k,
        "profile": policy.recall.profile_max,
        "retention": retention_rules(writing, policy.retention),
        "promotion": policy.promotion,
        "spaces": policy.spaces,
        "phase": policy.phase,
        "privacy": policy.privacy,
    }
    shown: dict[str, object] = msgspec.json.decode(canonical_json.encode(expanded))
    return shown
