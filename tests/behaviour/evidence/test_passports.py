"""A passport is what was signed, about one person, and is taken in once, under one's own policy."""

import base64
from pathlib import Path

import msgspec
import pytest
from tests.service import serving
from tests.terminal import Shell

import muniment
from muniment import Memory
from muniment.adapters.client.client import Client
from muniment.adapters.config import Settings, open_memory
from muniment.engine.evidence import passport
from muniment.engine.evidence.passport import (
    PassportChangedError,
    PassportKeyError,
    PassportLine,
    PassportPersonError,
    PassportReplayedError,
    PassportUnreadableError,
    SignedPassport,
)
from muniment.engine.evidence.passports import Passports
from muniment.log import signed_notes
from muniment.model.errors import InputError, NotFoundError
from muniment.model.policy import Policy
from muniment.model.policy.conversation import WritePolicy, Writing

HOME = "Where did I move?"


def lived() -> Memory:
    of = muniment.open(":memory:")
    ada = of.agent("ada", user="tuff")
    ada.remember("I moved to Lisbon in March")
    told = ada.remember("My old flat had a green door")
    ada.forget(told.episodic_id)
    ada.conversation(session="s").record(user="I prefer green tea", ai="noted")
    fact = {"type": "fact", "text": "the city is Porto", "key": "city:home", "importance": 1}
    ada.memorize(fact, store="SM")
    ada.documents().put(["notes"], "tea", {"kind": "green"})
    of.agent("ada", user="mona").remember("Mona keeps bees")
    of.agent("ada").remember("The office closes at six")
    return of


@pytest.fixture(scope="module")
def made() -> bytes:
    return lived().passports().make("tuff", reason="he moves")


def key_of(data: bytes) -> str:
    return passport.verify(data).head.key


def opened(data: bytes) -> str:
    """Everything that a passport says, the opened entries included."""
    lines = [msgspec.json.decode(each, type=PassportLine) for each in data.split(b"\n")[1:-1]]
    inside = [base64.b64decode(each.proof.content).decode() for each in lines if each.proof]
    return data.decode() + "\n".join(inside)


def hits(of: Memory, *, quarantined: bool = False) -> list[str]:
    found = of.agent("ada", user="tuff").recall(HOME, quarantined=quarantined)
    return [hit.text for hit in found.hits]


# ── What it holds ───────────────────────────────────────────────────────────────────────────────


def test_it_holds_what_is_known_about_one_person_and_proves_it(made: bytes) -> None:
    found = passport.verify(made)

    assert found.head.person == "tuff"
    assert {line.record.kind for line in found.lines} >= {"episode", "item", "memo", "document"}
    assert found.proved == found.head.lines, "each record here shows all that its entry says"


def test_it_holds_nothing_of_others_and_nothing_that_was_forgotten(made: bytes) -> None:
    told = opened(made)

    assert "Lisbon" in told
    for word in ("bees", "mona", "office", "green door"):
        assert word not in told.lower().replace("mona+", "")


def test_an_entry_that_says_more_than_may_be_shown_is_not_opened() -> None:
    of = muniment.open(":memory:")
    ada = of.agent("ada", user="tuff")
    ada.remember_many(["I moved to Lisbon in March", "My old flat had a green door"])
    door = next(hit for hit in ada.recall("green door").hits if "door" in hit.text)
    ada.forget(door.id)

    data = of.passports().make("tuff", reason="he moves")

    assert "Lisbon" in opened(data)
    assert "green door" not in opened(data)
    found = passport.verify(data)
    assert [line.proof for line in found.lines if "Lisbon" in line.record.text] == [None]
    other = muniment.open(":memory:")
    report = other.passports().take_in(data, user="tuff", key=found.head.key)
    assert report.quarantined == 1, "what no proof holds for waits for a person"
    assert hits(other) == []
    assert hits(other, quarantined=True) == ["I moved to Lisbon in March"]


def test_making_one_is_written_down_and_needs_somebody_who_is_known() -> None:
    of = lived()
    of.passports("otto").make("tuff", reason="he moves")

    assert [each.reason for each in of.auditor().accesses()] == ["he moves"]
    with pytest.raises(NotFoundError):
        of.passports().make("nobody", reason="to see")
    assert of.prove()


# ── What is refused ─────────────────────────────────────────────────────────────────────────────


def test_a_changed_byte_anywhere_is_refused(made: bytes) -> None:
    key = key_of(made)
    step = len(made) // 250 | 1

    for place in [*range(0, len(made), step), len(made) - 1]:
        changed = bytearray(made)
        changed[place] ^= 1 << place % 8
        refused = (PassportChangedError, PassportKeyError, PassportUnreadableError)
        with pytest.raises(refused):
            passport.verify(bytes(changed), key=key)


@pytest.mark.parametrize("cut", [1, 100, 5_000])
def test_a_cut_one_is_refused(made: bytes, cut: int) -> None:
    with pytest.raises((PassportChangedError, PassportUnreadableError)):
        passport.verify(made[:-cut])


def test_another_key_is_refused(made: bytes) -> None:
    other = muniment.open(":memory:").notary().key

    with pytest.raises(PassportKeyError) as refused:
        muniment.open(":memory:").passports().take_in(made, user="tuff", key=other)
    assert refused.value.code == "PASSPORT_OTHER_KEY"


def test_without_a_trusted_key_nothing_is_carried_over(made: bytes) -> None:
    with pytest.raises(PassportKeyError):
        muniment.open(":memory:").passports().take_in(made, user="tuff")


def test_one_of_another_person_is_refused(made: bytes) -> None:
    with pytest.raises(PassportPersonError) as refused:
        muniment.open(":memory:").passports().take_in(made, user="mona", key=key_of(made))
    assert refused.value.code == "PASSPORT_OTHER_PERSON"


def test_a_replayed_one_is_refused(made: bytes) -> None:
    of = muniment.open(":memory:")
    of.passports().take_in(made, user="tuff", key=key_of(made))

    with pytest.raises(PassportReplayedError) as refused:
        of.passports().take_in(made, user="tuff", key=key_of(made))
    assert refused.value.code == "PASSPORT_REPLAYED"


def resigned(of: Memory, data: bytes, change: bytes, into: bytes) -> bytes:
    """The same with other words, signed by its own maker: only the proofs speak against it."""
    first, *lines = data.split(b"\n")[:-1]
    head = msgspec.json.decode(first, type=SignedPassport).passport
    lines = [each.replace(change, into) for each in lines]
    head = msgspec.structs.replace(head, sha256=passport.digest_of(lines))
    note = of.notary().attest(passport.signed_text(head))
    return passport.encoded(SignedPassport(passport=head, signature=note), lines)


def test_its_maker_cannot_say_what_its_log_does_not() -> None:
    of = lived()
    data = of.passports().make("tuff", reason="he moves")

    passport.verify(resigned(of, data, b"x" * 40, b""))  # the tool itself is sound
    with pytest.raises(PassportChangedError, match="proof"):
        passport.verify(resigned(of, data, b"moved to Lisbon", b"moved to Madrid"))


@pytest.mark.parametrize("data", [b"", b"\n", b"{}\n", b"hello\n", b"\xff\xfe\n", b"null\n"])
def test_what_is_no_passport_is_told_so(data: bytes) -> None:
    with pytest.raises(InputError) as refused:
        passport.verify(data)
    assert refused.value.code in {"PASSPORT_UNREADABLE", "PASSPORT_CHANGED"}


# ── Under one's own policy ──────────────────────────────────────────────────────────────────────


def test_what_is_taken_in_reads_as_it_did_there(made: bytes) -> None:
    there, here = lived(), muniment.open(":memory:")

    report = here.passports().take_in(made, user="tuff", key=key_of(made))

    assert (report.carried, report.quarantined, report.refused) == (
        passport.verify(made).head.lines,
        0,
        {},
    )
    assert hits(here) == hits(there)
    document = here.agent("ada", user="tuff").documents().get(["notes"], "tea")
    assert document is not None
    assert document.value == {"kind": "green"}
    assert here.prove()


def test_the_policy_of_whoever_takes_it_in_decides(made: bytes) -> None:
    strict = Policy(writing=Writing(write_policy=WritePolicy.NONE))
    here = open_memory(":memory:", Settings(policy=strict))

    report = here.passports().take_in(made, user="tuff", key=key_of(made))

    assert hits(here) == []
    assert sum(report.refused.values()) > 0


def test_an_unknown_signer_is_heard_only_after_somebody_vouched(made: bytes) -> None:
    here = muniment.open(":memory:")
    report = here.passports().take_in(made, user="tuff", quarantine=True)
    tuff = here.agent("ada", user="tuff")

    assert (report.carried, hits(here)) == (0, [])
    (waiting,) = [
        each for each in tuff.recall(HOME, quarantined=True).hits if "Lisbon" in each.text
    ]
    assert waiting.source.startswith("passport ")
    tuff.vouch(waiting.id)
    assert hits(here) == ["I moved to Lisbon in March"]


def test_whoever_is_cut_off_takes_it_in_again(made: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    here = muniment.open(":memory:")

    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(Passports, "_append_or_raise", cut)
        with pytest.raises(KeyboardInterrupt):
            here.passports().take_in(made, user="tuff", key=key_of(made))
    before = here.agent("ada", user="tuff").seq

    report = here.passports().take_in(made, user="tuff", key=key_of(made))

    assert report.carried == passport.verify(made).head.lines
    assert hits(here) == ["I moved to Lisbon in March"]
    assert here.agent("ada", user="tuff").seq == before, "nothing is doubled"


# ── At the doors ────────────────────────────────────────────────────────────────────────────────


def test_it_goes_from_one_service_to_another() -> None:
    with serving() as one, serving() as other:
        one.user().post("/v1/remember", {"text": "I moved to Lisbon in March"})
        with Client(one.url, key=one.admin().key) as otto:
            told = otto.passports.make("tuff", reason="he moves")
        with Client(other.url, key=other.admin().key) as olga:
            assert olga.passports.verify(told.passport).proved == told.lines
            report = olga.passports.take_in(told.passport, user="tuff", key=told.key)
            assert report.carried == told.lines
        found = other.user().post("/v1/recall", {"query": HOME})
        assert found["hits"][0]["text"] == "I moved to Lisbon in March"
        one.user().post("/v1/admin/passports", {"of_user": "tuff", "reason": "to see"}, status=403)


def test_the_terminal_makes_verifies_and_imports(tmp_path: Path) -> None:
    file = str(tmp_path / "tuff.passport")
    one = Shell("--store", str(tmp_path / "one"), "--user", "tuff")
    other = Shell("--store", str(tmp_path / "other"), "--user", "tuff")
    one("remember", "I moved to Lisbon in March")
    made = one.document("passport", "make", file, "--reason", "he moves")
    key = str(made["key"])

    assert other.document("passport", "verify", file, "--trust", key)["proved"] == made["lines"]
    assert "--trust" not in other("passport", "verify", file, "--trust", key).output
    assert "By the key it names itself" in other("passport", "verify", file).output
    assert other("passport", "import", file).exit_code != 0
    report = other.document("passport", "import", file, "--trust", key)
    assert report["carried"] == made["lines"]
    again = other("passport", "import", file, "--trust", key)
    assert again.exit_code != 0
    assert "PASSPORT_REPLAYED" in again.output
    assert "Lisbon" in other("recall", HOME).output
    assert Path(file).stat().st_mode & 0o077 == 0
    assert signed_notes.key_of(key).text == key
