"""Memories of a few sentences in which one replaces another, or only names what it told.

A card of `revisions/` is `S:` what somebody stated, `R:` what they said later and by which it is no
longer so, `A:` what names the same and changes nothing, and `Q:` what they ask; a blank line ends
it. From each a few memories are drawn, as the steps of a world: see `bench.lives.worlds`.

`python -m bench.recall.revisions` tells each of them to a memory, and prints by language how many
questions are answered first, among five, in a context, and first with what was so once.
"""

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bench.lives.worlds import Answered, Asked, Said, answer, questions, show

FOLDER = Path(__file__).with_name("revisions")
MARKS = "SRAQ"
OTHERS_MAX = 8
# What is told of a card, in this order; what was told last of S and R answers.
ORDERS = ("SR", "SA", "SAR", "SRA")


class CardError(ValueError):
    """A card that has not each of its lines once."""


@dataclass(frozen=True)
class Card:
    state: str
    revision: str
    aside: str
    question: str

    @property
    def told(self) -> tuple[str, str, str]:
        return self.state, self.revision, self.aside


def cards(path: Path) -> list[Card]:
    return [_card(path, card) for card in path.read_text("utf-8").split("\n\n") if card.strip()]


def _card(path: Path, card: str) -> Card:
    lines = [each.strip() for each in card.splitlines() if each.strip()]
    if [each[:2] for each in lines] != [f"{mark}:" for mark in MARKS]:
        raise CardError(f"{path.name}: {card}")
    return Card(*(each[2:].strip() for each in lines))


def memories(card: Card, others: Sequence[Card], seed: int) -> Iterator[list[Said | Asked]]:
    """What is told, between a few things of other cards, and what is asked then."""
    for number, order in enumerate(ORDERS):
        chance = random.Random(f"{seed}-{number}")
        told = {"S": card.state, "R": card.revision, "A": card.aside}
        texts = [told[mark] for mark in order]
        for other in chance.sample(others, chance.randint(1, OTHERS_MAX)):
            place = chance.randint(0, len(texts))
            texts.insert(place, chance.choice((other.state, other.aside)))
        is_over = "R" in order
        values, old = ((card.revision,), (card.state,)) if is_over else ((card.state,), ())
        steps: list[Said | Asked] = [Said(day, text) for day, text in enumerate(texts, 1)]
        yield [*steps, Asked(len(texts) + 1, card.question, values, old)]


def lived(path: Path) -> list[Answered]:
    """What a memory answers to each card of a language."""
    known = cards(path)
    return [
        answer(asked, who)
        for place, card in enumerate(known)
        for number, steps in enumerate(memories(card, [*known[:place], *known[place + 1 :]], place))
        for asked, who in questions(
            f"{path.stem}-{place}-{number}", steps, "remember", small_talk=0
        )
    ]


def main() -> None:
    paths = sorted(FOLDER.glob("*.txt"))
    with ProcessPoolExecutor() as pool:
        show("Memories of a few sentences, percent", paths, list(pool.map(lived, paths)))


if __name__ == "__main__":
    main()
