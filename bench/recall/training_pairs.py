"""Training pairs: `python -m bench.recall.training_pairs target.npz`.

What was told and what is asked for it, in other words: the cards of `cards/`, which were written
for this. What is written is the texts as pieces, so that training needs no more than torch. Some
cards are left out, and so are worlds (`bench/lives/worlds`): from these, the trees learn that put
answers in order, and they would trust a likeness that was learnt by heart.

A card is `S:` what is told, each `Q:` a question that it answers, and each `N:` something else
that answers none of them; a blank line ends it.
"""

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.recall.training_texts import PIECES_MAX
from muniment.adapters.embedders.static_embedder import TableEmbedder
from muniment.retrieval.ranking import query

FOLDER = Path(__file__).with_name("cards")
FOR_TREES = ("-01", "-02")  # the ends of names
_SPOKEN = re.compile(r"([A-Z]\w+): (.*)")
OTHERS_MAX, NOBODY = 2, -1


@dataclass(frozen=True)
class Pair:
    asked: str
    answer: str
    others: tuple[str, ...]  # told by the same person, and no answer


class CardError(ValueError):
    """A card that is not of one thing told and what is asked for it."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    given = parser.parse_args()
    pairs = list(of_cards())
    keep(given.target, pairs)
    print(f"{len(pairs):,} questions, {given.target.stat().st_size:,} bytes")


def of_cards(*, for_trees: bool = False) -> Iterator[Pair]:
    for path in sorted(FOLDER.glob("*.txt")):
        if path.stem.endswith(FOR_TREES) is not for_trees:
            continue
        for card in path.read_text("utf-8").split("\n\n"):
            yield from _pairs(path, card)


def _pairs(path: Path, card: str) -> Iterator[Pair]:
    lines = [each.strip() for each in card.splitlines() if each.strip()]
    told, asked, others = (
        [each[2:].strip() for each in lines if each.startswith(mark)] for mark in ("S:", "Q:", "N:")
    )
    if not lines:
        return
    if len(told) != 1 or not asked or len(told) + len(asked) + len(others) != len(lines):
        raise CardError(f"{path.name}: {card}")
    speaker, told = _unspoken(told)
    for question in asked:
        yield Pair(_meant(question, speaker), told[0], tuple(_unspoken(others)[1]))


def _unspoken(texts: Sequence[str]) -> tuple[str, list[str]]:
    """Who says the first of them, and all of them without that."""
    named = [each.groups() if (each := _SPOKEN.match(text)) else ("", text) for text in texts]
    return named[0][0] if named else "", [text for _, text in named]


def _meant(question: str, speaker: str) -> str:
    """A question about a speaker, as a memory embeds it: as they would ask it themselves."""
    if not speaker:
        return question
    return query.analyse(question, speakers=(speaker,)).meant


def keep(target: Path, pairs: Iterable[Pair]) -> None:
    cut = TableEmbedder().table.pieces
    places: dict[str, int] = {}

    def numbers(texts: Iterable[str], most: int) -> list[int]:
        found = [places.setdefault(text, len(places)) for text in texts]
        return found + [NOBODY] * (most - len(found))

    rows = [
        (*numbers([each.asked, each.answer], 2), *numbers(each.others[:OTHERS_MAX], OTHERS_MAX))
        for each in pairs
    ]
    pieces = [np.array(cut(text)[:PIECES_MAX], np.uint16) for text in places]
    asked, answers, others = np.split(np.array(rows, np.int32), [1, 2], axis=1)
    np.savez_compressed(
        target,
        pieces=np.concatenate(pieces),
        lengths=np.array([len(each) for each in pieces], np.uint8),
        times=np.ones(len(pieces), np.uint8),
        asked=asked[:, 0],
        answers=answers[:, 0],
        others=others,
    )


if __name__ == "__main__":
    main()
