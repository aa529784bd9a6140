"""LlamaIndex: messages that leave its short-term memory lie in the log, and answer a question."""

import asyncio

from llama_index.core.llms import ChatMessage
from llama_index.core.memory import ChatMemoryBuffer, Memory

import muniment
from muniment.adapters.frameworks.llama_index import MunimentChatStore, MunimentMemoryBlock

SAID = ("I drink green tea; write to tuff@example.com", "Noted.", "It rains today", "It does.")


async def main() -> None:
    with muniment.open(":memory:") as memory:
        ada = memory.agent("ada", user="tuff")

        # The long-term memory: what no longer fits into forty tokens goes to the log.
        block = MunimentMemoryBlock(ada, results=2)
        talk = Memory.from_defaults(token_limit=40, token_flush_size=10, memory_blocks=[block])
        for n, said in enumerate(SAID * 3):
            await talk.aput(ChatMessage(role=("user", "assistant")[n % 2], content=said))
        await talk.aput(ChatMessage(role="user", content="Which tea do I drink?"))
        (remembered, *rest) = await talk.aget()
        print(remembered.content)
        print(f"and {len(rest)} messages at hand")

        # The history of a chat, whole.
        store = MunimentChatStore(ada)
        chat = ChatMemoryBuffer.from_defaults(chat_store=store, chat_store_key="monday")
        chat.put(ChatMessage(role="user", content=SAID[0]))
        print(store.get_keys(), [each.content for each in store.get_messages("monday")])
        print("decided again, and equal:", [proof.entries for proof in memory.prove()])


asyncio.run(main())
