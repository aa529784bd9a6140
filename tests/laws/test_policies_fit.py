"""Every field of a policy refuses nonsense by its name, wherever a policy enters."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import inspect
from tests import world

import muniment
from muniment.model.errors import MunimentError, PolicyError
from muniment.model.policy import (
    Action,
    Brainstate,
    Governance,
    Policy,
    Privacy,
    checked,
    from_builtins,
)
from muniment.model.policy.context import Assembly, ContextFilters, Share
from muniment.model.policy.identity import Identity, TuningPolicy

HUGE = 10**12
WRONG: dict[type, tuple[object, ...]] = {
    inspect.IntType: (-1, HUGE, "many", 1.5, None, True),
    inspect.BoolType: ("yes", 2, None),
    inspect.StrType: (7, None, ["x"]),
    inspect.EnumType: ("nonsense", 7, None),
    inspect.LiteralType: ("nonsense", 7, None),
    inspect.VarTupleType: ("nonsense", 7, None, [{}]),
    inspect.DictType: ("nonsense", 7, None, {"x": {"y": 0}}),
    inspect.StructType: ("nonsense", 7, None, {"no_such_field": 1}),
}


def fields(kind: inspect.Type, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every field of a policy by its path, down to the values."""
    assert isinstance(kind, inspect.StructType)
    for field in kind.fields:
        its = field.type
        yield (*path, field.encode_name), its
        if isinstance(its, inspect.StructType):
            yield from fields(its, (*path, field.encode_name))


FIELDS = dict(fields(inspect.type_info(Policy)))
CASES = [(path, value) for path, kind in FIELDS.items() for value in WRONG.get(type(kind), ())]


def spelled(path: tuple[str, ...], value: object) -> dict[str, object]:
    for name in reversed(path):
        value = {name: value}
    assert isinstance(value, dict)
    return value


def forced(policy: Any, path: tuple[str, ...], value: object) -> Any:  # noqa: ANN401
    """A struct that holds what no file could bring: nobody checks it when it is made."""
    name, *rest = path
    inner = forced(getattr(policy, name), tuple(rest), value) if rest else value
    return msgspec.structs.replace(policy, **{name: inner})


def test_every_kind_of_field_has_its_nonsense() -> None:
    """A field of a new kind fails here until somebody says what it may not be."""
    known = {*WRONG, inspect.UnionType}
    assert {type(kind) for kind in FIELDS.values()} <= known
    assert len(FIELDS) > 120
    assert len(CASES) > 500


@pytest.mark.parametrize("section", sorted({path[0] for path in FIELDS}))
def test_nonsense_is_refused_with_the_name_of_its_field(section: str) -> None:
    for path, value in CASES:
        if path[0] != section:
            continue
        with pytest.raises(PolicyError) as refused:
            from_builtins(spelled(path, value))
        if isinstance(value, dict):
            assert path[-1] in refused.value.detail or "no_such_field" in refused.value.detail
        else:
            assert path[-1] in refused.value.detail, (path, value, refused.value.detail)


@pytest.mark.parametrize("section", sorted({path[0] for path in FIELDS}))
def test_a_policy_made_by_hand_is_checked_like_a_file(section: str) -> None:
    for path, value in CASES:
        if path[0] != section or (path == ("rules_version",) and value is True):
            continue
        try:
            made = forced(Policy(), path, value)
        except (ValueError, TypeError, AttributeError):
            continue  # refused where it is made
        with pytest.raises(PolicyError):
            checked(made)


NONSENSE = [
    Policy(privacy=Privacy(secret="nonsense")),  # type: ignore[arg-type]  # noqa: S106
    Policy(governance=Governance(quorum=0)),
    Policy(governance=Governance(quorum=-1)),
    Policy(brainstate=Brainstate(working_ttl_ticks=HUGE)),
    Policy(privacy=Privacy(phone_regions=("Germany",))),
    Policy(privacy=Privacy(secret=object())),  # type: ignore[arg-type]
    Policy(assembly=Assembly(default_filters=ContextFilters(where="(a+)+$"))),
    Policy(assembly=Assembly(default_filters=ContextFilters(where='{"no_such_field": 1}'))),
    Policy(assembly=Assembly(default_filters=ContextFilters(task_id="x" * 5_000))),
    Policy(assembly=Assembly(default_filters=ContextFilters(tags=("\ud800",)))),
]
NAMED = [
    *(
        "secret",
        "quorum",
        "quorum",
        "working_ttl_ticks",
        "phone_regions",
        r"at `\$.privacy.secret`",
    ),
    *(r"at `\$.assembly.default_filters.where`", r"at `\$.assembly.default_filters.where`"),
    *("task_id", r"at `\$.assembly.default_filters.tags`"),
]


@pytest.mark.parametrize(("policy", "field"), list(zip(NONSENSE, NAMED, strict=True)))
def test_no_memory_is_opened_under_a_policy_that_does_not_fit(
    policy: Policy, field: str, tmp_path: Path
) -> None:
    for address in (":memory:", tmp_path / "memory"):
        with pytest.raises(PolicyError, match=field):
            muniment.open(address, policy=policy)
    assert not (tmp_path / "memory").exists()


@pytest.mark.parametrize("policy", NONSENSE)
@pytest.mark.parametrize("way", ["adopt_policy", "request_policy"])
def test_nobody_is_asked_to_vote_on_a_policy_that_does_not_fit(policy: Policy, way: str) -> None:
    of = world.memory()
    of.agent("ada", user="tuff").remember("hello there")
    before = of.auditor("ann").streams() if hasattr(of.auditor("ann"), "streams") else None

    call: Callable[..., object] = getattr(of.admin("otto"), way)
    with pytest.raises(MunimentError):
        call(policy, reason="to see")

    assert of.council("bea").requests() == []
    assert before is None or of.auditor("ann").streams() == before
    assert all(of.prove())


def test_what_is_acknowledged_can_be_opened_again(tmp_path: Path) -> None:
    policy = Policy(privacy=Privacy(secret=Action.REDACT))
    with muniment.open(tmp_path / "m", policy=policy) as memory:
        memory.agent("ada", user="tuff").remember("I drink tea")

    with muniment.open(tmp_path / "m") as memory:
        assert memory.agent("ada", user="tuff").recall("tea").hits
        assert memory.agent("ada", user="tuff").policy == policy


def test_a_text_that_is_no_text_is_refused_in_every_field() -> None:
    for path, kind in FIELDS.items():
        if isinstance(kind, inspect.StrType):
            with pytest.raises(PolicyError):
                checked(from_builtins(spelled(path, "\ud800")))


MADE: list[tuple[Callable[[], object], object, str, str]] = [
    (
        lambda: Privacy(deny_patterns=("(",)),
        {"privacy": {"deny_patterns": ["("]}},
        "`deny_patterns` to be regular expressions",
        "$.privacy",
    ),
    (
        lambda: Privacy(deny_patterns=("(a+)+b(a+)+",)),
        {"privacy": {"deny_patterns": ["(a+)+b(a+)+"]}},
        "limit each repetition",
        "$.privacy",
    ),
    (
        lambda: Identity(tuning_policy=TuningPolicy(whitelist=("nonsense",))),
        {"identity": {"tuning_policy": {"whitelist": ["nonsense"]}}},
        "not 'nonsense'; it has schema_version, instructions, tuning_policy, memory",
        "$.identity",
    ),
    (
        lambda: Identity(tuning_policy=TuningPolicy(blacklist=("memory.nobody",))),
        {"identity": {"tuning_policy": {"blacklist": ["memory.nobody"]}}},
        "not 'memory.nobody'",
        "$.identity",
    ),
    (
        lambda: Share(min_percent=9, max_percent=3),
        {"assembly": {"guest_share": {"min_percent": 9, "max_percent": 3}}},
        "`min_percent` of at most `max_percent`",
        "$.assembly.guest_share",
    ),
]


@pytest.mark.parametrize(("made", "raw", "told", "path"), MADE)
def test_a_section_is_refused_by_the_same_error_where_it_is_made_and_where_it_is_read(
    made: Callable[[], object], raw: object, told: str, path: str
) -> None:
    with pytest.raises(PolicyError, match=re.escape(told)):
        made()
    with pytest.raises(PolicyError, match=re.escape(told)) as refused:
        from_builtins(raw)
    assert f"at `{path}`" in refused.value.detail


@pytest.mark.parametrize(
    "path",
    ["instructions", "instructions.operational_notes", "memory.actor.kind_boosts_ppm.error"],
)
def test_what_an_identity_has_may_be_named_for_tuning(path: str) -> None:
    named = TuningPolicy(whitelist=(path,), blacklist=("loop_definition",))
    assert checked(Policy(identity=Identity(tuning_policy=named))).identity.tuning_policy == named
