"""When a key ends: by its day, by a hand, and whatever a clock says."""

import errno
from pathlib import Path

import pytest
from tests.service import serving

from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import ANY, Grant, MemoryCredentials
from muniment.adapters.gateway.errors import UnauthorizedError
from muniment.adapters.system import durable_files
from muniment.model import ids
from muniment.model.errors import InputError
from muniment.model.scope import Persona, Role

DAY_MS = 86_400_000
NOW_MS = 1_790_000_000_000


def at(days: int) -> str:
    return ids.time_text(NOW_MS + days * DAY_MS)


@pytest.mark.parametrize(
    ("now", "known"),
    [(at(0), True), (at(9), True), (at(11), False), (at(4000), False), ("", False)],
)
def test_a_key_ends_on_its_day_and_where_nobody_knows_the_day(now: str, *, known: bool) -> None:
    """A clock that stands still must not make a key last for ever: without one it is refused."""
    kept = MemoryCredentials()
    text, made = api_keys.issue(kept, Grant(agent="ada"), now=at(0), days=10)

    if known:
        assert api_keys.recognise(kept, text, now=now) == made
    else:
        with pytest.raises(UnauthorizedError):
            api_keys.recognise(kept, text, now=now)


@pytest.mark.parametrize("now", [at(0), at(4000), at(-4000), ""])
def test_a_key_without_an_end_needs_no_clock(now: str) -> None:
    kept = MemoryCredentials()
    text, made = api_keys.issue(kept, Grant(agent="ada"), now=at(0), days=0)

    assert api_keys.recognise(kept, text, now=now) == made


def test_a_revoked_key_stays_revoked_when_a_clock_is_set_back() -> None:
    kept = MemoryCredentials()
    text, made = api_keys.issue(kept, Grant(agent="ada"), now=at(0))
    api_keys.revoke(kept, made.key_id, now=at(5))

    for now in (at(-100), at(1), at(6)):
        with pytest.raises(UnauthorizedError):
            api_keys.recognise(kept, text, now=now)


@pytest.mark.parametrize(
    "grant",
    [
        Grant(role=Role.USER, agent="ada"),
        Grant(role=Role.USER, agent="ada", user=ANY),
        Grant(agent="ada", user="tuff", persona=Persona.SUBCONSCIOUS),
        Grant(role=Role.ENGINE, agent="ada"),
    ],
    ids=["a user without a name", "a user who is anybody", "a hidden persona's user", "the engine"],
)
def test_no_key_is_made_that_leaves_open_who_speaks(grant: Grant) -> None:
    kept = MemoryCredentials()

    with pytest.raises(InputError):
        api_keys.issue(kept, grant, now=at(0), days=10)

    assert kept.known() == {}


def test_a_key_that_finds_no_room_on_the_disk_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, *_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    with serving(tmp_path / "memory") as service:
        otto = service.admin()
        wanted = {"role": "agent", "of_agent": "ada", "of_user": "tuff"}
        monkeypatch.setattr(durable_files, "put_file", full)
        told = otto.post("/v1/admin/keys", wanted, status=507)
        monkeypatch.undo()
        made = otto.post("/v1/admin/keys", wanted)

    assert (told["error_code"], told["outcome"]) == ("STORAGE_FULL", "not_written")
    assert made["key"]
