"""The table of what a secret and a piece of personal data look like."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Category = Literal["secret", "pii"]
Risk = Literal["high", "medium", "low"]
AS_WRITTEN, ANY_CASE = int(re.UNICODE), int(re.UNICODE | re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One row. The span is the group `value` where the pattern has one, else the whole match."""

    id: str
    category: Category
    kind: str
    risk: Risk
    form: str  # the pattern as it is written
    flags: int = AS_WRITTEN
    needs: tuple[str, ...] = ()  # lower case; without one of them the pattern cannot match
    digits_min: int = 0  # a text with fewer digits cannot match
    check: str = ""  # the name of the check that confirms a candidate
    veto: re.Pattern[str] | None = None  # searched in the few code points before the match

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiled for the first text that holds its signs: few rules ever meet one."""
        return re.compile(self.form, self.flags)


# ---- keys that carry their maker's prefix --------------------------------------------------------


def vendor(name: str, needs: str, pattern: str, kind: str = "api_key") -> Rule:
    return Rule(
        id=f"secret.{name}",
        category="secret",
        kind=kind,
        risk="high",
        form=rf"(?<![A-Za-z0-9])(?:{pattern})",
        needs=tuple(needs.split()),
    )


VENDOR_RULES: tuple[Rule, ...] = (
    vendor("age", "age-secret-key-1", r"AGE-SECRET-KEY-1[0-9A-Z]{58}", "private_key"),
    vendor("airtable", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    vendor("anthropic", "sk-ant-", r"sk-ant-[\w-]{20,200}"),
    vendor("atlassian", "atatt3", r"ATATT3[\w=-]{40,300}"),
    vendor(
        "aws_key_id", "akia asia abia acca", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"
    ),
    vendor("azure_account_key", "accountkey=", r"AccountKey=[A-Za-z0-9+/]{40,100}={0,2}"),
    vendor("azure_client", "q~", r"[\w~.-]{3}[0-9]Q~[\w~.-]{31,34}"),
    vendor("azure_signature", "sig=", r"sig=[A-Za-z0-9%+/]{40,120}={0,2}"),
    vendor("databricks", "dapi", r"dapi[0-9a-f]{32}"),
    vendor("digitalocean", "_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    vendor("discord", ".", r"[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}"),
    vendor("docker", "dckr_pat_", r"dckr_pat_[\w-]{20,60}"),
    vendor("doppler", "dp.", r"dp\.(?:pt|st|ct|sa)\.[\w.-]{40,80}"),
    vendor("figma", "figd_", r"figd_[\w-]{30,60}"),
    vendor("github", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    vendor("github_fine", "github_pat_", r"github_pat_\w{22,255}"),
    vendor("gitlab", "gl", r"gl(?:pat|dt|rt|cbt|ptt|ft|oas|soat|imt|agent)-[\w.-]{20,300}"),
    vendor("google_api", "aiza", r"AIza[\w-]{35}"),
    vendor("google_client", "gocspx-", r"GOCSPX-[\w-]{20,40}"),
    vendor("google_oauth", "ya29.", r"ya29\.[\w-]{20,500}", "bearer_token"),
    vendor("grafana", "glsa_ glc_", r"gl(?:sa|c)_[\w=+/-]{32,400}"),
    vendor("groq", "gsk_", r"gsk_[A-Za-z0-9]{40,60}"),
    vendor("huggingface", "hf_", r"hf_[A-Za-z0-9]{30,40}"),
    vendor("linear", "lin_api_", r"lin_api_[A-Za-z0-9]{32,48}"),
    vendor("mailchimp", "-us", r"[0-9a-f]{32}-us[0-9]{1,2}"),
    vendor("mailgun", "key-", r"key-[0-9a-f]{32}"),
    vendor("newrelic", "nrak-", r"NRAK-[A-Z0-9]{27}"),
    vendor("notion", "ntn_ secret_", r"(?:ntn|secret)_[A-Za-z0-9]{40,50}"),
    vendor("npm", "npm_", r"npm_[A-Za-z0-9]{36}"),
    vendor("openai", "sk-", r"sk-(?:(?:proj|svcacct|admin|None)-[\w-]{20,220}|[A-Za-z0-9]{32,64})"),
    vendor("openrouter", "sk-or-", r"sk-or-(?:v[0-9]-)?[0-9a-f]{32,64}"),
    vendor("perplexity", "pplx-", r"pplx-[A-Za-z0-9]{40,60}"),
    vendor("planetscale", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w.-]{32,64}"),
    vendor("postman", "pmak-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    vendor("pypi", "pypi-", r"pypi-[\w-]{40,400}"),
    vendor("replicate", "r8_", r"r8_[A-Za-z0-9]{37}"),
    vendor("rubygems", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    vendor("sendgrid", "sg.", r"SG\.[\w-]{16,32}\.[\w-]{16,64}"),
    vendor("sentry", "sntrys_ sntryu_", r"sntry[su]_[\w=+/-]{40,300}"),
    vendor("shopify", "shp", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    vendor("slack", "xox xapp-", r"(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{10,250}"),
    vendor(
        "slack_hook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows)/[\w/]{20,120}"
    ),
    vendor("square", "sq0", r"sq0(?:atp|csp|idp)-[\w-]{22,43}"),
    vendor("stripe", "_live_ _test_", r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,200}"),
    vendor("stripe_hook", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,100}"),
    vendor("telegram", ":aa", r"[0-9]{8,10}:AA[\w-]{33}"),
    vendor("terraform", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}"),
    vendor("twilio", "sk", r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    vendor("vault", "hvs. hvb.", r"hv[sb]\.[\w-]{24,300}"),
    vendor("xai", "xai-", r"xai-[A-Za-z0-9]{60,100}"),
    vendor("jwt", "eyj", r"eyJ[\w-]{8,2048}\.eyJ[\w-]{8,4096}\.[\w-]{0,1024}", "jwt"),
    vendor(
        "pem",
        "private key",
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[\s\S]{0,16384}?-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        r"|[A-Za-z0-9+/=\\\s]{0,16384})",
        "private_key",
    ),
    vendor(
        "bearer",
        "bearer",
        r"(?i:bearer)\s{1,3}(?=[A-Za-z_.~+/-]{0,64}[0-9])[\w.~+/=-]{16,4096}",
        "bearer_token",
    ),
    vendor(
        "basic_header",
        "authorization",
        r"(?i:authorization)[\"']?\s{0,2}[:=]\s{0,2}[\"']?(?i:basic)\s{1,3}[A-Za-z0-9+/]{6,512}={0,2}",
        "basic_auth",
    ),
    vendor(
        "connection",
        "://",
        r"(?i:postgres|mysql|mariadb|mongodb|redis|amqp|mssql|clickhouse|nats|s?ftp|smtp|ldap)"
        r"[a-z0-9+]{0,16}://[^\s:/@]{0,128}:[^\s@]{1,256}@[^\s/?#\"'<>]{1,256}",
        "connection_string",
    ),
    vendor(
        "url_login",
        "://",
        r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@]{0,128}:[^\s/@]{1,256}@[\w.:-]{1,256}",
        "basic_auth",
    ),
)


# ---- secrets told in words -----------------------------------------------------------------------

# Quoted up to the closing quote, else up to a space: a password may hold any punctuation.
VALUE = r"(?P<value>[\"'`“\u2018][^\"'`”\u2019\n]{1,128}[\"'`”\u2019]|[^\s\"`“”<>]{1,128})"
LOGIN_NOUN = (
    r"(?:password|passwd|passphrase|passcode|passwort|kennwort|mot\sde\spasse|contraseña"
    r"|(?<![a-z0-9])(?:pwd|pw))"
)
LOGIN_NEEDS = ("passw", "passphrase", "passcode", "kennwort", "mot de passe", "contraseña", "pw")
ASSIGNS = r"[\"'`]?\s{0,3}(?::=|=>|->|==|:|=)\s{0,3}"
FILLER = r"(?:(?:now|set\sto|still|currently|actually|changed\sto|just|simply)\s{1,2})?"
KEY_NOUN = (
    r"(?:(?:api|access|secret|private|encryption|signing|master|license|account)[\s_-]?key"
    r"|(?:api|access|auth|bearer|refresh|session|id|personal)[\s_-]?token"
    r"|(?:client|app|shared|api|consumer|webhook)[\s_-]?secret|secret|credentials?|(?<![a-z])token)"
)


def spoken(name: str, kind: str, pattern: str, needs: tuple[str, ...], check: str) -> Rule:
    return Rule(
        id=f"secret.{name}",
        category="secret",
        kind=kind,
        risk="high",
        form=pattern,
        flags=ANY_CASE,
        needs=needs,
        check=check,
    )


SPOKEN_RULES: tuple[Rule, ...] = (
    spoken(
        "password_assigned",
        "password",
        LOGIN_NOUN + ASSIGNS + VALUE,
        LOGIN_NEEDS,
        "assigned_password",
    ),
    spoken(
        "password_stated",
        "password",
        LOGIN_NOUN + r"\s{1,3}(?:is|was):?\s{1,3}" + FILLER + VALUE,
        LOGIN_NEEDS,
        "stated_password",
    ),
    spoken(
        "password_mentioned",
        "password",
        LOGIN_NOUN
        + r"(?:\s(?:for|of|on|in|at|für|pour)\s[^\n.;:!?\"']{1,48}?\s(?:is|was|ist|lautet|est)"
        + r"|\s{1,3}(?:is|was|to|ist|lautet|est|es|[-\u2013\u2014]))?\s{1,3}"
        + VALUE,
        LOGIN_NEEDS,
        "random_looking",
    ),
    spoken(
        "pass_assigned",
        "password",
        r"(?<![a-z0-9])pass" + ASSIGNS + VALUE,
        ("pass",),
        "random_looking",
    ),
    spoken(
        "pin",
        "pin",
        r"(?<![a-z0-9])pin(?:\s(?:code|number))?(?:\s(?:is|was)|\s?[:=])\s{0,3}"
        r"(?P<value>[0-9]{4}(?:[0-9]{2})?(?![\w.-]))",
        ("pin",),
        "",
    ),
    spoken(
        "key_told",
        "api_key",
        KEY_NOUN
        + r"(?:"
        + ASSIGNS
        + r"|(?:\s(?:for|of|on)\s[^\n.;:!?\"']{1,48}?)?\s{1,3}(?:is|was):?\s{1,3}"
        + FILLER
        + ")"
        + VALUE,
        ("key", "token", "secret", "credential"),
        "random_looking",
    ),
    spoken(
        "key_beside",
        "api_key",
        r"(?:api|access|secret)[\s_-]?key\s{1,3}" + VALUE,
        ("key",),
        "random_looking",
    ),
)


# ---- personal data -------------------------------------------------------------------------------

VERSION_BEFORE = re.compile(
    r"(?i)(?:\b(?:versions?|ver|v|releases?|build|revision|rev|chapter|section|clause|firmware|"
    r"upgrade[sd]?\sto|update[sd]?\sto)[\s:=.]{0,3}|[<>=~^]=?\s?)$"
)
MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|janv|févr|avr|juin|juil"
    r"|août|déc)[^\W\d_]{0,8}\.?"
)
DATE = (
    r"(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}"
    r"|[0-9]{1,2}[-/. ][0-9]{1,2}[-/. ](?:[0-9]{4}|[0-9]{2})"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th|\.)?\s(?:of\s)?{MONTH},?\s[0-9]{{4}}"
    rf"|{MONTH}\s[0-9]{{1,2}}(?:st|nd|rd|th)?,?\s[0-9]{{4}})"
)
IS = r"(?:\s(?:is|was|ist|lautet|est))?[\s:=#]{0,3}"


RISKS: dict[str, Risk] = {
    "email": "medium",
    "phone": "medium",
    "date_of_birth": "medium",
    "ip": "low",
}


def personal(name: str, pattern: str, *, digits: int = 0, needs: str = "", check: str = "") -> Rule:
    kind = name.partition(".")[0]
    return Rule(
        id=f"pii.{name}",
        category="pii",
        kind=kind,
        risk=RISKS.get(kind, "high"),
        form=pattern,
        flags=ANY_CASE if pattern.startswith("(?i)") else AS_WRITTEN,
        needs=tuple(needs.split("|")) if needs else (),
        digits_min=digits,
        check=check,
        veto=VERSION_BEFORE if name.startswith("ip") else None,
    )


PERSONAL_RULES: tuple[Rule, ...] = (
    personal(
        "email",
        r"(?<![\w.%+@-])(?!git@[\w.-]{1,190}:)[\w.%+'-]{1,64}@(?![0-9]{1,5}\.[0-9])"
        r"\w[\w.-]{0,190}\.(?:[^\W\d_]{2,24}|xn--[a-z0-9-]{1,59})(?![\w-])",
        needs="@",
    ),
    personal(
        "card", r"(?<![\w.])[0-9](?:[ -]?[0-9]){11,18}(?![A-Za-z0-9])", digits=12, check="card"
    ),
    personal(
        "iban",
        r"(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}(?:[ -]?[A-Za-z0-9]){11,30}(?![A-Za-z0-9])",
        digits=4,
        check="bank_account",
    ),
    personal("national_id.us", r"\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b", digits=9),
    personal(
        "national_id.us_told",
        r"(?i)\b(?:ssn|social\ssecurity(?:\s(?:number|no\.?))?)"
        + IS
        + r"(?P<value>[0-9]{3}[ .-]?[0-9]{2}[ .-]?[0-9]{4})(?![\w-])",
        digits=9,
        needs="ssn|social",
    ),
    personal(
        "national_id.gb",
        r"(?<![A-Za-z0-9])[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]"
        r"(?![A-Za-z0-9])",
        digits=6,
    ),
    personal(
        "national_id.gb_health",
        r"(?i)\bnhs(?:\s(?:number|no\.?))?"
        + IS
        + r"(?P<value>[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4})(?!\w)",
        digits=10,
        needs="nhs",
        check="british_health_id",
    ),
    personal(
        "national_id.de",
        r"(?i)\b(?:steuer-?(?:id|identifikationsnummer|nummer)|idnr\.?|tax\sid)(?:\s(?:number|nr\.?))?"
        + IS
        + r"(?P<value>[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{3})(?!\w)",
        digits=11,
        needs="steuer|idnr|tax id",
        check="german_tax_id",
    ),
    personal(
        "national_id.fr",
        r"(?<![\w.-])[1-478] ?[0-9]{2} ?[0-9]{2} ?[0-9][0-9ABab]"
        r" ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}(?!\w)",
        digits=14,
        check="french_id",
    ),
    personal(
        "national_id.in",
        r"(?<![\w.-])(?<![0-9][ -])[2-9][0-9]{3}(?P<gap>[ -])[0-9]{4}(?P=gap)[0-9]{4}"
        r"(?![\w-])(?! [0-9]{4}\b)",
        digits=12,
        check="indian_id",
    ),
    personal(
        "national_id.in_told",
        r"(?i)\b(?:aadhaar|aadhar|uidai?)(?:\s(?:number|no\.?|card))?"
        + IS
        + r"(?P<value>[2-9][0-9]{11})(?!\w)",
        digits=12,
        needs="aadha|uid",
        check="indian_id",
    ),
    personal(
        "national_id.in_tax",
        r"(?<![\w-])[A-Z]{5}[0-9]{4}[A-Z](?![\w-])",
        digits=4,
        check="indian_tax_id",
    ),
    personal(
        "date_of_birth",
        r"(?i)\b(?:dob|d\.o\.b\.?|date\sof\sbirth|birth\s?date|i\swas\sborn(?:\son)?|my\sbirthday"
        r"|geburtsdatum|geboren\sam|date\sde\snaissance)" + IS + rf"(?P<value>{DATE})(?!\w)",
        digits=4,
        needs="dob|d.o.b|birth|born|geb|naissance",
    ),
    personal(
        "ip.v4",
        r"(?<![\w.])(?<![A-Za-z]-)[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}"
        r"(?!\w|\.[0-9]|-[A-Za-z])",
        digits=4,
        needs=".",
        check="ipv4",
    ),
    personal(
        "ip.v6",
        r"(?<![\w:.])(?=[0-9A-Fa-f]{0,4}:)"
        r"[0-9A-Fa-f:]{3,39}(?:\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3})?(?!\w)",
        digits=1,
        needs=":",
        check="ipv6",
    ),
)


# ---- telephone numbers: numbering plans decide, these only say where to look ---------------------

PHONE_VALID = personal(
    "phone.valid",
    # A run that may hold a number; one blank or mark in a row, so that tables do not join up.
    r"(?<![\w.])[+(]{0,2}\d[\d ().\-/\u2013\u00a0+]{5,98}\d(?:\s?(?:x|ext\.?|#)\s?\d{1,7})?",
    digits=7,
)
PHONE_TOLD = personal(
    "phone.told",
    r"(?i)\b(?:call(?:ed|ing|s)?|phones?|(?:tele)?phone\s?(?:number|no\.?|nr\.?)?|tel|mobile|cell"
    r"|cellphone|text(?:ed)?|sms|whatsapp|signal|reach(?:ed)?|ring|dial|fax|landline|hotline"
    r"|(?:my|his|her|their|our|your|contact|new|work|home|office|the)\s(?:number|no\.)"
    r"(?:\s(?:is|was))?|telefon(?:nummer)?|handy(?:nummer)?|rufnummer|rufen|anrufen|ruf"
    r"|(?:^|(?<=[.!?,;:] ))number\sis|téléphone|portable|appel(?:er|ez|le)|joindre|numéro)\b",
    digits=7,
)

RULES: tuple[Rule, ...] = (*VENDOR_RULES, *SPOKEN_RULES, *PERSONAL_RULES)
EVERY_RULE: tuple[Rule, ...] = (*RULES, PHONE_VALID, PHONE_TOLD)
