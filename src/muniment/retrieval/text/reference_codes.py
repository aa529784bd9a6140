"""Reference codes: "ORD-9999" is not answered by other codes of its kind.

"ORD-4711" and "ORD-9999" share most of their letters, and in every other way too the one is like
the other. So a text that names such a code has a word for its kind, "code of ord", which nobody
can spell; where a question names only codes that nobody has said, texts with others of their kind
are left out.
"""

from typing import Final, NamedTuple

from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.unicode14 import known

# Letters and a number, in one piece: "ORD-4711", "SUP-127"; not "COVID-19".
_CODE = lazy_pattern(r"\b([A-Z]{2,10})([-_/#])(\d{3,})\b")
_JOINTS: Final = "-_/#"


class Code(NamedTuple):
    kind: str  # the word for all of its kind
    spelled: tuple[str, ...]  # words that a text has which names this one, in one piece or not


def find_codes(text: str) -> tuple[Code, ...]:
    """The codes of a text, in order."""
    if not any(joint in text for joint in _JOINTS):
        return ()  # most texts, and nearly all questions
    return tuple(
        Code(f"code of {letters.lower()}", (number, f"{letters}{joint}{number}".lower()))
        for letters, joint, number in _CODE.findall(known(text))
    )
