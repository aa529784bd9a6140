"""What a question asks for: telling words, whom and when it names, and what a memory would say."""

import re
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from muniment.retrieval import dates, words

# Questions whose answer is a time.
_WHEN = re.compile(
    r"^\W*(?:(?:in|on|at|during|since|for|by|until) )?"
    r"(?:when\b|how long\b|how (?:many|much) (?:days|weeks|months|years|time)\b|"
    r"(?:what|which) (?:year|month|date|day|time|week)\b)",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:i|me|my|mine|myself)\b", re.IGNORECASE)
NAME_LETTERS_MIN: Final = 2

# Other words for a word, each with its closeness in millionths; an embedder may know some.
Kin = Callable[[str], Sequence[tuple[str, int]]]


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One question, analysed once; everything a ranking needs to know about it."""

    text: str
    words: tuple[str, ...] = ()  # stems that tell something, each once, in order
    kin: tuple[tuple[str, int], ...] = ()  # stems that mean nearly the same, and how nearly
    who: tuple[str, ...] = ()  # the speakers of the collection that it names
    meant: str = ""  # the question as its speaker would have said it: what to embed
    vector: bytes = b""  # int8 codes of `meant`
    named: tuple[dates.Named, ...] = ()
    spans: tuple[dates.Span, ...] = ()  # counted back from when it was asked
    wants_time: bool = False
    first_person: bool = False

    def with_vector(self, vector: bytes) -> "Asked":
        return msgspec.structs.replace(self, vector=vector)


def nothing_alike(word: str) -> Sequence[tuple[str, int]]:
    """For embedders that know no words."""
    del word
    return ()


def analyse(
    text: str, *, speakers: Sequence[str] = (), as_of: str = "", kin: Kin = nothing_alike
) -> Asked:
    """A pure function of the question, of who speaks in the collection, and of when it is asked."""
    who = tuple(name for name in speakers if _names(name, text))
    telling = _telling(text, who)
    stems = tuple(dict.fromkeys(map(words.stem, telling)))
    return Asked(
        text=text,
        words=stems,
        kin=_alike(telling, stems, kin),
        who=who,
        meant=_first_person(text, who),
        named=dates.named(text),
        spans=dates.counted_back(text, as_of),
        wants_time=bool(_WHEN.search(text)),
        first_person=bool(_FIRST_PERSON.search(text)),
    )


def _alike(telling: Sequence[str], stems: Sequence[str], kin: Kin) -> tuple[tuple[str, int], ...]:
    """What else could have been said instead; a word of the question itself counts already."""
    closest: dict[str, int] = {}
    for word in dict.fromkeys(telling):
        for other, closeness in kin(word):
            near = words.stem(other)
            if near not in stems:
                closest[near] = max(closest.get(near, 0), closeness)
    return tuple(closest.items())


def _telling(text: str, who: Sequence[str]) -> list[str]:
    """Words without function words and names of speakers; all of them if nothing else is left."""
    spelled = words.spelled(text)
    names = {part for name in who for part in words.spelled(name)}
    telling = [each for each in spelled if not words.is_stop(each) and each not in names]
    return telling or spelled


def _names(name: str, text: str) -> bool:
    return len(name) >= NAME_LETTERS_MIN and _pattern(name, "").search(text) is not None


def _first_person(text: str, who: Sequence[str]) -> str:
    """Whoever told it said "my dog", never "Ann's dog": so that is what to look for."""
    for name in who:
        text = _pattern(name, "['\u2019]s").sub("my", text)
        text = _pattern(name, "").sub("I", text)
    return text


def _pattern(name: str, ending: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}{ending}(?!\w)", re.IGNORECASE)
