"""Reranking and query rewriting: outside opinions on a recall, kept in its receipt.

A rewriter says a question in other words before it is ranked; a reranker orders the best of what
was found. Both are shown what the log keeps, and never a question that may not be kept. What they
said stands in the receipt, so a recall that is made again asks neither. One that fails is done
without, and the receipt names it no more.
"""

from collections.abc import Sequence

import msgspec

from muniment.engine.search.recall_results import Bundle
from muniment.engine.session.agent_session import AgentSession
from muniment.model import canonical_json
from muniment.model.errors import InputError
from muniment.model.kinds.receipts import Basis


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


def reranked(session: AgentSession, told: Bundle, query: str) -> Bundle:
    """The same answer in the order that a reranker gives it, and its name in the receipt."""
    reranker = session.hub.parts.neighbours.reranker
    text, whole = session.screened(canonical_json.admit_text(query))
    if reranker is None or not whole or len(told.hits) < 2:  # noqa: PLR2004 - nothing to order
        return told
    try:
        scores = _checked(reranker.rerank(text, [hit.text for hit in told.hits]), len(told.hits))
    except Exception:  # whatever it does wrong, our own order stands
        return told
    places = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    return _ordered(told, [told.hits[place].id for place in places], reranker.name)


def as_reranked(told: Bundle, basis: Basis | None) -> Bundle:
    """An answer made again, in the order that its receipt tells."""
    if basis is None or not basis.reranker:
        return told
    return _ordered(told, basis.reranked, basis.reranker)


def _ordered(told: Bundle, ids: Sequence[str], name: str) -> Bundle:
    place = {each: number for number, each in enumerate(ids)}
    hits = tuple(sorted(told.hits, key=lambda hit: place.get(hit.id, len(place))))
    basis = told.receipt.basis
    if basis is not None:
        basis = msgspec.structs.replace(basis, reranker=name, reranked=tuple(ids))
    receipt = msgspec.structs.replace(
        told.receipt,
        ids=tuple(hit.id for hit in hits),
        scores_ppm=tuple(hit.score_ppm for hit in hits),
        basis=basis,
    )
    return msgspec.structs.replace(told, hits=hits, receipt=receipt)


def _checked(scores: Sequence[float], count: int) -> list[float]:
    found = [float(each) for each in scores]
    if len(found) != count or any(each != each for each in found):  # noqa: PLR0124 - not a number
        raise InputError("a reranker gives one number for each text")
    return found
