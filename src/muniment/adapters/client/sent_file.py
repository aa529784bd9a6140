"""File upload in the client: the body in pieces, with the manifest."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, Generic, TypeVar

import msgspec

from muniment.adapters.client.request import Plan
from muniment.adapters.client.retry import Patience, failure
from muniment.adapters.client.verbs import FileName
from muniment.adapters.exchange.exchange_file import LAST, MANIFEST
from muniment.adapters.system.optional_packages import lacking
from muniment.model.errors import OutcomeUnknownError

try:
    import httpx2
except ImportError as error:
    raise ImportError(lacking(error)) from error

PIECE_BYTES: Final = 256 << 10
FILE: Final = {"content-type": "application/octet-stream"}

T = TypeVar("T")


class SentFile(Generic[T]):
    """One file on its way, and the answer that it had."""

    def __init__(self, plan: Plan[T], file: FileName, patience: Patience) -> None:
        self._plan = plan
        self._path = Path(file)
        self._timeout = httpx2.Timeout(patience.usual, read=patience.of(plan))

    @contextmanager
    def pieces(self) -> Iterator[Iterator[bytes]]:
        try:
            with self._path.open("rb") as data:
                yield self._told(data)
        except httpx2.TransportError as error:
            told = f"no answer ({type(error).__name__}); the file may be sent again as it is"
            raise OutcomeUnknownError(told) from error

    def request(
        self,
        http: httpx2.Client | httpx2.AsyncClient,
        pieces: Any,  # noqa: ANN401 - or async
    ) -> httpx2.Request:
        plan = self._plan
        params = {name: _text(value) for name, value in plan.said.items()}
        return http.build_request(
            plan.method,
            plan.path,
            params=params,
            content=pieces,
            headers=FILE,
            timeout=self._timeout,
        )

    def answered(self, answer: httpx2.Response) -> T:
        if not answer.is_success:
            raise failure(answer.content, answer.status_code)
        return msgspec.json.decode(answer.content, type=self._plan.answers)

    def _told(self, data: BinaryIO) -> Iterator[bytes]:
        """An export has its manifest beside it; over HTTP it is the last line."""
        while piece := data.read(PIECE_BYTES):
            yield piece
        beside = self._path.with_name(f"{self._path.name}{MANIFEST}")
        if beside.is_file():
            yield LAST + beside.read_bytes().strip() + b"}\n"


async def each_of(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
