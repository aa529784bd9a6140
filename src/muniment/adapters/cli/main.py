"""The terminal's table of contents: every command, imported when it is called and not before."""

import importlib
import signal
import sys
from collections.abc import Sequence
from keyword import iskeyword
from typing import Final, NoReturn

import click

from muniment.adapters.cli import errors, first_steps, shared_options
from muniment.adapters.cli.shared_options import NAMESPACE, STORE

# What most people need, in the order in which they need it; the other commands stand by group.
EVERYDAY: Final = (
    "demo",
    "init",
    "remember",
    "recall",
    "chat",
    "confirm",
    "approve",
    "forget",
    "studio",
    "prove",
)
# Section, command, the file that holds it, and one line of help: `--help` imports none of them.
COMMANDS: Final = {
    "Remember": {
        "remember": (
            "memory.remember",
            "Keep a sentence; secrets are refused, private data redacted.",
        ),
        "confirm": ("memory.remember", "Answer a question about a lasting fact."),
        "consent": ("memory.remember", "Allow private data to be kept as it is, or revoke that."),
        "correct": ("memory.documents", "Put other words in an episode's place."),
        "documents": ("memory.documents", "JSON values by namespace and key, with versions."),
        "vouch": ("memory.remember", "Let something be recalled that was told from outside."),
        "forget": ("memory.forget", "Take something out of every reading from here on."),
        "chat": ("memory.chat", "Talk to the memory: see what is recalled and what is learned."),
        "unforget": ("memory.forget", "Bring back what was forgotten."),
        "rollback": ("memory.rollback", "Take back a source with all that came of it."),
        "turn": ("memory.conversation", "Record a turn of a conversation."),
        "phase": ("memory.documents", "Begin another chapter of a conversation."),
        "learn": ("admin.admin", "Let feedback become a patch of the agent's identity."),
        "compact": (
            "memory.maintenance",
            "Let fewer words say the same; the log keeps all of them.",
        ),
        "extract": ("memory.learning", "Ask a model for the facts of what was kept."),
        "dream": ("memory.dream", "Bring derived memory up to date, for both personas."),
    },
    "Read": {
        "facts": ("memory.facts", "Governed facts, as this agent may read them."),
        "skills": ("memory.facts", "What the agent has learned to do."),
        "items": ("memory.documents", "The living items of a conversation."),
        "loops": ("memory.documents", "What happened in loops like this one."),
        "recall": ("memory.recall", "What is known about a question, best first, with a receipt."),
        "why-not": ("memory.recall", "Why something is not in the answer to a question."),
        "context": ("memory.recall", "Text for a prompt that fits a token budget."),
        "threads": ("memory.maintenance", "The conversations of a user, open and ended."),
        "watch": ("memory.watch", "What is known to a question, whenever it changes."),
        "log": ("audit.log", "What has happened, newest last."),
        "show": ("audit.log", "One entry of the log, whole."),
        "retired": ("memory.conversation", "What a write took out of every reading, and its undo."),
        "trace": ("memory.conversation", "What memory did for each call of a conversation."),
        "blame": ("audit.provenance", "What led to an item: who asked, with whose yes."),
        "impact": ("audit.provenance", "What an item led to: recalls, summaries, skills."),
        "diff": ("audit.provenance", "What changed between two entries."),
        "about": ("audit.provenance", "What is known about a person, and who looked."),
    },
    "Decide": {
        "requests": ("admin.council", "What awaits a yes or a no."),
        "approve": ("admin.council", "Say yes to a request."),
        "reject": ("admin.council", "Say no to a request."),
        "identity": ("admin.admin", "Who the agent is, and who it shall be."),
        "impose": ("admin.admin", "Lay something down on the system's authority."),
        "payload": ("admin.admin", "The whole of an episode; the look is logged first."),
        "hold": ("admin.hold", "Let nothing end that a legal hold covers; list, lift, settle."),
        "erase": ("memory.forget", "Destroy everything about a person, with a receipt."),
    },
    "Weigh": {
        "used": ("memory.feedback", "Say which items of a context proved useful."),
        "turn-trace": ("memory.feedback", "Every memory operation of one turn."),
        "what-if": (
            "memory.feedback",
            "What other coefficients would have done for past contexts.",
        ),
        "propose": ("memory.feedback", "The coefficients that past contexts speak for."),
    },
    "Serve": {
        "studio": (
            "service.studio",
            "See it in a browser: what is remembered, why, and who said so.",
        ),
        "serve": ("service.serve", "Open the HTTP door, on this machine unless told otherwise."),
        "keys": ("admin.api_keys", "Make, list and revoke the API keys that open the doors."),
        "webhooks": ("memory.watch", "Let changes of what is known be sent to an address."),
        "mcp": ("service.serve_mcp", "Serve one agent's memory over MCP, on stdio or HTTP."),
        "connect": ("service.connect", "Give a coding agent this memory, or take it out again."),
        "hook": ("service.connect", "What a coding agent calls at the start and end of a session."),
    },
    "Set up": {
        "init": ("admin.policy", "Make a memory and a commented policy file."),
        "policy": ("admin.policy", "Show the policy in force, or ask for another."),
        "incidents": ("admin.admin", "Retries, failures, a full disk."),
        "doctor": ("audit.doctor", "Versions, health, and what is not secure."),
        "fuzz-leaks": ("audit.fuzz_leaks", "Who hears what they must not, in your set-up."),
        "eval": ("audit.evaluate", "Evidence recalled and answers right, on a file of questions."),
        "import": ("service.import_export", "Keep what another memory or a transcript says."),
        "export": ("service.import_export", "Write what is remembered as JSON lines."),
        "passport": ("service.passport", "What a person takes along: made, verified, imported."),
        "backup": ("service.backup", "Copy the store and prove the copy."),
        "restore": ("service.backup", "Bring a backup back and prove it."),
        "rekey": ("admin.rekey", "Exchange the master key that wraps all others."),
        "branch": (
            "admin.branches",
            "Try something in another line of the memory; merge it or not.",
        ),
        "index": ("admin.index", "With which embedder memory is searched, and another beside it."),
        "completion": ("service.completion", "Teach your shell to complete."),
        "demo": ("service.demo", "See it remember, refuse and prove, in a temporary folder."),
        "version": ("audit.prove", "Which version this is."),
    },
    "Prove": {
        "prove": ("audit.prove", "Verify every link and decide everything again."),
        "rebuild": ("audit.prove", "Fold everything from the log again."),
        "sign": ("audit.notary", "Sign where every log stands."),
        "certify": ("audit.notary", "Prove one entry to somebody outside."),
        "bundle": ("audit.notary", "A whole log for somebody outside, and its verifier."),
        "verify": ("audit.notary", "Check what somebody signed, as an outsider does."),
    },
    "On a server": {
        "dev-postgres": ("service.dev_postgres", "A private PostgreSQL to try things with."),
        "copy-store": (
            "service.server_store",
            "Copy the memory to another store, and compare both.",
        ),
        "roles": (
            "service.server_store",
            "Roles of least privilege on a server, and its catalogue checked.",
        ),
        "shards": ("service.server_store", "Put many servers behind one address."),
        "move-stream": (
            "service.server_store",
            "Move a stream to another server while it is used.",
        ),
    },
}
FILES: Final = {name: file for section in COMMANDS.values() for name, (file, _) in section.items()}
WORDS: Final = {name: text for section in COMMANDS.values() for name, (_, text) in section.items()}


class CommandGroup(click.Group):
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
        with formatter.section("Every day"):
            formatter.write_dl([(name, WORDS[name]) for name in EVERYDAY])
        for section, commands in COMMANDS.items():
            with formatter.section(section):
                rest = [name for name in commands if name not in EVERYDAY]
                formatter.write_dl([(name, WORDS[name]) for name in rest])

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
    cls=CommandGroup,
    invoke_without_command=True,
    params=shared_options.shared(),
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit: 0 done, 1 refused, 2 bad input, 3 not found, 4 store or keys, 5 proof, "
    "130 interrupted, 143 told to stop.",
)
@click.version_option(package_name="muniment", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """The memory of an AI agent, and it can prove what it remembers."""
    if context.invoked_subcommand is None:
        click.echo(first_steps.told(context.meta.get(f"{NAMESPACE}store") or STORE))


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
