"""Look-alikes for the detector: numbers of things and talk about secrets, drawn by a seed."""

import string
from collections.abc import Callable
from random import Random

from bench.privacy_samples import Sample, digits, grouped, letters

HEX = "0123456789abcdef"


def day(by: Random) -> str:
    return f"{by.randint(1990, 2030)}-{by.randint(1, 12):02d}-{by.randint(1, 28):02d}"


def uuid(by: Random) -> str:
    return grouped(letters(by, 32, HEX), (8, 4, 4, 4, 12), "-")


def book(by: Random) -> str:
    return f"978-{by.randint(0, 9)}-{digits(by, 3)}-{digits(by, 5)}-{by.randint(0, 9)}"


def price(by: Random) -> str:
    return (
        f"{by.choice('$€£')}{by.randint(1, 999)},{by.randint(0, 999):03d}.{by.randint(0, 99):02d}"
    )


THINGS: dict[str, tuple[tuple[str, ...], Callable[[Random], str]]] = {
    "order": (
        ("order number {}", "my order number is {}", "order {} has shipped", "Bestellung Nr. {}"),
        lambda by: by.choice(
            (f"2026-{digits(by, 6)}", digits(by, 10), digits(by, 16), digits(by, 8))
        ),
    ),
    "order abroad": (
        (
            "commande {}",
            "pedido {}",
            "ordine n. {}",
            "заказ № {}",
            "订单号{}",
            "注文番号 {}",
            "주문번호 {}",
        ),
        lambda by: by.choice((digits(by, 10), digits(by, 12, "123456789"))),
    ),
    "invoice": (
        ("invoice {}", "see invoice no. {}", "Rechnung {}", "facture {}"),
        lambda by: by.choice(
            (f"INV-2026-{digits(by, 8)}", f"RE-{digits(by, 9)}", f"2025/{digits(by, 6)}")
        ),
    ),
    "ticket": (
        ("ticket {} is closed", "case {}", "reference {}", "call about ticket {}"),
        lambda by: by.choice((digits(by, 7), f"{letters(by, 3)}-{digits(by, 5)}", digits(by, 9))),
    ),
    "tracking": (
        ("tracking {}", "the parcel is {}", "tracking number: {}"),
        lambda by: by.choice((f"1Z{letters(by, 6)}{digits(by, 10)}", f"94{digits(by, 20)}")),
    ),
    "version": (
        ("version {}", "upgrade to {}", "release {} is out", "numpy=={}"),
        lambda by: ".".join(str(by.randint(0, 40)) for _ in range(by.choice((3, 4)))),
    ),
    "book": (("ISBN {}", "read {} first", "the book {}"), book),
    "date": (
        ("on {}", "from {} on", "the meeting of {} was long", "call on {}"),
        lambda by: by.choice((day(by), f"{by.randint(1, 28):02d}.{by.randint(1, 12):02d}.2024")),
    ),
    "moment": (
        ("{} ERROR disk", "at {}", "logged {}"),
        lambda by: by.choice(
            (f"{day(by)}T10:30:45.123Z", f"17{digits(by, 8)}", f"17{digits(by, 11)}")
        ),
    ),
    "place": (
        ("coordinates {}", "we met at {}", "GPS {}"),
        lambda by: (
            f"{by.randint(-89, 89)}.{digits(by, 6)}, {by.randint(-179, 179)}.{digits(by, 6)}"
        ),
    ),
    "hash": (
        ("commit {}", "sha256 {}", "etag {}", "digest {} matches"),
        lambda by: letters(by, by.choice((7, 12, 32, 40, 64)), HEX),
    ),
    "uuid": (("id {}", "trace {}", "{} was deleted"), uuid),
    "price": (
        ("it cost {}", "we paid {}", "the total is {}"),
        lambda by: by.choice(
            (price(by), f"{by.randint(1, 9)}.{digits(by, 3)}.{digits(by, 3)},00 EUR")
        ),
    ),
    "article": (
        ("EAN {}", "article {}", "part {}", "SKU {}", "serial {}"),
        lambda by: by.choice((digits(by, 13), f"{letters(by, 2)}{digits(by, 6)}", digits(by, 8))),
    ),
    "device": (
        ("IMEI {}", "MAC {}", "the VIN is {}", "chassis {}"),
        lambda by: by.choice(
            (
                f"35{digits(by, 13)}",
                ":".join(letters(by, 2, HEX) for _ in range(6)),
                f"WVW{letters(by, 5, string.ascii_uppercase)}{digits(by, 9)}",
            )
        ),
    ),
    "science": (
        ("CAS {}", "DOI {}", "ORCID {}", "arXiv {}"),
        lambda by: by.choice(
            (
                f"{digits(by, 4, '123456789')}-{digits(by, 2)}-{by.randint(0, 9)}",
                f"10.{digits(by, 4, '123456789')}/{digits(by, 6)}",
                f"0000-0002-{digits(by, 4)}-{digits(by, 4)}",
                f"{by.randint(15, 26)}{by.randint(10, 12)}.{digits(by, 5)}",
            )
        ),
    ),
    "figures": (
        ("population {}", "we counted {}", "the sum is {}", "pi is {}"),
        lambda by: by.choice(
            (
                f"{by.randint(1, 9)} {digits(by, 3)} {digits(by, 3)} {digits(by, 3)}",
                f"3.{digits(by, 15)}",
                ", ".join(str(by.randint(1, 99)) for _ in range(10)),
                digits(by, 7),
            )
        ),
    ),
    "record": (
        ("user id {}", "customer number {}", "session id {}", "row {}", "transaction id {}"),
        lambda by: by.choice((digits(by, 8), digits(by, 11, "123456789"), digits(by, 12))),
    ),
    "papers": (
        (
            *(
                "my passport expires on {}",
                "the passport office opens {}",
                "I renewed my licence in {}",
            ),
            *("Der Reisepass gilt bis {}", "my driving licence runs out on {}", "паспорт до {}"),
            *("the identity card costs {}", "my ID card is from {}", "护照有效期到{}"),
        ),
        lambda by: by.choice((day(by), str(by.randint(2024, 2036)), f"{by.randint(1, 12)}/2031")),
    ),
    "password": (
        (
            *("the password is required {}", "your password is too short {}", "password: str {}"),
            *(
                "das Passwort ist falsch {}",
                "le mot de passe est incorrect {}",
                "Passwort vergessen? {}",
            ),
            *("la contraseña es obligatoria {}", "la password è scaduta {}", "a senha é fraca {}"),
            *("het wachtwoord is verlopen {}", "пароль не подходит {}", "пароль забыт {}"),
            *("ο κωδικός είναι λάθος {}", "كلمة المرور خاطئة {}", "पासवर्ड गलत है {}", "密码错误 {}"),
            *("パスワードを忘れました {}", "비밀번호를 잊어버렸어요 {}", "API-Schlüssel fehlt {}"),
            *("the secret is patience {}", "token budget of {} thousand", "密码太短 {}"),
        ),
        lambda by: by.choice(("today", "again", str(by.randint(2, 99)))),
    ),
}
EACH = 50


def lookalikes(seed: int, *, of: int = 1) -> list[Sample]:
    """What must be left alone, 1,000 in all; or the so many-th part of each kind."""
    by = Random(seed)
    found: list[Sample] = []
    for kind, (frames, make) in THINGS.items():
        for n in range(EACH // of):
            told = make(by)
            found.append(Sample(kind, frames[n % len(frames)].format(told), told))
    return found
