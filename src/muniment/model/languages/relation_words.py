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
# What stands before the name of somebody, and is a part of it; with a dot it ends no name.
TITLES: Final = (
    "Dr|Dra|Prof|Mr|Mrs|Ms|Miss|Mme|Mlle|Herr|Hr|Frau|Fr|Sr|Sra|Señor|Señora|Signor|Signora|Sig"
    "|Dott|Monsieur|Madame|Mevr|Dhr|dhr|mevr|mw|Rev|Sir|Doctor|Professor|Capt|Sgt"
)
DOTTED: Final = rf"(?<!\w)(?:{TITLES}|St|Ste|Mt|Ft|Sta|{_CAPITAL})\.\s"
POSSESSIVE: Final = r"(?:'s|’s)"
IS: Final = "is|ist|est|es|è|é|είναι|—|-"
# "The office of Siemens is in Munich": the noun, of, stands, in.
OFFICE_OF: Final = (
    r"(?i:office|headquarters|büro|sitz|bureau|siège|oficina|sede|kantoor)s?",
    r"(?i:of|von|de|di|van)",
    r"(?i:is|are|ist|liegt|est|está|è|fica)",
    r"(?i:in|à|en|a|em)",
)
# What is asked or supposed.
NOT_TOLD: Final = r"[?？؟]\s*$|^(?:if|suppose|imagine|wenn|falls|si|se|als|если|αν)\b"
# What denies. Only what stands at a relation denies that one, and so ends what was told before.
DENIED: Final = (
    r"\b(?:do|does|did)(?:n['’]t| not)\b|n['’]t\b|\bn['’](?=[haeé])|\b(?:no longer|not|never"
    r"|nicht mehr|nicht|kein|keine|ne|pas|jamais|nunca|(?-i:mai)|ya no|já não|non|não|niet meer"
    r"|niet|больше не|уже не|не|δεν|δε)\b|\bno(?= (?:viv|trabaj|me mud|es\b|está))"
    r"|(?<!\w)(?:لم تعد|لم يعد|لم أعد|لا|لم|لست|ليست)(?!\w)|不再?(?=[住在是])|没有?(?=[住在搬])"
    r"|ません|ない|더 이상|않|안 (?=[살일])|नहीं"
)
# Words beside it that stand between the others of a relation: "arbeitet nicht mehr bei".
BESIDE_DENIED: Final = (
    r"\b(?:any ?more|mehr|plus|más|più|mais|meer|больше|уже|πια)\b|(?<!\w)अब(?!\w)"
    r"|已经|了(?=\W*$)"
)
# One of these is in every text in ASCII, in small letters, that denies or tells of what was.
MAY_DENY: Final = (
    r"n'|\b(?:no(?:t|n)?\b|ne\b|nev|nich|niet|nunca|kein|pas\b|jamais|mai\b|used to|former|previous"
    r"|w(?:as|ere) (?:liv|work)|ex|ehemal|ancien|antig|voormal)"
)
# Which of the verbs of ending in the tables part people, of folded texts.
SEVERED: Final = (
    r"\b(?:broke|broken|split) |parted ways|divor[cz]|fell out with|falling out with|\bdumped|romp"
    r"|rotto con|separ|termin\w+ co[nm]|расстал|развел|χωρισ|getrennt|geschieden|schluss mit"
    r"|gescheiden|uit elkaar|分手|[离離]婚|別れ|離婚|헤어|انفصل|طلق|से अलग"
)
DIED: Final = (
    r"\bdied|passed away|\bdead\b|gestorben|verstorben|\btot\b|\bmort[eoa]?\b|\bmurio|muert"
    r"|falleci|nos dejo|morreu|faleceu|overleden|\bdood\b|умер|скончал|πεθανε|توفي|مات"
    r"|去世|死|亡くな"
    r"|죽었|돌아가|गुजर|मर ग"
)
# And which part somebody from an animal.
GIVEN_AWAY: Final = (
    r"\bsold|\bgave|\bgiven|\bgiving|\bdonated|\blost|ran (?:off|away)|flew (?:off|away)|escaped"
    r"|disappeared|went missing|rid of|\bput (?:down|to sleep)|verkauf|weggegeben|verschenkt"
    r"|entlaufen"
    r"|weggelaufen|ausgerissen|abgehauen|verschwunden|verloren|eingeschlafert|vend|regal|\bperd"
    r"|escap|se fue|desapareci|verkocht|\bweg\b|продал|убежал|сбежал|пропал|πουλησα"
    r"|εφυγε|بعت"
    r"|[卖賣]|走了|[没沒]了|不在了|売|手放|譲|いなくな|팔았|बेच"
)
# Verbs of ending that are done with an employer or a place which stays what it is.
NO_PARTING: Final = r"return|called|\bput\b|pulled|\blost\b|\bsent\b|wrote|перестал|too \w+|\boff\b"
# What a sentence begins with that says of somebody else what it says.
SOMEBODY: Final = (
    r"^\W*(?:(?:she|he|they|sie|er|elle|elles|ils|ella|él|ellos|lei|lui|ela|ele|zij|hij|она|он|αυτή"
    r"|αυτός)\b|她|他|彼女|彼は|그녀|그는|هي |هو |वह )"
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
# And words that ask for one.
_WHO: Final = "who wer qui quién quien chi quem кто ποιος ποια من कौन 谁 誰 누구"
ASKS_WHO: Final = NAMING | frozenset(_WHO.split())
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


class RelationEnds(msgspec.Struct, frozen=True, kw_only=True):
    """How one language says that kin, work or a home is over."""

    # One of them is in every text in which one of the others may find something.
    signs: str = ""
    worked_at: str = ""
    lived_in: str = ""
    own_worked: str = ""
    own_lived: str = ""
    jobless: str = ""  # behind whoever has no work any more
    own_jobless: str = ""
    parted: str = ""  # of whoever speaks, from a partner
    former: str = ""  # beside any relation that was; `<kin>` is one of the kin words


class Marriage(msgspec.Struct, frozen=True, kw_only=True):
    """How one language says that two are married."""

    signs: str = ""  # one of these is in every text in which one of the others may find something
    between: str = ""  # two names
    own: str = ""  # the same of whoever speaks, where no word for them is needed
    and_: str = ""  # between two names, behind which `are` says so of both
    are: str = ""


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
    married: Marriage = Marriage()
    articles: str = ""  # that may stand before a name
    over: RelationEnds = RelationEnds()


class RelationPhrases(msgspec.Struct, frozen=True, kw_only=True):
    """The phrases of one language without capitals, by relation; `<kin>` is one of the kin words.

    `name` is who or what somebody is related to; `who` is a name before the phrase, without which
    the user is meant. A relation that is said in two ways has two rows, `lives_in` and
    `lives_in/moved`.
    """

    kin: Mapping[str, str]
    phrases: Mapping[str, str]
    over: RelationEnds = RelationEnds()


# What stands before a kin word where names have no capitals, and says that it is one's own.
PLAIN_MINE: Final = r"我们?的?|私の|僕の|제\s?|내\s?|우리\s?|मेर[ीेा]\s?"
PLAIN_SELF: Final = frozenset({"我", "私", "저", "나", "मैं", "मैंने"})
# Whoever speaks, where a word with a capital before it looks like a name: "Actually I live in …".
CAPITAL_SELF: Final = frozenset({"I", "Ich", "Je", "Yo", "Io", "Eu", "Ik", "Я", "Εγώ"})
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
