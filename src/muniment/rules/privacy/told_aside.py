"""Secrets told aside: phrases of several words, codes that were sent, values behind a clause.

The words are those of the fourteen languages that recall knows. What stands between the noun and
its secret is bounded, and a secret that stands further off must look drawn.
"""

from typing import Final

from muniment.rules.privacy.rule import DetectionRule, secret
from muniment.rules.privacy.spoken_secrets import (
    ASSIGNS,
    COPULA,
    GAP,
    GLUE,
    LOGIN,
    LOGIN_ENGLISH,
    LOGIN_GLUED,
    LOGIN_NEEDS,
    OF_NOUN,
    RUN,
    VALUE,
    nouns,
)

# ---- phrases of several words --------------------------------------------------------------------

PHRASE_WORDS: Final = (
    *("passphrase", "pass phrase", "pass-phrase", "passsatz", "kennsatz", "passwortsatz"),
    *("phrase de passe", "phrase secrète", "frase de contraseña", "frase de paso", "frase secreta"),
    *("frase de acceso", "frase d'accesso", "frase segreta", "frase-passe", "frase de acesso"),
    *("wachtzin", "wachtwoordzin", "парольная фраза", "кодовая фраза", "секретная фраза"),
    *("φράση πρόσβασης", "συνθηματική φράση", "μυστική φράση", "عبارة المرور", "عبارة السر"),
    *("पासफ़्रेज़", "पासफ्रेज", "पासफ़्रेज", "गुप्त वाक्य"),
)
PHRASE_GLUED: Final = (
    *("密码短语", "口令短语", "通行短语", "パスフレーズ", "合言葉", "암호문구", "암호 문구"),
    *("패스프레이즈", "비밀 문구"),
)
# Three words or more, to the end of the sentence; `\w` has no vowel signs of Hindi.
LETTER: Final = r"[^\s\d:;,.!?\"'“”«»「」()\[\]{}<>=/\\_-]"
WORDS: Final = (
    rf"(?P<value>{LETTER}{{2,20}}(?:(?:,?[ ]|-){LETTER}{{1,20}}){{2,11}})"
    r"(?=[\"'”»」]?\s{0,3}(?:[.!?;)\n]|$))"
)
# What says a password by its name, and never what it is like.
NAMED_BY: Final = (
    r"(?:lautet|heißt|reads|se\sllama|s['’]appelle|si\schiama|chama-se|luidt|heet|звучит)"
)
LATIN_WORDS: Final = r"(?P<value>[a-z]{2,20}(?:[ -][a-z0-9]{1,20}){2,11})"

# ---- codes that bring an account back ----

RECOVERY_WORDS: Final = (
    *("recovery code", "recovery codes", "backup code", "backup codes", "reset code"),
    *("wiederherstellungscode", "wiederherstellungscodes", "backupcode", "backupcodes"),
    *("code de récupération", "codes de récupération", "code de secours", "codes de secours"),
    *("código de recuperación", "códigos de recuperación", "codice di recupero"),
    *("codici di recupero", "código de recuperação", "códigos de recuperação", "herstelcode"),
    *("herstelcodes", "код восстановления", "коды восстановления", "резервный код"),
    *("резервные коды", "κωδικός ανάκτησης", "κωδικοί ανάκτησης", "رمز الاسترداد"),
    *("رموز الاسترداد", "رمز الاسترجاع", "रिकवरी कोड", "बैकअप कोड"),
)
RECOVERY_GLUED: Final = (
    "恢复代码",
    "恢复码",
    "備用碼",
    "备用码",
    "復旧コード",
    "バックアップコード",
    "복구 코드",
)
# One code or a list of them, each of groups of letters and digits; a year alone is none.
GROUP: Final = r"(?=[a-z-]*[0-9])[a-z0-9]{3,12}(?:[- ](?=[a-z]*[0-9])[a-z0-9]{3,12}){0,5}"
CODES: Final = rf"(?P<value>(?:{GROUP}(?:\s?[,;/\n]\s?)){{0,15}}{GROUP})(?![\w-]|[.,:][0-9])"

# ---- codes that were sent ------------------------------------------------------------------------

SENT_BY: Final = (
    *("sms", "text message", "text", "texts", "whatsapp", "authenticator", "auth app"),
    *("e-mail", "email", "mail", "textnachricht", "nachricht", "texto", "courriel"),
    *("mensaje", "correo", "messaggio", "messaggino", "mensagem", "bericht", "berichtje"),
    *("смс", "смски", "сообщения", "сообщении", "письма", "письме", "почты", "почте"),
    *("μήνυμα", "μηνύματος", "رسالة", "الرسالة", "رسائل", "एसएमएस", "मैसेज", "संदेश"),
)
SENDING: Final = (
    *("texted", "sms", "text message", "whatsapp", "authenticator", "e-mail", "email"),
    *("textnachricht", "texto", "courriel", "mensaje", "messaggio", "mensagem", "bericht"),
    *("смс", "сообщении", "письме", "μήνυμα", "رسالة", "الرسالة", "एसएमएस", "मैसेज"),
)
CODE: Final = (
    r"(?<![\w-])(?<!error\s)(?<!status\s)(?<!exit\s)(?<!zip\s)(?<!post\s)(?<!postal\s)(?<!area\s)"
    r"(?<!country\s)(?<!discount\s)(?<!promo\s)(?<!voucher\s)(?<!coupon\s)(?<!product\s)(?<!source\s)"
    r"(?:codes?|tan|passcode|código|codigo|codice|код|кода|кодом|κωδικός|κωδικό|κωδικο"
    r"|الرمز|رمز|الكود|كود|कोड)(?!\w)"
)
NO_FAULT: Final = r"(?![^\n]{0,60}(?:error|fehler|erreur|errore|erro\b|fout|ошибк|σφάλμα|خطأ|त्रुटि))"
ASIDE: Final = r"(?:\s[^\s:=\d]{1,20})"
SAYING: Final = r"says|reads|sagt|dit|dice|diz|zegt|пишет|λέει|يقول"
SAYS: Final = rf"(?:,?\s(?:{COPULA}|{SAYING})|\s?[:=])\s{{0,3}}[\"'“«]?"
SENT_DIGITS: Final = (
    r"(?P<value>(?:[0-9]{4,8}|[0-9]{3}[ -][0-9]{3,4})(?![\w-]|[.,:/][0-9]))"
    r"(?!\s?(?:lines|zeilen|lignes|líneas|righe|linhas|regels|строк|bytes|kb|euros?|dollars?|%|€))"
)
SENT_GLUED: Final = (
    *("短信", "短訊", "邮件", "sms", "メール", "ショートメッセージ", "メッセージ"),
    *("문자", "문자메시지", "메일", "メッセ"),
)

# ---- a clause between ----------------------------------------------------------------------------

# A secret that stands off from its noun: with a digit, or a sign that no word has.
DRAWN: Final = r"(?=[^\s]{0,127}[\d!@#$%^&*+=~?|])" + VALUE
# What takes a noun up again: "it's on the fridge", "which Anna wrote down".
REFERS: Final = (
    r"(?:it|it[’']s|its|that|that[’']s|which|here|yes|as|written|noted|the\sone|if"
    r"|es|er|sie|das|der|die|ja|welches|c[’']est|il|elle|le|la|oui|qui|que|está|lo|sí|el\sque"
    r"|è|che|sì|lo\shai|é|o\sque|sim|het|dat|это|он|вот|да|который|что|είναι|το|ναι|που"
    r"|هو|هي|نعم|التي|यह|वह|हाँ|जो)"
)
CLAUSE: Final = REFERS + r"(?!\w)[^\n:=?]{0,80}?"

# ---- a name and its secret -----------------------------------------------------------------------

ENTERS: Final = (
    r"(?:(?:log(?:ged|ging)?|sign(?:ed|ing)?)[\s-]?(?:in|on|into)|logins?|log-in"
    r"|anmelden|anmeldest|melde|einloggen|loggen|connecte[rz]?|connexion|identifie[rz]?"
    r"|inicia[r]?\ssesión|accede[r]?|entra[r]?|accedi|accedere|inicia[r]?\ssessão|acessa[r]?|acesse"
    r"|inloggen|войти|войди|вход|заходи|залогинься|συνδέσου|σύνδεση|μπες|سجل\sالدخول|ادخل"
    r"|लॉगिन|लॉग\sइन)"
)
ENTERS_NEEDS: Final = (
    *("log", "sign", "anmeld", "melde", "connect", "connexion", "identifie", "inicia", "acced"),
    *("entra", "acess", "войти", "войди", "вход", "заходи", "залогинься", "συνδέσου", "σύνδεση"),
    *("μπες", "سجل", "ادخل", "लॉगिन", "लॉग"),
)
BY_MEANS_OF: Final = (
    r"(?:with|as|using|by|mit|als|avec|comme|con|como|com|come|met|с|как|με|ως|باسم|باستخدام|ब?से)"
)
NAME: Final = r"(?=[^\s/:,;|]{0,63}[^\W\d_])"
PART: Final = r"(?:[^\s/:,;|.]{2,64}/|[^\s/:,;|]{2,64}(?:\s/\s|\s?[:;|]\s?))"

TOLD_ASIDE_RULES: tuple[DetectionRule, ...] = (
    secret(
        "password_phrase_assigned",
        "password",
        rf"(?<!\w){nouns(PHRASE_WORDS)}" + OF_NOUN + GAP + rf"(?:\s{COPULA})?{ASSIGNS}" + WORDS,
        PHRASE_WORDS,
        "assigned_phrase",
    ),
    secret(
        "password_phrase_stated",
        "password",
        rf"(?<!\w){nouns(PHRASE_WORDS)}" + OF_NOUN + GAP + rf"\s{COPULA}:?\s{{1,3}}" + WORDS,
        PHRASE_WORDS,
        "stated_phrase",
    ),
    secret(
        "password_words",  # "my password is correct horse battery staple"
        "password",
        LOGIN + OF_NOUN + GAP + rf"(?:\s{COPULA}|['’]s):?\s{{1,3}}" + WORDS,
        LOGIN_NEEDS,
        "stated_words",
    ),
    secret(
        "password_words_assigned",  # "password: correct horse battery staple"
        "password",
        LOGIN + OF_NOUN + rf"(?:\s{COPULA})?{ASSIGNS}" + WORDS,
        LOGIN_NEEDS,
        "stated_words",
    ),
    secret(
        "password_named",  # "Das Passwort lautet Himbeere", "my password's swordfish."
        "password",
        rf"(?:{LOGIN}{GAP}\s{NAMED_BY}|(?:my|our)\s{LOGIN_ENGLISH}['’]s)\s{{1,3}}"
        + VALUE
        + r"(?=[.!;)]?\s{0,3}(?:\n|$))",
        LOGIN_NEEDS,
        "stated_password",
    ),
    secret(
        "password_noun",  # "Das Passwort ist Himbeere": what it is like has no capital there
        "password",
        r"(?:passwort|kennwort)(?:\s[^\s:=\"'\d]{1,16}){0,5}?\sist\s{1,3}"
        r"(?P<value>(?-i:[A-ZÄÖÜ])\w{3,63})(?=[.!;)]?\s{0,3}(?:\n|$))",
        ("passwort", "kennwort"),
        "stated_password",
    ),
    secret(
        "password_recovery",  # "my recovery code is XK42-99AB-77QQ", "backup codes: 1234 5678"
        "password",
        rf"(?<!\w){nouns(RECOVERY_WORDS)}{GAP}(?:\s{COPULA}|\s(?:are|sind|sont|son|sono|são|zijn))?"
        r"(?:\s?[:=])?\s{1,3}" + CODES,
        RECOVERY_WORDS,
        "recovery_code",
    ),
    secret(
        "password_recovery_glued",
        "password",
        rf"{nouns(RECOVERY_GLUED)}(?:{GLUE}|\s{{0,2}}){CODES}",
        RECOVERY_GLUED,
        "recovery_code",
    ),
    secret(
        "password_phrase_glued",
        "password",
        nouns(PHRASE_GLUED) + GLUE + LATIN_WORDS,
        PHRASE_GLUED,
        "assigned_phrase",
    ),
    secret(
        "password_phrase_glued_quoted",
        "password",
        nouns(PHRASE_GLUED)
        + r"\s{0,2}(?:是|为|は|が|는|은|:)\s{0,2}(?P<value>[「『“\"][^」』”\"\n]{2,128}[」』”\"])",
        PHRASE_GLUED,
    ),
    secret(
        "pin_sent",  # "the code from the text message is 884213"
        "pin",
        CODE
        + NO_FAULT
        + ASIDE
        + rf"{{0,6}}?[\s-](?:\w{{1,6}}[’'])?{nouns(SENT_BY)}(?!\w)"
        + rf"(?:{ASIDE}{{0,4}}?{SAYS}|(?<=[sс][mм][sс])\s){SENT_DIGITS}",
        SENT_BY,
    ),
    secret(
        "pin_sent_by",  # "they texted me the code 884213", "SMS-Code: 884213"
        "pin",
        rf"(?<!\w){nouns(SENDING)}{NO_FAULT}{ASIDE}{{0,6}}?[\s-]"
        + CODE.replace(r"(?<![\w-])", "")
        + rf"{ASIDE}{{0,3}}?(?:{SAYS}|\s){SENT_DIGITS}",
        SENDING,
    ),
    secret(
        "pin_sent_glued",
        "pin",
        rf"{nouns(SENT_GLUED)}[^\d\n]{{0,16}}?(?:代码|代碼|数字码|码|コード|番号|코드|번호)"
        rf"(?:{GLUE}|\s{{0,2}})(?P<value>[0-9]{{4,8}}(?![0-9.-]))",
        SENT_GLUED,
    ),
    secret(
        "password_asked",  # "password for the router? it's on the fridge: x"
        "password",
        LOGIN
        + r"s?[^\n?:=]{0,60}\?\s{1,3}"
        + rf"(?:{CLAUSE}(?::|\s{COPULA})\s{{1,3}}|(?:{COPULA}|(?:it|that)[’']s)\s{{1,3}})?"
        + DRAWN,
        LOGIN_NEEDS,
        "drawn_password",
    ),
    secret(
        "password_asked_glued",
        "password",
        nouns(LOGIN_GLUED) + r"[^\n?:=!-~]{0,16}\?[^\n?:=!-~]{0,30}:?\s{0,2}" + RUN,
        LOGIN_GLUED,
        "random_looking",
    ),
    secret(
        "password_aside",  # "the password, which Anna wrote down, is x"
        "password",
        LOGIN
        + rf"(?:,\s{{1,2}}|\s[(\u2013\u2014-]\s?|\s){CLAUSE}[,)]?(?::|,|\s{COPULA})\s{{1,3}}"
        + VALUE,
        LOGIN_NEEDS,
        "drawn_password",
    ),
    secret(
        "password_of_name",  # "you can log in with bob / x"
        "password",
        rf"(?<!\w){ENTERS}(?:-\w{{2,4}})?{ASIDE}{{0,5}}?\s{BY_MEANS_OF}\s{{1,2}}[\"'`]?{NAME}{PART}"
        + VALUE,
        ENTERS_NEEDS,
        "drawn_password",
    ),
)
