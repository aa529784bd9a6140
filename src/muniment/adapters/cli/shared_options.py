"""Shared options: store, agent, user and format, before or after the name of a command."""

from typing import Final

import click

from muniment.model.errors import InputError

STORE: Final = "./memory"
AGENT: Final = "default"
TENANT: Final = "main"
NAMESPACE: Final = "muniment."
SHARED: Final = frozenset(
    {"store", "keys", "agent", "user", "tenant", "branch", "embeddings", "model", "json", "plain"}
)
COMMAND_LINE: Final = click.core.ParameterSource.COMMANDLINE


class SharingCommand(click.Command):
    """A command that takes the shared options; its help tells its own, and where the others are."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        records = [
            record
            for each in self.get_params(ctx)
            if isinstance(each, click.Option)
            and each.name not in SHARED
            and (record := each.get_help_record(ctx))
        ]
        with formatter.section("Options"):
            formatter.write_dl(records)
        with formatter.section("Shared options"):
            named = "--store, --keys, --agent, --user, --tenant, --branch, --embeddings, --model, "
            formatter.write_text(f"{named}--json, --plain: see muniment --help.")


def shared() -> list[click.Parameter]:
    """The options that stand before or after the name of a command."""
    return [
        _text(
            "--store",
            "PATH",
            f"Folder or server address of the memory. [$MUNIMENT_STORE, or {STORE}]",
        ),
        _text("--keys", "PATH", "Folder of the keys, for a store on a server. [$MUNIMENT_KEYS]"),
        _text("--agent", "NAME", f"Name of the agent. [$MUNIMENT_AGENT, or {AGENT}]"),
        _text("--user", "NAME", "The person the agent speaks for. [$MUNIMENT_USER]"),
        _text(
            "--tenant",
            "NAME",
            f"Compartment of the store; most have one. [$MUNIMENT_TENANT, or {TENANT}]",
        ),
        _text("--branch", "NAME", "Work in this branch of the memory. [$MUNIMENT_BRANCH]"),
        _text(
            "--embeddings",
            "SERVER",
            "Embedding server, `address model dimensions`, for `muniment index`. "
            "[$MUNIMENT_EMBEDDINGS; its key: $MUNIMENT_EMBEDDINGS_KEY]",
        ),
        _text(
            "--model",
            "NAME",
            "Model for chat, summaries and extraction: ollama:NAME, llamacpp:NAME, "
            "openai:NAME, anthropic:NAME, or `address model`. "
            "[$MUNIMENT_MODEL; its key: $MUNIMENT_MODEL_KEY]",
        ),
        _flag("--json", "Print one JSON document."),
        _flag("--plain", "Print lines of `key: value`."),
    ]


def _text(flag: str, metavar: str, sentence: str) -> click.Option:
    variable = f"MUNIMENT_{flag.removeprefix('--').upper()}"
    return click.Option(
        [flag],
        metavar=metavar,
        envvar=variable,
        help=sentence,
        callback=_keep,
        expose_value=False,
    )


def _flag(flag: str, sentence: str) -> click.Option:
    return click.Option([flag], is_flag=True, help=sentence, callback=_keep, expose_value=False)


def _keep(context: click.Context, parameter: click.Parameter, value: object) -> None:
    """What stands nearest to the command wins; a variable never beats a word that was typed."""
    name = f"{NAMESPACE}{parameter.name}"
    if parameter.name == "store" and value == "":
        raise InputError("the name of the store is empty: --store names a folder or a server")
    if context.get_parameter_source(parameter.name or "") is COMMAND_LINE:
        context.meta[name] = value
    elif value:
        context.meta.setdefault(name, value)
