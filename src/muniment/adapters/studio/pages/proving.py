"""Prove: verify, decide again and rebuild while you watch; and the first difference, if any."""

from typing import Final

from muniment.adapters.studio.asking import Asked, Moved, Shown, insist_on_writing, link
from muniment.adapters.studio.studio import Studio
from muniment.adapters.studio.works import Work
from muniment.engine.memory import Memory
from muniment.engine.prove import Proof
from muniment.model.errors import InputError, NotFoundError

REBUILD: Final = "rebuild"
KINDS: Final = ("prove", REBUILD)


def page(studio: Studio, asked: Asked) -> Shown:
    may = studio.may(asked)
    works = [each for each in map(studio.works.find, KINDS) if each]
    kinds = [each for each in KINDS if may(each) and (studio.may_write or each != REBUILD)]
    return Shown(template="prove.html", values={"works": works, "kinds": kinds})


def start(studio: Studio, asked: Asked) -> Moved:
    kind = asked.form.get("kind", "")
    if kind not in KINDS:
        raise InputError(f"there is only {' and '.join(KINDS)}")
    studio.permit(asked, kind)
    if kind == REBUILD:
        insist_on_writing(studio)
    total = sum(studio.memory.head(each) for each in studio.streams())

    def run(memory: Memory, work: Work) -> object:
        work.of = total

        past = 0

        def step(seq: int) -> None:
            nonlocal past  # what the streams before this one had
            if seq < work.done - past:
                past = work.done
            work.done = past + seq

        if kind == REBUILD:
            return memory.rebuild(progress=step)
        proofs = memory.prove(progress=step)
        studio.proved.update({each.stream: each.entries for each in proofs})
        return proofs

    studio.works.begin(kind, run)
    return Moved(where=link("/prove"))


def progress(studio: Studio, asked: Asked) -> Shown:
    """How far the work is; asked again and again by the page that shows it."""
    work = studio.works.find(asked.get("name"))
    if work is None:
        raise NotFoundError
    return Shown(template="work.html", values={"work": work, "proofs": proofs_of(work)})


def proofs_of(work: Work) -> list[Proof]:
    told = work.result
    return [each for each in told if isinstance(each, Proof)] if isinstance(told, list) else []
