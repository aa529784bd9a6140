"""Correction words: what somebody begins with who takes back what they have just said.

"No sorry, 14:30" names nothing of "The sprint review is Thursdays at 14:00": that it follows
directly is all that tells what it corrects. Some of these words always correct; others also
refuse, greet or regret, and correct only before a name or a number.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from muniment.model.languages.relation_words import NO_NAME

LETTERS_MAX: Final = 80  # who says more says what it is about
WORDS_MAX: Final = 6  # behind such a word
SPACELESS_MAX: Final = 14  # letters, where no spaces part words
TAKING_BACK: Final = r"(?:no,? )?(?:scratch|strike|make) that"  # names what it is about: "that"
# Who has a subject and a verb says what it is about: "Correction, the rent is 950".
TELLING: Final = frozenset(
    word
    for row in (
        "i i'm i've we we're you he she they it's is isn't are was were has have had lives works",
        "ich wir er sie es ist sind war waren hat haben je j'ai nous il elle est sont était a ont",
        "yo es está son era tiene vive io è sono era ha vive eu é está são era tem vive mora",
        "ik wij hij zij is zijn was heeft woont ja on ona jest są był była ma я мы он она есть был",
        "была живёт είμαι είναι ήταν έχει",
    )
    for word in row.split()
)
ALWAYS: Final = (
    r"i meant?|i meant to say|what i meant|correction|no,? sorry",
    r"no,? wait|wait,? no|no,? hang on|hang on|hold on|my mistake|my bad|i misspoke",
    r"that'?s wrong|or rather",
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
    back, always, sometimes, spaceless = _patterns()
    if back.match(plain):
        return True
    if begun := spaceless.match(plain):
        return len(plain) - begun.end() <= SPACELESS_MAX
    if begun := always.match(plain):
        return _is_part(_words(plain[begun.end() :]))
    begun = sometimes.match(plain)
    words = _words(plain[begun.end() :]) if begun else []
    return _is_part(words) and any(map(_names_or_counts, words))


def _words(rest: str) -> list[str]:
    return [word.strip(".,;:!()\"'") for word in rest.split()]


def _is_part(words: Sequence[str]) -> bool:
    """Whether these are part of a sentence, whose subject and verb stand elsewhere."""
    return 0 < len(words) <= WORDS_MAX and TELLING.isdisjoint(map(str.casefold, words))


def _names_or_counts(word: str) -> bool:
    return any(map(str.isdigit, word)) or (word[:1].isupper() and word not in NO_NAME)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    ends = r"(?:[,.;:!\u2013\u2014-]+\s*|\s+|$)"
    begins = (TAKING_BACK, "|".join(ALWAYS), "|".join(SOMETIMES))
    spaced = (re.compile(rf"(?:{each}){ends}", re.IGNORECASE) for each in begins)
    return (*spaced, re.compile("|".join(SPACELESS)))
