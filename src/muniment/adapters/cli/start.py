"""Start of the terminal: fast paths, and errors before the commands are loaded.

`--version` needs no command, and Ctrl-C in the first second, while the rest is imported, ends the
process at once and in silence, as it ends `cat`: nothing has been begun yet. So it does when the
command has ended and Python itself still goes.
"""

import _signal  # type: ignore[import-not-found]  # built in; `signal` itself loads slower
import gc
import sys

import muniment

VERSION = ("--version",)
# Words of the evaluation stack that `_run` asks for, and never uses: see below it.
RESERVED = 32_000


def main() -> None:
    """The entry point: `muniment` and `python -m muniment`."""
    _end_in_silence()
    if tuple(sys.argv[1:]) == VERSION:
        sys.stdout.write(f"muniment {muniment.__version__}\n")
        return
    _run()


def _run() -> None:
    gc.disable()  # until a command is loaded: what is imported stays, and is looked through in vain
    from muniment.adapters.cli import main as terminal

    try:
        terminal.main()
    finally:
        _end_in_silence()
        gc.freeze()  # the process ends: what it still holds is not looked through once more


def _end_in_silence() -> None:
    """From here on Ctrl-C prints nothing."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # or: told to ignore it
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)


# CPython takes the stack of its frames from the system in pieces of 16 KiB, and gives each back
# with the last frame on it: whoever calls across the end of one, as nested imports do, pays for
# that in every call. A frame that is too large for such a piece gets one of 512 KiB, and what it
# calls shares that. Only what is used of it takes memory.
_run.__code__ = _run.__code__.replace(co_stacksize=RESERVED)
