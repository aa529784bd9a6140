"""A hundred thousand mutated inputs: each gets a typed error or a valid answer, and an error
changes nothing."""

import json
import typing
from collections.abc import Callable, Iterator

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from tests import world
from tests.fuzzing.mutations import Dice, mutated

from muniment.engine.streams import admission
from muniment.engine.streams.command_pipeline import Ask
from muniment.model import canonical_json
from muniment.model.commands import AnyCommand
from muniment.model.commands.command import Command
from muniment.model.errors import InputError, MunimentError
from muniment.model.scope import Principal, Role, agent_stream

DOCUMENTS = 60_000
COMMANDS = 30_000
NAMES = 10_000

SEEDS = [
    b'{"type":"wm_insert","kind":"fact","value":{"a":[1,2.5,null,true,"x"]},"ttl_ticks":3}',
    b'{"text":"caf\xc3\xa9 \xf0\x9f\x97\xbc","n":-9007199254740991,"deep":[[[[{"k":{}}]]]]}',
    b'[0,1,-1,1e3,1E-7,"\\u0041\\n\\t\\\\",{"":""},{"a":1,"b":{"a":1}}]',
]


def test_a_mutated_document_is_refused_or_has_one_spelling() -> None:
    refused = read = 0
    for data in mutated(Dice(b"documents"), SEEDS, DOCUMENTS):
        try:
            value = canonical_json.parse(data)
        except InputError:
            refused += 1
            continue
        read += 1
        spelled = canonical_json.encode(value)
        assert msgspec.json.decode(spelled) == value
        assert spelled == rfc8785.dumps(value)

    assert refused > DOCUMENTS // 10
    assert read > DOCUMENTS // 100


VALUES: list[object] = [
    None, True, 0, -1, 2**53, 2**70, 1.5, float("nan"), float("inf"), "", "x", "x" * 600,
    "y" * 40_000, "\ud800", "a\x00b", "../../etc/passwd", "café\u200b", [], {}, {"a": {"b": 1}},
    [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]], {1: 2}, {"$x": 1.0},
    b"bytes", {1, 2}, object(), ("a", "b"), [{"episodic_id": 3}], {"quorum": "many"},
]  # fmt: skip


def _commands(dice: Dice, count: int) -> Iterator[Callable[[], AnyCommand]]:
    kinds: tuple[type[AnyCommand], ...] = typing.get_args(AnyCommand)
    fields = {kind: [each.name for each in msgspec.structs.fields(kind)] for kind in kinds}
    for _ in range(count):
        kind = kinds[dice(len(kinds))]
        given = {name: VALUES[dice(len(VALUES))] for name in fields[kind] if dice(3)}
        yield lambda kind=kind, given=given: kind(**given)  # type: ignore[misc]


def test_a_mutated_command_is_refused_or_answered_and_an_error_changes_nothing() -> None:
    memory = world.memory()
    memory.agent("ada", user="tuff").remember("something to begin with")
    hub, stream = world.hub(memory), agent_stream("main", "ada")
    roles = list(Role)
    dice = Dice(b"commands")
    errors = answers = 0
    for make in _commands(dice, COMMANDS):
        before = hub.parts.store.head(hub.stream(stream).ref)
        try:
            command = admission.admit(make())
            principal = Principal(name="x", role=roles[dice(len(roles))], tenant="main")
            hub.writer(stream).tell(Ask(command=command, principal=principal, job=dice(3)))
            answers += 1
        except TypeError:
            continue  # Python itself would not build such a value
        except MunimentError:
            errors += 1
            assert hub.parts.store.head(hub.stream(stream).ref) == before

    assert errors > COMMANDS // 4
    assert answers > COMMANDS // 300
    assert memory.prove()


HOSTILE = [
    "", " ", "a/b", "..", ".", "../../x", "\\\\host\\share", "a\x00b", "\ud800", "x" * 129, "a\n",
    "\u202egnp.exe", "\u200b", "con:", "a" * 128, "名前", "ada ", " ada", "%2e%2e%2f", "~root",
    "$(id)", "';--", "\ue000", "😀", "A", "ß", "a\u0301",
]  # fmt: skip


def test_a_hostile_name_is_refused_or_is_only_a_name() -> None:
    memory = world.memory()
    dice = Dice(b"names")
    refused = kept = 0
    for _ in range(NAMES):
        name = HOSTILE[dice(len(HOSTILE))]
        if dice(2):
            name += HOSTILE[dice(len(HOSTILE))]
        try:
            memory.agent(name, user=HOSTILE[dice(len(HOSTILE))])
            kept += 1
        except InputError:
            refused += 1
    assert refused > NAMES // 2
    assert kept
    assert not memory.streams()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=12,
    )
)
@pytest.mark.covers("A-017", "A-110")
def test_what_is_admitted_is_spelled_as_the_standard_says_and_comes_back_as_it_was(
    value: object,
) -> None:
    try:
        admitted = canonical_json.admit(value)
    except InputError:
        return

    spelled = canonical_json.encode(admitted)
    assert spelled == rfc8785.dumps(admitted)
    assert canonical_json.encode(msgspec.json.decode(spelled)) == spelled
    assert _same(canonical_json.release(admitted), json.loads(json.dumps(value)))


def _same(left: object, right: object) -> bool:
    """Equal up to Unicode normalisation, which is part of the format."""
    return canonical_json.encode(canonical_json.admit(left)) == canonical_json.encode(
        canonical_json.admit(right)
    )


def test_every_command_is_a_command() -> None:
    assert all(issubclass(kind, Command) for kind in typing.get_args(AnyCommand))
