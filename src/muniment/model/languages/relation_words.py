"""Relation words: kin, work and home in nine languages whose names have capitals, as data.

A name is a run of words that begin with a capital, so the phrases are made from a few words.
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
    r"\?\s*$|^(?:if|suppose|imagine|wenn|falls|si|se|als|если|αν)\b|\b(?:not|never|no longer|nicht"
    r"|kein|keine|pas|jamais|nunca|mai|não|niet|не)\b|n['’]t\b"
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
    located_in: str = ""
    articles: str = ""  # that may stand before a name


KIN_EN: Final = {
    "wife": "wife",
    "husband": "husband",
    "partner": "partner|boyfriend|girlfriend|fiancée?|spouse",
    "mother": "mother|mom|mum",
    "father": "father|dad",
    "sister": "sister",
    "brother": "brother",
    "daughter": "daughter",
    "son": "son",
    "grandmother": "grandmother|grandma|granny",
    "grandfather": "grandfather|grandpa",
    "aunt": "aunt",
    "uncle": "uncle",
    "cousin": "cousin",
    "niece": "niece",
    "nephew": "nephew",
    "friend": "best friend|friend",
    "boss": "boss|manager",
    "colleague": "colleague|coworker|co-worker",
    "neighbour": "neighbour|neighbor",
    "doctor": "doctor|dentist|therapist",
    "teacher": "teacher",
    "pet": "dog|cat|pet|horse|puppy|kitten",
}

WORDS: Final[Mapping[str, RelationWords]] = {
    "English": RelationWords(
        i="I",
        my="my|our",
        is_called=r"(?:,|\s+(?:is|was)(?:\s+(?:called|named))?|'s\s+name\s+is|\s+named|\s+called)?",
        kin=KIN_EN,
        works_at=(
            r"(?:(?:still |now |currently )?work(?:s|ed|ing)?(?: as an? [a-z ]{2,30}?)? (?:at|for)"
            r"|joined|(?:is|am|are) employed (?:at|by)|got a job at|started (?:working )?at)"
        ),
        lives_in=(
            r"(?:(?:still |now |currently )?live(?:s|d)? in|liv(?:es|ing) in|moved to"
            r"|resides? in|relocated to)"
        ),
        located_in=(
            r"(?:(?:is|are) (?:based|located|headquartered|situated|in)(?: in)?"
            r"|has (?:its|their|an|the) (?:head |main )?(?:office|headquarters)s? in)"
        ),
    ),
    "German": RelationWords(
        i="[Ii]ch",
        my="mein|meine|meiner|meinem|meinen|unser|unsere|unserer",
        is_called=r"(?:,|\s+(?:ist|heißt|heisst|war))?",
        kin={
            "wife": "Frau|Ehefrau",
            "husband": "Mann|Ehemann",
            "partner": "Partner|Partnerin|Verlobte|Verlobter",
            "mother": "Mutter|Mama|Mutti",
            "father": "Vater|Papa|Vati",
            "sister": "Schwester",
            "brother": "Bruder",
            "daughter": "Tochter",
            "son": "Sohn",
            "grandmother": "Großmutter|Oma",
            "grandfather": "Großvater|Opa",
            "aunt": "Tante",
            "uncle": "Onkel",
            "cousin": "Cousin|Cousine",
            "niece": "Nichte",
            "nephew": "Neffe",
            "friend": "Freundin|Freund",
            "boss": "Chefin|Chef|Vorgesetzte",
            "colleague": "Kollegin|Kollege",
            "neighbour": "Nachbarin|Nachbar",
            "doctor": "Ärztin|Arzt|Zahnarzt|Zahnärztin",
            "teacher": "Lehrerin|Lehrer",
            "pet": "Hund|Katze|Hündin|Kater",
        },
        works_at=r"(?:arbeite[tn]?|arbeitet) (?:jetzt |nun )?(?:bei|für)",
        lives_in=r"(?:wohn(?:e|t|en)|leb(?:e|t|en)) (?:jetzt |nun )?in",
        located_in=r"(?:sitzt in|ist in|hat (?:seinen|ihren) (?:Haupt)?[Ss]itz in)",
    ),
    "French": RelationWords(
        i="[Jj]e|[Jj]'",
        my="mon|ma|notre",
        is_called=r"(?:,|\s+(?:est|s['’]appelle))?",
        kin={
            "wife": "femme|épouse",
            "husband": "mari|époux",
            "partner": "compagnon|compagne|copine|copain",
            "mother": "mère|maman",
            "father": "père|papa",
            "sister": "sœur|soeur",
            "brother": "frère",
            "daughter": "fille",
            "son": "fils",
            "grandmother": "grand-mère|mamie",
            "grandfather": "grand-père|papi",
            "aunt": "tante",
            "uncle": "oncle",
            "cousin": "cousine|cousin",
            "friend": "amie|ami",
            "boss": "chef|patron|patronne",
            "colleague": "collègue",
            "neighbour": "voisine|voisin",
            "pet": "chien|chienne|chat|chatte",
        },
        works_at=r"travaill(?:e|es|ent|ons) (?:chez|à|pour)",
        lives_in=r"(?:habit(?:e|ent|ons) à|vi(?:s|t|vent|vons) à)",
        located_in=r"(?:est (?:basée?|située?) à|a son siège à|se trouve à)",
    ),
    "Spanish": RelationWords(
        i="[Yy]o",
        my="mi|nuestro|nuestra",
        is_called=r"(?:,|\s+(?:es|se\s+llama))?",
        kin={
            "wife": "mujer|esposa",
            "husband": "marido|esposo",
            "partner": "pareja|novia|novio",
            "mother": "madre|mamá",
            "father": "padre|papá",
            "sister": "hermana",
            "brother": "hermano",
            "daughter": "hija",
            "son": "hijo",
            "grandmother": "abuela",
            "grandfather": "abuelo",
            "aunt": "tía",
            "uncle": "tío",
            "cousin": "prima|primo",
            "friend": "amiga|amigo",
            "boss": "jefa|jefe",
            "colleague": "colega|compañera|compañero",
            "neighbour": "vecina|vecino",
            "pet": "perra|perro|gata|gato",
        },
        works_at=r"trabaj(?:o|a|an|amos) (?:en|para)",
        lives_in=r"(?:viv(?:o|e|en|imos) en|me mudé a|se mudó a)",
        located_in=r"(?:está en|tiene su sede en)",
    ),
    "Italian": RelationWords(
        i="[Ii]o",
        my="mia|mio|nostra|nostro",
        is_called=r"(?:,|\s+(?:è|si\s+chiama))?",
        kin={
            "wife": "moglie",
            "husband": "marito",
            "partner": "compagna|compagno|ragazza|ragazzo",
            "mother": "madre|mamma",
            "father": "padre|papà",
            "sister": "sorella",
            "brother": "fratello",
            "daughter": "figlia",
            "son": "figlio",
            "grandmother": "nonna",
            "grandfather": "nonno",
            "aunt": "zia",
            "uncle": "zio",
            "cousin": "cugina|cugino",
            "friend": "amica|amico",
            "boss": "capo",
            "colleague": "collega",
            "neighbour": "vicina|vicino",
            "pet": "cane|gatto|gatta",
        },
        works_at=r"lavor(?:o|a|ano|iamo) (?:a|in|per|da|alla|presso)",
        lives_in=r"(?:viv(?:o|e|ono) a|abit(?:o|a|ano) a)",
        located_in=r"(?:ha sede a|si trova a|è a)",
    ),
    "Portuguese": RelationWords(
        i="[Ee]u",
        my="minha|meu|nossa|nosso",
        is_called=r"(?:,|\s+(?:é(?:\s+[ao])?|chama-se|se\s+chama))?",
        kin={
            "wife": "mulher|esposa",
            "husband": "marido|esposo",
            "partner": "namorada|namorado|companheira|companheiro",
            "mother": "mãe",
            "father": "pai",
            "sister": "irmã",
            "brother": "irmão",
            "daughter": "filha",
            "son": "filho",
            "grandmother": "avó",
            "grandfather": "avô",
            "aunt": "tia",
            "uncle": "tio",
            "cousin": "prima|primo",
            "friend": "amiga|amigo",
            "boss": "chefe",
            "colleague": "colega",
            "neighbour": "vizinha|vizinho",
            "pet": "cão|cachorro|cadela|gata|gato",
        },
        works_at=r"trabalh(?:o|a|am) (?:na|no|em|para a|para o|para)",
        lives_in=r"(?:mor(?:o|a|am)|viv(?:o|e|em)) (?:em|no|na)",
        located_in=r"(?:fica em|tem sede em)",
    ),
    "Dutch": RelationWords(
        i="[Ii]k",
        my="mijn|onze|ons",
        is_called=r"(?:,|\s+(?:is|heet))?",
        kin={
            "wife": "vrouw|echtgenote",
            "husband": "man|echtgenoot",
            "partner": "partner|vriendin|vriend",
            "mother": "moeder|mama",
            "father": "vader|papa",
            "sister": "zus|zusje",
            "brother": "broer|broertje",
            "daughter": "dochter",
            "son": "zoon",
            "grandmother": "oma",
            "grandfather": "opa",
            "aunt": "tante",
            "uncle": "oom",
            "cousin": "neef|nicht",
            "boss": "baas",
            "colleague": "collega",
            "neighbour": "buurman|buurvrouw",
            "pet": "hond|kat|poes",
        },
        works_at=r"werk(?:t|en)? (?:nu )?(?:bij|voor)",
        lives_in=r"(?:woon(?:t)?|wonen) (?:nu )?in",
        located_in=r"(?:zit in|is gevestigd in)",
    ),
    "Russian": RelationWords(
        i="[Яя]",
        my="мой|моя|мою|моего|мо[её]й|наш|наша|нашу",
        is_called=r"(?:,|\s+(?:зовут|—|-|это))?",
        kin={
            "wife": "жен[ау]|супруг[ау]",
            "husband": "муж|мужа|супруг",
            "mother": "мам[ау]|мать",
            "father": "пап[ау]|отец|отца",
            "sister": "сестр[ау]",
            "brother": "брат|брата",
            "daughter": "дочь|дочку|дочка",
            "son": "сын|сына",
            "grandmother": "бабушк[ау]",
            "grandfather": "дедушк[ау]",
            "aunt": "т[её]т[яю]",
            "uncle": "дяд[яю]",
            "friend": "подруг[ау]|друг|друга",
            "boss": "начальник|начальника|начальниц[ау]",
            "colleague": "коллег[ау]",
            "neighbour": "соседк[ау]|сосед|соседа",
            "pet": "собак[ау]|кошк[ау]|кот|кота",
        },
        works_at=r"работа(?:ю|ет|ем|ют) в",
        lives_in=r"жив(?:у|[её]т|[её]м|ут) в",
    ),
    "Greek": RelationWords(
        i="[Εε]γώ",
        my="",
        my_behind="μου|μας",
        is_called=r"(?:,|\s+(?:είναι|λέγεται|ονομάζεται))?",
        kin={
            "wife": "γυναίκα|σύζυγός|σύζυγος",
            "husband": "άντρας|άνδρας",
            "mother": "μητέρα|μαμά",
            "father": "πατέρας|μπαμπάς",
            "sister": "αδερφή|αδελφή",
            "brother": "αδερφός|αδελφός",
            "daughter": "κόρη",
            "son": "γιος",
            "grandmother": "γιαγιά",
            "grandfather": "παππούς",
            "friend": "φίλη|φίλος",
            "pet": "σκύλος|γάτα",
        },
        articles="η|ο|την|τον|το",
        works_at=r"(?:δουλεύ(?:ω|ει|ουν)|εργάζ(?:ομαι|εται)) (?:στη|στην|στον|στο|σε)",
        lives_in=r"(?:μέν(?:ω|ει|ουν)|ζ(?:ω|ει|ουν)) (?:στη|στην|στον|στο|σε)",
    ),
}

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
