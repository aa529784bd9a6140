"""Secrets in prose: passwords, codes and keys as people announce them, in many languages.

The nouns are those of the fourteen languages that recall knows, and of a few more. A secret has
one of three forms: assigned ("password: x"), stated ("the password is x"), or beside the noun.
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

LOGIN_ENGLISH: Final = (
    r"(?:password|passwd|passphrase|passcode|(?<![a-z0-9])(?:pwd|pw)"
    r"|(?<!\w)(?:wi-?fi|wlan|wpa[23]?)[\s-](?:key|code|pass))"
)
LOGIN_WORDS: Final = (
    *("passwort", "kennwort", "zugangscode", "wlan-schlüssel", "wlan schlüssel"),  # German
    *("mot de passe", "phrase secrète", "code secret", "mdp", "clé wifi", "clé wi-fi"),  # French
    *(
        "contraseña",
        "contrasena",
        "mi clave",
        "tu clave",
        "clave de acceso",
        "clave wifi",
        "código secreto",
    ),  # Spanish
    *("parola d'ordine", "parola chiave", "parola segreta", "codice segreto"),  # Italian
    *("senha", "palavra-passe", "palavra passe", "contrassenha", "chave do wifi"),  # Portuguese
    *("wachtwoord", "paswoord", "toegangscode"),  # Dutch
    *(
        "пароль",
        "пароля",
        "паролем",
        "паролю",
        "кодовое слово",
        "ключ от вайфая",
        "ключ от wifi",
    ),  # Russian
    *("κωδικός πρόσβασης", "κωδικός", "κωδικο", "κωδικό", "συνθηματικό"),  # Greek
    *(
        "كلمة المرور",
        "كلمة السر",
        "كلمة مرور",
        "كلمة سر",
        "الرقم السري",
        "رمز المرور",
        "الباسورد",
        "باسورد",
    ),  # Arabic
    *("पासवर्ड", "कूटशब्द", "गुप्त कोड"),  # Hindi
    *("şifre", "şifrem", "şifresi", "parolam", "parolası", "hasło", "hasła", "heslo"),  # others
    *("kata sandi", "mật khẩu", "lösenord", "lösenordet", "adgangskode", "passord", "salasana"),
    *("parola", "jelszó", "парола", "гасло"),
)
LOGIN_GLUED: Final = (
    *("密码", "密碼", "口令", "通行码"),  # Chinese
    *("パスワード", "パスコード", "パスフレーズ", "合言葉"),  # Japanese
    *("비밀번호", "암호", "패스워드", "비번"),  # Korean
)
PIN_WORDS: Final = (
    *("geheimzahl", "code confidentiel", "codice pin", "código pin", "pincode", "pin code"),
    *("pin number", "clave del cajero", "clave del banco", "clave de la tarjeta"),
    *("code de ma carte", "code de la carte", "código do cartão", "codice della carta"),
    *("пин-код", "пинкод", "пин", "الرقم السري", "पिन"),
)
PIN_GLUED: Final = ("pin码", "pin碼", "个人识别码", "暗証番号", "暗唱番号", "핀번호", "핀 번호")
# The short numbers that open something: a door, an account, a payment.
CARD_CODE_WORDS: Final = (
    *("cvv", "cvv2", "cvc", "cvc2", "security code", "card verification code", "prüfziffer"),
    *("kartenprüfnummer", "cryptogramme", "código de seguridad", "codice di sicurezza"),
    *("código de segurança", "beveiligingscode", "код безопасности", "رمز الأمان"),
)
CODE_WORDS: Final = (
    *("puk", "puk code", "puk-code", "sms-tan", "mtan"),
    *("otp", "2fa code", "mfa code", "one-time code", "one-time password", "one time password"),
    *("verification code", "authentication code", "door code", "gate code", "alarm code"),
    *("safe code", "lock code", "lockbox code", "entry code", "unlock code", "garage code"),
    *("safe combination", "türcode", "bestätigungscode", "alarmcode", "code d'entrée"),
    *("code de la porte", "code de l'alarme", "digicode", "code de vérification"),
    *("código de verificación", "código de la puerta", "código de la alarma"),
    *("codice di verifica", "codice della porta", "codice dell'allarme"),
    *("código de verificação", "código da porta", "código do alarme", "deurcode", "alarmcode"),
    *("verificatiecode", "код подтверждения", "код от двери", "код домофона", "код от сейфа"),
    *("κωδικός επαλήθευσης", "κωδικός συναγερμού", "رمز التحقق", "رمز الباب", "सत्यापन कोड"),
)
CODE_GLUED: Final = (
    *(
        "验证码",
        "驗證碼",
        "门禁密码",
        "認証コード",
        "確認コード",
        "인증번호",
        "인증코드",
        "현관 비밀번호",
    ),
)
PAIR_WORDS: Final = (
    *("wifi", "wi-fi", "wlan"),
    *("login", "logins", "credentials", "creds", "sign-in", "zugangsdaten", "anmeldedaten"),
    *("logindaten", "identifiants", "credenciales", "credenziali", "credenciais"),
    *("inloggegevens", "учетные данные", "учётные данные", "логин", "بيانات الدخول"),
)
SEED_WORDS: Final = (
    *("seed phrase", "recovery phrase", "secret phrase", "mnemonic", "backup phrase"),
    *("seed words", "recovery words", "wallet seed", "wiederherstellungsphrase", "seed-phrase"),
    *("phrase de récupération", "frase semilla", "frase de recuperación", "frase di recupero"),
    *("frase de recuperação", "herstelzin", "сид-фраза", "сид фраза", "助记词", "助記詞"),
)
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
    r"|هي|هو|है|adalah|là|jest|är|er|je|as|c[’']est|[-\u2013\u2014])"
)
# "(prod)", "saya" (mine): what belongs to the noun.
OF_NOUN: Final = r"(?:\s?\([^()\n]{1,32}\)|\s(?:saya|anda|kami|tôi|của\stôi|moje|mio|mia))?"
# "for the staging server", "del wifi", "от почты": few words between the noun and what it is.
GAP: Final = r"(?:\s[^\s:=\"'\d]{1,16}){0,5}?"
PARTICLE: Final = (
    r"(?:是|为|為|(?:已?经?)(?:改|设|設|换|換)(?:成|为|為|置为|定为)|は|が|を|も|은|는|이|가|를|을"
    r"|:|=|->)"
)
GLUE: Final = r"\s{0,2}" + PARTICLE + r"\s{0,2}[:=]?\s{0,2}[\"'“「『]?"


# "my", "the", "our new", before the noun.
OWN: Final = (
    r"(?:(?:my|our|the|your|his|her|their|a|mein|das|unser|mon|le|mi|la|el|tu|mia|il|minha|a|o|мой)\s)?"
    r"(?:(?:new|main|root|admin|wifi|wi-fi|old|neues|nouveau|nueva|nuova|nova)\s)?"
)
# "for my card", "der Karte": whose number it is.
PIN_OF: Final = (
    r"(?:\s(?:for|of|on|für|von|der|de|del|du|di|della|da|do|van|от|для|to|mein(?:er|es)|unserer?|моей)"
    r"(?:\s[^\W\d_]{1,16}){1,4}?)?"
)


def nouns(words: tuple[str, ...]) -> str:
    """Any of these words, however wide the space between two of them is."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return "(?:" + "|".join(word.replace(" ", r"\s") for word in longest_first) + ")"


LOGIN: Final = rf"(?:{LOGIN_ENGLISH}|(?<!\w){nouns(LOGIN_WORDS)})"
LOGIN_ENGLISH_NEEDS: Final = (
    *("passw", "passphrase", "passcode", "pw", "wifi", "wi-fi", "wlan", "wpa"),
)
LOGIN_NEEDS: Final = (*LOGIN_ENGLISH_NEEDS, *LOGIN_WORDS)
PINS: Final = rf"(?<![a-z0-9])(?:pin(?:\s(?:code|number))?|{nouns(PIN_WORDS)})"
KEYS: Final = rf"(?:{KEY_ENGLISH}|(?<!\w){nouns(KEY_WORDS)})"
KEY_NEEDS: Final = ("key", "token", "secret", "credential", *KEY_WORDS)

SPOKEN_RULES: tuple[DetectionRule, ...] = (
    secret(
        "password_assigned",
        "password",
        LOGIN + OF_NOUN + rf"(?:(?:\s{COPULA})?{ASSIGNS}|>)" + VALUE,
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
        LOGIN + "s?" + GAP + r"\s?(?::|=|\s[-\u2013\u2014])\s{1,3}" + VALUE,
        LOGIN_NEEDS,
        "random_looking",
    ),
    secret(
        "password_beside",
        "password",
        LOGIN + OF_NOUN + r"\s{1,3}" + VALUE,
        LOGIN_NEEDS,
        "random_looking",
    ),
    secret(
        "password_is",
        "password",
        LOGIN_ENGLISH + r"['\u2019]s\s{1,3}" + FILLER + VALUE,
        LOGIN_ENGLISH_NEEDS,
        "drawn_password",
    ),
    secret(
        "password_after",  # "use x as the password", "x is my password for the bank"
        "password",
        r"(?<![^\s\"'`“(])(?P<value>[^\s\"'`“”<>()]{6,128})[\"'`”]?\s"
        + rf"(?:is|was|as|ist|als|est|comme|es|como|è|come|é|это)\s{OWN}{LOGIN}"
        + r"(?![\w-])(?!\s(?!for\b|on\b|to\b|at\b|of\b|in\b|now\b|für\b|pour\b|para\b|per\b))",
        LOGIN_NEEDS,
        "drawn_password",
    ),
    secret(
        "pass_said",
        "password",
        r"(?<![\w-])pass"
        + GAP
        + r"\s{1,3}(?:is|was|to|=|:)\s{1,3}(?![0-9][0-9,.]*[a-z]{0,3}(?!\w))"
        + VALUE,
        ("pass",),
        "drawn_password",
    ),
    secret(
        "pass_of_user",
        "password",
        r"(?<!\w)(?:user(?:name|id)?|login|account|log\sin)\b[^\n]{1,60}?[\s,;/&]pass\s" + VALUE,
        ("pass",),
        "drawn_password",
    ),
    secret(
        "password_option",  # of a command: mysql -pX, sshpass -p X; and of SQL
        "password",
        r"(?<!\w)(?:(?:mysql(?:dump|admin)?|mariadb|sshpass|redis-cli|mongosh?)\s"
        r"(?:[^\n]{0,120}?\s)?-[pa]\s?|identified\sby\s{1,3})" + VALUE,
        ("mysql", "mariadb", "sshpass", "redis-cli", "mongo", "identified by"),
        "drawn_password",
    ),
    secret(
        "password_pair",  # "login: admin / x", "credentials bob:x"
        "password",
        rf"(?<!\w){nouns(PAIR_WORDS)}(?:\s(?:is|are|sind|sont|son|sono|são|zijn))?[:=]?\s{{1,3}}"
        r"(?=[^\s/:,;]{0,63}[^\W\d_])[^\s/:,;]{2,64}(?:\s?[:;|]\s?|/|\s/\s)" + VALUE,
        PAIR_WORDS,
        "drawn_password",
    ),
    secret(
        "key_seed_phrase",
        "private_key",
        rf"{nouns(SEED_WORDS)}[^\n]{{0,40}}?[\s:\"'“「：]"
        r"(?P<value>(?:[a-z]{3,8}[ ,\n]{1,2}){11,23}[a-z]{3,8})(?![a-z])",
        SEED_WORDS,
    ),
    secret(
        "password_glued", "password", nouns(LOGIN_GLUED) + GLUE + RUN, LOGIN_GLUED, "other_letters"
    ),
    secret(
        "password_glued_beside",
        "password",
        nouns(LOGIN_GLUED) + r"\s{0,2}" + RUN,
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
        PINS
        + PIN_OF
        + rf"(?:,?\s{COPULA}|\s?[:=])\s{{0,3}}"
        + r"(?P<value>[0-9]{4}(?:[0-9]{2})?(?![\w-]|[.,][0-9]))",
        ("pin", *PIN_WORDS),
    ),
    secret(
        "pin_beside",
        "pin",
        rf"(?<!\w){nouns(PIN_WORDS)}{PIN_OF}(?:\s[^\W\d_]{{1,16}})?\s(?P<value>[0-9]{{4}}(?![\w-]|[.,][0-9]))",
        PIN_WORDS,
    ),
    secret(
        "pin_card",
        "pin",
        rf"(?<!\w){nouns(CARD_CODE_WORDS)}{PIN_OF}(?:\s{COPULA}|\s?[:=])?\s{{0,3}}"
        r"(?P<value>[0-9]{3,4}(?![\w-]|[.,][0-9]))",
        CARD_CODE_WORDS,
    ),
    secret(
        "pin_entry",
        "pin",
        rf"(?<!\w){nouns(CODE_WORDS)}{PIN_OF}(?:\s{COPULA}|\s?[:=])?\s{{0,3}}"
        r"(?P<value>[0-9]{4,8}(?:[ -][0-9]{3,4})?(?![\w-]|[.,][0-9]))",
        CODE_WORDS,
    ),
    secret(
        "pin_entry_glued",
        "pin",
        nouns(CODE_GLUED) + rf"(?:{GLUE}|\s{{0,2}})(?P<value>[0-9]{{4,8}}(?![0-9.-]))",
        CODE_GLUED,
    ),
    secret(
        "pin_glued",
        "pin",
        nouns(PIN_GLUED) + GLUE + r"(?P<value>[0-9]{4,8}(?![0-9.-]))",
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
        rf"(?:(?:api|access|secret|auth|bearer|refresh|private|master|recovery)[\s_-]?(?:key|token|code)"
        rf"|(?<!\w){nouns(KEY_WORDS)})\s{{1,3}}" + VALUE,
        ("key", "token", *KEY_WORDS),
        "random_looking",
    ),
    secret("key_glued", "api_key", nouns(KEY_GLUED) + GLUE + RUN, KEY_GLUED, "random_looking"),
)
