"""Policy file: every field with its default and its effect, as comments."""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec

import muniment
from muniment.adapters.config import POLICY
from muniment.model.policy import Policy

NAME: Final = POLICY
PAGE: Final = "policies.md"
ROW: Final = re.compile(r"^\| `([\w.]+)` \| (.*?) \| (.*) \|$", re.MULTILINE)
HEADING: Final = """\
# New logs of this memory start with this policy. A line that is commented out shows the default:
# to change a setting, remove the "# " and edit the value. An existing log keeps its policy until
# another one is approved: muniment policy --file policy.toml
"""


def effects() -> dict[str, str]:
    """What each field does, as the documentation says it."""
    return {name: effect for name, _, effect in ROW.findall(_page())}


def commented(policy: Policy) -> str:
    """The whole policy as TOML; what equals the default is commented out."""
    told = effects()
    return HEADING + "".join(_lines(policy, Policy(), "", told))


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """One field that two policies do not share, each as a file would spell it."""

    name: str
    now: str
    then: str
    effect: str


def changes(now: Policy, then: Policy) -> list[Changed]:
    """What another policy would change, field by field, with what each does."""
    told = effects()
    return [
        Changed(name=name, now=_toml(one), then=_toml(other), effect=told.get(name, ""))
        for name, one, other in _apart(now, then, "")
    ]


def _apart(
    now: msgspec.Struct, then: msgspec.Struct, prefix: str
) -> Iterator[tuple[str, object, object]]:
    for field in now.__struct_fields__:
        one, other = getattr(now, field), getattr(then, field)
        if isinstance(one, msgspec.Struct) and isinstance(other, msgspec.Struct):
            yield from _apart(one, other, f"{prefix}{field}.")
        elif one != other:
            yield f"{prefix}{field}", one, other


def _lines(
    policy: msgspec.Struct, usual: msgspec.Struct, prefix: str, told: dict[str, str]
) -> Iterator[str]:
    inner: list[str] = []
    plain: list[str] = []
    for field in policy.__struct_fields__:
        name = f"{prefix}{field}"
        value, default = getattr(policy, field), getattr(usual, field)
        if isinstance(value, msgspec.Struct):
            inner += list(_lines(value, default, f"{name}.", told))
            continue
        mark = "# " if value == default else ""
        why = f"  # {told[name]}" if name in told else ""
        plain.append(f"{mark}{field} = {_toml(value)}{why}\n")
    if plain and prefix:
        plain.insert(0, f"\n[{prefix[:-1]}]\n")
    yield from plain
    yield from inner


def _toml(value: object) -> str:
    """A value in TOML's spelling; nothing is spelled as an empty list of it."""
    match value:
        case None:
            return '""'
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return msgspec.json.encode(value).decode()
        case dict():
            pairs = (f"{_key(each)} = {_toml(told)}" for each, told in value.items())
            return "{ " + ", ".join(pairs) + " }" if value else "{}"
        case tuple() | list():
            return f"[{', '.join(_toml(each) for each in value)}]"
        case _:
            return _toml(msgspec.to_builtins(value))


def _key(text: object) -> str:
    word = str(text)
    return word if re.fullmatch(r"[A-Za-z0-9_-]+", word) else msgspec.json.encode(word).decode()


def _page() -> str:
    """The page on policies: inside an installed package, else beside the source."""
    shipped = files("muniment.adapters").joinpath(PAGE)
    if shipped.is_file():
        return shipped.read_text(encoding="utf-8")
    return Path(muniment.__file__).parents[2].joinpath("docs", PAGE).read_text(encoding="utf-8")
