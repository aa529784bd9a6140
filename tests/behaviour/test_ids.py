"""Ids and moments follow from a seed, a place and a counter; outside judges agree on their form."""

import datetime
import hmac
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ulid import ULID

from muniment.model import ids

seeds = st.text(min_size=1, max_size=40)
moments = st.integers(0, 4_102_444_799_999)


@given(moments)
def test_a_moment_is_spelled_as_the_calendar_says(moment_ms: int) -> None:
    told = ids.time_text(moment_ms)
    day = datetime.datetime.fromtimestamp(moment_ms // 1000, datetime.UTC)

    assert told == day.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment_ms % 1000:03d}Z"
    assert ids.time_ms(told) == moment_ms
    assert ids.day_number(told) == moment_ms // 86_400_000


@pytest.mark.covers("A-048")
@given(seeds, st.integers(0, 10_000), st.integers(0, 10_000))
def test_the_order_of_texts_is_the_order_of_moments(seed: str, first: int, second: int) -> None:
    base = ids.seeded_base_ms(seed)

    texts = [ids.time_text(base + offset) for offset in (first, second)]

    assert (texts[0] < texts[1]) == (first < second)


@given(moments, seeds, st.integers(0, 10**9))
def test_a_counted_ulid_is_a_ulid(moment_ms: int, seed: str, counter: int) -> None:
    told = ids.ulid(moment_ms, "a place", seed, counter)

    assert ULID.from_str(told).milliseconds == moment_ms
    assert told == str(ULID.from_str(told))


@pytest.mark.covers("A-042", "A-107")
@given(seeds, st.integers(0, 10**6))
def test_an_episodic_id_is_a_uuid_that_follows_from_seed_place_and_counter(
    seed: str, counter: int
) -> None:
    told = ids.episodic_id("here", seed, counter)

    assert re.fullmatch(
        r"ep:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", told
    )
    assert told == ids.episodic_id("here", seed, counter)
    assert told != ids.episodic_id("there", seed, counter)
    assert told != ids.episodic_id("here", seed, counter + 1)


def test_a_seed_that_names_a_moment_begins_there() -> None:
    seed = ids.counted_seed(7, 1_790_000_000_123)

    assert ids.seeded_base_ms(seed) == 1_790_000_000_123


@pytest.mark.covers("A-135")
@given(seeds, seeds)
def test_the_wait_before_a_retry_is_short_and_follows_from_the_seed(seed: str, key: str) -> None:
    assert 1 <= ids.retry_delay_ticks(seed, key) <= 3
    assert ids.retry_delay_ticks(seed, key) == ids.retry_delay_ticks(seed, key)


@given(st.text(max_size=200), st.text(max_size=40))
def test_the_keyed_hash_is_the_standard_one(seed: str, message: str) -> None:
    assert ids._mac(seed, message) == hmac.digest(seed.encode(), message.encode(), "sha256")


@given(st.binary(max_size=200), st.binary(max_size=300))
def test_the_keyed_hash_of_sealing_is_the_standard_one(key: bytes, message: bytes) -> None:
    assert ids.keyed_digest(key, message) == hmac.digest(key, message, "sha256")
