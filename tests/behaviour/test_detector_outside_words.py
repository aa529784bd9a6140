"""Secrets and personal data in forms that other people use, and texts that only look like them."""

import pytest
from tests.behaviour.test_detector import LOWER_HEX, MIXED, UPPER, VENDOR_KEYS, flagged, kinds

from muniment.rules.privacy.detect import detect
from muniment.rules.privacy.patterns import EVERY_RULE

# No literal in this file looks like a key: prefix and body meet only at run time.
UUID = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"
MORE_KEYS: dict[str, tuple[str, ...]] = {
    "secret.artifactory": ("AK", "Cp" + MIXED[:69]),
    "secret.asana": ("2/", "1234567890123456/9876543210987654:" + LOWER_HEX[:32]),
    "secret.braintree": ("access_", "token$production$" + LOWER_HEX[:16] + "$" + LOWER_HEX[:32]),
    "secret.clickup": ("p", "k_12345678_" + UPPER[:32]),
    "secret.cloudflare": ("v1", ".0-" + LOWER_HEX[:24] + "-" + LOWER_HEX[:146]),
    "secret.crates": ("ci", "o" + MIXED[:32]),
    "secret.curl_login": ("curl -u adm", "in:" + MIXED[:14]),
    "secret.discord_hook": ("discord.com/api/web", "hooks/123456789012345678/" + MIXED[:68]),
    "secret.dropbox": ("s", "l." + MIXED[:136]),
    "secret.facebook": ("EA", "AC" + MIXED[:120]),
    "secret.fly": ("Fly", "V1 fm2_" + MIXED[:80]),
    "secret.gitlab_runner": ("GR", "1348941" + MIXED[:20]),
    "secret.heroku": ("HR", "KU-" + UUID),
    "secret.hubspot": ("pa", "t-na1-" + UUID),
    "secret.langfuse": ("sk", "-lf-" + UUID),
    "secret.langsmith": ("ls", "v2_pt_" + LOWER_HEX[:32] + "_" + LOWER_HEX[:10]),
    "secret.muniment": ("m", "k_" + MIXED[:43]),
    "secret.neon": ("na", "pi_" + LOWER_HEX[:64]),
    "secret.netlify": ("nf", "p_" + MIXED[:36]),
    "secret.npm_login": ("_au", "th=" + MIXED[:44] + "=="),
    "secret.okta": ("0", "0" + MIXED[:40]),
    "secret.one_password": ("op", "s_ey" + "J" + MIXED[:250]),
    "secret.pinecone": ("pc", "sk_" + MIXED[:6] + "_" + MIXED[:63]),
    "secret.pulumi": ("pu", "l-" + LOWER_HEX[:40]),
    "secret.render": ("rn", "d_" + MIXED[:28]),
    "secret.sonar": ("sq", "u_" + LOWER_HEX[:40]),
    "secret.square_access": ("EA", "AA" + MIXED[:60]),
    "secret.supabase": ("sb", "_secret_" + MIXED[:31]),
    "secret.vault_short": ("s", "." + MIXED[:24]),
    "secret.vercel": ("vercel", "_blob_rw_" + MIXED[:16] + "_" + MIXED[:30]),
    "secret.wifi_code": ("WI", "FI:S:Home;T:WPA;P:tQecvkJB;;"),
}
IN_A_TEXT = {
    "secret.putty": "Private-Lines: 2\n" + MIXED[:64],
    "secret.wallet_key": "my wallet: K" + MIXED.replace("0", "2")[:51],
}

TOLD_SECRETS = (
    ("the pass for the vpn is hunter2!", "hunter2!"),
    ("login: admin / Tr0ub4dor&3", "Tr0ub4dor&3"),
    ("credentials bob:Blue7Horse", "Blue7Horse"),
    ("Meine Zugangsdaten: max / zebra_Moon_77", "zebra_Moon_77"),
    ("my password's S3cret-Pa55", "S3cret-Pa55"),
    ("use Winter2024! as the password", "Winter2024!"),
    ("p@ssw0rd is my password for the bank", "p@ssw0rd"),
    ("user bob, pass 9kfjL2mQ", "9kfjL2mQ"),
    ("the root password (prod) = Tr0ub4dor&3", "Tr0ub4dor&3"),
    ("<password>aB3dE6gH</password>", "aB3dE6gH"),
    ("sshpass -p aB3dE6gH ssh box", "aB3dE6gH"),
    ("WLAN-Schlüssel: Sommer2024x", "Sommer2024x"),
    ("Le mot de passe du wifi, c\u2019est 9kfjL2mQ", "9kfjL2mQ"),
    ("mot de passe de la box : LapinBleu9", "LapinBleu9"),
    ("Mi clave es S3cret-Pa55", "S3cret-Pa55"),
    ("الباسورد hunter22!", "hunter22!"),
    ("şifrem qwerty123", "qwerty123"),
    ("kata sandi saya p@ssw0rd", "p@ssw0rd"),
    ("moje heslo je Tr0ub4dor&3", "Tr0ub4dor&3"),
    ("ключ от вайфая: Zima2024!", "Zima2024!"),
    ("PIN for my card is 4821", "4821"),
    ("Die PIN meiner Karte ist 4821", "4821"),
    ("mon code pin, c'est 4821", "4821"),
    ("my CVV is 812", "812"),
    ("the door code is 48213", "48213"),
    ("code de la porte 4821", "4821"),
    ("OTP is 771203", "771203"),
    ("验证码是482913", "482913"),
    ("PUK 83920174", "83920174"),
    (
        "seed phrase: witch collapse practice feed shame open despair creek road again ice least",
        "witch collapse practice feed shame open despair creek road again ice least",
    ),
)
TOLD_PERSONAL = (
    ("email", "anna [at] example [dot] org", "anna [at] example [dot] org"),
    ("email", "bob(at)example.org", "bob(at)example.org"),
    ("email", "write to anna at example dot org", "anna at example dot org"),
    ("email", '"john doe"@example.org', '"john doe"@example.org'),
    ("national_id", "HKID A123456(3)", "A123456(3)"),
    ("national_id", "NRIC S1234567D", "S1234567D"),
    ("national_id", "PPS number 1234567T", "1234567T"),
    ("national_id", "TAJ szám 123 456 788", "123 456 788"),
    ("national_id", "ЕГН 7523169263", "7523169263"),
    ("national_id", "ИИН 900101300123", "900101300123"),
    ("national_id", "वोटर आईडी ABC1234567", "ABC1234567"),
    ("date_of_birth", "nacida el 5 de mayo de 1991", "5 de mayo de 1991"),
)
PLAIN = (
    "login: GET /v1/session2",
    "login took 350ms, user42 waited",
    "credentials: rotate them every 90 days",
    "the mountain pass is 2,500m high",
    "boarding pass is at gate B12",
    "use Bitwarden as your password manager",
    "Python3.11 is the password hashing baseline",
    "passwords: rotated quarterly",
    "password > threshold",
    "docker run -u 1000:1000 nginx",
    "curl -u $USER:$PASS https://example.org",
    "pin the meeting to 2024 roadmap",
    "OTP is 6 digits",
    "the 2FA code for GitHub is in my app",
    "clave: mantener la calma",
    "el punto clave es 2024",
    "パスは /usr/local/bin2 です",
    "seed phrase must be written on paper and kept away from the sea and from everybody",
    "req_011CSHoEeqs5C35K2UUqR7Fy",
    "chatcmpl-9XyZabc123DEF456ghi789",
    "our logo is at x@2x.png",
    "he bought 2 (at 5 euro) apples",
    "GPS 44.7877 / 8.799",
    "commande n° 172 7392245",
    "lottery 4 8 15 16 23 42",
    "SSS sold 1200000 units",
)


@pytest.mark.covers("A-011", "A-099")
@pytest.mark.parametrize("rule", sorted(MORE_KEYS))
def test_a_key_of_another_maker_is_found_whole(rule: str) -> None:
    key = "".join(MORE_KEYS[rule])
    findings = detect(f"Here it is: {key} and nothing else")
    assert {finding.category for finding in findings} == {"secret"}
    assert rule in {finding.rule for finding in findings}
    assert (findings[0].start, findings[-1].end) == (12, 12 + len(key))


@pytest.mark.parametrize("rule", sorted(IN_A_TEXT))
def test_a_key_inside_a_text_is_found(rule: str) -> None:
    assert rule in {finding.rule for finding in detect(IN_A_TEXT[rule])}


def test_every_rule_about_a_maker_has_a_key() -> None:
    told = ("secret.password", "secret.pass_", "secret.pin_", "secret.pin", "secret.key_")
    named = {rule.id for rule in EVERY_RULE if rule.category == "secret"}
    keys = {name for name in named if not name.startswith(told)}
    tried = {name for name in (*VENDOR_KEYS, *MORE_KEYS, *IN_A_TEXT) if not name.startswith(told)}
    assert keys == tried


@pytest.mark.covers("A-011", "A-099")
@pytest.mark.parametrize(("text", "secret"), TOLD_SECRETS)
def test_a_secret_told_in_other_words_is_found(text: str, secret: str) -> None:
    assert flagged(text) == secret
    assert {finding.category for finding in detect(text)} == {"secret"}


@pytest.mark.covers("A-011", "A-099")
@pytest.mark.parametrize(("kind", "text", "value"), TOLD_PERSONAL)
def test_personal_data_in_other_forms_is_found(kind: str, text: str, value: str) -> None:
    assert flagged(text) == value
    assert kinds(text) == {kind}


@pytest.mark.covers("A-099")
@pytest.mark.parametrize("text", PLAIN)
def test_what_only_looks_like_it_is_left_alone(text: str) -> None:
    assert flagged(text) == ""
