"""Branches: other lines of the memory, what each did otherwise, and how one is merged or ended."""

from muniment.adapters.studio.known import wording
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import (
    PageRequest,
    Redirect,
    RenderedPage,
    insist_on_writing,
    link,
    part,
)
from muniment.model.errors import InputError
from muniment.model.scope import stream_from_text


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    branches = studio.memory.branches(asked.who)
    return RenderedPage(template="branches.html", values={"part": part(asked, branches.list())})


def branch(studio: Studio, asked: PageRequest) -> RenderedPage:
    """What a branch holds, and what a merge would do; nothing of the look is kept."""
    name = asked.get("name")
    if not name:
        raise InputError("say which branch: name")
    branches = studio.memory.branches(asked.who)
    status = branches.status(name)
    changes = [
        (wording.log_name(stream_from_text(log)), found)
        for log, found in branches.diff(name).changes.items()
    ]
    return RenderedPage(
        template="branch.html",
        values={
            "status": status,
            "changes": changes,
            "merge": branches.merge(name, preview=True),
            "entries": sum(status.entries.values()),
        },
    )


def start(studio: Studio, asked: PageRequest) -> Redirect:
    """Open a branch from where the logs stand."""
    insist_on_writing(studio)
    name = asked.form.get("name", "").strip()
    studio.memory.branches(asked.who).open(name)
    return Redirect(where=link("/branch", name=name))


def end(studio: Studio, asked: PageRequest) -> Redirect:
    """Merge a branch into the memory, or discard what was written there."""
    insist_on_writing(studio)
    branches, name = studio.memory.branches(asked.who), asked.form.get("name", "")
    if asked.form.get("how") == "merge":
        branches.merge(name)
    else:
        branches.discard(name)
    return Redirect(where="/branches")
