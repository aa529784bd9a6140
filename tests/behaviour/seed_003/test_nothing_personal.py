"""No personal data reaches a persistent byte through any verb of a turn."""

from pathlib import Path

import pytest
from tests import world

import muniment
from muniment.adapters.storage import file_scan
from muniment.engine.api.agent import Agent
from muniment.log.reference_store import ScratchStore

NEEDLES = (
    "bob.marley@example.com",
    "+1 415 555 2671",
    "4111 1111 1111 1111",
    "DE89370400440532013000",
    "078-05-1120",
)
SECRET = "sk-proj-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a"  # noqa: S105 - it must be caught
CONSTRUCTS = "mail {} and say so"


def leave_traces(ada: Agent) -> None:
    with ada.job(session="s") as job:
        job.set_goal("g", "write the mails")
        for n, needle in enumerate(NEEDLES):
            said = CONSTRUCTS.format(needle)
            job.memorize({"type": "observation", "text": said, "tags": [needle]}, {"who": needle})
            job.memorize({"type": "fact", "text": f"{n} is reached by {needle}", "key": f"c:{n}"})
            job.memorize({"type": "metric", "content": {"to": needle}})
            job.track_tool_invocation("send", {"to": needle}, f"sent to {needle}")
            job.track_tool_invocation("send", {"to": needle}, None, f"no {needle}")
            job.advance_goal("g", 0.1, expected_version=n + 1, note=said)
            job.transcribe("mail", [{"speaker": "user", "text": said}])
            job.observe_mandates([{"name": "m", "text": said}])
        job.mark_memo(job.memos("EM")[0].id, 0.9, reason=NEEDLES[0])
        job.forget_memos("WM", "oldest", reason=NEEDLES[1])
        refused = job.memorize({"type": "fact", "text": f"the key is {SECRET}"})
        assert not refused.stored
        assert refused.routing.reasons == ("privacy_deny_sensitive",)


def spellings(needle: str) -> list[bytes]:
    return [needle.encode(), needle.replace(" ", "").encode(), needle.encode("utf-16-le")]


@pytest.mark.covers("D-137", "D-145")
def test_no_byte_of_a_store_holds_what_was_redacted(tmp_path: Path) -> None:
    memory = muniment.open(tmp_path / "m")
    ada = memory.agent("ada", user="tuff")
    leave_traces(ada)
    memory.subconscious("ada").dream()
    memory.close()

    needles = [each for needle in (*NEEDLES, SECRET) for each in spellings(needle)]
    found = file_scan.scan(tmp_path / "m", needles)

    assert found.files > 0
    assert found.found == ()


def test_nor_does_any_opened_entry_or_shelf_say_it() -> None:
    store = ScratchStore()
    memory = world.memory(store=store)
    leave_traces(memory.agent("ada", user="tuff"))

    told = repr([line.event for stream in memory.streams() for line in memory.log(stream)])

    assert "observation" in told
    assert "[email:" in told
    for needle in (*NEEDLES, SECRET):
        assert needle not in told
        assert needle.replace(" ", "") not in told


@pytest.mark.covers("D-102")
@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("ports are numbers", "none"),
        ("mail bob.marley@example.com", "partial"),
        ("bob.marley@example.com", "full"),
    ],
)
def test_a_memo_says_how_much_of_it_was_redacted(text: str, status: str) -> None:
    job = world.memory().agent("ada", user="tuff").job("seed-1")

    told = job.memorize({"type": "fact", "text": text, "importance": 1})

    assert job.memo(told.id).redaction_status == status
