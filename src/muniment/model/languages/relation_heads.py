"""Relation heads: how the words begin with which each language tells of kin, work and home.

They follow from the patterns of the tables, and are kept beside them because to read a pattern
takes longer than to look at a text. A test compares both, and prints what is to stand here.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from muniment.model.languages.language_table import Language
from muniment.model.languages.word_marks import plain
from muniment.model.languages.word_pattern import HEAD_LETTERS, SIZES
from muniment.model.lazy_pattern import lazy_pattern

RECENT: Final = 64  # texts, which every language is asked about in turn
_WORD = lazy_pattern(r"\w+")

HEADS: Final[Mapping[str, str]] = {
    "English": (
        "am emp|are ba|are em|are he|are in|are lo|are si|aunt|best f|boss|boyfri|brothe|"
        "cat |co wor|collea|cousin|cowork|curren|dad |daught|dentis|doctor|dog |father|"
        "fiancé|friend|girlfr|got a |grandf|grandm|grandp|granny|has an|has it|has th|horse |"
        "husban|is bas|is emp|is hea|is in |is loc|is sit|joined|kitten|live i|lived |lives |"
        "living|manage|mom |mother|moved |mum |neighb|nephew|niece |now li|now wo|partne|"
        "pet |puppy |reloca|reside|sister|son |spouse|starte|still |teache|therap|uncle |"
        "we hav|we jus|we liv|we mov|we rec|we ve |wife|work a|work f|worked|workin|works "
    ),
    "German": (
        "arbeit|arzt|bruder|chef|chefin|cousin|ehefra|eheman|frau|freund|grosmu|grosva|"
        "hat ih|hat se|hund|hündin|ich bi|ich zo|ist in|kater |katze |kolleg|lebe i|lebe j|"
        "lebe n|leben |lebt i|lebt j|lebt n|lehrer|mama|mann|mutter|mutti |nachba|neffe |"
        "nichte|oma |onkel |opa |papa|partne|schwes|sitzt |sohn|tante |tochte|vater |vati|"
        "verlob|vorges|wir si|wohne |wohnen|wohnt |zahnar|zahnär|ärztin"
    ),
    "French": (
        "a son |ami |amie|chat|chatte|chef|chien |chienn|collèg|compag|copain|copine|cousin|"
        "est ba|est si|femme |fille |fils|frère |grand |habite|habito|j  tra|j ai d|j ai e|"
        "j habi|j trav|je me |je tra|jetrav|maman |mamie |mari|mère|nous a|nous h|oncle |"
        "papa|papi|patron|père|se tro|soeur |sœur|tante |travai|vis à |vit à |vivent|vivons|"
        "voisin|épouse|époux "
    ),
    "Spanish": (
        "abuela|abuelo|amiga |amigo |colega|compañ|esposa|esposo|está e|gata|gato|herman|"
        "hija|hijo|jefa|jefe|madre |mamá|marido|me he |me mud|me tra|mujer |nos mu|novia |"
        "novio |padre |papá|pareja|perra |perro |prima |primo |se mud|tiene |trabaj|tía |"
        "tío |vecina|vecino|vive e|viven |vivimo|vivo e"
    ),
    "Italian": (
        "abita |abitan|abitia|abito |amica |amico |cane|capo|ci sia|colleg|compag|cugina|"
        "cugino|figlia|figlio|fratel|gatta |gatto |ha sed|lavora|lavori|lavoro|madre |mamma |"
        "marito|mi son|moglie|nonna |nonno |padre |papà|ragazz|si tro|sorell|vicina|vicino|"
        "vive a|viviam|vivo a|vivono|zia |zio |è a "
    ),
    "Portuguese": (
        "amiga |amigo |avó |avô |cachor|cadela|chefe |colega|compan|cão |esposa|esposo|"
        "fica e|filha |filho |gata|gato|irmã|irmão |marido|mora e|mora n|moram |moramo|"
        "moro e|moro n|mudei |mulher|mãe |namora|nos mu|pai |prima |primo |tem se|tia |tio |"
        "trabal|vive e|vive n|vivem |vivemo|vivo e|vivo n|vizinh"
    ),
    "Dutch": (
        "baas|beste |broer |broert|buurma|buurvr|colleg|dochte|echtge|hond|ik ben|ik ver|"
        "is gev|kat |mama|man |moeder|neef|nicht |oma |oom |opa |papa|partne|poes|tante |"
        "vader |vriend|vrouw |werk b|werk n|werk v|werken|werkt |wi zij|wij zi|wonen |woon i|"
        "woon n|woont |zit in|zoon|zus |zusje "
    ),
    "Russian": (
        "бабушк|брат|брата |дедушк|дочка |дочку |дочь|друг|друга |дядю|дядя|жена|жену|живем |"
        "живет |живу в|живут |живём |живёт |коллег|кот |кота|кошка |кошку |мама|маму|мать|"
        "муж |мужа|мы пер|началь|недавн|отец|отца|папа|папу|переех|подруг|работа|сестра|"
        "сестру|собака|собаку|сосед |соседа|соседк|супруг|сын |сына|тетю|тетя|тётю|тётя|"
        "уже пе|я пере"
    ),
    "Greek": (
        "άνδρασ|άντρασ|αδελφή|αδελφό|αδερφή|αδερφό|αφεντι|γάτα|γιαγιά|γιοσ|γυναίκ|διευθυ|"
        "διευθύ|δουλεύ|εργάζε|εργάζο|ζει σε|ζει στ|ζουν σ|ζω σε |ζω στη|ζω στο|κόρη|μένει |"
        "μένουν|μένω σ|μαμά|μετακο|μετακό|μητέρα|μπαμπά|παππού|πατέρα|προϊστ|σκύλοσ|σύζυγο|"
        "σύζυγό|φίλη|φίλοσ "
    ),
}


def may_be_in(language: Language, text: str) -> bool:
    """Whether a text may have one of the words; a language of other letters asks for these."""
    if language.name not in HEADS:
        return not text.isascii() and bool(_letters(language.letters).search(text))
    return not _heads(language.name).isdisjoint(_begun(text))


def may_be_of_any(text: str) -> bool:
    """The same for the languages whose words are here, at once."""
    return not _every_head().isdisjoint(_begun(text))


@cache
def _every_head() -> frozenset[str]:
    return frozenset().union(*map(_heads, HEADS))


@cache
def _heads(name: str) -> frozenset[str]:
    return frozenset(HEADS[name].split("|"))


@cache
def _letters(row: str) -> re.Pattern[str]:
    return re.compile(row)


@lru_cache(maxsize=RECENT)
def _begun(text: str) -> frozenset[str]:
    """How the words of a text begin, in the form of letters that the heads have."""
    small = f"{plain(text)} "
    longest = [small[(at := each.start()) : at + HEAD_LETTERS] for each in _WORD.finditer(small)]
    return frozenset([each[:size] for size in SIZES for each in longest])
