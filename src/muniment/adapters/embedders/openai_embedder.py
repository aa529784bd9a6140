"""Embeddings over HTTP: any server with OpenAI's `/embeddings`."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Final

import msgspec

from muniment.adapters.models import http_backend
from muniment.adapters.models.http_backend import JsonEndpoint, SilentError
from muniment.model.errors import UNREADABLE, EmbedderError, InputError
from muniment.retrieval import arrays as np
from muniment.retrieval.index import int8_vectors

TEXTS_MAX: Final = 64  # in one request
KEY: Final = "MUNIMENT_EMBEDDINGS_KEY"
HOW: Final = "an embeddings server is named as: address model dimensions"
ANSWER_BYTES_MAX: Final = 64 << 20  # more than any model says of so many texts


class _Vector(msgspec.Struct):
    index: int
    embedding: list[float] | str  # numbers, or little-endian float32 in base64


class _Embedded(msgspec.Struct):
    data: list[_Vector]


class EndpointEmbedder:
    """A model behind `POST <address>/embeddings`; its name tells the model and the dimensions."""

    pure = False  # a server may answer otherwise tomorrow: what it says is kept in the log

    def __init__(
        self,
        address: str,
        model: str,
        dims: int,
        *,
        key: str = "",
        timeout_seconds: float = http_backend.TIMEOUT_SECONDS,
    ) -> None:
        self.name, self.dims = f"{model}-{dims}", dims
        self._model = model
        url = address.rstrip("/") + "/embeddings"
        try:
            self._server = JsonEndpoint(
                url, key=key, timeout_seconds=timeout_seconds, answer_bytes_max=ANSWER_BYTES_MAX
            )
        except SilentError as error:
            raise EmbedderError(str(error)) from None

    @staticmethod
    def from_text(told: str) -> EndpointEmbedder:
        """`https://host/v1 model 1536`, as an option or a variable says it."""
        address, model, dims = http_backend.named(told, 3, HOW)
        if not (dims.isascii() and dims.isdigit() and int(dims)):
            raise InputError(HOW)
        return EndpointEmbedder(address, model, int(dims), key=http_backend.key(KEY))

    def embed(self, text: str) -> bytes:
        return self.embed_all([text])[0]

    def embed_all(self, texts: Sequence[str]) -> list[bytes]:
        """Many texts in few requests; all of them or an error."""
        found: list[bytes] = []
        for start in range(0, len(texts), TEXTS_MAX):
            found.extend(self._ask(texts[start : start + TEXTS_MAX]))
        return found

    def close(self) -> None:
        self._server.close()

    def _ask(self, texts: Sequence[str]) -> list[bytes]:
        url = self._server.url
        try:
            content = self._server.ask({"model": self._model, "input": list(texts)})
            vectors = msgspec.json.decode(content, type=_Embedded).data
        except SilentError as error:
            raise EmbedderError(str(error)) from error
        except UNREADABLE as error:
            raise EmbedderError(f"{url} returned an unexpected answer: {error}") from error
        if sorted(each.index for each in vectors) != list(range(len(texts))):
            raise EmbedderError(f"{url} answered {len(vectors)} vectors for {len(texts)} texts")
        return [self._codes(each) for each in sorted(vectors, key=lambda each: each.index)]

    def _codes(self, answered: _Vector) -> bytes:
        vector = _floats(answered.embedding)
        if not np.isfinite(vector).all():
            raise EmbedderError(f"{self._model} returned a vector that is not a list of numbers")
        if len(vector) != self.dims:
            raise EmbedderError(
                f"{self._model} gave a vector of {len(vector)} numbers, not of {self.dims}"
            )
        return int8_vectors.quantised(vector)


def _floats(embedding: list[float] | str) -> np.typing.NDArray[np.floating]:
    if isinstance(embedding, list):
        return np.array(embedding, np.float64)
    try:
        return np.frombuffer(base64.b64decode(embedding, validate=True), "<f4")
    except (binascii.Error, ValueError) as error:
        raise EmbedderError("a vector came in an unknown encoding") from error
