"""Screening reaches every field: a secret in what a caller may say is kept by no command."""

import typing
from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Literal, get_args, get_origin

import msgspec
import pytest
from tests.world import memory

from muniment.model.commands import AnyCommand
from muniment.model.commands.command import Command
from muniment.model.errors import MunimentError
from muniment.model.policy import Policy, Privacy
from muniment.rules.privacy.screen import screen

SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zaB3dE5gH"
KINDS: tuple[type[Command], ...] = get_args(AnyCommand)
# Fields that keep what stands in them, and why no caller's words do; `*` is every command.
DOORS = ("session", "project", "ai_profile")
NOT_LOOKED_AT: dict[tuple[str, str], str] = {
    (
        "*",
        "subject",
    ): "the id of a person, by which keys, erasure and reads find them; it is sealed",
    ("admit_item", "offer"): "an item as it was decided in the session, from screened messages",
    ("digest_loops", "summary"): "made by the engine from screened events",
    ("mirror_event", "summary"): "made by the engine from screened events",
    ("summarise_loop", "summary"): "made by the engine from screened events",
    ("extract_skill", "skill"): "made by the engine from screened tool calls",
    ("episodic_write", "raw"): "filled by the screen itself, under a consent; never with a secret",
    ("remember", "raw"): "filled by the screen itself, under a consent; never with a secret",
    ("record_recall", "ids"): "names of what was found, each screened when it was written",
    ("record_recall", "reads"): "references of streams, made by the engine",
    (
        "record_recall",
        "basis",
    ): "versions and counts of a ranking; its purpose is one word of ours or none",
    ("record_context", "ids"): "names of what was found, each screened when it was written",
    ("record_context", "reads"): "references of streams, made by the engine",
    ("record_context", "filters"): "refused before the read where one holds a secret",
    ("record_context", "types"): "names of memory types, given by the program",
    ("record_context", "spent"): "names of memory types, given by the program",
    ("record_context", "dropped"): "names of stages, made by the engine",
    ("record_item_recall", "recalled"): "names of items and reasons, made by the engine",
    ("record_item_recall", "reads"): "references of streams, made by the engine",
    ("record_item_recall", "borders"): "spaces and reasons, made by the engine",
    ("undo_write", "elsewhere"): "references of streams, made by the engine",
    ("revert_change", "elsewhere"): "references of streams, made by the engine",
    ("revert_change", "windows"): "ids and summaries of screened messages, read from the log",
    ("open_branch", "heads"): "references of streams, made by the engine",
}


def bare(kind: object) -> object:
    """The least value of a type."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return bare(inner[0])
    if origin is Literal:
        return inner[0]
    if origin in (typing.Union, type(int | str)):
        return None if type(None) in inner else bare(inner[0])
    if origin is tuple or kind in (bytes, tuple):
        return b"" if kind is bytes else ()
    if origin is dict:
        return {}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind))
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return least(kind)
    return {str: "x", int: 1, bool: False, object: None}.get(kind)  # type: ignore[call-overload]


def least(kind: type[msgspec.Struct], given: dict[str, object] | None = None) -> msgspec.Struct:
    given = given or {}
    needed = {
        field.name: bare(field.type)
        for field in msgspec.structs.fields(kind)
        if field.required and field.name not in given
    }
    return kind(**needed | given)


def planted(kind: object) -> Iterator[object]:
    """Values of a type that hold the secret, one for each place that can."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind is str:
        yield SECRET
    elif kind is object:
        yield SECRET
        yield {"deep": [{SECRET: 1}]}
    elif origin is Annotated:
        yield from planted(inner[0])
    elif origin in (typing.Union, type(int | str)):
        for each in inner:
            yield from planted(each)
    elif origin is tuple:
        yield from ((each,) for each in planted(inner[0]))
    elif origin is dict:
        yield from ({each: bare(inner[1])} for each in planted(inner[0]))
        yield from ({bare(inner[0]): each} for each in planted(inner[1]))
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind is not Policy:
        for field in msgspec.structs.fields(kind):
            yield from (least(kind, {field.name: each}) for each in planted(field.type))


def kept() -> set[tuple[str, str]]:
    """The fields of commands in which a secret survives the screen."""
    found = set()
    for kind in KINDS:
        for field in msgspec.structs.fields(kind):
            for value in planted(field.type):
                beside = {"texts": ("x",)} if field.name == "speakers" else {}
                command = typing.cast("AnyCommand", least(kind, beside | {field.name: value}))
                seen = screen(command, Privacy(), consented=True, pseudonym=lambda text: "0" * 16)
                if SECRET in repr(seen.command):
                    found.add((str(kind.__struct_config__.tag), field.name))
    return found


@pytest.mark.covers("A-011", "A-099")
def test_a_secret_survives_in_no_field_but_those_that_are_listed_with_a_reason() -> None:
    found = {pair for pair in kept() if pair[1] != "subject"}

    assert found == {pair for pair in NOT_LOOKED_AT if pair[0] != "*"}
    assert all(NOT_LOOKED_AT.values())


def test_the_law_plants_in_every_command() -> None:
    rooms = {
        kind: [f for f in msgspec.structs.fields(kind) if [*planted(f.type)]] for kind in KINDS
    }

    assert len(rooms) > 60
    assert all(rooms.values())


@pytest.mark.parametrize("door", ["session", "project", "ai_profile"])
def test_a_conversation_is_not_named_by_a_secret(door: str) -> None:
    of = memory()
    ada = of.agent("ada", user="tuff")
    session, project, profile = (SECRET if door == each else "" for each in DOORS)

    with pytest.raises(MunimentError):
        ada.conversation(session=session or "s1", project=project, ai_profile=profile).record(
            user="I like tea"
        )

    told = [line.event for stream in of.streams() for line in of.log(stream)]
    assert SECRET not in repr(told)
