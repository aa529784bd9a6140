"""Routes of what is kept by name: papers in drawers, and what awaits a yes."""

from typing import Annotated, Final

import msgspec

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import AskedOfThen, RouteRequest, Text, ask, get, post, tagged
from muniment.engine.api.documents import ADDED_VALUES_MAX, Documents
from muniment.layers.documents import Past
from muniment.layers.governance.confirmations import Confirmation
from muniment.layers.governance.requests import Request
from muniment.model.canonical_json import INTEGER_MAX
from muniment.model.commands.documents import ANY_VERSION
from muniment.model.errors import NotFoundError
from muniment.model.kinds.document import (
    KEY_CHARACTERS_MAX,
    LABEL_CHARACTERS_MAX,
    LABELS_MAX,
    DocumentChange,
    Paper,
)

Label = Annotated[str, msgspec.Meta(min_length=1, max_length=LABEL_CHARACTERS_MAX)]
Drawer = Annotated[tuple[Label, ...], msgspec.Meta(max_length=LABELS_MAX)]
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=KEY_CHARACTERS_MAX)]
Version = Annotated[int, msgspec.Meta(ge=ANY_VERSION, le=INTEGER_MAX)]


class InDrawer(RouteRequest, frozen=True, kw_only=True):
    drawer: Drawer


class PutPaper(InDrawer, frozen=True, kw_only=True):
    """Let a key have a value; `expect` names the version it must have now, 0 for none."""

    key: Key
    value: object
    expect: Version = ANY_VERSION
    ttl_seconds: Annotated[int, msgspec.Meta(ge=0, le=INTEGER_MAX)] = 0
    governed: bool = False


class AddPapers(InDrawer, frozen=True, kw_only=True):
    """Put values into a drawer one after the other, under counted keys."""

    values: Annotated[list[object], msgspec.Meta(max_length=ADDED_VALUES_MAX)]
    governed: bool = False


class DropPaper(InDrawer, frozen=True, kw_only=True):
    """Take a paper out of every reading from here on; the past keeps it."""

    key: Key
    expect: Version = ANY_VERSION
    governed: bool = False


class ClearDrawer(InDrawer, frozen=True, kw_only=True):
    """Take everything out of this very drawer."""

    governed: bool = False


class Cleared(msgspec.Struct, frozen=True, kw_only=True):
    """What became of it; nothing where the drawer was empty."""

    kept: DocumentChange | None


class GetPaper(AskedOfThen, frozen=True, kw_only=True):
    """What stands under a key of a drawer, now or at an entry of the past."""

    drawer: Drawer
    key: Key


class ListPapers(AskedOfThen, frozen=True, kw_only=True):
    """The papers of a drawer, and of those inside it, in the order they came."""

    drawer: Drawer = ()
    deep: bool = True


class SearchPapers(AskedOfThen, frozen=True, kw_only=True):
    """Papers that answer a question, best first; scores in millionths.

    Without a limit all that have to do with it; `where` is what a value must hold.
    """

    drawer: Drawer = ()
    query: Text
    limit: Annotated[int, msgspec.Meta(ge=0, le=INTEGER_MAX)] = 0
    where: dict[str, object] | None = None


class FoundPaper(msgspec.Struct, frozen=True, kw_only=True):
    score_ppm: int
    paper: Paper


class ListDrawers(AskedOfThen, frozen=True, kw_only=True):
    """Every drawer that holds something, in the order of their labels."""


class PaperHistory(AskedOfThen, frozen=True, kw_only=True):
    """Every version that a key ever had, newest first, with where each began and ended."""

    drawer: Drawer
    key: Key


class ListQuestions(RouteRequest, frozen=True, kw_only=True):
    """Lasting facts that the key's own user was asked about and has not answered."""


class ListPetitions(RouteRequest, frozen=True, kw_only=True):
    """What the key's own speaker has asked for and what awaits a yes."""


def _papers(hands: Hands, *, governed: bool = False) -> Documents:
    return hands.agent.papers(governed=governed)


def _put(hands: Hands, asked: PutPaper) -> DocumentChange:
    return _papers(hands, governed=asked.governed).put(
        asked.drawer,
        asked.key,
        asked.value,
        expect=asked.expect,
        ttl_seconds=asked.ttl_seconds,
    )


def _drop(hands: Hands, asked: DropPaper) -> DocumentChange:
    papers = _papers(hands, governed=asked.governed)
    return papers.drop(asked.drawer, asked.key, expect=asked.expect)


def _get(hands: Hands, asked: GetPaper) -> Paper:
    found = _papers(hands).get(asked.drawer, asked.key, **asked.then)
    if found is None:
        raise NotFoundError
    return found


def _search(hands: Hands, asked: SearchPapers) -> list[FoundPaper]:
    found = _papers(hands).search(
        asked.drawer, asked.query, limit=asked.limit, where=asked.where, **asked.then
    )
    return [FoundPaper(score_ppm=score, paper=paper) for score, paper in found]


ROUTES: Final = tagged(
    "papers",
    [
        post("/v1/papers", "remember", PutPaper, DocumentChange, _put),
        post(
            "/v1/papers/add",
            "remember",
            AddPapers,
            list[DocumentChange],
            lambda hands, asked: _papers(hands, governed=asked.governed).add(
                asked.drawer, asked.values
            ),
        ),
        post("/v1/papers/drop", "forget", DropPaper, DocumentChange, _drop),
        post(
            "/v1/papers/clear",
            "forget",
            ClearDrawer,
            Cleared,
            lambda hands, asked: Cleared(
                kept=_papers(hands, governed=asked.governed).clear(asked.drawer)
            ),
        ),
        ask("/v1/papers/get", "recall", GetPaper, Paper, _get),
        ask(
            "/v1/papers/within",
            "recall",
            ListPapers,
            list[Paper],
            lambda hands, asked: _papers(hands).within(asked.drawer, deep=asked.deep, **asked.then),
        ),
        ask(
            "/v1/papers/search",
            "recall",
            SearchPapers,
            list[FoundPaper],
            _search,
        ),
        ask(
            "/v1/papers/history",
            "recall",
            PaperHistory,
            list[Past],
            lambda hands, asked: _papers(hands).history(asked.drawer, asked.key, **asked.then),
        ),
        get(
            "/v1/papers/drawers",
            "recall",
            ListDrawers,
            list[tuple[str, ...]],
            lambda hands, asked: _papers(hands).drawers(**asked.then),
        ),
        get(
            "/v1/questions",
            "petition",
            ListQuestions,
            list[Confirmation],
            lambda hands, _: hands.agent.questions(),
        ),
        get(
            "/v1/petitions",
            "petition",
            ListPetitions,
            list[Request],
            lambda hands, _: hands.agent.requests(),
        ),
    ],
)
