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

# A name at the beginning, in scripts that have capitals, and what people do and a meeting does not.
NAME: Final = r"(?-i:[A-ZÀ-ÖØ-ÞĀ-ŽΑ-ΩА-ЯЁ][^\W\d_]+)"
DOES: Final = {
    "English": (
        "is allergic|likes|loves|hates|prefers|enjoys|plays|supports|wears|takes|eats|drinks"
        "|drives|speaks|lives|works|studies|teaches|owns|smokes|wants|collects|reads|grew up"
        r"|is afraid|is from|is an?|is \d+|has (?:an?|two|three|four|five) \w+"
    ),
    "German": (
        r"ist (?:\d+|gegen|allergisch|aus)|mag|liebt|hasst|bevorzugt|spielt|trägt|nimmt|isst"
        "|trinkt|fährt|spricht|wohnt|lebt|arbeitet|studiert|unterrichtet|raucht|liest|sammelt"
    ),
    "French": (
        r"est (?:allergique|née?)|a \d+ ans|habite|vit|travaille|joue|préfère|déteste|mange|boit"
        "|conduit|parle|étudie|porte|prend|fume|aime"
    ),
    "Spanish": (
        r"es alérgic[oa]|tiene \d+|vive|trabaja|toca|juega|prefiere|odia|come|bebe|conduce|habla"
        "|estudia|lleva|toma|usa|fuma"
    ),
    "Italian": (
        r"è allergic[oa]|ha \d+ anni|vive|abita|lavora|suona|gioca|preferisce|odia|mangia|beve"
        "|guida|parla|studia|porta|prende|fuma"
    ),
    "Portuguese": (
        r"é alérgic[oa]|tem \d+ anos|mora|vive|trabalha|toca|joga|prefere|odeia|come|bebe|conduz"
        "|dirige|fala|estuda|usa|toma|fuma"
    ),
    "Dutch": (
        r"is (?:\d+|allergisch)|woont|werkt|speelt|houdt|haat|eet|drinkt|rijdt|spreekt|studeert"
        "|draagt|neemt|rookt"
    ),
    "Russian": (
        "живёт|живет|работает|играет|любит|ненавидит|ест|пьёт|водит|говорит|учится|носит"
        "|принимает|курит"
    ),
    "Greek": "μένει|δουλεύει|παίζει|προτιμά|τρώει|πίνει|οδηγεί|μιλάει|σπουδάζει|φοράει|καπνίζει",
}
# "My doctor appointment" is no doctor.
_THING: Final = (
    r"(?:appointments?|visits?|food|toys?|school|class|lessons?|party|wedding|birthday party"
    r"|meetings?|reviews?|calls?|insurance|bills?|fees?|subscription|sitter|house|room|bed)\b"
)
# How a sentence begins that is of one of them; "#" stands for the words of kin.
BEGINS: Final = {
    "English": (
        r"(?:my|our) (?:\w+ )??(?:#|sons|daughters|kids?|children|parents|roommate|flatmate"
        r"|housemate|cleaner|nanny|babysitter|assistant|intern|trainer|coach|tenant|lodger)s?\b"
        rf"(?! (?:\w+ )?{_THING})"
        r"|(?:a|one) (?:friend|colleague|cousin|neighbour|neighbor)s? of (?:mine|ours)\b"
        rf"|(?:he|she|they|someone|somebody)\b|(?P<whose>{NAME})['\u2019]s "
        r"(?!(?:going|been|on|at|in|over)\b)"
    ),
    "German": (
        r"(?:meine?|unsere?) (?:\w+ )??(?:#|söhne|töchter|kinder|eltern)\b|(?:er|jemand)\b"
        r"|(?P<whose>(?-i:[A-ZÄÖÜ][a-zäöüß]+))s (?=Lieblings|Geburtstag|Nummer|Adresse|Name)"
    ),
    "French": r"(?:mon|ma|mes|notre|nos) (?:#|enfants|parents|filles)\b|(?:il|elle|ils|elles) ",
    "Spanish": r"(?:mi|mis|nuestr[oa]s?) (?:#|hijos|hijas|padres)\b|(?:él|ella|ellos|ellas) ",
    "Italian": (
        r"(?:(?:il|la|i|le) )?(?:mi[oae]|miei|nostr[oaie]) (?:#|figli|figlie|genitori)\b"
        "|(?:lui|lei|loro) "
    ),
    "Portuguese": (
        r"(?:[oa]s? )?(?:meus?|minhas?|noss[oa]s?) (?:#|filhos|filhas|pais)\b|(?:eles?|elas?) "
    ),
    "Dutch": r"(?:mijn|m'n|onze|ons) (?:#|zonen|dochters|kinderen|ouders)\b|(?:hij|zij) ",
    "Russian": rf"(?:мо[йяи]|наш[аи]?) (?:#|дети|родители)(?!\w)|(?:он|она|они) |у {NAME} ",
    "Greek": r"(?:ο|η|το|οι|τα) (?:#|παιδιά|γονείς) μου\b",
    "Arabic": r"(?:#)(?!\w)",
    "Hindi": r"(?:मेर[ाीे]|हमार[ाीे]) (?:#|बच्चे|माता-पिता)",
    "Chinese": (
        r"(?:我们?|咱们?)的?(?:#|孩子|父母)|[他她]|[小老阿][\u4e00-\u9fff]{1,2}(?=[对喜住在是有吃喝用])"
    ),
    "Japanese": (
        r"(?:(?:私|僕|俺|うち)の)?(?:#|子供|両親)(?:は|が)|彼女?は|\w{1,6}(?:さん|くん|ちゃん|君|様)[はが]"
    ),
    "Korean": r"(?:(?:제|내|우리) ?)?(?:#|아이|부모님)(?:은|는|이|가)|\w{2,4}씨[는가]",
}
# What asks for some of them, beside the words for one.
ASKED: Final = (
    r"\b(?:siblings?|famil(?:y|ies|ia|ias|ie|ien)|familles?|famiglia|família|kids?|child(?:ren)?"
    r"|parents?|relatives?|spouse|married|pets?|animals?|household|geschwister|kinder|eltern"
    r"|verwandte?n?|verheiratet|haustiere?|enfants?|animaux|mariée?|herman[oa]s?|hij[oa]s?|padres"
    r"|casad[oa]|mascotas?|fratelli|sorelle|figli[oae]?|genitori|sposat[oa]|irmã(?:os|s)?|filh[oa]s?"
    r"|pais|kinderen|ouders|gezin|getrouwd|huisdier(?:en)?)\b|семь|дет[еи]|родител|замужем|женат|οικογ|παιδι"
    r"|家人|孩子|兄弟|姐妹|父母|结婚|宠物|家族|子供|両親|結婚|ペット|가족|아이|부모|결혼|عائل|أطفال"
    r"|परिवार|बच्च"
)


def begins_with_another(language: Language, text: str) -> re.Match[str] | None:
    """How a text begins that is of somebody else; a name is none that is an everyday word."""
    pattern = _begins(language.name, _words(language)) if language.relations else None
    found = pattern.match(text.strip()) if pattern else None
    named = found.groupdict() if found else {}
    return None if NO_NAME.intersection(filter(None, named.values())) else found


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
    begins = [each.replace("#", words) for each in (BEGINS.get(name),) if each]
    if name in DOES:
        article = r"(?:[oa] )?" if name == "Portuguese" else ""
        who = rf"{article}(?P<name>{NAME})(?: {NAME})?(?:, \w+ \w+,)?"
        begins.append(rf"{who} (?:{DOES[name]})(?!\w)")
    return re.compile("|".join(begins), re.IGNORECASE) if begins else None


@cache
def _any(words: str, *, spaced: bool) -> re.Pattern[str]:
    words = re.sub(r"\[\w+\](?=\||$)", r"\\w{0,3}", words)  # a question has other endings
    whole = rf"(?<!\w)(?:{words})(?:s|es|e?n)?(?!\w)"  # "son" is in "song"
    return re.compile(whole if spaced else words, re.IGNORECASE)


@cache
def _asked() -> re.Pattern[str]:
    return re.compile(ASKED, re.IGNORECASE)
