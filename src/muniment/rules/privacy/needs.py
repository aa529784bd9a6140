"""Which rules a text could concern at all: most rules need a word, and most texts hold none."""

import re
from typing import Final

from muniment.rules.privacy.patterns import RULES, Rule

ALWAYS: Final = tuple(rule for rule in RULES if not rule.needs)
_SIGN = re.compile(r"[^a-z ]|$")


def rules_for(lowered: str) -> tuple[Rule, ...]:
    """The rules to try on a text in lower case."""
    wanted = {
        place
        for sign, needs in NEEDS.items()
        if sign in lowered
        for need, places in needs.items()
        if need in lowered
        for place in places
    }
    return (*[RULES[place] for place in sorted(wanted)], *ALWAYS) if wanted else ALWAYS


def _by_sign() -> dict[str, dict[str, list[int]]]:
    """Who needs what, under a sign that stands in it: where that is not, no need is.

    What is all letters stands under nothing, which is in every text.
    """
    found: dict[str, dict[str, list[int]]] = {}
    for place, rule in enumerate(RULES):
        for need in rule.needs:
            found.setdefault(_SIGN.findall(need)[0], {}).setdefault(need, []).append(place)
    return found


NEEDS: Final = _by_sign()
