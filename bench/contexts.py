"""Assembling a context, beside the recall it contains: 10,000 memories, warm."""

from pathlib import Path

import muniment
from bench.figures import Timing, goal, table
from bench.sentences import sentences

MEMORIES = 10_000
CALLS = 40
BUDGET_TOKENS = 2_000
RATIO_MAX = 3
RECEIPT_RATIO_MAX = 1.2


def run(folder: Path) -> None:
    with muniment.open(folder / "contexts") as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember_many(sentences(MEMORIES))
        count = muniment.Policy().assembly.episodic_candidates
        questions = sentences(CALLS + 5, start=MEMORIES)
        for text in questions[:5]:  # the first question builds the index
            ada.context(text, budget=BUDGET_TOKENS)
        ada.flush()
        whole, inside = Timing("context, 2,000 tokens"), Timing(f"recall of {count}, inside it")
        plain = Timing("recall of 8, as people ask it")
        receipt = Timing("the receipt of a context, written")
        for text in questions[5:]:  # interleaved, so that all meet the same noise
            whole.run(lambda text=text: ada.context(text, budget=BUDGET_TOKENS))  # type: ignore[misc]
            receipt.run(ada.flush)
            inside.run(lambda text=text: ada.recall(text, limit=count))  # type: ignore[misc]
            plain.run(lambda text=text: ada.recall(text))  # type: ignore[misc]
            ada.flush()
    table(
        f"Contexts over {MEMORIES:,} memories, {CALLS} of each",
        ["", "cpu ms", "wall p50 ms", "wall p99 ms"],
        [
            [
                each.name,
                f"{each.cpu_us / 1000:.2f}",
                f"{each.wall_ms(50):.2f}",
                f"{each.wall_ms(99):.2f}",
            ]
            for each in (whole, receipt, inside, plain)
        ],
    )
    ratio = whole.cpu_p50_us / inside.cpu_p50_us
    goal(
        f"a context costs {ratio:.2f} times the recall it contains (goal: at most {RATIO_MAX})",
        met=ratio <= RATIO_MAX,
    )
    written = (whole.cpu_p50_us + receipt.cpu_p50_us) / whole.cpu_p50_us
    goal(
        f"a context with its receipt costs {written:.2f} times the context alone "
        f"(goal: at most {RECEIPT_RATIO_MAX})",
        met=written <= RECEIPT_RATIO_MAX,
    )
