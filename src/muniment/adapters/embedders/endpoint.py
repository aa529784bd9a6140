"""Any server that speaks OpenAI's embeddings: texts go out, vectors come back."""

import base64
import binascii
import os
import time
from collections.abc import Sequence
from http.client import MULTIPLE_CHOICES, OK
from typing import Final

import msgspec
import numpy as np

from muniment.adapters.extras import lacking
from muniment.model.errors import EmbedderError, InputError
from muniment.retrieval import quantise

TEXTS_MAX: Final = 64  # in one request
TIMEOUT_SECONDS: Final = 30.0
REST_SECONDS: Final = 15.0  # a server that failed is left alone for so long: nobody waits for it
KEY: Final = "MUNIMENT_EMBEDDINGS_KEY"
HOW: Final = "an embeddings server is named as: address model dimensions"
SHOWN_MAX: Final = 200  # characters of an answer that went wrong
ANSWER_BYTES_MAX: Final = 64 << 20  # more than any model says of so many texts


class _Vector(msgspec.Struct):
    index: int
    embedding: list[float] | str  # numbers, or little-endian float32 in base64


class _Answer(msgspec.Struct):
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
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        try:
            import httpx2
        except ImportError as error:
            raise EmbedderError(lacking(error)) from None
        self.name, self.dims = f"{model}-{dims}", dims
        self._model = model
        self._url = address.rstrip("/") + "/embeddings"
        self._failures = (httpx2.HTTPError, httpx2.InvalidURL)
        self._timeout_seconds = timeout_seconds
        self._client = httpx2.Client(
            headers={"Authorization": f"Bearer {key}"} if key else {}, timeout=timeout_seconds
        )
        self._resting_until = 0.0

    @staticmethod
    def from_text(told: str) -> "EndpointEmbedder":
        """`https://host/v1 model 1536`; the key is in the environment, where no list shows it."""
        match told.split():
            case [address, model, dims] if dims.isascii() and dims.isdigit() and int(dims):
                key = os.environ.get(KEY, "")
                return EndpointEmbedder(address, model, int(dims), key=key)
            case _:
                raise InputError(HOW)

    def embed(self, text: str) -> bytes:
        return self.embed_all([text])[0]

    def embed_all(self, texts: Sequence[str]) -> list[bytes]:
        """Many texts in few requests; all of them or an error."""
        found: list[bytes] = []
        for start in range(0, len(texts), TEXTS_MAX):
            found.extend(self._ask(texts[start : start + TEXTS_MAX]))
        return found

    def close(self) -> None:
        self._client.close()

    def _ask(self, texts: Sequence[str]) -> list[bytes]:
        if time.monotonic() < self._resting_until:
            raise EmbedderError(f"{self._url} did not answer a moment ago")
        try:
            status, content = self._answer({"model": self._model, "input": list(texts)})
        except (*self._failures, TimeoutError) as error:
            self._resting_until = time.monotonic() + REST_SECONDS
            raise EmbedderError(f"{self._url} does not answer: {error}") from error
        if not OK <= status < MULTIPLE_CHOICES:
            shown = content.decode(errors="replace")[:SHOWN_MAX]
            raise EmbedderError(f"{self._url} answered {status}: {shown}")
        try:
            vectors = msgspec.json.decode(content, type=_Answer).data
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise EmbedderError(f"{self._url} answered with something else: {error}") from error
        if sorted(each.index for each in vectors) != list(range(len(texts))):
            raise EmbedderError(
                f"{self._url} answered {len(vectors)} vectors for {len(texts)} texts"
            )
        return [self._codes(each) for each in sorted(vectors, key=lambda each: each.index)]

    def _answer(self, asked: dict[str, object]) -> tuple[int, bytes]:
        """The status and the whole of what comes back, in time: each byte may take its own."""
        until = time.monotonic() + self._timeout_seconds
        content = bytearray()
        with self._client.stream("POST", self._url, json=asked) as answer:
            for part in answer.iter_bytes():
                content += part
                if time.monotonic() > until or len(content) > ANSWER_BYTES_MAX:
                    raise TimeoutError("its answer has no end")
            return answer.status_code, bytes(content)

    def _codes(self, answered: _Vector) -> bytes:
        vector = _floats(answered.embedding)
        if not np.isfinite(vector).all():
            raise EmbedderError(f"{self._model} gave a vector that is not of numbers")
        if len(vector) != self.dims:
            raise EmbedderError(
                f"{self._model} gave a vector of {len(vector)} numbers, not of {self.dims}"
            )
        return quantise.codes(vector)


def _floats(embedding: list[float] | str) -> "np.typing.NDArray[np.floating]":
    if isinstance(embedding, list):
        return np.array(embedding, np.float64)
    try:
        return np.frombuffer(base64.b64decode(embedding, validate=True), "<f4")
    except (binascii.Error, ValueError) as error:
        raise EmbedderError("a vector came in no known spelling") from error
