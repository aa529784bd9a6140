"""Start of the terminal: what must be quick or must not show a traceback, before anything loads.

`--version` needs no command, and Ctrl-C in the first second, while the rest is imported, ends like
Ctrl-C at any other time.
"""

import gc
import sys

import muniment

INTERRUPTED = 130  # as `errors.Exit` has it, which is not loaded yet
VERSION = ("--version",)


def main() -> None:
    """The entry point: `muniment` and `python -m muniment`."""
    if tuple(sys.argv[1:]) == VERSION:
        sys.stdout.write(f"muniment {muniment.__version__}\n")
        return
    gc.disable()  # until a command is loaded: what is imported stays, and is looked through in vain
    try:
        from muniment.adapters.cli import main as terminal
    except KeyboardInterrupt:
        sys.stderr.write("muniment: Interrupted. What was done before that is kept.\n")
        sys.exit(INTERRUPTED)
    terminal.main()
