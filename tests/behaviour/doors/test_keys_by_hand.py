"""API keys by hand: how one is spelled, what it grants, when it counts, and what its file holds."""

import hashlib
import json
import secrets
import stat
from pathlib import Path

import msgspec
import pytest

from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import (
    FileCredentials,
    Grant,
    Key,
    MemoryCredentials,
    Retry,
    TogetherWith,
)
from muniment.adapters.gateway.errors import UnauthorizedError
from muniment.model.errors import InputError, KeyReusedError, KeystoreError, NotFoundError
from muniment.model.scope import Persona, Role

NOW = "2026-01-01T00:00:00.000Z"
ADA = Grant(agent="ada")
TUFF = Grant(role=Role.USER, agent="ada", user="tuff")


# ── Making one ──────────────────────────────────────────────────────────────────────────────────


def test_a_key_is_spelled_so_that_a_slip_of_the_hand_is_seen() -> None:
    assert api_keys._text("00000001", b"s" * 32) == (
        "mk_00000001_c3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3M_6432f7e2"
    )


def test_a_key_is_kept_as_its_digest_with_what_it_grants_and_until_when() -> None:
    keys = MemoryCredentials()

    text, made = api_keys.issue(keys, TUFF, label="laptop", now=NOW, days=2)

    assert made == Key(
        key_id=text.split("_")[1],
        digest=hashlib.sha256(text.encode()).hexdigest(),
        grant=TUFF,
        label="laptop",
        created=NOW,
        expires="2026-01-03T00:00:00.000Z",
    )
    assert keys.known() == {made.key_id: made}
    assert api_keys.TOKEN.fullmatch(text)
    assert api_keys.recognise(keys, text, now=NOW) == made
    assert api_keys.issue(keys, TUFF, now=NOW)[1].expires == "2026-04-01T00:00:00.000Z"
    assert api_keys.issue(keys, TUFF, now=NOW, days=0)[1].expires == ""
    assert api_keys.issue(keys, TUFF)[1].expires == ""
    assert api_keys.issue(keys, TUFF, now=NOW, days=1)[1].label == ""
    assert len(keys.known()) == 5, "no two are the same"


@pytest.mark.parametrize("days", [-1, 3601, True])
def test_a_key_lasts_a_whole_number_of_days_and_at_most_ten_years(days: int) -> None:
    keys = MemoryCredentials()
    api_keys.issue(keys, ADA, now=NOW, days=3600)

    with pytest.raises(InputError) as refused:
        api_keys.issue(keys, ADA, now=NOW, days=days)

    assert refused.value.detail == (
        "a key lasts a whole number of days; 0 means that it does not expire"
    )
    assert len(keys.known()) == 1


def test_an_id_that_is_taken_is_not_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["aaaaaaaa", "aaaaaaaa", "bbbbbbbb"])
    sizes: list[int] = []

    def token_hex(size: int) -> str:
        sizes.append(size)
        return next(drawn) if size == 4 else "00" * size

    monkeypatch.setattr(secrets, "token_hex", token_hex)
    keys = MemoryCredentials()

    assert [api_keys.issue(keys, ADA, now=NOW)[1].key_id for _ in range(2)] == [
        "aaaaaaaa",
        "bbbbbbbb",
    ]
    assert sizes == [4, 32, 4, 4, 32], "a secret has 256 bits"


# ── Asking again ────────────────────────────────────────────────────────────────────────────────


def test_the_same_request_again_is_the_same_key_and_other_words_are_refused() -> None:
    keys = MemoryCredentials()
    retry = Retry.of("maker", "word", b"said")
    assert retry is not None

    text, made = api_keys.issue(keys, ADA, now=NOW, retry=retry)
    other, another = api_keys.issue(keys, ADA, now=NOW)

    assert api_keys.issue(keys, ADA, now=NOW, retry=retry) == (text, made)
    assert api_keys.recognise(keys, text, now=NOW) == made
    assert made.made is not None
    assert (made.made.name, made.made.said) == (retry.name, retry.said)
    assert len(made.made.salt) == 64
    assert (another.made, other != text) == (None, True)
    with pytest.raises(KeyReusedError):
        api_keys.issue(keys, ADA, now=NOW, retry=msgspec.structs.replace(retry, said="x"))
    third = Retry.of("maker", "another word", b"said")
    assert api_keys.issue(keys, ADA, now=NOW, retry=third)[1] != made
    assert len(keys.known()) == 3


def test_a_retry_follows_from_the_makers_key_and_their_word() -> None:
    retry = Retry.of("maker", "word", b"said")

    assert retry is not None
    assert retry.name == "f267f39282f121dece3467fdcb49387ef8f5717ee1b167de8626ae4b7a3249c8"
    assert retry.said == hashlib.sha256(b"said").hexdigest()
    assert retry.text("00000001", "salt") == (
        "mk_00000001_INVF6DlUAmnENqtuerqSKVWDJDmTfctGF_AI2LEK-h0_33376321"
    )
    assert Retry.of("", "word", b"said") is None
    assert Retry.of("maker", "", b"said") is None


# ── Showing one ─────────────────────────────────────────────────────────────────────────────────


def test_absent_revoked_expired_and_misspelled_keys_answer_alike() -> None:
    keys = MemoryCredentials()
    text, made = api_keys.issue(keys, ADA, now=NOW, days=1)
    other, _ = api_keys.issue(keys, ADA, now=NOW, days=1)
    last, over = "2026-01-02T00:00:00.000Z", "2026-01-02T00:00:00.001Z"
    swapped = "_".join([*text.split("_")[:2], *other.split("_")[2:]])

    assert api_keys.recognise(keys, text, now=last) == made
    assert api_keys.in_force(keys, made.key_id, now=last) == made
    wrong = ["", "mk_", f"{text} ", text[:-1], text.replace("mk_", "mk-"), swapped, "\ud800"]
    for shown, now in [*((each, NOW) for each in wrong), (text, over), (text, "")]:
        with pytest.raises(UnauthorizedError):
            api_keys.recognise(keys, shown, now=now)
    with pytest.raises(UnauthorizedError):
        api_keys.recognise(keys, text)
    assert api_keys.in_force(keys, made.key_id, now=over) is None
    assert api_keys.in_force(keys, "00000000", now=NOW) is None
    api_keys.revoke(keys, made.key_id, now=NOW)
    with pytest.raises(UnauthorizedError):
        api_keys.recognise(keys, text, now=NOW)
    assert api_keys.in_force(keys, made.key_id, now=NOW) is None


def test_a_key_is_revoked_once_by_its_own_tenant_and_stays_on_record() -> None:
    keys = MemoryCredentials()
    _, made = api_keys.issue(keys, ADA, now=NOW)

    for key_id, tenant in (("00000000", ""), (made.key_id, "other")):
        with pytest.raises(NotFoundError):
            api_keys.revoke(keys, key_id, now=NOW, tenant=tenant)
    first = api_keys.revoke(keys, made.key_id, now=NOW, tenant="main")
    again = api_keys.revoke(keys, made.key_id, now="2027-01-01T00:00:00.000Z")

    assert first.revoked == again.revoked == NOW
    assert keys.known() == {made.key_id: first}
    _, timeless = api_keys.issue(keys, ADA)
    assert api_keys.revoke(keys, timeless.key_id, now="").revoked == "revoked"


def test_keys_of_an_erased_person_are_taken_away_whole() -> None:
    keys = MemoryCredentials()
    api_keys.issue(keys, TUFF, now=NOW)
    _, kept = api_keys.issue(keys, ADA, now=NOW)

    gone = api_keys.forget(keys, lambda grant: api_keys.speaks_for(grant, "user_tuff"))

    assert (gone, keys.known()) == (1, {kept.key_id: kept})
    assert api_keys.forget(keys, lambda _: False) == 0
    open_user = msgspec.structs.replace(ADA, user="*")
    assert not api_keys.speaks_for(open_user, "user_*")
    assert not api_keys.speaks_for(ADA, "user_")
    assert not api_keys.speaks_for(TUFF, "user_bea")


def test_a_change_that_fails_inside_changes_nothing() -> None:
    keys = MemoryCredentials()
    with pytest.raises(InputError):
        api_keys.issue(keys, Grant(agent=""), now=NOW)
    assert keys.known() == {}


def test_passing_keys_are_known_beside_those_of_the_store_and_changed_there_alone() -> None:
    kept, passing = MemoryCredentials(), MemoryCredentials()
    _, one = api_keys.issue(kept, ADA, now=NOW)
    _, two = api_keys.issue(passing, TUFF, now=NOW)
    both = TogetherWith(kept, passing)
    _, three = api_keys.issue(both, TUFF, now=NOW)

    assert both.known() == {each.key_id: each for each in (one, two, three)}
    assert set(kept.known()) == {one.key_id, three.key_id}


# ── What it grants ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("grant", "says"),
    [
        (Grant(role=Role.ENGINE), "the engine has no key"),
        (Grant(agent="ada", who="ann"), "an agent or a user is named by --agent and --user"),
        (
            Grant(role=Role.USER, agent="ada", user="tuff", who="ann"),
            "an agent or a user is named by --agent and --user",
        ),
        (
            Grant(role=Role.ADMIN, who="ann", agent="ada"),
            "a key of role admin belongs to no agent and to no user",
        ),
        (
            Grant(role=Role.COUNCIL, who="ann", user="tuff"),
            "a key of role council belongs to no agent and to no user",
        ),
        (
            Grant(role=Role.AUDITOR, who="ann", projects=("p",)),
            "a key of role auditor belongs to no agent and to no user",
        ),
        (Grant(), "the agent must not be empty, and must not begin or end with a space"),
        (
            Grant(role=Role.ADMIN),
            "the admin must not be empty, and must not begin or end with a space",
        ),
        (Grant(role=Role.ADMIN, who="??"), "a user's name needs letters or digits"),
        (
            Grant(tenant="a/b", agent="ada"),
            "the tenant must not look like a path",
        ),
        (Grant(role=Role.USER, agent="ada"), "a user's key needs a user: --user"),
        (Grant(role=Role.USER, agent="ada", user="*"), "a user's key needs a user: --user"),
        (
            Grant(agent="ada", user="tuff", persona=Persona.SUBCONSCIOUS),
            "the Subconscious speaks for no user",
        ),
        (Grant(agent="ada", user="a/b"), "the user must not look like a path"),
        (Grant(agent="ada", user="??"), "a user's name needs letters or digits"),
        (Grant(agent="ada", projects=("p", "a/b")), "the project must not look like a path"),
    ],
)
def test_a_grant_that_is_not_whole_is_refused_and_told_why(grant: Grant, says: str) -> None:
    with pytest.raises(InputError) as refused:
        api_keys.checked(grant)

    assert refused.value.detail == says


def test_a_grant_has_only_verbs_that_there_are() -> None:
    with pytest.raises(InputError, match="there is no verb 'zap'"):
        api_keys.checked(Grant(agent="ada", verbs=("zap",)))
    for grant in (
        ADA,
        TUFF,
        Grant(agent="ada", user="*", projects=("p", "*"), verbs=("recall",)),
        Grant(agent="ada", persona=Persona.SUBCONSCIOUS),
        *(Grant(role=each, who="ann") for each in (Role.COUNCIL, Role.ADMIN, Role.AUDITOR)),
    ):
        assert api_keys.checked(grant) is grant


@pytest.mark.parametrize(
    ("verb", "user", "grant"),
    [
        ("dream", "tuff", Grant(tenant="t", agent="ada", persona=Persona.SUBCONSCIOUS)),
        ("recall", "tuff", Grant(tenant="t", role=Role.USER, agent="ada", user="tuff")),
        ("recall", "", Grant(tenant="t", agent="ada")),
        ("jobs", "tuff", Grant(tenant="t", agent="ada", user="tuff")),
        ("confirm", "", Grant(tenant="t", role=Role.AUDITOR, who="ann")),
        ("vote", "tuff", Grant(tenant="t", role=Role.COUNCIL, who="ann")),
        ("requests", "", Grant(tenant="t", role=Role.COUNCIL, who="ann")),
        ("erasure", "", Grant(tenant="t", role=Role.ADMIN, who="ann")),
        ("unheard", "", Grant(tenant="t", role=Role.AUDITOR, who="ann")),
    ],
)
def test_who_holds_the_store_has_the_first_role_that_has_the_verb(
    verb: str, user: str, grant: Grant
) -> None:
    assert api_keys.operator(verb, "t", "ada", user, "ann") == grant


# ── Its file ────────────────────────────────────────────────────────────────────────────────────


def test_keys_in_a_file_are_seen_by_whoever_looks_next(tmp_path: Path) -> None:
    mine, theirs = FileCredentials(tmp_path), FileCredentials(tmp_path)
    assert mine.known() == theirs.known() == {}

    text, made = api_keys.issue(mine, ADA, now=NOW)
    _, older = api_keys.issue(mine, TUFF, now="2025-01-01T00:00:00.000Z")

    assert api_keys.recognise(theirs, text, now=NOW) == made
    assert theirs.known() is theirs.known(), "what has not changed is not read again"
    path = tmp_path / "keys" / "access.json"
    told = json.loads(path.read_text())
    assert [each["key_id"] for each in told["keys"]] == [older.key_id, made.key_id]
    assert path.read_text().startswith('{\n "keys": [\n')
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.with_suffix(".lock").stat().st_mode) == 0o600
    assert sorted(each.name for each in path.parent.iterdir()) == ["access.json", "access.lock"]
    path.unlink()
    assert theirs.known() == {}


def test_a_file_that_was_changed_or_cannot_be_read_opens_no_door(tmp_path: Path) -> None:
    keys = FileCredentials(tmp_path)
    api_keys.issue(keys, ADA, now=NOW)
    path = tmp_path / "keys" / "access.json"
    whole = path.read_text()

    path.write_text(whole.replace('"role": "agent"', '"role": "admin"'))
    with pytest.raises(KeystoreError) as changed:
        keys.known()
    path.write_text("{")
    with pytest.raises(KeystoreError) as unreadable:
        keys.known()
    path.write_text(whole)

    assert changed.value.detail == (
        "the file of the API keys is damaged, or another program changed it"
    )
    assert unreadable.value.detail == "the file of the API keys cannot be read"
    assert len(keys.known()) == 1
