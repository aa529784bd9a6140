"""Correction words: what somebody begins with who takes back what they have just said.

"No sorry, 14:30" names nothing of "The sprint review is Thursdays at 14:00": that it follows
directly is all that tells what it corrects. Some of these words always correct; others also
refuse, greet or regret, and correct only before a name or a number.
"""

import re
from functools import cache
from typing import Final

from muniment.model.languages.relation_words import NO_NAME

LETTERS_MAX: Final = 80  # who says more says what it is about
WORDS_MAX: Final = 6  # behind a word that does not always correct
ALWAYS: Final = (
    r"i meant?|i meant to say|what i meant|scratch that|make that|correction|no,? sorry",
    r"no,? wait|wait,? no|no,? hang on|hang on|hold on|my mistake|my bad|i misspoke",
    r"that'?s wrong|strike that|or rather",
    r"ich meine|ich meinte|gemeint war|quatsch|korrektur|moment|halt|stimmt nicht|nein,? sorry",
    r"nein,? entschuldigung|nein,? warte|ich hab mich vertan|besser gesagt|beziehungsweise",
    r"je voulais dire|je veux dire|non,? pardon|non,? attends|ou plutôt|je me suis trompée?",
    r"quería decir|quise decir|quiero decir|mejor dicho|ay no|no,? perdón|no,? perdona|no,? espera",
    r"me equivoqué|corrección|volevo dire|intendevo|anzi|no,? scusa|no,? aspetta|ho sbagliato",
    r"quer(?:ia)? dizer|quero dizer|ou melhor|aliás|não,? desculpa|não,? espera|enganei-me",
    r"ik bedoel(?:de)?|nee,? sorry|nee,? wacht|correctie|ik vergis me",
    r"chciał[ae]m powiedzieć|miał[ae]m na myśli|to znaczy|nie,? przepraszam|pomyłka|poprawka",
    r"я имела? в виду|то есть|вернее|точнее|ой,? нет|нет,? извини(?:те)?|нет,? прости(?:те)?",
    r"я ошибл(?:ась|ся)|оговорил(?:ась|ся)|поправка|εννοούσα|όχι,? συγγνώμη|διόρθωση|λάθος",
    r"أقصد|قصدت|تصحيح|لا,? عفوا|لا،? عفوا|मेरा मतलब|माफ़? कीजिए",
)
SOMETIMES: Final = (
    r"no|nope|nah|sorry|actually|pardon|oops|nein|ne|nee|doch|entschuldigung|non|perdón|perdona",
    r"scusa|não|desculpa|nie|przepraszam|нет|ой|извини(?:те)?|όχι|συγγνώμη|لا|عفوا|नहीं|माफ़",
)
# Scripts without spaces; nothing else stands directly behind these.
SPACELESS: Final = (
    r"[啊哦呃]?[,，]?(?:说错了|說錯了|不对|不對|我是说|我是說|更正|口误|搞错了)",
    r"あ?[、,]?(?:違う|違います|ちがう|間違えた|間違えました|訂正|いや|いえ)[、,。]",
    r"아니[,、 ]|아니다|정정|잘못 말했",
)


def is_bare(text: str) -> bool:
    """Whether a text begins by taking back what stood before it, and is short."""
    plain = text.strip()
    if len(plain) > LETTERS_MAX or plain.endswith(("?", "\uff1f")):
        return False
    always, sometimes = _patterns()
    if always.match(plain):
        return True
    begun = sometimes.match(plain)
    return begun is not None and _names_or_counts(plain[begun.end() :])


def _names_or_counts(rest: str) -> bool:
    words = [word.strip(".,;:!()\"'") for word in rest.split()]
    telling = (
        any(map(str.isdigit, word))
        or (word[:1].isupper() and word not in NO_NAME and word.partition("'")[0] not in NO_NAME)
        for word in words
    )
    return 0 < len(words) <= WORDS_MAX and any(telling)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    ends = r"(?:[,.;:!\u2013\u2014-]+\s*|\s+|$)"
    always = rf"(?:{'|'.join(ALWAYS)}){ends}|{'|'.join(SPACELESS)}"
    return (
        re.compile(always, re.IGNORECASE),
        re.compile(rf"(?:{'|'.join(SOMETIMES)}){ends}", re.IGNORECASE),
    )
