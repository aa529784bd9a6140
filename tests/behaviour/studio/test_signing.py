"""What the studio shows of signed heads, and what it hands to somebody outside."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import studios
from tests.behaviour.studio.test_offices import come, sent
from tests.notarial import PARTLY, outsider
from tests.studios import ADA, COUNCIL, Browser

from muniment.adapters.gateway.api_keys import MemoryCredentials
from muniment.adapters.studio.known import wording
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.pages.audit.signatures import VERIFIER
from muniment.engine.audit.notary import SignedHead
from muniment.model.scope import Role, StreamId, stream_from_text

LOG = stream_from_text(ADA)


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = studios.studio(tmp_path / "memory", may_write=True)
    yield made
    made.close()


def signed(of: Studio, stream: StreamId = LOG) -> SignedHead:
    return of.memory.notary().sign(stream)


def row(page: str, log: str) -> str:
    """What the page says of one log."""
    (found,) = [each for each in page.split("<tr>") if f'title="{log}"' in each]
    return found


def test_the_page_tells_which_log_was_signed_up_to_where_and_by_which_key(studio: Studio) -> None:
    head = signed(studio)
    last = studio.auditor.entry(LOG, head.size)

    page = studios.page(studio, "/prove")

    told = row(page, ADA)
    assert f'<span class="number">{head.size}</span> of {head.size}</td>' in told
    assert wording.minute(last.header.ts) in told
    assert head.key.partition("+")[0] in told
    assert "signed to its end" in told
    assert "never signed" in row(page, COUNCIL)


def test_what_was_written_since_a_head_was_signed_is_counted(studio: Studio) -> None:
    head = signed(studio)
    studio.memory.agent("ada", user="tuff").remember("The heron is back")
    since = studio.memory.head(LOG) - head.size

    assert f"{since} entries since" in row(studios.page(studio, "/prove"), ADA)


def test_a_log_that_was_put_back_is_shown_to_end_before_what_was_signed(tmp_path: Path) -> None:
    folder, kept = tmp_path / "memory", tmp_path / "kept"
    with studios.opened(folder) as memory:
        studios.fill(memory)
        before = memory.head(LOG)
    shutil.copytree(folder, kept)
    with studios.opened(folder) as memory:
        memory.agent("ada", user="tuff").remember("The heron is back")
        after = memory.notary().sign(LOG).size
    # Somebody puts the logs back, and the list of where they stood; the keys remember.
    shutil.copytree(folder / "keys", tmp_path / "keys")
    shutil.rmtree(folder)
    shutil.copytree(kept, folder)
    shutil.rmtree(folder / "keys")
    shutil.copytree(tmp_path / "keys", folder / "keys")

    looking = studios.studio(folder, filled=False)
    page, own = studios.page(looking, "/prove"), studios.page(looking, "/signed", stream=ADA)
    looking.close()

    assert f"ends {after - before} before what was signed" in row(page, ADA)
    assert 'role="alert"' in own


def test_every_head_of_a_log_can_be_saved_as_it_was_signed(studio: Studio) -> None:
    first = signed(studio)
    studio.memory.agent("ada", user="tuff").remember("The heron is back")
    second = signed(studio)
    browser = Browser(studio)

    page = browser.get("/signed", stream=ADA)

    assert second.origin in page
    assert second.key in page
    files = [each.replace("&amp;", "&") for each in re.findall(r'href="(/head[^"]*)"', page)]
    assert [browser.client.get(each).text for each in files] == [second.note, first.note]
    assert browser.status("/head", stream=ADA, note="3") == 404


def test_signing_is_followed_like_proving_and_tells_where_each_log_stands(studio: Studio) -> None:
    browser = Browser(studio)

    browser.send("/prove", kind="sign")
    while "<progress" in (page := browser.get("/work", name="sign")):
        pass

    assert f"/signed?stream={ADA.replace('/', '%2F')}" in page
    assert "signed to its end" in row(browser.get("/prove"), ADA)
    assert len(studio.memory.notary().signed(LOG)) == 1


def test_a_certificate_from_the_page_convinces_somebody_outside(
    studio: Studio, tmp_path: Path
) -> None:
    status, text = Browser(studio).send("/certify", stream=ADA, seq="4")

    assert status == 200
    (head,) = studio.memory.notary().signed(LOG)
    assert outsider(tmp_path, text, head).code == PARTLY  # it is there, and what it says is sealed
    assert "Lisbon" not in text


def test_a_bundle_from_the_page_is_the_whole_log_and_nobodys_words(
    studio: Studio, tmp_path: Path
) -> None:
    status, text = Browser(studio).send("/bundle", stream=ADA)

    assert status == 200
    (head,) = studio.memory.notary().signed(LOG)
    verdict = outsider(tmp_path, text, head)
    assert (verdict.code, verdict.told["size"]) == (PARTLY, studio.memory.head(LOG))
    assert "Lisbon" not in text


def test_the_program_that_checks_is_handed_out_to_the_byte(studio: Studio) -> None:
    answer = Browser(studio).client.get("/verifier")

    assert answer.content == VERIFIER.read_bytes()
    assert answer.headers["content-disposition"] == 'attachment; filename="verify.py"'


@pytest.mark.parametrize("seq", ["", "0", "x", "9999"])
def test_no_certificate_of_an_entry_that_is_not_there(studio: Studio, seq: str) -> None:
    status, _ = Browser(studio).send("/certify", stream=ADA, seq=seq)

    assert status == (404 if seq == "9999" else 400)
    assert studio.memory.notary().signed(LOG) == []


def test_a_studio_that_only_reads_signs_nothing_and_shows_what_was_signed(tmp_path: Path) -> None:
    looking = studios.studio(tmp_path / "memory")
    browser = Browser(looking)
    head = signed(looking)

    page = browser.get("/signed", stream=ADA)
    assert head.root in page
    assert 'action="/certify"' not in page
    assert 'action="/certify"' not in browser.get("/entry", stream=ADA, seq="4")
    assert 'value="sign"' not in browser.get("/prove")
    for path, fields in (
        ("/prove", {"kind": "sign"}),
        ("/certify", {"stream": ADA, "seq": "4"}),
        ("/bundle", {"stream": COUNCIL}),
    ):
        assert browser.send(path, **fields)[0] == 403
    assert looking.memory.notary().signed(stream_from_text(COUNCIL)) == []
    looking.close()


def test_an_auditor_gets_heads_certificates_and_bundles_and_the_council_none(
    keyed: Studio, known: MemoryCredentials
) -> None:
    auditor, member = (come(keyed, known, role) for role in (Role.AUDITOR, Role.COUNCIL))

    assert "never signed" in auditor.get("/signed", stream=ADA)
    assert sent(auditor, "/prove", "/certify", stream=ADA, seq="4") == 200
    assert sent(auditor, "/prove", "/bundle", stream=ADA) == 200
    assert "signed to its end" in auditor.get("/signed", stream=ADA)
    assert member.status("/signed", stream=ADA) == 403
    assert sent(member, "/council", "/bundle", stream=ADA) == 403
