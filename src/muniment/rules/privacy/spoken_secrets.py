"""Secrets in prose: passwords, codes and keys as people announce them, in many languages.

The nouns are those of the fourteen languages that recall knows, and of some that cost nothing.
Three ways to tell one: assigned ("password: x"), stated ("the password is x"), and beside the noun.
"""

from typing import Final

from muniment.rules.privacy.rule import DetectionRule, secret

# Quoted up to the closing quote, else up to a space: a password may hold any punctuation.
VALUE: Final = (
    r"(?P<value>[\"'`“\u2018«「][^\"'`”\u2019»」\n]{1,128}[\"'`”\u2019»」]|[^\s\"`“”<>]{1,128})"
)
# Where words are not parted by spaces, what is told is a run of other letters than theirs.
RUN: Final = r"(?P<value>(?![-:=,;.)])[!#-&(-;=?-~]{4,128})"
ASSIGNS: Final = r"[\"'`]?\s{0,3}(?::=|=>|->|==|:|=)\s{0,3}"
FILLER: Final = r"(?:(?:now|set\sto|still|currently|actually|changed\sto|just|simply)\s{1,2})?"

# ---- nouns ---------------------------------------------------------------------------------------

LOGIN_ENGLISH: Final = r"(?:password|passwd|passphrase|passcode|(?<![a-z0-9])(?:pwd|pw))"
LOGIN_WORDS: Final = (
    *("passwort", "kennwort", "zugangscode"),  # German
    *("mot de passe", "phrase secrète", "code secret", "mdp"),  # French
    *("contraseña", "contrasena", "clave de acceso", "código secreto"),  # Spanish
    *("parola d'ordine", "parola chiave", "parola segreta", "codice segreto"),  # Italian
    *("senha", "palavra-passe", "palavra passe", "contrassenha"),  # Portuguese
    *("wachtwoord", "paswoord", "toegangscode"),  # Dutch
    *("пароль", "пароля", "паролем", "паролю", "кодовое слово"),  # Russian
    *("κωδικός πρόσβασης", "κωδικός", "κωδικο", "κωδικό", "συνθηματικό"),  # Greek
    *("كلمة المرور", "كلمة السر", "كلمة مرور", "كلمة سر", "الرقم السري", "رمز المرور"),  # Arabic
    *("पासवर्ड", "कूटशब्द", "गुप्त कोड"),  # Hindi
    *("şifre", "parola", "hasło", "kata sandi", "mật khẩu", "lösenord"),  # others
)
LOGIN_GLUED: Final = (
    *("密码", "密碼", "口令", "通行码"),  # Chinese
    *("パスワード", "パスコード", "合言葉"),  # Japanese
    *("비밀번호", "암호", "패스워드", "비번"),  # Korean
)
PIN_WORDS: Final = (
    *("geheimzahl", "code confidentiel", "codice pin", "código pin", "pincode"),
    *("пин-код", "пинкод", "пин", "الرقم السري", "पिन"),
)
PIN_GLUED: Final = ("pin码", "pin碼", "个人识别码", "暗証番号", "暗唱番号", "핀번호", "핀 번호")
KEY_ENGLISH: Final = (
    r"(?:(?:api|access|secret|private|encryption|signing|master|license|account)[\s_-]?key"
    r"|(?:api|access|auth|bearer|refresh|session|id|personal)[\s_-]?token"
    r"|(?:client|app|shared|api|consumer|webhook)[\s_-]?secret|secret|credentials?|(?<![a-z])token)"
)
KEY_WORDS: Final = (
    *("api-schlüssel", "api schlüssel", "geheimer schlüssel", "zugriffsschlüssel"),
    *("clé api", "clé d'api", "clé secrète", "cle api", "jeton"),
    *("clave api", "clave de api", "clave secreta", "chiave api", "chiave segreta"),
    *("chave api", "chave de api", "chave da api", "chave secreta", "api-sleutel", "api sleutel"),
    *("api-ключ", "api ключ", "ключ api", "секретный ключ", "токен"),
    *("κλειδί api", "μυστικό κλειδί", "مفتاح api", "المفتاح السري", "api कुंजी", "गुप्त कुंजी"),
)
KEY_GLUED: Final = (
    *("api密钥", "api 密钥", "密钥", "密鑰", "令牌", "apiキー", "api キー", "秘密鍵"),
    *("シークレットキー", "トークン", "api키", "api 키", "비밀키", "비밀 키", "토큰"),
)

# ---- what joins noun and value -------------------------------------------------------------------

COPULA: Final = (
    r"(?:is|was|to|ist|war|lautet|heißt|est|était|es|era|è|é|luidt|это|был|была|είναι|ήταν"
    r"|هي|هو|है|adalah|là|jest|är|[-\u2013\u2014])"
)
# "for the staging server", "del wifi", "от почты": few words between the noun and what it is.
GAP: Final = r"(?:\s[^\s:=\"'\d]{1,16}){0,5}?"
PARTICLE: Final = (
    r"(?:是|为|為|(?:已?经?)(?:改|设|設|换|換)(?:成|为|為|置为|定为)|は|が|を|も|은|는|이|가|를|을"
    r"|:|=|->)"
)
GLUE: Final = r"\s{0,2}" + PARTICLE + r"\s{0,2}[:=]?\s{0,2}[\"'“「『]?"


def _nouns(words: tuple[str, ...]) -> str:
    """Any of these words, however wide the space between two of them is."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return "(?:" + "|".join(word.replace(" ", r"\s") for word in longest_first) + ")"


LOGIN: Final = rf"(?:{LOGIN_ENGLISH}|(?<!\w){_nouns(LOGIN_WORDS)})"
LOGIN_ENGLISH_NEEDS: Final = ("passw", "passphrase", "passcode", "pw")
LOGIN_NEEDS: Final = (*LOGIN_ENGLISH_NEEDS, *LOGIN_WORDS)
PINS: Final = rf"(?<![a-z0-9])(?:pin(?:\s(?:code|number))?|{_nouns(PIN_WORDS)})"
KEYS: Final = rf"(?:{KEY_ENGLISH}|(?<!\w){_nouns(KEY_WORDS)})"
KEY_NEEDS: Final = ("key", "token", "secret", "credential", *KEY_WORDS)

SPOKEN_RULES: tuple[DetectionRule, ...] = (
    secret(
        "password_assigned",
        "password",
        LOGIN + rf"(?:\s{COPULA})?" + ASSIGNS + VALUE,
        LOGIN_NEEDS,
        "assigned_password",
    ),
    secret(
        "password_stated",
        "password",
        LOGIN_ENGLISH + r"\s{1,3}(?:is|was):?\s{1,3}" + FILLER + VALUE,
        LOGIN_ENGLISH_NEEDS,
        "stated_password",
    ),
    secret(
        "password_said",
        "password",
        LOGIN + GAP + r"\s{1,3}" + COPULA + r":?\s{1,3}" + FILLER + VALUE,
        LOGIN_NEEDS,
        "said_password",
    ),
    secret(
        "password_labelled",
        "password",
        LOGIN + GAP + r"(?::|=|\s[-\u2013\u2014])\s{1,3}" + VALUE,
        LOGIN_NEEDS,
        "random_looking",
    ),
    secret(
        "password_beside", "password", LOGIN + r"\s{1,3}" + VALUE, LOGIN_NEEDS, "random_looking"
    ),
    secret(
        "password_glued", "password", _nouns(LOGIN_GLUED) + GLUE + RUN, LOGIN_GLUED, "other_letters"
    ),
    secret(
        "password_glued_beside",
        "password",
        _nouns(LOGIN_GLUED) + r"\s{0,2}" + RUN,
        LOGIN_GLUED,
        "random_looking",
    ),
    secret(
        "pass_assigned",
        "password",
        r"(?<![a-z0-9])pass" + ASSIGNS + VALUE,
        ("pass",),
        "random_looking",
    ),
    secret(
        "pin",
        "pin",
        PINS + rf"(?:\s{COPULA}|\s?[:=])\s{{0,3}}" + r"(?P<value>[0-9]{4}(?:[0-9]{2})?(?![\w.-]))",
        ("pin", *PIN_WORDS),
    ),
    secret(
        "pin_glued",
        "pin",
        _nouns(PIN_GLUED) + GLUE + r"(?P<value>[0-9]{4,8}(?![0-9.-]))",
        PIN_GLUED,
    ),
    secret(
        "key_told",
        "api_key",
        KEYS + rf"(?:{ASSIGNS}|{GAP}\s{{1,3}}{COPULA}:?\s{{1,3}}{FILLER})" + VALUE,
        KEY_NEEDS,
        "random_looking",
    ),
    secret(
        "key_beside",
        "api_key",
        rf"(?:(?:api|access|secret|auth|bearer|refresh)[\s_-]?(?:key|token)"
        rf"|(?<!\w){_nouns(KEY_WORDS)})\s{{1,3}}" + VALUE,
        ("key", "token", *KEY_WORDS),
        "random_looking",
    ),
    secret("key_glued", "api_key", _nouns(KEY_GLUED) + GLUE + RUN, KEY_GLUED, "random_looking"),
)
