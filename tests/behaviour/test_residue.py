"""The scan that ends an erasure: it knows nothing but bytes, and finds what a store has cut up."""

from pathlib import Path

import muniment
from muniment.adapters.storage.file_scan import LONG_BYTES, scan

LETTER = " ".join(
    f"On day {n} the heron stood {n * 7 % 50} paces from the mill." for n in range(120)
)


def test_a_long_text_is_found_where_a_store_keeps_it_on_several_pages(tmp_path: Path) -> None:
    with muniment.open(tmp_path, open_tables=True) as memory:
        memory.agent("ada", user="tuff").remember(LETTER)
    needle = LETTER.encode()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(needle in path.read_bytes() for path in files), "the pages cut it somewhere"

    found = scan(tmp_path, [needle]).found

    assert [name for name in found if name.endswith(".db")]


def test_sentences_that_two_people_share_are_no_residue_of_one_of_them(tmp_path: Path) -> None:
    """A letter of which less than half is in somebody else's."""
    half = len(LETTER) // 2 - 600
    (tmp_path / "theirs").write_text(LETTER[:half] + "and so on", encoding="utf-8")

    assert scan(tmp_path, [LETTER.encode()]).found == ()
    assert scan(tmp_path, [LETTER[: LONG_BYTES - 1].encode()]).found == ("theirs",)


def test_a_short_text_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("the heron stood by the mill", encoding="utf-8")

    assert scan(tmp_path, [b"heron stood by"]).found == ("notes",)
    assert scan(tmp_path, [b"heron stood by the river"]).found == ()
    assert scan(tmp_path, []).found == ()
