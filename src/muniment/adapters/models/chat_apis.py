"""Chat APIs: requests and responses of OpenAI-compatible servers, Anthropic and Ollama."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

ANSWER_TOKENS_MAX: Final = 4_096  # Anthropic wants to be told
ANTHROPIC_VERSION: Final = "2023-06-01"

Document = Any  # a stranger's JSON


class ChatQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """One question to a model: its instructions, and the data they speak of."""

    model: str
    system: str
    user: str
    wants_json: bool = False


class ChatUsage(msgspec.Struct, frozen=True):
    """Tokens of one request and of its answer, as the server counts them."""

    sent: int = 0
    received: int = 0


class ChatApi(msgspec.Struct, frozen=True, kw_only=True):
    """A way to ask: where, with which body and headers, and where the answer stands."""

    name: str
    path: str
    body: Callable[[ChatQuestion], dict[str, object]]
    content: Callable[[Document], object]
    usage: Callable[[Document], tuple[object, object]]
    headers: Callable[[str], Mapping[str, str]]

    def text(self, document: Document) -> str:
        """The words of an answer."""
        try:
            content = self.content(document)
        except (LookupError, TypeError, AttributeError) as error:
            raise ValueError("no choice holds a message") from error
        if not isinstance(content, str):
            raise ValueError("the message is no text")  # noqa: TRY004 - of a document
        return content

    def spent(self, document: Document) -> ChatUsage:
        """What an answer says about its tokens; nothing where it says nothing."""
        try:
            sent, received = self.usage(document)
        except (LookupError, TypeError, AttributeError):
            return ChatUsage()
        counted = [each if isinstance(each, int) and each > 0 else 0 for each in (sent, received)]
        return ChatUsage(*counted)


def _messages(asked: ChatQuestion) -> list[dict[str, str]]:
    return [
        {"role": "system", "content": asked.system},
        {"role": "user", "content": asked.user},
    ]


def _openai_body(asked: ChatQuestion) -> dict[str, object]:
    return {"model": asked.model, "temperature": 0, "messages": _messages(asked)}


def _anthropic_body(asked: ChatQuestion) -> dict[str, object]:
    return {
        "model": asked.model,
        "max_tokens": ANSWER_TOKENS_MAX,
        "temperature": 0,
        "system": asked.system,
        "messages": [{"role": "user", "content": asked.user}],
    }


def _ollama_body(asked: ChatQuestion) -> dict[str, object]:
    body: dict[str, object] = {
        "model": asked.model,
        "stream": False,
        "options": {"temperature": 0},
        "messages": _messages(asked),
    }
    return body | ({"format": "json"} if asked.wants_json else {})


def _bearer(key: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


OPENAI: Final = ChatApi(
    name="openai",
    path="/chat/completions",
    body=_openai_body,
    content=lambda told: told["choices"][0]["message"]["content"],
    usage=lambda told: (told["usage"]["prompt_tokens"], told["usage"]["completion_tokens"]),
    headers=_bearer,
)
ANTHROPIC: Final = ChatApi(
    name="anthropic",
    path="/v1/messages",
    body=_anthropic_body,
    content=lambda told: "".join(
        part["text"] for part in told["content"] if part["type"] == "text"
    ),
    usage=lambda told: (told["usage"]["input_tokens"], told["usage"]["output_tokens"]),
    headers=lambda key: {"x-api-key": key, "anthropic-version": ANTHROPIC_VERSION},
)
OLLAMA: Final = ChatApi(
    name="ollama",
    path="/api/chat",
    body=_ollama_body,
    content=lambda told: told["message"]["content"],
    usage=lambda told: (told["prompt_eval_count"], told["eval_count"]),
    headers=_bearer,
)
