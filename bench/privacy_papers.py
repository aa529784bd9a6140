"""Papers for the detector: national ids with their check digits, passports, driving licences."""

import string
from collections.abc import Callable, Iterator, Sequence
from random import Random

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

from bench.privacy_samples import (
    SCRIPTS,
    Sample,
    birthday,
    digits,
    ended,
    grouped,
    in_script,
    letters,
    until,
)

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
    return _numbered(by, "passport", PASSPORTS, _passport)


def licences(by: Random) -> Iterator[Sample]:
    return _numbered(by, "driving_licence", LICENCES, _licence)


def _numbered(
    by: Random, kind: str, frames: Sequence[str], numbers: Callable[[Random], Sequence[str]]
) -> Iterator[Sample]:
    while True:
        for frame in frames:
            number = by.choice(numbers(by))
            yield Sample(kind, frame.format(number), number)


def _passport(by: Random) -> Sequence[str]:
    return (
        f"{letters(by, 1)}{digits(by, 7)}",
        digits(by, 9),
        f"C{digits(by, 2)}X{digits(by, 2)}T{digits(by, 2)}",
    )


def _licence(by: Random) -> Sequence[str]:
    return (
        f"{letters(by, 1)}{digits(by, 7)}",
        digits(by, 10),
        f"{letters(by, 5)}{digits(by, 6)}{letters(by, 2)}9IJ",
    )
