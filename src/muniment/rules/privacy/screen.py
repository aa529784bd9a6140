"""Screening: what may be kept of a command, decided before the first byte is stored.

Every content field is looked at, nested values and their keys included. What comes out is the
only form the rest of the system ever sees, so a live decision and its replay cannot differ.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

import msgspec

from muniment.model.commands import AnyCommand, Command, Remember, Text, WriteEpisode
from muniment.model.events import Redaction
from muniment.model.item import Evidence, Value
from muniment.model.policy import Action, Privacy
from muniment.rules.privacy.detect import Finding, detect

REFUSED_TEXT: Final = "[refused]"
BLOCKED: Final = "PII_BLOCKED"
SENSITIVE: Final = "privacy_deny_sensitive"
NEEDS_CONSENT: Final = "pii_needs_consent"
# Governed writes: a redacted value would be a wrong fact, so these need consent or stop.
GOVERNED: Final = frozenset({"memory_promote_request", "raise_request", "sem_put"})

Detector = Callable[[str, tuple[str, ...]], tuple[Finding, ...]]


class Screened(msgspec.Struct, frozen=True, kw_only=True):
    command: AnyCommand
    redactions: tuple[Redaction, ...] = ()
    refused: str = ""


def rules_only(text: str, regions: tuple[str, ...]) -> tuple[Finding, ...]:
    """The built-in detector: patterns, check digits and numbering plans; no model."""
    return detect(text, regions=regions)


def screen(
    command: AnyCommand,
    privacy: Privacy,
    *,
    consented: bool,
    pseudonym: Callable[[str], str],
    detector: Detector = rules_only,
) -> Screened:
    """The command as it may be kept, what was taken out of it, and whether it may go on."""
    names = content_fields(type(command))
    if not names:
        return Screened(command=command)
    eye = _Eye(privacy, pseudonym, detector)
    content = {name: msgspec.to_builtins(getattr(command, name)) for name in names}
    try:
        redacted = {name: eye.look(value, name) for name, value in content.items()}
    except Exception:  # whatever a detector does wrong, the write is refused
        blank = {name: _blank(value) for name, value in content.items()}
        return Screened(command=_with(command, blank), refused=BLOCKED)
    redactions = tuple(eye.redactions)
    if any(each.action == Action.DENY for each in redactions):
        blank = {name: _blank(value) for name, value in content.items()}
        return Screened(command=_with(command, blank), redactions=redactions, refused=SENSITIVE)
    if not any(each.action == Action.REDACT for each in redactions):
        return Screened(command=command, redactions=redactions)
    return _personal(command, redacted, redactions, consented=consented)


@cache
def content_fields(kind: type[Command]) -> tuple[str, ...]:
    """The fields that hold a person's words: free text, values and evidence; never names."""
    content = (Text, Value, tuple[Evidence, ...])
    return tuple(
        field.name
        for field in msgspec.structs.fields(kind)
        if field.type in content and field.name != "raw"
    )


def _personal(
    command: AnyCommand,
    redacted: dict[str, object],
    redactions: tuple[Redaction, ...],
    *,
    consented: bool,
) -> Screened:
    clean = _with(command, redacted)
    if type(command).__struct_config__.tag in GOVERNED:
        if consented:
            return Screened(command=command, redactions=_consented(redactions))
        return Screened(command=clean, redactions=redactions, refused=NEEDS_CONSENT)
    if not isinstance(command, WriteEpisode | Remember) or not command.keep_raw:
        return Screened(command=clean, redactions=redactions)
    if not consented:
        return Screened(command=clean, redactions=redactions, refused=BLOCKED)
    raw = {name: msgspec.to_builtins(getattr(command, name)) for name in redacted}
    assert isinstance(clean, WriteEpisode | Remember)
    kept = msgspec.structs.replace(clean, raw=raw)
    return Screened(command=kept, redactions=redactions)


def _consented(redactions: tuple[Redaction, ...]) -> tuple[Redaction, ...]:
    return tuple(
        msgspec.structs.replace(each, action=Action.ALLOW) if each.action == Action.REDACT else each
        for each in redactions
    )


def _with(command: AnyCommand, content: dict[str, object]) -> AnyCommand:
    built = msgspec.to_builtins(command) | content
    screened: AnyCommand = msgspec.convert(built, type(command))
    return screened


def _blank(value: object) -> object:
    match value:
        case str():
            return REFUSED_TEXT
        case list():
            return [_blank(inner) for inner in value]
        case dict():
            return REFUSED_TEXT if value else {}
        case _:
            return value


class _Eye:
    """One look over a command: redacts as it goes and remembers what it saw."""

    def __init__(
        self, privacy: Privacy, pseudonym: Callable[[str], str], detector: Detector
    ) -> None:
        self.redactions: list[Redaction] = []
        self._privacy = privacy
        self._pseudonym = pseudonym
        self._detector = detector

    def look(self, value: object, path: str) -> object:
        match value:
            case str():
                return self._text(value, path)
            case list():
                return [self.look(inner, f"{path}.{n}") for n, inner in enumerate(value, start=1)]
            case dict():
                return {
                    self._text(str(key), f"{path}.key"): self.look(inner, f"{path}.{key}")
                    for key, inner in value.items()
                }
            case int() if not isinstance(value, bool):
                return self._number(value, path)
            case _:
                return value

    def _number(self, value: int, path: str) -> object:
        # A card or an account number may arrive as a bare number.
        seen = self._text(str(value), path)
        return value if seen == str(value) else seen

    def _text(self, text: str, path: str) -> str:
        pieces: list[str] = []
        end = 0
        for finding in self._detector(text, self._privacy.phone_regions):
            action = self._action(finding)
            found = text[finding.start : finding.end]
            mark = self._note(finding, found, action, path)
            pieces += [text[end : finding.start], mark if action == Action.REDACT else found]
            end = finding.end
        return "".join([*pieces, text[end:]])

    def _note(self, finding: Finding, found: str, action: Action, path: str) -> str:
        # A refused secret leaves no trace of itself, not even a keyed one.
        tag = self._pseudonym(found) if action == Action.REDACT else ""
        self.redactions.append(
            Redaction(
                path=path,
                kind=finding.kind,
                risk=finding.risk,
                rule=finding.rule,
                action=action,
                hash=tag,
            )
        )
        return f"[{finding.kind}:{tag}]"

    def _action(self, finding: Finding) -> Action:
        if finding.category == "secret":
            return self._privacy.secret
        table = {
            "high": self._privacy.pii_high,
            "medium": self._privacy.pii_medium,
            "low": self._privacy.pii_low,
        }
        return table[finding.risk]
