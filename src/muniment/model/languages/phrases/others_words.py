"""Others' words: whether a sentence is of somebody else than whoever says it.

"My son is allergic to milk" does not answer what I am allergic to, and neither does "Tom is". Who
is kin, a friend or a pet is in the table of each language; here is how a sentence begins that is of
them, and what a question says that asks for them without naming one.
"""

import re
from functools import cache
from typing import Final

from muniment.model.languages.language_table import Language
from muniment.model.languages.relation_words import NO_NAME

# What people do, and a meeting does not.
_DOES: Final = (
    "is allergic|likes|loves|hates|prefers|enjoys|plays|supports|wears|takes|eats|drinks|drives"
    "|speaks|lives|works|studies|teaches|owns|smokes|wants|collects|reads|grew up|is afraid"
    r"|is from|is a|is an|is \d+|has (?:a|an|two|three|four|five) \w+"
)
# How a sentence begins that is of one of them; "#" stands for the words of kin.
BEGINS: Final = {
    "English": (
        r"(?:my|our) (?:\w+ )??(?:#|sons|daughters|kids?|children|parents|roommate|flatmate"
        r"|housemate|cleaner|nanny|babysitter|assistant|intern|trainer|coach|tenant|lodger)s?\b"
        r"|(?:a|one) (?:friend|colleague|cousin|neighbour|neighbor)s? of (?:mine|ours)\b"
        r"|(?:he|she|they|someone|somebody)\b"
        r"|(?P<name>(?-i:[A-Z][a-z]+))(?: (?-i:[A-Z][a-z]+))?(?:, (?:my|our|an?) \w+,)?"
        rf"(?: (?:{_DOES})\b|['\u2019]s (?!(?:going|been|on|at|in|over)\b))"
    ),
    "German": r"(?:meine?|unsere?) (?:\w+ )??(?:#|söhne|töchter|kinder|eltern)\b",
    "French": r"(?:mon|ma|mes|notre|nos) (?:#|enfants|parents|filles)\b",
    "Spanish": r"(?:mi|mis|nuestr[oa]s?) (?:#|hijos|hijas|padres)\b",
    "Italian": r"(?:(?:il|la|i|le) )?(?:mi[oae]|miei|nostr[oaie]) (?:#|figli|figlie|genitori)\b",
    "Portuguese": r"(?:[oa]s? )?(?:meus?|minhas?|noss[oa]s?) (?:#|filhos|filhas|pais)\b",
    "Dutch": r"(?:mijn|m'n|onze|ons) (?:#|zonen|dochters|kinderen|ouders)\b",
    "Russian": r"(?:мо[йяи]|наш[аи]?) (?:#|дети|родители)(?!\w)",
    "Greek": r"(?:ο|η|το|οι|τα) (?:#|παιδιά|γονείς) μου\b",
    "Arabic": r"(?:#)(?!\w)",
    "Hindi": r"(?:मेर[ाीे]|हमार[ाीे]) (?:#|बच्चे|माता-पिता)",
    "Chinese": r"(?:我们?|咱们?)的?(?:#|孩子|父母)",
    "Japanese": r"(?:(?:私|僕|俺|うち)の)?(?:#|子供|両親)(?:は|が)",
    "Korean": r"(?:(?:제|내|우리) ?)?(?:#|아이|부모님)(?:은|는|이|가)",
}
# What asks for some of them, beside the words for one.
ASKED: Final = (
    r"\b(?:sibling|famil|kid|child|parent|relative|spouse|married|pet|animal|household|famill"
    r"|geschwister|kinder|eltern|verwandt|verheiratet|haustier|enfant|parent|animaux|marié"
    r"|herman|hij[oa]s|padres|casad|mascota|fratell|sorell|figl|genitori|sposat|irmã|filh|pais\b"
    r"|kinderen|ouders|gezin|getrouwd|huisdier)|семь|дет[еи]|родител|замужем|женат|οικογ|παιδι"
    r"|家人|孩子|兄弟|姐妹|父母|结婚|宠物|家族|子供|両親|結婚|ペット|가족|아이|부모|결혼|عائل|أطفال"
    r"|परिवार|बच्च"
)


def begins_with_another(language: Language, text: str) -> re.Match[str] | None:
    """How a text begins that is of somebody else; a name is none that is an everyday word."""
    pattern = _begins(language.name, _words(language)) if language.relations else None
    found = pattern.match(text.strip()) if pattern else None
    return None if found and found.groupdict().get("name") in NO_NAME else found


def asks_for_others(language: Language, text: str) -> bool:
    """Whether a question names or means somebody's kin."""
    if _asked().search(text):
        return True
    words = _words(language) if language.relations else ""
    return bool(words) and _any(words, spaced=language.gap == " ").search(text) is not None


def _words(language: Language) -> str:
    assert language.relations
    return "|".join(language.relations.kin.values())


@cache
def _begins(name: str, words: str) -> re.Pattern[str] | None:
    begins = BEGINS.get(name, "").replace("#", words)
    return re.compile(begins, re.IGNORECASE) if begins else None


@cache
def _any(words: str, *, spaced: bool) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words})" if spaced else words, re.IGNORECASE)


@cache
def _asked() -> re.Pattern[str]:
    return re.compile(ASKED, re.IGNORECASE)
