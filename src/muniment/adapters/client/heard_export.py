"""Streamed export in the client: counted, hashed and compared with its manifest."""

import hashlib
from collections.abc import Iterator
from typing import Generic, TypeVar, get_args

import msgspec

from muniment.adapters.client.request import Plan
from muniment.adapters.client.retry import failure
from muniment.adapters.requests.answers import Page
from muniment.model.errors import IntegrityError

T = TypeVar("T")


class HeardExport(Generic[T]):
    """One answer of JSON lines; what was cut or changed on its way is an error."""

    def __init__(self, plan: Plan[Page[T]]) -> None:
        (self._tells,) = get_args(plan.answers)
        self._digest = hashlib.sha256()
        self._begun = b""
        self.manifest: dict[str, object] = {}

    def __call__(self, part: bytes) -> Iterator[T]:
        *lines, self._begun = (self._begun + part).split(b"\n")
        for line in lines:
            if line.startswith(b'{"manifest":'):
                self.manifest = msgspec.json.decode(line)["manifest"]
            elif line.startswith(b'{"error":'):
                raise failure(msgspec.json.encode(msgspec.json.decode(line)["error"]), 503)
            else:
                self._digest.update(line + b"\n")
                told: T = msgspec.json.decode(line, type=self._tells)
                yield told

    def end(self) -> None:
        """After the last byte."""
        if self._begun or self.manifest.get("sha256") != self._digest.hexdigest():
            raise IntegrityError("the export was cut or changed on its way")
