"""The sweep of a service: what policies keep no longer goes by itself, and `doctor` sees it."""

import logging
import threading
from itertools import count
from pathlib import Path

import pytest
from tests import world
from tests.behaviour.evidence.test_retention import DAY, MARCH, World, _broken, keeping
from tests.service import serving
from tests.terminal import Shell

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.gateway.api_keys import MemoryCredentials
from muniment.adapters.gateway.gateway import Gateway
from muniment.adapters.operations import retention_worker
from muniment.adapters.operations.retention_worker import RetentionWorker, retention_loop
from muniment.engine.api.memory import Memory
from muniment.model.events import Received
from muniment.model.policy import Policy
from muniment.model.scope import Channel

HOUR = 3_600.0
ATTEMPTS_MAX = 2_000


class Seconds:
    """A clock of the process that stands still until it is told."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def worker(memory: Memory, seconds: Seconds | None = None, hours: float = 24) -> RetentionWorker:
    gateway = Gateway(memory, MemoryCredentials(), channel=Channel.HTTP)
    return RetentionWorker(gateway, hours=hours, seconds=seconds or Seconds())


def swept(policy: Policy) -> World:
    """A memory whose sentences are over, and whose service has just been started."""
    it = World(policy)
    it.tell()
    it.pass_days(30)
    return it


def who_ordered(it: World) -> set[str | None]:
    """Who let something go, by the names that the logs give them."""
    found = [event for each in it.memory.streams() for event in it.memory.log(each)]
    asked = [line.event for line in found if isinstance(line.event, Received)]
    return {it.keyring.name(each.actor) for each in asked if each.asked == "expire_content"}


def test_what_is_due_goes_by_itself_and_the_log_names_who_did_it() -> None:
    it = swept(keeping(sentences=30))
    gone = worker(it.memory).run_once()
    assert "sentences" in {each.kind for each in gone}
    assert it.found() == {"lamp", "vase", "sofa"}
    assert "kite" not in it.said()
    assert who_ordered(it) == {"main/person:retention"}
    it.memory.prove()


def test_where_nothing_is_kept_by_days_it_writes_nothing() -> None:
    it = World(Policy())
    it.tell()
    it.pass_days(4_000)
    heads = it.heads()
    assert worker(it.memory).run_once() == []
    assert it.heads() == heads


def test_what_is_held_stays_and_goes_with_the_sweep_after_the_hold_is_lifted() -> None:
    it, seconds = swept(keeping(sentences=30)), Seconds()
    hold = it.memory.admin().place_hold(user="tuff", reason="order 7")
    sweeping = worker(it.memory, seconds)
    assert sweeping.run_once() == []
    assert "kite" in it.found()
    it.memory.admin().lift_hold(hold)
    seconds.now = 24 * HOUR
    assert sweeping.run_once() != []
    assert "kite" not in it.found()


def test_between_two_sweeps_so_many_hours_pass() -> None:
    it, seconds = World(keeping(sentences=30)), Seconds()
    it.tell()
    sweeping = worker(it.memory, seconds, hours=6)
    assert sweeping.run_once() == []  # nothing is due yet
    it.pass_days(30)
    seconds.now = 6 * HOUR - 1
    assert sweeping.run_once() == []
    seconds.now = 6 * HOUR
    assert sweeping.run_once() != []


def test_a_sweep_that_failed_is_tried_again_at_the_next_look() -> None:
    it = swept(keeping(sentences=30))
    sweeping, empty = worker(it.memory), it.store.empty
    it.store.empty = _broken  # type: ignore[method-assign]
    assert sweeping.run_once() == []
    it.store.empty = empty  # type: ignore[method-assign]
    sweeping.run_once()
    assert "kite" not in it.said()
    it.memory.prove()


def test_every_tenant_is_swept_under_its_own_policy() -> None:
    it = swept(keeping(sentences=30))
    other = it.memory.beside("other", Channel.API)
    other.agent("bob", user="mira").remember("The purple bell is loud")
    other.admin().adopt_policy(Policy(), agent="bob", reason="for good")
    it.pass_days(30)
    worker(it.memory).run_once()
    assert "kite" not in it.found()
    (hit,) = other.agent("bob", user="mira").recall("purple bell").hits
    assert hit.text == "The purple bell is loud"


def test_whoever_runs_the_service_is_told_how_much_went_and_no_words(
    caplog: pytest.LogCaptureFixture,
) -> None:
    it = swept(keeping(sentences=30))
    with caplog.at_level(logging.INFO, "muniment.retention"):
        worker(it.memory).run_once()
    (line,) = caplog.records
    assert line.__dict__["told"]["tenant"] == "main"
    assert line.__dict__["told"]["entries"] > 0
    assert "kite" not in str(line.__dict__)


def test_beside_a_service_it_runs_by_itself_while_others_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention_worker, "LOOK_SECONDS", 0.01)
    clock = world.StillClock(MARCH)
    settings = Settings(policy=keeping(sentences=30), clock=clock)
    with serving(str(tmp_path / "memory"), settings=settings) as running:
        tuff = running.user("ada", "tuff")
        tuff.post("/v1/remember", {"text": "The purple kite is in the attic"})
        clock.later(minutes=30 * DAY)
        with retention_loop(RetentionWorker(running.service.reception, hours=24)):
            for n in count():
                told = tuff.post("/v1/remember", {"text": f"The purple bell rings {n} times"})
                assert told["stored"]
                if not running.memory.admin().due():
                    break
                assert n < ATTEMPTS_MAX
        found = tuff.post("/v1/recall", {"query": "purple", "limit": 100})["hits"]
        said = [each["text"] for each in found]
        assert "The purple kite is in the attic" not in said
        assert f"The purple bell rings {n} times" in said
        running.memory.prove()
    assert not [each for each in threading.enumerate() if each.name == "muniment-retention"]


def test_doctor_warns_of_what_is_kept_past_its_days(tmp_path: Path) -> None:
    place = str(tmp_path / "memory")
    settings = Settings(policy=keeping(sentences=30), clock=world.StillClock(MARCH))
    shell = Shell("--store", place)
    with open_memory(place, settings) as memory:
        memory.agent("ada", user="tuff").remember("The purple kite is in the attic")
    (found,) = retention_findings(shell)
    assert (found["state"], found["code"]) == ("warn", "RETENTION_DUE")
    assert found["do"] == "muniment due --carry-out"
    assert shell("due", "--carry-out").exit_code == 0
    assert retention_findings(shell) == []


def retention_findings(shell: Shell) -> list[dict[str, object]]:
    found = shell.listed("findings", "doctor")
    return [each for each in found if each["what"] == "retention"]
