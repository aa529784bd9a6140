"""A corpus for the detector: personal data and secrets, and what looks like them, drawn by a seed.

Nothing in it is real: numbers are drawn and given their check digits, keys are drawn.
"""

import string
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

from stdnum import luhn
from stdnum.ar import cuit
from stdnum.br import cpf
from stdnum.cn import ric
from stdnum.de import idnr
from stdnum.es import dni
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.in_ import aadhaar
from stdnum.it import codicefiscale
from stdnum.jp import in_ as my_number
from stdnum.mx import curp
from stdnum.pl import pesel
from stdnum.th import pin
from stdnum.tr import tckimlik


class Sample(NamedTuple):
    """One text: what kind of thing is in it (or looks like it), and the thing itself."""

    kind: str
    text: str
    value: str


# ---- drawing -------------------------------------------------------------------------------------


def digits(by: Random, count: int, first: str = string.digits) -> str:
    return by.choice(first) + "".join(by.choices(string.digits, k=count - 1))


def letters(by: Random, count: int, of: str = string.ascii_uppercase) -> str:
    return "".join(by.choices(of, k=count))


def until(make: Callable[[], str], is_valid: Callable[[str], object]) -> str:
    """Drawn again until its check digits are right; bounded, for a form that never is."""
    return next(each for each in (make() for _ in range(200_000)) if is_valid(each))


def ended(
    start: str, is_valid: Callable[[str], object], ends: Sequence[str] = string.digits
) -> str:
    """A number that begins so, with the check digits that belong to it; empty where none do."""
    return next((start + end for end in ends if is_valid(start + end)), "")


def birthday(by: Random) -> str:
    return f"{by.randint(50, 99):02d}{by.randint(1, 12):02d}{by.randint(1, 28):02d}"


def grouped(text: str, sizes: Sequence[int], mark: str) -> str:
    at, parts = 0, []
    for size in sizes:
        parts.append(text[at : at + size])
        at += size
    return mark.join(parts)


SCRIPTS = {
    "full width": "０１２３４５６７８９",
    "arabic": "٠١٢٣٤٥٦٧٨٩",
    "persian": "۰۱۲۳۴۵۶۷۸۹",
    "devanagari": "०१२३४५६७८९",
    "thai": "๐๑๒๓๔๕๖๗๘๙",
    "bold": "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗",
}


def in_script(text: str, script: str) -> str:
    return text.translate(str.maketrans(string.digits, script))


# ---- personal data -------------------------------------------------------------------------------


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


PAPERS: dict[str, Callable[[Random], str]] = {
    "my Aadhaar is {}": lambda by: ended(digits(by, 11, "23456789"), aadhaar.is_valid),
    "身份证号码是{}": lambda by: ended(
        f"110105{by.randint(1950, 2005)}{by.randint(1, 12):02d}{by.randint(10, 28)}{digits(by, 3)}",
        ric.is_valid,
        "0123456789X",
    ),
    "my social security number is {}": lambda by: (
        f"{by.randint(101, 665)}-{by.randint(10, 99)}-{by.randint(1000, 9999)}"
    ),
    "SSN {}": lambda by: f"{by.randint(101, 665)}{by.randint(10, 99)}{by.randint(1000, 9999)}",
    "NIK saya {}": lambda by: (
        f"317106{by.randint(1, 28):02d}{by.randint(1, 12):02d}90000{by.randint(1, 9)}"
    ),
    "my CNIC is {}": lambda by: f"{digits(by, 5, '1234567')}-{digits(by, 7)}-{by.randint(1, 9)}",
    "my NIN is {}": lambda by: digits(by, 11, "123456789"),
    "meu CPF é {}": lambda by: cpf.format(until(lambda: digits(by, 11), cpf.is_valid)),
    "CPF: {}": lambda by: until(lambda: digits(by, 11), cpf.is_valid),
    "জাতীয় পরিচয়পত্র {}": lambda by: digits(by, 10, "123456789"),
    "NID number {}": lambda by: digits(by, 17, "12"),
    "ИНН {}": lambda by: digits(by, 12, "123456789"),
    "СНИЛС {}": lambda by: f"{digits(by, 3)}-{digits(by, 3)}-{digits(by, 3)} {digits(by, 2)}",
    "mi CURP es {}": lambda by: until(
        lambda: (
            f"{letters(by, 1)}A{letters(by, 2, 'BCDFGLMR')}{birthday(by)}{by.choice('HM')}DF"
            f"{letters(by, 3, 'BCDFGLMNPR')}0{digits(by, 1)}"
        ),
        curp.is_valid,
    ),
    "Fayda national ID {}": lambda by: grouped(digits(by, 12, "23456789"), (4, 4, 4), " "),
    "マイナンバーは{}です": lambda by: until(lambda: digits(by, 12), my_number.is_valid),
    "PhilSys number {}": lambda by: grouped(digits(by, 16, "23456789"), (4, 4, 4, 4), "-"),
    "الرقم القومي {}": lambda by: f"2{birthday(by)}01{digits(by, 5)}",
    "số CCCD {}": lambda by: f"001{digits(by, 9)}",
    "کد ملی {}": lambda by: digits(by, 10, "123456789"),
    "TC kimlik numaram {}": lambda by: until(
        lambda: digits(by, 11, "123456789"), tckimlik.is_valid
    ),
    "Meine Steuer-ID ist {}": lambda by: until(lambda: digits(by, 11, "123456789"), idnr.is_valid),
    "Personalausweisnummer {}": lambda by: f"L{digits(by, 2)}X{digits(by, 2)}T{digits(by, 3)}",
    "บัตรประชาชน {}": lambda by: grouped(
        ended(digits(by, 12, "12345678"), pin.is_valid), (1, 4, 5, 2, 1), "-"
    ),
    "NIDA number is {}": lambda by: (
        f"19{birthday(by)}-{digits(by, 5)}-{digits(by, 5)}-{digits(by, 2)}"
    ),
    "my NI number is {}": lambda by: (
        f"{letters(by, 2, 'ABCEGHJ')}{digits(by, 6)}{letters(by, 1, 'ABCD')}"
    ),
    "NHS number {}": lambda by: until(lambda: digits(by, 10, "123456789"), nhs.is_valid),
    "mon numéro de sécurité sociale est {}": lambda by: until(
        lambda: f"{by.choice('12')}{by.randint(50, 99)}{by.randint(1, 12):02d}75{digits(by, 8)}",
        nir.is_valid,
    ),
    "my South African id number is {}": lambda by: until(
        lambda: f"{birthday(by)}{digits(by, 4)}08{digits(by, 1)}", luhn.is_valid
    ),
    "il mio codice fiscale è {}": lambda by: ended(
        f"{letters(by, 6, 'BCDFGLMR')}{by.randint(50, 99)}A{by.randint(10, 28)}H501",
        codicefiscale.is_valid,
        string.ascii_uppercase,
    ),
    "Kenyan ID card {}": lambda by: digits(by, 8, "123"),
    "NRC {}": lambda by: f"{by.randint(1, 14)}/{letters(by, 6)}(N){digits(by, 6)}",
    "mi cédula es {}": lambda by: digits(by, 10, "1"),
    "주민등록번호는 {}": lambda by: f"{birthday(by)}-{by.choice('12')}{digits(by, 6)}",
    "my Ugandan NIN is {}": lambda by: f"CM{digits(by, 9)}{letters(by, 3)}",
    "mi DNI es {}": lambda by: ended(digits(by, 8), dni.is_valid, string.ascii_uppercase),
    "my CUIT: {}": lambda by: cuit.format(until(lambda: f"20{digits(by, 9)}", cuit.is_valid)),
    "PESEL {}": lambda by: until(lambda: f"{birthday(by)}{digits(by, 5)}", pesel.is_valid),
    "my BSN is {}": lambda by: digits(by, 9, "123456789"),
    "my SIN is {}": lambda by: grouped(
        until(lambda: digits(by, 9, "123456"), luhn.is_valid), (3, 3, 3), " "
    ),
    "on the form: {}": lambda by: ended(
        f"320311{by.randint(1950, 2005)}{by.randint(1, 12):02d}{by.randint(10, 28)}{digits(by, 3)}",
        ric.is_valid,
        "0123456789X",
    ),
}
PASSPORTS = (
    *("my passport number is {}", "Passport No. {}", "Meine Passnummer lautet {}", "Reisepass: {}"),
    *("mon passeport est {}", "numéro de passeport : {}", "mi pasaporte es {}", "passaporto n. {}"),
    *("o meu passaporte é {}", "mijn paspoortnummer is {}", "номер паспорта {}", "паспорт: {}"),
    *("αριθμός διαβατηρίου {}", "رقم جواز السفر {}", "मेरा पासपोर्ट नंबर {} है", "护照号码是{}"),
    *("パスポート番号は{}です", "여권번호는 {}", "{} is my passport number"),
)
LICENCES = (
    *("my driving licence is {}", "driver's license number: {}", "Führerschein Nr. {}"),
    *("mon permis de conduire {}", "mi licencia de conducir es {}", "la mia patente è {}"),
    *(
        "minha carteira de motorista {}",
        "mijn rijbewijsnummer is {}",
        "водительское удостоверение {}",
    ),
    *(
        "άδεια οδήγησης {}",
        "رخصة القيادة {}",
        "ड्राइविंग लाइसेंस {}",
        "驾照号码{}",
        "運転免許証番号 {}",
    ),
    *("운전면허증 번호는 {}",),
)


def national_ids(by: Random) -> Iterator[Sample]:
    while True:
        for frame, make in PAPERS.items():
            number = make(by)
            if not number:
                continue
            if by.random() < 0.1:
                number = in_script(number, by.choice(list(SCRIPTS.values())))
            yield Sample("national_id", frame.format(number), number)


def passports(by: Random) -> Iterator[Sample]:
    while True:
        for frame in PASSPORTS:
            number = by.choice(
                (
                    f"{letters(by, 1)}{digits(by, 7)}",
                    digits(by, 9),
                    f"C{digits(by, 2)}X{digits(by, 2)}T{digits(by, 2)}",
                )
            )
            yield Sample("passport", frame.format(number), number)


def licences(by: Random) -> Iterator[Sample]:
    while True:
        for frame in LICENCES:
            number = by.choice(
                (
                    f"{letters(by, 1)}{digits(by, 7)}",
                    digits(by, 10),
                    f"{letters(by, 5)}{digits(by, 6)}{letters(by, 2)}9IJ",
                )
            )
            yield Sample("driving_licence", frame.format(number), number)


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
