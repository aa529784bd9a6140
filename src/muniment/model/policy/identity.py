"""Agent identity: how each persona searches its loops, and what may be tuned about it.

One file for each agent holds it; loaded, it is the section `identity` of the policy. Weights and
boosts are whole millionths, like every score.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, get_origin

import msgspec

from muniment.model.errors import InputError, PolicyError
from muniment.model.kinds.loop import EventKind, Visibility
from muniment.model.scope import Persona

Loops = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
Seconds = Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)]
Factor = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]  # millionths: at most tenfold
Note = Annotated[str, msgspec.Meta(min_length=1, max_length=512)]
Path = Annotated[str, msgspec.Meta(min_length=1, max_length=256)]
KindBoosts = dict[EventKind, Factor]
VisibilityBoosts = dict[Visibility, Factor]

ONE: Final = 1_000_000
# No tuning reaches what says who may tune, nor the heuristics of either persona.
IMPLICIT_BLACKLIST: Final = (
    "schema_version",
    "tuning_policy",
    "memory.subconscious",
    "memory.actor",
    "loop_definition",
)


def _actor_kinds() -> KindBoosts:
    return {
        EventKind.USER_INPUT: ONE,
        EventKind.ACTOR_OUTPUT: 900_000,
        EventKind.TOOL_CALL: 600_000,
        EventKind.TOOL_RESULT: 700_000,
        EventKind.SYSTEM_EVENT: 300_000,
        EventKind.ERROR: 1_200_000,
    }


def _subconscious_kinds() -> KindBoosts:
    return {
        EventKind.SUBCONSCIOUS_PROMPT: 800_000,
        EventKind.SUBCONSCIOUS_OUTPUT: ONE,
        EventKind.USER_INPUT: ONE,
        EventKind.ACTOR_OUTPUT: ONE,
    }


class Heuristics(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the Actor's loop summaries are kept at hand and searched."""

    stm_window_size: Loops = 20
    threshold: Percent = 60  # a summary less alike than this is no answer
    top_k: Loops = 8
    recency_half_life_seconds: Seconds = 86_400
    similarity_weight_ppm: Factor = ONE
    recency_weight_ppm: Factor = ONE
    kind_boosts_ppm: KindBoosts = msgspec.field(default_factory=_actor_kinds)
    visibility_boosts_ppm: VisibilityBoosts = msgspec.field(
        default_factory=lambda: {Visibility.EXTERNAL: ONE, Visibility.INTERNAL: 400_000}
    )


class SubconsciousHeuristics(Heuristics, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The Subconscious looks further back, and at everything alike."""

    stm_window_size: Loops = 50
    threshold: Percent = 55
    top_k: Loops = 12
    recency_half_life_seconds: Seconds = 604_800
    kind_boosts_ppm: KindBoosts = msgspec.field(default_factory=_subconscious_kinds)
    visibility_boosts_ppm: VisibilityBoosts = msgspec.field(
        default_factory=lambda: {Visibility.EXTERNAL: ONE, Visibility.INTERNAL: ONE}
    )


class Memories(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    engine: Literal["rapidfuzz"] = "rapidfuzz"
    algorithm: Literal["token_set_ratio"] = "token_set_ratio"
    actor: Heuristics = msgspec.field(default_factory=Heuristics)
    subconscious: SubconsciousHeuristics = msgspec.field(default_factory=SubconsciousHeuristics)


class Instructions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    operational_notes: tuple[Note, ...] = ()


class TuningPolicy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `learn` may ask to change: dotted paths, where a parent covers its children."""

    whitelist: tuple[Path, ...] = ("instructions.operational_notes",)
    blacklist: tuple[Path, ...] = ()


class Identity(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    schema_version: Literal["1.0"] = "1.0"
    instructions: Instructions = Instructions()
    tuning_policy: TuningPolicy = TuningPolicy()
    memory: Memories = msgspec.field(default_factory=Memories)

    def __post_init__(self) -> None:
        tuned = self.tuning_policy
        for path in (*tuned.whitelist, *tuned.blacklist):
            if not _is_field(path):
                raise PolicyError(
                    f"Expected `tuning_policy` to name fields of the identity, not {path[:80]!r};"
                    f" it has {', '.join(FIELDS)}, and what lies in them"
                )


FIELDS: Final = tuple(each.name for each in msgspec.structs.fields(Identity))


def _is_field(path: str) -> bool:
    """Whether a dotted path leads to something that an identity has, or is barred for good."""
    if path in IMPLICIT_BLACKLIST:
        return True
    kind: object = Identity
    for step in path.split("."):
        if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
            return get_origin(kind) is dict  # the kinds of an event, or how visible it is
        known = {each.name: each.type for each in msgspec.structs.fields(kind)}
        if step not in known:
            return False
        kind = known[step]
    return True


def from_builtins(raw: object) -> Identity:
    """An identity from parsed TOML or JSON; the error names the field and what was expected."""
    try:
        return msgspec.convert(raw, Identity, strict=True)
    except msgspec.ValidationError as error:
        raise PolicyError(f"identity: {error}") from None


def heuristics(identity: Identity, persona: Persona) -> Heuristics:
    memory = identity.memory
    return memory.subconscious if persona is Persona.SUBCONSCIOUS else memory.actor


def tuned(found: Heuristics, changes: Mapping[str, object]) -> Heuristics:
    """Heuristics for one search: those of the identity, and what the caller changes about them."""
    if not isinstance(changes, Mapping):
        raise InputError("heuristics are an object of names and numbers")
    built = msgspec.to_builtins(found, str_keys=True) | dict(changes)
    try:
        return msgspec.convert(built, type(found), strict=True)
    except msgspec.ValidationError as error:
        raise InputError(f"heuristics: {error}") from None


def patched(identity: Identity, patch: Mapping[str, object]) -> Identity:
    """The identity with each dotted path set; a path that is not there is refused."""
    built = msgspec.to_builtins(identity, str_keys=True)
    for path, value in patch.items():
        *parents, last = path.split(".")
        place = built
        for step in parents:
            place = place.get(step) if isinstance(place, dict) else None
        if not isinstance(place, dict) or last not in place:
            raise PolicyError(f"identity: there is no field `{path}`")
        place[last] = value
    return from_builtins(built)
