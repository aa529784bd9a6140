"""A LangGraph store: items are documents, and every version stays in the log.

A batch reads before it writes, as LangGraph wants it. With `governed`, a put raises
`AwaitsApprovalError` and is readable after the yes.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import takewhile
from typing import Any, Final

from muniment.adapters.frameworks.document_bridge import (
    TURN,
    Agents,
    UserDocuments,
    check_users,
    done,
    in_turn,
    missing,
)
from muniment.engine.api.documents import Documents
from muniment.model import canonical_json
from muniment.model.errors import InputError
from muniment.model.kinds.document import Namespace, StoredDocument
from muniment.model.lru_cache import LruCache

try:
    from langgraph.config import get_config
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        IndexConfig,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
        ensure_embeddings,
        get_text_at_path,
        tokenize_path,
    )
except ImportError as error:
    raise missing("langgraph", "langgraph") from error

# A put that names its own fields to embed says so beside the value.
INDEXED: Final = "$langgraph_index"
VALUE: Final = "$langgraph_value"
MILLION: Final = 1_000_000
USERS: Final = ("user_id", "langgraph_auth_user_id")  # in a config: as told, as authenticated
VECTORS_MAX: Final = 10_000  # of texts, in this process alone

Vectors = dict[str, list[float]]
Whose = Callable[[Namespace], str]  # which user a namespace belongs to; empty: nobody can say
COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "$eq": lambda found, wanted: bool(found == wanted),
    "$ne": lambda found, wanted: bool(found != wanted),
    "$gt": lambda found, wanted: float(found) > float(wanted),
    "$gte": lambda found, wanted: float(found) >= float(wanted),
    "$lt": lambda found, wanted: float(found) < float(wanted),
    "$lte": lambda found, wanted: float(found) <= float(wanted),
}


def label(place: int) -> Whose:
    """The user is the label at this place of a namespace: 1 in `("memories", user)`."""
    return lambda namespace: "".join(namespace[place : place + 1 or None])


def of_config(_namespace: Namespace) -> str:
    """The user whom the graph was invoked for: `{"configurable": {"user_id": "alice"}}`."""
    try:
        asked = get_config().get("configurable", {})
    except RuntimeError:  # outside of any graph
        return ""
    named = {str(asked[each]) for each in USERS if asked.get(each)}
    if len(named) > 1:
        raise InputError(
            f"the config names two users, by {' and '.join(USERS)}: say which of them a call is "
            "about with user=, a function from a namespace to a user"
        )
    return "".join(named)


class MunimentStore(BaseStore):
    """The long-term memory of a graph; `index` names your embedder, its vectors are not kept.

    With a function from a user to their agent, `user` says whose each call is: by the config of
    the graph, or `label(1)` of the namespace. A call that names nobody is refused.
    """

    supports_ttl = True

    def __init__(
        self,
        agents: Agents,
        *,
        user: Whose = of_config,
        governed: bool = False,
        index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        if user is not of_config:
            check_users(agents, user)
        self._people = UserDocuments(agents, governed=governed)
        self._whose = user
        self.ttl_config = ttl
        self.index_config = index
        self._embeddings = ensure_embeddings(index.get("embed")) if index else None
        self._fields = tuple((index or {}).get("fields") or ("$",))
        self._vectors = LruCache[str, list[float]](VECTORS_MAX)

    # ── The two calls everything else goes through ──────────────────────────────────────────────

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        asked = list(ops)
        vectors, unknown = self._vectors_of(asked)
        if self._embeddings and unknown:
            # In nobody's turn: an embedder may be far away, and everybody else would wait for it.
            self._keep(vectors, unknown, self._embeddings.embed_documents(unknown))
        return self._answered(asked, vectors)

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        asked = list(ops)
        vectors, unknown = await in_turn(lambda: self._vectors_of(asked))
        if self._embeddings and unknown:
            self._keep(vectors, unknown, await self._embeddings.aembed_documents(unknown))
        return await in_turn(lambda: self._answered(asked, vectors))

    def sweep_ttl(self) -> int:
        """Take out what has had its time; returns how many."""
        with TURN:
            return sum(each.sweep() for each in self._people.at_hand())

    def _of(self, namespace: Namespace) -> Documents:
        return self._people.of(self._whose(namespace))

    # ── Reading ─────────────────────────────────────────────────────────────────────────────────

    def _candidates(self, op: SearchOp) -> list[StoredDocument]:
        documents = self._of(op.namespace_prefix)
        every, wanted = documents.within(op.namespace_prefix), documents.as_kept(op.filter or {})
        return [
            each
            for each in every
            if all(_fits(_value(each).get(key), value) for key, value in wanted.items())
        ]

    def _answered(self, asked: list[Op], vectors: Vectors) -> list[Result]:
        with TURN:
            results = [self._result(op, vectors) for op in asked]
            puts = {(op.namespace, op.key): op for op in asked if isinstance(op, PutOp)}
            self._write(puts)
            return results

    def _result(self, op: Op, vectors: Vectors) -> Result:
        match op:
            case GetOp():
                document = self._of(op.namespace).get(op.namespace, op.key)
                return _item(self._touched(document, refresh=op.refresh_ttl)) if document else None
            case SearchOp():
                ranked = self._ranked(op, vectors)[op.offset : op.offset + op.limit]
                return [
                    _hit(self._touched(document, refresh=op.refresh_ttl), score)
                    for score, document in ranked
                ]
            case ListNamespacesOp():
                return self._namespaces(op)
            case PutOp():
                return None
            case _:
                raise ValueError(f"Unknown operation type: {type(op)}")

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        path = next((c.path for c in conditions if c.match_type == "prefix"), ())
        below = (*takewhile(lambda each: each != "*", path),)  # whoever fits a * is nobody
        known = [
            each for each in self._of(below).namespaces() if all(_lies(c, each) for c in conditions)
        ]
        cut = known if op.max_depth is None else sorted({each[: op.max_depth] for each in known})
        return cut[op.offset : op.offset + op.limit]

    # ── Ranking ─────────────────────────────────────────────────────────────────────────────────

    def _ranked(self, op: SearchOp, vectors: Vectors) -> list[tuple[float | None, StoredDocument]]:
        found = self._candidates(op)
        if not op.query:
            return [(None, document) for document in found]
        if self._embeddings:
            return self._by_vectors(vectors[op.query], found, vectors)
        named = {(document.namespace, document.key) for document in found}
        hits = [
            (score / MILLION, document)
            for score, document in self._of(op.namespace_prefix).search(
                op.namespace_prefix, op.query
            )
            if (document.namespace, document.key) in named
        ]
        told = {(document.namespace, document.key) for _, document in hits}
        rest = [
            (None, document) for document in found if (document.namespace, document.key) not in told
        ]
        return [*hits, *rest]

    def _by_vectors(
        self, wanted: Sequence[float], found: list[StoredDocument], vectors: Vectors
    ) -> list[tuple[float | None, StoredDocument]]:
        """The best of an item's texts counts; items without one come last, as they came."""
        scored: list[tuple[float, StoredDocument]] = []
        rest: list[tuple[float | None, StoredDocument]] = []
        for document in found:
            # A text that came while vectors were made has none yet.
            told = [vectors[text] for text in self._texts(document) if text in vectors]
            if told:
                scored.append((max(_cosine(wanted, each) for each in told), document))
            else:
                rest.append((None, document))
        scored.sort(key=lambda each: (-each[0], each[1].place))
        return [*scored, *rest]

    def _texts(self, document: StoredDocument) -> list[str]:
        fields = _fields(document, self._fields)
        value = _value(document)
        return [
            text
            for field in fields
            for text in get_text_at_path(value, field if field == "$" else tokenize_path(field))
        ]

    def _vectors_of(self, asked: list[Op]) -> tuple[Vectors, list[str]]:
        """Vectors that are at hand for these questions, and the texts whose vectors are not."""
        if not self._embeddings:
            return {}, []
        searches = [op for op in asked if isinstance(op, SearchOp) and op.query]
        wanted = [str(op.query) for op in searches]
        with TURN:
            found = [document for op in searches for document in self._candidates(op)]
        wanted += [text for document in found for text in self._texts(document)]
        held = {text: self._vectors.get(text) for text in wanted}
        known = {text: vector for text, vector in held.items() if vector is not None}
        return known, [text for text in held if text not in known]

    def _keep(self, known: Vectors, texts: list[str], vectors: Sequence[list[float]]) -> None:
        for text, vector in zip(texts, vectors, strict=True):
            known[text] = vector
            self._vectors.put(text, vector)

    # ── Writing ─────────────────────────────────────────────────────────────────────────────────

    def _write(self, puts: dict[tuple[Namespace, str], PutOp]) -> None:
        by_life: dict[tuple[str, int], dict[tuple[Namespace, str], object]] = {}
        for name, op in puts.items():
            by_life.setdefault((self._whose(name[0]), _seconds(op.ttl)), {})[name] = _kept(op)
        for (user, seconds), values in by_life.items():
            done(self._people.of(user).put_all(values, ttl_seconds=seconds))

    def _touched(self, document: StoredDocument, *, refresh: bool) -> StoredDocument:
        """A read may lengthen a life: then it is a write, and says so in the log."""
        if not (refresh and document.expires_at):
            return document
        life = _moment(document.expires_at) - _moment(document.updated_at)
        values = {(document.namespace, document.key): document.value}
        documents = self._of(document.namespace)
        documents.put_all(values, ttl_seconds=int(life.total_seconds()))
        return documents.get(document.namespace, document.key) or document


def _kept(op: PutOp) -> object:
    if op.value is None or op.index is None:
        return op.value
    return {INDEXED: op.index, VALUE: op.value}


def _value(document: StoredDocument) -> dict[str, Any]:
    held = document.value
    if isinstance(held, dict) and held.keys() == {INDEXED, VALUE}:
        held = held[VALUE]
    return held if isinstance(held, dict) else {"value": held}


def _fields(document: StoredDocument, usual: tuple[str, ...]) -> Sequence[str]:
    held = document.value
    if isinstance(held, dict) and held.keys() == {INDEXED, VALUE}:
        named = held[INDEXED]
        return [str(each) for each in named] if isinstance(named, list) else ()
    return usual


def _item(document: StoredDocument) -> Item:
    return Item(
        value=_value(document),
        key=document.key,
        namespace=document.namespace,
        created_at=_moment(document.created_at),
        updated_at=_moment(document.updated_at),
    )


def _hit(document: StoredDocument, score: float | None) -> SearchItem:
    return SearchItem(
        namespace=document.namespace,
        key=document.key,
        value=_value(document),
        created_at=_moment(document.created_at),
        updated_at=_moment(document.updated_at),
        score=score,
    )


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _seconds(minutes: float | None) -> int:
    return 0 if minutes is None else max(1, math.ceil(minutes * 60))


def _fits(found: object, wanted: object) -> bool:
    """Whether a value is as a filter wants it: equal, inside, or by an operator."""
    if isinstance(wanted, dict):
        if any(key.startswith("$") for key in wanted):
            return all(_compared(found, key, value) for key, value in wanted.items())
        return isinstance(found, dict) and all(
            _fits(found.get(key), value) for key, value in wanted.items()
        )
    if isinstance(wanted, list | tuple):
        return (
            isinstance(found, list | tuple)
            and len(found) == len(wanted)
            and all(_fits(one, other) for one, other in zip(found, wanted, strict=True))
        )
    return found == wanted


def _compared(found: object, operator: str, wanted: object) -> bool:
    if operator not in COMPARE:
        raise ValueError(f"Unsupported operator: {operator}")
    return COMPARE[operator](found, wanted)


def _lies(condition: MatchCondition, namespace: Namespace) -> bool:
    path = [canonical_json.admit_text(each) for each in condition.path]
    if len(namespace) < len(path):
        return False
    if condition.match_type == "prefix":
        pairs = zip(namespace, path, strict=False)
    elif condition.match_type == "suffix":
        pairs = zip(reversed(namespace), reversed(path), strict=False)
    else:
        raise ValueError(f"Unsupported match type: {condition.match_type}")
    return all(wanted in ("*", label) for label, wanted in pairs)


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    size = math.hypot(*one) * math.hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=False)) / size if size else 0.0
