"""
title: Muniment memory
author: The Muniment authors
version: 0.2.0
description: What is known bears on each message; what is said and answered is remembered.

One file for two chat proxies. Open WebUI: paste it as a function, a filter, and fill in its valves.
LiteLLM: lay it beside config.yaml and say `callbacks: muniment_memory.callback`; the variables
MUNIMENT_URL and MUNIMENT_KEY say where the memory is. It needs nothing that they do not bring.

The key is made with `muniment keys create --any-user`: each call names the person it is about, and
one that names nobody is refused. While the memory cannot be reached the chat goes on without it.
"""

import asyncio
import json
import logging
import os
from collections.abc import AsyncIterator, Mapping
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from pydantic import BaseModel, Field

try:
    from litellm.integrations.custom_logger import CustomLogger
except ImportError:  # Open WebUI
    CustomLogger = object

LOG = logging.getLogger("muniment")
SECONDS_MAX = 20
HEADING = "What is known from earlier conversations:"


class RefusedError(ValueError):
    """Nobody was named, or the memory said no."""

    status_code = 400  # as LiteLLM's proxy answers it


class ChatMemory:
    """The memory of everybody who chats here, over HTTP."""

    def __init__(self, address: str, key: str, budget: int = 800) -> None:
        self.address, self.key, self.budget = address.rstrip("/"), key, budget

    async def with_known(self, user: str, messages: list[Any]) -> list[Any]:
        """The messages, with what is known that bears on the last of them before them."""
        asked = last_said(messages)
        if not asked:
            return messages
        body = {"prompt": asked, "budget": self.budget}
        known = (await self._call(user, "/v1/context", body)).get("text", "")
        told = {"role": "system", "content": f"{HEADING}\n{known}"}
        return [told, *messages] if known else messages

    async def record(self, user: str, asked: str, answer: str, session: str) -> None:
        if asked and answer:
            body = {"user": asked, "ai": answer, "session": session}
            await self._call(user, "/v1/conversation/record", body)

    async def _call(self, user: str, path: str, body: Mapping[str, object]) -> dict[str, Any]:
        if not user:
            raise RefusedError("no user: each call must name the user it is about")
        if user != user.strip() or any(each < " " for each in user):
            raise RefusedError("the user must not begin or end with a space, or hold a line break")
        try:
            return await asyncio.to_thread(self._send, user, path, body)
        except HTTPError as error:
            error.close()
            raise RefusedError(f"the memory refused: {error.code} {error.reason}") from None
        except (URLError, TimeoutError) as error:
            LOG.warning("the memory cannot be reached, the chat goes on without it: %s", error)
            return {}

    def _send(self, user: str, path: str, body: Mapping[str, object]) -> dict[str, Any]:
        # As UTF-8: as Latin-1, which the library would choose, it may be somebody else's name.
        headers: dict[str, Any] = {"muniment-user": user.encode()}
        headers["authorization"] = f"Bearer {self.key}"
        headers["content-type"] = "application/json"
        asked = Request(self.address + path, json.dumps(body).encode(), headers)  # noqa: S310
        with urlopen(asked, timeout=SECONDS_MAX) as answer:  # noqa: S310 - the operator's address
            told: dict[str, Any] = json.load(answer)
            return told


def last_said(messages: list[Any]) -> str:
    """The text of the last message, if a user said it; a tool's result is none."""
    last = (messages or [{}])[-1]
    content = (last.get("content") or "") if last.get("role") == "user" else ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content if part.get("type") == "text")


class Filter:
    """What Open WebUI calls before and after each answer; the person is its own user."""

    class Valves(BaseModel):
        address: str = Field("http://127.0.0.1:8600", description="Where `muniment serve` answers")
        key: str = Field("", description="An API key that was made with --any-user")
        budget: int = Field(800, description="Tokens of what is known, at most")
        priority: int = 0

    def __init__(self) -> None:
        self.valves = self.Valves()

    @property
    def _memory(self) -> ChatMemory:
        return ChatMemory(self.valves.address, self.valves.key, self.valves.budget)

    async def inlet(
        self, body: dict[str, Any], __user__: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        user = (__user__ or {}).get("id", "")
        return body | {"messages": await self._memory.with_known(user, body.get("messages") or [])}

    async def outlet(
        self, body: dict[str, Any], __user__: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        *before, answer = body.get("messages") or [{}]
        if answer.get("role") == "assistant":
            user, chat = (__user__ or {}).get("id", ""), body.get("chat_id") or "open-webui"
            await self._memory.record(user, last_said(before), answer.get("content") or "", chat)
        return body


class LiteLLMMemory(CustomLogger):
    """What LiteLLM's proxy calls around each chat completion.

    The person is the virtual key's `user_id`. With MUNIMENT_END_USERS=1 it is the `user` that the
    caller sends: for keys that only your own servers hold. The proxy calls only what a class
    defines itself, so nothing here may be inherited.
    """

    def __init__(self, memory: ChatMemory, *, end_users: bool = False) -> None:
        super().__init__()
        self.memory, self.end_users = memory, end_users

    async def async_pre_call_hook(
        self, user_api_key_dict: object, cache: object, data: dict[str, Any], call_type: str
    ) -> dict[str, Any]:
        if call_type not in {"completion", "acompletion"}:
            return data
        known = self.memory.with_known(self._user(user_api_key_dict), data.get("messages") or [])
        return data | {"messages": await known}

    async def async_post_call_success_hook(
        self, data: dict[str, Any], user_api_key_dict: object, response: Any
    ) -> Any:
        messages = (getattr(each, "message", None) for each in getattr(response, "choices", ()))
        answers = (getattr(each, "content", None) for each in messages)
        await self._record(data, user_api_key_dict, next(filter(None, answers), ""))
        return response

    async def async_post_call_streaming_iterator_hook(
        self, user_api_key_dict: object, response: AsyncIterator[Any], request_data: dict[str, Any]
    ) -> AsyncIterator[Any]:
        """Every piece is handed on as it comes, and the whole of them recorded."""
        pieces: list[str] = []
        async for chunk in response:
            deltas = [getattr(each, "delta", None) for each in getattr(chunk, "choices", ())[:1]]
            pieces += [getattr(each, "content", None) or "" for each in deltas]
            yield chunk
        await self._record(request_data, user_api_key_dict, "".join(pieces))

    async def _record(self, data: Mapping[str, Any], key: object, answer: str) -> None:
        asked = last_said(data.get("messages") or [])
        session = str(data.get("litellm_session_id") or "litellm")
        await self.memory.record(self._user(key), asked, answer, session)

    def _user(self, key: object) -> str:
        named = getattr(key, "end_user_id" if self.end_users else "user_id", None) or ""
        return "" if named == "default_user_id" else named  # whoever holds the master key: nobody


if CustomLogger is not object:  # LiteLLM's proxy has loaded this file
    callback = LiteLLMMemory(
        ChatMemory(os.environ["MUNIMENT_URL"], os.environ["MUNIMENT_KEY"]),
        end_users=os.environ.get("MUNIMENT_END_USERS") == "1",
    )
