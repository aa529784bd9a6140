"""Context assembly: candidates of every memory type, ranked, packed and receipted as a prompt."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from muniment.engine.context.context_request import ContextRequest, ContextSource
from muniment.layers.desk import Desk
from muniment.model import canonical_json
from muniment.model.commands.reads import RecordContext
from muniment.model.policy import context as policy_context
from muniment.model.policy import digest as policy_digest
from muniment.model.policy.context import ContextFilters, ContextReceipt
from muniment.model.struct_copy import copied
from muniment.model.text import fingerprints
from muniment.retrieval.context import budget_shares, render_line
from muniment.retrieval.context.bundle import MemoryBundle, Pools, Selected
from muniment.retrieval.context.candidates import ContextCandidate
from muniment.retrieval.context.pack import ESTIMATE, TokenCounter, counted_by

ID_LETTERS: Final = 32
THREADS: Final = "threads"  # the memory type that only a job on a channel has


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """What a prompt is given: never more tokens than its budget, each line with its reason."""

    text: str
    tokens: int
    budget: int
    pieces: tuple[Selected, ...]
    sources: dict[str, int]  # items by memory type
    left_out: int
    receipt: ContextReceipt

    def __str__(self) -> str:
        return self.text


class ContextQuery(msgspec.Struct, frozen=True, kw_only=True):
    """An assembly as it was asked for, with the question in the form that may be kept."""

    query: str
    budget_tokens: int
    filters: ContextFilters
    whole: bool = True  # the question may be kept
    quarantined: bool = False
    valid_at: str = ""
    as_of: str = ""
    codes: tuple[bytes, ...] = ()  # of questions that were asked before
    told: ContextReceipt | None = None  # made again, with what a tokenizer counted then


def gather(request: ContextRequest, asked: ContextQuery, types: Sequence[ContextSource]) -> Pools:
    """Ask every memory type with its part of the budget; one that fails is named and left out."""
    names = tuple(each.name for each in types if _is_asked(each.name, request, asked.filters))
    parts = {
        each.type: each.allocated
        for each in budget_shares.share(names, asked.budget_tokens, request.rules)
    }
    found: list[ContextCandidate] = []
    failed: dict[str, str] = {}
    for each in types:
        if each.name in parts:
            offered, failure = _offered(each, request, parts[each.name])
            found += [one for one in offered if request.lets_in(one)]
            failed |= {each.name: failure} if failure else {}
    return Pools(
        candidates=tuple(_once(found)),
        types=names,
        budget_tokens=asked.budget_tokens,
        failed=failed,
        wanted=asked.filters,
        aliases=dict(request.policy.sem.aliases),
        counter=counter(request),
        query=asked.query,
        told=asked.told,
    )


def counter(request: ContextRequest) -> TokenCounter:
    """Who counts the tokens of a context: the caller's own tokenizer, or the estimate."""
    own = request.session.hub.parts.neighbours.tokenizer
    return counted_by(own.name, own.count) if own else ESTIMATE


def _once(found: list[ContextCandidate]) -> list[ContextCandidate]:
    """What belongs to the conversation is told there, and not again by the place that keeps it."""
    spoken = {each.id for each in found if each.type == THREADS}
    return [each for each in found if each.type == THREADS or each.id not in spoken]


def _offered(
    each: ContextSource, request: ContextRequest, budget_tokens: int
) -> tuple[list[ContextCandidate], str]:
    request = msgspec.structs.replace(request, budget_tokens=budget_tokens)
    if each.built_in:
        return list(each.candidates(request)), ""  # a store that fails is no empty memory
    try:
        return list(each.candidates(request)), ""
    except Exception as error:  # a guest must not take the context with it
        return [], type(error).__name__


def context(request: ContextRequest, asked: ContextQuery, bundle: MemoryBundle) -> Context:
    taken: dict[str, int] = {each.type: each.taken for each in bundle.spent if each.taken}
    return Context(
        text=bundle.text,
        tokens=bundle.tokens,
        budget=bundle.budget_tokens,
        pieces=bundle.items,
        sources=taken,
        left_out=sum(bundle.dropped.values()),
        receipt=_receipt(request, asked, bundle),
    )


def command(told: Context, subject: str, facts: str) -> RecordContext:
    """The receipt as it is asked to be kept; `facts` is the hash of those that it was read with."""
    receipt = told.receipt
    return copied(
        RecordContext,
        receipt,
        query=receipt.query if receipt.whole else "",
        sem_snapshot_hash=facts,
        codes=receipt.codes if receipt.whole else (),
        handed=fingerprints.of_lines(render_line.words(each.text) for each in told.pieces),
        subject=subject,
    )


def _receipt(request: ContextRequest, asked: ContextQuery, bundle: MemoryBundle) -> ContextReceipt:
    digest = canonical_json.digest("muniment/v1/context", canonical_json.encode(bundle.text)).hex()
    told = [request.session.writer.stream.ref, request.job, request.head, asked.query, digest]
    told += [asked.budget_tokens, msgspec.to_builtins(asked.filters)]
    told += [asked.valid_at] if asked.valid_at else []
    name = canonical_json.digest("muniment/v1/receipt", canonical_json.encode(told)).hex()[
        :ID_LETTERS
    ]
    return copied(
        ContextReceipt,
        asked,
        receipt_id=f"ctx:{name}",
        at=request.head,
        job=request.job,
        reads=request.session.heads(request.at),
        policy=request.desk.policy_digest or policy_digest(request.policy),
        ids=tuple(each.id for each in bundle.items),
        types=tuple(each.type for each in bundle.items),
        scores_ppm=tuple(each.score_ppm for each in bundle.items),
        tokens=bundle.tokens,
        digest=digest,
        dropped=bundle.dropped,
        spent=bundle.spent,
        excerpts=bundle.excerpts,
        codes=request.recall().codes,
        counter=asked.told.counter if asked.told else counter(request).name,
    )


def _is_asked(name: str, request: ContextRequest, wanted: ContextFilters) -> bool:
    """Whoever is on no channel is in no thread, and no part of the budget waits for one."""
    return (not wanted.types or name in wanted.types) and (name != THREADS or bool(request.channel))


def asked(
    query: str,
    desk: Desk,
    job: int,
    budget: int | None,
    raw: Mapping[str, object] | ContextFilters | None,
) -> ContextQuery:
    """What was asked; where nothing was said, what the turn was opened with or the policy says."""
    policy, opened = desk.policy, desk.jobs.open.get(job)
    configured = (opened.budget_tokens if opened else 0) or policy.recall.budget_tokens
    return ContextQuery(
        query=query,
        budget_tokens=configured if budget is None else budget,
        filters=policy_context.filters(raw, policy.assembly.default_filters),
    )
