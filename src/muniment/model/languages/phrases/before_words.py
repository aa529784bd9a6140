"""Before words: by which a question asks for what was so before it changed.

"Where did I live before Aveiro?" names where somebody lives now, and asks for where they lived
then. "My old boss" and "the previous address" name nothing at all of what they ask for.
"""

import re
from functools import cache
from typing import Final

# By the language that a question is in. "Vor drei Wochen" is a time, "vor Erfurt" is none.
WORDS: Final = {
    "English": (
        r"\b(?:before|prior to|previous(?:ly)?|former(?:ly)?|preceding|used to|(?:my|our) old"
        r"|(?:my|our) last (?:job|employer|company|boss|manager|address|flat|apartment|home|house"
        r"|car|phone|laptop|bank|doctor|dentist))\b"
    ),
    "German": (
        r"\bvor(?=(?: de[mnr]| meine[mnr]| unsere[mnr])? (?-i:[A-ZÄÖÜ]))"
        r"|\b(?:vorher|zuvor|davor|früher\w*|vorig\w+|vorherig\w+|ehemalig\w+"
        r"|(?:mein|unser)(?:e[mnrs]?)? alte[mnrs]?)\b"
    ),
    "French": r"\b(?:avant|auparavant|précédente?s?|ancien(?:ne)?s?)\b",
    "Spanish": r"\b(?:antes|anterior(?:es)?|antigu[oa]s?|previ[oa]s?)\b",
    "Portuguese": r"\b(?:antes|anterior(?:es)?|antig[oa]s?)\b",
    "Italian": r"\b(?:prima|precedent[ei]|vecchi[oae]?|in passato)\b",
    "Dutch": r"\bvoor(?=(?: de| het| mijn)? (?-i:[A-Z]))|\b(?:vorige|eerder|voorheen|vroeger)\b",
    "Russian": r"\bдо(?= (?-i:[А-ЯЁ]))|\b(?:раньше|прежде|прежн\w+|предыдущ\w+|бывш\w+)\b",
    "Greek": r"\b(?:πριν|προηγούμεν\w+|παλι(?:ός|ά|ό)\w*)\b",
    "Hindi": r"पहले|पिछल[ाीे]",
    "Arabic": r"قبل|سابقا|السابقة?",
    "Chinese": r"之前|以前|原来|从前|前任",
    "Japanese": r"以前|の前|前の|かつて",
    "Korean": r"전에|이전|예전",
}


def asks_before(language: str, text: str) -> bool:
    """Whether a question in a language is for what was so before something changed."""
    pattern = _pattern(language)
    return pattern is not None and pattern.search(text) is not None


@cache
def _pattern(language: str) -> re.Pattern[str] | None:
    return re.compile(WORDS[language], re.IGNORECASE) if language in WORDS else None
