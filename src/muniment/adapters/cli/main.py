"""The terminal's table of contents: every command, imported when it is called and not before."""

import importlib
import signal
import sys
from collections.abc import Sequence
from keyword import iskeyword
from typing import Final, NoReturn

import click

from muniment.adapters.cli import errors, options

# Section, command, the file that holds it, and one line of help: `--help` imports none of them.
COMMANDS: Final = {
    "Remember": {
        "remember": ("remembering", "Keep a sentence; secrets are refused, private data redacted."),
        "confirm": ("remembering", "Answer a question about a lasting fact."),
        "consent": ("remembering", "Allow private data to be kept as it is, or revoke that."),
        "correct": ("filing", "Put other words in an episode's place."),
        "papers": ("filing", "JSON values by drawer and key, with versions."),
        "vouch": ("remembering", "Let something be recalled that was told from outside."),
        "forget": ("forgetting", "Take something out of every reading from here on."),
        "turn": ("talking", "Record a turn of a conversation."),
        "phase": ("filing", "Begin another chapter of a conversation."),
        "learn": ("overseeing", "Let feedback become a patch of the agent's identity."),
        "compact": ("keeping", "Let fewer words say the same; the log keeps all of them."),
        "dream": ("dreaming", "Bring derived memory up to date, for both personas."),
    },
    "Read": {
        "facts": ("knowing", "Governed facts, as this agent may read them."),
        "skills": ("knowing", "What the agent has learned to do."),
        "items": ("filing", "The living items of a conversation."),
        "loops": ("filing", "What happened in loops like this one."),
        "recall": ("reading", "What is known about a question, best first, with a receipt."),
        "why-not": ("reading", "Why something is not in the answer to a question."),
        "context": ("reading", "Text for a prompt that fits a token budget."),
        "threads": ("keeping", "The conversations of a user, open and ended."),
        "log": ("logbook", "What has happened, newest last."),
        "show": ("logbook", "One entry of the log, whole."),
        "retired": ("talking", "What a write took out of every reading, and its undo."),
        "trace": ("talking", "What memory did for each call of a conversation."),
        "blame": ("auditing", "What led to an item: who asked, with whose yes."),
        "impact": ("auditing", "What an item led to: recalls, summaries, skills."),
        "diff": ("auditing", "What changed between two entries."),
        "about": ("auditing", "What is known about a person, and who looked."),
    },
    "Decide": {
        "requests": ("deciding", "What awaits a yes or a no."),
        "approve": ("deciding", "Say yes to a request."),
        "reject": ("deciding", "Say no to a request."),
        "identity": ("overseeing", "Who the agent is, and who it shall be."),
        "impose": ("overseeing", "Lay something down on the system's authority."),
        "payload": ("overseeing", "The whole of an episode; the look is logged first."),
        "erase": ("forgetting", "Destroy everything about a person, with a receipt."),
    },
    "Weigh": {
        "used": ("weighing", "Say which items of a context proved useful."),
        "turn-trace": ("weighing", "Every memory operation of one turn."),
        "what-if": ("weighing", "What other coefficients would have done for past contexts."),
        "propose": ("weighing", "The coefficients that past contexts speak for."),
    },
    "Serve": {
        "studio": ("studio", "See it in a browser: what is remembered, why, and who said so."),
        "serve": ("serving", "Open the HTTP door, on this machine unless told otherwise."),
        "keys": ("keys", "Make, list and revoke the API keys that open the doors."),
        "mcp": ("serving_mcp", "Serve one agent's memory over MCP, on stdio or HTTP."),
    },
    "Set up": {
        "init": ("policies", "Make a memory and a commented policy file."),
        "policy": ("policies", "Show the policy in force, or ask for another."),
        "incidents": ("overseeing", "Retries, failures, a full disk."),
        "doctor": ("doctor", "Versions, health, and what is not secure."),
        "import": ("exchanging", "Keep what another memory or a transcript says."),
        "export": ("exchanging", "Write what is remembered as JSON lines."),
        "backup": ("backing", "Copy the store and prove the copy."),
        "restore": ("backing", "Bring a backup back and prove it."),
        "rekey": ("rekeying", "Exchange the master key that wraps all others."),
        "index": ("indexing", "With which embedder memory is searched, and another beside it."),
        "completion": ("completing", "Teach your shell to complete."),
        "demo": ("demo", "See it remember, refuse and prove, in a temporary folder."),
        "version": ("proving", "Which version this is."),
    },
    "Prove": {
        "prove": ("proving", "Verify every link and decide everything again."),
        "rebuild": ("proving", "Fold everything from the log again."),
        "sign": ("notarising", "Sign where every log stands."),
        "certify": ("notarising", "Prove one entry to somebody outside."),
        "bundle": ("notarising", "A whole log for somebody outside, and its verifier."),
        "verify": ("notarising", "Check what somebody signed, as an outsider does."),
    },
    "On a server": {
        "dev-postgres": ("dev_postgres", "A private PostgreSQL to try things with."),
        "copy-store": ("scaling", "Copy the memory to another store, and compare both."),
        "roles": ("scaling", "Roles of least privilege on a server, and its catalogue checked."),
        "shards": ("scaling", "Put many servers behind one address."),
        "move-stream": ("scaling", "Move a stream to another server while it is used."),
    },
}
FILES: Final = {name: file for section in COMMANDS.values() for name, (file, _) in section.items()}


class Door(click.Group):
    """The group: loads a command when it is named, and lets nothing out but one clear sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(FILES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in FILES:
            return None
        module = importlib.import_module(f"muniment.adapters.cli.{FILES[cmd_name]}")
        attribute = cmd_name.replace("-", "_")
        found: click.Command = getattr(
            module, f"{attribute}_" if iskeyword(attribute) else attribute
        )
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        for section, commands in COMMANDS.items():
            with formatter.section(section):
                formatter.write_dl([(name, text) for name, (_, text) in commands.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in FILES and not name.startswith("-"):
            raise click.UsageError(f"there is no command {name!r}{_meant(name)}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # click would answer this with exit code 1, which means "refused" here.
            raise errors.ClosedPipeError from None

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: object
    ) -> None:
        words = list(sys.argv[1:] if args is None else args)
        del extra  # click's own switches: this door has one way to end
        as_json = "--json" in words[: words.index("--") if "--" in words else None]
        inside = super().main
        code = errors.guard(
            lambda: inside(words, prog_name or "muniment", standalone_mode=False),
            as_json=as_json,
        )
        sys.exit(code)


@click.group(
    "muniment",
    cls=Door,
    invoke_without_command=True,
    params=options.shared(),
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit: 0 done, 1 refused, 2 bad input, 3 not found, 4 store or keys, 5 proof, "
    "130 interrupted, 143 told to stop.",
)
@click.version_option(package_name="muniment", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """The memory of an AI agent, and it can prove what it remembers."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main() -> None:
    """The entry point: `muniment` and `python -m muniment`."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter gets its number, never a crash.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    # Killed at once, a command would leave half a copy, half a file or its workers behind.
    signal.signal(signal.SIGTERM, _stop)
    cli()


def _stop(*_: object) -> NoReturn:
    raise errors.Stopped


def _meant(name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name, FILES, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
