"""Document decisions: values put into namespaces and removed, at once or after approval."""

from collections.abc import Sequence

import msgspec

from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import documents
from muniment.layers.governance.requests import Request
from muniment.model import canonical_json, ids
from muniment.model.commands.documents import (
    ANY_VERSION,
    AddDocuments,
    DropDocuments,
    FileDocuments,
    Filing,
    PutDocument,
    TakeDocuments,
)
from muniment.model.events import AnyEvent, RequestRaised
from muniment.model.events.conversation import Forwarded
from muniment.model.events.documents import DocumentPut, DocumentsDropped
from muniment.model.kinds.document import Namespace, StoredDocument, counted_key, shown
from muniment.model.kinds.episode import Value
from muniment.model.struct_copy import copied
from muniment.rules import governance

ACTION = "document_write"
NOTHING = 0  # the version of a key that has no value


class _Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """One filing: keys with their values, which live for so long."""

    namespace: Namespace
    keys: tuple[str, ...]
    values: tuple[Value, ...]
    ttl_seconds: int = 0
    request_id: str = ""


def put(now: DecisionContext, command: PutDocument) -> list[AnyEvent]:
    refused = _misfit(now, [command.value])
    if refused:
        return now.deny(refused)
    found = _standing(now, command.namespace, command.key)
    if command.expect not in {ANY_VERSION, _version(found)}:
        return now.deny("document_changed", command.key)
    sheet = _Sheet(
        namespace=command.namespace,
        keys=(command.key,),
        values=(command.value,),
        ttl_seconds=command.ttl_seconds,
    )
    return _file_or_write(now, command, sheet)


def add(now: DecisionContext, command: AddDocuments) -> list[AnyEvent]:
    """The keys are counted here, so that two writers never give the same one."""
    values = command.values
    if not isinstance(values, list) or not 1 <= len(values) <= now.desk.policy.documents.added_max:
        return now.deny("documents_not_a_list")
    refused = _misfit(now, values)
    if refused:
        return now.deny(refused)
    n = documents.count(now.shelves, command.subject, command.namespace)
    keys = tuple(counted_key(n + place) for place in range(1, len(values) + 1))
    sheet = _Sheet(namespace=command.namespace, keys=keys, values=tuple(values))
    return _file_or_write(now, command, sheet)


def drop(now: DecisionContext, command: DropDocuments) -> list[AnyEvent]:
    found = _named(now, command)
    if not found:
        return now.deny("document_unknown")
    if any(command.expect not in {ANY_VERSION, each.version} for each in found):
        return now.deny("document_changed")
    keys = tuple(each.key for each in found)
    if _is_governed(now, command) and not command.expired:
        versions = tuple(each.version for each in found)
        return [_filed(now, command, keys, versions, None, ttl_seconds=0)]
    reason = "expired" if command.expired else "deleted" if command.keys else "cleared"
    return [_dropped(command.namespace, keys, command.subject, reason)]


def file(now: DecisionContext, command: FileDocuments) -> list[AnyEvent]:
    """The council is asked; what it will see and bind is everything that would be written."""
    rules = now.desk.policy.governance
    if len(now.desk.requests.open) >= rules.requests_pending_max:
        return now.deny("too_many_requests")
    n = now.desk.requests.count + 1
    deadline = now.desk.jobs.tick + rules.request_timeout_ticks
    more = f" (+{len(command.keys) - 1})" if len(command.keys) > 1 else ""
    key = shown(command.namespace, command.keys[0]) + more
    value = msgspec.to_builtins(command)
    return [
        RequestRaised(
            n=n,
            request_id=now.request_id(n),
            action=ACTION,
            key=key,
            value=value,
            justification="",
            evidence=(),
            requested_by=command.requested_by,
            subject=command.subject,
            created_seeded_ts=now.moment(),
            required_approval=governance.required_approval(ACTION, rules),
            expires_at_tick=deadline,
            expected_head=command.versions[0],
            binding=governance.binding(ACTION, key, value, command.versions[0], deadline),
        )
    ]


def hand_over(now: DecisionContext, request: Request, sent: int) -> Forwarded:
    """An approved filing goes to the stream it belongs to, exactly as it was approved."""
    asked = msgspec.convert(request.value, FileDocuments)
    command = copied(TakeDocuments, asked, request_id=request.request_id)
    return Forwarded(n=now.desk.ledgers.forwarded + 1 + sent, to=asked.home, command=command)


def take(now: DecisionContext, command: TakeDocuments) -> list[AnyEvent]:
    """Approved bytes are written as approved, or not at all if a key has moved on."""
    known = [_standing(now, command.namespace, key) for key in command.keys]
    if tuple(_version(each) for each in known) != command.versions:
        return now.deny("document_changed", command.request_id)
    if not isinstance(command.values, list):
        return [
            _dropped(
                command.namespace, command.keys, command.subject, "deleted", command.request_id
            )
        ]
    sheet = copied(_Sheet, command, values=tuple(command.values))
    return _written(now, sheet)


def _file_or_write(now: DecisionContext, command: Filing, sheet: _Sheet) -> list[AnyEvent]:
    if not _is_governed(now, command):
        return _written(now, sheet)
    versions = tuple(_version(_standing(now, sheet.namespace, key)) for key in sheet.keys)
    ttl = sheet.ttl_seconds
    return [_filed(now, command, sheet.keys, versions, list(sheet.values), ttl_seconds=ttl)]


def _written(now: DecisionContext, sheet: _Sheet) -> list[AnyEvent]:
    subject = now.received.command.subject
    n = documents.count(now.shelves, subject, sheet.namespace)
    events: list[AnyEvent] = []
    for place, (key, value) in enumerate(zip(sheet.keys, sheet.values, strict=True), start=1):
        found = _standing(now, sheet.namespace, key)
        last = found or next(
            (each.document for each in documents.past(now.shelves, subject, sheet.namespace, key)),
            None,
        )
        moment = now.moment(place)
        events.append(
            DocumentPut(
                n=n + place,
                version=_version(last) + 1,
                place=found.place if found else now.seq + place,
                namespace=sheet.namespace,
                key=key,
                value=value,
                subject=subject,
                created_at=found.created_at if found else moment,
                updated_at=moment,
                expires_at=_later(moment, sheet.ttl_seconds),
                request_id=sheet.request_id,
            )
        )
    return events


def _filed(
    now: DecisionContext,
    command: Filing,
    keys: tuple[str, ...],
    versions: tuple[int, ...],
    values: Value,
    *,
    ttl_seconds: int,
) -> Forwarded:
    asked = FileDocuments(
        home=now.stream.ref,
        namespace=command.namespace,
        keys=keys,
        values=values,
        versions=versions,
        ttl_seconds=ttl_seconds,
        requested_by=now.received.actor,
        subject=command.subject,
    )
    return Forwarded(n=now.desk.ledgers.forwarded + 1, to=command.docket, command=asked)


def _dropped(
    namespace: Namespace, keys: tuple[str, ...], subject: str, reason: str, request_id: str = ""
) -> DocumentsDropped:
    return DocumentsDropped(
        namespace=namespace, keys=keys, subject=subject, reason=reason, request_id=request_id
    )


def _named(now: DecisionContext, command: DropDocuments) -> list[StoredDocument]:
    subject, at = command.subject, now.received.at
    if not command.keys:
        return documents.exactly(now.shelves, subject, command.namespace)
    every = (documents.get(now.shelves, subject, command.namespace, key) for key in command.keys)
    return [each for each in every if each and each.is_over(at) is command.expired]


def _standing(now: DecisionContext, namespace: Namespace, key: str) -> StoredDocument | None:
    """The document of a key as anybody reads it: one past its time is gone, swept or not."""
    found = documents.get(now.shelves, now.received.command.subject, namespace, key)
    return None if found and found.is_over(now.received.at) else found


def _is_governed(now: DecisionContext, command: Filing) -> bool:
    return command.ask or now.desk.policy.documents.governed


def _misfit(now: DecisionContext, values: Sequence[Value]) -> str:
    most = now.desk.policy.documents.value_bytes_max
    too_large = any(len(canonical_json.encode(value)) > most for value in values)
    return "value_too_large" if too_large else ""


def _version(found: StoredDocument | None) -> int:
    return found.version if found else NOTHING


def _later(moment: str, seconds: int) -> str:
    return ids.time_text(ids.time_ms(moment) + seconds * 1000) if seconds else ""
