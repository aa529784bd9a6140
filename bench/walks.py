"""Walks through the code: every file that a sentence, a question and a policy change pass.

`python -m bench.walks` prints `docs/walks.md`: each file once, in the order in which its code first
runs, with the sentence that it says of itself.
"""

import ast
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import muniment
from muniment import Memory, Policy
from muniment.model.policy import Governance

SOURCE = Path(muniment.__file__).parent
QUESTION = "Where do I live?"
HEAD = (
    "# Three walks, file by file\n\n"
    "What runs, from the call to the answer, in a memory that is open and warm: each file once, in"
    " the order in which its code first runs, with what it says of itself.\n"
    "Read [the architecture](architecture.md) first; this is where to look next, with a debugger or"
    " an editor.\n"
    "The page is made by `python -m bench.walks > docs/walks.md`, and a test compares it with the"
    " code.\n"
)

Walk = Callable[[], object]


def sentence(memory: Memory) -> Walk:
    ada = memory.agent("ada", user="tuff")
    ada.remember("I like tea")
    return lambda: ada.remember("I live in Lisbon now")


def question(memory: Memory) -> Walk:
    ada = memory.agent("ada", user="tuff")
    ada.remember_many(["I live in Porto", "I like tea", "Vera is my sister"])
    ada.context(QUESTION)
    return lambda: ada.context(QUESTION)


def policy_change(memory: Memory) -> Walk:
    memory.agent("ada", user="tuff").remember("I like tea")
    admin, council = memory.admin("root"), memory.council("ines")

    def change() -> None:
        policy = Policy(governance=Governance(user_direct=True))
        request = admin.request_policy(policy, agent="ada", reason="a person may decide alone")
        council.approve(request)
        admin.apply_policy(request)

    return change


WALKS: dict[str, tuple[str, Callable[[Memory], Walk]]] = {
    "A sentence": ('`agent.remember("I live in Lisbon now")`', sentence),
    "A question": (f'`agent.context("{QUESTION}")`', question),
    "A policy change": (
        "`admin.request_policy(…)`, the council's `approve`, and `admin.apply_policy`",
        policy_change,
    ),
}


def passed(walk: Walk) -> list[str]:
    """The files of the package whose code runs, in the order in which it first does."""
    seen: dict[str, None] = {}

    def heard(frame: FrameType, event: str, arg: Any) -> None:  # noqa: ANN401
        del arg
        if event == "call":
            seen.setdefault(frame.f_code.co_filename)

    sys.setprofile(heard)
    try:
        walk()
    finally:
        sys.setprofile(None)
    paths = (Path(each) for each in seen)
    return [each.relative_to(SOURCE).as_posix() for each in paths if each.is_relative_to(SOURCE)]


def walked(prepare: Callable[[Memory], Walk]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder, muniment.open(Path(folder) / "memory") as memory:
        return passed(prepare(memory))


def says(path: str) -> str:
    text = ast.get_docstring(ast.parse((SOURCE / path).read_text("utf-8"))) or ""
    return " ".join(text.partition("\n\n")[0].split())


def page() -> str:
    parts = [HEAD]
    for title, (call, prepare) in WALKS.items():
        files = walked(prepare)
        rows = "\n".join(f"| `{each}` | {says(each)} |" for each in files)
        parts.append(
            f"## {title}\n\n{call}: {len(files)} files.\n\n| file | |\n|---|---|\n{rows}\n"
        )
    return "\n".join(parts)


if __name__ == "__main__":
    print(page(), end="")
