"""First steps: the output of `muniment` without a command, by what exists already."""

from pathlib import Path
from typing import Final

import muniment

SERVER: Final = "://"
BLANKS: Final = 4  # before a command and behind it
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
    import shutil  # late, for it loads every way to compress

    there = SERVER in store or Path(store).is_dir()
    where = store.rpartition("@")[2] if SERVER in store else store
    first = f"Your memory is in {where}. Next:" if there else f"There is no memory in {where} yet."
    steps = GO_ON if there else BEGIN
    wide = max(len(words) for words, _ in steps)
    fits = all(wide + len(why) + BLANKS <= shutil.get_terminal_size().columns for _, why in steps)
    return "\n".join(
        [
            f"Muniment {muniment.__version__}, the memory of an AI agent that can prove it.",
            "",
            first,
            *(_step(words, why, wide if fits else 0) for words, why in steps),
            "",
            "Every command: muniment --help",
        ]
    )


def _step(words: str, why: str, wide: int) -> str:
    """A command and what it is for; where the screen is too narrow, one below the other."""
    return f"  {words.ljust(wide)}  {why}" if wide else f"  {words}\n    {why}"
