"""Reranking and query rewriting by callbacks of the caller, recorded in the receipt.

A rewriter says a question in other words before it is ranked; a reranker orders the best fifty of
what was found, of which the caller gets as many as were asked for. Both are shown what the log
keeps, and never a question that may not be kept. What they said stands in the receipt, so a recall
that is made again asks neither. One that fails is done without, and the receipt does not name it.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from muniment.engine.search.recall_filter import RecallFilter
from muniment.engine.search.recall_results import Bundle
from muniment.engine.session.agent_session import AgentSession
from muniment.model import canonical_json
from muniment.model.errors import InputError
from muniment.model.kinds.receipts import Basis

BEST: Final = 50  # so many are shown to a reranker: what it would put first may stand that far down


def rewritten(session: AgentSession, query: str) -> str:
    """The question in other words, where somebody rewrites questions; else nothing."""
    rewriter = session.hub.parts.neighbours.rewriter
    text, whole = session.screened(canonical_json.admit_text(query))
    if rewriter is None or not whole or not text.strip():
        return ""
    try:
        said = canonical_json.admit_text(rewriter.rewrite(text))
        told, kept = session.screened(said)
    except Exception:  # whatever it does wrong, the question itself is asked
        return ""
    return told if kept and told.strip() and told != text else ""


def widened(session: AgentSession, wanted: RecallFilter) -> RecallFilter | None:
    """What is looked for where somebody reranks: more than the caller will get."""
    if session.hub.parts.neighbours.reranker is None:
        return None
    return msgspec.structs.replace(wanted, results_max=max(wanted.results_max, BEST))


def reranked(session: AgentSession, found: Bundle, query: str, keep: int) -> Bundle | None:
    """The first `keep` in the order that a reranker gives, and its name in the receipt; nothing
    where it gives none.
    """
    reranker = session.hub.parts.neighbours.reranker
    text, whole = session.screened(canonical_json.admit_text(query))
    if reranker is None or not whole or len(found.hits) < 2:  # noqa: PLR2004 - nothing to order
        return None
    try:
        scores = _checked(reranker.rerank(text, [hit.text for hit in found.hits]), len(found.hits))
    except Exception:  # whatever it does wrong, our own order stands
        return None
    places = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    return _ordered(found, [found.hits[place].id for place in places], reranker.name, keep)


def as_reranked(found: Bundle, basis: Basis | None, keep: int) -> Bundle:
    """An answer made again, in the order that its receipt tells."""
    if basis is None or not basis.reranker:
        return found
    return _ordered(found, basis.reranked, basis.reranker, keep)


def _ordered(found: Bundle, ids: Sequence[str], name: str, keep: int) -> Bundle:
    place = {each: number for number, each in enumerate(ids)}
    hits = sorted(found.hits, key=lambda hit: place.get(hit.id, len(place)))[:keep]
    basis = found.receipt.basis
    if basis is not None:
        basis = msgspec.structs.replace(basis, reranker=name, reranked=tuple(ids), results_max=keep)
    receipt = msgspec.structs.replace(
        found.receipt,
        ids=tuple(hit.id for hit in hits),
        scores_ppm=tuple(hit.score_ppm for hit in hits),
        basis=basis,
    )
    return msgspec.structs.replace(found, hits=tuple(hits), receipt=receipt)


def _checked(scores: Sequence[float], count: int) -> list[float]:
    found = [float(each) for each in scores]
    if len(found) != count or any(each != each for each in found):  # noqa: PLR0124 - not a number
        raise InputError("a reranker must return one number for each text")
    return found
