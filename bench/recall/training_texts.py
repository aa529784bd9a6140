"""Training texts: `python -m bench.recall.training_texts wordnet-folder target.npz [talks…]`.

Three sorts, all of which may be used: how WordNet shows and explains its words, talk drawn from the
templates beside this file with WordNet's words in them, and the turns of dialogues whose licence
allows it (more arguments: gzipped JSON as in ../shared/data/dialogues, or LongMemEval's file).
The folder is the one with WordNet's `data.noun`, `data.verb`, `data.adj`, `data.adv`.
What is written is the texts as pieces, so that training needs no more than torch.
"""

import gzip
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from muniment.adapters.embedders.static_embedder import TableEmbedder
from muniment.adapters.embedders.wordpiece import WordPiece
from muniment.retrieval.text import sentence_split

TEMPLATES = Path(__file__).with_name("talk.txt")
# Of WordNet's lexicographer files, what fills a slot.
SLOTS = {
    "act": (4,),
    "animal": (5,),
    "thing": (6,),
    "body": (8,),
    "topic": (9, 10, 7),
    "communication": (10,),
    "feeling": (12,),
    "food": (13,),
    "group": (14,),
    "place": (15,),
    "object": (17,),
    "person": (18,),
    "plant": (20,),
    "possession": (21,),
    "substance": (27,),
    "adjective": (0,),
    "verb": tuple(range(29, 44)),
}
DRAWN = 600_000
JOINED = 100_000  # of these, two or three that were drawn one after another
SAID_TIMES = 4  # how often what people said is looked at, for what was made up once
PIECES_MAX = 126
COMMON = 0.8  # how often a slot is filled with a word of one piece
_SLOT = re.compile(r"\{(\w+)\}")


def main() -> None:
    folder, target, *talks = map(Path, sys.argv[1:])
    cut = TableEmbedder().table.pieces
    texts = dict.fromkeys([*shown(folder), *talk(folder, cut)], 1)
    for path in talks:
        texts |= dict.fromkeys(said(path), SAID_TIMES)
    cuts = [(cut(text)[:PIECES_MAX], times) for text, times in texts.items()]
    cuts = [each for each in cuts if len(each[0]) > 1]
    rows = [np.array(pieces, np.uint16) for pieces, _ in cuts]
    np.savez_compressed(
        target,
        pieces=np.concatenate(rows),
        lengths=np.array([len(row) for row in rows], np.uint8),
        times=np.array([times for _, times in cuts], np.uint8),
    )
    print(f"{len(rows):,} texts, {sum(map(len, rows)):,} pieces, {target.stat().st_size:,} bytes")


def shown(folder: Path) -> Iterator[str]:
    """What WordNet says of its words, and the sentences in which it uses them."""
    for _, words, gloss in synsets(folder):
        meaning, *used = re.split(r';\s*(?=")', gloss)
        yield meaning.strip()
        yield f"{words[0]}: {meaning.strip()}"
        yield from (each.strip('" ') for each in used)


def synsets(folder: Path) -> Iterator[tuple[int, list[str], str]]:
    for kind in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{kind}").read_text("latin-1").splitlines():
            if not line.startswith(" "):
                data, _, gloss = line.partition("|")
                fields = data.split()
                count = int(fields[3], 16)
                words = [fields[4 + 2 * n].partition("(")[0] for n in range(count)]
                yield int(fields[1]), [word.replace("_", " ") for word in words], gloss.strip()


def talk(folder: Path, cut: WordPiece) -> list[str]:
    """Sentences of the templates, some of them two or three at once."""
    templates, lists = read_templates()
    whole = _lexicon(folder, cut) | {name: (words, words) for name, words in lists.items()}
    shuffle = np.random.default_rng(0)
    picks = shuffle.integers(0, len(templates), DRAWN)

    def fill(slot: re.Match[str]) -> str:
        words = whole[slot[1]][int(shuffle.random() > COMMON)]
        return words[int(shuffle.integers(0, len(words)))]

    drawn = [_SLOT.sub(fill, templates[pick]) for pick in picks]
    ends = np.cumsum(shuffle.integers(2, 4, JOINED // 2))
    joined = [". ".join(drawn[start:end]) for start, end in pairwise(ends)]
    return drawn + joined


def read_templates() -> tuple[list[str], dict[str, list[str]]]:
    templates, lists = [], {}
    for line in TEMPLATES.read_text("utf-8").splitlines():
        if line.startswith("["):
            name, _, words = line[1:].partition("]")
            lists[name] = [word.strip() for word in words.split("|")]
        elif line and not line.startswith("#"):
            templates.append(line)
    return templates, lists


def _lexicon(folder: Path, cut: WordPiece) -> dict[str, tuple[list[str], list[str]]]:
    """Of each slot the words of one piece, and all words."""
    found: dict[int, set[str]] = {}
    for number, words, _ in synsets(folder):
        found.setdefault(number, set()).update(words)
    made = {}
    for slot, numbers in SLOTS.items():
        every = sorted(set().union(*(found[number] for number in numbers)))
        made[slot] = ([word for word in every if cut.whole(word.lower()) is not None], every)
    return made


def said(path: Path) -> Iterator[str]:
    """Whole turns, their paragraphs and sentences, without the questions that are asked of them."""
    data = path.read_bytes()
    entries = json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
    for text in _turns(entries):
        yield text
        for paragraph in text.splitlines():
            yield from sentence_split.to_embed(paragraph)


def _turns(entries: Sequence[dict]) -> Iterable[str]:  # type: ignore[type-arg]
    for entry in entries:
        yield from (turn["text"] for turn in entry.get("turns", ()))
        for session in entry.get("haystack_sessions", ()):
            yield from (turn["content"] for turn in session)


if __name__ == "__main__":
    main()
