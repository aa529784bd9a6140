"""Struct copy: a struct built from the fields that another one has under the same names."""

from functools import cache
from typing import TypeVar, get_type_hints

import msgspec

T = TypeVar("T", bound=msgspec.Struct)


def copied(kind: type[T], source: msgspec.Struct, /, **given: object) -> T:
    """A `kind`: what is given by name, and every other field that the source has too.

    A field of the same name and another type is not the same field: it has to be given.
    """
    names = _shared(kind, type(source), tuple(given))
    return kind(**{name: getattr(source, name) for name in names}, **given)


@cache
def _shared(
    kind: type[msgspec.Struct], source: type[msgspec.Struct], given: tuple[str, ...]
) -> tuple[str, ...]:
    wanted, had = get_type_hints(kind), get_type_hints(source)
    both = set(kind.__struct_fields__) & set(source.__struct_fields__)
    names = tuple(sorted(both.difference(given)))
    if others := [name for name in names if wanted[name] != had[name]]:
        raise TypeError(f"{kind.__name__} and {source.__name__} differ in the types of {others}")
    return names
