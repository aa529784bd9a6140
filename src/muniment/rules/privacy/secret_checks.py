"""Secret checks: whether what follows "password", "passphrase" or "key" can be the secret itself.

Each check says how many leading code points of a candidate are the real thing; nought, none.
"""

from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.unicode14 import is_printable, is_small

# What follows "password is" or "password:" when people talk about one and do not tell it.
PROSE = (
    "a about above admin always an and another argon2 argon2id as at auto bad base64 bcrypt be "
    "because been before below blank bool boolean both but by case case-sensitive common correct "
    "default different easy either empty enough every false field fine for forgotten from given "
    "going gone good hard hash hers hidden his how i if ill in incorrect insecure int invalid it "
    "its just kept known less like long longer lost made mandatory many maybe md5 me mine minimum "
    "missing more most must my n/a never new nil no none not nothing now null oauth2 object of "
    "off ok okay old on only optional or our ours out over pbkdf2 personal plain plaintext please "
    "poor private probably public quite read really requirement requirements right safe same "
    "secret secure see sent set sha1 sha256 sha512 shared short simple so some something stale "
    "still str string strong temporary text than that the their theirs there this to too true "
    "type undefined under unique unknown up upon used usually utf8 valid very void was weak what "
    "when where which who why with within without wrong yes your yours "
    "enter older written "
)
PROSE_ABROAD = (
    "falsch richtig vergessen leer unbekannt geheim neues neue erforderlich ungültig nicht kein "
    "faux incorrect oublié vide inconnu requis nouveau nouvelle ancien obligatoire invalide aucun "
    "incorrecta olvidada vacía obligatoria nueva inválida ninguna incorrecto requerida "
    "errata sbagliata dimenticata vuota obbligatoria nuova scaduta nessuna errato "
    "incorreta esquecida vazia obrigatória nova nenhuma errada "
    "fout vergeten leeg verplicht nieuw onjuist geen verlopen "
    "неверный неверен забыт забыла забыл пустой обязательно обязателен новый старый нужен нет не "
    "λάθος ξέχασα κενό κενός απαιτείται νέος خطأ خاطئة مطلوبة جديدة منسية "
    "गलत भूल आवश्यक नया yanlış błędne salah "
)
PROSE_WORDS = frozenset(PROSE.split()) | frozenset(PROSE_ABROAD.split())
PROSE_ENDINGS = ("ed", "ing", "able", "ible", "ly", "less")
# Words of a rule or a remark about a passphrase; what is assigned to one and holds none, is one.
REMARKS = (
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
JOINTS = (
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
HELD_TOO = frozenset(["correct", "right", "old", "good", "new", "some", "less", "real"])
TALK = frozenset(REMARKS.split())
JOINING = frozenset(JOINTS.split())
PARTICIPLES = ("ée", "ada", "ida", "ato", "ata", "uta", "ена", "ана")
STATED_WORDS_MIN = 4  # of a passphrase, which a sentence may say much about
PASSWORD_WORDS_MIN = 3  # of a password, which is seldom more than one
PLACEHOLDER = lazy_pattern(
    r"\$\{?[A-Z_][A-Z0-9_]{0,63}\}?|\{.{0,128}|%\(?[a-z_]{0,32}\)?s|\[[A-Za-z][\w :.-]{0,62}\]?"
    r"|[*•.…_xX-]{2,128}|\d{1,3}[-\u2013]\d{1,3}"
)
CODE = lazy_pattern(r"[A-Za-z_.]{1,64}(?:[(\[{]|\([^()]{0,80}\)|\[[^\[\]]{0,80}\])")
NAME_IN_CODE = lazy_pattern(
    r"[A-Za-z_]{1,64}[._][A-Za-z_.]{1,64}|(?i:passw(?:or)?d|pwd|secret|token|key)"
)
PATH = lazy_pattern(
    r"[.~]{0,2}/|[A-Za-z]:\\|[a-z]{2,6}://|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[a-z]{2,16}){1,3}$"
)
QUOTES = "\"'`“”\u2018\u2019«»「」"
SIGNS = "!@#$%^&*+=~?|"
TAIL = ".,;:)" + QUOTES
PASSWORD_LENGTH_MIN = 4
RECOVERY_LENGTH_MIN = 8
RANDOM_LENGTH_MIN = 6
LONG_RANDOM_LENGTH_MIN = 20


def bare(value: str) -> str:
    """Without what stands around it in a sentence; a call in code has its own bracket."""
    said = value.strip(QUOTES)
    word = said.rstrip(TAIL)
    opened = word.count("(") > word.count(")")
    return f"{word})" if opened and said.startswith(")", len(word)) else word


def kept_length(value: str) -> int:
    return len(value) if value[0] in QUOTES else len(value.rstrip(TAIL))


def is_told(word: str) -> bool:
    """Whether a word after "password" can be the password itself."""
    if len(word) < PASSWORD_LENGTH_MIN or word.lower() in PROSE_WORDS:
        return False
    return not (PLACEHOLDER.fullmatch(word) or CODE.fullmatch(word))


def assigned_password(value: str) -> int:
    word = bare(value)
    quoted = value[0] in QUOTES
    told = is_told(word) and (quoted or not NAME_IN_CODE.fullmatch(word))
    return kept_length(value) if told else 0


def stated_password(value: str) -> int:
    word = bare(value)
    plain = word.isalpha() and word.islower() and value[0] not in QUOTES
    if not is_told(word) or (plain and word.endswith(PROSE_ENDINGS)):
        return 0
    return kept_length(value)


def said_password(value: str) -> int:
    """After "is" in any language: quoted, drawn, or with a sign that no word has inside."""
    word = bare(value)
    if not is_told(word) or NAME_IN_CODE.fullmatch(word):
        return 0
    digits = word.isdigit() and len(word) >= PASSWORD_LENGTH_MIN
    if value[0] in QUOTES or digits:
        return kept_length(value)
    return _drawn(value)


def drawn_password(value: str) -> int:
    """Where the word before it has other meanings too: drawn, with a sign inside, and no path."""
    return 0 if PATH.match(bare(value)) else _drawn(value)


def _drawn(value: str) -> int:
    word = bare(value)
    if not is_told(word) or NAME_IN_CODE.fullmatch(word):
        return 0
    signed = any(sign in word.rstrip("!?") for sign in SIGNS) and any(map(str.isalpha, word))
    return kept_length(value) if signed or random_looking(value) else 0


def other_letters(value: str) -> int:
    """In a script without spaces a run of other letters is the thing itself."""
    return kept_length(value) if is_told(bare(value)) else 0


def random_looking(value: str) -> int:
    """A key must look drawn, not spoken: letters with digits, or long and of mixed case."""
    word = bare(value)
    if len(word) < RANDOM_LENGTH_MIN or not is_printable(word) or not is_told(word):
        return 0
    lower = any(map(is_small, word))
    upper = any(letter.isupper() for letter in word)
    digit = any(letter.isdigit() for letter in word)
    mixed = lower and upper and len(word) >= LONG_RANDOM_LENGTH_MIN and word.isascii()
    drawn = (digit and (lower or upper)) or (mixed and not NAME_IN_CODE.fullmatch(word))
    return kept_length(value) if drawn else 0


def assigned_phrase(value: str) -> int:
    """After "passphrase:" whatever is no remark about one."""
    return 0 if TALK.intersection(_words(value)) else len(value)


def stated_phrase(value: str) -> int:
    """After "the passphrase is" words that make no sentence."""
    return len(value) if _is_no_sentence(value, STATED_WORDS_MIN) else 0


def stated_words(value: str) -> int:
    """After "the password is" several words that make no sentence."""
    return len(value) if _is_no_sentence(value, PASSWORD_WORDS_MIN) else 0


def recovery_code(value: str) -> int:
    """Groups of letters and digits: eight of them or more, or drawn; no year and no count."""
    drawn = sum(map(str.isalnum, value)) >= RECOVERY_LENGTH_MIN
    return len(value) if drawn else random_looking(value)


def _is_no_sentence(value: str, words_min: int) -> bool:
    words = _words(value)
    remarks = TALK | JOINING | (PROSE_WORDS - HELD_TOO)
    told = any(each.endswith(PARTICIPLES) for each in words) or words[0].endswith(PROSE_ENDINGS)
    return len(words) >= words_min and not remarks.intersection(words) and not told


def _words(value: str) -> list[str]:
    return value.lower().replace("-", " ").replace(",", " ").split()
