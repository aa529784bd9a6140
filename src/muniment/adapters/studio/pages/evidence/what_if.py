"""What-if: what another policy would have kept, refused and answered; nothing is written."""

import tomllib
from typing import Any, Final

import msgspec

from muniment.adapters.studio.known import wording
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, RenderedPage
from muniment.engine.what_if.report import WhatIf
from muniment.model import policy as policies
from muniment.model.errors import InputError
from muniment.model.policy import Policy
from muniment.model.scope import stream_from_text

ENTRIES_MAX: Final = 20_000  # decided again while somebody waits; the terminal takes more
EXAMPLE: Final = '[privacy]\ndeny_patterns = ["castle"]\n'


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    del asked
    return _shown(studio, EXAMPLE, None)


def tried(studio: Studio, asked: PageRequest) -> RenderedPage:
    """The log decided again, with what is named here laid over the policy in force."""
    text = asked.form.get("policy", "")
    entries = sum(studio.auditor.lengths().values())
    if entries > ENTRIES_MAX:
        raise InputError(f"{entries} entries are for the terminal: muniment policy-what-if")
    admin = studio.memory.admin(asked.who)
    return _shown(studio, text, admin.what_if_policy(laid_over(_in_force(studio), text)))


def laid_over(now: Policy, text: str) -> Policy:
    """A policy with some fields named anew, as a policy file names them."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is not TOML: {error}") from None
    return policies.from_builtins(_merged(msgspec.to_builtins(now), given))


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    both = {
        name: _merged(below[name], value)
        if isinstance(value, dict) and isinstance(below.get(name), dict)
        else value
        for name, value in above.items()
    }
    return below | both


def _in_force(studio: Studio) -> Policy:
    streams = studio.memory.admin().ruled_streams()
    return studio.memory.policy(streams[0]) if streams else Policy()


def _shown(studio: Studio, text: str, found: WhatIf | None) -> RenderedPage:
    logs = {each: wording.log_name(stream_from_text(each)) for each in found.logs} if found else {}
    entries = sum(studio.auditor.lengths().values())
    return RenderedPage(
        template="what_if.html",
        values={
            "text": text,
            "found": found,
            "logs": logs,
            "entries": entries,
            "most": ENTRIES_MAX,
        },
    )
