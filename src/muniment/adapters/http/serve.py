"""HTTP server: address, TLS checks, start and shutdown."""

import logging
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

import msgspec

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.door_files import open_credentials, open_webhooks
from muniment.adapters.gateway import allowed_origins, request_limits
from muniment.adapters.gateway.gateway import Gateway
from muniment.adapters.gateway.rate_limits import Rate
from muniment.adapters.http.app import Limits, Service, build
from muniment.adapters.http.telemetry import Lines
from muniment.adapters.models.learning_worker import LearningWorker, learning_loop
from muniment.adapters.operations.retention_worker import RetentionWorker, retention_loop
from muniment.adapters.system.background_loop import BackgroundLoop
from muniment.adapters.system.clock import SystemClock
from muniment.adapters.webhooks.delivery import delivery_loop
from muniment.model.errors import InputError
from muniment.model.scope import Channel

HOST: Final = "127.0.0.1"
PORT: Final = 8600
RETENTION_HOURS: Final = 24.0  # days are what policies count in


class HttpServing(msgspec.Struct, frozen=True, kw_only=True):
    """How to serve; read once, at the edge."""

    host: str = HOST
    port: int = PORT
    hosts: tuple[str, ...] = ()  # names, besides loopback, by which it is called
    origins: tuple[str, ...] = ()  # pages, besides its own, that may call it
    certificate: str = ""
    private_key: str = ""
    behind_proxy: bool = False  # something trusted in front of it speaks TLS
    webhook_hosts: tuple[str, ...] = ()  # private ones that webhooks may go to
    learn: bool = False  # ask the model that is named for what waits
    retention_hours: float = RETENTION_HOURS  # between two sweeps of what is due; 0: none
    per_second: float = 100.0
    burst: int = 200


def check(serving: HttpServing, *, keys: int) -> None:
    """A door that others can reach needs TLS, or a proxy that has it, and at least one key."""
    if bool(serving.certificate) != bool(serving.private_key):
        raise InputError("TLS needs both --certificate and --private-key")
    if allowed_origins.is_loopback(serving.host):
        return
    if not (serving.certificate or serving.behind_proxy):
        raise InputError(
            f"{serving.host} can be reached by others: give --certificate and --private-key, "
            "or --behind-proxy where a proxy speaks TLS"
        )
    if not serving.hosts:
        raise InputError("name the hosts that requests may use: --allow-host NAME")
    if not keys:
        raise InputError("there is no API key yet: make one with muniment keys create")


def serve(
    address: str | Path,
    settings: Settings,
    serving: HttpServing,
    *,
    ready: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve until told to stop; what is under way is finished first."""
    credentials = open_credentials(address, settings)
    check(serving, keys=len(credentials.known()))
    with (
        open_memory(address, msgspec.structs.replace(settings, channel=Channel.HTTP)) as memory,
        allowed_origins.listen(serving.host, serving.port) as listening,
    ):
        # A log may do without a clock; a key ends on a day of the world, whatever is logged.
        now = SystemClock().now
        webhooks = open_webhooks(address, settings, frozenset(serving.webhook_hosts))
        reception = Gateway(memory, credentials, channel=Channel.HTTP, now=now, webhooks=webhooks)
        port = listening.getsockname()[1]
        scheme = "https" if serving.certificate else "http"
        named = allowed_origins.at_port(
            port,
            scheme=scheme,
            hosts=serving.hosts,
            origins=serving.origins,
            proxied=serving.behind_proxy,
        )
        rate = Rate(per_second=serving.per_second, burst=serving.burst)
        service = Service(reception, named, limits=Limits(rate=rate))
        _speak()
        ready(f"{scheme}://{allowed_origins.shown(serving.host)}:{port}")
        config = request_limits.configured(build(service), _options(serving))
        worker = _worker(reception, service, serving)
        learning = learning_loop(worker) if worker else nullcontext()
        with delivery_loop(reception), learning, _sweeping(reception, serving):
            request_limits.HttpServer(config, service.end).run(sockets=[listening])


def _worker(gateway: Gateway, service: Service, serving: HttpServing) -> LearningWorker | None:
    """Who asks the model for what waits, where that is wished."""
    model = gateway.memory.extraction().model
    if not serving.learn:
        return None
    if model is None:
        raise InputError("--learn needs a model: name one with --model")
    worker = LearningWorker(gateway, model)
    service.telemetry.follow_model(worker)
    return worker


def _sweeping(gateway: Gateway, serving: HttpServing) -> BackgroundLoop | nullcontext[None]:
    """Who erases what policies keep no longer, unless somebody else does."""
    if not serving.retention_hours:
        return nullcontext()
    return retention_loop(RetentionWorker(gateway, hours=serving.retention_hours))


def _speak() -> None:
    """One JSON line a request, on the error stream; whoever set up logging before keeps theirs."""
    if not logging.getLogger().handlers:
        told = logging.StreamHandler()
        told.setFormatter(Lines())
        logging.getLogger().addHandler(told)
        logging.getLogger("muniment").setLevel(logging.INFO)


def _options(serving: HttpServing) -> dict[str, Any]:
    return {
        "log_config": None,
        "proxy_headers": False,
        "ws": "none",
        "lifespan": "on",
        "ssl_certfile": serving.certificate or None,
        "ssl_keyfile": serving.private_key or None,
    }
