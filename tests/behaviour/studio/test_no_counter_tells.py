"""No page of the studio tells a narrow seat of others: with or without them, every byte alike."""

import re
from collections.abc import Sequence
from pathlib import Path
from shutil import copytree
from typing import NamedTuple

import pytest
from tests.behaviour.doors.test_no_counter_tells import apart, masked
from tests.behaviour.studio.test_pages import addresses
from tests.studios import FORM_TOKEN, TOKEN, Browser, fill, opened

from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import Grant, MemoryCredentials
from muniment.adapters.operations import door_metrics
from muniment.adapters.studio import page_permissions
from muniment.adapters.studio.app import FORMS, PAGES
from muniment.adapters.studio.auth import Sessions
from muniment.adapters.studio.page_context import Studio
from muniment.engine.api.memory import Memory
from muniment.model.scope import Role

SECONDS = r"(?<=request_seconds_total )[0-9.]+"
DAYS = r"\b\d{1,2} [A-Z][a-z]{2} \d{4}(, \d\d:\d\d)?"  # without a clock, a day counts calls
BESIDES = (door_metrics.PATH, "/sign-in", "/nowhere")


class Seat(NamedTuple):
    """Who looks: an office, and the verbs that its key was narrowed to."""

    role: Role | None  # nobody: whoever started the studio
    verbs: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "-".join([str(self.role or "operator"), *self.verbs])


# They decide on requests, or do one thing: what others told an agent is no business of theirs.
NARROW = (
    Seat(Role.COUNCIL),
    Seat(Role.COUNCIL, ("requests",)),
    Seat(Role.ADMIN, ("requests",)),
    Seat(Role.ADMIN, ("incidents",)),
)
# They count and prove all that a tenant has, or see it: of other tenants they learn nothing.
WIDE = (Seat(None), Seat(Role.ADMIN), Seat(Role.AUDITOR))
Heard = dict[tuple[str, str], tuple[int, str]]


def others_live(memory: Memory, numbers: Sequence[int]) -> None:
    """Other people, with the same agent and another: told, said, set apart, refused, done, held."""
    for n in numbers:
        for agent in ("ada", "bob"):
            mona = memory.agent(agent, user=f"mona{n}")
            kept = mona.remember(f"My cormorant {n} lives in Lisbon").episodic_id
            mona.remember("The flyer is free", origin="external")
            mona.remember("my password is hunter2-vAult-9931")
            mona.remember(f"Remember my favourite pet is cormorant {n}")  # asks, and nobody answers
            mona.conversation(session=f"s{n}").record(
                user="My timezone is Europe/Porto", ai="Noted"
            )
            mona.forget(kept, reason="it flew")
            with mona.do("Feed the cormorant") as loop:
                loop.tool_result(loop.tool_call("open_tin", {"of": "herring"}), "opened")
                loop.answer("It is fed")
            mona.recall("Where is Lisbon?")
            mona.flush()
        memory.admin("grace").place_hold(user=f"mona{n}", reason=f"order {n}")


Lives = dict[tuple[str, bool], Path]


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> Lives:
    """One life, alone and with others before and after it: beside it, and in another tenant."""
    found: Lives = {}
    for tenant in ("main", "other"):
        for crowded in (False, True):
            folder = tmp_path_factory.mktemp("lives") / "memory"
            lived(folder, tenant, 2 * crowded)
            found[tenant, crowded] = folder
    return found


def lived(folder: Path, tenant: str, many: int) -> None:
    with opened(folder, tenant=tenant) as beside:
        others_live(beside, range(many))
    with opened(folder) as memory:
        fill(memory)
    with opened(folder, tenant=tenant) as beside:
        others_live(beside, range(many, 2 * many))


def heard(folder: Path, seat: Seat) -> Heard:
    """Every page and every form of the studio, as one seat is answered."""
    known = MemoryCredentials()
    made = Studio(
        lambda: opened(folder), Sessions(TOKEN), place="./memory", may_write=True, credentials=known
    )
    named = dict(addresses(made).values())
    token = TOKEN
    if seat.role:
        grant = Grant(role=seat.role, who="the-one", verbs=seat.verbs)
        token = api_keys.issue(known, grant)[0]
    browser = Browser(made, token=token)
    found, shown = dict[tuple[str, str], tuple[int, str]](), ""
    for path in (*PAGES, *BESIDES):
        answer = browser.client.get(path, params=named.get(path, {}))
        found["GET", path] = answer.status_code, plain(answer.text)
        shown += answer.text
    form = FORM_TOKEN.search(shown)
    for path in FORMS:
        answer = browser.client.post(path, data={"form_token": form[1] if form else ""})
        found["POST", path] = answer.status_code, plain(answer.text)
    made.close()
    return found


def plain(text: str) -> str:
    return re.sub(SECONDS, "SECONDS", re.sub(DAYS, "DAY", masked(text.replace("%3A", ":"))))


def differing(alone: Heard, crowded: Heard) -> dict[tuple[str, str], list[str]]:
    assert [*alone] == [*crowded]
    parted = {place: apart(alone[place], crowded[place]) for place in alone}
    return {place: where for place, where in parted.items() if where}


def both(lives: Lives, tenant: str, folder: Path, seat: Seat) -> tuple[Heard, Heard]:
    alone, crowded = (
        heard(copytree(lives[tenant, each], folder / str(each)), seat) for each in (False, True)
    )
    return alone, crowded


@pytest.mark.parametrize("seat", NARROW, ids=str)
def test_what_others_told_an_agent_changes_no_page_of_a_narrow_seat(
    lives: Lives, tmp_path: Path, seat: Seat
) -> None:
    alone, crowded = both(lives, "main", tmp_path, seat)

    assert any(
        told[0] == 200 for (_, path), told in alone.items() if path in page_permissions.VERBS
    )
    assert differing(alone, crowded) == {}


@pytest.mark.parametrize("seat", WIDE, ids=str)
def test_what_another_tenant_has_changes_no_page_of_anybody(
    lives: Lives, tmp_path: Path, seat: Seat
) -> None:
    alone, crowded = both(lives, "other", tmp_path, seat)

    assert sum(status == 200 for status, _ in alone.values()) > 5
    assert differing(alone, crowded) == {}
