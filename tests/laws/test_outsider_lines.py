"""What is handed to outsiders, letter by letter: whoever wrote a reader once reads it for ever."""

import hashlib

from muniment.log import outsider_lines


def test_every_line_is_a_word_and_base64() -> None:
    assert outsider_lines.heir("a") == "heir YQ=="
    assert outsider_lines.head("é") == "head w6k="
    assert outsider_lines.order("c") == "order Yw=="
    assert outsider_lines.after(b"\x00") == "after AA=="
    assert outsider_lines.entry(b"{}") == "entry e30="
    assert outsider_lines.opened(b"\x01\xff", b"hi") == "part opened 01ff aGk="


def test_a_certificate_is_an_entry_with_its_way_to_a_signed_root() -> None:
    told = outsider_lines.certificate(["entry e30=", "part sealed"], 3, [b"a", b"b"], "a note\n")

    assert told == (
        "c2sp.org/tlog-proof@v1\n"
        "extra bXVuaW1lbnQtZW50cnktMQplbnRyeSBlMzA9CnBhcnQgc2VhbGVkCg==\n"
        "index 3\n"
        "YQ==\n"
        "Yg==\n"
        "\n"
        "a note\n"
    )


def test_a_link_is_the_way_from_an_earlier_head_to_a_later_one() -> None:
    told = outsider_lines.link(["one", "two"], "old note", [b"a"], "new note\n")

    assert told == ("muniment-link-1\nheir b25l\nheir dHdv\nold b2xkIG5vdGU=\nYQ==\n\nnew note\n")


def test_a_bundle_counts_its_entries_and_is_closed_by_a_digest_of_all_its_lines() -> None:
    lines = ["after AA==", "entry e30=", "part sealed", "entry e30="]
    body = "".join(f"{line}\n" for line in ("muniment-bundle-1", *lines)).encode()

    told = list(outsider_lines.bundle(lines))

    assert b"".join(told[:-1]) == body
    assert told[-1] == f"end 2 {hashlib.sha256(body).hexdigest()}\n".encode()
    assert len(told) == len(lines) + 2, "line by line"
