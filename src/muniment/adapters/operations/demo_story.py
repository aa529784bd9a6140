"""Demo story, also the golden log: the same bytes on every run."""

from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

import muniment
from muniment.adapters.rendering import event_summary
from muniment.adapters.storage import file_scan
from muniment.engine.api.memory import TENANT, Memory
from muniment.engine.audit.replay import Proof
from muniment.log.entry import Line
from muniment.model.events import Received, Shredded
from muniment.model.scope import StreamId, StreamKind, council_stream, stream_from_text

SEED: Final = b"the story of ada and tuff"
AGENT: Final = "ada"
USER: Final = "tuff"
WISH: Final = "Remember my favourite colour is cerulean"
KEY: Final = "user/profile/user_tuff/favorite_color"
REFUSED: Final = "my password is hunter2-vAult-9931"
PHONE: Final = "+1 415 555 2671"
BUDGET_TOKENS: Final = 42
ID_CHARACTERS: Final = 11  # enough to tell two apart on one screen
# However somebody might have written the number down.
PHONE_SPELLINGS: Final = (b"+1 415 555 2671", b"415 555 2671", b"4155552671")


class Noted(msgspec.Struct, frozen=True, kw_only=True):
    """One batch of a log: where it stands, what was asked, what was decided."""

    log: str
    first: int
    last: int
    asked: str
    decided: tuple[str, ...]


class DemoStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of the story: what was asked, what the logs now say, what came back."""

    title: str
    asked: tuple[str, ...]
    noted: tuple[Noted, ...]
    answer: tuple[tuple[str, str], ...]


def opened(folder: Path) -> Memory:
    """A memory whose keys and moments follow from a seed: for this story only."""
    return muniment.open(folder, seed=SEED, clock=False)


def tell(folder: Path, again: Path) -> Iterator[DemoStep]:
    """The whole story in one folder; its middle part is lived a second time in another one."""
    with opened(folder) as memory:
        teller = Narrator(memory)
        yield from remembering(teller)
        yield replay(teller, again)
        yield from erasing(teller, folder)


def remembering(teller: "Narrator") -> Iterator[DemoStep]:
    """A fact, a session, two refusals of different kinds, and four ways to read."""
    before = yield from _a_lasting_fact(teller)
    yield _a_session(teller)
    yield _a_secret(teller)
    yield _a_number(teller)
    yield _a_recall(teller)
    yield _a_context(teller)
    yield _a_look_back(teller, before)


def replay(teller: "Narrator", again: Path) -> DemoStep:
    """Prove every log, then live the same story elsewhere and compare the heads."""
    proofs = teller.memory.prove()
    with opened(again) as other:
        for _ in remembering(Narrator(other)):
            pass
        twins = other.prove()
    same = heads(proofs) == heads(twins)
    return teller.step(
        "Everything is proved, and lived again to the same byte",
        ["owner: prove", "owner: the same story in a second folder"],
        [
            *((_short(each), f"{each.entries} entries, head {each.head}") for each in proofs),
            ("second", "the same heads, byte for byte" if same else "OTHER HEADS"),
        ],
    )


def erasing(teller: "Narrator", folder: Path) -> Iterator[DemoStep]:
    """A number kept raw under consent, then everything about its owner destroyed."""
    yield _a_consent(teller)
    yield _an_erasure(teller, folder)


def heads(proofs: Sequence[Proof]) -> dict[str, tuple[int, str]]:
    return {each.stream: (each.entries, each.head) for each in proofs}


class Narrator:
    """Holds the pen: runs what is asked and notes what the logs say since the last step."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.ada = memory.agent(AGENT, user=USER)
        self._told: dict[StreamId, int] = {}
        self._noted: list[Noted] = []

    def step(self, title: str, asked: Sequence[str], answer: Sequence[tuple[str, str]]) -> DemoStep:
        self.ada.flush()  # what was read belongs to the step that read it
        self.note()
        noted, self._noted = tuple(self._noted), []
        return DemoStep(title=title, asked=tuple(asked), noted=noted, answer=tuple(answer))

    def note(self) -> None:
        """Look at every log now: what happens in two of them is told in its order."""
        for stream in self.memory.streams():
            lines = self.memory.log(stream, after=self._told.get(stream, 0))
            if lines:
                self._told[stream] = lines[-1].seq
                self._noted += _batches(stream, lines)


# ── A lasting fact needs a yes, and another yes ─────────────────────────────────────────────────


def _a_lasting_fact(teller: Narrator) -> Generator[DemoStep, None, int]:
    ada, council = teller.ada, teller.memory.council()
    kept = ada.remember(WISH)
    assert kept.question is not None
    question = kept.question
    yield teller.step(
        "A wish is kept, and asked back",
        [f"tuff: {WISH}"],
        [
            ("kept", f"{kept.episodic_id}"),
            ("asked back", f"Shall {question.key} be {event_summary.spelled(question.value)}?"),
        ],
    )
    request_id = ada.confirm(question.confirmation_id)
    request, status = council.request(request_id)
    yield teller.step(
        "A yes becomes a request, with its evidence",
        ["tuff: yes"],
        [
            ("request", f"{request_id}, {status}, needs {request.required_approval}"),
            ("evidence", ", ".join(each.episodic_id for each in request.evidence)),
            ("since", request.created_seeded_ts),
        ],
    )
    before = ada.seq
    outcome = council.approve(request_id, binding=request.binding)
    teller.note()
    fact = ada.sem_get(KEY)
    yield teller.step(
        "An approval makes it a fact",
        [f"owner: approve {request_id}", f"ada: sem_get {KEY}"],
        [("request", outcome), ("fact", event_summary.spelled(fact.value))],
    )
    return before


# ── What a session uses, stays; what it does not, goes ──────────────────────────────────────────


def _a_session(teller: Narrator) -> DemoStep:
    ada = teller.ada
    council = council_stream(TENANT)
    before = len(teller.memory.log(council))
    with ada.job("trip-to-lisbon", session="travel") as job:
        used = job.wm_insert({"type": "fact", "value": {"city": "Lisbon", "nights": 3}})
        job.wm_insert({"type": "hint", "value": "tuff prefers trains"})
        job.reference(used)
        job.reference(used)
        tick = job.tick()
        held = job.cwm_find()
    kept = ada.episodic_query("Lisbon", 1)[0].entry
    after = len(teller.memory.log(council))
    governed = f"nothing changed, their log still ends at {after}" if after == before else "CHANGED"
    return teller.step(
        "A session fact, used twice, is consolidated; the end of the job writes it down",
        [
            "ada: wm_insert city Lisbon, nights 3; wm_insert “tuff prefers trains”",
            "ada: reference, reference, tick, commit",
        ],
        [
            ("consolidated", f"{held[0].cwm_id_item} at tick {tick}"),
            ("episode", f"{kept.episodic_id}: {kept.summary}"),
            ("facts", governed),
        ],
    )


# ── What is refused, and what is taken out ──────────────────────────────────────────────────────


def _a_secret(teller: Narrator) -> DemoStep:
    refused = teller.ada.remember(REFUSED)
    return teller.step(
        "A secret is refused; not even a trace of it is kept",
        ["tuff: my password is ••••••••"],
        [("stored", "no"), ("reason", refused.reason)],
    )


def _a_number(teller: Narrator) -> DemoStep:
    kept = teller.ada.remember(f"Call me on {PHONE} about the train")
    return teller.step(
        "A phone number is taken out before the first byte is stored",
        [f"tuff: Call me on {PHONE} about the train"],
        [("redacted", ", ".join(kept.redacted)), ("kept", kept.text)],
    )


# ── Reading: with evidence, within a budget, as of then ─────────────────────────────────────────


def _a_recall(teller: Narrator) -> DemoStep:
    query = "my favourite colour, cerulean?"
    bundle = teller.ada.recall(query)
    found = [
        (f"{hit.score_ppm / 1e6:.3f}", f"{hit.text} ({hit.id[:ID_CHARACTERS]}…)")
        for hit in bundle.hits
    ]
    read = ", ".join(f"{ref[:8]}@{seq}" for ref, seq in sorted(bundle.receipt.reads.items()))
    receipt = f"{len(bundle.receipt.ids)} ids, read {read}, policy {bundle.receipt.policy[:8]}"
    return teller.step(
        "Recall answers with evidence and leaves a receipt in the log",
        [f"ada: recall {query}"],
        [*found, ("receipt", receipt)],
    )


def _a_context(teller: Narrator) -> DemoStep:
    prompt = "Which colour for the train to Lisbon?"
    context = teller.ada.context(prompt, budget=BUDGET_TOKENS)
    lines = [(piece.why, piece.text) for piece in context.pieces]
    size = f"{context.tokens} of {context.budget}, {context.left_out} left out"
    return teller.step(
        "A context fits its budget and says why each line is there",
        [f"ada: context {prompt}"],
        [*lines, ("tokens", size)],
    )


def _a_look_back(teller: Narrator, before: int) -> DemoStep:
    then, now = teller.ada.sem_get(KEY, at=before), teller.ada.sem_get(KEY)
    return teller.step(
        "Any moment can be read again",
        [f"ada: sem_get {KEY}, as of entry {before} and now"],
        [
            (f"at {before}", event_summary.spelled(then.value)),
            ("now", event_summary.spelled(now.value)),
        ],
    )


# ── Erasure ─────────────────────────────────────────────────────────────────────────────────────


def _a_consent(teller: Narrator) -> DemoStep:
    ada = teller.ada
    words = "You may keep my phone number as it is"
    consent_id = ada.consent(words)
    teller.note()
    kept = ada.remember(f"My number is {PHONE}", keep_raw=True)
    seen = teller.memory.admin().read_payload(AGENT, kept.episodic_id, reason="asked to see it")
    return teller.step(
        "With consent the raw number is kept, sealed, for administrators",
        [f"tuff: {words}", f"tuff: My number is {PHONE}", "owner: read_payload"],
        [
            ("consent", consent_id),
            ("agents see", seen.entry.summary),
            ("an admin sees", _text(seen.raw)),
        ],
    )


def _an_erasure(teller: Narrator, folder: Path) -> DemoStep:
    memory = teller.memory
    eraser = memory.eraser()
    request_id = eraser.request(USER, reason="the person asked to be forgotten")
    outcome = memory.council().approve(request_id)
    teller.note()
    done = eraser.carry_out(request_id)
    teller.note()
    left = file_scan.scan(folder, list(PHONE_SPELLINGS))
    proofs = memory.prove()
    reader = memory.agent(AGENT)
    fact = reader.sem_get(KEY)
    reader.flush()
    erased = sum(each.shredded for each in proofs)
    return teller.step(
        "Council and administrator erase tuff; the chain still holds",
        ["tuff: Forget me", f"owner: approve {request_id}", f"owner: carry out {request_id}"],
        [
            ("request", f"{request_id}, {outcome}, carried out"),
            ("fact", event_summary.spelled(fact.value)),
            ("number", _found(left.found, left.files)),
            ("chain", f"{sum(each.entries for each in proofs)} entries verify, {erased} erased"),
            ("receipt", f"{done.fragments} fragments destroyed in {done.streams} logs"),
            ("scan", f"{done.scanned_files} files, digest {done.scan_digest}"),
        ],
    )


def _text(raw: object) -> str:
    """What an episode said before anything was taken out of it."""
    return event_summary.spelled(raw["text"] if isinstance(raw, dict) else raw)


def _found(found: Sequence[str], files: int) -> str:
    return f"STILL IN {', '.join(found)}" if found else f"in none of {files} files"


# ── What the logs say ───────────────────────────────────────────────────────────────────────────


def label(stream: StreamId) -> str:
    """A stream in one word."""
    return stream.owner if stream.kind == StreamKind.AGENT else str(stream.kind)


def _short(proof: Proof) -> str:
    return label(stream_from_text(proof.stream))


def _batches(stream: StreamId, lines: Sequence[Line]) -> list[Noted]:
    causes = sorted({line.header.cause for line in lines})
    return [
        _noted(stream, [line for line in lines if line.header.cause == cause]) for cause in causes
    ]


def _noted(stream: StreamId, batch: Sequence[Line]) -> Noted:
    first, *rest = batch
    return Noted(
        log=label(stream),
        first=first.seq,
        last=batch[-1].seq,
        asked=_asked(first),
        decided=tuple(line.header.type for line in rest),
    )


def _asked(line: Line) -> str:
    match line.event:
        case Received(asked=asked):
            return asked
        case Shredded(public={"asked": str(asked)}):
            return asked
        case _:
            return line.header.type
