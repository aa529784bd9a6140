"""Phrase tables: what people of one language say of each kind of fact, read from a text file.

A line is `mark: phrase`. A mark that ends in `!` belongs to the held-out lives, so that what is
tuned on the others can be measured on words that nobody looked at; `!!` and `!!!` are a second and
a third set, each written when the one before it had been read. A kind that a set does not tell of
is none of its lives.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "phrases"
LANGUAGES = tuple(sorted(each.stem for each in FOLDER.glob("*.txt")))
LISTS = ("value", "who", "noun", "adjective")  # marks whose line is a list
TALK = "talk"
TOOL = "tool"
SETS = (0, 1, 2, 3)  # of phrases: to tune on, and held out as often as its mark has a `!`

Phrases = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class FactKind:
    """One thing that can be known of somebody, and the ways to say and to ask it."""

    name: str
    by_tool: bool
    phrases: Phrases

    @property
    def has_subject(self) -> bool:
        return any("{who}" in each for each in self.phrases["told"])


@dataclass(frozen=True)
class Phrasebook:
    language: str
    talk: Phrases
    kinds: tuple[FactKind, ...]

    def subjects(self, kind: FactKind) -> tuple[str, ...]:
        """Of whom or what a fact of this kind is told."""
        if not kind.has_subject:
            return ("",)
        return kind.phrases.get("who") or self.talk["who"]


@cache
def read(language: str, *, held_out: int = 0) -> Phrasebook:
    """The phrases of a language; of a set of held-out lives, where it is asked for."""
    sections = _sections((FOLDER / f"{language}.txt").read_text(encoding="utf-8"))
    kinds = []
    for head, lines in sections.items():
        name, _, source = head.partition(" ")
        if name != TALK:
            phrases = _phrases(lines, held_out=held_out)
            if "told" in phrases:
                kinds.append(FactKind(name=name, by_tool=source == TOOL, phrases=phrases))
    talk = _phrases(sections[TALK], held_out=held_out)
    return Phrasebook(language=language, talk=talk, kinds=tuple(kinds))


def _sections(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("["):
            found[line.strip("[]")] = []
        elif line and not line.startswith("#"):
            found[list(found)[-1]].append(line)
    return found


def _phrases(lines: list[str], *, held_out: int) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for line in lines:
        mark, _, phrase = line.partition(": ")
        name = mark.rstrip("!")
        # A page contradicts in the same words in all: what it says is no phrase of a person.
        if name == "page" or mark.count("!") == held_out:
            said = phrase.split(" | ") if name in LISTS else [phrase]
            found.setdefault(name, []).extend(said)
    return {name: tuple(said) for name, said in found.items()}
