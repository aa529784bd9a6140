"""`documents`, `correct`, `items`, `phase`, `loops`: values by key, and conversation items."""

import json
from collections.abc import Mapping

import click

from muniment.adapters.cli.memory.conversation import PROJECT, SESSION
from muniment.adapters.cli.options import AT, VALID_AT, Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say, thousandths
from muniment.adapters.cli.request_options import options
from muniment.adapters.rendering.event_summary import spelled
from muniment.adapters.requests.documents import SearchDocumentsRequest
from muniment.engine.session.loop_reader import MirrorHit
from muniment.model.commands.documents import ANY_VERSION
from muniment.model.errors import InputError, NotFoundError, RefusedError
from muniment.model.kinds.conversation_item import Kind, MemoryItem, Space
from muniment.model.kinds.document import StoredDocument
from muniment.retrieval.scoring.fuzzy import Likeness

ACTIONS = LIST, GET, PUT, DROP, HISTORY, SEARCH = (
    "list", "get", "put", "drop", "history", "search",
)  # fmt: skip
SPACE = click.option(
    "--space",
    type=click.Choice([*Space], case_sensitive=False),
    default=Space.SESSION.value,
    show_default=True,
    help="Space of the items.",
)


@command("correct", verb="correct")
@click.argument("item_id", metavar="ID")
@click.argument("text")
def correct(terminal: Terminal, *, item_id: str, text: str) -> None:
    """Replace the text of the episode ID with TEXT; the log keeps both."""
    with terminal.memory() as memory:
        kept = terminal.agent(memory).correct(item_id, text)
        if not kept.stored:
            raise RefusedError(kept.reason)
        # The new text has an id of its own: whoever wants to forget it needs that one.
        where = say((f"{kept.episodic_id}, entry {kept.seq}", "quiet"))
        terminal.answer(kept, lambda: [say(("Corrected", "good"), f": {kept.text}"), where])


@command("documents", verb="remember")
@click.argument("action", type=click.Choice(ACTIONS), default=LIST, metavar="[ACTION]")
@click.argument("namespace", default="")
@click.argument("key", default="")
@click.argument("value", default="")
@click.option(
    "--expect",
    type=click.IntRange(min=0),
    metavar="N",
    help="Current version, so that a change in between is refused.",
)
@click.option("--governed", is_flag=True, help="Request it from the council instead of writing it.")
@options(SearchDocumentsRequest, "limit")
@AT
@VALID_AT
def documents(
    terminal: Terminal, *, action: str, namespace: str, key: str, **given: object
) -> None:
    """JSON values by NAMESPACE (labels with slashes) and KEY.

    ACTION is list (everything, or within NAMESPACE), get, put, drop, history, or search, where
    a question stands in the place of KEY. A VALUE that is not JSON is stored as text.
    """
    labels = tuple(each for each in namespace.split("/") if each)
    if action == SEARCH and not key:
        raise InputError("name a namespace and a question")
    if action not in (LIST, SEARCH) and not (labels and key):
        raise InputError("name a namespace and a key")
    if given["limit"] and action != SEARCH:
        raise InputError("--limit is for search")
    work = _write if action in (PUT, DROP) else _read
    work(terminal, action, labels, key, given)


def _read(
    terminal: Terminal,
    action: str,
    labels: tuple[str, ...],
    key: str,
    given: Mapping[str, object],
) -> None:
    at = given["at"] if isinstance(given["at"], int) else None
    day = str(given["valid_at"])
    with terminal.memory() as memory:
        hands = terminal.agent(memory).documents()
        match action:
            case "list":
                found = hands.within(labels, at=at, valid_at=day)
                terminal.answer({"documents": found}, lambda: _documents(found))
            case "get":
                document = _there(hands.get(labels, key, at=at, valid_at=day))
                terminal.answer(document, lambda: [say(spelled(document.value))])
            case "search":
                limit = given["limit"] if isinstance(given["limit"], int) else 0
                ranked = hands.search(labels, key, limit=limit, at=at, valid_at=day)
                hits = [{"score_ppm": score, "document": document} for score, document in ranked]
                terminal.answer({"hits": hits}, lambda: _ranked(ranked))
            case _:
                past = hands.history(labels, key, at=at, valid_at=day)
                terminal.answer(
                    {"versions": past}, lambda: _documents([it.document for it in past])
                )


def _write(
    terminal: Terminal,
    action: str,
    labels: tuple[str, ...],
    key: str,
    given: Mapping[str, object],
) -> None:
    if given["at"] is not None or given["valid_at"]:
        raise InputError("a write cannot be in the past: leave out --at and --valid-at")
    expect = given["expect"] if isinstance(given["expect"], int) else ANY_VERSION
    with terminal.memory(create=action == PUT) as memory:
        agent = terminal.agent(memory, create=action == PUT)
        hands = agent.documents(governed=bool(given["governed"]))
        if action == PUT:
            kept = hands.put(labels, key, _json(str(given["value"])), expect=expect)
            terminal.answer(kept, lambda: [say(("Kept", "good"), f", version {kept.version}")])
        else:
            kept = hands.drop(labels, key, expect=expect)
            terminal.answer(kept, lambda: [say(("Taken out", "good"))])


@command("items", verb="items")
@click.argument(
    "kind",
    type=click.Choice([*Kind], case_sensitive=False),
    default=Kind.SEMANTIC,
    metavar="[KIND]",
)
@SPACE
@SESSION
@PROJECT
@AT
@VALID_AT
def items(
    terminal: Terminal, *, kind: str, space: str, at: int | None, valid_at: str, **where: str
) -> None:
    """List the active items of a conversation, oldest first.

    KIND is short_term, semantic (the default) or profile.
    """
    with terminal.memory() as memory:
        talk = terminal.agent(memory).conversation(**where)
        found = talk.items(kind, space, at=at, valid_at=valid_at)
        terminal.answer({"items": found}, lambda: _items(found))


@command("phase", verb="phases")
@click.argument("name", default="")
@click.option("--reason", default="manual", metavar="TEXT", help="Why; it is kept with the phase.")
@SPACE
@SESSION
@PROJECT
def phase(terminal: Terminal, *, name: str, reason: str, space: str, **where: str) -> None:
    """Start a new phase of a conversation, called NAME; recall shows the current phase."""
    with terminal.memory() as memory:
        begun = terminal.agent(memory).conversation(**where).start_phase(name, reason, space=space)
        terminal.answer(begun, lambda: [say(("Begun", "good"), f": phase {begun.n}")])


@command("loops")
@click.argument("text")
@AT
@VALID_AT
def loops(terminal: Terminal, *, text: str, at: int | None, valid_at: str) -> None:
    """Search past agent loops for TEXT, by words and by similarity."""
    with terminal.memory() as memory:
        agent = terminal.agent(memory)
        mirror = agent.rag_query(text, at=at, valid_at=valid_at)
        alike = agent.fuzzy_query(text, at=at, valid_at=valid_at)
        terminal.answer({"mirror": mirror, "loops": alike}, lambda: _loops(mirror, alike))


def _loops(mirror: list[MirrorHit], alike: list[Likeness]) -> list[Block]:
    if not mirror and not alike:
        return [say("No past loop matches.")]
    events = [(hit.score_ppm, hit.entry.idetic_id, hit.entry.summary) for hit in mirror]
    whole = [(like.score_ppm, like.summary.loop_id, like.summary.summary) for like in alike]
    tables = (("event", events), ("loop", whole))
    return [
        TextTable(
            head=("score", what, "says"),
            rows=tuple((thousandths(score), name, text) for score, name, text in rows),
            styles=("number", "name", ""),
        )
        for what, rows in tables
        if rows
    ]


def _there(found: StoredDocument | None) -> StoredDocument:
    if found is None:
        raise NotFoundError("there is no such document")
    return found


def _json(text: str) -> object:
    """JSON where it is; any other word stands for itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _documents(found: list[StoredDocument]) -> list[Block]:
    if not found:
        return [say("No documents.")]
    rows = tuple(
        ("/".join(it.namespace), it.key, str(it.version), spelled(it.value)) for it in found
    )
    return [TextTable(head=("namespace", "key", "version", "value"), rows=rows)]


def _ranked(found: list[tuple[int, StoredDocument]]) -> list[Block]:
    if not found:
        return [say("No document answers that.")]
    rows = tuple(
        (thousandths(score), "/".join(it.namespace), it.key, spelled(it.value))
        for score, it in found
    )
    return [TextTable(head=("score", "namespace", "key", "value"), rows=rows)]


def _items(found: list[MemoryItem]) -> list[Block]:
    if not found:
        return [say("This conversation has no items of that kind.")]
    rows = tuple((each.id, each.text) for each in found)
    return [TextTable(head=("id", "says"), rows=rows)]
