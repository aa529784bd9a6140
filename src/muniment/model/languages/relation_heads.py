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
from muniment.model.languages.word_pattern import HEAD_LETTERS, SIZES, begun_words
from muniment.model.lazy_pattern import lazy_pattern

RECENT: Final = 64  # texts, which every language is asked about in turn
_WORD = lazy_pattern(r"\w+")

HEADS: Final[Mapping[str, str]] = {
    "English": (
        "almost|am emp|are ba|are em|are he|are in|are lo|are si|aunt|best f|boss|boyfri|broke |"
        "broken|brothe|cat |co wor|collea|cousin|cowork|curren|dad |daught|dentis|divorc|doctor|"
        "dog |father|fiancé|fired |friend|girlfr|got a |grandf|grandm|grandp|granny|has an|"
        "has it|has th|horse |husban|is bas|is emp|is hea|is in |is loc|is sit|joined|kitten|"
        "laid o|left h|left m|left t|let go|live i|lived |lives |living|lost h|lost m|lost t|"
        "made r|manage|marrie|mom |mother|moved |mum |nearly|neighb|nephew|niece |now li|now wo|"
        "parted|partne|pet |puppy |quit|reloca|reside|resign|retire|sacked|separa|single|sister|"
        "son |split |spouse|starte|still |teache|therap|uncle |unempl|was em|we hav|we jus|"
        "we liv|we mov|we rec|we rel|we ve |wed |wife|work a|work f|worked|workin|works "
    ),
    "German": (
        "arbeit|arzt|aufgeg|bruder|chef|chefin|cousin|ehefra|eheman|entlas|frau|freund|gearbe|"
        "gefeue|geheir|gekünd|gelebt|geschi|getren|gewohn|grosmu|grosva|hat ih|hat se|heirat|"
        "hund|hündin|ich bi|ich zo|in ren|ist in|kater |katze |kolleg|lebe i|lebe j|lebe n|"
        "leben |lebt i|lebt j|lebt n|lebte |lebten|lehrer|mama|mann|mutter|mutti |nachba|neffe |"
        "nichte|oma |onkel |opa |papa|partne|pensio|schwes|single|sitzt |sohn|sohnes|sohns |"
        "tante |tochte|trennt|vater |vaters|vati|verhei|verlob|verlor|vorges|wir si|wohne |"
        "wohnen|wohnt |wohnte|zahnar|zahnär|ärztin"
    ),
    "French": (
        "a son |ami |amie|chat|chatte|chef|chien |chienn|chômag|collèg|compag|copain|copine|"
        "cousin|céliba|divorc|démiss|est ba|est si|femme |fille |fils|frère |grand |habita|"
        "habite|habito|habité|j  tra|j ai d|j ai e|j habi|j trav|j viva|je me |je tra|jetrav|"
        "licenc|maman |mamie |mari|marié |mariée|mariés|mère|nous a|nous h|oncle |papa|papi|"
        "patron|perdu |père|quitté|retrai|rompu |se tro|soeur |séparé|sœur|tante |travai|viré|"
        "virée |vis pl|vis à |vit pl|vit à |vivaie|vivais|vivait|vivent|vivons|voisin|vécu|"
        "épousa|épouse|épousé|époux "
    ),
    "Spanish": (
        "abuela|abuelo|amiga |amigo |casada|casado|casaro|casé|casó|colega|compañ|dejé|dejó|"
        "despid|dimiti|dimití|divorc|echaro|esposa|esposo|está e|gata|gato|herman|hija|hijo|jefa|"
        "jefe|jubila|jubilé|jubiló|madre |mamá|marido|me he |me mud|me tra|mujer |nos mu|novia |"
        "novio |padre |papá|pareja|paro|perdió|perdí |perra |perro |prima |primo |renunc|rompim|"
        "rompí |se mud|separa|separé|solter|tiene |trabaj|tía |tío |vecina|vecino|vive e|viven |"
        "vivimo|vivió |vivo e|viví|vivía |vivían"
    ),
    "Italian": (
        "abita |abitan|abitat|abitav|abitev|abitia|abito |amica |amico |cane|capo|ci sia|colleg|"
        "compag|cugina|cugino|dimess|disocc|divorz|figlia|figlio|fratel|gatta |gatto |ha sed|"
        "in pen|lascia|lavora|lavori|lavoro|licenz|madre |mamma |marito|mi son|moglie|nonna |"
        "nonno |padre |papà|perso |ragazz|rotto |separa|si tro|sorell|sposat|sposò |vicina|"
        "vicino|vissut|vivava|vivavo|vive a|vive p|viveva|vivevo|viviam|vivo a|vivo p|vivono|"
        "zia |zio |è a "
    ),
    "Portuguese": (
        "amiga |amigo |aposen|avó |avô |cachor|cadela|casada|casado|casara|casei |casou |chefe |"
        "colega|compan|cão |demiti|desemp|desped|divorc|esposa|esposo|fica e|filha |filho |gata|"
        "gato|irmã|irmão |largue|marido|mora e|mora m|mora n|moram |moramo|morava|morei |moro e|"
        "moro m|moro n|morou |mudei |mulher|mãe |namora|nos mu|pai |perdeu|perdi |prima |primo |"
        "reform|separa|separe|separá|soltei|tem se|termin|tia |tio |trabal|vive e|vive m|vive n|"
        "vivem |vivemo|viveu |vivi|vivia |viviam|vivo e|vivo m|vivo n|vizinh"
    ),
    "Dutch": (
        "baan o|baan v|baas|beste |broer |broert|buurma|buurvr|colleg|dochte|echtge|gehuwd|"
        "gesche|getrou|gewerk|gewoon|hond|ik ben|ik ver|is gev|kat |mama|man |met pe|moeder|neef|"
        "nicht |oma |ontsla|oom |opa |papa|partne|poes|tante |trouwd|uit el|uitgem|vader |vriend|"
        "vrouw |werk b|werk n|werk v|werken|werklo|werkt |werkte|wi zij|wij zi|wonen |woon i|"
        "woon n|woonde|woont |zit in|zoon|zus |zusje "
    ),
    "Russian": (
        "бабушк|брат|брата |в разв|дедушк|дочка |дочку |дочь|друг|друга |дядю|дядя|жена|женат |"
        "женаты|женила|женили|женилс|жену|живем |живет |живу в|живут |живём |живёт |жил |жила|"
        "жили|замуж |замуже|коллег|кот |кота|кошка |кошку |мама|маму|мать|муж |мужа|мы пер|"
        "на пен|началь|недавн|отец|отца|папа|папу|переех|подруг|пожени|потеря|работа|развед|"
        "развел|развёл|разошл|расста|сестра|сестру|собака|собаку|сосед |соседа|соседк|супруг|"
        "сын |сына|тетю|тетя|тётю|тётя|уволил|уже пе|я пере"
    ),
    "Greek": (
        "άνδρασ|άνερ|άντρασ|έζησα |έζησε |έμενα |έμεναν|έμενε |έχασα |έχασε |αδελφή|αδελφό|"
        "αδερφή|αδερφό|απέλυσ|απολύθ|αφεντι|γάτα|γιαγιά|γιοσ|γυναίκ|διαζευ|διαζύγ|διευθυ|διευθύ|"
        "δουλεύ|δούλευ|δούλεψ|εργάζε|εργάζο|εργαζό|ζει πι|ζει σε|ζει στ|ζουν π|ζουν σ|ζούσα |"
        "ζούσαν|ζούσε |ζω πια|ζω σε |ζω στη|ζω στο|κόρη|μένει |μένουν|μένω π|μένω σ|μαμά|μετακο|"
        "μετακό|μητέρα|μπαμπά|παντρε|παππού|παραιτ|πατέρα|προϊστ|σκύλοσ|συνταξ|σύζυγο|σύζυγό|"
        "φίλη|φίλοσ |χωρίσα|χωρισμ|χώρισα"
    ),
}


def may_be_in(language: Language, text: str) -> bool:
    """Whether a text may have one of the words; a language of other letters asks for these."""
    if language.name not in HEADS:
        return not text.isascii() and bool(_letters(language.letters).search(text))
    return not _heads(language.name).isdisjoint(_begun(text))


def may_have(heads: frozenset[str], text: str) -> bool:
    """Whether a word of a text begins as one of these may."""
    return not heads.isdisjoint(_begun(text))


def may_be_of_any(text: str) -> bool:
    """The same for the languages whose words are here, at once."""
    longest = _longest(text)
    return any(
        not heads.isdisjoint([each[:size] for each in longest]) for size, heads in _every_head()
    )


@cache
def _every_head() -> tuple[tuple[int, frozenset[str]], ...]:
    """All heads, by how many letters they have."""
    heads = frozenset().union(*map(_heads, HEADS))
    return tuple((size, frozenset([h for h in heads if len(h) == size])) for size in SIZES)


@cache
def _heads(name: str) -> frozenset[str]:
    return frozenset(HEADS[name].split("|"))


@cache
def _letters(row: str) -> re.Pattern[str]:
    return re.compile(row)


@lru_cache(maxsize=RECENT)
def _begun(text: str) -> frozenset[str]:
    """How the words of a text begin, in the form of letters that the heads have."""
    longest = _longest(text)
    return frozenset([each[:size] for size in SIZES for each in longest])


def _longest(text: str) -> list[str]:
    small = f"{plain(text)} "
    if text.isascii():  # the same, several times faster
        return begun_words(small)
    return [small[(at := each.start()) : at + HEAD_LETTERS] for each in _WORD.finditer(small)]
