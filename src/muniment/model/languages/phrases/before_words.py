"""Before words: by which a question asks for what was so before it changed.

"Where did I live before Aveiro?" names where somebody lives now, and asks for where they lived
then. "My old boss" and "the previous address" name nothing at all of what they ask for. What is to
be done before Friday is none of it: "before" asks for what was only beside a verb of the past.
"""

import re
from functools import cache
from typing import Final

# By the language that a question is in, what says by itself that something was so.
FORMER: Final = {
    "English": (
        r"\b(?:previous(?:ly)?|former(?:ly)?|used to|(?:my|our) old"
        r"|(?:my|our) last (?:job|employer|company|boss|manager|address|flat|apartment|home|house"
        r"|car|phone|laptop|bank|doctor|dentist))\b"
    ),
    "German": r"\b(?:früher\w*|ehemalig\w+|vorherig\w+|(?:mein|unser)(?:e[mnrs]?)? alte[mnrs]?)\b",
    "French": r"\b(?:auparavant|précédente?s?|ancien(?:ne)?s?)\b",
    "Spanish": r"\b(?:anterior(?:es)?|antigu[oa]s?)\b",
    "Portuguese": r"\b(?:anterior(?:es)?|antig[oa]s?)\b",
    "Italian": r"\b(?:precedent[ei]|vecchi[oae]?|in passato)\b",
    "Dutch": r"\b(?:vorige|voorheen|vroeger)\b",
    "Russian": r"\b(?:раньше|прежн\w+|предыдущ\w+|бывш\w+)\b",
    "Greek": r"\b(?:προηγούμεν\w+|παλι(?:ός|ά|ό)\w*)\b",
    "Hindi": r"पिछल[ाीे]",
    "Arabic": r"سابقا|السابقة?",
    "Chinese": r"原来|从前|前任|以前",
    "Japanese": r"以前|かつて|前の(?=\w)",
    "Korean": r"이전|예전",
}
# What does so beside a verb of the past. "Vor drei Wochen" is a time, "vor Erfurt" is none.
BEFORE: Final = {
    "English": r"\b(?:before|prior to)\b",
    "German": (
        r"\bvor(?=(?: de[mnr]| meine[mnr]| unsere[mnr])? (?-i:[A-ZÄÖÜ]))|\b(?:vorher|zuvor)\b"
    ),
    "French": r"\bavant\b",
    "Spanish": r"\bantes\b",
    "Portuguese": r"\bantes\b",
    "Italian": r"\bprima\b",
    "Dutch": r"\bvoor(?=(?: de| het| mijn)? (?-i:[A-Z]))|\beerder\b",
    "Russian": r"\bдо(?= (?-i:[А-ЯЁ]))",
    "Greek": r"\bπριν\b",
    "Hindi": r"पहले",
    "Arabic": r"قبل",
    "Chinese": r"之前",
    "Japanese": r"の前|前は",
    "Korean": r"전에",
}
PAST: Final = {
    "English": r"\b(?!(?:need|feed|speed)\b)(?:was|were|did|had|got|took|went|came|\w{2,}ed)\b",
    "German": r"\b(?:war|waren|hatten?|wurden?|(?:habe|haben|hat|bin|ist)\b.*\bge?\w{3,}(?:t|en)"
    r"|\w{3,}te)\b",
    "French": (
        r"\b(?!jamais)\w{2,}(?:ais|ait|aient|ions)\b|\b(?:ai|avons|a)[ -](?:je|nous|t-)|\bai\b"
    ),
    "Spanish": (
        r"\b(?:\w{2,}(?:aba|abas|ábamos|ía|ías|íamos|iste|aste)|\w{3,}[éó]|eras?|eran|fu[ei])\b"
    ),
    "Portuguese": r"\b(?:\w{2,}(?:ava|avas|ia|ias|ei|ou)|era|eram|foi|fui|tinha)\b",
    "Italian": r"\b(?:\w{2,}(?:av|ev|iv)[oia]|er[oia]|ho|abbiamo|avev\w+)\b",
    "Dutch": r"\b(?:was|waren|had|hadden|\w{3,}[dt]en?|ge\w{3,}[dt])\b",
    "Russian": r"\b\w{2,}(?:л|ла|ло|ли|лся|лась)\b",
    "Greek": r"\b(?:ήταν|είχα|έ\w+[αε]|ζούσα|\w+(?:ούσα|ούσε|ιζα|ιζε))\b",
    "Hindi": r"था|थी|थे",
    "Arabic": r"كنت|كان",
    "Chinese": r"^(?!.*(?:要|必须|得|应该|需要))",
    "Japanese": r"(?:た|だ)(?:[。、!?？\s]|$|の|か)",
    "Korean": r"[았었했였갔왔됐샀봤났랐렸졌켰썼잤탔]",
}


def asks_before(language: str, text: str) -> bool:
    """Whether a question in a language is for what was so before something changed."""
    return _has(FORMER, language, text) or (
        _has(BEFORE, language, text) and _has(PAST, language, text)
    )


def looks_ahead(language: str, text: str) -> bool:
    """Whether all that it says of then is what comes first of what is to be."""
    beside = _has(FORMER, language, text) or _has(PAST, language, text)
    return _has(BEFORE, language, text) and not beside


def _has(table: dict[str, str], language: str, text: str) -> bool:
    return language in table and _pattern(table[language]).search(text) is not None


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)
