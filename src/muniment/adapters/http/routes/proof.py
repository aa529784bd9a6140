"""Routes of proof: streams and headers, replay, signed heads, certificates, links and bundles."""

from functools import partial
from typing import Final

import msgspec

from muniment.adapters.gateway.gateway import Hands, Visit
from muniment.adapters.http.route import Route, route, slow, tagged
from muniment.adapters.requests.answers import Page
from muniment.adapters.requests.fields import cursor_place
from muniment.adapters.requests.proof import (
    Bundled,
    BundleRequest,
    Certified,
    CertifyRequest,
    HeaderEntry,
    HeadersRequest,
    Linked,
    LinkRequest,
    ProveRequest,
    RebuildRequest,
    SignedRequest,
    SignRequest,
    StreamHead,
    StreamsRequest,
)
from muniment.engine.audit.notary import SignedHead
from muniment.engine.audit.replay import Proof
from muniment.model.errors import InputError

BUNDLE_MAX: Final = 20_000  # entries of a bundle in one answer, some 15 MB; a file takes any number
OPENS: Final = "payloads"  # the permission to read what others have said


def _streams(hands: Hands, _: StreamsRequest) -> list[StreamHead]:
    memory = hands.memory
    return [
        StreamHead(stream=each.text, kind=each.kind, seq=memory.head(each))
        for each in memory.streams()
    ]


def _headers(hands: Hands, asked: HeadersRequest) -> Page[HeaderEntry]:
    stream, after = hands.stream(asked.stream), cursor_place(asked.after)
    found = hands.memory.log(stream, after=after, upto=after + asked.limit)
    items = [
        HeaderEntry(
            seq=line.seq,
            hash=line.hash.hex(),
            header=msgspec.json.decode(msgspec.json.encode(line.header)),
        )
        for line in found
    ]
    return Page(items=items, next=str(found[-1].seq) if len(found) == asked.limit else "")


def _prove(visit: Visit, _: ProveRequest) -> list[Proof]:
    """Beside those who write: what is proved of a log is what it held when it was looked at."""
    go_on = visit.reception.go_on
    streams = visit.look("prove", lambda hands: hands.memory.streams())
    own = [
        visit.look("prove", lambda hands, its=each: hands.memory.prove_stream(its, progress=go_on))  # type: ignore[misc]
        for each in streams
    ]
    return [
        *own,
        *visit.look("prove", lambda hands: hands.memory.prove_branches(progress=go_on)),
    ]


def _rebuild(visit: Visit, _: RebuildRequest) -> dict[str, str]:
    """Stream by stream: whoever writes to one waits for it, and others go on."""
    go_on = visit.reception.go_on
    streams = visit.look("rebuild", lambda hands: hands.memory.streams())
    return {
        each.text: visit.look(
            "rebuild",
            lambda hands, its=each: hands.memory.rebuild_stream(its, progress=go_on),  # type: ignore[misc]
        )
        for each in streams
    }


def _sign(visit: Visit, asked: SignRequest) -> list[SignedHead]:
    """Log by log, beside those who write: what is signed is what was read."""

    def chosen(hands: Hands) -> list[str]:
        every = [each.text for each in hands.memory.streams()]
        return [asked.stream] if asked.stream else every

    def signed(hands: Hands, stream: str) -> SignedHead:
        return hands.notary.sign(hands.stream(stream), progress=visit.reception.go_on)

    streams = visit.look("prove", chosen)
    return [visit.look("prove", partial(signed, stream=each)) for each in streams]


def _certify(visit: Visit, asked: CertifyRequest) -> Certified:
    """Whoever opens content takes their turn, for that is written down."""

    def work(hands: Hands) -> Certified:
        stream, go_on = hands.stream(asked.stream), visit.reception.go_on
        text = hands.notary.certify(stream, asked.seq, reason=asked.reason, progress=go_on)
        return Certified(certificate=text, head=hands.notary.signed(stream)[-1])

    if not asked.reason:
        return visit.look("prove", work)
    visit.permit("prove")
    return visit.call(OPENS, work)


def _link(visit: Visit, asked: LinkRequest) -> Linked:
    def work(hands: Hands) -> Linked:
        stream, go_on = hands.stream(asked.stream), visit.reception.go_on
        text = hands.notary.link(stream, asked.old, progress=go_on)
        return Linked(link=text, head=hands.notary.signed(stream)[-1])

    return visit.look("prove", work)


def _bundle(visit: Visit, asked: BundleRequest) -> Bundled:
    def work(hands: Hands) -> Bundled:
        stream = hands.stream(asked.stream)
        if hands.memory.head(stream) > BUNDLE_MAX:
            raise InputError(f"that log has more than {BUNDLE_MAX} entries: `muniment bundle`")
        lines = hands.notary.bundle(stream, progress=visit.reception.go_on)
        return Bundled(bundle=b"".join(lines).decode(), head=hands.notary.signed(stream)[-1])

    return visit.look("prove", work)


ROUTES: Final[tuple[Route, ...]] = tagged(
    "proof",
    [
        route(StreamsRequest, _streams),
        route(HeadersRequest, _headers),
        slow(ProveRequest, _prove),
        slow(RebuildRequest, _rebuild),
        slow(SignRequest, _sign),
        route(
            SignedRequest,
            lambda hands, asked: hands.notary.signed(hands.stream(asked.stream)),
        ),
        slow(CertifyRequest, _certify),
        slow(LinkRequest, _link),
        slow(BundleRequest, _bundle),
    ],
)
