"""Secrets and personal data are found in what people write, and plain talk is left alone."""

import string

import pytest

from muniment.model.commands.command import TEXT_LENGTH_MAX
from muniment.model.lru_cache import LruCache
from muniment.rules.privacy import detect as detector
from muniment.rules.privacy.detect import detect, detector_version
from muniment.rules.privacy.patterns import EVERY_RULE, RULES, rules_for
from muniment.rules.privacy.rule import PrivacyFinding, finding

LOWER_HEX = "0123456789abcdef" * 20
MIXED = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8z" * 12
UPPER = "A2B3C4D5E6F7G2H3" * 8


def kinds(text: str) -> set[str]:
    return {finding.kind for finding in detect(text)}


def flagged(text: str) -> str:
    return "|".join(text[finding.start : finding.end] for finding in detect(text))


# No literal in this file looks like a key: prefix and body meet only at run time.
VENDOR_KEYS: dict[str, tuple[str, ...]] = {
    "secret.age": ("AGE-SECRET", "-KEY-1" + UPPER[:58]),
    "secret.airtable": ("pa", "t" + MIXED[:14] + "." + LOWER_HEX[:64]),
    "secret.anthropic": ("sk-", "ant-api03-" + MIXED[:93]),
    "secret.atlassian": ("ATA", "TT3" + MIXED[:180]),
    "secret.aws_key_id": ("AK", "IA" + UPPER[:16]),
    "secret.azure_account_key": ("Account", "Key=" + MIXED[:86] + "=="),
    "secret.azure_client": ("aB3", "8Q~" + MIXED[:34]),
    "secret.azure_signature": ("si", "g=" + MIXED[:43] + "%3D"),
    "secret.databricks": ("da", "pi" + LOWER_HEX[:32]),
    "secret.digitalocean": ("dop", "_v1_" + LOWER_HEX[:64]),
    "secret.discord": ("M", MIXED[:24] + "." + MIXED[:6] + "." + MIXED[:30]),
    "secret.docker": ("dckr", "_pat_" + MIXED[:27]),
    "secret.doppler": ("dp", ".pt." + MIXED[:43]),
    "secret.figma": ("fig", "d_" + MIXED[:40]),
    "secret.github": ("gh", "p_" + MIXED[:36]),
    "secret.github_fine": ("github", "_pat_" + MIXED[:22] + "_" + MIXED[:59]),
    "secret.gitlab": ("gl", "pat-" + MIXED[:20]),
    "secret.google_api": ("AI", "za" + MIXED[:35]),
    "secret.google_client": ("GOC", "SPX-" + MIXED[:28]),
    "secret.google_oauth": ("ya", "29." + MIXED[:80]),
    "secret.grafana": ("gl", "sa_" + MIXED[:32] + "_" + LOWER_HEX[:8]),
    "secret.groq": ("gs", "k_" + MIXED[:52]),
    "secret.huggingface": ("h", "f_" + MIXED[:34]),
    "secret.linear": ("lin", "_api_" + MIXED[:40]),
    "secret.mailchimp": (LOWER_HEX[:32], "-us12"),
    "secret.mailgun": ("ke", "y-" + LOWER_HEX[:32]),
    "secret.newrelic": ("NR", "AK-" + UPPER[:27]),
    "secret.notion": ("nt", "n_" + MIXED[:46]),
    "secret.npm": ("np", "m_" + MIXED[:36]),
    "secret.openai": ("sk", "-proj-" + MIXED[:48]),
    "secret.openrouter": ("sk", "-or-v1-" + LOWER_HEX[:64]),
    "secret.perplexity": ("pp", "lx-" + MIXED[:48]),
    "secret.planetscale": ("psc", "ale_pw_" + MIXED[:43]),
    "secret.postman": ("PM", "AK-" + LOWER_HEX[:24] + "-" + LOWER_HEX[:34]),
    "secret.pypi": ("py", "pi-AgEIcHlwaS5vcmc" + MIXED[:80]),
    "secret.replicate": ("r", "8_" + MIXED[:37]),
    "secret.rubygems": ("ruby", "gems_" + LOWER_HEX[:48]),
    "secret.sendgrid": ("S", "G." + MIXED[:22] + "." + MIXED[:43]),
    "secret.sentry": ("snt", "rys_" + MIXED[:64]),
    "secret.shopify": ("shp", "at_" + LOWER_HEX[:32]),
    "secret.slack": ("xo", "xb-123456789012-" + MIXED[:24]),
    "secret.slack_hook": ("hooks.sl", "ack.com/services/T0AAAAAAA/B0AAAAAAA/" + MIXED[:24]),
    "secret.square": ("sq", "0atp-" + MIXED[:22]),
    "secret.stripe": ("sk", "_live_" + MIXED[:24]),
    "secret.stripe_hook": ("wh", "sec_" + MIXED[:32]),
    "secret.telegram": ("123456789", ":AA" + MIXED[:33]),
    "secret.terraform": (MIXED[:14], ".atlasv1." + MIXED[:64]),
    "secret.twilio": ("S", "K" + LOWER_HEX[:32]),
    "secret.vault": ("hv", "s." + MIXED[:90]),
    "secret.xai": ("xa", "i-" + MIXED[:80]),
    "secret.jwt": ("ey", "J" + MIXED[:20] + ".ey" + "J" + MIXED[:40] + "." + MIXED[:43]),
    "secret.pem": (
        "-----BEGIN RSA PRIV",
        "ATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n"
        + MIXED[:64]
        + "\n-----END RSA PRIV"
        + "ATE KEY-----",
    ),
    "secret.bearer": ("Bear", "er " + MIXED[:40]),
    "secret.basic_header": ("Authorization: Ba", "sic " + MIXED[:24] + "=="),
    "secret.connection": ("postgresql+psycopg2://app:", "s3cr/et@db.example.org"),
    "secret.url_login": ("https://bob:", "hunter2@example.org"),
}

TOLD_SECRETS = (
    ("my password is hunter2", "hunter2"),
    ("My password is swordfish.", "swordfish"),
    ("my password is: hunter2", "hunter2"),
    ("the password for the staging server is Tr0ub4dor&3", "Tr0ub4dor&3"),
    ("I changed my password to BlueHorse99!", "BlueHorse99!"),
    ("password: correcthorse", "correcthorse"),
    ('{"password": "two words here"}', '"two words here"'),
    ("DB_PASSWORD=zebra-crossing", "zebra-crossing"),
    ("pwd=qwerty12", "qwerty12"),
    ("log in as admin password Admin123!", "Admin123!"),
    ("password is now walrus7", "walrus7"),
    ("Das Passwort lautet Sommer2024!", "Sommer2024!"),
    ("le mot de passe est Soleil42x", "Soleil42x"),
    ("pass: letmein99", "letmein99"),
    ("my PIN is 4821", "4821"),
    ("the api key is 9f8e7d6c5b4a", "9f8e7d6c5b4a"),
    ("the api key is a1b2c3", "a1b2c3"),  # of fewer letters it may be anything
    ("api_key = 'abc123def456'", "'abc123def456'"),
    ("client_secret: q8w7e6r5t4", "q8w7e6r5t4"),
    ("access token for the wiki is zx81spectrum48k", "zx81spectrum48k"),
    ("the secret is xk92-llama-04", "xk92-llama-04"),
)

TOLD_PERSONAL = (
    ("email", "write to ada.lovelace+notes@example.co.uk.", "ada.lovelace+notes@example.co.uk"),
    ("email", "<müller@bücher.de>", "müller@bücher.de"),
    ("phone", "her office is +49 30 901820", "+49 30 901820"),
    ("phone", "it was (415) 555-2671, I think", "(415) 555-2671"),
    ("phone", "the list: 415-555-2671 212-555-2672", "415-555-2671|212-555-2672"),
    (
        "phone",
        "the list: (415) 555-2671 (212) 555-2672 (646) 555-2673",
        "(415) 555-2671|(212) 555-2672|(646) 555-2673",
    ),
    ("phone", "both: +1 (415) 555-2671 +49 30 901820", "+1 (415) 555-2671|+49 30 901820"),
    ("phone", "call me on 4155552671", "4155552671"),
    ("phone", "Mein Handy: 0151 23456789", "0151 23456789"),
    ("phone", "my number is 555-0132", "555-0132"),
    ("phone", "Number is 4155552671", "4155552671"),
    ("card", "pay with 4111 1111 1111 1111 123 please", "4111 1111 1111 1111"),
    ("card", "order 12 4111-1111-1111-1111", "4111-1111-1111-1111"),
    ("card", "amex 3782 822463 10005", "3782 822463 10005"),
    ("iban", "transfer to DE89 3704 0044 0532 0130 00 BIC COBADEFF", "DE89 3704 0044 0532 0130 00"),
    ("iban", "gb82west12345698765432", "gb82west12345698765432"),
    ("national_id", "it is 536-22-1234 on the form", "536-22-1234"),
    ("national_id", "SSN: 536221234", "536221234"),
    ("national_id", "NI number AB 12 34 56 C", "AB 12 34 56 C"),
    ("national_id", "nir 2 95 10 99 126 111 93", "2 95 10 99 126 111 93"),
    ("national_id", "PAN ACUPA7085R", "ACUPA7085R"),
    ("ip", "the request came from 203.0.113.77.", "203.0.113.77"),
    ("ip", "ping 2001:db8:85a3::8a2e:370:7334: unreachable", "2001:db8:85a3::8a2e:370:7334"),
    ("ip", "block 198.51.100.1-198.51.100.9", "198.51.100.1|198.51.100.9"),
    ("date_of_birth", "date of birth: 1984-03-12", "1984-03-12"),
    ("date_of_birth", "I was born on 12 March 1984 in Bonn", "12 March 1984"),
)

PLAIN = (
    "my favourite colour is cerulean",
    "the secret of good bread",
    "token budget of 2000",
    "the secret is to knead slowly and wait",
    "the secret is patience",
    "the password is required",
    "your password is too short",
    "the password is stored in the vault",
    "the password is securely hashed",
    "password: str",
    "password = None",
    "password = getpass.getpass()",
    'password = os.environ["DB_PASSWORD"]',
    "password = hash_password(password)",
    "the password is get_password(user).",
    "login(user=user, password=self.password)",
    "password: ********",
    "password=${DB_PASSWORD}",
    "passwordless login is nicer",
    "a password must be at least 12 characters",
    "a password of 8-16 characters",
    "reset your password before Friday 14 June",
    "we hash a password with SHA256 and a salt",
    "token = parser.next_token()",
    "each token: about four letters",
    "the key is under the mat",
    "the api key is kept elsewhere",
    "the api key is v1b2c",
    "bearer of good news arrived",
    "basic understanding of Kubernetes",
    "the meeting is on 2024-05-06 at 10:30:45",
    "2024-05-06T10:30:45.123456Z",
    "from 12.05.2023 to 17.05.2023",
    "call on 2024-05-06",
    "the years 2019-2023 and 2020-2024",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "version 1.2.3.4 is out",
    "v10.20.30.40",
    "muniment-1.2.3.4.tar.gz and 1.2.3.4-beta",
    "upgrade to 1.2.3.4",
    "numpy==1.26.4 and python 3.11.7",
    "order 4500123456 has shipped",
    "the order number is 1234567890",
    "call about order 12345678",
    "tracking 9400110898825022579493",
    "it cost $1,234,567.89",
    "population 1 234 567 890",
    "1.234.567,00 EUR",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "sha256 " + LOWER_HEX[:64],
    "ISBN 978-3-16-148410-0",
    "std::vector<int> a::b fade::add",
    "for (int i = 0; i < 1000000; ++i) sum += i;",
    "x = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]",
    "localhost is 127.0.0.1 and ::1",
    "also written 0:0:0:0:0:0:0:1 by some",
    "open 9:00-17:30, 7 days",
    "git clone git@github.com:org/repo.git",
    "npm install react@18.2.0-beta.next",
    "@pytest.mark.parametrize",
    "mac 00:1A:2B:3C:4D:5E",
    "timestamp 1700000000000",
    "pi is 3.14159265358979",
    "coordinates 48.858370, 2.294481",
    "a 16 digit number 1234 5678 9012 3456",
    "pin = 13",
    "room 101, floor 12, seat 34B",
    "https://example.com:8080/path/@user",
    "see section 4.3.2.1 of the manual",
    "order number 2026-718928",
    "my order number is 2026-718928",
    "the room number is 4155552671",
    "order 4170784727429438 has shipped",
    "invoice 2025/718928",
    "das Passwort ist falsch",
    "пароль не подходит",
    "密码错误，请重试",
    "パスワードを忘れました",
    "my passport expires on 2031-05-06",
    "the passport office opens at 10:30",
    "user id 12345678901",
    "trace 9102fe40-a3ee-cccd-6b0b-7fc7b99034be",
    "GPS 0.434555, -3.340456",
)


@pytest.mark.covers("A-011", "A-099")
@pytest.mark.parametrize("rule", sorted(VENDOR_KEYS))
def test_a_key_with_its_makers_prefix_is_found_whole(rule: str) -> None:
    key = "".join(VENDOR_KEYS[rule])
    text = f"Here it is: {key} and nothing else"
    findings = detect(text)
    assert {finding.category for finding in findings} == {"secret"}
    assert rule in {finding.rule for finding in findings}
    assert (findings[0].start, findings[-1].end) == (12, 12 + len(key))
    assert {finding.risk for finding in findings} == {"high"}


@pytest.mark.covers("A-011", "A-099")
@pytest.mark.parametrize(("text", "secret"), TOLD_SECRETS)
def test_a_secret_told_in_words_is_found(text: str, secret: str) -> None:
    assert flagged(text) == secret
    assert {finding.category for finding in detect(text)} == {"secret"}


@pytest.mark.covers("A-011", "A-099")
@pytest.mark.parametrize(("kind", "text", "value"), TOLD_PERSONAL)
def test_personal_data_is_found(kind: str, text: str, value: str) -> None:
    assert flagged(text) == value
    assert kinds(text) == {kind}


# Improbable by chance: found without a word. The last sign of each is a check digit.
CHECKED = (
    "234123412346",  # India, in groups
    "11010519491231002X",  # China
    "529.982.247-25",  # Brazil
    "112-233-445 95",  # Russia
    "HEGG560427MVZRRL04",  # Mexico
    "1-2345-67890-12-1",  # Thailand
    "2 95 10 99 126 111 93",  # France
    "8001015009087",  # South Africa
    "RSSMRA85T10A562S",  # Italy
    "12345678Z",  # Spain
    "20-12345678-6",  # Argentina
    "756.9217.0769.85",  # Switzerland
    "85.07.30-033.28",  # Belgium
    "811218-9876",  # Sweden
)
WORDED = (
    ("Steuer-ID 36574261809", "36574261809"),
    ("NHS number 943 476 5919", "943 476 5919"),
    ("my NIN is 12345678901", "12345678901"),
    ("জাতীয় পরিচয়পত্র ৬৪০১২৩৪৫৬৭", "৬৪০১২৩৪৫৬৭"),
    ("TC kimlik no: 10000000146", "10000000146"),
    ("10000000146 is my national id", "10000000146"),
    ("کد ملی ۰۴۹۹۳۷۰۸۹۹", "۰۴۹۹۳۷۰۸۹۹"),
    ("on the form: 42101-1234567-1", "42101-1234567-1"),  # Pakistan: its form has to do
    ("cédula 1.020.304.050", "1.020.304.050"),
    ("PESEL 44051401359", "44051401359"),
    ("マイナンバーは123456789018です", "123456789018"),
    ("NRC 12/OUKAMA(N)123456", "12/OUKAMA(N)123456"),
    ("my Personalausweis is L01X00T471", "L01X00T471"),
    ("passport no. X1234567", "X1234567"),
    ("护照号码是E12345678", "E12345678"),
    ("C01X00T47 is my passport number", "C01X00T47"),
    ("driver's license: D1234567", "D1234567"),
    ("MORGA657054SM9IJ on the card", "MORGA657054SM9IJ"),
    (
        "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
        "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
    ),
)


@pytest.mark.covers("A-011", "A-099")
@pytest.mark.parametrize("number", CHECKED)
def test_a_number_with_its_check_digits_needs_no_word(number: str) -> None:
    spelled = "2341 2341 2346" if number == "234123412346" else number
    assert flagged(f"on the form: {spelled} it says") == spelled
    assert kinds(f"on the form: {spelled} it says") == {"national_id"}


@pytest.mark.parametrize("number", [each for each in CHECKED if each[-1] in string.digits])
def test_with_a_wrong_check_digit_and_no_word_it_is_no_national_id(number: str) -> None:
    wrong = number[:-1] + str((int(number[-1]) + 1) % 10)
    assert "national_id" not in kinds(f"on the form: {wrong} it says")


@pytest.mark.covers("A-011", "A-099")
@pytest.mark.parametrize(("text", "number"), WORDED)
def test_a_number_beside_its_word_is_found_as_it_is(text: str, number: str) -> None:
    assert flagged(text) == number
    assert kinds(text) <= {"national_id", "passport", "driving_licence"}


def test_without_its_word_a_number_like_that_is_left_alone() -> None:
    for number in ("36574261809", "12345678901", "10000000146", "44051401359", "X1234567"):
        assert flagged(f"it says {number} there") == ""
        assert flagged(f"order number {number}") == ""


TOLD_ABROAD = (
    *("Das Passwort ist Sommer2024!", "le mot de passe est Sommer2024!", "mdp: Sommer2024!"),
    *("la contraseña del router es Sommer2024!", "la password è Sommer2024!", "senha: Sommer2024!"),
    *("het wachtwoord luidt Sommer2024!", "мой пароль Sommer2024!", "пароль от почты: Sommer2024!"),
    *("ο κωδικός είναι Sommer2024!", "كلمة المرور هي Sommer2024!", "मेरा पासवर्ड Sommer2024! है"),
    *("密码是Sommer2024!", "パスワードはSommer2024!です", "비밀번호는 Sommer2024!입니다"),
)


@pytest.mark.covers("A-011", "A-099")
@pytest.mark.parametrize("text", TOLD_ABROAD)
def test_a_password_is_found_in_the_languages_that_recall_knows(text: str) -> None:
    assert flagged(text).startswith("Sommer2024!")
    assert kinds(text) == {"password"}


@pytest.mark.parametrize("form", ["2030-01-15T15:24:{}", "2030-01-15 9:24:{}+00:00", "at 15:24:{}"])
def test_a_time_as_programs_write_it_is_no_telephone_number(form: str) -> None:
    seconds = [f"{n % 60:02}.{n * 7_919 % 1_000_000:06}" for n in range(600)]

    assert [each for each in seconds if kinds(form.format(each))] == []
    assert kinds("her number is 08.348856") == {"phone"}, "without a clock before it, it is one"


@pytest.mark.parametrize("word", ["(hunter2)", "Tr0ub4dor(3)", "hunter2(abc)", "abc(def", "(abcd)"])
def test_a_bracket_makes_no_password_a_call_in_code(word: str) -> None:
    assert kinds(f"password: {word}") == {"password"}


@pytest.mark.parametrize("text", PLAIN)
def test_plain_talk_is_left_alone(text: str) -> None:
    assert flagged(text) == ""


def test_the_risk_follows_the_harm() -> None:
    risks = {rule.kind: rule.risk for rule in EVERY_RULE}
    assert {kind for kind, risk in risks.items() if risk == "medium"} == {
        "email",
        "phone",
        "date_of_birth",
    }
    assert {kind for kind, risk in risks.items() if risk == "low"} == {"ip"}


def test_a_secret_outranks_personal_data_but_no_part_of_either_is_left_over() -> None:
    text = "password: 4111 1111 1111 1111"
    findings = detect(text)
    assert [finding.kind for finding in findings] == ["password", "card"]
    assert flagged(text).replace("|", "") == "4111 1111 1111 1111"


def test_a_remainder_without_a_letter_or_digit_is_not_a_finding() -> None:
    password = next(rule for rule in EVERY_RULE if rule.kind == "password")
    email = next(rule for rule in EVERY_RULE if rule.kind == "email")
    claimed = [finding(email, 0, 5), finding(password, 0, 4)]
    assert detector.settled(claimed, 5, "abcd.") == (finding(password, 0, 4),)


def test_a_truncated_private_key_is_found_too() -> None:
    text = "-----BEGIN PRIV" + "ATE KEY-----\n" + MIXED[:200]
    assert flagged(text) == text


def test_regions_decide_which_numbers_are_telephone_numbers() -> None:
    assert detect("it was (415) 555-2671", regions=("US",))
    assert not detect("it was (415) 555-2671", regions=("FR",))


def test_a_long_row_of_digits_is_no_number_and_one_with_a_plus_in_it_is_looked_at() -> None:
    assert "phone" not in kinds("351912345678351912345679351912345670351912345671")
    assert "phone" in kinds("+351912345678+351912345679+351912345670+351912345671")


def test_too_long_a_text_is_refused_and_not_skimmed() -> None:
    assert detect("a" * TEXT_LENGTH_MAX) == ()
    with pytest.raises(ValueError, match="longer than"):
        detect("a" * (TEXT_LENGTH_MAX + 1))


def test_the_version_is_short_stable_and_follows_the_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    version = detector_version()
    assert detector_version.__wrapped__() == version
    assert len(version) == 16
    assert set(version) <= set(string.hexdigits.lower())
    monkeypatch.setattr(detector, "LOGIC_REVISION", detector.LOGIC_REVISION + 1)
    assert detector_version.__wrapped__() != version


def test_a_quick_look_leaves_out_no_rule_whose_word_a_text_holds() -> None:
    for rule in RULES:
        assert all(rule in rules_for(f"so {need} it is", 99) for need in rule.needs)
        assert (rule in rules_for("nothing of the sort", 99)) is not bool(rule.needs)


def test_a_name_in_which_nothing_was_found_is_looked_at_once_for_each_set_of_regions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[str] = []

    def watched(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
        looked.append(text)
        return found(text, regions)

    found = detector._detected
    monkeypatch.setattr(detector, "_detected", watched)
    monkeypatch.setattr(detector, "_CLEAN", LruCache(2))
    mail = "ann@example.org"

    for name in ("desk-1", "desk-1", mail, mail, "I live in Rome", "I live in Rome"):
        assert bool(detect(name)) == (name == mail)
    # What holds something is never kept, and no sentence is.
    assert looked == ["desk-1", mail, mail, "I live in Rome", "I live in Rome"]
    assert [name for (name, _), _ in detector._CLEAN.entries()] == ["desk-1"]

    looked.clear()
    assert detect("2025550143", regions=("DE",)) == ()
    assert detect("2025550143", regions=("DE",)) == ()
    assert detect("2025550143", regions=("US",)) == found("2025550143", ("US",))
    assert looked == ["2025550143", "2025550143"]
