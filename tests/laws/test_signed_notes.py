"""Signed notes: what others have signed is read, and nothing that is spelled otherwise."""

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.adapters import verifier
from muniment.log import signed_notes
from muniment.log.signed_notes import SecretKey, TreeHead
from muniment.model.errors import InputError

# From the tests of the Go toolchain's own notes.
THEIRS = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "\N{EM DASH} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKv"
    "qfqdngotpRZb6KE6RyyBwJnAM=\n"
)
# RFC 8032, 7.1: key, message, signature.
VECTORS = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701c"
        "f9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0"
        "f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f76098"
        "4dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]
KEY = SecretKey(name="muniment/test", seed=b"k" * 32)
HEAD = TreeHead(ref="ab" * 16, epoch=1, size=7, root=hashlib.sha256(b"root").digest())
SIGNED = signed_notes.signed(HEAD.text, KEY)


def test_a_note_that_others_have_signed_is_read_by_both_of_our_readers() -> None:
    text = NOTE.rpartition("\n\n")[0] + "\n"

    assert signed_notes.opened(NOTE, [signed_notes.key_of(THEIRS)]) == text
    assert verifier.Keys(THEIRS).text(NOTE) == text


@pytest.mark.parametrize(("key", "message", "signature"), VECTORS)
def test_the_verifier_knows_the_vectors_of_the_rfc(key: str, message: str, signature: str) -> None:
    told = [bytes.fromhex(each) for each in (key, message, signature)]

    assert verifier.is_signed(*told)
    assert not verifier.is_signed(told[0], told[1] + b"x", told[2])


@settings(max_examples=25, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=200), st.integers(0, 511))
def test_the_verifier_agrees_with_the_library_on_any_signature(
    seed: bytes, message: bytes, place: int
) -> None:
    secret = Ed25519PrivateKey.from_private_bytes(seed)
    key, signature = secret.public_key().public_bytes_raw(), secret.sign(message)
    changed = bytearray(signature)
    changed[place // 8] ^= 1 << place % 8

    assert verifier.is_signed(key, message, signature)
    assert not verifier.is_signed(key, message, bytes(changed))


def test_the_verifier_takes_no_second_spelling_of_a_signature_and_no_key_of_small_order() -> None:
    key, message, signature = (bytes.fromhex(each) for each in VECTORS[1])
    s = int.from_bytes(signature[32:], "little") + verifier.ORDER
    small = (1).to_bytes(32, "little")

    assert not verifier.is_signed(key, message, signature[:32] + s.to_bytes(32, "little"))
    assert not verifier.is_signed(small, message, small + bytes(32))
    assert not verifier.is_signed(b"\xff" * 32, message, signature)
    assert not verifier.is_signed(key, message, signature + b"\x00")


@pytest.mark.skipif(not shutil.which("openssl"), reason="there is no openssl to ask")
def test_openssl_agrees(tmp_path: Path) -> None:
    public = Ed25519PrivateKey.from_private_bytes(KEY.seed).public_key()
    signature = signed_notes.bytes_of(SIGNED.rstrip("\n").rpartition(" ")[2])[
        signed_notes.ID_BYTES :
    ]
    files = {
        "key.pem": public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
        "text": HEAD.text.encode(),
        "signature": signature,
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    words = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "key.pem", "-rawin"]

    done = subprocess.run(
        [*words, "-in", "text", "-sigfile", "signature"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )

    assert b"Signature Verified Successfully" in done.stdout + done.stderr


def test_a_head_is_what_was_signed_and_nobody_elses() -> None:
    assert signed_notes.head_of(signed_notes.opened(SIGNED, [KEY.public])) == HEAD
    assert verifier.Keys(KEY.public.text).head(SIGNED).root == HEAD.root
    stranger = SecretKey(name=KEY.name, seed=b"x" * 32).public
    with pytest.raises(InputError, match="none of the known keys"):
        signed_notes.opened(SIGNED, [stranger])


def test_a_wrong_signature_of_a_known_key_spoils_a_note_that_another_has_signed_well() -> None:
    other = SecretKey(name="muniment/other", seed=b"o" * 32)
    lines = [KEY.line(HEAD.text), other.line("something else\n")]
    note = f"{HEAD.text}\n{''.join(lines)}"

    assert signed_notes.opened(note, [KEY.public]) == HEAD.text, "an unknown key says nothing"
    with pytest.raises(InputError, match="not valid"):
        signed_notes.opened(note, [KEY.public, other.public])


@pytest.mark.parametrize(
    "text",
    [
        HEAD.text.replace("\n7\n", "\n07\n"),
        HEAD.text.replace("\n7\n", "\n+7\n"),
        HEAD.text.replace("\n7\n", "\n 7\n"),
        HEAD.text.replace("\n7\n", "\n-7\n"),
        HEAD.text.replace("\n7\n", "\n7\N{ARABIC-INDIC DIGIT ONE}\n"),
        HEAD.text + "more\n",
        HEAD.text.replace("muniment/", "elsewhere/"),
        HEAD.text.replace("/e1", "/e01"),
        HEAD.text.replace("/e1", "/e0"),
        HEAD.text.replace("/e1", ""),
        HEAD.text.replace("=\n", "\n"),
        HEAD.text.replace("=\n", "==\n"),
        HEAD.text.upper(),
        "",
    ],
)
def test_a_head_has_one_spelling(text: str) -> None:
    with pytest.raises(InputError):
        signed_notes.head_of(text)
    if text:
        with pytest.raises((verifier.FaultError, ValueError)):
            verifier.Keys(KEY.public.text).head(signed_notes.signed(text, KEY))


@pytest.mark.parametrize(
    "note",
    [
        "",
        HEAD.text,
        SIGNED[:-1],
        SIGNED + "\n",
        SIGNED.replace("\N{EM DASH}", "-"),
        SIGNED.replace("\n\n", "\n"),
        SIGNED.replace("\n", "\r\n"),
        SIGNED.replace(" muniment", "  muniment"),
        SIGNED.replace("\n\N{EM DASH}", "\nno line\n\N{EM DASH}"),
        SIGNED + SIGNED.rpartition("\n\n")[2] * 16,
        "x" * 20_000 + SIGNED,
        SIGNED[:-2] + "\n",
    ],
)
def test_a_note_has_one_spelling(note: str) -> None:
    with pytest.raises(InputError):
        signed_notes.opened(note, [KEY.public])
    with pytest.raises((verifier.FaultError, ValueError)):
        verifier.Keys(KEY.public.text).text(note)


def test_base64_whose_last_bits_say_nothing_has_one_spelling() -> None:
    twin = base64_twin(HEAD.text.split("\n")[2])

    with pytest.raises(InputError):
        signed_notes.head_of(HEAD.text.replace(HEAD.text.split("\n")[2], twin))


def base64_twin(text: str) -> str:
    """Another text that careless readers take for the same bytes."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    body = text.rstrip("=")
    last = alphabet[alphabet.index(body[-1]) | 1]
    return body[:-1] + last + "=" * (len(text) - len(body))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "muniment/test",
        KEY.public.text.replace("muniment/test", "muniment/else"),
        KEY.public.text + "A",
        KEY.public.text.replace("+", "-"),
        f"a b+{KEY.public.id.hex()}+x",
    ],
)
def test_a_public_key_has_one_spelling(text: str) -> None:
    with pytest.raises(InputError):
        signed_notes.key_of(text)
    with pytest.raises((verifier.FaultError, ValueError)):
        verifier.Keys(text)


def test_a_key_of_another_type_is_not_taken_for_one_of_ours() -> None:
    other = signed_notes.PublicKey(name="muniment/test", kind=2, data=KEY.public.data)

    with pytest.raises(InputError):
        signed_notes.key_of(other.text)
    with pytest.raises(verifier.FaultError, match="public key"):
        verifier.Keys(other.text)


def test_an_old_key_names_its_heir_and_only_both_together_do() -> None:
    new, third = (SecretKey(name=f"muniment/{n}", seed=n.encode() * 32) for n in ("n", "t"))
    note = signed_notes.heir(KEY, new)

    assert signed_notes.heir_of(note, KEY.public) == new.public
    keys = verifier.Keys(KEY.public.text)
    keys.learn(note)
    assert keys.head(signed_notes.signed(HEAD.text, new)).size == HEAD.size
    usurped = signed_notes.signed(signed_notes.parse(note).text, new)
    alone = signed_notes.signed(signed_notes.parse(note).text, KEY)
    for bad in (usurped, alone, signed_notes.signed(signed_notes.parse(note).text, third)):
        with pytest.raises(InputError):
            signed_notes.heir_of(bad, KEY.public)
        with pytest.raises(verifier.FaultError):
            verifier.Keys(KEY.public.text).learn(bad)


LINE = SIGNED.rpartition("\n\n")[2]
NO_NOTE = "that is not a signed note: text, an empty line, signatures"
UNSEEN = "that is not a signed note: too long, or with invisible characters"
NO_LINE = "a signature line is a dash, the name of a key, and base64"
NO_BASE64 = "that is not canonical base64"


@pytest.mark.parametrize(
    ("note", "says"),
    [
        ("x" * signed_notes.NOTE_CHARACTERS_MAX + SIGNED, UNSEEN),
        (SIGNED.replace("\n", "\r\n"), UNSEEN),
        (SIGNED.replace("7", "7\t"), UNSEEN),
        (HEAD.text, NO_NOTE),
        (SIGNED[:-1], NO_NOTE),
        (f"{HEAD.text}\n", NO_NOTE),
        (SIGNED + LINE * signed_notes.SIGNATURES_MAX, NO_NOTE),
        (SIGNED.replace("\N{EM DASH} ", ""), NO_LINE),
        (SIGNED.replace("\N{EM DASH} muniment/test", "\N{EM DASH} muniment+test"), NO_LINE),
        (f"{HEAD.text}\n\N{EM DASH} muniment/test AQIDBA==\n", NO_LINE),
        (f"{HEAD.text}\n\N{EM DASH} muniment/test\n", NO_BASE64),
        (f"{HEAD.text}\n\N{EM DASH} muniment/test ????\n", NO_BASE64),
        (f"{HEAD.text}\n\N{EM DASH} muniment/test more AQIDBAU=\n", NO_BASE64),
        (f"{HEAD.text}\n\N{EM DASH} muniment/test A\n", NO_BASE64),
    ],
)
def test_a_note_that_cannot_be_read_is_told_what_is_wrong(note: str, says: str) -> None:
    with pytest.raises(InputError) as refused:
        signed_notes.parse(note)

    assert refused.value.detail == says


def test_a_note_is_read_up_to_its_bounds() -> None:
    most = signed_notes.SIGNATURES_MAX
    read = signed_notes.parse(f"{HEAD.text}\n{LINE * most}")
    assert (read.text, len(read.signatures)) == (HEAD.text, most)
    room = signed_notes.NOTE_CHARACTERS_MAX - len(f"\n\n{LINE}")
    assert signed_notes.parse(f"{'x' * room}\n\n{LINE}").text == "x" * room + "\n"
    short = signed_notes.parse(f"{HEAD.text}\n\N{EM DASH} muniment/test AQIDBAU=\n")
    assert short.signatures == (("muniment/test", b"\x01\x02\x03\x04\x05"),)
    assert signed_notes.parse(f"a\n\nb\n\n{LINE}").text == "a\n\nb\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEAD.text + "more\n", "that is not the head of a log: an origin, a size, a root"),
        (HEAD.text + "more", "that is not the head of a log: an origin, a size, a root"),
        (HEAD.text.replace("/e1", ""), "that is not the head of a log: an origin, a size, a root"),
        (
            HEAD.text.replace("\n7\n", "\n07\n"),
            "the size of a head is a whole number without leading zeros",
        ),
        (f"{HEAD.origin}\n7\nAQID\n", "the root of a head has 32 bytes"),
        (f"{HEAD.origin}\n7\n\n", NO_BASE64),
    ],
)
def test_a_head_that_cannot_be_read_is_told_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(InputError) as refused:
        signed_notes.head_of(text)

    assert refused.value.detail == says


def test_a_head_of_nothing_and_a_large_one_are_read_as_they_are() -> None:
    for epoch, size in ((1, 0), (12, 10**15)):
        head = TreeHead(ref="cd" * 16, epoch=epoch, size=size, root=bytes(range(32)))
        assert signed_notes.head_of(head.text) == head
    assert (
        HEAD.text == f"muniment/{'ab' * 16}/e1\n7\nSBNJTRN+FjG7owHVrKtue7eqdM4RhdRWVl71HXN2d7I=\n"
    )


NO_KEY = "that is not a public key: a name, an id and an Ed25519 key, with a plus"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (signed_notes.PublicKey(name="a b", kind=1, data=KEY.public.data).text, NO_KEY),
        (signed_notes.PublicKey(name="a", kind=2, data=KEY.public.data).text, NO_KEY),
        (signed_notes.PublicKey(name="a", kind=1, data=b"short").text, NO_KEY),
        (
            KEY.public.text.replace("muniment/test", "muniment/else"),
            "the id of that public key does not match",
        ),
    ],
)
def test_a_public_key_that_cannot_be_read_is_told_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(InputError) as refused:
        signed_notes.key_of(text)

    assert refused.value.detail == says
    assert signed_notes.key_of(KEY.public.text) == KEY.public


def test_a_signature_says_whose_it_is_and_a_wrong_one_whose_it_is_not() -> None:
    assert KEY.public.id.hex() == "3499a044"
    assert LINE == (
        "\N{EM DASH} muniment/test NJmgRNqFqrzXLqXrdn1KbBB/MShkr7IOqQJldCr7SrzqNIG0HwxA/flJ8G2R"
        "a+WsUtSP/fIKuY2Ex90fDUhSlLt4Wg8=\n"
    )
    stranger = SecretKey(name="muniment/stranger", seed=b"s" * 32)
    with pytest.raises(InputError) as unknown:
        signed_notes.opened(SIGNED, [stranger.public])
    forged = signed_notes.signed("another text\n", KEY).replace("another text\n", HEAD.text, 1)
    with pytest.raises(InputError) as wrong:
        signed_notes.opened(forged, [stranger.public, KEY.public])

    assert unknown.value.detail == "none of the known keys has signed that"
    assert wrong.value.detail == "the signature of muniment/test is not valid"


def test_an_heir_is_named_to_this_key_and_in_these_words() -> None:
    new = SecretKey(name="muniment/n", seed=b"n" * 32)
    texts = (
        f"muniment/heirs\n{KEY.public.text}\n{new.public.text}\n",
        f"muniment/heir\n{new.public.text}\n{new.public.text}\n",
        f"muniment/heir\n{KEY.public.text}\n{new.public.text}\nmore\n",
    )
    for text in texts:
        with pytest.raises(InputError) as refused:
            signed_notes.heir_of(signed_notes.signed(text, KEY, new), KEY.public)
        assert refused.value.detail == "that does not name the successor of this key"
