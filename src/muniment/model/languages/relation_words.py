"""Relation words: how a language says kin, work and home, and what all of them share.

Where a name has capitals it is a run of such words, and phrases are made from a few words. Where
it has none, whole phrases say what stands around it.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

# A word of a name, and the small words between two of them.
_CAPITAL: Final = r"[A-ZÀ-ÖØ-ÞĀŁŚŠŽΑ-ΩΆ-ΏА-ЯЁ]"
NAME_WORD: Final = rf"{_CAPITAL}[\w'’&.-]*[\w]|{_CAPITAL}"
NAME_JOINTS: Final = r"(?:\s(?:de|da|di|do|van|von|der|den|la|le|el|al|bin))*"
POSSESSIVE: Final = r"(?:'s|’s)"
IS: Final = "is|ist|est|es|è|é|είναι|—|-"
# "The office of Siemens is in Munich": the noun, of, stands, in.
OFFICE_OF: Final = (
    r"(?i:office|headquarters|büro|sitz|bureau|siège|oficina|sede|kantoor)s?",
    r"(?i:of|von|de|di|van)",
    r"(?i:is|are|ist|liegt|est|está|è|fica)",
    r"(?i:in|à|en|a|em)",
)
# What is asked, supposed or denied.
NOT_TOLD: Final = (
    r"[?？؟]\s*$|^(?:if|suppose|imagine|wenn|falls|si|se|als|если|αν)\b"
    r"|\b(?:not|never|no longer|nicht|kein|keine|pas|jamais|nunca|mai|non|não|niet|не|δεν|δε)\b"
    r"|n['’]t\b|\bno (?:viv|trabaj|me mud)|\b(?:لا|لم|لست)\b"
    r"|不[住在]|没有?[住在搬]|ません|ない|않|안 [살일]|नहीं"
)
# Words that give a name and say nothing else of whoever has it.
NAMING: Final = frozenset(
    word
    for row in (
        "call called calls name named names goes answers heißt heißen heisst hört nennen nennt",
        "genannt gerufen namens name llama llamamos llamado nombre appelle appelé nom prénom",
        "chiama chiamato nome chama chamado heet heten naam genaamd зовут звать имя имени кличка",
        "кличке назвали λέγεται λένε λέω όνομα",
    )
    for word in row.split()
)
# What begins with a capital and names nobody, at the beginning of a sentence.
NO_NAME: Final = frozenset(
    word
    for row in (
        "I The A An This That It He She We They You Monday Tuesday Wednesday Thursday Friday",
        "Saturday Sunday January February March April May June July August September October",
        "November December Ich Der Die Das Er Sie Es Wir Je Il Elle Yo El Ella Io Lui Lei Eu Ele",
        "Ela Ik Hij Zij Я Он Она Today Yesterday Tomorrow Now Yes No And But So Well Also My Our",
        "O Os As La Le Les Los Las Una Un Mein Meine Ma Mon Mi Η Ο Το Οι",
    )
    for word in row.split()
)


class RelationWords(msgspec.Struct, frozen=True, kw_only=True):
    """The words of one language whose names have capitals."""

    i: str
    my: str
    my_behind: str = ""  # where the possessive follows the noun
    is_called: str  # between a kin word and a name
    kin: Mapping[str, str]
    works_at: str
    lives_in: str
    own_work: str = ""  # the same of whoever speaks, where no word for them is needed
    own_home: str = ""
    located_in: str = ""
    articles: str = ""  # that may stand before a name


class RelationPhrases(msgspec.Struct, frozen=True, kw_only=True):
    """The phrases of one language without capitals, by relation; `<kin>` is one of the kin words.

    `name` is who or what somebody is related to; `who` is a name before the phrase, without which
    the user is meant. A relation that is said in two ways has two rows, `lives_in` and
    `lives_in/moved`.
    """

    kin: Mapping[str, str]
    phrases: Mapping[str, str]


# What stands before a kin word where names have no capitals, and says that it is one's own.
PLAIN_MINE: Final = r"我们?的?|私の|僕の|제\s?|내\s?|우리\s?|मेर[ीेा]\s?"
PLAIN_SELF: Final = frozenset({"我", "私", "저", "나", "मैं"})
# What a question says for a relation that it goes on by: "my wife's employer".
HOP_NOUNS: Final[Mapping[str, str]] = {
    "works_at": (
        "employer|company|firm|workplace|work|works|job|Arbeitgeber|Firma|Arbeit|employeur|entreprise"
        "|empresa|empleador|datore di lavoro|azienda|empregador|werkgever|bedrijf|работодатель"
        "|компания|компании|εταιρεία|εργοδότης"
    ),
    "lives_in": "home|house|live|lives|city|town|wohnt|Stadt|ville|ciudad|città|cidade|stad|город",
    "located_in": (
        "office|headquarters|based|located|city|town|Büro|Sitz|Stadt|bureau|siège|ville|oficina|sede"
        "|ciudad|ufficio|città|escritório|cidade|kantoor|stad|офис|город|γραφείο"
    ),
}
