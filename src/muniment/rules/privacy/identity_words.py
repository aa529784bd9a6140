"""Words for papers: how an identity number, a passport and a driving licence are announced.

In the fourteen languages that recall knows, and in those of the thirty largest countries.
"""

from typing import Final

# Where a capital matters: "sin" is "without" in Spanish, "pan" is bread, an inn is a house.
_ACRONYMS: Final = (
    r"(?-i:\b(?:SIN|PAN|INN|NIE|NIF|NIN|NID|NIK|RUT|RFC|RG|TIN|TC|NRC|BVN|ITIN|EMSO|UTR)\b)"
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
)
_OTHER: Final = (
    r"инн|снилс|удостоверени[ея]\sличности|паспортные\sданные|ідентифікаційний|рнокпп"
    r"|ταυτότητας?|δελτίο|αμκα|αφμ"
    r"|رقم\sالهوية|الرقم\sالقومي|الرقم\sالوطني|بطاقة\sالهوية|کد\sملی|شماره\sملی|شناختی\sکارڈ"
    r"|आधार|पैन|पहचान\sपत्र|জাতীয়\sপরিচয়|এনআইডি"
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
        *("nrc", "bvn", "itin", "emso", "utr"),
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
