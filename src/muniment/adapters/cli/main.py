"""Command table of the terminal; each command is imported when it is called."""

import gc
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from keyword import iskeyword
from typing import Final, NoReturn

import click

from muniment.adapters.cli import deferred_docs, errors, shared_options
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
            "Store a sentence; secrets are refused, personal data is redacted.",
        ),
        "confirm": (
            "memory.remember",
            "Answer the question that remember asked about a lasting fact.",
        ),
        "consent": (
            "memory.remember",
            "Allow personal data to be stored unredacted, or revoke that.",
        ),
        "correct": ("memory.documents", "Replace the text of an episode."),
        "documents": ("memory.documents", "JSON values by namespace and key, with versions."),
        "vouch": ("memory.remember", "Release something from quarantine, so that it is recalled."),
        "forget": ("memory.forget", "Stop recalling something; the log keeps it."),
        "chat": ("memory.chat", "Talk to the memory, and see what it recalls and learns."),
        "unforget": ("memory.forget", "Bring back what was forgotten."),
        "rollback": ("memory.rollback", "Undo everything that came from one source."),
        "turn": ("memory.conversation", "Record a turn of a conversation."),
        "phase": ("memory.documents", "Start a new phase of a conversation."),
        "learn": ("admin.admin", "Turn feedback into a change of the agent's identity."),
        "compact": (
            "memory.maintenance",
            "Summarise and merge old memories; the log keeps them all.",
        ),
        "extract": ("memory.learning", "Ask a model to extract facts from what is stored."),
        "dream": ("memory.dream", "Run pending maintenance: summaries, skills, embeddings."),
    },
    "Read": {
        "summary": ("memory.summaries", "Summarise a user or a conversation, with sources."),
        "entities": ("memory.learning", "People, places and organisations, and how they relate."),
        "facts": ("memory.facts", "List the governed facts that this agent may read."),
        "skills": ("memory.facts", "List what the agent has learned to do."),
        "items": ("memory.documents", "List the active items of a conversation."),
        "loops": ("memory.documents", "Search what happened in past agent loops."),
        "recall": ("memory.recall", "Ask the memory: best answer first, with a receipt."),
        "list": ("memory.records", "List everything that is remembered, newest first."),
        "why-not": ("memory.context", "Explain why an item is not in the answer to a question."),
        "context": ("memory.context", "Build text for a prompt within a token budget."),
        "threads": ("memory.maintenance", "List the conversations of a user, open and ended."),
        "watch": ("service.watch", "Follow the answer to a question as it changes."),
        "log": ("audit.log", "List log entries, newest last."),
        "show": ("audit.log", "Show one log entry in full."),
        "retired": ("memory.conversation", "Show what a write replaced, and undo it."),
        "trace": ("memory.conversation", "Show what memory did in each call of a conversation."),
        "blame": ("audit.provenance", "Show where an item comes from: who asked, who approved."),
        "impact": ("audit.provenance", "Show what an item led to: recalls, summaries, skills."),
        "diff": ("audit.provenance", "Show what changed between two log entries."),
        "about": ("audit.provenance", "Report what is stored about a person, and who read it."),
    },
    "Decide": {
        "requests": ("admin.council", "List pending requests, or settled ones with their votes."),
        "approve": ("admin.council", "Approve a request."),
        "reject": ("admin.council", "Reject a request."),
        "identity": ("admin.admin", "Show or change the agent's identity."),
        "impose": ("admin.admin", "Add an instruction to a session, as the system."),
        "payload": ("admin.admin", "Show an episode unredacted; the read is logged first."),
        "hold": ("admin.hold", "Place, list and lift legal holds."),
        "due": ("admin.due", "Show what is past its retention, and erase it."),
        "erase": ("memory.forget", "Erase everything about a person, with a receipt."),
    },
    "Tune": {
        "used": ("memory.feedback", "Report which items of a context were useful."),
        "turn-trace": ("memory.feedback", "List every memory operation of one turn."),
        "what-if": (
            "memory.feedback",
            "Rank past contexts again with other weights.",
        ),
        "propose": ("memory.feedback", "Suggest weights from the feedback on past contexts."),
    },
    "Serve": {
        "studio": (
            "service.studio",
            "Browse the memory: what is stored, why, and who said it.",
        ),
        "serve": ("service.serve", "Start the HTTP service, by default for this machine only."),
        "keys": ("admin.api_keys", "Create, list and revoke API keys."),
        "webhooks": ("service.watch", "Send changes of what is known to a URL."),
        "mcp": ("service.serve_mcp", "Serve one agent's memory over MCP, on stdio or HTTP."),
        "connect": ("service.connect", "Add this memory to a coding agent, or remove it."),
        "hook": ("service.connect", "Called by coding agents when a session starts or ends."),
    },
    "Set up": {
        "init": ("admin.policy", "Create a memory and a commented policy file."),
        "policy": ("admin.policy", "Show the policy in force, or request another."),
        "policy-what-if": (
            "audit.what_if",
            "Replay the log under another policy, and show what would change.",
        ),
        "incidents": ("admin.admin", "List failures of storage and models, and retries."),
        "doctor": ("audit.doctor", "Check versions, health and security."),
        "metrics": ("audit.metrics", "Print metrics of the store as Prometheus text."),
        "fuzz-leaks": (
            "audit.fuzz_leaks",
            "Test your set-up for leaks between users, agents and tenants.",
        ),
        "eval": (
            "audit.evaluate",
            "Measure recall, and a model's answers, on a file of questions.",
        ),
        "import": (
            "service.import_export",
            "Import another memory, a chat export or a transcript.",
        ),
        "export": ("service.import_export", "Export the memory as JSON lines."),
        "passport": ("service.passport", "Make, verify or import a signed export of one person."),
        "backup": ("service.backup", "Copy the store and prove the copy."),
        "restore": ("service.backup", "Restore a backup and prove it."),
        "rekey": ("admin.rekey", "Replace the master key that encrypts all other keys."),
        "branch": (
            "admin.branches",
            "Try changes in a branch; merge or discard it.",
        ),
        "index": ("admin.index", "Show, build, compare and switch search embedders."),
        "completion": ("service.completion", "Print shell completion for bash, zsh or fish."),
        "demo": ("service.demo", "See it remember, refuse and prove, in a temporary folder."),
        "version": ("audit.prove", "Show the version and what it runs on."),
    },
    "Prove": {
        "gate": ("audit.what_if", "Fail a build if recorded questions get other answers."),
        "prove": ("audit.prove", "Verify every log and replay every decision."),
        "rebuild": ("audit.prove", "Rebuild everything that is derived from the logs."),
        "sign": ("audit.notary", "Sign the head of every log."),
        "certify": ("audit.notary", "Prove one entry to an outsider."),
        "bundle": ("audit.notary", "Export a whole log for an outsider, and its verifier."),
        "verify": ("audit.notary", "Verify a signed file as an outsider does."),
    },
    "On a server": {
        "dev-postgres": ("service.dev_postgres", "Start a private PostgreSQL server for trials."),
        "copy-store": (
            "service.server_store",
            "Copy the memory to another store, and compare both.",
        ),
        "roles": (
            "service.server_store",
            "Create least-privilege roles on a server, and check them.",
        ),
        "shards": ("service.server_store", "Distribute the store over several servers."),
        "move-stream": (
            "service.server_store",
            "Move a stream to another server while it is in use.",
        ),
    },
}
# What ends at once: threads for products of large matrices would cost it more than the products.
BRIEF: Final = frozenset(
    {"remember", "recall", "context", "why-not", "list", "facts", "items", "forget", "correct"}
)
ONE_THREAD: Final = ("OPENBLAS_NUM_THREADS", "1")
SELDOM: Final = 100_000  # objects between two looks for waste: more than such a command makes
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
        if cmd_name in BRIEF:
            os.environ.setdefault(*ONE_THREAD)
            deferred_docs.defer()
        module = importlib.import_module(f"muniment.adapters.cli.{FILES[cmd_name]}")
        gc.freeze()
        if cmd_name in BRIEF:
            gc.set_threshold(SELDOM)
        gc.enable()
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # from here on something is begun
            signal.signal(signal.SIGINT, signal.default_int_handler)
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
    epilog="Exit status: 0 done, 1 refused, 2 bad input, 3 not found, 4 store or keys, "
    "5 proof failed, 130 interrupted, 143 terminated.",
)
@click.version_option(package_name="muniment", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """A memory for AI agents that can prove what it remembers and why."""
    if context.invoked_subcommand is None:
        from muniment.adapters.cli import first_steps

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
    return f"; did you mean {near[0]!r}?" if near else "; `muniment --help` lists them"
