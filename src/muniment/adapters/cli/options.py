"""Shared options of every command: store, agent, user and output format."""

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Final

import click
import msgspec
from msgspec.structs import replace

from muniment.adapters.cli import output
from muniment.adapters.cli.errors import no_memory
from muniment.adapters.cli.output import Block
from muniment.adapters.cli.shared_options import (
    AGENT,
    NAMESPACE,
    STORE,
    TENANT,
    SharingCommand,
    shared,
)
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.door_files import open_credentials, open_webhooks
from muniment.adapters.gateway.api_keys import operator
from muniment.adapters.gateway.gateway import Gateway, Hands
from muniment.adapters.storage.long_reads import Reading
from muniment.adapters.system.clock import SystemClock
from muniment.adapters.system.path_exists import is_there
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.streams.ports import Clock
from muniment.model import fact_keys, scope
from muniment.model.errors import InputError, NotFoundError
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.scope import Channel, Persona, Role, StreamId, StreamKind

AGENTS_SHOWN: Final = 3
OWNER: Final = "owner"
READS: Final = "recall"
SERVER: Final = "://"
PASSWORD: Final = lazy_pattern(r"(://[^/@:]*):[^/@]*@")
AT: Final = click.option(
    "--at", type=click.IntRange(min=0), metavar="SEQ", help="As of an earlier entry."
)
VALID_AT: Final = click.option(
    "--valid-at", default="", metavar="DAY", help="What was true on a day: 2026-03-05."
)
PERSONA: Final = click.option(
    "--persona",
    type=click.Choice([each.value for each in Persona]),
    default=Persona.ACTOR.value,
    show_default=True,
    help="Persona of the agent.",
)


class Options(msgspec.Struct, frozen=True, kw_only=True):
    store: str = STORE
    keys: str = ""
    agent: str = AGENT
    user: str = ""
    tenant: str = TENANT
    branch: str = ""
    embeddings: str = ""
    model: str = ""
    json: bool = False
    plain: bool = False


class Terminal:
    """One run of one command: its options, the way to its memory, and the way to answer."""

    def __init__(self, options: Options, verb: str = READS) -> None:
        self.options = options
        self._verb = verb  # what this command does, in the words of the table that all doors share
        self._reception: Gateway | None = None

    @property
    def place(self) -> str:
        """The address of the memory, as it may be shown."""
        return shown(self.options.store)

    @property
    def is_for_people(self) -> bool:
        return not (self.options.json or self.options.plain)

    @contextmanager
    def memory(
        self,
        *,
        create: bool = False,
        store: str = "",
        channel: str = Channel.TERMINAL,
        webhook_hosts: frozenset[str] = frozenset(),
    ) -> Iterator[Memory]:
        """The memory at the chosen place. Only what writes may bring one into being."""
        address = store or self.options.store
        if not is_store(address) and not create:
            raise no_memory(shown(address))
        received, branch = self.received, self.options.branch
        with self._reading(channel) as reading:
            settings = replace(self.settings(Channel(channel)), reading=reading)
            with open_memory(address, settings) as whole:
                memory = whole.on_branch(branch) if branch else whole
                with received(memory, settings, webhook_hosts):
                    yield memory

    def _reading(self, channel: str) -> AbstractContextManager[Reading | None]:
        """A door that serves others draws nothing; a command shows how far a long read is."""
        from muniment.adapters.cli.progress import long_reads

        return long_reads() if channel == Channel.TERMINAL else nullcontext()

    def settings(self, channel: Channel = Channel.API, *, clock: Clock | bool = True) -> Settings:
        """How every command opens its memory."""
        its = self.options
        return Settings(
            tenant=its.tenant,
            keys=its.keys,
            embeddings=its.embeddings,
            model=its.model,
            channel=channel,
            clock=clock,
        )

    @contextmanager
    def received(
        self, memory: Memory, settings: Settings, webhook_hosts: frozenset[str] = frozenset()
    ) -> Iterator[None]:
        """Whoever can open the store is its operator, and is received like anybody else."""
        store = self.options.store
        self._reception = Gateway(
            memory,
            open_credentials(store, settings),
            channel=settings.channel,
            now=SystemClock().now,
            webhooks=open_webhooks(store, settings, webhook_hosts),
        )
        yield
        self._reception.close()
        self._reception = None

    def hands(self, verb: str = "", *, who: str = OWNER, user: str | None = None) -> Hands:
        """The operator's hands for a verb, in the first role that has it; no role has them all."""
        assert self._reception, "a memory is open"
        options = self.options
        speaks_for = options.user if user is None else user
        grant = operator(verb or self._verb, options.tenant, options.agent, speaks_for, who)
        return self._reception.local(grant).hands(verb or self._verb)

    @property
    def reception(self) -> Gateway:
        assert self._reception, "a memory is open"
        return self._reception

    @property
    def house(self) -> Memory:
        """The whole of the tenant's memory, for a command whose verb may look at all of it."""
        return self.hands().memory

    def agent(self, memory: Memory, *, create: bool = False, verb: str = "") -> Agent:
        """The chosen agent. A read of one that has never written must not bring it into being."""
        if not create:
            self.expect_agent(memory)
        return self.hands(verb).agent

    def expect_agent(self, memory: Memory) -> None:
        """Somebody who forgot `--agent` is told whose memory there is."""
        streams = memory.streams()
        if self.agent_stream in streams:
            return
        missing = f"there is no agent {self.options.agent!r} in {self.place}"
        there = sorted({each.owner for each in streams if each.kind == StreamKind.AGENT})
        if there:
            named = ", ".join(map(repr, there[:AGENTS_SHOWN])) + ", …" * (len(there) > AGENTS_SHOWN)
            missing += f"; --agent names one that is: {named}"
        raise NotFoundError(missing)

    @property
    def agent_stream(self) -> StreamId:
        return scope.agent_stream(self.options.tenant, self.options.agent)

    @property
    def council_stream(self) -> StreamId:
        return scope.council_stream(self.options.tenant)

    def user(self, what: str) -> str:
        """The user, for commands that mean nothing without one."""
        if not self.options.user:
            raise InputError(f"say who {what}: --user NAME")
        return self.options.user

    def answer(self, document: object, blocks: Callable[[], Sequence[Block]]) -> None:
        """The one answer of a command, in the form that was asked for."""
        if self.options.json:
            click.echo(output.as_json(document))
        elif self.options.plain:
            click.echo(output.as_plain(document), nl=False)
        else:
            output.screen().show(blocks())

    def command_line(self, *words: str) -> str:
        """A command to run next, with the options that this run had."""
        given = [("--store", self.place, STORE), ("--keys", self.options.keys, "")]
        given += [("--tenant", self.options.tenant, TENANT)]
        given += [("--agent", self.options.agent, AGENT), ("--user", self.options.user, "")]
        given += [("--branch", self.options.branch, "")]
        extra = [part for name, value, usual in given if value != usual for part in (name, value)]
        return " ".join(_quoted(word) for word in ("muniment", *words, *extra))


def command(
    name: str, *, verb: str = READS, **attributes: object
) -> Callable[[Callable[..., object]], click.Command]:
    """A subcommand: it takes the shared options too, and receives a terminal first."""

    def made(work: Callable[..., object]) -> click.Command:
        @functools.wraps(work)
        def run(**given: object) -> object:
            return work(Terminal(chosen(click.get_current_context()), verb), **given)

        wrapped: click.Command = click.command(name, cls=SharingCommand, **attributes)(run)
        wrapped.params += shared()
        return wrapped

    return made


def acting(
    among: Iterable[Role], means: str
) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """As whom somebody acts."""
    return click.option(
        "--role",
        type=click.Choice([each.value for each in among]),
        default=Role.AGENT.value,
        show_default=True,
        help=means,
    )


def listening(usual: int) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Where a door listens."""
    return click.option(
        "--port",
        type=click.IntRange(0, 65_535),
        default=usual,
        show_default=True,
        metavar="N",
        help="Port to listen on; 0 picks a free one.",
    )


def chosen(context: click.Context) -> Options:
    """The options as given; names are checked here, before anything is opened or made."""
    given = {
        name.removeprefix(NAMESPACE): value
        for name, value in context.meta.items()
        if name.startswith(NAMESPACE)
    }
    options = msgspec.convert(given, Options)
    if options.json and options.plain:
        raise click.UsageError("--json and --plain exclude each other.")
    return replace(
        options,
        agent=_name(options.agent, "agent"),
        tenant=_name(options.tenant, "tenant"),
        user=_user(options.user) if "user" in given else "",
    )


def is_store(address: str) -> bool:
    """Whether a memory is there; looking must not make one. A server answers for itself."""
    from muniment.adapters.storage.sqlite.store import STREAMS

    if "\x00" in address:
        raise InputError("the address of a memory must not contain a NUL character")
    if SERVER in address:
        return True
    try:
        return is_there(Path(address, STREAMS))
    except OSError as error:
        raise InputError(f"{address[:40]!r} cannot hold a memory: {error.strerror}") from None


def shown(address: str) -> str:
    """An address without the password that one of a server may hold."""
    return PASSWORD.sub(r"\1@", address)


def _name(text: str, what: str) -> str:
    name = scope.name(text, what)
    if not any(letter.isalnum() for letter in name):
        raise InputError(f"the {what} needs a letter or a digit")
    return name


def _user(text: str) -> str:
    name = _name(text, "user")
    fact_keys.user_entity(name)  # the key of every fact about them must have a spelling
    return name


def _quoted(word: str) -> str:
    import shlex

    return shlex.quote(word)
