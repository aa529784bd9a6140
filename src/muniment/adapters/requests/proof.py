"""Requests for proof: streams and their headers, replay, signed heads, certificates, bundles."""

from typing import Annotated

import msgspec
from msgspec import Meta

from muniment.adapters.requests.answers import Page
from muniment.adapters.requests.fields import (
    PAGE,
    Cursor,
    LogName,
    Name,
    PageLimit,
    Place,
    Stream,
    Text,
)
from muniment.adapters.requests.verb_request import VerbRequest, get, long
from muniment.engine.audit.notary import SignedHead
from muniment.engine.audit.replay import Proof


class StreamHead(msgspec.Struct, frozen=True, kw_only=True):
    stream: str
    kind: str
    seq: int


class StreamsRequest(VerbRequest[list[StreamHead]], frozen=True):
    """List the streams of the tenant, with the head of each."""

    endpoint = get("/v1/streams", "streams")


class HeaderEntry(msgspec.Struct, frozen=True, kw_only=True):
    seq: int
    hash: str
    header: dict[str, object]


class HeadersOptions(VerbRequest[Page[HeaderEntry]], frozen=True, kw_only=True):
    after: Cursor = ""
    limit: PageLimit = PAGE


class HeadersRequest(HeadersOptions, frozen=True):
    """The hashed headers of a stream: commitments and counters, no content."""

    endpoint = get("/v1/streams/headers", "streams")

    stream: Stream


class ProveRequest(VerbRequest[list[Proof]], frozen=True):
    """Verify every link of every stream and replay every decision."""

    endpoint = long("/v1/prove", "prove")


class RebuildRequest(VerbRequest[dict[str, str]], frozen=True):
    """Rebuild everything derived from the logs; returns the digest of each stream's projections."""

    endpoint = long("/v1/rebuild", "rebuild")


class SignRequest(VerbRequest[list[SignedHead]], frozen=True):
    """Check logs against everything that was signed of them, and sign their heads."""

    endpoint = long("/v1/sign", "prove")

    stream: LogName = ""  # empty: every log of the tenant


class SignedRequest(VerbRequest[list[SignedHead]], frozen=True):
    """List every signed head of a log, oldest first."""

    endpoint = get("/v1/streams/signed", "streams")

    stream: Stream


class Certified(msgspec.Struct, frozen=True, kw_only=True):
    """A text that the verifier checks, given the origin and the key of the head."""

    certificate: str
    head: SignedHead


class CertifyOptions(VerbRequest[Certified], frozen=True, kw_only=True):
    reason: Annotated[Name, Meta(description="Open the entry for this reason; it is logged.")] = ""


class CertifyRequest(CertifyOptions, frozen=True):
    """Prove one entry to an outsider; with a reason, which is logged, what it says."""

    endpoint = long("/v1/certify", "prove")

    stream: Stream
    seq: Place


class Linked(msgspec.Struct, frozen=True, kw_only=True):
    """A text that the verifier checks, given the origin and the key of the head."""

    link: str
    head: SignedHead


class LinkRequest(VerbRequest[Linked], frozen=True):
    """Prove that a log continues from a signed head that somebody kept."""

    endpoint = long("/v1/link", "prove")

    stream: Stream
    old: Text


class Bundled(msgspec.Struct, frozen=True, kw_only=True):
    """A text that the verifier checks, given the origin and the key of the head."""

    bundle: str
    head: SignedHead


class BundleRequest(VerbRequest[Bundled], frozen=True):
    """Export a whole log for an outsider: headers, commitments, signed heads, no content."""

    endpoint = long("/v1/bundle", "prove")

    stream: Stream
