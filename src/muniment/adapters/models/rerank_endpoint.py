"""Reranker over HTTP: any `/rerank` address in the manner of Cohere, Jina or a local server."""

from collections.abc import Sequence
from typing import Final

import msgspec

from muniment.adapters.models import http_backend
from muniment.adapters.models.http_backend import JsonEndpoint

KEY: Final = "MUNIMENT_RERANKER_KEY"
HOW: Final = "a reranker is named as: address model"
ANSWER_BYTES_MAX: Final = 1 << 20


class _Scored(msgspec.Struct):
    index: int
    relevance_score: float


class _Reranked(msgspec.Struct):
    results: list[_Scored]


class EndpointReranker:
    """A model behind `POST <address>`; one request for one recall, no retry."""

    def __init__(
        self,
        address: str,
        model: str,
        *,
        key: str = "",
        timeout_seconds: float = http_backend.TIMEOUT_SECONDS,
    ) -> None:
        self.name, self._model = f"rerank:{model}", model
        self._server = JsonEndpoint(
            address,
            key=key,
            timeout_seconds=timeout_seconds,
            answer_bytes_max=ANSWER_BYTES_MAX,
        )

    @staticmethod
    def from_text(told: str) -> "EndpointReranker":
        """`https://host/v1/rerank model`, as a variable says it; its key is in the environment."""
        address, model = http_backend.named(told, 2, HOW)
        return EndpointReranker(address, model, key=http_backend.key(KEY))

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers; a text that the server leaves out answers worst."""
        asked = {"model": self._model, "query": query, "documents": list(texts)}
        told = msgspec.json.decode(self._server.ask(asked), type=_Reranked)
        scores = {each.index: each.relevance_score for each in told.results}
        least = min(scores.values(), default=0.0) - 1.0
        return [scores.get(place, least) for place in range(len(texts))]

    def close(self) -> None:
        self._server.close()
