"""Route table: all routes, and the lookup by path."""

from typing import Final

from muniment.adapters.gateway.errors import MethodError
from muniment.adapters.http import mem0_routes
from muniment.adapters.http.route import Route
from muniment.adapters.http.routes import (
    admin,
    conversation,
    council,
    documents,
    explain,
    feedback,
    jobs,
    keys,
    learning,
    log,
    memory,
    proof,
    threads,
)
from muniment.adapters.http.routes.evidence import (
    branches,
    export,
    file_import,
    passport,
    watch,
)
from muniment.model.errors import NotFoundError

ROUTES: Final[tuple[Route, ...]] = (
    *memory.ROUTES,
    *log.ROUTES,
    *watch.ROUTES,
    *export.ROUTES,
    *file_import.ROUTES,
    *passport.ROUTES,
    *explain.ROUTES,
    *conversation.ROUTES,
    *threads.ROUTES,
    *jobs.ROUTES,
    *documents.ROUTES,
    *feedback.ROUTES,
    *council.ROUTES,
    *admin.ROUTES,
    *branches.ROUTES,
    *keys.ROUTES,
    *learning.ROUTES,
    *proof.ROUTES,
    *mem0_routes.ROUTES,
)

HEAD: Final = "HEAD"
Matched = tuple[Route, dict[str, str]]


class RouteTable:
    """Rows by address: exact ones first, then those with a parameter, segment by segment."""

    def __init__(self, routes: tuple[Route, ...] = ROUTES) -> None:
        self.routes = routes
        self._exact: dict[str, dict[str, Route]] = {}
        self._shaped: dict[int, list[tuple[list[str], dict[str, Route]]]] = {}
        for route in routes:
            self._put(route)

    def find(self, method: str, path: str) -> Matched:
        known = self._exact.get(path)
        values: dict[str, str] = {}
        if known is None:
            known, values = self._shape(path)
        route = known.get("GET" if method == HEAD else method)
        if route is None or (method == HEAD and route.streams):
            raise MethodError(allow=", ".join(sorted({*known, *_heads(known)})))
        return route, values

    def _shape(self, path: str) -> tuple[dict[str, Route], dict[str, str]]:
        given = path.split("/")
        for shape, known in self._shaped.get(len(given), []):
            values = _fits(shape, given)
            if values is not None:
                return known, values
        raise NotFoundError("there is no such route; /docs lists all")

    def _put(self, route: Route) -> None:
        if not route.parameters:
            self._exact.setdefault(route.path, {})[route.method] = route
            return
        shape = route.path.split("/")
        rows = self._shaped.setdefault(len(shape), [])
        for each, known in rows:
            if each == shape:
                known[route.method] = route
                return
        rows.append((shape, {route.method: route}))


def _heads(known: dict[str, Route]) -> set[str]:
    """What can be read can be asked for without its body; a stream has none."""
    found = known.get("GET")
    return {HEAD} if found and not found.streams else set()


def _fits(shape: list[str], given: list[str]) -> dict[str, str] | None:
    values: dict[str, str] = {}
    for wanted, told in zip(shape, given, strict=True):
        if wanted.startswith("{"):
            if not told:
                return None
            values[wanted[1:-1]] = told
        elif wanted != told:
            return None
    return values
