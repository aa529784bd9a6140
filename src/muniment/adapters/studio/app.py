"""Studio application: routes, sign-in, forms and errors."""

from contextlib import nullcontext
from functools import cache
from importlib.resources import files
from typing import Final
from urllib.parse import parse_qsl, urlsplit

import jinja2
import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

import muniment
from muniment.adapters.gateway import allowed_origins, rate_limits
from muniment.adapters.gateway.errors import UnauthorizedError
from muniment.adapters.operations import door_metrics
from muniment.adapters.rendering.plain_text import visible
from muniment.adapters.rendering.refusal_texts import because
from muniment.adapters.studio import live, page_header, page_permissions, page_request
from muniment.adapters.studio.auth import COOKIE, Counted, Guard, Session, is_genuine
from muniment.adapters.studio.known import wording
from muniment.adapters.studio.page_context import Studio, Visitor
from muniment.adapters.studio.page_request import Handed, Page, PageRequest, Redirect, RenderedPage
from muniment.adapters.studio.pages import (
    changes,
    council,
    entity_map,
    item,
    life,
    memories,
    people,
    person,
    recall_lab,
    search,
    talks,
)
from muniment.adapters.studio.pages.audit import (
    diff,
    entry,
    overview,
    privacy,
    proof,
    signatures,
    timeline,
)
from muniment.adapters.studio.pages.evidence import branches, retention, rollback, what_if
from muniment.model import scope
from muniment.model.errors import InputError, MunimentError, NotFoundError, RefusedError

FORM_BYTES_MAX: Final = 64 * 1024
PATH_CHARACTERS_MAX: Final = 80  # of an address that is told back
PAGES: Final[dict[str, Page]] = {
    "/": people.page,
    "/person": person.page,
    "/told": person.told,
    "/memories": memories.page,
    "/forget": changes.preview,
    "/forgotten": changes.forgotten,
    "/search": search.page,
    "/talks": talks.page,
    "/talk": talks.talk,
    "/given": talks.given,
    "/life": life.page,
    "/map": entity_map.page,
    "/moment": life.moment,
    "/logs": overview.page,
    "/counts": overview.counts,
    "/waiting": overview.waiting,
    "/failures": overview.failures,
    "/apart": overview.apart,
    "/log": timeline.page,
    "/entry": entry.page,
    "/item": item.page,
    "/lab": recall_lab.page,
    "/why-not": recall_lab.why_not,
    "/council": council.page,
    "/request": council.request,
    "/diff": diff.page,
    "/phases": diff.phases,
    "/beside": diff.beside,
    "/privacy": privacy.page,
    "/retention": retention.page,
    "/branches": branches.page,
    "/branch": branches.branch,
    "/rollback": rollback.page,
    "/what-if": what_if.page,
    "/prove": proof.page,
    "/work": proof.progress,
    "/signed": signatures.page,
    "/head": signatures.head,
    "/verifier": signatures.program,
}
FORMS: Final[dict[str, Page]] = {
    "/vote": council.vote,
    "/vouch": changes.vouch,
    "/correct": changes.correct,
    "/forget": changes.forget,
    "/restore": changes.restore,
    "/answer": changes.answer,
    "/undo": diff.undo,
    "/passport": privacy.passport,
    "/erase": privacy.ask,
    "/destroy": privacy.carry_out,
    "/due": retention.carry_out,
    "/hold": retention.hold,
    "/lift": retention.lift,
    "/branches": branches.start,
    "/branch": branches.end,
    "/rollback": rollback.take_back,
    "/rollback-undo": rollback.undo,
    "/what-if": what_if.tried,
    "/prove": proof.start,
    "/certify": signatures.certify,
    "/bundle": signatures.bundle,
}
FILES: Final = frozenset(
    {"/certify", "/bundle", "/what-if"}
)  # read a whole log, and decide nothing
LIVE: Final = "x-live"  # sent by a list that grows while it is looked at
KINDS: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
# What the browser may fetch besides pages; everything is in the package, nothing comes from afar.
STATIC: Final = ("htmx.min.js", "uPlot.iife.min.js", "uPlot.min.css", "studio.css", "studio.js")


def app(studio: Studio) -> Starlette:
    """The studio as an application; it serves this machine and nobody else."""
    desk = PageDispatcher(studio)
    routes = [
        *(Route(path, desk.shown, methods=["GET"]) for path in PAGES),
        *(Route(path, desk.sent, methods=["POST"]) for path in FORMS),
        Route("/live", desk.live, methods=["GET"]),
        Route(door_metrics.PATH, desk.metrics, methods=["GET"]),
        Route("/sign-in", desk.sign_in, methods=["GET", "POST"]),
        Route("/sign-out", desk.sign_out, methods=["POST"]),
        *(Route(f"/static/{name}", _static, methods=["GET"]) for name in STATIC),
        Route("/favicon.ico", _no_icon, methods=["GET"]),
    ]
    return Starlette(
        routes=routes,
        middleware=[
            Middleware(Counted, metrics=studio.metrics),
            Middleware(Guard, places=allowed_origins.on_this_machine()),
        ],
        exception_handlers={HTTPException: desk.no_page},
    )


class PageDispatcher:
    """Takes every request: who is it, which page, and what they get to see."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._templates = environment()

    async def shown(self, request: Request) -> Response:
        # A list that grows by itself is no visit: whoever left their desk is signed out.
        visits = LIVE not in request.headers
        session = self._studio.sessions.find(request.cookies.get(COOKIE, ""), visits=visits)
        if session is None:
            return self._form(back=_place(request))
        return await self._answer(PAGES[request.url.path], _asked(request, session))

    async def live(self, request: Request) -> Response:
        """What is new, for who sees what people said; to wait for it is no visit of a page."""
        session = self._studio.sessions.find(request.cookies.get(COOKIE, ""), visits=False)
        if session is None or session.key:
            return Response(status_code=403)
        return live.stream(self._studio, _asked(request, session), request)

    async def metrics(self, request: Request) -> Response:
        """Counts without content, for who is signed in or shows a key that may read them."""
        shown = rate_limits.token(request.headers.get("authorization", ""))
        session = self._studio.sessions.find(request.cookies.get(COOKIE, ""), visits=False)
        if not shown and session is None:
            return Response(status_code=401, headers={"WWW-Authenticate": "Bearer"})
        key = shown or (session.key if session else "")
        try:
            page = await run_in_threadpool(self._studio.metrics_page, Visitor(key=key))
        except MunimentError as error:
            return Response(error.code, status_code=error.status, media_type="text/plain")
        return Response(page, media_type=door_metrics.TEXT)

    async def sent(self, request: Request) -> Response:
        session = self._studio.sessions.find(request.cookies.get(COOKIE, ""))
        if session is None:
            return self._form()
        form = await _fields(request)
        if not is_genuine(session, request, form.get("form_token", "")):
            told = InputError("this form was not sent from its page")
            return self._problem(told, 403, _asked(request, session))
        return await self._answer(FORMS[request.url.path], _asked(request, session, form))

    async def no_page(self, request: Request, error: Exception) -> Response:
        """An address that is none of ours, or asked in a way that it is not."""
        del error
        told = NotFoundError(f"There is no page {visible(request.url.path[:PATH_CHARACTERS_MAX])}.")
        session = self._studio.sessions.find(request.cookies.get(COOKIE, ""))
        asked = _asked(request, session) if session else None
        return await run_in_threadpool(self._problem, told, told.status, asked)

    async def sign_in(self, request: Request) -> Response:
        """The token comes in the address that the terminal printed, or is typed into the form."""
        given = dict(request.query_params) if request.method == "GET" else await _fields(request)
        if not given:
            return self._form(status=200)
        try:
            name = scope.name(given.get("name", "") or "owner", "name")
        except InputError as error:
            return self._form(error.detail, back=given.get("back", ""))
        cookie = self._studio.sign_in(given.get("token", ""), name)
        if not cookie:
            told = "That is neither the token of this start nor a key for it."
            return self._form(told, back=given.get("back", ""))
        # Whoever came to the bare address named no page: their role has a first one.
        back = given.get("back", "")
        where = back if back != "/" and _is_page(back) else self._home_of(cookie)
        response = RedirectResponse(where, status_code=303)
        response.set_cookie(COOKIE, cookie, httponly=True, samesite="strict", path="/")
        return response

    def _home(self, asked: Visitor) -> str:
        """The first page that whoever signed in may see."""
        try:
            return page_permissions.home(self._studio.may(asked))
        except UnauthorizedError:  # their key has ended meanwhile
            return "/"

    def _home_of(self, cookie: str) -> str:
        session = self._studio.sessions.find(cookie)
        return self._home(Visitor(key=session.key if session else ""))

    async def sign_out(self, request: Request) -> Response:
        self._studio.sessions.sign_out(request.cookies.get(COOKIE, ""))
        response = RedirectResponse("/sign-in", status_code=303)
        response.delete_cookie(COOKIE)
        return response

    async def _answer(self, page: Page, asked: PageRequest) -> Response:
        try:
            return await run_in_threadpool(self._work, page, asked)
        except MunimentError as error:
            return await run_in_threadpool(self._problem, error, error.status, asked)

    def _work(self, page: Page, asked: PageRequest) -> Response:
        """Whoever looks waits for nobody; whoever decides takes their turn."""
        studio = self._studio
        studio.permit(asked, *page_permissions.verbs(asked.path))
        decides = page is FORMS.get(asked.path) and asked.path not in FILES
        with studio.deciding if decides else nullcontext():
            told = page(studio, asked)
        if isinstance(told, Handed):
            return _file(told)
        if isinstance(told, Redirect):
            return RedirectResponse(told.where, status_code=303)
        text = render(self._templates, studio, asked, told)
        return HTMLResponse(text, status_code=told.status)

    def _problem(self, error: MunimentError, status: int, asked: PageRequest | None) -> Response:
        """What went wrong, inside the house for who is signed in: from there one can go on."""
        told = {"code": error.code, "detail": _said(error)}
        try:
            if asked:
                shown = RenderedPage(template="problem.html", values=dict(told))
                nowhere = msgspec.structs.replace(asked, path="", query={})
                text = render(self._templates, self._studio, nowhere, shown)
                return HTMLResponse(text, status_code=status)
        except MunimentError:
            pass  # their key has ended, or the store cannot be read: the plain page says it
        text = self._templates.get_template("stranger.html").render(told)
        return HTMLResponse(text, status_code=status)

    def _form(self, told: str = "", status: int = 401, *, back: str = "") -> Response:
        """The form; who was on a page comes back to it, and a part of one asks for the whole."""
        page = self._templates.get_template("sign_in.html")
        text = page.render(told=told, back=back if _is_page(back) else "")
        return HTMLResponse(text, status_code=status, headers={"hx-refresh": "true"})


@cache
def environment() -> jinja2.Environment:
    """Templates in which every value is text: nothing that was remembered can become markup.

    One for all studios of a process, because compiling its templates takes a tenth of a second.
    """
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("muniment.adapters.studio"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"visible": visible, "shortened": page_request.shortened}
    made.filters |= {"percent": wording.percent, "day": wording.day, "minute": wording.minute}
    made.filters |= {"named": wording.named, "log_name": wording.log_name, "layer": wording.layer}
    made.filters |= {"redaction": wording.redaction, "shown_day": wording.shown_day}
    made.filters |= {"field_name": wording.field_name}
    made.filters |= {"tag": wording.tag, "unredacted": wording.unredacted}
    made.filters |= {"attribute": wording.attribute, "because": wording.reason}
    made.globals |= {"link": page_request.link, "version": muniment.__version__}
    return made


def render(
    templates: jinja2.Environment, studio: Studio, asked: PageRequest, shown: RenderedPage
) -> str:
    """A page as HTML; a fragment is shown without the house around it."""
    return templates.get_template(shown.template).render(
        asked=asked,
        place=studio.place,
        may_write=studio.may_write,
        header=page_header.header(studio, asked),
        **shown.values,
    )


def _file(handed: Handed) -> Response:
    saved = {"content-disposition": f'attachment; filename="{handed.name}"'}
    return StreamingResponse(iter(handed.data), media_type="text/plain", headers=saved)


def _said(error: MunimentError) -> str:
    """What went wrong, for a person: a refusal that only names an id by what its reason means."""
    if isinstance(error, RefusedError) and error.sentence != RefusedError.sentence:
        return error.sentence
    if isinstance(error, RefusedError) and " " not in error.detail:
        return because(error.reason)
    return error.detail or error.sentence


def _asked(request: Request, session: Session, form: dict[str, str] | None = None) -> PageRequest:
    return PageRequest(
        path=request.url.path,
        query=dict(request.query_params),
        form=form or {},
        who=session.name,
        key=session.key,
        form_token=session.form_token,
        is_fragment="hx-request" in request.headers,
    )


def _place(request: Request) -> str:
    return f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path


def _is_page(where: str) -> bool:
    """Whether an address is one of a whole page of ours, and nothing of anybody else's."""
    return urlsplit(where).path in PAGES and where.startswith(tuple(PAGES)) and where[1:2] != "/"


async def _fields(request: Request) -> dict[str, str]:
    """The fields of a small form; anything else is no form of ours."""
    size = request.headers.get("content-length", "")
    if not size.isdigit() or int(size) > FORM_BYTES_MAX:
        return {}
    try:
        pairs = parse_qsl((await request.body()).decode(), keep_blank_values=True)
    except UnicodeDecodeError:
        return {}
    return dict(pairs)


def _static(request: Request) -> Response:
    name = request.url.path.rpartition("/")[2]
    data = files("muniment.adapters.studio").joinpath("static", name).read_bytes()
    kind = KINDS[f".{name.rpartition('.')[2]}"]
    return Response(data, media_type=kind)


def _no_icon(request: Request) -> Response:
    del request
    return Response(status_code=204)
