"""Routes for outsiders' proofs: signed heads, certificates, links and bundles of logs."""

from functools import partial
from typing import Annotated, Final

import msgspec

from muniment.adapters.gateway.gateway import Hands, Visit
from muniment.adapters.http.route import Log, Name, Route, RouteRequest, Text, get, slow, tagged
from muniment.adapters.http.routes.streams import Stream
from muniment.engine.audit.notary import SignedHead
from muniment.model.canonical_json import INTEGER_MAX
from muniment.model.errors import InputError

BUNDLE_MAX: Final = 20_000  # entries of a bundle in one answer, some 15 MB; a file takes any number
OPENS: Final = "payloads"  # the verb of whoever may read what others have said
Place = Annotated[int, msgspec.Meta(ge=1, le=INTEGER_MAX)]


class Sign(RouteRequest, frozen=True, kw_only=True):
    """Read logs, compare them with all that was signed of them, and sign where they stand."""

    stream: Log = ""  # empty: every log of the tenant


class ReadSigned(RouteRequest, frozen=True, kw_only=True):
    """Every head of a log that was ever signed, oldest first."""

    stream: Stream


class Certify(RouteRequest, frozen=True, kw_only=True):
    """Prove one entry to an outsider; with a reason, which is logged, what it says."""

    stream: Stream
    seq: Place
    reason: Name = ""


class Certified(msgspec.Struct, frozen=True, kw_only=True):
    """A text that the verifier checks, given the origin and the key of the head."""

    certificate: str
    head: SignedHead


class LinkHeads(RouteRequest, frozen=True, kw_only=True):
    """How a log goes on from a signed head that somebody kept."""

    stream: Stream
    note: Text


class Linked(msgspec.Struct, frozen=True, kw_only=True):
    """A text that the verifier checks, given the origin and the key of the head."""

    link: str
    head: SignedHead


class BundleLog(RouteRequest, frozen=True, kw_only=True):
    """A whole log for an outsider: headers, commitments, signed heads; nobody's words."""

    stream: Stream


class Bundled(msgspec.Struct, frozen=True, kw_only=True):
    """A text that the verifier checks, given the origin and the key of the head."""

    bundle: str
    head: SignedHead


def _sign(visit: Visit, asked: Sign) -> list[SignedHead]:
    """Log by log, beside those who write: what is signed is what was read."""

    def chosen(hands: Hands) -> list[str]:
        every = [each.text for each in hands.memory.streams()]
        return [asked.stream] if asked.stream else every

    def signed(hands: Hands, stream: str) -> SignedHead:
        return hands.notary.sign(hands.stream(stream), progress=visit.reception.go_on)

    streams = visit.look("prove", chosen)
    return [visit.look("prove", partial(signed, stream=each)) for each in streams]


def _certify(visit: Visit, asked: Certify) -> Certified:
    """Whoever opens content takes their turn, for that is written down."""

    def work(hands: Hands) -> Certified:
        stream, go_on = hands.stream(asked.stream), visit.reception.go_on
        text = hands.notary.certify(stream, asked.seq, reason=asked.reason, progress=go_on)
        return Certified(certificate=text, head=hands.notary.signed(stream)[-1])

    if not asked.reason:
        return visit.look("prove", work)
    visit.permit("prove")
    return visit.call(OPENS, work)


def _link(visit: Visit, asked: LinkHeads) -> Linked:
    def work(hands: Hands) -> Linked:
        stream, go_on = hands.stream(asked.stream), visit.reception.go_on
        text = hands.notary.link(stream, asked.note, progress=go_on)
        return Linked(link=text, head=hands.notary.signed(stream)[-1])

    return visit.look("prove", work)


def _bundle(visit: Visit, asked: BundleLog) -> Bundled:
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
        slow("/v1/sign", "prove", Sign, list[SignedHead], _sign),
        get(
            "/v1/streams/signed",
            "streams",
            ReadSigned,
            list[SignedHead],
            lambda hands, asked: hands.notary.signed(hands.stream(asked.stream)),
        ),
        slow("/v1/certify", "prove", Certify, Certified, _certify),
        slow("/v1/link", "prove", LinkHeads, Linked, _link),
        slow("/v1/bundle", "prove", BundleLog, Bundled, _bundle),
    ],
)
