"""Screening: what may be stored of a command, decided before the first byte is stored.

Every content field is looked at, nested values and their keys included. What comes out is the
only form the rest of the system ever sees, so a live decision and its replay cannot differ.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Annotated, Final, get_args, get_origin

import msgspec

from muniment.model import canonical_json, ids
from muniment.model.commands import (
    AnyCommand,
    RecordRecall,
    Remember,
    RememberMany,
    WriteEpisode,
)
from muniment.model.commands.command import Command, Name, Speaker, Text
from muniment.model.commands.conversation import RecordInteraction, RecordItemRecall
from muniment.model.commands.exchange import CarryRecords
from muniment.model.commands.loops import DeferMirror, EmbedEvent, MirrorEvent, SummariseLoop
from muniment.model.commands.memos import Store
from muniment.model.commands.reads import RecordContext
from muniment.model.events.redaction import Redaction
from muniment.model.kinds import carried_record
from muniment.model.kinds.carried_record import CarriedRecord
from muniment.model.kinds.episode import Evidence, Value
from muniment.model.policy import Action, Privacy
from muniment.model.text.tokens import MARK
from muniment.rules.privacy.detect import TextTooLongError, detect
from muniment.rules.privacy.redactor import Redactor
from muniment.rules.privacy.rule import DetectFunction, PrivacyFinding

REFUSED_TEXT: Final = "[refused]"
BLOCKED: Final = "PII_BLOCKED"
TOO_LARGE: Final = "value_too_large"
SENSITIVE: Final = "privacy_deny_sensitive"
NEEDS_CONSENT: Final = "pii_needs_consent"
# Governed writes: a redacted value would be a wrong fact, so these need consent or stop.
GOVERNED: Final = frozenset({"memory_promote_request", "propose_patch", "raise_request", "sem_put"})
FACTUAL: Final = frozenset({"key", "patch", "target_sem_key", "value"})

HANDLES: Final = ("tags", "metadata")
NAMES: Final = (Name, tuple[Name, ...], Store)
PLACES: Final = frozenset({"places", "owners"})  # of shared spaces: by space, an owner's name
# Written by the engine about its own reads: no caller hands one in, so a name of its own making
# is not looked at in them. Whatever else stands there is.
# Records that are carried over bring names of another engine's making.
RECEIPTS: Final = (RecordRecall, RecordContext, RecordItemRecall, CarryRecords)
# Given by the engine alone, of events that it has numbered and dated itself; what these say was
# looked at when it was told.
DERIVED: Final = (MirrorEvent, DeferMirror, EmbedEvent, SummariseLoop)

GivenNames = str | tuple[str, ...] | dict[str, str]


class Screened(msgspec.Struct, frozen=True, kw_only=True):
    command: AnyCommand
    redactions: tuple[Redaction, ...] = ()
    refused: str = ""


def rules_only(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
    """The built-in detector: patterns, check digits and numbering plans; no model."""
    return detect(text, regions=regions)


def screen(
    command: AnyCommand,
    privacy: Privacy,
    *,
    consented: bool,
    pseudonym: Callable[[str], str],
    detector: DetectFunction = rules_only,
) -> Screened:
    """The command as it may be kept, what was taken out of it, and whether it may go on."""
    eye = Redactor(privacy, pseudonym, detector, knows_own_names=isinstance(command, RECEIPTS))
    secret = _refused_names(command, eye)
    if secret:
        said = ("messages",) if isinstance(command, RecordInteraction) else _content(command)
        return _emptied(command, (*chosen_names(type(command)), *said), secret)
    if isinstance(command, RecordInteraction):
        return _screen_messages(command, eye)
    if isinstance(command, RememberMany):
        return _screen_many(command, eye)
    if isinstance(command, CarryRecords):
        return _screen_carried(command, eye)
    return _screen_content(command, eye, consented=consented)


def screen_text(
    text: str,
    privacy: Privacy,
    *,
    pseudonym: Callable[[str], str],
    detector: DetectFunction = rules_only,
) -> str:
    """One text as a command that holds it would be kept; `REFUSED_TEXT` where it would not be."""
    return _sentence(Redactor(privacy, pseudonym, detector), text, "text")


def _screen_content(command: AnyCommand, eye: Redactor, *, consented: bool) -> Screened:
    """What one command says stands or falls together."""
    told = ((name, getattr(command, name)) for name in _content(command))
    given = [(name, value) for name, value in told if value is not None and value != ""]
    content = {name: msgspec.to_builtins(value) for name, value in given}
    try:
        redacted = {name: eye.look(value, name) for name, value in content.items()}
    except TextTooLongError:  # nobody has read it, so nobody may call it private
        return _emptied(command, content, TOO_LARGE)
    except Exception:  # whatever a detector does wrong, the write is refused
        return _emptied(command, content, BLOCKED)
    redactions = tuple(eye.redactions)
    actions = {each.action for each in redactions}
    if Action.DENY in actions:
        return _emptied(command, content, SENSITIVE, redactions)
    if Action.REDACT not in actions:
        return Screened(command=command, redactions=redactions)
    return _personal(command, redacted, redactions, consented=consented)


def _emptied(
    command: AnyCommand,
    names: Iterable[str],
    refused: str,
    redactions: tuple[Redaction, ...] = (),
) -> Screened:
    """That something was said, and nothing of it."""
    told = {name: msgspec.to_builtins(getattr(command, name)) for name in names}
    blank = {
        name: dict.fromkeys(value, REFUSED_TEXT) if name in PLACES else _blank(value)
        for name, value in told.items()
    }
    return Screened(command=_with(command, blank), redactions=redactions, refused=refused)


def _screen_many(command: RememberMany, eye: Redactor) -> Screened:
    """Sentences do not answer for each other: one that is refused is blanked, the others go on."""
    texts = [_sentence(eye, text, f"texts.{n}") for n, text in enumerate(command.texts, 1)]
    speakers = [_sentence(eye, who, f"speakers.{n}") for n, who in enumerate(command.speakers, 1)]
    for place, who in enumerate(speakers):
        if who == REFUSED_TEXT:  # a secret does not become a name
            texts[place], speakers[place] = REFUSED_TEXT, ""
    kept = msgspec.structs.replace(command, texts=tuple(texts), speakers=tuple(speakers))
    return _with_handles(kept, eye, ("texts", "speakers"))


def _screen_messages(command: RecordInteraction, eye: Redactor) -> Screened:
    """Nor do messages: what a tool leaked does not take the user's words with it."""
    messages = tuple(
        msgspec.structs.replace(each, text=_sentence(eye, each.text, f"messages.{n}"))
        for n, each in enumerate(command.messages, start=1)
    )
    kept = msgspec.structs.replace(command, messages=messages)
    return _with_handles(kept, eye, ("messages",))


def _with_handles(
    command: RememberMany | RecordInteraction, eye: Redactor, said: tuple[str, ...]
) -> Screened:
    """Tags and metadata are words like any other; a secret there is one of all that was said."""
    seen = len(eye.redactions)
    told = {name: its for name in HANDLES if (its := getattr(command, name)) is not None}
    try:
        clean = {name: eye.look(value, name) for name, value in told.items()}
    except Exception:  # whatever a detector does wrong, the write is refused
        return _emptied(command, (*said, *told), BLOCKED)
    redactions = tuple(eye.redactions)
    if any(each.action == Action.DENY for each in redactions[seen:]):
        return _emptied(command, (*said, *told), SENSITIVE, redactions)
    kept = msgspec.structs.replace(command, **clean) if len(redactions) > seen else command
    return Screened(command=kept, redactions=redactions)


def _screen_carried(command: CarryRecords, eye: Redactor) -> Screened:
    """Nor do records: of one that is refused only the name of its event stays."""
    records = tuple(_record(eye, each, n) for n, each in enumerate(command.records, start=1))
    kept = msgspec.structs.replace(command, records=records)
    return Screened(command=kept, redactions=tuple(eye.redactions))


def _record(eye: Redactor, record: CarriedRecord, n: int) -> CarriedRecord:
    seen = len(eye.redactions)
    known = record.event in carried_record.KIND_OF
    try:
        clean = eye.look_at_fields(record.data, f"records.{n}")
        secret = eye.is_secret(record.owner)
    except Exception:  # whatever a detector does wrong, the write is refused
        secret, clean = True, None
    denied = any(each.action == Action.DENY for each in eye.redactions[seen:])
    if secret or denied or not known:
        return CarriedRecord(event=record.event if known else REFUSED_TEXT, data=None)
    return msgspec.structs.replace(record, data=clean)


def _sentence(eye: Redactor, text: str, path: str) -> str:
    seen = len(eye.redactions)
    try:
        clean = str(eye.look(text, path))
    except Exception:  # whatever a detector does wrong, the write is refused
        return REFUSED_TEXT
    denied = any(each.action == Action.DENY for each in eye.redactions[seen:])
    return REFUSED_TEXT if denied else clean


def is_redacted(value: Value) -> bool:
    """Whether a value holds a mark of something taken out: it would be a wrong fact."""
    return bool(MARK.search(canonical_json.encode(value).decode()))


@cache
def content_fields(kind: type[Command]) -> tuple[str, ...]:
    """The fields that hold a person's words: free text, values and evidence; never names."""
    content = (Text, Speaker, Value, tuple[Evidence, ...])
    return tuple(
        field.name
        for field in msgspec.structs.fields(kind)
        if field.type in content and field.name != "raw"
    )


def _content(command: AnyCommand) -> tuple[str, ...]:
    """Fields of a command that are screened; ids that a recall cites come from the memory."""
    if isinstance(command, RecordRecall) and command.basis is not None:
        return ("query",)
    return content_fields(type(command))


@cache
def chosen_names(kind: type[Command]) -> tuple[str, ...]:
    """The fields that hold a name of the caller's choosing: seeds, sessions, ids, keys."""
    return tuple(
        field.name
        for field in msgspec.structs.fields(kind)
        if (_plain(field.type) in NAMES or field.name in PLACES) and field.name != "subject"
    )


def _plain(kind: object) -> object:
    """The type of a field without a limit on how many it holds."""
    return get_args(kind)[0] if get_origin(kind) is Annotated and kind not in NAMES else kind


def _refused_names(command: AnyCommand, eye: Redactor) -> str:
    """A name is never redacted, for then it would name something else; a secret is refused."""
    given = _given_names(command)
    if not given:
        return ""
    names = [name for each in given for name in _each(each) if name]
    if isinstance(command, DERIVED):
        names = [name for name in names if not ids.is_made(name)]
    try:
        secret = any(map(eye.is_secret, names))
    except Exception:  # whatever a detector does wrong, the write is refused
        return BLOCKED
    return SENSITIVE if secret else ""


def _each(given: GivenNames) -> Iterable[str]:
    match given:
        case str():
            return (given,)
        case dict():
            return given.values()
        case _:
            return given


def _given_names(command: AnyCommand) -> list[GivenNames]:
    """What a caller put into those fields; where nobody named anything, the default is ours."""
    known = ((getattr(command, name), ours) for name, ours in _default_names(type(command)))
    return [given for given, ours in known if given != ours]


@cache
def _default_names(kind: type[Command]) -> tuple[tuple[str, object], ...]:
    fields = {field.name: field.default for field in msgspec.structs.fields(kind)}
    return tuple((name, fields[name]) for name in chosen_names(kind))


def _personal(
    command: AnyCommand,
    redacted: dict[str, object],
    redactions: tuple[Redaction, ...],
    *,
    consented: bool,
) -> Screened:
    clean = _with(command, redacted)
    if type(command).__struct_config__.tag in GOVERNED and _makes_a_fact(redactions):
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


def _makes_a_fact(redactions: tuple[Redaction, ...]) -> bool:
    """Whether what was found is part of the fact itself; its reasons are redacted like any text."""
    found = (each.path.partition(".")[0] for each in redactions if each.action == Action.REDACT)
    return any(name in FACTUAL for name in found)


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
        case list() | tuple():
            return []
        case None | bool():
            return value
        case _:
            return REFUSED_TEXT
