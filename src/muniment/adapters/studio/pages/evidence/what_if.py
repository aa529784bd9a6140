"""What-if: what another policy would have kept, refused and answered; nothing is written."""

import tomllib
from typing import Any, Final

import msgspec

from muniment.adapters.studio.known import trial_words, wording
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, RenderedPage
from muniment.engine.what_if.report import WhatIf
from muniment.model import policy as policies
from muniment.model.errors import InputError, NotFoundError
from muniment.model.policy import Policy
from muniment.model.scope import stream_from_text

ENTRIES_MAX: Final = 20_000  # decided again while somebody waits; the terminal takes more
AT_ONCE_MAX: Final = 2_000  # so few are decided again while the page is looked at, unasked


class Idea(msgspec.Struct, frozen=True, kw_only=True):
    """A policy that is worth trying on any memory: what it changes in words, and as settings."""

    name: str
    title: str
    says: str
    settings: str


IDEAS: Final = (
    Idea(
        name="health",
        title="Keep nothing about health",
        says="Sentences with a word of it are refused.",
        settings='[privacy]\ndeny_patterns = ["allerg", "fever", "diagnos", "medicat"]\n',
    ),
    Idea(
        name="one-yes",
        title="One yes is enough",
        says="What needs the council's approval needs a single vote.",
        settings="[governance]\nquorum = 1\n",
    ),
    Idea(
        name="ninety-days",
        title="Forget conversations after 90 days",
        says="What was said in a talk is erased when its days are over.",
        settings="[keep_days]\nconversations = 90\n",
    ),
)


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    """The ideas; of the one that was chosen, what it would have done."""
    name = asked.get("idea")
    if not name:
        return _shown(studio, IDEAS[0], IDEAS[0].settings, None)
    idea = next((each for each in IDEAS if each.name == name), None)
    if idea is None:
        raise NotFoundError
    return _shown(studio, idea, idea.settings, _found(studio, asked, idea.settings))


def tried(studio: Studio, asked: PageRequest) -> RenderedPage:
    """The log decided again, with what is named here laid over the policy in force."""
    text = asked.form.get("policy", "")
    return _shown(studio, None, text, _found(studio, asked, text))


def _found(studio: Studio, asked: PageRequest, text: str) -> WhatIf:
    entries = _entries(studio)
    if entries > ENTRIES_MAX:
        raise InputError(f"{entries} entries are too many here: use muniment policy-what-if")
    return studio.memory.admin(asked.who).what_if_policy(laid_over(_in_force(studio), text))


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


def _entries(studio: Studio) -> int:
    return sum(studio.auditor.lengths().values())


def _shown(studio: Studio, idea: Idea | None, text: str, found: WhatIf | None) -> RenderedPage:
    entries = _entries(studio)
    return RenderedPage(
        template="what_if.html",
        values={
            "ideas": IDEAS,
            "idea": idea,
            "text": text,
            "found": found,
            "at_once": found is None and 0 < entries <= AT_ONCE_MAX,
            "counts": [
                (trial_words.FATES[fate], found.counts[fate])
                for fate in trial_words.FATES
                if found and fate in found.counts
            ],
            "changes": trial_words.rows(found.examples) if found else {},
            "answers": trial_words.answers(found.answers) if found else [],
            "log_names": {
                each: wording.log_name(stream_from_text(each))
                for each in (found.logs if found else ())
            },
            "entries": entries,
            "most": ENTRIES_MAX,
        },
    )
