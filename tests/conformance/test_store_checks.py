"""What every store asks of a batch, before it looks at what it keeps."""

import pytest

from muniment.log import store_checks
from muniment.log.entry import Entry, Head, SealedPart
from muniment.log.store import Batch, Birth, Death, Derived, OpenEpisode
from muniment.model.errors import HeadMovedError, InputError

ADA, BEA = "a" * 32, "b" * 32
THREE = Head(seq=3, hash=b"three")


def entry(seq: int, *subjects: str | None) -> Entry:
    parts = tuple(SealedPart(subject=each, data=b"") if each else None for each in subjects)
    return Entry(seq=seq, hash=b"", header=b"", parts=parts)


def birth(seq: int) -> Birth:
    return Birth(shelf="s", n=0, seq=seq, id_token=b"i", key_token=b"k")


def episode(seq: int, name: str, n: int = 0) -> OpenEpisode:
    return OpenEpisode(
        seq=seq,
        n=n,
        subject=ADA,
        episodic_id=name,
        job_seed="",
        created_seeded_ts="",
        summary="",
        payload=b"",
        evidence=b"",
        provenance=b"",
        tokens=(),
    )


@pytest.mark.parametrize("name", ["", "a" * 31, "a" * 33, "A" * 32, "g" * 32, "../" + "a" * 29])
def test_a_stream_is_named_by_hexadecimal_digits_alone(name: str) -> None:
    store_checks.check_ref("0123456789abcdef" * 2)

    with pytest.raises(InputError) as refused:
        store_checks.check_ref(name)

    assert refused.value.detail == "a stream is named by 32 small hexadecimal digits"


@pytest.mark.parametrize(
    ("parts", "told"), [((), True), ((ADA,), True), ((None, ADA), True), ((ADA, BEA), False)]
)
def test_an_entry_is_about_those_who_have_all_its_parts(
    parts: tuple[str | None, ...], *, told: bool
) -> None:
    assert store_checks.is_about(entry(1, *parts), frozenset({ADA})) is told


@pytest.mark.parametrize(
    ("head", "expect", "says"),
    [
        (THREE, Head(seq=2, hash=b"three"), "the head is 3, not 2 as expected"),
        (THREE, Head(seq=3, hash=b"other"), "the head is 3, not 3 as expected"),
        (None, THREE, "the head is 0, not 3 as expected"),
    ],
)
def test_a_batch_follows_the_head_that_it_was_written_for(
    head: Head | None, expect: Head, says: str
) -> None:
    batch = Batch(entries=(entry(expect.seq + 1),))

    with pytest.raises(HeadMovedError) as refused:
        store_checks.check_batch(batch, head=head, expect=expect)

    assert refused.value.detail == says


def test_a_batch_that_follows_is_let_in() -> None:
    whole = Batch(
        entries=(entry(4), entry(5, *[ADA] * store_checks.PARTS_MAX)),
        changes=(birth(4), birth(5), Death(shelf="s", seq=5, id_token=b"i")),
        episodes=(episode(4, "x"), episode(5, "y"), episode(5, "z", 1)),
    )

    store_checks.check_batch(whole, head=THREE, expect=THREE)
    origin = Head(seq=0, hash=b"of this stream")
    store_checks.check_batch(Batch(entries=(entry(1),)), head=None, expect=origin)


@pytest.mark.parametrize(
    ("batch", "says"),
    [
        (Batch(entries=()), "a batch holds at least one entry"),
        (Batch(entries=(entry(5),)), "the entries of this batch are not numbered from 4 to 4"),
        (
            Batch(entries=(entry(4), entry(6))),
            "the entries of this batch are not numbered from 4 to 5",
        ),
        (
            Batch(entries=(entry(5), entry(4))),
            "the entries of this batch are not numbered from 4 to 5",
        ),
        (
            Batch(entries=(entry(4, *[ADA] * (store_checks.PARTS_MAX + 1)),)),
            "an entry holds at most 1024 sealed parts",
        ),
        (
            Batch(entries=(entry(4),), changes=(birth(3),)),
            "a shelf cannot change at entry 3, outside the batch",
        ),
        (
            Batch(entries=(entry(4),), changes=(birth(4), birth(5))),
            "a shelf cannot change at entry 5, outside the batch",
        ),
        (
            Batch(entries=(entry(4),), changes=(Death(shelf="s", seq=4),)),
            "an end of shelf rows needs a token: a whole shelf never ends at once",
        ),
        (
            Batch(entries=(entry(4),), episodes=(episode(3, "x"),)),
            "an open episode belongs to an entry of its own batch",
        ),
        (
            Batch(entries=(entry(4),), episodes=(episode(4, "x"), episode(5, "y"))),
            "an open episode belongs to an entry of its own batch",
        ),
        (
            Batch(entries=(entry(4),), episodes=(episode(4, "x"), episode(4, "y"))),
            "two open episodes cannot be the same one",
        ),
        (
            Batch(entries=(entry(4),), episodes=(episode(4, "x"), episode(4, "x", 1))),
            "two open episodes cannot be the same one",
        ),
    ],
)
def test_a_batch_that_is_not_whole_is_refused_and_told_why(batch: Batch, says: str) -> None:
    with pytest.raises(InputError) as refused:
        store_checks.check_batch(batch, head=THREE, expect=THREE)

    assert refused.value.detail == says


def test_a_death_needs_one_token_of_the_two() -> None:
    for death in (Death(shelf="s", seq=1, id_token=b"i"), Death(shelf="s", seq=1, key_token=b"k")):
        store_checks.check_derived(Derived(changes=(death,)), first=1, last=1)


def test_nothing_is_derived_from_entries_that_are_not_there() -> None:
    store_checks.check_upto(1, head=THREE)
    store_checks.check_upto(3, head=THREE)
    for upto, head in ((0, THREE), (4, THREE), (1, None)):
        with pytest.raises(InputError) as refused:
            store_checks.check_upto(upto, head=head)
        assert refused.value.detail == (
            f"nothing can be derived up to {upto}: the log holds no such entry"
        )
