"""A real Chromium and a real studio for all tests; skipped loudly where there is no browser."""

import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright
from tests.studios import TOKEN

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.operations import demo_month
from muniment.adapters.studio.app import app
from muniment.adapters.studio.auth import Sessions
from muniment.adapters.studio.page_context import Studio

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # One process for all pages: each of its own would start, and compile the same scripts anew.
    "--renderer-process-limit=1",
    "--disable-site-isolation-trials",
]
Open = Callable[..., Page]
PHONE = 720  # pixels: whoever has fewer touches


class Watch:
    """What a page did that no page of ours may do."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.strange: list[str] = []

    def follow(self, page: Page) -> None:
        page.on("request", lambda each: self._requested(each.url))
        page.on("dialog", lambda each: self.strange.append(f"dialog {each.message}"))
        page.on("pageerror", lambda each: self.strange.append(f"error {each}"))
        page.on("console", lambda each: self._said(each.type, each.text))
        page.add_init_script(
            "addEventListener('securitypolicyviolation',"
            " event => console.error('csp ' + event.violatedDirective))"
        )

    def _requested(self, url: str) -> None:
        if not url.startswith((self.home, "data:", "blob:")):
            self.strange.append(f"request {url}")

    def _said(self, kind: str, text: str) -> None:
        # That a refusal was answered with its status is no surprise; where it came from would be.
        if kind == "error" and not text.startswith("Failed to load resource"):
            self.strange.append(f"console {text}")


# Not for the whole session: while it is open a loop runs in this thread, and others want their own.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if not CHROMIUM:
        pytest.skip("NO BROWSER: Chromium is not on this machine, so the studio was not looked at")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The month that the demonstration lives, once for all tests; each gets a copy."""
    folder = tmp_path_factory.mktemp("month") / "memory"
    for _ in demo_month.live(folder):
        pass
    return folder


@contextmanager
def serving(folder: Path, *, may_write: bool = True) -> Iterator[tuple[str, Studio]]:
    """A studio on a free port of this machine, until the block ends."""
    settings = Settings(policy=demo_month.policy(), clock=False)
    studio = Studio(
        lambda: open_memory(folder, settings),
        Sessions(TOKEN),
        place="./memory",
        may_write=may_write,
    )
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()  # who comes before the server is ready waits for it
    config = uvicorn.Config(
        app(studio), log_level="error", lifespan="off", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", studio
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
        studio.close()


@pytest.fixture(scope="module")
def looking(lived: Path) -> Iterator[tuple[str, Studio]]:
    """A studio that only reads, shared by all tests that only look."""
    with serving(lived, may_write=False) as served:
        yield served


@pytest.fixture
def deciding(lived: Path, tmp_path: Path) -> Iterator[tuple[str, Studio]]:
    """A studio of its own for a test that decides something."""
    shutil.copytree(lived, tmp_path / "memory")
    with serving(tmp_path / "memory") as served:
        yield served


def window(chromium: Browser, *, width: int, dark: bool) -> BrowserContext:
    return chromium.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        has_touch=width < PHONE,
    )


def sign_in(page: Page, home: str, name: str) -> None:
    page.goto(f"{home}/sign-in")
    page.fill("#token", TOKEN)
    page.fill("#name", name)
    page.click("button")
    page.wait_for_url(f"{home}/")


Windows = dict[tuple[int, bool], list[tuple[Page, Watch]]]


def entered(chromium: Browser, home: str, *, width: int, dark: bool) -> tuple[Page, Watch]:
    """A new page, and what watches it."""
    page, watch = window(chromium, width=width, dark=dark).new_page(), Watch(home)
    watch.follow(page)
    return page, watch


def left(page: Page) -> bool:
    """Nothing of whoever had a page stays in it: nothing kept, no cookie, no way back."""
    page.evaluate("() => { sessionStorage.clear(); localStorage.clear(); }")
    page.goto("about:blank")  # its line to the server ends before the server does
    context = page.context
    context.clear_cookies()
    for other in context.pages:
        if other is not page:
            other.close()
    tools = context.new_cdp_session(page)
    tools.send("Page.resetNavigationHistory")
    tools.detach()
    return True


@pytest.fixture(scope="module")
def free(chromium: Browser) -> Iterator[Windows]:
    """Pages that somebody left, by their width and colours: a new one would begin processes."""
    windows: Windows = {}
    yield windows
    for page, _ in [each for those in windows.values() for each in those]:
        page.context.close()


@pytest.fixture
def come(chromium: Browser, free: Windows) -> Iterator[Open]:
    """Somebody comes in: `come(address, "grace")`; what they met is checked at the end."""
    taken: list[tuple[tuple[int, bool], Page, Watch]] = []

    def made(home: str, name: str = "grace", *, width: int = 1440, dark: bool = False) -> Page:
        windows = free.setdefault((width, dark), [])
        page, watch = windows.pop() if windows else entered(chromium, home, width=width, dark=dark)
        watch.home = home
        taken.append(((width, dark), page, watch))
        page.emulate_media(color_scheme="dark" if dark else "light")
        sign_in(page, home, name)
        return page

    yield made
    strange: list[str] = []
    for kind, page, watch in taken:
        is_fit = False
        with suppress(Error):  # it was closed, or shows that nobody answered
            is_fit = not watch.strange and left(page)
        if is_fit and not watch.strange:
            free[kind].append((page, watch))
        else:
            page.context.close()  # it is good for nobody else
        strange += watch.strange
    assert not strange


@pytest.fixture(scope="module")
def windows(chromium: Browser) -> Iterator[dict[tuple[int, bool], tuple[Page, Watch]]]:
    """Pages that stay open from test to test, by their width and colours, and what watches them."""
    opened: dict[tuple[int, bool], tuple[Page, Watch]] = {}
    yield opened
    for page, _ in opened.values():
        page.context.close()


@pytest.fixture
def look(
    chromium: Browser,
    looking: tuple[str, Studio],
    windows: dict[tuple[int, bool], tuple[Page, Watch]],
) -> Iterator[Open]:
    """The page of somebody who is signed in already and only looks: `look(width, dark)`.

    It goes from place to place, as theirs does: a new one would begin two processes each time.
    """
    home, _ = looking
    looked: list[Watch] = []

    def made(width: int, *, dark: bool) -> Page:
        if (width, dark) not in windows:
            windows[width, dark] = entered(chromium, home, width=width, dark=dark)
            sign_in(windows[width, dark][0], home, "grace")
        page, watch = windows[width, dark]
        page.emulate_media(color_scheme="dark" if dark else "light")
        watch.strange.clear()
        looked.append(watch)
        return page

    yield made
    assert not [each for watch in looked for each in watch.strange]


@pytest.fixture(scope="session")
def shots() -> Path:
    """Where pictures go: beside the documentation when it is being renewed, else out of git."""
    root = Path(__file__).parents[2]
    folder = root / ("docs/studio" if os.getenv("MUNIMENT_GOLDEN") == "1" else "screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
