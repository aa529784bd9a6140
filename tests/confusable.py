"""Confusable names: pairs that a reader, a file, a protocol or a database may take for one."""

from typing import Final
from unicodedata import normalize

LONG: Final = "n" * 127  # as long as a name may be, but for its last letter
LONGER: Final = "n" * 255

PAIRS: Final[dict[str, tuple[str, str]]] = {
    "a capital": ("Otter", "otter"),
    "a space behind": ("otter ", "otter"),
    "a space before": (" otter", "otter"),
    "a dot behind": ("otter.", "otter"),
    "a dot before": (".otter", "otter"),
    "one space and two": ("otter  a", "otter a"),
    "percent encoding": ("otter a", "otter%20a"),
    "percent encoding, twice": ("otter%20a", "otter%2520a"),
    "percent encoding in small letters": ("otter%3aa", "otter%3Aa"),
    "a slash": ("otter/a", "otter%2Fa"),
    "a wide slash": ("otter/a", "otter\uff0fa"),
    "a backslash": ("otter\\a", "otter%5Ca"),
    "a folder above": ("otter/..", "otter"),
    "a way around": ("otter/../heron", "heron"),
    "this folder and the one above": (".", ".."),
    "a composed accent": ("ott\u00e9r", "otte\u0301r"),
    "an accent": ("ott\u00e9r", "otter"),
    "a ligature": ("o\ufb00er", "offer"),
    "full width": ("\uff4ftter", "otter"),
    "bold letters of mathematics": ("\U0001d428tter", "otter"),
    "no width": ("ot\u200bter", "otter"),
    "a joiner": ("ot\u200dter", "otter"),
    "a soft hyphen": ("ot\u00adter", "otter"),
    "a byte order mark": ("\ufeffotter", "otter"),
    "from right to left": ("\u202eotter", "otter"),
    "a variation selector": ("otter\ufe0f", "otter"),
    "an i without a dot": ("f\u0131sh", "fish"),
    "a capital i with a dot": ("F\u0130SH", "fish"),
    "a Cyrillic letter": ("\u043etter", "otter"),
    "a Greek letter": ("\u03bftter", "otter"),
    "a sharp s": ("gro\u00df", "gross"),
    "a long s": ("\u017fail", "sail"),
    "the sign of Kelvin": ("\u212aiwi", "Kiwi"),
    "digits of another script": ("otter\u0661", "otter1"),
    "a raised digit": ("otter\u00b9", "otter1"),
    "two that look empty": ("\u3164", "\u2800"),
    "nothing and a space": ("", " "),
    "a space that does not break": ("otter\u00a0a", "otter a"),
    "a wide space": ("otter\u3000a", "otter a"),
    "a line break": ("otter\n", "otter"),
    "a tab": ("otter\ta", "otter a"),
    "a zero byte": ("otter\x00a", "otter"),
    "a control sign": ("otter\x1fa", "ottera"),
    "a beginning": ("otter", "ottera"),
    "very long": (LONG + "a", LONG + "b"),
    "very long in another script": ("\u65e5" * 127 + "a", "\u65e5" * 127 + "b"),
    "very long when encoded": ("n" + " n" * 60 + "a", "n" + " n" * 60 + "b"),
    "alike in 255 bytes": (LONGER + "a", LONGER + "b"),
    "a colon": ("otter:a", "otter_a"),
    "the sign between a person and a session": ("otter~a", "otter%7Ea"),
    "the sign between a key and a person": ("otter@a", "otter%40a"),
    "a bar": ("otter|a", "otter%7Ca"),
    "a plus": ("otter+a", "otter a"),
    "a fragment": ("otter#a", "otter"),
    "a query": ("otter?a", "otter"),
    "a comma": ("otter,a", "otter"),
    "a quotation mark": ('otter"a', "otter'a"),
    "what a pattern of SQL means: one": ("otter_", "otterx"),
    "what a pattern of SQL means: many": ("otter%", "otterx"),
    "what a pattern of a shell means": ("otter*", "otterx"),
    "the word before a person": ("user_otter", "otter"),
    "the digits behind a person": ("otter-76b246c43303ec26", "otter"),
    "UTF-8 read as Latin-1": ("\u00c3\u00a9", "\u00e9"),
    "the marks of a namespace": ("\u2026", "."),
    "a list": ('["otter"]', "otter"),
}
NAMES: Final = tuple(dict.fromkeys(each for pair in PAIRS.values() for each in pair))
# Whom each is confused with.
TWINS: Final = {
    each: [other for pair in PAIRS.values() if each in pair for other in pair if other != each]
    for each in NAMES
}


def one_form(kind: str, each: str) -> str:
    """What two names have in common that are one by what is written down, and not by accident.

    An accent has one form in the whole product. Capitals make no two people of one, nor does the
    word that stands before them in a key (docs/decisions/0075). A path leads where it leads.
    """
    if "path" in kind and "/../" in each:
        each = each.rpartition("/")[2]
    composed = normalize("NFC", each)
    if "user" in kind:
        return normalize("NFC", composed.lower()).removeprefix("user_")
    return composed


def word(number: int) -> str:
    """A word that is in no language, and that no other holds."""
    letters, told = "bdfgklmnprstvz", ""
    for _ in range(4):
        number, which = divmod(number, len(letters))
        told += letters[which] + "aeou"[which % 4]
    return f"qu{told}x"


def sentence(told: str) -> str:
    """No two of these are told as the same thing."""
    return f"I prefer {told} {told[::-1]} tea of {told[3:]}{told[:5]}"
