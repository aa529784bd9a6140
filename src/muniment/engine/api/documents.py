"""Documents: JSON values by namespace and key, with versions, conditional puts and a search."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypedDict, TypeVar, cast

import msgspec

from muniment.engine.search import document_search, recall_results
from muniment.engine.search.recall import QUERY_CHARACTERS_MAX
from muniment.engine.search.recall_results import STAGE1
from muniment.engine.session import dry_run, retry_lookup
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams import admission
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.argument_checks import (
    check_count,
    check_day,
    check_named,
    checks_arguments,
)
from muniment.layers import documents
from muniment.layers.documents import Past
from muniment.log.entry import Line
from muniment.model import canonical_json, ids
from muniment.model.commands.documents import (
    ANY_VERSION,
    AddDocuments,
    DocumentCommand,
    DropDocuments,
    PutDocument,
    value_parts,
)
from muniment.model.errors import NotFoundError, RefusedError
from muniment.model.events import PiiRedacted, RequestRaised, WriteDenied
from muniment.model.events.conversation import Forwarded
from muniment.model.events.documents import DocumentPut
from muniment.model.kinds import document
from muniment.model.kinds.document import DocumentChange, Namespace, StoredDocument
from muniment.model.scope import council_stream

NO_KEY = ("",)  # no document can have it
T = TypeVar("T")
Labels = Sequence[str]


class Filed(TypedDict):
    docket: str
    ask: bool
    subject: str


@checks_arguments
class Documents:
    """JSON values by namespace and key. With `governed`, each change waits for a yes."""

    def __init__(
        self, session: AgentSession, *, governed: bool = False, corrects: bool = False
    ) -> None:
        self._session, self._governed, self._corrects = session, governed, corrects

    # ── Writing ─────────────────────────────────────────────────────────────────────────────────

    def put(
        self,
        namespace: Labels,
        key: str,
        value: object,
        *,
        expect: int = ANY_VERSION,
        ttl_seconds: int = 0,
    ) -> DocumentChange:
        """Let a key have a value; `expect` names the version it must have now, 0 for none."""
        command = PutDocument(
            namespace=document.namespace(namespace),
            key=document.key(key),
            value=value,
            expect=expect,
            ttl_seconds=ttl_seconds,
            corrects=self._corrects,
            **self._filing(),
        )
        return self._kept(self._session.append_or_raise(command))[0]

    def put_all(
        self, values: Mapping[tuple[Namespace, str], object], ttl_seconds: int = 0
    ) -> list[DocumentChange]:
        """Several documents in one durable append; None takes out the document that is there."""
        check_named(values)
        commands = [self._changed(*name, value, ttl_seconds) for name, value in values.items()]
        return self._together([each for each in commands if each is not None])

    def add(self, namespace: Labels, values: Sequence[object]) -> list[DocumentChange]:
        """Put values into a namespace one after the other, under counted keys; all of them or none.

        What is too much for one entry is asked for in several, in one durable append.
        """
        return self._all_or_none(self._adding(document.namespace(namespace), values))

    def replace(self, namespace: Labels, values: Sequence[object]) -> list[DocumentChange]:
        """Let values under counted keys take the place of all that lies in this very namespace.

        All of it is done in one append, or none of it.
        """
        labels = document.namespace(namespace)
        commands: list[DocumentCommand] = []
        if self.within(labels, deep=False, at=self.before()):
            commands.append(DropDocuments(namespace=labels, **self._filing()))
        return self._all_or_none([*commands, *(self._adding(labels, values) if values else ())])

    def move(
        self, moves: Mapping[tuple[Namespace, str], tuple[Namespace, str]]
    ) -> list[DocumentChange]:
        """Let documents lie elsewhere: in one append, or they stay where they are."""
        check_named(moves)
        commands: list[DocumentCommand] = []
        for (source, key), (target, new_key) in moves.items():
            found = self.get(source, key, at=self.before())
            if found is None:
                raise NotFoundError
            commands += [
                PutDocument(
                    namespace=document.namespace(target),
                    key=document.key(new_key),
                    value=found.value,
                    ttl_seconds=self._seconds_left(found),
                    **self._filing(),
                ),
                DropDocuments(
                    namespace=found.namespace,
                    keys=(found.key,),
                    expect=found.version,
                    **self._filing(),
                ),
            ]
        return self._all_or_none(commands)

    def drop(self, namespace: Labels, key: str, *, expect: int = ANY_VERSION) -> DocumentChange:
        """Take a document out of every reading from here on; the past keeps it."""
        command = DropDocuments(
            namespace=document.namespace(namespace),
            keys=(document.key(key),),
            expect=expect,
            **self._filing(),
        )
        return self._kept(self._session.append_or_raise(command))[0]

    def clear(self, namespace: Labels) -> DocumentChange | None:
        """Take everything out of this very namespace; None when it was empty."""
        command = DropDocuments(namespace=document.namespace(namespace), **self._filing())
        # Under a key the log is asked: what is empty now may be what this very call has emptied.
        if not self._session.calls.key and not self.within(namespace, deep=False):
            return None
        try:
            return self._kept(self._session.append_or_raise(command))[0]
        except RefusedError as refused:
            if refused.reason != "document_unknown":
                raise
            return None

    def drop_all(
        self, namespace: Labels, fits: Callable[[StoredDocument], bool]
    ) -> list[DocumentChange]:
        """Drop every document of this namespace that fits; a retry drops no more than the first."""
        labels = document.namespace(namespace)
        lying = self.within(labels, deep=False, at=self.before())
        if found := [each.key for each in lying if fits(each)]:
            return self.put_all({(labels, key): None for key in found})
        if self._session.calls.key:  # more may come before a retry: the log says none was there
            self._session.append(DropDocuments(namespace=labels, keys=NO_KEY, **self._filing()))
        return []

    def sweep(self) -> int:
        """Take out the documents whose time has run out; returns how many."""
        now = self._session.hub.parts.clock.now()
        found = [each for each in self._within((), None) if each.is_over(now)]
        commands = [
            DropDocuments(
                namespace=each.namespace, keys=(each.key,), expired=True, **self._filing()
            )
            for each in found
        ]
        self._together(commands)
        return len(found)

    def before(self) -> int | None:
        """Where the log stood when the call under way was first made; None if this is the first.

        A change that is worked out from what lies there is then worked out from the same again.
        """
        first = retry_lookup.first(self._session)
        return first[0].seq - 1 if first else None

    # ── Reading ─────────────────────────────────────────────────────────────────────────────────

    def get(
        self, namespace: Labels, key: str, *, at: int | None = None, valid_at: str = ""
    ) -> StoredDocument | None:
        labels, named, day = (document.namespace(namespace), document.key(key), check_day(valid_at))
        shelves, subject = self._session.shelves(at), self._session.subject
        if day:
            ever = documents.past(shelves, subject, labels, named)
            return next(document_search.lay_there(shelves, ever, day), None)
        found = documents.get(shelves, subject, labels, named)
        return document_search.released(found) if found and not self._hidden(found, at) else None

    def within(
        self,
        namespace: Labels = (),
        *,
        deep: bool = True,
        at: int | None = None,
        valid_at: str = "",
    ) -> list[StoredDocument]:
        """The documents of a namespace, and of those inside it, in the order they came."""
        labels, day = document.namespace(namespace), check_day(valid_at)
        shelves, subject = self._session.shelves(at), self._session.subject
        if day:
            ever = documents.ever(shelves, subject, labels, deep=deep)
            return sorted(
                document_search.lay_there(shelves, ever, day), key=lambda each: each.place
            )
        found = (documents.within if deep else documents.exactly)(shelves, subject, labels)
        return [document_search.released(each) for each in found if not self._hidden(each, at)]

    def newest(
        self, namespace: Labels, count: int, *, at: int | None = None, valid_at: str = ""
    ) -> list[StoredDocument]:
        """The last documents that were put into a namespace, oldest of them first."""
        labels, day = document.namespace(namespace), check_day(valid_at)
        shelves, subject = self._session.shelves(at), self._session.subject
        if day:
            found = document_search.lay_there(
                shelves, documents.ever(shelves, subject, labels, deep=False), day
            )
        else:
            lying = documents.newest(shelves, subject, labels)
            found = (document_search.released(each) for each in lying if not self._hidden(each, at))
        return sorted(islice(found, max(count, 0)), key=lambda each: each.place)

    def search(
        self,
        namespace: Labels,
        query: str,
        *,
        limit: int = 0,
        where: Mapping[str, object] | None = None,
        at: int | None = None,
        valid_at: str = "",
    ) -> list[tuple[int, StoredDocument]]:
        """Documents that answer a question, best first; scores in millionths.

        `limit` is how many are wanted, 0 for all that have to do with it; `where` is what a value
        must hold to be one of them.
        """
        most = check_count(limit, "limit") or None
        query = canonical_json.admit_text(query)
        wanted = document_search.fields(self._session, where)
        ranked = self._ranked(document.namespace(namespace), query, at, valid_at)
        if wanted:
            ranked = (each for each in ranked if document_search.holds(each[1].value, wanted))
        found = list(islice(ranked, most))
        cited = {document.shown(each.namespace, each.key): score for score, each in found}
        self._session.queue_read_receipt(
            recall_results.named("documents_search", valid_at), query, cited, at
        )
        return found

    def _ranked(
        self, namespace: Namespace, query: str, at: int | None, valid_at: str
    ) -> Iterator[tuple[int, StoredDocument]]:
        snapshot = self._session.snapshot(at)
        profile = snapshot.desk.policy.recall.profile
        if profile == STAGE1:
            yield from document_search.overlapping(
                query, self.within(namespace, at=at, valid_at=valid_at)
            )
            return
        lying = self.within(namespace, at=at, valid_at=valid_at) if valid_at else None
        seqs = None if lying is None else [each.seq for each in lying]
        text, _ = self._session.screened(query[:QUERY_CHARACTERS_MAX])
        for score, found in document_search.ranked(self._session, snapshot, namespace, text, seqs):
            if not self._hidden(found, at):
                yield score, document_search.released(found)

    def namespaces(self, *, at: int | None = None, valid_at: str = "") -> list[Namespace]:
        """Every namespace that holds something, in the order of their labels."""
        return sorted({each.namespace for each in self.within(at=at, valid_at=valid_at)})

    def history(
        self, namespace: Labels, key: str, *, at: int | None = None, valid_at: str = ""
    ) -> list[Past]:
        """Every version a key ever had, newest first, with where each began and ended.

        Of a day, those that it had had by then; what ended later had not.
        """
        labels, named, day = (document.namespace(namespace), document.key(key), check_day(valid_at))
        shelves = self._session.shelves(at)
        found = documents.past(shelves, self._session.subject, labels, named)
        then = document_search.so_far(shelves, found, day) if day else found
        return [
            msgspec.structs.replace(each, document=document_search.released(each.document))
            for each in then
        ]

    def as_kept(self, value: T) -> T:
        """What is compared with values that were read: its texts as a put would keep them."""
        return cast("T", document_search.as_kept(self._session, value))

    # ── Inside ──────────────────────────────────────────────────────────────────────────────────

    def _filing(self) -> Filed:
        """Whom to ask is said each time: whether a yes is needed is decided at the head."""
        here = self._session.stream_id
        docket = self._session.hub.stream(council_stream(here.tenant, here.persona)).ref
        return {"docket": docket, "ask": self._governed, "subject": self._session.subject}

    def _changed(
        self, namespace: Namespace, key: str, value: object, ttl: int
    ) -> DocumentCommand | None:
        labels, named = document.namespace(namespace), document.key(key)
        if value is not None:
            return PutDocument(
                namespace=labels, key=named, value=value, ttl_seconds=ttl, **self._filing()
            )
        if self.get(labels, named, at=self.before()) is None:
            return None
        return DropDocuments(namespace=labels, keys=(named,), **self._filing())

    def _adding(self, labels: Namespace, values: Sequence[object]) -> list[DocumentCommand]:
        filing, parts = self._filing(), value_parts(values)
        return [AddDocuments(namespace=labels, values=part, **filing) for part in parts]

    def _all_or_none(self, commands: Sequence[DocumentCommand]) -> list[DocumentChange]:
        """If one would be refused, that one alone is asked, and the log says why.

        What is only taken out is not tried: on a retry it is no longer there.
        """
        kept = [each for each in commands if not isinstance(each, DropDocuments)]
        tried = kept if len(commands) > 1 else []
        doomed = (each for each in tried if dry_run.would_be_refused(self._session, each))
        refused = next(doomed, None)
        return self._together(commands if refused is None else [refused])

    def _together(self, commands: Sequence[DocumentCommand]) -> list[DocumentChange]:
        """All in one append. What is refused is refused by itself, and said at the end."""
        if not commands:
            return []
        calls = self._session.calls
        asks = [
            self._session.prepare(admission.admit(each), key=calls.next_key()) for each in commands
        ]
        told = self._session.hub.append(self._session.stream_id, asks)
        refused = next((each.refusal for each in told if each.refusal), None)
        if refused:
            raise RefusedError(refused.reason, refused.detail)
        return [kept for each in told for kept in self._kept(each)]

    def _kept(self, told: AppendResult) -> list[DocumentChange]:
        asked = next((line for line in told.lines if isinstance(line.event, Forwarded)), None)
        if asked is not None:
            return [DocumentChange(seq=asked.seq, request_id=self._request(asked))]
        redacted = next((e.event for e in told.lines if isinstance(e.event, PiiRedacted)), None)
        kinds = tuple(each.kind for each in redacted.redactions) if redacted else ()
        put = [
            DocumentChange(
                seq=line.seq, version=line.event.version, key=line.event.key, redacted=kinds
            )
            for line in told.lines
            if isinstance(line.event, DocumentPut)
        ]
        return put or [DocumentChange(seq=told.lines[-1].seq)]

    def _request(self, asked: Line) -> str:
        """The id the council gave to what this entry asks for."""
        effect = self._session.hub.effect(asked)
        for line in effect[1] if effect else ():
            match line.event:
                case RequestRaised(request_id=request_id):
                    return request_id
                case WriteDenied(reason=reason, detail=detail):
                    raise RefusedError(reason, detail)
                case _:
                    pass
        raise NotFoundError

    def _within(self, labels: Namespace, at: int | None) -> list[StoredDocument]:
        return documents.within(self._session.shelves(at), self._session.subject, labels)

    def _seconds_left(self, found: StoredDocument) -> int:
        """What is put down elsewhere lives no longer for it; 0 where its time is not bounded."""
        now = self._session.hub.parts.clock.now()
        if not found.expires_at or not now:
            return 0
        return max((ids.time_ms(found.expires_at) - ids.time_ms(now)) // 1000, 1)

    def _hidden(self, found: StoredDocument, at: int | None) -> bool:
        """Past its time, as the clock says; a read of the past sees what the log had then."""
        return at is None and found.is_over(self._session.hub.parts.clock.now())
