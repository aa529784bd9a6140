"""Headers on the disk: they take fewer bytes, come back as they were, and hide no word."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conformance.disks import residue

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.storage.sqlite import header_packing
from muniment.adapters.storage.sqlite.header_packing import PHRASES, pack, unpack

VALUES = (
    '"01KEMYPY51EXQBDVZ7QW4NWP58"',
    f'"7{"Z" * 25}"',
    f'"{"0" * 26}"',
    '"2026-01-10T21:59:00.001Z"',
    '"0000-99-99T99:99:99.999Z"',
    *(f'"{sign * count}"' for sign in "0f" for count in (64, 32, 16)),
)
spelled = st.lists(
    st.sampled_from([each.decode() for each in PHRASES] + list(VALUES)) | st.text(max_size=8),
    max_size=12,
).map(lambda parts: "".join(parts).encode())


@given(spelled | st.binary(max_size=80))
def test_any_bytes_come_back_as_they_were(header: bytes) -> None:
    assert unpack(pack(header)) == header


@given(st.binary(max_size=60))
def test_what_is_no_packing_is_read_as_something_and_never_breaks(damaged: bytes) -> None:
    assert isinstance(unpack(damaged), bytes)


@pytest.mark.parametrize("value", VALUES)
def test_a_value_of_known_form_takes_half_of_its_letters_or_less(value: str) -> None:
    told = value.encode()
    assert len(pack(told)) <= len(told) * 2 // 3
    assert unpack(pack(told)) == told


def test_every_phrase_has_a_code_of_its_own_in_two_bytes_or_one() -> None:
    assert len(set(header_packing.CODES.values())) == len(PHRASES)
    assert all(len(code) <= 2 < len(phrase) for phrase, code in header_packing.CODES.items())


def test_a_word_that_is_no_phrase_stands_in_the_packing_as_it_was_written() -> None:
    packed = pack(b'{"body":{"reason":"heliotrope garden"},"cause":7,"id":"plain"}')
    assert b"heliotrope garden" in packed


def test_the_headers_of_a_log_take_less_than_half_of_their_bytes_on_the_disk(
    tmp_path: Path,
) -> None:
    with open_memory(tmp_path / "m", Settings()) as memory:
        ada = memory.agent("ada", user="tuff")
        for n in range(40):
            ada.remember(f"The {n}th heron stood by the river.")
        headers = [
            entry.header
            for stream in memory.streams()
            for entry in memory._hub.parts.store.read(memory._hub.stream(stream).ref)
        ]
    assert len(headers) >= 80
    assert sum(map(len, map(pack, headers))) * 2 < sum(map(len, headers))
    # The names of fields are long and many: not one of them is written out.
    assert residue(tmp_path / "m" / "streams", b'"commitment":') == []
    assert not any(re.search(rb'"commitment":', pack(each)) for each in headers)
