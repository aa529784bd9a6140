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
    with pytest.raises(InputError, match="not right"):
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
