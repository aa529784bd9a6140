"""A struct is copied from another by the names of its fields, and only where their types agree."""

import msgspec
import pytest

from muniment.model.struct_copy import copied


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    count: int
    place: str | None = None
    note: str = "asked"


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    count: int
    kept: bool
    place: str | None = None


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    count: float = 0.0


ASKED = Asked(name="tea", count=3, place="shelf")


def test_fields_of_the_same_name_are_copied_and_others_are_given() -> None:
    assert copied(Kept, ASKED, kept=True) == Kept(name="tea", count=3, place="shelf", kept=True)


def test_what_is_given_comes_before_what_is_copied() -> None:
    assert copied(Kept, ASKED, kept=True, count=4).count == 4


def test_a_field_that_neither_gives_is_missed() -> None:
    with pytest.raises(TypeError, match="kept"):
        copied(Kept, ASKED)


def test_a_field_of_another_type_is_not_copied_by_its_name() -> None:
    with pytest.raises(TypeError, match=r"differ in the types of .'count'"):
        copied(Counted, ASKED)
    assert copied(Counted, ASKED, count=1.5, name="cup") == Counted(name="cup", count=1.5)
