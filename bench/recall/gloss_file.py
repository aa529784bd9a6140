"""The glossary's file: `python -m bench.recall.gloss_file`.

The glossaries of `glosses/` are written as pieces of the default embedder's table: each form of a
word, without accents, and what its forms have in common. An entry is `form, form = english words`.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import Stemmer

from muniment.adapters.embedders import glosses
from muniment.adapters.embedders.static_embedder import TableEmbedder
from muniment.adapters.embedders.wordpiece import WordPiece
from muniment.model.languages.letter_folding import unaccented

FOLDER = Path(__file__).with_name("glosses")
TARGET = Path(glosses.__file__).with_name(glosses.FILE)
LANGUAGES = {
    "ar": "Arabic",
    "de": "German",
    "el": "Greek",
    "es": "Spanish",
    "fr": "French",
    "hi": "Hindi",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "pt": "Portuguese",
    "ru": "Russian",
    "zh": "Chinese",
}
LETTERS_MAX = 40

Meanings = dict[str, list[int]]


def main() -> None:
    cut = TableEmbedder().table.pieces
    found = {name: meanings(code, name, cut) for code, name in LANGUAGES.items()}
    TARGET.write_bytes(packed({name: some for name, some in found.items() if some}))
    counted = ", ".join(f"{name} {len(some):,}" for name, some in found.items())
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes; {counted}")


def meanings(code: str, name: str, cut: WordPiece) -> Meanings:
    """Of each form, and of what its forms have in common, the pieces of what it means."""
    stem = None if name in glosses.UNSTEMMED else Stemmer.Stemmer(name.lower()).stemWord
    exact, stemmed = Meanings(), Meanings()
    for forms, english in entries(code):
        pieces = cut(english)
        for form in forms:
            held = exact.setdefault(form, [])
            held += [each for each in pieces if each not in held]
            if stem and " " not in form:
                stemmed.setdefault(glosses.STEM_MARK + stem(form), pieces)
    both = exact | stemmed
    return {form: both[form][: glosses.PIECES_MAX] for form in sorted(both) if both[form]}


def entries(code: str) -> Iterator[tuple[list[str], str]]:
    for path in sorted(FOLDER.glob(f"{code}-*.txt")):
        for entry in re.split(r"[;\n]", path.read_text("utf-8")):
            left, sign, right = entry.partition("=")
            if not entry.strip() or entry.lstrip().startswith("#"):
                continue
            if not sign or not right.strip() or "=" in right:
                raise ValueError(f"{path.name}: {entry.strip()}")
            forms = [unaccented(each).strip() for each in left.split(",")]
            yield [each for each in forms if 0 < len(each) <= LETTERS_MAX], right.replace(",", " ")


def packed(found: dict[str, Meanings]) -> bytes:
    parts, languages = [], []
    for name, some in found.items():
        words = "\n".join(some).encode()
        numbers = [piece for pieces in some.values() for piece in pieces]
        parts += [
            words,
            np.array([len(pieces) for pieces in some.values()], np.uint8).tobytes(),
            np.array(numbers, "<u2").tobytes(),
        ]
        languages.append((name, len(words), len(some), len(numbers)))
    header = json.dumps({"format": glosses.FORMAT, "languages": languages}).encode()
    return b"".join([len(header).to_bytes(4, "little"), header, *parts])


if __name__ == "__main__":
    main()
