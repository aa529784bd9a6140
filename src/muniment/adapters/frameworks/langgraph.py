"""A LangGraph store: items are documents, and every version stays in the log.

A batch reads before it writes, as LangGraph wants it. With `governed`, a put raises
`AwaitsApprovalError` and is readable after the yes.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from muniment.adapters.frameworks.document_bridge import (
    TURN,
    Agents,
    UserDocuments,
    done,
    missing,
)
from muniment.engine.api.agent import Agent
from muniment.engine.api.documents import Documents
from muniment.model.errors import InputError
from muniment.model.kinds.document import Namespace, StoredDocument

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
    return str(asked.get("user_id") or asked.get("langgraph_auth_user_id") or "")


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
        if user is not of_config and isinstance(agents, Agent):
            raise InputError(
                "with `user` each call is about another person, so one agent is not enough: "
                "pass lambda user: memory.agent(name, user=user)"
            )
        self._people = UserDocuments(agents, governed=governed)
        self._whose = user
        self.ttl_config = ttl
        self.index_config = index
        self._embeddings = ensure_embeddings(index.get("embed")) if index else None
        self._fields = tuple((index or {}).get("fields") or ("$",))
        self._vectors: Vectors = {}

    # ── The two calls everything else goes through ──────────────────────────────────────────────

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        with TURN:
            asked, found = self._gathered(ops)
            if self._embeddings and (texts := self._unknown(asked, found)):
                self._keep(texts, self._embeddings.embed_documents(texts))
            return self._answered(asked, found)

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        asked, found = self._gathered(ops)
        if self._embeddings and (texts := self._unknown(asked, found)):
            self._keep(texts, await self._embeddings.aembed_documents(texts))
        return self._answered(asked, found)

    def sweep_ttl(self) -> int:
        """Take out what has had its time; returns how many."""
        with TURN:
            return sum(each.sweep() for each in self._people.at_hand())

    def _of(self, namespace: Namespace) -> Documents:
        return self._people.of(self._whose(namespace))

    # ── Reading ─────────────────────────────────────────────────────────────────────────────────

    def _gathered(self, ops: Iterable[Op]) -> tuple[list[Op], dict[int, list[StoredDocument]]]:
        """Everything that is asked for, and what the searches among it may find."""
        asked = list(ops)
        with TURN:
            found = {n: self._candidates(op) for n, op in enumerate(asked) if _is_search(op)}
        return asked, found

    def _candidates(self, op: Op) -> list[StoredDocument]:
        assert isinstance(op, SearchOp)
        every = self._of(op.namespace_prefix).within(op.namespace_prefix)
        wanted = op.filter or {}
        return [
            each
            for each in every
            if all(_fits(_value(each).get(key), value) for key, value in wanted.items())
        ]

    def _answered(self, asked: list[Op], found: dict[int, list[StoredDocument]]) -> list[Result]:
        with TURN:
            results = [self._result(n, op, found) for n, op in enumerate(asked)]
            puts = {(op.namespace, op.key): op for op in asked if isinstance(op, PutOp)}
            self._write(puts)
            return results

    def _result(self, n: int, op: Op, found: dict[int, list[StoredDocument]]) -> Result:
        match op:
            case GetOp():
                document = self._of(op.namespace).get(op.namespace, op.key)
                return _item(self._touched(document, refresh=op.refresh_ttl)) if document else None
            case SearchOp():
                ranked = self._ranked(op, found[n])[op.offset : op.offset + op.limit]
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
        below = next((c.path for c in conditions if c.match_type == "prefix"), ())
        known = [
            each for each in self._of(below).namespaces() if all(_lies(c, each) for c in conditions)
        ]
        cut = known if op.max_depth is None else sorted({each[: op.max_depth] for each in known})
        return cut[op.offset : op.offset + op.limit]

    # ── Ranking ─────────────────────────────────────────────────────────────────────────────────

    def _ranked(
        self, op: SearchOp, found: list[StoredDocument]
    ) -> list[tuple[float | None, StoredDocument]]:
        if not op.query:
            return [(None, document) for document in found]
        if self._embeddings:
            return self._by_vectors(op.query, found)
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
        self, query: str, found: list[StoredDocument]
    ) -> list[tuple[float | None, StoredDocument]]:
        """The best of an item's texts counts; items without one come last, as they came."""
        wanted = self._vectors[query]
        scored: list[tuple[float, StoredDocument]] = []
        rest: list[tuple[float | None, StoredDocument]] = []
        for document in found:
            texts = self._texts(document)
            if texts:
                scored.append((max(_cosine(wanted, self._vectors[t]) for t in texts), document))
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

    def _unknown(self, asked: list[Op], found: dict[int, list[StoredDocument]]) -> list[str]:
        """Texts whose vectors are wanted and not at hand."""
        queried = {
            n: op.query for n, op in enumerate(asked) if isinstance(op, SearchOp) and op.query
        }
        wanted = [*queried.values()]
        wanted += [text for n in queried for document in found[n] for text in self._texts(document)]
        return [text for text in dict.fromkeys(wanted) if text not in self._vectors]

    def _keep(self, texts: Sequence[str], vectors: Sequence[list[float]]) -> None:
        self._vectors |= dict(zip(texts, vectors, strict=True))

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


def _is_search(op: Op) -> bool:
    return isinstance(op, SearchOp)


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
    path = condition.path
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
