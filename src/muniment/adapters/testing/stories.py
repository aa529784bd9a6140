"""Stories: what is said and what must be told, as YAML or JSON, played on a memory kit."""

from pathlib import Path
from typing import Annotated

import msgspec

from muniment.adapters.testing.memory_kit import MemoryKit
from muniment.model.errors import InputError
from muniment.model.policy import preset


class StoryStep(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """One step: something happens, or something must be so. One of the verbs is named."""

    user: str = "tuff"
    says: str = ""
    records: str = ""
    ai: str = ""
    corrects: str = ""
    to: str = ""
    forgets: str = ""
    later_days: Annotated[int, msgspec.Meta(ge=0)] = 0
    remembers: str = ""
    asked: str = ""
    refuses: str = ""
    has_forgotten: str = ""
    never_tells: str = ""
    replays: bool = False


class Story(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    story: str
    steps: tuple[StoryStep, ...]
    policy: str = ""  # the name of a preset


def read(path: Path) -> list[Story]:
    """The stories of a file: one, or a list of them."""
    text = path.read_text(encoding="utf-8")
    try:
        told = (msgspec.json if path.suffix == ".json" else msgspec.yaml).decode(text)
        found = told if isinstance(told, list) else [told]
        return [msgspec.convert(each, Story) for each in found]
    except ImportError:
        raise InputError("stories in YAML need pyyaml: pip install pyyaml") from None
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise InputError(f"{path.name}: {error}") from None


def play(story: Story) -> None:
    """Step by step; the first that does not hold is named by its number."""
    policy = preset(story.policy) if story.policy else None
    with MemoryKit(policy) as kit:
        for number, step in enumerate(story.steps, start=1):
            try:
                _step(kit, step)
            except AssertionError as error:
                raise AssertionError(f"{story.story}, step {number}: {error}") from None


def _step(kit: MemoryKit, step: StoryStep) -> None:
    moves = {
        "says": lambda: kit.says(step.says, user=step.user),
        "records": lambda: kit.records(step.records, ai=step.ai, user=step.user),
        "corrects": lambda: kit.corrects(step.corrects, step.to, user=step.user),
        "forgets": lambda: kit.forgets(step.forgets, user=step.user),
        "later_days": lambda: kit.later(days=step.later_days),
        "remembers": lambda: kit.assert_remembers(step.remembers, asked=step.asked, user=step.user),
        "refuses": lambda: kit.assert_refuses(step.refuses, user=step.user),
        "has_forgotten": lambda: kit.assert_forgets(step.has_forgotten, user=step.user),
        "never_tells": lambda: kit.assert_never_tells(step.user, step.never_tells),
        "replays": kit.assert_replays,
    }
    named = [name for name in moves if getattr(step, name)]
    if len(named) != 1:
        raise InputError(f"a step names one of {', '.join(moves)}, not {len(named)}")
    moves[named[0]]()
