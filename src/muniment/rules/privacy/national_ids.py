"""National ids: forms and check digits of the papers of the largest countries and of some more.

A number that its form and its check digits make improbable by chance is found wherever it stands;
any other needs a word for papers close by, in whatever language. Check digits: python-stdnum's.
"""

from typing import Final

from muniment.rules.privacy.identity_words import FILL, IDENTITY, LICENCE, NEEDS, PASSPORT
from muniment.rules.privacy.lookalikes import THING_BEFORE
from muniment.rules.privacy.rule import DetectionRule, personal

START: Final = r"(?<![A-Za-z0-9])(?<![0-9][./-])"
END: Final = r"(?![A-Za-z0-9]|[./-][0-9])"
TOLD: Final = r"(?P<value>[A-Za-z0-9](?:[ ./-]?[A-Za-z0-9]){5,24})"


def certain(name: str, form: str, check: str, *, digits: int) -> DetectionRule:
    """Improbable by chance: no word is needed."""
    return personal(f"national_id.{name}", START + form + END, digits=digits, check=check)


def near(name: str, form: str, check: str, *, digits: int) -> DetectionRule:
    """Probable only beside a word for papers."""
    return personal(
        f"national_id.{name}",
        START + form + END,
        digits=digits,
        needs=NEEDS["national_id"],
        check=check,
        near=IDENTITY,
    )


# Of the thirty largest countries, in the order of their size, and of some more.
CERTAIN_IDS: tuple[DetectionRule, ...] = (
    personal(
        "national_id.in",
        r"(?<![\w.-])(?<![0-9][ -])[2-9][0-9]{3}(?P<gap>[ -])[0-9]{4}(?P=gap)[0-9]{4}"
        r"(?![\w-])(?! [0-9]{4}\b)",
        digits=12,
        check="stdnum.in_.aadhaar",
    ),
    certain("in_tax", r"[A-Z]{3}[ABCFGHLJPT][A-Z][0-9]{4}[A-Z]", "stdnum.in_.pan", digits=4),
    certain("cn", r"[1-9][0-9]{5}(?:19|20)[0-9]{9}[0-9Xx]", "stdnum.cn.ric", digits=17),
    personal("national_id.us", r"(?<![\w-])[0-9]{3}-[0-9]{2}-[0-9]{4}(?![\w-])", digits=9),
    certain("pk", r"[1-7][0-9]{4}-[0-9]{7}-[0-9]", "stdnum.pk.cnic", digits=13),
    certain("br", r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}", "stdnum.br.cpf", digits=11),
    certain("ru", r"[0-9]{3}-[0-9]{3}-[0-9]{3}[ -][0-9]{2}", "russian_insurance_id", digits=11),
    certain("mx", r"[A-Z]{4}[0-9]{6}[HMX][A-Z]{5}[0-9A-Z][0-9]", "stdnum.mx.curp", digits=7),
    certain(
        "mx_tax",
        r"[A-ZÑ&]{4}[ -]?[0-9]{2}(?:0[1-9]|1[0-2])[0-3][0-9][ -]?[0-9A-Z]{3}",
        "stdnum.mx.rfc",
        digits=6,
    ),
    certain("th", r"[1-8]-[0-9]{4}-[0-9]{5}-[0-9]{2}-[0-9]", "stdnum.th.pin", digits=13),
    certain("tz", r"(?:19|20)[0-9]{6}-[0-9]{5}-[0-9]{5}-[0-9]{2}", "tanzanian_id", digits=20),
    certain(
        "gb",
        r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]",
        "",
        digits=6,
    ),
    personal(
        "national_id.fr",
        r"(?<![\w.-])[12] ?[0-9]{2} ?(?:0[1-9]|1[0-2]|[2-5][0-9]) ?[0-9][0-9ABab]"
        r" ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}(?!\w)",
        digits=14,
        check="stdnum.fr.nir",
    ),
    certain("za", r"[0-9]{6} ?[0-9]{4} ?[01][89][0-9]", "south_african_id", digits=13),
    certain(
        "it",
        r"[A-Za-z]{6}[0-9]{2}[A-EHLMPR-Ta-ehlmpr-t][0-9]{2}[A-Za-z][0-9]{3}[A-Za-z]",
        "stdnum.it.codicefiscale",
        digits=7,
    ),
    certain("ke_tax", r"[AP][0-9]{9}[A-Z]", "", digits=9),
    certain(
        "mm",
        r"[0-9]{1,2}/[^\W\d_]{1,9}[^()\s]{0,9} ?\((?:N|C|P|E|T|naing|နိုင်)\) ?[0-9]{6}",
        "",
        digits=7,
    ),
    certain("kr", r"[0-9]{6}-[1-8][0-9]{6}", "korean_id", digits=13),
    certain("ug", r"[CA][MF][0-9]{5}[0-9A-Z]{7}", "", digits=5),
    certain("es", r"[0-9]{8}-?[A-HJ-NP-TV-Z]", "stdnum.es.dni", digits=8),
    certain("es_foreign", r"[XYZ]-?[0-9]{7}-?[A-HJ-NP-TV-Z]", "stdnum.es.nie", digits=7),
    certain("ar_tax", r"(?:2[03-7]|3[034])-[0-9]{8}-[0-9]", "stdnum.ar.cuit", digits=11),
    certain("cl", r"[0-9]{1,2}\.[0-9]{3}\.[0-9]{3}-[0-9Kk]", "stdnum.cl.rut", digits=7),
    certain("ch", r"756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2}", "stdnum.ch.ssn", digits=13),
    certain("be", r"[0-9]{2}\.[0-9]{2}\.[0-9]{2}-[0-9]{3}\.[0-9]{2}", "belgian_id", digits=11),
    certain("se", r"(?:19|20)?[0-9]{6}[-+][0-9]{4}", "swedish_id", digits=10),
    certain("fi", r"[0-9]{6}[-+A-FU-Y][0-9]{3}[0-9A-FHJ-NPR-Y]", "stdnum.fi.hetu", digits=9),
    certain("cz", r"[0-9]{6}/[0-9]{4}", "stdnum.cz.rc", digits=10),
    certain("ae", r"784-?(?:19|20)[0-9]{2}-?[0-9]{7}-?[0-9]", "luhn", digits=15),
    certain("my", r"[0-9]{6}-[0-9]{2}-[0-9]{4}", "stdnum.my.nric", digits=12),
)
# Everybody else's: Nigeria, Bangladesh, Ethiopia, Vietnam, Turkey, Iran, Colombia, Kenya, Poland …
# Beside its word a number is taken as it is: one that is mistyped is still somebody's.
NEAR_IDS: tuple[DetectionRule, ...] = (
    near("digits", r"(?:[0-9]{7,17}|[0-9]{20})", "", digits=7),
    near("groups", r"[0-9]{1,9}(?:[ ./-][0-9]{1,9}){1,5}", "papers_in_groups", digits=8),
    near("letters", r"(?:[A-Z]{1,3}[0-9]{6,9}|[0-9]{6,9}-?)[A-Z0-9(]{0,2}[0-9A-Z)]", "", digits=6),
    near(
        "mixed",
        r"[0-9]{0,2} ?[0-9]{6} ?[A-Z] ?[0-9]{3}|[CFGHJK-NPRTV-Z0-9]{9,10}",
        "has_digits",
        digits=5,
    ),
)


def _told(name: str, words: str) -> DetectionRule:
    return personal(
        name,
        "(?i)" + words + FILL + TOLD,
        digits=5,
        needs=NEEDS[name.partition(".")[0]],
        check="told_number",
        veto=THING_BEFORE,
    )


TOLD_PAPERS: tuple[DetectionRule, ...] = (
    _told("passport", PASSPORT),
    _told("driving_licence", LICENCE),
    _told("national_id.told", IDENTITY),
    personal(
        "passport.near",
        START + r"(?:[A-Z]{1,2}[0-9]{6,8}|C[0-9A-Z]{8})" + END,
        digits=5,
        needs=NEEDS["passport"],
        check="has_digits",
        near=PASSPORT,
    ),
    personal(
        "passport.after",
        START
        + r"[A-Z0-9]{6,12}"
        + rf"(?=\s(?:is|was|ist|est|es|è|é|это|είναι)\s[^0-9.!?\n]{{0,20}}(?i:{PASSPORT}))",
        digits=5,
        needs=NEEDS["passport"],
        check="has_digits",
    ),
    # The line of a passport that machines read; its check digits stand behind number and dates.
    personal(
        "passport.machine",
        START
        + r"[A-Z0-9<]{9}[0-9][A-Z<]{3}[0-9]{7}[MFX<][0-9]{7}[A-Z0-9<]{14}[0-9<][0-9](?![A-Z0-9<])",
        digits=10,
        needs=("<",),
        check="machine_line",
    ),
    # Great Britain's says name, birthday and check in one.
    personal(
        "driving_licence.gb",
        START
        + r"[A-Z][A-Z9]{4}[0-9](?:[05][1-9]|[16][0-2])[0-3][0-9]{2}[A-Z9]{2}[0-9A-Z]{3}"
        + END,
        digits=6,
    ),
)
IDENTITY_RULES: tuple[DetectionRule, ...] = (*CERTAIN_IDS, *NEAR_IDS, *TOLD_PAPERS)
