"""Memories of a few sentences in which one replaces another, or only names what it told.

A card of `revisions/` is `S:` what somebody stated, `R:` what they said later and by which it is no
longer so, `A:` what names the same and changes nothing, and `Q:` what they ask; a blank line ends
it. Some have `L:`, what looks like a change and is none (a wish, somebody else's, before it), and
`P:`, what A answers. From each a few memories are drawn, as the steps of a world: see
`bench.lives.worlds`. What the trees learn from is told in files that end in a number; of those that
end in `t` nobody reads a line.

`python -m bench.recall.revisions` tells each of the latter to a memory, and prints by language how
many questions are answered first, among five, in a context, and first with what was so once; with
the end of other names (`1`) those.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bench.lives.worlds import Answered, Asked, Said, answer, questions, show

FOLDER = Path(__file__).with_name("revisions")
MARKS, MORE_MARKS = "SRAQ", "SRALQP"
HELD_OUT = "t"
OTHERS_MAX = 8
# What is told of a card, in this order; what was told last of S and R answers.
ORDERS = ("SR", "SA", "SAR", "SRA")
# The same with what looks like a change; some of these are drawn, each in so many of a hundred.
MORE_ORDERS = ("S", "SA", "SR", "SRA", "SL", "SLR", "SRL", "SAL")
DRAWN = 55
ASIDES = ("SA", "SRA", "SAL", "SLA", "SAR")  # told where A is asked for


class CardError(ValueError):
    """A card that has not each of its lines once."""


@dataclass(frozen=True)
class Card:
    state: str
    revision: str
    aside: str
    question: str
    look_alike: str = ""
    of_aside: str = ""

    @property
    def told(self) -> tuple[str, str, str]:
        return self.state, self.revision, self.aside


def cards(path: Path) -> list[Card]:
    return [_card(path, card) for card in path.read_text("utf-8").split("\n\n") if card.strip()]


def _card(path: Path, card: str) -> Card:
    lines = [each.strip() for each in card.splitlines() if each.strip()]
    marks = "".join(each[0] for each in lines if each[1:2] == ":")
    if marks not in (MARKS, MORE_MARKS) or len(marks) != len(lines):
        raise CardError(f"{path.name}: {card}")
    told = dict(zip(marks, (each[2:].strip() for each in lines), strict=True))
    return Card(*(told.get(mark, "") for mark in "SRAQLP"))


def memories(card: Card, others: Sequence[Card], seed: int) -> Iterator[list[Said | Asked]]:
    """What is told, between a few things of other cards, and what is asked then."""
    for number, order in enumerate(ORDERS if not card.of_aside else MORE_ORDERS):
        chance = random.Random(f"{seed}-{number}")
        if card.of_aside and chance.randrange(100) >= DRAWN:
            continue
        is_over = "R" in order
        right, old = (card.revision, (card.state,)) if is_over else (card.state, ())
        yield _told(card, order, others, chance, (card.question, right, old))
    if card.of_aside:
        chance = random.Random(seed)
        asked = (card.of_aside, card.aside, ())
        yield _told(card, chance.choice(ASIDES), others, chance, asked)


def _told(
    card: Card,
    order: str,
    others: Sequence[Card],
    chance: random.Random,
    asked: tuple[str, str, tuple[str, ...]],
) -> list[Said | Asked]:
    told = {"S": card.state, "R": card.revision, "A": card.aside, "L": card.look_alike}
    texts = [told[mark] for mark in order]
    for other in chance.sample(others, chance.randint(1, OTHERS_MAX)):
        place = chance.randint(0, len(texts))
        texts.insert(place, chance.choice((other.state, other.aside)))
    steps: list[Said | Asked] = [Said(day, text) for day, text in enumerate(texts, 1)]
    question, right, old = asked
    return [*steps, Asked(len(texts) + 1, question, (right,), old)]


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
    ends = tuple(sys.argv[1:]) or (HELD_OUT,)
    paths = [each for each in sorted(FOLDER.glob("*.txt")) if each.stem.endswith(ends)]
    with ProcessPoolExecutor() as pool:
        show("Memories of a few sentences, percent", paths, list(pool.map(lived, paths)))


if __name__ == "__main__":
    main()
