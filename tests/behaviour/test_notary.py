"""What outsiders can check without us: signed heads, certificates, links and bundles."""

from pathlib import Path

import pytest
from tests.notarial import CONTRADICTS, INVALID, PARTLY, VALID, erased, granted, outsider, stranger
from tests.world import events, hub, memory, stream, types

from muniment.adapters import verifier
from muniment.engine.api.memory import Memory
from muniment.log import signed_notes
from muniment.log.entry import Entry, genesis
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Batch
from muniment.model.errors import InputError, IntegrityError, NotFoundError, RefusedError
from muniment.model.events.operations import AccessRecorded
from muniment.model.policy import preset
from muniment.model.scope import Channel, Role, StreamId, agent_stream

SENTENCE = "I moved to Lisbon in March"


@pytest.fixture
def told() -> Memory:
    world = memory(preset("team"))
    world.agent("ada", user="tuff").remember(SENTENCE)
    world.agent("ada", user="bob").remember("I like tea in the morning")
    return world


def agents(world: Memory) -> StreamId:
    return stream(world, "agent")


def test_where_a_log_stands_is_signed_and_an_outsider_checks_it(
    told: Memory, tmp_path: Path
) -> None:
    head = told.notary().sign(agents(told))

    assert head.size == told.head(agents(told))
    assert head.origin == f"muniment/{hub(told).stream(agents(told)).ref}/e1"
    assert head.note.split("\n")[:2] == [head.origin, str(head.size)]
    assert outsider(tmp_path, head.note, head).code == VALID


def test_signing_writes_nothing_to_any_log_and_twice_gives_the_same_note(told: Memory) -> None:
    before = {each.text: told.head(each) for each in told.streams()}

    first, again = (told.notary().sign(agents(told)) for _ in range(2))

    assert first == again
    assert {each.text: told.head(each) for each in told.streams()} == before
    assert told.notary().signed(agents(told)) == [first]


def test_a_whole_log_is_checked_by_somebody_who_has_neither_keys_nor_our_program(
    told: Memory, tmp_path: Path
) -> None:
    notary = told.notary()
    for each in told.streams():
        head = notary.sign(each)

        sealed = stranger(tmp_path, notary.bundle(each), head)
        opened = outsider(tmp_path, notary.bundle(each, reason="an audit"), head)

        assert (sealed.code, opened.code) == (PARTLY, VALID)
        assert sealed.told["sealed"] == opened.told["opened"]
        assert sealed.told["size"] == head.size
        assert sealed.told["root"] == head.root


def test_a_bundle_without_content_holds_nobodys_words_or_names(told: Memory) -> None:
    notary = told.notary()
    whole = b"".join(line for each in told.streams() for line in notary.bundle(each))
    words = [b"".join(verifier.raw(w) for w in line.split()[1:2]) for line in _lines(whole)]

    for secret in (SENTENCE, "Lisbon", "tuff", "bob", "ada"):
        assert secret.encode() not in whole + b"".join(words)


def _lines(whole: bytes) -> list[str]:
    return [line for line in whole.decode().splitlines() if line.startswith(("entry ", "head "))]


def test_one_remembered_sentence_is_shown_to_be_in_the_log_and_nothing_else_is_shown(
    told: Memory, tmp_path: Path
) -> None:
    notary = told.notary()
    seq = 1 + types(told).index("episodic_written")

    proof = notary.certify(agents(told), seq, reason="the court asks")

    head = notary.sign(agents(told))
    seen = outsider(tmp_path, proof, head)
    assert seen.code == VALID
    ((at, kind, says),) = seen.shown
    assert (at, kind, says["summary"]) == (seq, "episodic_written", SENTENCE)
    assert "tea" not in str(seen.told)
    assert outsider(tmp_path, notary.certify(agents(told), seq), head).code == PARTLY


def test_whoever_opens_content_is_written_down_before(told: Memory) -> None:
    told.notary("grace").certify(agents(told), 3, reason="the court asks")
    told.notary("grace").bundle(agents(told), reason="the court asks again")

    looks = [each for each in events(told, "ops") if isinstance(each, AccessRecorded)]
    assert [each.what.split()[0] for each in looks] == ["certificate", "bundle"]
    assert {each.reason for each in looks} == {"the court asks", "the court asks again"}


def test_an_auditor_signs_and_proves_and_opens_nothing(told: Memory, tmp_path: Path) -> None:
    auditor = told.notary("iris", role=Role.AUDITOR)
    head = auditor.sign(agents(told))

    assert outsider(tmp_path, auditor.certify(agents(told), 3), head).code == PARTLY
    with pytest.raises(RefusedError, match="role_not_allowed"):
        auditor.certify(agents(told), 3, reason="I am curious")
    with pytest.raises(RefusedError, match="role_not_allowed"):
        auditor.bundle(agents(told), reason="I am curious")


def test_a_kept_head_and_a_later_one_are_linked(told: Memory, tmp_path: Path) -> None:
    notary = told.notary()
    kept = notary.sign(agents(told))
    told.agent("ada", user="tuff").remember("I sold the piano")

    link = notary.link(agents(told), kept.note)

    head = notary.sign(agents(told))
    seen = outsider(tmp_path, link, head, known=[kept.note])
    assert (seen.code, seen.told["size"]) == (VALID, head.size)
    assert outsider(tmp_path, notary.bundle(agents(told)), head, known=[kept.note]).code == PARTLY
    with pytest.raises(InputError, match="nothing was written since"):
        notary.link(agents(told), head.note)


def test_every_earlier_head_is_in_a_bundle(told: Memory, tmp_path: Path) -> None:
    notary = told.notary()
    sizes = []
    for number in range(5):
        sizes.append(notary.sign(agents(told)).size)
        told.agent("ada", user="tuff").remember(f"thought number {number}")

    head = notary.sign(agents(told))

    assert [each.size for each in notary.signed(agents(told))] == [*sizes, head.size]
    assert outsider(tmp_path, notary.bundle(agents(told)), head).told["heads"] == 6


def test_after_an_erasure_the_same_log_verifies_and_says_what_is_gone_by_whose_order(
    told: Memory, tmp_path: Path
) -> None:
    notary = told.notary()
    kept = notary.sign(agents(told))
    seq = 1 + types(told).index("episodic_written")
    erased(told, "tuff")

    bundle = outsider(tmp_path, notary.bundle(agents(told), reason="an audit"), kept)
    proof = outsider(tmp_path, notary.certify(agents(told), seq, reason="an audit"), kept)

    assert (bundle.code, proof.code) == (PARTLY, PARTLY)
    assert proof.entries("erased") == {seq}
    assert seq in bundle.entries("erased")
    assert bundle.entries("opened")
    assert not bundle.entries("erased") & bundle.entries("opened")


def test_what_was_proved_before_an_erasure_stays_proved(told: Memory, tmp_path: Path) -> None:
    """A certificate that was handed out is out: an erasure reaches no files of other people."""
    notary = told.notary()
    proof = notary.certify(agents(told), 4, reason="the court asks")
    head = notary.sign(agents(told))
    erased(told, "tuff")

    assert outsider(tmp_path, proof, head).code == VALID


def test_a_council_log_shows_that_each_fact_was_voted_for(tmp_path: Path) -> None:
    world = memory(preset("team"))
    granted(world)
    erased(world, "tuff")
    council = stream(world, "council")
    notary = world.notary()

    head = notary.sign(council)

    assert outsider(tmp_path, notary.bundle(council), head).code == PARTLY


def test_a_key_is_replaced_and_whoever_knows_either_goes_on(told: Memory, tmp_path: Path) -> None:
    notary = told.notary()
    kept = notary.sign(agents(told))
    second = notary.renew_key()
    told.agent("ada", user="tuff").remember("I sold the piano")
    third = notary.renew_key()
    head = notary.sign(agents(told))
    files = [
        notary.certify(agents(told), 4).encode(),
        b"".join(notary.bundle(agents(told))),
        notary.link(agents(told), kept.note).encode(),
    ]

    assert [kept.key, second, third] == [*dict.fromkeys([kept.key, second, head.key])]
    for file in files:
        codes = [outsider(tmp_path, file, head, key=k).code for k in (kept.key, second, third)]
        assert codes[0] in {VALID, PARTLY}
        if file is not files[2]:  # the kept head of a link was signed by the first key alone
            assert codes == [PARTLY] * 3
    unknown = signed_notes.SecretKey(name="muniment/x", seed=b"x" * 32).public.text
    assert outsider(tmp_path, files[1], head, key=unknown).code == INVALID


def test_a_head_that_is_not_ours_is_not_linked(told: Memory) -> None:
    notary = told.notary()
    other = signed_notes.SecretKey(name="muniment/x", seed=b"x" * 32)
    text = signed_notes.parse(notary.sign(agents(told)).note).text

    with pytest.raises(InputError, match="none of the known keys"):
        notary.link(agents(told), signed_notes.signed(text, other))
    told.eraser("root").request("tuff", reason="x")
    others = notary.sign(stream(told, "council")).note
    with pytest.raises(InputError, match="another log"):
        notary.link(agents(told), others)


def test_what_is_not_there_and_what_is_anothers_answer_alike(told: Memory) -> None:
    notary = told.notary()
    foreign = told.beside("elsewhere", Channel.API).notary()

    for ask in (
        lambda: notary.sign(agent_stream("main", "nobody")),
        lambda: notary.certify(agents(told), 99),
        lambda: notary.certify(agents(told), 0),
        lambda: foreign.sign(agents(told)),
        lambda: foreign.certify(agents(told), 1),
        lambda: foreign.bundle(agents(told)),
        lambda: foreign.signed(agents(told)),
    ):
        with pytest.raises(NotFoundError):
            ask()
    assert foreign.key != notary.key


# ── A log that is not what was signed ───────────────────────────────────────────────────────────


def test_a_log_that_was_cut_short_is_not_signed_again(told: Memory) -> None:
    notary = told.notary()
    ref, store = hub(told).stream(agents(told)).ref, hub(told).parts.store
    assert isinstance(store, ScratchStore)
    notary.sign(agents(told))
    _put_back(store, ref, 4)

    with pytest.raises(IntegrityError, match="a different log was signed when it had"):
        notary.sign(agents(told))


def test_a_log_that_was_put_back_and_went_on_otherwise_begins_another_epoch(
    told: Memory, tmp_path: Path
) -> None:
    notary = told.notary()
    ref, store = hub(told).stream(agents(told)).ref, hub(told).parts.store
    assert isinstance(store, ScratchStore)
    first = notary.sign(agents(told))
    _put_back(store, ref, 4)
    hub(told).forget_state()
    for text in ("I moved to Porto", "I never liked tea", "Nobody asked me"):
        told.agent("ada", user="tuff").remember(text)
    with pytest.raises(IntegrityError):
        notary.sign(agents(told))

    second = notary.sign(agents(told), anew=True)

    assert second.origin == first.origin.removesuffix("1") + "2"
    bundle = b"".join(notary.bundle(agents(told)))
    assert outsider(tmp_path, bundle, second).code == PARTLY
    assert outsider(tmp_path, bundle, first).code == INVALID, "another origin than the pinned one"
    assert outsider(tmp_path, bundle, second, known=[first.note]).code == CONTRADICTS
    with pytest.raises(InputError, match="no new epoch is needed"):
        notary.sign(agents(told), anew=True)


def test_an_entry_that_was_changed_is_not_signed(told: Memory) -> None:
    notary = told.notary()
    kept = hub(told).parts.store._kept[hub(told).stream(agents(told)).ref]  # type: ignore[attr-defined]
    entry = kept.entries[2]
    kept.entries[2] = Entry(
        seq=entry.seq, hash=entry.hash, header=entry.header.replace(b"actor", b"acted")
    )

    with pytest.raises(IntegrityError, match="entry 3 was changed"):
        notary.sign(agents(told))


def test_content_that_is_gone_without_an_order_is_in_no_bundle(told: Memory) -> None:
    keyring = hub(told).parts.world.keyring
    subject = keyring.find("subject", "main/user_tuff")
    assert subject
    keyring.destroy(subject)

    with pytest.raises(IntegrityError, match="no erasure order covers"):
        told.notary().bundle(agents(told))


def _put_back(store: ScratchStore, ref: str, size: int) -> None:
    """The store as it was when this log had so many entries; only its files say so."""
    entries = tuple(store.read(ref, upto=size))
    store._kept.pop(ref)
    store.append(ref, Batch(entries=entries), expect=genesis(ref))
