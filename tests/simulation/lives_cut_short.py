"""What a memory lives through when the power goes: steps, what each promises, and how to look."""

import json
import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Self

import msgspec
import pytest
from tests.terminal import Shell

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.config import Settings
from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import FileCredentials, Grant
from muniment.adapters.keys.keystore import FileKeystore
from muniment.adapters.operations import backup
from muniment.engine.api.memory import Memory
from muniment.engine.audit.notary import SignedHead
from muniment.model.errors import NotFoundError, StoreError
from muniment.model.events import EpisodeWritten
from muniment.model.scope import StreamId, StreamKind

NOW = "2026-05-20T09:00:00.000Z"
PRIVATE = "the surgeon in Graz keeps the red folder"
PLAIN = [f"Ann bought bike number {n}" for n in range(4)]


class Life:
    """One process at a folder; what it opened it keeps open, and dies with it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder, self.copy = root / "memory", root / "copy"
        self._memory: Memory | None = None

    @property
    def memory(self) -> Memory:
        self._memory = self._memory or muniment.open(self.folder)
        return self._memory

    def close(self) -> None:
        held, self._memory = self._memory, None
        if held is not None:
            held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *told: object) -> None:
        self.close()


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What is done, and what is true from the moment it has answered; done twice it is one."""

    act: Callable[[Life], object]
    said: tuple[str, ...] = ()
    erased: str = ""
    holds: Callable[[Life, object], None] = lambda _life, _answer: None


def says(*texts: str, user: str = "tuff") -> Step:
    def act(life: Life) -> None:
        for text in texts:
            life.memory.agent("ada", user=user).remember(text, key=text)

    return Step(act=act, said=texts)


def begins_again() -> Step:
    return Step(act=Life.close)


def erases(user: str, text: str) -> Step:
    """Asked, voted and carried out; whoever comes after a crash goes on where it was left."""

    def act(life: Life) -> None:
        eraser, council = life.memory.eraser(), life.memory.council()
        waiting = {each.request_id: each.status for each in council.requests()}
        if not waiting:
            try:
                waiting = {eraser.request(user, reason="they asked"): "pending"}
            except NotFoundError:  # nobody knows them any more: it was carried out
                return
        ((request, status),) = waiting.items()
        if status == "pending":
            council.approve(request)
        eraser.carry_out(request)

    def holds(life: Life, _: object) -> None:
        with pytest.raises(NotFoundError):  # no key of theirs came back
            life.memory.eraser().request(user, reason="are they known?")

    return Step(act=act, erased=text, holds=holds)


def rekeys() -> Step:
    def act(life: Life) -> None:
        with closing(FileKeystore(life.folder)) as keys:
            keys.exchange()

    return Step(act=act, holds=lambda life, _: _one_master_key(life.folder))


def _one_master_key(folder: Path) -> None:
    assert not (folder / "keys" / "master.next").exists(), "the old key or the next was left"


def signs() -> Step:
    """Whoever was given a signed head keeps it: later ones have its key, and are no shorter."""

    def act(life: Life) -> SignedHead:
        return life.memory.notary().sign(_agent(life.memory))

    def holds(life: Life, given: object) -> None:
        assert isinstance(given, SignedHead)
        head = life.memory.notary().sign(_agent(life.memory))
        assert head.key == given.key
        assert head.size >= given.size

    return Step(act=act, holds=holds)


def _agent(memory: Memory) -> StreamId:
    return next(each for each in memory.streams() if each.kind is StreamKind.AGENT)


def hands_out(label: str) -> Step:
    """A key for the doors: whoever was given one is let in with it."""

    def act(life: Life) -> str:
        keys = FileCredentials(life.folder)
        text, _ = api_keys.issue(keys, Grant(agent="ada", user="tuff"), label=label, now=NOW)
        return text

    def holds(life: Life, given: object) -> None:
        known = api_keys.recognise(FileCredentials(life.folder), str(given), now=NOW)
        assert known.label == label

    return Step(act=act, holds=holds)


def reads_in(*texts: str) -> Step:
    """A file of somebody else's program, through the terminal."""

    def act(life: Life) -> None:
        life.close()
        source = life.root.parent / "told.jsonl"
        rows = [{"memory": text, "id": str(n), "user_id": "tuff"} for n, text in enumerate(texts)]
        source.write_text(json.dumps({"results": rows}), encoding="utf-8")
        told = Shell("--store", str(life.folder), "--agent", "ada")(
            "import", str(source), "--from", "mem0"
        )
        if told.exit_code == Exit.STORE:
            raise StoreError(told.output)
        assert told.exit_code == Exit.DONE, told.output

    return Step(act=act, said=texts)


def backs_up(*texts: str) -> Step:
    def act(life: Life) -> None:
        shutil.rmtree(life.copy, ignore_errors=True)  # what nobody was told of counts for nothing
        backup.backup(life.folder, life.copy, Settings())

    def holds(life: Life, _: object) -> None:
        again = life.root / "restored"
        backup.restore(life.copy, again, Settings())
        with muniment.open(again) as memory:
            told = sentences(memory)
        assert all(told[text] == 1 for text in texts)

    return Step(act=act, holds=holds)


def sentences(memory: Memory) -> Counter[str]:
    logs = (memory.log(each) for each in memory.streams() if each.kind is StreamKind.AGENT)
    events = (line.event for log in logs for line in log)
    return Counter(each.summary for each in events if isinstance(each, EpisodeWritten))


STORIES: dict[str, list[Step]] = {
    "telling": [says(PLAIN[0]), says(PLAIN[1]), begins_again(), says(PLAIN[2]), says(PLAIN[3])],
    "erasing": [says(PLAIN[0]), says(PRIVATE, user="mia"), erases("mia", PRIVATE), says(PLAIN[1])],
    "rekeying": [says(PLAIN[0]), begins_again(), rekeys(), says(PLAIN[1]), rekeys()],
    "signing": [says(PLAIN[0]), signs(), says(PLAIN[1]), signs()],
    "handing out keys": [says(PLAIN[0]), hands_out("one"), hands_out("two"), says(PLAIN[1])],
    "backing up": [says(PLAIN[0]), backs_up(PLAIN[0]), says(PLAIN[1])],
    "reading in": [says(PLAIN[0]), reads_in(*PLAIN[1:]), says(PRIVATE)],
}
