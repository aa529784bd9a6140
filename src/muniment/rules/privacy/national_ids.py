"""National ids: formats and check digits of identity papers of many countries.

A number that its form and its check digits make improbable by chance is found wherever it stands;
any other needs a word for papers close by, in whatever language. Check digits: python-stdnum's.
"""

from typing import Final

from muniment.rules.privacy.lookalikes import THING_BEFORE
from muniment.rules.privacy.rule import DetectionRule, personal

# ---- words for papers: how an identity number, a passport and a licence are announced, in the
# fourteen languages that recall knows, and in those of the thirty largest countries -------------

# Where a capital matters: "sin" is "without" in Spanish, "pan" is bread, an inn is a house.
_ACRONYMS: Final = (
    r"(?-i:\b(?:SIN|PAN|INN|NIE|NIF|NIN|NID|NIK|RUT|RFC|RG|TIN|TC|NRC|BVN|ITIN|EMSO|UTR"
    r"|EIN|SSS(?=\s(?:[Nn]o|[Nn]umber|#)|:)|IRD|PPSN?|HKID|NRIC|OIB|TAJ|SVNR|EGN|JMBG)\b)"
)
_LATIN: Final = (
    # English, and what English says of the papers of others
    r"national\s(?:id(?:entity|entification)?|insurance)|identity\s(?:card|number|document)|id\scard"
    r"|identification\s(?:number|card)|id\s(?:number|no)|citizen(?:ship)?\s(?:id|number|card)"
    r"|social\s(?:security|insurance)|ssn|nhs|nino|tax(?:payer)?\s(?:id|number|file)|tfn"
    r"|aadhaa?r|uidai?|voter\s?id|pan\s(?:card|number)|emirates\sid|mynumber|ghana\s?card|huduma"
    # German, Dutch, Nordic
    r"|personalausweis(?:nummer)?|ausweisnummer|steuer-?(?:id|identifikationsnummer|nummer)|idnr"
    r"|sozialversicherungsnummer|rentenversicherungsnummer|ahv|bsn|burgerservicenummer"
    r"|identiteitskaart|rijksregisternummer|personnummer|f[øo]dselsnummer|cpr|hetu|henkil[öo]tunnus"
    # French, Spanish, Italian, Portuguese, Romanian
    r"|s[ée]curit[ée]\ssociale|carte\sd[’']identit[ée]|num[ée]ro\sd[’']identit[ée]|num[ée]ro\sfiscal"
    r"|nir|cni|dni|c[ée]dula|documento\sde\sidentidad|carn[ée]\sde\sidentidad|curp|cuil|cuit"
    r"|seguridad\ssocial|carta\sd[’']identit[àa]|codice\sfiscale|tessera\ssanitaria|cpf"
    r"|cart[ãa]o\sde\scidad[ãa]o|bilhete\sde\sidentidade|identidade|contribuinte|cnp"
    # Turkish, Polish, Czech, Indonesian, Vietnamese, Swahili
    r"|kimlik|tckn|pesel|dow[óo]d\sosobisty|rodn[ée]\s[čc][íi]slo|ktp|cccd|cmnd|c[ăa]n\sc[ướu]+c"
    r"|kitambulisho|cnic|nida|philsys|amka|snils|teudat\szehut"
    # Medicare, Ireland's, Hungary's, Croatia's, Serbia's and Singapore's, written small
    r"|medicare\s(?:card|number)|ird\snumber|pps\s?n(?:umber|o)|hkid|nric|svnr|sv-nummer"
    r"|taj[\s-]sz[áa]m|szem[ée]lyi\ssz[áa]m|jmbg|personas\skods|isikukood|asmens\skodas"
    r"|rodn[ée]\s?[čc][íi]slo|s[ée]cu(?:\ssociale)?"
)
_OTHER: Final = (
    r"инн|иин|снилс|егн|єдрпоу|лична\sкарта|удостоверени[ея]\sличности|паспортные\sданные|ідентифікаційний|рнокпп"
    r"|ταυτότητας?|δελτίο|αμκα|αφμ"
    r"|رقم\sالهوية|الرقم\sالقومي|الرقم\sالوطني|بطاقة\sالهوية|کد\sملی|شماره\sملی|شناختی\sکارڈ"
    r"|आधार|पैन|पहचान\sपत्र|वोटर\s(?:आईडी|कार्ड)|मतदाता\sपहचान|জাতীয়\sপরিচয়|এনআইডি"
    r"|身份证|身分證|身份證|公民身份|マイナンバー|個人番号|身分証|주민등록|주민번호|신분증"
    r"|บัตรประชาชน|เลขประจำตัวประชาชน|ፋይዳ|မှတ်ပုံတင်"
)
IDENTITY: Final = rf"(?:(?<![\w-])(?:{_LATIN})(?![\w]|-[0-9a-f])|{_ACRONYMS}|{_OTHER})"
PASSPORT: Final = (
    r"(?:\b(?:passport|reisepass(?:nummer)?|passnummer|passeport|pasaporte|passaporto|passaporte"
    r"|paspoort(?:nummer)?|pasaport|paszport|paspor|h[ộo]\schi[ếe]u)\b"
    r"|паспорт[а-я]{0,3}|загранпаспорт[а-я]{0,3}|διαβατηρί(?:ου|ο)|διαβατήριο|جواز\s(?:ال)?سفر"
    r"|جوازي|पासपोर्ट|护照|護照|パスポート|旅券|여권|گذرنامه|পাসপোর্ট|หนังสือเดินทาง)"
)
LICENCE: Final = (
    r"(?:\b(?:driv(?:ing|er[’']?s?)\slicen[cs]e|licence\sto\sdrive|führerschein(?:nummer)?"
    r"|permis\sde\sconduire|licencia\sde\scondu(?:cir|cci[óo]n)|(?:carn[ée]t?|permiso)\sde\sconducir"
    r"|patente(?:\sdi\sguida)?|carta\sde\scondu[çc][ãa]o|carteira\sde\s(?:motorista|habilita[çc][ãa]o)"
    r"|cnh|rijbewijs(?:nummer)?|ehliyet|prawo\sjazdy|surat\sizin\smengemudi)\b|(?-i:\bDL)(?=\s?(?:[Nn]o|[Nn]umber|:|#))"
    r"|водительск[а-я]{2,4}\s(?:удостоверени[а-я]|прав[а-я]{0,2})|άδεια[ς]?\sοδήγησης|δίπλωμα\sοδήγησης"
    r"|رخصة\s(?:ال)?قيادة|ड्राइविंग\sलाइसेंस|驾照|驾驶证|駕照|駕駛執照|運転免許証?|운전면허증?)"
)
# Needed somewhere in the text, in lower case: a quick look before any of the words above is sought.
NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "national_id": (
        *(
            "identi",
            "id card",
            "id n",
            "national i",
            "citizen",
            "social",
            "ssn",
            "nhs",
            "nino",
            "tax",
        ),
        *("tfn", "aadha", "uida", "voter", "emirates", "mynumber", "ghana", "huduma", "ausweis"),
        *("steuer", "idnr", "versicherungsnummer", "ahv", "bsn", "burgerservice", "rijksregister"),
        *("personnummer", "dselsnummer", "cpr", "hetu", "henkil", "curit", "fiscal", "nir", "cni"),
        *("dni", "dula", "curp", "cuil", "cuit", "codice", "sanitaria", "cpf", "cart", "bilhete"),
        *("contribuinte", "cnp", "kimlik", "tckn", "pesel", "dow", "rodn", "ktp", "cccd", "cmnd"),
        *("căn", "can c", "kitambulisho", "cnic", "nida", "philsys", "amka", "snils", "teudat"),
        *("sin", "pan", "inn", "nie", "nif", "nin", "nid", "nik", "rut", "rfc", "rg", "tin", "tc"),
        *("nrc", "bvn", "itin", "emso", "utr", "ein", "sss", "ird", "pps", "hkid", "nric"),
        *("oib", "taj", "svnr", "sv-nummer", "egn", "jmbg", "medicare", "szem", "personas kods"),
        *(
            "isikukood",
            "asmens kodas",
            "иин",
            "егн",
            "єдрпоу",
            "лична карта",
            "वोटर",
            "मतदाता",
            "sécu",
        ),
        *("инн", "снилс", "личности", "паспортн", "ідентифікац", "рнокпп", "ταυτότητα", "δελτίο"),
        *("αμκα", "αφμ", "الهوية", "القومي", "الوطني", "ملی", "کارڈ", "आधार", "पैन", "पहचान"),
        *("পরিচয়", "এনআইডি", "身份", "身分", "マイナンバー", "個人番号", "주민", "신분증"),
        *("ประชาชน", "ፋይዳ", "မှတ်ပုံတင်"),
    ),
    "passport": (
        *("passport", "pass", "pasaport", "passaport", "paspo", "paszport", "chiếu", "chieu"),
        *("паспорт", "διαβατ", "جواز", "पासपोर्ट", "护照", "護照", "パスポート", "旅券", "여권"),
        *("گذرنامه", "পাসপোর্ট", "หนังสือเดินทาง"),
    ),
    "driving_licence": (
        *(
            "licen",
            "führerschein",
            "permis",
            "carn",
            "patente",
            "carta de",
            "carteira",
            "cnh",
            "dl",
        ),
        *("rijbewijs", "ehliyet", "prawo jazdy", "surat izin", "водительск", "οδήγησης", "رخصة"),
        *("ड्राइविंग", "驾照", "驾驶证", "駕照", "駕駛執照", "運転免許", "운전면허"),
    ),
}
# Between the word and the number: "number", "No.", "card", of whom, "is".
FILL: Final = (
    r"(?:[\s-]?(?:(?:cards?|karte|number|no\.?|nr\.?|num\.?|n[.°]|nº|num[ée]ro|n[úu]mero|nummer|code"
    r"|kodu|numaras[ıi]m?|numer|nomor|s[ốo]|id)(?![A-Za-z])|номера?|αριθμός|αριθμό|رقم|नंबर|संख्या"
    r"|号码|號碼|号|號|番号|번호)){0,2}(?:\s?\([^()\n0-9]{1,24}\))?"
    r"(?:\s(?:for|of|von|de|di|da|do|du|van)\s[^\n.;:!?0-9]{1,32}?)?"
    r"(?:\s(?:is|was|ist|lautet|est|es|è|é|это|είναι|هو|هي|है|adalah|là|jest|är)(?![A-Za-z0-9])"
    r"|[は是为為은는이])?[\s:=#-]{0,4}"
)

# ---- forms and check digits ----------------------------------------------------------------------

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
    near(
        "letters",
        r"(?:[A-Z]{1,3}[0-9]{6,9}|[0-9]{6,9}-?)(?:[A-Z0-9]{0,2}[0-9A-Z]|\([0-9A-Z]\))?",
        "",
        digits=6,
    ),
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
