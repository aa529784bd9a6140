"""Chat store and memory block for LlamaIndex: messages are documents, old ones found by a question.

`MunimentChatStore` holds the history of each chat under its key. `MunimentMemoryBlock` takes what
leaves the short-term memory of LlamaIndex's `Memory`, and gives back what answers the last message.
With `governed`, adding raises `AwaitsApprovalError`.
"""

from typing import Any, ClassVar, Final

from muniment.adapters.frameworks.document_bridge import (
    TURN,
    Agents,
    User,
    UserDocuments,
    done,
    in_turn,
    missing,
    one_entry,
)
from muniment.engine.api.documents import Documents
from muniment.model.kinds.document import Namespace, StoredDocument

try:
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.memory import BaseMemoryBlock
    from llama_index.core.storage.chat_store import BaseChatStore
    from pydantic import PrivateAttr
except ImportError as error:
    raise missing("llama-index-core", "llama-index") from error

CHATS: Final = "llama-index"
BLOCKS: Final = "llama-index-memory"
RESULTS_MAX: Final = 10


class MunimentChatStore(BaseChatStore):
    """The chats of whoever a call is about, each under its key."""

    _people: UserDocuments = PrivateAttr()

    def __init__(self, agents: Agents, *, user: User = "", governed: bool = False) -> None:
        super().__init__()
        self._people = UserDocuments(agents, governed=governed, user=user)

    @classmethod
    def class_name(cls) -> str:
        return "MunimentChatStore"

    @property
    def _documents(self) -> Documents:
        return self._people.now

    def set_messages(self, key: str, messages: list[ChatMessage]) -> None:
        """These take the place of what was there, in one durable append."""
        with TURN:
            done(self._documents.replace(_chat(key), [*map(_value, messages)]))

    def get_messages(self, key: str) -> list[ChatMessage]:
        with TURN:
            return [*map(_message, self._documents.within(_chat(key), deep=False))]

    def add_message(self, key: str, message: ChatMessage) -> None:
        with TURN:
            done(self._documents.add(_chat(key), [_value(message)]))

    def delete_messages(self, key: str) -> list[ChatMessage] | None:
        with TURN:
            found = self.get_messages(key)
            kept = self._documents.clear(_chat(key)) if found else None
            done([kept] if kept else [])
        return found or None

    def delete_message(self, key: str, idx: int) -> ChatMessage | None:
        """Take out the message at a place of the chat; none where there is no such place."""
        with TURN:
            documents, chat = self._documents, _chat(key)
            found = documents.within(chat, deep=False)
            if not -len(found) <= idx < len(found):
                return None
            done([documents.drop(chat, found[idx].key, expect=found[idx].version)])
            return _message(found[idx])

    def delete_last_message(self, key: str) -> ChatMessage | None:
        return self.delete_message(key, -1)

    def get_keys(self) -> list[str]:
        with TURN:
            return [*dict.fromkeys(each.namespace[1] for each in self._documents.within((CHATS,)))]


class MunimentMemoryBlock(BaseMemoryBlock[str]):
    """Long-term memory of LlamaIndex's `Memory`: old messages, found by what the last one asks."""

    name: str = "muniment"
    results: int = RESULTS_MAX
    NAMESPACE: ClassVar[Namespace] = (BLOCKS,)
    _people: UserDocuments = PrivateAttr()

    def __init__(
        self,
        agents: Agents,
        *,
        user: User = "",
        governed: bool = False,
        **fields: Any,  # noqa: ANN401 - those of every memory block
    ) -> None:
        super().__init__(**fields)
        self._people = UserDocuments(agents, governed=governed, user=user)

    async def _aget(self, messages: list[ChatMessage] | None = None, **_: object) -> str:
        """One line for each memory that answers the last message, best first."""
        asked = next((each.content for each in reversed(messages or ()) if each.content), "")
        found = await in_turn(lambda: self._found(asked)) if asked else []
        return "\n".join(
            f"{told.role.value}: {one_entry(told.content or '')}" for told in map(_of, found)
        )

    async def _aput(self, messages: list[ChatMessage]) -> None:
        told = [_value(each) for each in messages if each.content]
        if told:
            await in_turn(lambda: done(self._people.now.add(self.NAMESPACE, told)))

    def _found(self, asked: str) -> list[tuple[int, StoredDocument]]:
        return self._people.now.search(self.NAMESPACE, asked, limit=self.results)


def _chat(key: str) -> Namespace:
    return (CHATS, key)


def _value(message: ChatMessage) -> dict[str, Any]:
    return message.model_dump(mode="json")


def _message(document: StoredDocument) -> ChatMessage:
    return ChatMessage.model_validate(document.value)


def _of(found: tuple[int, StoredDocument]) -> ChatMessage:
    return _message(found[1])
