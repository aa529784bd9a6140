"""The pages about spaces and phases say what the program does."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from muniment.model.kinds.conversation_item import Space
from muniment.model.policy.conversation import Spaces

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.covers("B-118")
def test_the_page_about_spaces_names_every_space_code_and_rule() -> None:
    page = (DOCS / "memory-spaces.md").read_text()

    for word in (
        *Space,
        "allowed",
        "space_disabled",
        "write_space_disallowed",
        "promotion_disallowed",
        "promotion_event_type",
        "promotion_authority",
        "hint:remember_for_me",
    ):
        assert word in page, word
    for rule in Spaces().promotions:
        types = ", ".join(rule.event_types)
        row = f"| {rule.from_space} | {rule.to_space} | {types} | `{rule.authority}` |"
        assert row in page, row


@pytest.mark.covers("B-118")
def test_the_page_about_phases_has_an_example_that_runs() -> None:
    page = (DOCS / "memory-phases.md").read_text()
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    said = io.StringIO()

    with contextlib.redirect_stdout(said):
        exec(example, {})  # noqa: S102 - the documentation's own words

    assert said.getvalue() == "('replaced: 2', 'added: 1', 'deleted: 0')\n"
    for code in ("phase_unknown", "phase_disabled", "phase_diff_disabled", "max_phases"):
        assert code in page


@pytest.mark.covers("B-035", "B-118")
def test_the_guide_leads_to_both() -> None:
    guide = (DOCS / "policies.md").read_text()

    assert "(memory-spaces.md)" in guide
    assert "(memory-phases.md)" in guide
