"""Phrase checks: whether several words after "passphrase" are the secret, or talk about one."""

from typing import Final

from muniment.rules.privacy.secret_checks import PROSE_ENDINGS, PROSE_WORDS

# Words of a rule or a remark about a passphrase; what is assigned to one and holds none, is one.
REMARKS: Final = (
    "at least minimum maximum must should shall may can cannot characters letters symbols words "
    "word long longer short required optional mandatory enter type confirm repeat your see stored "
    "saved kept vault manager none not no never forgotten forgot lost unknown changed reset please "
    "example generated default empty blank wrong incorrect invalid missing ask tbd here later "
    # German, French, Spanish
    "mindestens höchstens muss soll zeichen wörter lang erforderlich eingeben bestätigen siehe "
    "gespeichert vergessen geändert nicht kein keine bitte falsch leer später geheim sicher "
    "moins plus doit caractères mots requise obligatoire saisir voir oubliée oublié pas aucune "
    "menos debe caracteres palabras obligatoria introduce ver olvidada olvidé ninguna después "
    # Italian, Portuguese, Dutch
    "almeno deve caratteri parole obbligatoria inserisci vedi dimenticata nessuna vuota dopo "
    "pelo palavras obrigatória digite veja esquecida nenhuma vazia depois mínimo mínima "
    "minstens moet tekens woorden verplicht voer zie vergeten geen niet leeg "
    # Russian, Greek, Arabic, Hindi
    "минимум должна символов слов обязательна введите смотри забыл забыла забыта нет не пустая "
    "τουλάχιστον πρέπει χαρακτήρες λέξεις δείτε ξέχασα δεν όχι κενή "
    "على الأقل يجب حرف كلمات مطلوبة نسيت ليست لا انظر "
    "कम चाहिए अक्षर शब्द आवश्यक भूल नहीं देखें"
)
# Words that join others in a sentence. After "is" four words or more without one are no sentence.
JOINTS: Final = (
    "the a an and or but of in on at to for with by from than as that this these those which who "
    "it its i you he she we they my our his her their is are was were be been has have had do does "
    "if when because so very too only also about into over under after before now always still "
    "somewhere nowhere everywhere hard easy safe secret secure strong weak "
    "der die das ein eine und oder aber von im in auf zu für mit bei aus als dass ist sind war "
    "wird sehr nur auch über nach vor wie wenn weil jetzt immer wieder noch gut schwer leicht "
    "einfach le la les un une des et ou mais de du en dans sur à pour avec par qui est sont était "
    "très bien mal chez moi toi lui elle nous vous toujours encore jamais trop facile difficile "
    "el los las una y o pero del sobre para con por que es son era muy siempre todavía segura "
    "il lo gli uno e ed ma di della nel su per che è sono molto bene sempre ancora sicura "
    "os as um uma mas do da no na com são muito bem ainda het een van op voor met dat zijn zeer "
    "altijd nog goed veilig moeilijk и в на с по для что это как но или из от у за очень всегда "
    "ещё το η ο και σε από για με που είναι πολύ πάντα في من إلى مع أن هذا هذه و "
    "और का की के में से पर है हैं यह वह बहुत"
)
# Of the words that people use of a password, those that a phrase may well hold.
HELD_TOO: Final = frozenset(["correct", "right", "old", "good", "new", "some", "less", "real"])
TALK: Final = frozenset(REMARKS.split())
JOINING: Final = frozenset(JOINTS.split())
PARTICIPLES: Final = ("ée", "ada", "ida", "ato", "ata", "uta", "ена", "ана")
STATED_WORDS_MIN: Final = 4


def assigned_phrase(value: str) -> int:
    """After "passphrase:" whatever is no remark about one."""
    return 0 if TALK.intersection(_words(value)) else len(value)


def stated_phrase(value: str) -> int:
    """After "the passphrase is" words that make no sentence."""
    words = _words(value)
    remarks = TALK | JOINING | (PROSE_WORDS - HELD_TOO)
    told = any(each.endswith(PARTICIPLES) for each in words) or words[0].endswith(PROSE_ENDINGS)
    plain = len(words) >= STATED_WORDS_MIN and not remarks.intersection(words)
    return len(value) if plain and not told else 0


def _words(value: str) -> list[str]:
    return value.lower().replace("-", " ").replace(",", " ").split()
