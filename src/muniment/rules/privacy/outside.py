"""External detector: findings of another detector, merged with those of the rules."""

from collections.abc import Callable, Sequence
from typing import Final

from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.struct_copy import copied
from muniment.rules.privacy.detect import detect, detector_version, merged
from muniment.rules.privacy.rule import DetectFunction, OutsideFinding, PrivacyFinding

KIND: Final = lazy_pattern(r"[a-z][a-z0-9_]{0,31}")
NAME: Final = lazy_pattern(r"[A-Za-z0-9][A-Za-z0-9._:@/-]{0,63}")
HIDDEN: Final = "*"


def version(name: str) -> str:
    """Who looked at a command, as the log tells it."""
    return f"{detector_version()}+{name}" if name else detector_version()


def joined(name: str, find: Callable[[str], Sequence[OutsideFinding]]) -> DetectFunction:
    """The rules, and beside them somebody who is shown no secret that the rules have found.

    What it answers wrongly is an error, and whoever screens refuses what could not be looked at.
    """

    def look(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
        own = detect(text, regions=regions)
        told = find(without_secrets(text, own))
        return merged((*own, *(_checked(name, each, text) for each in told)), text)

    return look


def without_secrets(text: str, found: Sequence[PrivacyFinding]) -> str:
    """The text with a mark for every letter of a secret, each character in its place."""
    for each in found:
        if each.category == "secret":
            text = text[: each.start] + HIDDEN * (each.end - each.start) + text[each.end :]
    return text


def _checked(name: str, told: OutsideFinding, text: str) -> PrivacyFinding:
    if not KIND.fullmatch(told.kind) or told.risk not in ("high", "medium", "low"):
        raise ValueError(f"{name}: a kind is a word of small letters, a risk high, medium or low")
    if not 0 <= told.start < told.end <= len(text):
        raise ValueError(f"{name}: a finding stands outside of the text")
    return copied(PrivacyFinding, told, category="pii", rule=f"outside.{name}.{told.kind}")
