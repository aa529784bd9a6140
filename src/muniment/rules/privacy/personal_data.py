"""Personal data with a fixed format: mail, cards, accounts, birthdays, IP addresses."""

from typing import Final

from muniment.rules.privacy.lookalikes import THING_BEFORE, VERSION_BEFORE
from muniment.rules.privacy.rule import DetectionRule, personal

MONTH: Final = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|janv|févr|avr|juin|juil"
    r"|août|déc)[^\W\d_]{0,8}\.?"
)
# After a word for a birthday a month may have any name.
ANY_MONTH: Final = r"(?:de\s|del\s|of\s)?[^\W\d_]{3,14}\.?(?:\sde|\sdel)?"
DATE: Final = (
    r"(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}"
    r"|[0-9]{1,2}[-/. ][0-9]{1,2}[-/. ](?:[0-9]{4}|[0-9]{2})"
    r"|[0-9]{4}\s?[年년]\s?[0-9]{1,2}\s?[月월]\s?[0-9]{1,2}\s?[日일号號]?"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th|er|º|\.)?\s{ANY_MONTH},?\s[0-9]{{4}}"
    rf"|{MONTH}\s[0-9]{{1,2}}(?:st|nd|rd|th)?,?\s[0-9]{{4}})"
)
BIRTH: Final = (
    r"(?:\b(?:dob|d\.o\.b\.?|date\sof\sbirth|birth\s?date|(?:i|he|she)\swas\sborn(?:\son)?"
    r"|(?:my|his|her)\sbirthday|geburtsdatum|geboren\sam|geboren\sop|geboortedatum"
    r"|date\sde\snaissance|née?\sle|fecha\sde\snacimiento|nac(?:[íi]|id[oa])\sel|data\sdi\snascita|nat[oa]\sil"
    r"|data\sde\snascimento|nasc(?:i|id[oa])\s(?:em|a))|дата\sрождения|родил(?:ся|ась)"
    r"|ημερομηνία\sγέννησης|γεννήθηκα(?:\sστις)?|تاريخ\s(?:ال)?ميلاد[يه]?|ولدت\sفي|जन्म\s?तिथि"
    r"|जन्मदिन|出生日期|出生于|生日|生年月日|생년월일|생일)"
)
BIRTH_NEEDS: Final = (
    *("dob", "d.o.b", "birth", "born", "geb", "naissance", "née le", "né le", "nacimiento", "nac"),
    *("nascita", "nato il", "nata il", "nascimento", "nasc", "рожден", "родил", "γέννησης"),
    *("γεννήθηκα", "ميلاد", "ولدت", "जन्म", "出生", "生日", "生年月日", "생년월일", "생일"),
)
IS: Final = r"(?:\s(?:is|was|ist|lautet|est|es|è|é|это|είναι|هو|है))?(?:[は是为은는이])?[\s:=#]{0,3}"
ODD: Final = r"(?:[^\w\s]|_|\s){1,3}"

PERSONAL_RULES: tuple[DetectionRule, ...] = (
    personal(
        "email",
        r"(?<![\w.%+@-])(?!git@[\w.-]{1,190}:)[\w.%+'-]{1,64}@(?![0-9]{1,5}\.[0-9])"
        r"\w[\w.-]{0,190}\.(?!(?:png|jpe?g|gif|svg|webp|avif|css|m?js|tsx?|json|html?|map)\b)"
        r"(?:[^\W\d_]{2,24}|xn--[a-z0-9-]{1,59})(?![\w-])",
        needs=("@",),
    ),
    # Written so that a program does not find it: "anna [at] example [dot] com".
    personal(
        "email.spelled",
        r"(?i)(?<![\w.%+-])[\w.%+-]{1,64}\s?[(\[{<]\s?(?:at|@|ät|arobase|arroba|chiocciola)\s?[)\]}>]\s?"
        r"[\w-]{1,64}(?:(?:\.|\s?[(\[{<]\s?(?:dot|punkt|point|punto|ponto|\.)\s?[)\]}>]\s?|\sdot\s)"
        r"[\w-]{2,64}){1,4}(?![\w-])",
        needs=(
            "(at",
            "[at",
            "{at",
            "<at",
            "( at",
            "[ at",
            "ät",
            "arobase",
            "arroba",
            "chiocciola",
            "(@",
            "[@",
        ),
    ),
    personal(
        "email.said",
        r"(?i)(?<![\w.%+-])[\w.%+-]{2,64}\s(?:at|ät)\s[\w-]{1,64}(?:\s(?:dot|punkt)\s[\w-]{2,64}){0,3}"
        r"\s(?:dot|punkt)\s(?:com|org|net|edu|gov|io|me|info|[a-z]{2})(?![\w-])",
        needs=(" dot ", " punkt "),
    ),
    personal(
        "email.quoted",
        r"(?<![\w.%+@-])\"[^\"\s@][^\"\n@]{0,62}\"@\w[\w.-]{0,190}\.[^\W\d_]{2,24}(?![\w-])",
        needs=('"@',),
    ),
    personal(
        "card",  # in groups, or as one row of digits that is not said to be the number of a thing
        r"(?<![A-Za-z0-9_.])(?![0-9]{12,19}(?![0-9]|[ -][0-9]))"
        r"[0-9](?:[ -]?[0-9]){11,18}(?![A-Za-z0-9])",
        digits=12,
        check="card",
    ),
    personal(
        "card.bare",
        r"(?<![A-Za-z0-9_.])(?<![0-9][ -])[0-9]{12,19}(?![A-Za-z0-9]|[ -][0-9])",
        digits=12,
        check="card",
        veto=THING_BEFORE,
    ),
    personal(
        "card.odd",  # its groups are parted by dots or whatever else
        rf"(?<![A-Za-z0-9])[0-9]{{1,8}}(?:{ODD}[0-9]{{1,8}}){{1,18}}(?![A-Za-z0-9])",
        digits=12,
        check="card_in_groups",
    ),
    personal(
        "iban",
        r"(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}(?:[ .-]?[A-Za-z0-9]){11,30}(?![A-Za-z0-9])",
        digits=4,
        check="bank_account",
    ),
    personal(
        "date_of_birth",
        "(?i)" + BIRTH + IS + rf"(?P<value>{DATE})(?![A-Za-z0-9_])",
        digits=4,
        needs=BIRTH_NEEDS,
    ),
    personal(
        "ip.v4",
        r"(?<![A-Za-z0-9_.])(?<![A-Za-z]-)[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}"
        r"(?![A-Za-z0-9_]|\.[0-9]|-[A-Za-z])",
        digits=4,
        needs=(".",),
        check="ipv4",
        veto=VERSION_BEFORE,
    ),
    personal(
        "ip.v6",
        r"(?<![A-Za-z0-9_:.])(?=[0-9A-Fa-f]{0,4}:)"
        r"[0-9A-Fa-f:]{3,39}(?:\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3})?(?![A-Za-z0-9_])",
        digits=1,
        needs=(":",),
        check="ipv6",
        veto=VERSION_BEFORE,
    ),
)
