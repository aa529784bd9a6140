"""First steps: what `muniment` says when it is given no command, by what is there already."""

from pathlib import Path
from typing import Final

import muniment

SERVER: Final = "://"
BEGIN: Final = (
    ("muniment demo", "see it remember, refuse and prove, in a temporary folder"),
    ("muniment init", "make a memory here, in three questions"),
    ('muniment remember "I moved to Lisbon in March"', "or simply begin"),
)
GO_ON: Final = (
    ('muniment remember "The cat is called Miso"', "keep a sentence"),
    ('muniment recall "Where do I live?"', "ask what is known"),
    ("muniment chat", "talk, and see what is recalled and learned"),
    ("muniment studio", "look at all of it in your browser"),
    ("muniment prove", "check that nothing was changed behind your back"),
)


def told(store: str) -> str:
    """What to do next, as lines to copy."""
    there = SERVER in store or Path(store).is_dir()
    where = store.rpartition("@")[2] if SERVER in store else store
    first = f"Your memory is in {where}. Next:" if there else f"There is no memory in {where} yet."
    steps = GO_ON if there else BEGIN
    wide = max(len(words) for words, _ in steps)
    return "\n".join(
        [
            f"Muniment {muniment.__version__}, the memory of an AI agent that can prove it.",
            "",
            first,
            *(f"  {words.ljust(wide)}  {why}" for words, why in steps),
            "",
            "Every command: muniment --help",
        ]
    )
