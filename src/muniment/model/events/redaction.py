"""Redaction: what the detector found in a text, without the text."""

import msgspec


class Redaction(msgspec.Struct, frozen=True, kw_only=True):
    """One finding of the detector: where, what kind, and a keyed hash of what stood there."""

    path: str
    kind: str
    risk: str
    rule: str
    action: str
    hash: str = ""
