"""One flipped bit in any file of a memory: the same answers, or an error that says what is damaged.

Given a memory of a few people, when one bit of one file is another, then nobody is told anything
else than before, and nobody meets an error that only a programmer could read.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.conformance.disks import Chance
from tests.soaking import times

import muniment
from muniment.adapters.config import Settings
from muniment.adapters.door_files import open_credentials
from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import Grant
from muniment.engine.api.memory import Memory
from muniment.model.errors import MunimentError
from muniment.model.scope import StreamId, StreamKind

FLIPS = times(125, soak=5_000)
SENTENCES = [f"Ann bought bike number {n} in Graz" for n in range(160)]  # enough for a segment
PASSING = ("-shm", ".lock", "ballast")
DRINK = "user/profile/user_tuff/drink"

Answers = dict[str, object]


def lived(folder: Path) -> None:
    """Every kind of file that a memory has, each with something in it."""
    with muniment.open(folder, open_tables=True) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember_many(SENTENCES)
        ada.remember("said once", key="once")
        ada.forget(ada.remember("soon to be forgotten").episodic_id)
        memory.agent("ada", user="mia").remember("Mia lives in Lisbon")
        ada.sem_put(DRINK, "tea")
        memory.notary().sign(stream(memory))
        ada.recall("which bike")
    keys = open_credentials(folder, Settings())
    api_keys.issue(keys, Grant(agent="ada", user="tuff"), label="kitchen", now="")
    (folder / "policy.toml").write_text("", encoding="utf-8")


def stream(memory: Memory) -> StreamId:
    return next(each for each in memory.streams() if each.kind is StreamKind.AGENT)


def questions(memory: Memory) -> Iterator[tuple[str, Callable[[], object]]]:
    ada = memory.agent("ada", user="tuff")
    yield "recall", lambda: [(hit.id, hit.text) for hit in ada.recall("bike number 7").hits]
    yield "log", lambda: [(line.seq, line.hash, line.event) for line in memory.log(stream(memory))]
    yield "fact", lambda: ada.sem_get(DRINK).value
    yield "prove", lambda: [(proof.stream, proof.head) for proof in memory.prove()]
    yield "key", lambda: memory.notary().sign(stream(memory)).key
    yield "again", lambda: ada.remember("said once", key="once").seq
    yield "remember", lambda: ada.remember("one more").stored


def answers(folder: Path) -> Answers:
    """What each question is answered; where an error of ours comes, its code."""
    told: Answers = {}
    try:
        with muniment.open(folder) as memory:
            for name, ask in questions(memory):
                told[name] = _asked(ask)
        told["grants"] = [
            each.grant for each in open_credentials(folder, Settings()).known().values()
        ]
    except MunimentError as error:
        told["opening or closing"] = error
    return told


def _asked(ask: Callable[[], object]) -> object:
    try:
        return ask()
    except MunimentError as error:
        return error


def kinds(folder: Path) -> dict[str, list[Path]]:
    """The files of a memory by what they are."""
    found: dict[str, list[Path]] = {}
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        if not path.name.endswith(PASSING) and path.stat().st_size:
            kind = path.suffix if path.parent.name == "streams" else path.name
            found.setdefault(kind, []).append(path)
    return found


def flip(path: Path, chance: Chance) -> str:
    data = bytearray(path.read_bytes())
    at = chance.below(len(data))
    while not any(data[at : at + 8]) and chance.below(8):  # empty room says nothing
        at = chance.below(len(data))
    data[at] ^= 1 << chance.below(8)
    path.write_bytes(data)
    return f"{path.name}, byte {at}"


@pytest.fixture(scope="module")
def whole() -> Iterator[Path]:
    memory = Path("/dev/shm")  # noqa: S108 - in memory where that can be had: many copies are made
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as made:
        lived(Path(made) / "memory")
        yield Path(made)


def test_a_flipped_bit_changes_no_answer_and_raises_no_error_but_ours(whole: Path) -> None:
    files = kinds(whole / "memory")
    shutil.copytree(whole / "memory", whole / "copy")
    expected = answers(whole / "copy")
    shutil.rmtree(whole / "copy")
    bad: list[str] = []
    noticed = Counter[str]()
    for number in range(FLIPS):
        chance = Chance(number)
        # Half of them in the logs, where nearly everything is; the rest in every other kind.
        kind = ".db" if number % 2 else sorted(files)[number // 2 % len(files)]
        copy = whole / "copy"
        shutil.copytree(whole / "memory", copy)
        path = files[kind][chance.below(len(files[kind]))]
        where = flip(copy / path.relative_to(whole / "memory"), chance)
        try:
            told = answers(copy)
        except Exception as error:
            bad.append(f"{number} {kind} {where}: {type(error).__name__}: {error}")
            told = {}
        for name, answer in told.items():
            if isinstance(answer, MunimentError):
                noticed[kind] += 1
            elif answer != expected[name]:
                bad.append(f"{number} {kind} {where}: {name} answers {str(answer)[:80]}")
        shutil.rmtree(copy)
    assert not bad, "\n".join([f"{len(bad)} of {FLIPS}", *bad[:40]])
    assert noticed[".db"] > FLIPS // 50, "hardly anything was hit: nothing is tested"
