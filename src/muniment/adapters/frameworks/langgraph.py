"""A LangGraph store: items are papers, namespaces are drawers, every version stays in the log.

A batch reads before it writes, as LangGraph wants it. With `governed`, a put raises
`AwaitsApprovalError` and is readable after the yes.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from muniment.adapters.frameworks.document_bridge import TURN, done, missing
from muniment.engine.api.agent import Agent
from muniment.model.kinds.document import Drawer, Paper

try:
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
COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "$eq": lambda found, wanted: bool(found == wanted),
    "$ne": lambda found, wanted: bool(found != wanted),
    "$gt": lambda found, wanted: float(found) > float(wanted),
    "$gte": lambda found, wanted: float(found) >= float(wanted),
    "$lt": lambda found, wanted: float(found) < float(wanted),
    "$lte": lambda found, wanted: float(found) <= float(wanted),
}


class MunimentStore(BaseStore):
    """The long-term memory of a graph; `index` names your embedder, its vectors are not kept."""

    supports_ttl = True

    def __init__(
        self,
        agent: Agent,
        *,
        governed: bool = False,
        index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        self._papers = agent.papers(governed=governed)
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
            return self._papers.sweep()

    # ── Reading ─────────────────────────────────────────────────────────────────────────────────

    def _gathered(self, ops: Iterable[Op]) -> tuple[list[Op], dict[int, list[Paper]]]:
        """Everything that is asked for, and what the searches among it may find."""
        asked = list(ops)
        with TURN:
            found = {n: self._candidates(op) for n, op in enumerate(asked) if _is_search(op)}
        return asked, found

    def _candidates(self, op: Op) -> list[Paper]:
        assert isinstance(op, SearchOp)
        every = self._papers.within(op.namespace_prefix)
        wanted = op.filter or {}
        return [
            each
            for each in every
            if all(_fits(_value(each).get(key), value) for key, value in wanted.items())
        ]

    def _answered(self, asked: list[Op], found: dict[int, list[Paper]]) -> list[Result]:
        with TURN:
            results = [self._result(n, op, found) for n, op in enumerate(asked)]
            puts = {(op.namespace, op.key): op for op in asked if isinstance(op, PutOp)}
            self._write(puts)
            return results

    def _result(self, n: int, op: Op, found: dict[int, list[Paper]]) -> Result:
        match op:
            case GetOp():
                paper = self._papers.get(op.namespace, op.key)
                return _item(self._touched(paper, refresh=op.refresh_ttl)) if paper else None
            case SearchOp():
                ranked = self._ranked(op, found[n])[op.offset : op.offset + op.limit]
                return [
                    _hit(self._touched(paper, refresh=op.refresh_ttl), score)
                    for score, paper in ranked
                ]
            case ListNamespacesOp():
                return self._namespaces(op)
            case PutOp():
                return None
            case _:
                raise ValueError(f"Unknown operation type: {type(op)}")

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        known = [each for each in self._papers.drawers() if all(_lies(c, each) for c in conditions)]
        cut = known if op.max_depth is None else sorted({each[: op.max_depth] for each in known})
        return cut[op.offset : op.offset + op.limit]

    # ── Ranking ─────────────────────────────────────────────────────────────────────────────────

    def _ranked(self, op: SearchOp, found: list[Paper]) -> list[tuple[float | None, Paper]]:
        if not op.query:
            return [(None, paper) for paper in found]
        if self._embeddings:
            return self._by_vectors(op.query, found)
        named = {(paper.drawer, paper.key) for paper in found}
        hits = [
            (score / MILLION, paper)
            for score, paper in self._papers.search(op.namespace_prefix, op.query)
            if (paper.drawer, paper.key) in named
        ]
        told = {(paper.drawer, paper.key) for _, paper in hits}
        rest = [(None, paper) for paper in found if (paper.drawer, paper.key) not in told]
        return [*hits, *rest]

    def _by_vectors(self, query: str, found: list[Paper]) -> list[tuple[float | None, Paper]]:
        """The best of an item's texts counts; items without one come last, as they came."""
        wanted = self._vectors[query]
        scored: list[tuple[float, Paper]] = []
        rest: list[tuple[float | None, Paper]] = []
        for paper in found:
            texts = self._texts(paper)
            if texts:
                scored.append((max(_cosine(wanted, self._vectors[t]) for t in texts), paper))
            else:
                rest.append((None, paper))
        scored.sort(key=lambda each: (-each[0], each[1].place))
        return [*scored, *rest]

    def _texts(self, paper: Paper) -> list[str]:
        fields = _fields(paper, self._fields)
        value = _value(paper)
        return [
            text
            for field in fields
            for text in get_text_at_path(value, field if field == "$" else tokenize_path(field))
        ]

    def _unknown(self, asked: list[Op], found: dict[int, list[Paper]]) -> list[str]:
        """Texts whose vectors are wanted and not at hand."""
        queried = {
            n: op.query for n, op in enumerate(asked) if isinstance(op, SearchOp) and op.query
        }
        wanted = [*queried.values()]
        wanted += [text for n in queried for paper in found[n] for text in self._texts(paper)]
        return [text for text in dict.fromkeys(wanted) if text not in self._vectors]

    def _keep(self, texts: Sequence[str], vectors: Sequence[list[float]]) -> None:
        self._vectors |= dict(zip(texts, vectors, strict=True))

    # ── Writing ─────────────────────────────────────────────────────────────────────────────────

    def _write(self, puts: dict[tuple[Drawer, str], PutOp]) -> None:
        by_life: dict[int, dict[tuple[Drawer, str], object]] = {}
        for name, op in puts.items():
            by_life.setdefault(_seconds(op.ttl), {})[name] = _kept(op)
        for seconds, values in by_life.items():
            done(self._papers.put_all(values, ttl_seconds=seconds))

    def _touched(self, paper: Paper, *, refresh: bool) -> Paper:
        """A read may lengthen a life: then it is a write, and says so in the log."""
        if not (refresh and paper.expires_at):
            return paper
        life = _moment(paper.expires_at) - _moment(paper.updated_at)
        values = {(paper.drawer, paper.key): paper.value}
        self._papers.put_all(values, ttl_seconds=int(life.total_seconds()))
        return self._papers.get(paper.drawer, paper.key) or paper


def _is_search(op: Op) -> bool:
    return isinstance(op, SearchOp)


def _kept(op: PutOp) -> object:
    if op.value is None or op.index is None:
        return op.value
    return {INDEXED: op.index, VALUE: op.value}


def _value(paper: Paper) -> dict[str, Any]:
    held = paper.value
    if isinstance(held, dict) and held.keys() == {INDEXED, VALUE}:
        held = held[VALUE]
    return held if isinstance(held, dict) else {"value": held}


def _fields(paper: Paper, usual: tuple[str, ...]) -> Sequence[str]:
    held = paper.value
    if isinstance(held, dict) and held.keys() == {INDEXED, VALUE}:
        named = held[INDEXED]
        return [str(each) for each in named] if isinstance(named, list) else ()
    return usual


def _item(paper: Paper) -> Item:
    return Item(
        value=_value(paper),
        key=paper.key,
        namespace=paper.drawer,
        created_at=_moment(paper.created_at),
        updated_at=_moment(paper.updated_at),
    )


def _hit(paper: Paper, score: float | None) -> SearchItem:
    return SearchItem(
        namespace=paper.drawer,
        key=paper.key,
        value=_value(paper),
        created_at=_moment(paper.created_at),
        updated_at=_moment(paper.updated_at),
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


def _lies(condition: MatchCondition, drawer: Drawer) -> bool:
    path = condition.path
    if len(drawer) < len(path):
        return False
    if condition.match_type == "prefix":
        pairs = zip(drawer, path, strict=False)
    elif condition.match_type == "suffix":
        pairs = zip(reversed(drawer), reversed(path), strict=False)
    else:
        raise ValueError(f"Unsupported match type: {condition.match_type}")
    return all(wanted in ("*", label) for label, wanted in pairs)


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    size = math.hypot(*one) * math.hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=False)) / size if size else 0.0
