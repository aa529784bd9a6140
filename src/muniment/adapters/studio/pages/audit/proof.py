"""Prove: verify, decide again, sign and rebuild while you watch; and the first difference."""

from typing import Final

from muniment.adapters.studio.background_jobs import BackgroundJob
from muniment.adapters.studio.known import wording
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import (
    PageRequest,
    Redirect,
    RenderedPage,
    insist_on_writing,
    link,
)
from muniment.adapters.studio.pages.audit.signatures import stands
from muniment.engine.api.memory import Memory
from muniment.engine.audit.notary import SignedHead
from muniment.engine.audit.replay import Proof
from muniment.model.errors import InputError, NotFoundError
from muniment.model.scope import stream_from_text

PROVE, SIGN, REBUILD = "prove", "sign", "rebuild"
# What is done, and the verb of whoever may; all but proving leaves something behind.
KINDS: Final = {PROVE: "prove", SIGN: "prove", REBUILD: "rebuild"}


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    may = studio.may(asked)
    works = [each for each in map(studio.works.find, KINDS) if each]
    kinds = [
        each for each, verb in KINDS.items() if may(verb) and (studio.may_write or each == PROVE)
    ]
    values: dict[str, object] = {"works": works, "kinds": kinds, "stands": stands(studio, asked)}
    return RenderedPage(template="prove.html", values=values)


def start(studio: Studio, asked: PageRequest) -> Redirect:
    kind = asked.form.get("kind", "")
    if kind not in KINDS:
        raise InputError(f"there is only {' and '.join(KINDS)}")
    studio.permit(asked, KINDS[kind])
    if kind != PROVE:
        insist_on_writing(studio)
    total = sum(studio.memory.head(each) for each in studio.streams())

    def run(memory: Memory, work: BackgroundJob) -> object:
        work.of = total

        past = 0

        def step(seq: int) -> None:
            nonlocal past  # what the streams before this one had
            if seq < work.done - past:
                past = work.done
            work.done = past + seq

        if kind == REBUILD:
            return memory.rebuild(progress=step)
        if kind == SIGN:
            notary = memory.notary()
            return [notary.sign(each, progress=step) for each in memory.streams()]
        proofs = memory.prove(progress=step)
        studio.proved.update({each.stream: each.entries for each in proofs if not each.branch})
        studio.proved_at = studio.seconds()
        return proofs

    studio.works.begin(kind, run)
    return Redirect(where=link("/prove"))


def _name(each: Proof) -> str:
    """A log in words; where it has gone on in a branch, in which."""
    name = wording.log_name(stream_from_text(each.stream))
    return f"{name}, in the branch “{wording.branch_title(each.branch)}”" if each.branch else name


def progress(studio: Studio, asked: PageRequest) -> RenderedPage:
    """How far the work is; asked again and again by the page that shows it."""
    work = studio.works.find(asked.get("name"))
    if work is None:
        raise NotFoundError
    told = work.result if isinstance(work.result, list) else []
    proofs = [(_name(each), each) for each in told if isinstance(each, Proof)]
    heads = [
        (wording.log_name(stream_from_text(each.stream)), each)
        for each in told
        if isinstance(each, SignedHead)
    ]
    return RenderedPage(
        template="work.html", values={"work": work, "proofs": proofs, "heads": heads}
    )
