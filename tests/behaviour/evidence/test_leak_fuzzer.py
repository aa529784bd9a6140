"""The fuzzer hears what leaks in a set-up, says where, and does not call silence a proof."""

from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from click.testing import Result
from tests.terminal import Shell

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.gateway.api_keys import ANY, Grant
from muniment.adapters.leaks import fuzz_run, seats
from muniment.adapters.leaks.fuzz_run import CLEAN, LEAK, VACUOUS, Leak, LeakReport, junit
from muniment.adapters.leaks.seats import STRANGER, LeakSeat
from muniment.model.policy import Policy, Sem

LEAKING = ("Sound", "Shared", "Logging", "Dumping", "Gossip", "Trespass", "Mute")

PROJECTS = {"python project", "http project"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("leaks") / "memory"
    Shell("--store", str(folder), "--agent", "ada", "--user", "tuff")("remember", "I live here")
    return folder


@pytest.fixture(scope="module")
def clean(store: Path) -> tuple[Result, bytes]:
    file = store.parent / "report.xml"
    result = Shell("--store", str(store))("fuzz-leaks", "--junit", str(file))
    return result, file.read_bytes()


@pytest.fixture(scope="module")
def leaking(store: Path) -> Result:
    named = [f"--adapter=tests.leaky_adapters:{each}" for each in LEAKING]
    return Shell("--store", str(store))("fuzz-leaks", "--json", *named)


def test_a_sound_set_up_leaks_nothing_and_every_door_was_heard(
    clean: tuple[Result, bytes],
) -> None:
    result, report = clean

    assert result.exit_code == 0, result.output
    assert "Nothing leaked" in result.output
    suite = ElementTree.fromstring(report)  # noqa: S314 - we have just written it
    assert suite.get("failures") == "0"
    names = {each.get("name") for each in suite.iter("testcase")}
    assert {
        "python remember",
        "http remember",
        "mcp remember",
        "mem0",
        "terminal remember",
        "python fact",
        "http fact",
        "council fact",
        "python project",
        "http project",
    } <= names
    assert not list(suite.iter("skipped")), "a door that could not be opened shows nothing"


def test_the_memory_itself_is_left_alone(store: Path, clean: tuple[Result, bytes]) -> None:
    del clean
    with open_memory(store, Settings()) as memory:
        assert {each.text: memory.head(each) for each in memory.streams()} == {
            "main/agent/ada/actor": 4
        }


def report_of(result: Result) -> LeakReport:
    assert result.exit_code == 1, result.output
    return msgspec.convert(msgspec.json.decode(result.stdout)["report"], LeakReport)


def test_an_adapter_that_leaks_is_caught_where_it_does(leaking: Result) -> None:
    report = report_of(leaking)
    found = {(each.door, each.place) for each in report.leaks}

    shared, logging, dumping = (
        f"adapter tests.leaky_adapters:{each}" for each in ("Shared", "Logging", "Dumping")
    )
    assert (shared, shared) in found
    assert (logging, "logs") in found
    assert (dumping, "files") in found
    assert not [each for each in report.leaks if each.door.endswith("Sound")]
    told = {each.door for each in report.leaks}
    governed = {"python fact", "http fact", "council fact"}
    assert told == {shared, logging, dumping} | governed | PROJECTS


def test_what_leaks_names_whose_it_was_and_who_heard_it(leaking: Result) -> None:
    heard = [each for each in report_of(leaking).leaks if each.reader]

    assert all(each.owner != each.reader for each in heard)
    assert {each.reader.split("/")[0] for each in heard} == {"main", STRANGER}


def test_a_door_whose_words_not_even_their_owner_hears_is_no_proof(leaking: Result) -> None:
    assert report_of(leaking).vacuous == ("adapter tests.leaky_adapters:Mute",)


def test_an_adapter_that_tells_everybody_every_fact_is_caught(leaking: Result) -> None:
    gossip = "adapter tests.leaky_adapters:Gossip"
    leaks = [each for each in report_of(leaking).leaks if each.door.endswith(" fact")]
    assert {(each.door, each.place) for each in leaks} == {
        (door, gossip) for door in ("python fact", "http fact", "council fact")
    }
    assert all(each.owner.split("/")[2] != "-" for each in leaks), "what is about nobody is no leak"


def test_an_adapter_that_enters_another_agents_project_is_caught(leaking: Result) -> None:
    trespass = "adapter tests.leaky_adapters:Trespass"
    leaks = [each for each in report_of(leaking).leaks if each.door in PROJECTS]
    assert {(each.door, each.place) for each in leaks} == {(door, trespass) for door in PROJECTS}
    assert {each.owner.split("/")[1] for each in leaks} == {"ada"}
    assert {each.reader.split("/")[1] for each in leaks} == {STRANGER}


def test_a_fact_is_heard_by_whom_the_policy_names_and_that_is_no_leak(tmp_path: Path) -> None:
    """Given a policy that opens profiles to one agent, then that agent hears facts, and may."""
    opened = Policy(sem=Sem(readers={"user/profile/": ("agent:desk",)}))
    with open_memory(tmp_path / "memory", Settings(policy=opened)) as memory:
        memory.agent("ada", user="tuff").remember("I live here")
        memory.agent("desk").remember("The desk is by the door")
    report = fuzz_run.run(str(tmp_path / "memory"), Settings())
    assert not report.leaks
    assert report.found["python fact"] > report.planted["python fact"], "also by another agent"


def test_a_run_that_found_nothing_at_all_fails() -> None:
    planted = LeakReport(planted={"python remember": 3}, refused={}, found={})
    nothing = LeakReport(planted={}, refused={"python remember": 3}, found={})
    heard = LeakReport(planted={"a": 1}, refused={}, found={"a": 1})
    leak = Leak(door="a", owner="main/ada/tuff", place="logs")
    told = LeakReport(planted={"a": 1}, refused={}, found={"a": 1}, leaks=(leak,))

    assert [each.outcome for each in (planted, nothing, heard, told)] == [
        VACUOUS,
        VACUOUS,
        CLEAN,
        LEAK,
    ]
    failures = [
        ElementTree.fromstring(junit(each)).get("failures")  # noqa: S314 - we wrote it
        for each in (planted, nothing, heard, told)
    ]
    assert failures == ["1", "1", "0", "1"]


def test_who_may_hear_whom() -> None:
    tuff = LeakSeat(tenant="main", agent="ada", user="tuff")
    nobody = LeakSeat(tenant="main", agent="ada")

    assert LeakSeat(tenant="main", agent="bob", user="tuff").may_hear(tuff), "their own, elsewhere"
    assert nobody.may_hear(tuff)
    assert tuff.may_hear(nobody)
    assert not LeakSeat(tenant="main", agent="ada", user="mona").may_hear(tuff)
    assert not LeakSeat(tenant="main", agent="bob").may_hear(tuff)
    assert not LeakSeat(tenant="main", agent="bob", user="tuff").may_hear(nobody)
    assert not LeakSeat(tenant="other", agent="ada", user="tuff").may_hear(tuff)


def test_the_seats_are_those_of_the_logs_and_of_the_keys_and_strangers(store: Path) -> None:
    grants = [Grant(tenant="acme", agent="bob", user="mona"), Grant(agent="ada", user=ANY)]
    with open_memory(store, Settings()) as memory:
        found = {each.name for each in seats.of_setup(memory, grants)}

    assert {"main/ada/tuff", "main/ada/-", "acme/bob/mona"} <= found
    assert {f"main/ada/{STRANGER}", f"main/{STRANGER}/tuff", f"{STRANGER}/bob/mona"} <= found


def test_an_adapter_that_is_not_there_is_told(store: Path) -> None:
    for named in ("tests.leaky_adapters:Nobody", "no.such.module:x", "tests.leaky_adapters"):
        told = Shell("--store", str(store))("fuzz-leaks", "--adapter", named)
        assert told.exit_code == 2, told.output
