"""A corpus for the detector: personal data and secrets, and what looks like them, drawn by a seed.

Nothing in it is real: numbers are drawn and given their check digits, keys are drawn.
"""

import string
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

from stdnum import luhn

from bench.privacy_papers import licences, national_ids, passports
from bench.privacy_samples import (
    SCRIPTS,
    Sample,
    digits,
    grouped,
    in_script,
    letters,
)


def card(by: Random) -> str:
    start, size = by.choice(
        (("4", 16), ("51", 16), ("55", 16), ("2221", 16), ("37", 15), ("6011", 16))
    )
    drawn = start + digits(by, size - len(start) - 1)
    return drawn + luhn.calc_check_digit(drawn)


def cards(by: Random) -> Iterator[Sample]:
    frames = (
        "pay with {} please",
        "my card is {}",
        "Karte {}",
        "{}",
        "カードは{}です",
        "карта {}.",
    )
    marks = (" ", "-", ".", "\u00a0", "\u2009", "/", "·", "_", "\u2013", " - ", "\u200b", ":")
    while True:
        number = card(by)
        sizes = (4, 6, 5) if len(number) == 15 else (4, 4, 4, 4)
        spelled = by.choice((number, grouped(number, sizes, by.choice(marks))))
        if by.random() < 0.3:
            spelled = in_script(spelled, by.choice(list(SCRIPTS.values())))
        if by.random() < 0.15:
            spelled = "\u200b".join(spelled)
        yield Sample("card", by.choice(frames).format(spelled), spelled)


def ibans(by: Random) -> Iterator[Sample]:
    sizes = {"DE": 18, "FR": 23, "GB": 18, "NL": 14, "ES": 20, "IT": 23, "PL": 24}
    while True:
        land, size = by.choice(list(sizes.items()))
        start = {"GB": letters(by, 4), "NL": letters(by, 4), "IT": letters(by, 1)}.get(land, "")
        body = start + digits(by, size - len(start))
        rest = "".join(str(int(sign, 36)) for sign in f"{body}{land}00")
        number = f"{land}{98 - int(rest) % 97:02d}{body}"
        spelled = by.choice((number, " ".join(number[n : n + 4] for n in range(0, len(number), 4))))
        yield Sample(
            "iban", by.choice(("send it to {}", "IBAN: {}", "{} bitte")).format(spelled), spelled
        )


def emails(by: Random) -> Iterator[Sample]:
    names, hosts = (
        ("ada", "j.doe", "m_ueller", "li.wei+x", "o'neil"),
        ("example", "mail-7", "uni.test"),
    )
    while True:
        end = by.choice(("org", "de", "co.uk"))
        mail = f"{by.choice(names)}{by.randint(1, 99)}@{by.choice(hosts)}.{end}"
        if by.random() < 0.15:
            mail = mail.replace("@", "＠")
        yield Sample(
            "email", by.choice(("write to {}", "<{}>", "E-Mail: {}.", "邮箱 {}")).format(mail), mail
        )


PHONE_FRAMES = (
    *("call me on {}", "my number is {}", "Meine Telefonnummer ist {}", "mon téléphone : {}"),
    *(
        "mi teléfono es {}",
        "il mio cellulare è {}",
        "meu telefone é {}",
        "mijn telefoonnummer is {}",
    ),
    *("мой телефон {}", "το τηλέφωνό μου, κινητό {}", "رقم هاتفي، الهاتف {}", "मेरा मोबाइल {} है"),
    *("我的电话是{}", "電話は{}です", "전화번호는 {}"),
)


def phones(by: Random) -> Iterator[Sample]:
    while True:
        local = by.choice(
            (
                lambda: f"({by.choice((212, 415, 646))}) 555-{digits(by, 4)}",
                lambda: f"{by.choice((212, 415, 646))}-555-{digits(by, 4)}",
                lambda: f"+49 {by.choice((30, 40, 89))} {digits(by, 7, '23456789')}",
                lambda: f"+44 20 7946 {digits(by, 4)}",
                lambda: f"+33 6 {grouped(digits(by, 8, '1234567'), (2, 2, 2, 2), ' ')}",
                lambda: f"+91 98{digits(by, 3)} {digits(by, 5)}",
                lambda: f"0151 {digits(by, 8, '123456789')}",
                lambda: f"+1{by.choice((212, 415, 646))}555{digits(by, 4)}",
                lambda: f"+86 138 {digits(by, 4)} {digits(by, 4)}",
            )
        )()
        told = by.random() < 0.75 or local[0] not in "+("
        frame = by.choice(PHONE_FRAMES) if told else by.choice(("{} is hers", "she wrote {} down"))
        if by.random() < 0.1:
            local = in_script(local, SCRIPTS["full width"])
        yield Sample("phone", frame.format(local), local)


BIRTHS = (
    *("I was born on {}", "date of birth: {}", "Geburtsdatum: {}", "date de naissance {}"),
    *(
        "fecha de nacimiento: {}",
        "data di nascita {}",
        "data de nascimento: {}",
        "geboortedatum {}",
    ),
    *("дата рождения {}", "ημερομηνία γέννησης {}", "تاريخ الميلاد {}", "जन्म तिथि {}"),
    *("出生日期：{}", "生年月日は{}", "생년월일 {}"),
)


def births(by: Random) -> Iterator[Sample]:
    while True:
        year, month, day = by.randint(1940, 2010), by.randint(1, 12), by.randint(1, 28)
        told = by.choice(
            (
                f"{year}-{month:02d}-{day:02d}",
                f"{day:02d}.{month:02d}.{year}",
                f"{day}/{month}/{year}",
            )
        )
        yield Sample("date_of_birth", by.choice(BIRTHS).format(told), told)


def addresses(by: Random) -> Iterator[Sample]:
    while True:
        told = by.choice(
            (
                ".".join(str(by.randint(2, 250)) for _ in range(4)),
                "2001:db8:" + ":".join(f"{by.randint(4096, 65535):x}" for _ in range(6)),
            )
        )
        yield Sample(
            "ip", by.choice(("it came from {}", "ping {}", "{} is down")).format(told), told
        )


# ---- secrets -------------------------------------------------------------------------------------

LOGINS = (
    *("my password is {}", "password: {}", "the password for the wiki is {}", "passcode {}"),
    *("Das Passwort lautet {}", "Kennwort: {}", "le mot de passe est {}", "mon mdp : {}"),
    *("la contraseña es {}", "contraseña: {}", "la password è {}", "la password del wifi è {}"),
    *("a senha é {}", "a minha palavra-passe é {}", "het wachtwoord is {}", "wachtwoord: {}"),
    *("мой пароль {}", "пароль: {}", "пароль от почты — {}", "ο κωδικός είναι {}", "κωδικός: {}"),
    *("كلمة المرور هي {}", "كلمة السر: {}", "मेरा पासवर्ड {} है", "पासवर्ड: {}"),
    *(
        "密码是{}",
        "我的密码：{}，别告诉别人",
        "パスワードは{}です",
        "パスワード：{}",
        "비밀번호는 {}입니다",
        "암호: {}",
    ),
)
PINS = (
    "my PIN is {}",
    "PIN: {}",
    "пин-код: {}",
    "暗証番号は{}です",
    "pincode: {}",
    "codice pin: {}",
)
KEYS = (
    *("the api key is {}", "api_key = '{}'", "client_secret: {}", "access token {} is new"),
    *(
        "API-Schlüssel: {}",
        "ma clé API est {}",
        "la clave API es {}",
        "chiave API: {}",
        "chave de API: {}",
    ),
    *("API-sleutel: {}", "ключ API: {}", "κλειδί API: {}", "مفتاح API: {}", "API कुंजी: {}"),
    *("API密钥是{}", "APIキーは{}です", "API 키는 {}입니다"),
)
VENDORS = (
    ("ghp_", 36, string.ascii_letters + string.digits),
    ("sk-ant-api03-", 93, string.ascii_letters + string.digits),
    ("AKIA", 16, string.ascii_uppercase + "234567"),
    ("xoxb-", 48, string.ascii_letters + string.digits),
    ("sk_live_", 24, string.ascii_letters + string.digits),
    ("AIza", 35, string.ascii_letters + string.digits),
    ("npm_", 36, string.ascii_letters + string.digits),
    ("glpat-", 20, string.ascii_letters + string.digits),
    ("hf_", 34, string.ascii_letters),
)


def password(by: Random) -> str:
    drawn = "".join(by.choices(string.ascii_letters, k=5)) + digits(by, by.randint(1, 4))
    return by.choice(
        (drawn, drawn + by.choice("!$#"), f"{drawn[:3]}{by.choice('@#$%&')}{drawn[3:]}")
    )


def passwords(by: Random) -> Iterator[Sample]:
    while True:
        for frame in LOGINS:
            told = password(by)
            yield Sample("password", frame.format(told), told)


def pins(by: Random) -> Iterator[Sample]:
    while True:
        told = digits(by, 4)
        yield Sample("pin", by.choice(PINS).format(told), told)


def keys(by: Random) -> Iterator[Sample]:
    while True:
        start, size, of = by.choice(VENDORS)
        vendor = start + letters(by, size, of)
        yield Sample("api_key", by.choice(("use {} for it", "{}", "key={}")).format(vendor), vendor)
        drawn = letters(by, 12, string.ascii_lowercase) + digits(by, 4) + letters(by, 8)
        yield Sample("api_key", by.choice(KEYS).format(drawn), drawn)


def tokens(by: Random) -> Iterator[Sample]:
    of = string.ascii_letters + string.digits
    while True:
        told = by.choice(
            (
                f"eyJ{letters(by, 20, of)}.eyJ{letters(by, 40, of)}.{letters(by, 43, of)}",
                f"Bearer {letters(by, 39, of)}7",
                f"postgresql://app:{password(by)}@db.example.org",
                f"https://bob:{password(by)}@example.org",
            )
        )
        yield Sample("token", f"it was {told}", told)


POSITIVES: dict[str, tuple[Callable[[Random], Iterator[Sample]], int]] = {
    "card": (cards, 110),
    "iban": (ibans, 60),
    "email": (emails, 70),
    "phone": (phones, 130),
    "national_id": (national_ids, 240),
    "passport": (passports, 57),
    "driving_licence": (licences, 45),
    "date_of_birth": (births, 45),
    "ip": (addresses, 40),
    "password": (passwords, 93),
    "pin": (pins, 20),
    "api_key": (keys, 60),
    "token": (tokens, 30),
}


def positives(seed: int, *, of: int = 1) -> list[Sample]:
    """What must be found, 1,000 in all; or the so many-th part of each kind."""
    by = Random(seed)
    return [each for make, count in POSITIVES.values() for each in islice(make(by), count // of)]
