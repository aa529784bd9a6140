"""A studio for tests: a small memory with one of everything, and a browser without a browser."""

import re
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.testclient import TestClient

import muniment
from muniment.adapters.gateway.api_keys import Credentials
from muniment.adapters.studio.app import PAGES, app, environment, render
from muniment.adapters.studio.auth import Sessions
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, RenderedPage
from muniment.engine.api.memory import Memory
from muniment.model.policy import preset

TOKEN = "cerulean-heron-41"  # noqa: S105 - of tests only
ADA = "main/agent/ada/actor"
COUNCIL = "main/council//actor"
KEY = "user/profile/user_tuff/favorite_color"
FORM_TOKEN = re.compile(r'name="form_token" value="([0-9a-f]{64})"')


def fill(memory: Memory) -> None:
    """Kept, redacted, refused, granted, waiting, superseded, forgotten, recalled."""
    ada = memory.agent("ada", user="tuff")
    ada.remember("I moved to Lisbon in March")
    ada.remember("Call me at +1 415 555 2671")
    ada.remember("my password is hunter2-vAult-9931")
    colour = ada.remember("Remember my favourite colour is cerulean")
    assert colour.question
    granted = ada.confirm(colour.question.confirmation_id)
    memory.council("grace").approve(granted, reason="they said so")
    memory.council("alan").approve(granted)
    tea = ada.remember("Remember my favourite tea is lapsang")
    assert tea.question
    ada.confirm(tea.question.confirmation_id)
    talk = ada.conversation(session="desk")
    talk.record(user="My timezone is Europe/Berlin", ai="Noted")
    talk.record(user="Correction: my timezone is Europe/Lisbon", ai="Corrected")
    talk.start_phase("launch", "it goes live")
    gone = ada.remember("The gift is a blue kite")
    ada.forget(gone.episodic_id, reason="it is given")
    ada.recall("Where is Lisbon?")
    ada.flush()


def opened(folder: Path | str, *, tenant: str = "main") -> Memory:
    return muniment.open(folder, policy=preset("team"), seed=b"studio", clock=False, tenant=tenant)


@cache
def _filled() -> "TemporaryDirectory[str]":
    """The memory that most studios begin with, told once: seeded, it is the same every time."""
    made = TemporaryDirectory()
    with opened(made.name) as memory:
        fill(memory)
    return made


def studio(
    folder: Path,
    *,
    may_write: bool = False,
    filled: bool = True,
    credentials: Credentials | None = None,
) -> Studio:
    """A studio on a store of its own; its long work opens the same store again."""
    if filled:
        shutil.copytree(_filled().name, folder, dirs_exist_ok=True)
    return Studio(
        lambda: opened(folder),
        Sessions(TOKEN),
        place="./memory",
        may_write=may_write,
        credentials=credentials,
    )


def page(of: Studio, path: str, **query: str) -> str:
    """A page as HTML, as who is signed in would get it."""
    asked = PageRequest(path=path, query=query, who="grace", form_token="0" * 64)
    told = PAGES[path](of, asked)
    assert isinstance(told, RenderedPage)
    return render(environment(), of, asked, told)


class Browser:
    """Signs in, follows forms, and keeps the cookie: what a browser does, without a screen."""

    def __init__(self, of: Studio, name: str = "grace", token: str = TOKEN) -> None:
        self.client = TestClient(app(of), base_url="http://127.0.0.1:7333")
        answer = self.client.post("/sign-in", data={"token": token, "name": name})
        assert answer.status_code == 200, answer.text

    def get(self, path: str, **query: str) -> str:
        answer = self.client.get(path, params=query)
        assert answer.status_code == 200, (answer.status_code, answer.text)
        text: str = answer.text
        return text

    def status(self, path: str, **query: str) -> int:
        found: int = self.client.get(path, params=query).status_code
        return found

    def send(self, path: str, **fields: str) -> tuple[int, str]:
        """Send a form with the token of this session."""
        token = FORM_TOKEN.search(self.get("/council"))
        assert token
        answer = self.client.post(path, data={"form_token": token[1], **fields})
        return answer.status_code, answer.text
