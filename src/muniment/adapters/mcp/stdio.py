"""MCP over stdio: pipes read and written by the event loop itself.

The SDK's own transport hands every line, every write and every flush to a thread and waits for it
to come back, which costs more than the whole of its protocol. Pipes and sockets need no thread.
"""

import asyncio
import os
import stat
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Final

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCNotification, jsonrpc_message_adapter
from pydantic import ValidationError

from muniment.adapters.mcp.misfits import has_misfit_id, misfit

LINE_BYTES_MAX: Final = 4 * 1024 * 1024  # whoever sends more without an end of line is hung up on
WAITING_MAX: Final = 64  # messages that were read and not taken yet; the pipe holds the others
STDIN, STDOUT, STDERR = 0, 1, 2

Heard = SessionMessage | Exception
Streams = tuple[MemoryObjectReceiveStream[Heard], MemoryObjectSendStream[SessionMessage]]


def are_pipes() -> bool:
    """Whether a client holds both ends; a file or a terminal cannot be waited for like this."""
    return sys.platform != "win32" and all(
        stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
        for mode in (os.fstat(each).st_mode for each in (STDIN, STDOUT))
    )


@asynccontextmanager
async def opened() -> AsyncIterator[Streams]:
    """What the client says, and where it is answered, until it hangs up."""
    with _claimed() as (given, taken):
        reader, writer = await _connected(given, taken)
        said, heard = anyio.create_memory_object_stream[Heard](WAITING_MAX)
        told, telling = anyio.create_memory_object_stream[SessionMessage](WAITING_MAX)
        async with anyio.create_task_group() as both:
            both.start_soon(_read, reader, said, told.clone())
            both.start_soon(_write, telling, writer)
            yield heard, told


@contextmanager
def _claimed() -> Iterator[tuple[int, int]]:
    """The pipes, kept apart: what else reads finds nothing, what else prints goes to stderr."""
    kept = os.dup(STDIN), os.dup(STDOUT)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, STDIN)
    os.close(nothing)
    os.dup2(STDERR, STDOUT)
    try:
        yield os.dup(kept[0]), os.dup(kept[1])  # the loop closes what it is given
    finally:
        for each, place in zip(kept, (STDIN, STDOUT), strict=True):
            os.dup2(each, place)
            os.close(each)


async def _connected(given: int, taken: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LINE_BYTES_MAX)
    await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(given, "rb", buffering=0)
    )
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()),
        os.fdopen(taken, "wb", buffering=0),
    )
    return reader, asyncio.StreamWriter(transport, protocol, None, loop)


async def _read(
    reader: asyncio.StreamReader,
    said: MemoryObjectSendStream[Heard],
    told: MemoryObjectSendStream[SessionMessage],
) -> None:
    with said, told, suppress(anyio.BrokenResourceError):
        while line := await _line(reader):
            try:
                message = jsonrpc_message_adapter.validate_json(line)
            except ValidationError as error:
                await said.send(error)  # the SDK passes it over
            else:
                if not isinstance(message, JSONRPCNotification) or not has_misfit_id(line):
                    await said.send(SessionMessage(message))
                    continue
            if (answer := misfit(line)) is not None:
                await told.send(SessionMessage(answer))


async def _line(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readline()
    except (ValueError, ConnectionError):
        return b""


async def _write(
    telling: MemoryObjectReceiveStream[SessionMessage], writer: asyncio.StreamWriter
) -> None:
    try:
        with telling:
            async for each in telling:
                text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
                writer.write(text.encode() + b"\n")
                await writer.drain()
        writer.close()
        await writer.wait_closed()
    except ConnectionError:
        return  # nobody is there to be told
