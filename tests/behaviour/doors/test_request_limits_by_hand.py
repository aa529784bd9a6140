"""Request limits by hand: bytes as they come in, a clock that is set, and no server around."""

import asyncio
import signal
from collections.abc import Awaitable, Callable

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from muniment.adapters.gateway import request_limits
from muniment.adapters.gateway.request_limits import (
    GRACE_SECONDS,
    HEAD_BYTES_MAX,
    HEAD_SECONDS,
    BoundedProtocol,
    HttpServer,
)

SOON = 0.001
HALF = b"GET / HTTP/1.1\r\nHost: x\r\n"
HEAD = HALF + b"\r\n"
LENGTH = 9 * HEAD_BYTES_MAX
UPLOAD = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % LENGTH


class SetClock(asyncio.SelectorEventLoop):
    """A loop whose clock goes on when it is told to."""

    passed = 0.0

    def time(self) -> float:
        return self.passed

    async def go_on(self, seconds: float = 0.0) -> None:
        """So much later, when all that is due then has been done."""
        self.passed += seconds
        for _ in range(8):
            await asyncio.sleep(0)


class Line(asyncio.Transport):
    """The line to a caller: what was written on it, and how it ended."""

    def __init__(self, *, tls: bool = False) -> None:
        super().__init__({"sslcontext": object()} if tls else {})
        self.told = b""
        self.closed = False
        self.hung_up = 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.told += bytes(data)

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.hung_up += 1

    def is_closing(self) -> bool:
        return self.closed or self.hung_up > 0

    def pause_reading(self) -> None:
        """More would wait outside."""

    def resume_reading(self) -> None:
        """It comes in again."""


class App:
    """Answers each request when it is let, and knows what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.begins = asyncio.Event()
        self.ends = asyncio.Event()

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        self.asked.append(scope["method"])
        await self.begins.wait()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await self.ends.wait()
        await send({"type": "http.response.body"})

    def answers(self) -> None:
        self.begins.set()
        self.ends.set()


class Call:
    """One connection: a line, what is spoken on it, and who answers."""

    def __init__(self, *, tls: bool = False) -> None:
        self.app = App()
        self.line = Line(tls=tls)
        config = request_limits.configured(self.app, {"log_config": None, "lifespan": "off"})
        self.spoken = BoundedProtocol(config, ServerState(), {})
        self.spoken.connection_made(self.line)

    def says(self, *pieces: bytes) -> None:
        for each in pieces:
            self.spoken.data_received(each)


def on_a_set_clock(story: Callable[[SetClock], Awaitable[None]]) -> None:
    with asyncio.Runner(loop_factory=SetClock) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, SetClock)

        async def told() -> None:
            await story(loop)

        runner.run(told())


async def answered(clock: SetClock) -> Call:
    """A call whose first request was answered, and which stays open."""
    call = Call()
    call.app.answers()
    call.says(HEAD)
    await clock.go_on()
    assert call.line.told.startswith(b"HTTP/1.1 204")
    assert not call.line.is_closing()
    return call


def head_of(size: int) -> bytes:
    """A whole head of so many bytes."""
    filled = HALF + b"X-Filled: " + b"x" * size
    return filled[: size - 4] + b"\r\n\r\n"


# ── How long a head may take ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("said", [(), (HALF,), (b"G", b"ET", b" /")])
def test_who_ends_no_head_is_hung_up_on_after_ten_seconds(said: tuple[bytes, ...]) -> None:
    async def story(clock: SetClock) -> None:
        call = Call()
        call.says(*said)
        await clock.go_on(HEAD_SECONDS - SOON)
        assert call.line.hung_up == 0
        await clock.go_on(SOON)
        assert call.line.hung_up == 1

    assert HEAD_SECONDS == 10
    on_a_set_clock(story)


def test_who_sends_a_byte_now_and_then_gains_no_time() -> None:
    async def story(clock: SetClock) -> None:
        call = Call()
        for byte in HALF[:9]:
            await clock.go_on(1)
            call.says(bytes([byte]))
        await clock.go_on(1 - SOON)
        assert call.line.hung_up == 0
        await clock.go_on(SOON)
        assert call.line.hung_up == 1

    on_a_set_clock(story)


@pytest.mark.parametrize("said", [(HEAD,), (HALF, b"\r\n"), (HALF, b"\r", b"\n")])
def test_who_has_ended_a_head_waits_for_the_answer_as_long_as_it_takes(
    said: tuple[bytes, ...],
) -> None:
    async def story(clock: SetClock) -> None:
        call = Call()
        call.says(*said)
        await clock.go_on(9 * HEAD_SECONDS)
        assert call.app.asked == ["GET"]
        call.app.answers()
        await clock.go_on()
        assert call.line.told.startswith(b"HTTP/1.1 204")
        assert not call.line.is_closing()

    on_a_set_clock(story)


def test_the_next_head_has_ten_seconds_from_its_first_byte() -> None:
    async def story(clock: SetClock) -> None:
        call = await answered(clock)
        await clock.go_on(4)
        call.says(HALF)
        await clock.go_on(HEAD_SECONDS - SOON)
        assert call.line.hung_up == 0
        await clock.go_on(SOON)
        assert call.line.hung_up == 1

    on_a_set_clock(story)


def test_what_comes_beside_an_answer_is_given_no_time_yet() -> None:
    async def story(clock: SetClock) -> None:
        call = Call()
        call.says(HEAD, HALF)
        await clock.go_on(9 * HEAD_SECONDS)
        assert call.line.hung_up == 0
        call.app.answers()
        await clock.go_on()
        call.says(b"\r\n")
        await clock.go_on()
        assert call.app.asked == ["GET", "GET"]

    on_a_set_clock(story)


def test_who_has_gone_is_not_hung_up_on() -> None:
    async def story(clock: SetClock) -> None:
        for why in (None, ConnectionResetError()):
            call = Call()
            call.says(HALF)
            call.spoken.connection_lost(why)
            await clock.go_on(9 * HEAD_SECONDS)
            assert call.line.hung_up == 0
            assert call.line.closed is (why is None)

    on_a_set_clock(story)


def test_who_speaks_no_http_is_told_so_and_not_waited_for() -> None:
    async def story(clock: SetClock) -> None:
        call = await answered(clock)
        call.says(b"\x00\x01\r\n\r\n")
        assert b"HTTP/1.1 400" in call.line.told
        assert call.line.closed
        await clock.go_on(9 * HEAD_SECONDS)
        assert call.line.hung_up == 0

    on_a_set_clock(story)


# ── How long a head may be ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("pieces", [1, 2, 40])
def test_a_head_has_at_most_sixty_four_kibibytes_in_however_many_pieces(pieces: int) -> None:
    async def story(clock: SetClock) -> None:
        for size, passes in ((HEAD_BYTES_MAX, True), (HEAD_BYTES_MAX + 1, False)):
            first = Call()
            for call in (first, await answered(clock)):
                head, before = head_of(size), len(call.app.asked)
                assert len(head) == size
                step = -(-size // pieces)
                call.says(*(head[n : n + step] for n in range(0, size, step)))
                await clock.go_on()
                assert len(call.app.asked) - before == passes
                assert call.line.hung_up == (not passes)

    assert HEAD_BYTES_MAX == 65_536
    on_a_set_clock(story)


def test_a_head_without_an_end_is_hung_up_on_with_the_first_byte_too_many() -> None:
    async def story(clock: SetClock) -> None:
        call = Call()
        endless = head_of(2 * HEAD_BYTES_MAX)
        call.says(endless[:9], endless[9:HEAD_BYTES_MAX])
        assert call.line.hung_up == 0
        call.says(endless[HEAD_BYTES_MAX:][:1])
        assert call.line.hung_up == 1
        await clock.go_on()
        assert call.app.asked == []
        assert call.line.told == b""

    on_a_set_clock(story)


@pytest.mark.parametrize("cut", [1, 2, 3, 4])
@pytest.mark.parametrize("step", [1, LENGTH])
def test_what_follows_the_end_of_a_head_is_not_counted_wherever_it_was_cut(
    cut: int, step: int
) -> None:
    async def story(clock: SetClock) -> None:
        body = (b"x" * LENGTH)[4:] + b"\r\n\r\n"
        at = len(UPLOAD) - 4 + cut
        for call in (Call(), await answered(clock)):
            call.says(*(UPLOAD[n : min(n + step, at)] for n in range(0, at, step)))
            call.says(UPLOAD[at:] + body)
            await clock.go_on()
            assert call.app.asked[-1] == "POST"
            assert call.line.hung_up == 0

    on_a_set_clock(story)


def test_each_head_is_counted_by_itself() -> None:
    async def story(clock: SetClock) -> None:
        call = await answered(clock)
        for _ in range(3):
            head = head_of(HEAD_BYTES_MAX)
            call.says(head[:-2], head[-2:])
            await clock.go_on()
        assert call.app.asked == ["GET"] * 4
        assert call.line.hung_up == 0

    on_a_set_clock(story)


def test_what_comes_beside_an_answer_is_not_counted() -> None:
    async def story(clock: SetClock) -> None:
        call = Call()
        call.says(UPLOAD)
        await clock.go_on()
        call.says(*[b"x" * HEAD_BYTES_MAX] * 8)
        assert call.line.hung_up == 0
        call.app.answers()
        await clock.go_on()
        assert call.line.told.startswith(b"HTTP/1.1 204")

    on_a_set_clock(story)


def test_of_a_body_that_nobody_waits_for_any_more_no_more_is_borne_than_of_a_head() -> None:
    async def story(clock: SetClock) -> None:
        for piece in (b"x" * 4096, b"x" * 4092 + b"\r\n\r\n"):
            call = Call()
            call.app.answers()
            call.says(UPLOAD)
            await clock.go_on()
            assert call.line.told.startswith(b"HTTP/1.1 204")
            call.says(*[piece] * 16)
            assert call.line.hung_up == 0
            call.says(b"x")
            assert call.line.hung_up == 1

    on_a_set_clock(story)


# ── Who says no more ────────────────────────────────────────────────────────────────────────────


def test_who_has_asked_and_says_no_more_is_answered_and_the_line_ends_then() -> None:
    async def story(clock: SetClock) -> None:
        call = Call()
        call.says(HEAD)
        await clock.go_on()
        assert call.spoken.eof_received() is True
        assert not call.line.closed
        call.app.answers()
        await clock.go_on()
        assert call.line.told.startswith(b"HTTP/1.1 204")
        assert call.line.closed

    on_a_set_clock(story)


@pytest.mark.parametrize("said", [(), (HALF,), (UPLOAD,), (UPLOAD, b"x")])
def test_who_says_no_more_in_the_middle_is_not_waited_for(said: tuple[bytes, ...]) -> None:
    async def story(clock: SetClock) -> None:
        call = Call()
        call.says(*said)
        await clock.go_on()
        assert call.spoken.eof_received() is False

    on_a_set_clock(story)


def test_who_is_being_told_something_or_was_told_it_is_not_told_on() -> None:
    async def story(clock: SetClock) -> None:
        call = Call()
        call.app.begins.set()
        call.says(HEAD)
        await clock.go_on()
        assert call.spoken.eof_received() is False
        assert (await answered(clock)).spoken.eof_received() is False

    on_a_set_clock(story)


def test_tls_knows_no_line_that_is_open_one_way() -> None:
    async def story(clock: SetClock) -> None:
        call = Call(tls=True)
        call.says(HEAD)
        await clock.go_on()
        assert call.spoken.eof_received() is False

    on_a_set_clock(story)


# ── The server itself ───────────────────────────────────────────────────────────────────────────


async def nothing(_scope: object, _receive: object, _send: object) -> None:
    """An app that answers nobody."""


def test_every_door_names_no_server_logs_nobody_and_ends_in_twenty_seconds() -> None:
    config = request_limits.configured(nothing, {"log_config": None, "lifespan": "off"})

    assert config.app is nothing
    assert config.access_log is False
    assert config.server_header is False
    assert config.http is BoundedProtocol
    assert config.h11_max_incomplete_event_size == HEAD_BYTES_MAX
    assert config.timeout_graceful_shutdown == GRACE_SECONDS == 20
    assert config.log_config is None
    assert config.lifespan == "off"


def test_a_signal_ends_a_server_and_a_second_one_ends_it_at_once() -> None:
    told: list[str] = []
    config = request_limits.configured(nothing, {"log_config": None})
    server = HttpServer(config, lambda: told.append("ends"))
    assert server.config is config
    assert (server.interrupted, server.should_exit, server.force_exit) == (False, False, False)

    server.handle_exit(signal.SIGINT, None)
    assert (server.interrupted, server.should_exit, server.force_exit) == (True, True, False)
    server.handle_exit(signal.SIGTERM, None)
    assert (server.interrupted, server.should_exit, server.force_exit) == (False, True, True)
    assert told == ["ends", "ends"]


def test_a_server_without_anything_to_end_ends_as_well() -> None:
    server = HttpServer(uvicorn.Config(nothing, log_config=None))

    server.handle_exit(signal.SIGTERM, None)

    assert server.should_exit is True
    assert server.interrupted is False
