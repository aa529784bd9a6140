"""Draw docs/recall.svg: how each term of the ranking behaves; `python -m bench.recall.picture`."""

from collections.abc import Callable
from pathlib import Path

from muniment.retrieval.ranking import bm25
from muniment.retrieval.ranking.date_feature import (
    AFTER_MONTH,
    IN_MONTH,
    ON_DAY,
    TOLD_AFTER_MONTH,
    TOLD_WITHIN,
)
from muniment.retrieval.ranking.features import LONG_WORDS

TARGET = Path(__file__).parents[2] / "docs" / "recall.svg"
WIDE, HIGH, GAP, EDGE = 260, 150, 40, 36
Curve = Callable[[float], float]


def main() -> None:
    TARGET.write_text(drawn(), "utf-8")
    print(f"{TARGET.name} drawn")


def drawn() -> str:
    """The same text every time: whoever changes a constant sees the picture change."""
    panels = [
        ("A word said often: k1 = 1.2", "times said", 6, saturation),
        ("A word around the text", "turns away", 2.5, window),
        ("A long text leans on itself", "telling words", 60, looseness),
        ("A day is named", "days later", 40, day),
        ("A month is named", "days since it began", 50, month),
        ("Meaning: the angle", "cosine", 1, lambda x: x),
    ]
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 980 480" font-family="sans-serif" '
        'font-size="13"><title>How each term of the ranking behaves</title>'
        '<rect width="980" height="480" fill="#ffffff"/>'
    ]
    for place, (title, below, most, curve) in enumerate(panels):
        left = EDGE + place % 3 * (WIDE + GAP)
        top = EDGE + place // 3 * (HIGH + 2 * GAP)
        parts.append(panel(left, top, title, below, most=most, curve=curve))
    return "\n".join([*parts, "</svg>\n"])


def panel(left: int, top: int, title: str, below: str, *, most: float, curve: Curve) -> str:
    steps = 120
    points = " ".join(
        f"{left + WIDE * step / steps:.1f},"
        f"{top + HIGH * (1 - min(1.0, max(0.0, curve(most * step / steps)))):.1f}"
        for step in range(steps + 1)
    )
    base = top + HIGH
    return (
        f'<text x="{left}" y="{top - 10}" font-weight="bold">{title}</text>'
        f'<path d="M{left},{top}V{base}H{left + WIDE}" fill="none" stroke="#888888"/>'
        f'<polyline points="{points}" fill="none" stroke="#2b5fa5" stroke-width="2"/>'
        f'<text x="{left}" y="{base + 18}" fill="#555555">0</text>'
        f'<text x="{left + WIDE}" y="{base + 18}" fill="#555555" text-anchor="end">'
        f"{most:g} {below}</text>"
    )


def saturation(times: float) -> float:
    held = bm25.OWN * times
    return held / (held + bm25.K1_TENTHS)


def window(away: float) -> float:
    weights = [bm25.OWN, *bm25.BEFORE]
    return weights[min(2, round(away))] / bm25.OWN


def looseness(words: float) -> float:
    return LONG_WORDS**2 / (LONG_WORDS**2 + words**2)


def day(later: float) -> float:
    if later <= TOLD_WITHIN:
        return ON_DAY / 1e6
    return IN_MONTH / 1e6 if later <= 15 else AFTER_MONTH / 1e6 if later <= 25 else 0


def month(since: float) -> float:
    if since <= 30:
        return IN_MONTH / 1e6
    return AFTER_MONTH / 1e6 if since <= 30 + TOLD_AFTER_MONTH else 0


if __name__ == "__main__":
    main()
