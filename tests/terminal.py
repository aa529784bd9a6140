"""A terminal for tests: runs the commands in this process, on a store of their own."""

import json
import shlex
from pathlib import Path

from click.testing import CliRunner, Result

from muniment.adapters.cli.errors import Exit
from muniment.adapters.cli.main import cli

WISH = "Remember my favourite colour is cerulean"
KEY = "user/profile/user_tuff/favorite_color"
PHONE = "+1 415 555 2671"


class Shell:
    """`shell("recall", "Lisbon")`: what `muniment recall Lisbon` does, with these options first."""

    def __init__(self, *options: str) -> None:
        self.options = options

    def __call__(self, *words: str, typed: str | bytes | None = None) -> Result:
        return CliRunner().invoke(cli, [*self.options, *words], input=typed)

    def document(self, *words: str) -> dict[str, object]:
        """What the command answers with --json."""
        result = self(*words, "--json")
        assert result.exit_code == Exit.DONE, result.output
        read: dict[str, object] = json.loads(result.stdout)
        return read

    def listed(self, name: str, *words: str) -> list[dict[str, object]]:
        """One list out of what the command answers."""
        found = self.document(*words)[name]
        assert isinstance(found, list)
        return found

    def follow(self, result: Result) -> Result:
        """Do what the last line of an answer says to run next."""
        program, *words = shlex.split(result.stdout.strip().splitlines()[-1])
        assert program == "muniment"
        return self(*words)

    def confirmation(self) -> str:
        """The question that the last wish has raised."""
        asked = "confirmation_asked"
        found = [each for each in self.listed("entries", "log") if each["type"] == asked]
        return str(found[-1]["gist"]).split(": ")[0]

    def requested(self) -> str:
        return str(self.document("confirm", self.confirmation())["request_id"])


def wishing(store: Path) -> Shell:
    """The terminal of tuff, on a store that holds a wish."""
    shell = Shell("--store", str(store), "--user", "tuff")
    assert shell("remember", WISH).exit_code == Exit.DONE
    return shell


def said(result: Result) -> str:
    """The one line that an error is."""
    (line,) = result.stderr.splitlines()
    return line


def contents(store: Path) -> bytes:
    """Every byte of every file."""
    return b"\n".join(path.read_bytes() for path in sorted(store.rglob("*")) if path.is_file())
