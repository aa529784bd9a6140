"""A webhook is told each change once, signed, whatever breaks; and never more than it may read."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.receivers import HOST, Receiver, receiving
from tests.service import Running, serving
from tests.terminal import Shell

from muniment.adapters.client.client import Client
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.door_files import open_credentials, open_webhooks
from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import Grant
from muniment.adapters.gateway.gateway import Gateway
from muniment.adapters.webhooks import delivery, public_address, sending, signature
from muniment.adapters.webhooks.delivery import Deliverer
from muniment.adapters.webhooks.public_address import AddressNotAllowedError
from muniment.adapters.webhooks.signature import SignatureError
from muniment.adapters.webhooks.subscribing import ShownWebhook, WebhookDesk
from muniment.engine.evidence.watch import Watched
from muniment.model.errors import NotFoundError
from muniment.model.scope import Channel, Role

HOME = "Where do I live?"
START = 1_790_000_000.0
NOW = "2026-09-21T00:00:00.000Z"


class House:
    """A store with one webhook; `restart` is another process on the same folder."""

    def __init__(self, folder: Path, *, allowed: frozenset[str] = frozenset({HOST})) -> None:
        self.folder = folder
        self.allowed = allowed
        self.seconds = START
        self._open()

    def _open(self) -> None:
        settings = Settings()
        self.memory = open_memory(self.folder, settings)
        self.credentials = open_credentials(self.folder, settings)
        self.book = open_webhooks(self.folder, settings, self.allowed)
        self.gateway = Gateway(
            self.memory,
            self.credentials,
            channel=Channel.HTTP,
            now=lambda: NOW,
            webhooks=self.book,
        )
        self.ada = self.memory.agent("ada", user="tuff")

    def restart(self) -> None:
        self.memory.close()
        self._open()

    def subscribe(self, url: str, *, key: str = "", question: str = HOME) -> ShownWebhook:
        grant = Grant(role=Role.USER, agent="ada", user="tuff")
        visit = self.gateway.admit(key) if key else self.gateway.local(grant)
        desk = visit.call("webhooks", WebhookDesk.of)
        return desk.create(url, Watched(question=question).checked())

    def deliver(self, *, after: float = 0.0) -> dict[str, str]:
        self.seconds += after
        return Deliverer(self.gateway, seconds=lambda: self.seconds).run_once()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    found = House(tmp_path / "memory")
    yield found
    found.memory.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


# ── Exactly once ────────────────────────────────────────────────────────────────────────────────


def test_each_change_is_delivered_once(house: House, receiver: Receiver) -> None:
    made = house.subscribe(receiver.url)
    assert house.deliver() == {}, "nothing is known yet"

    house.ada.remember("I live in Lisbon")
    assert house.deliver() == {made.webhook_id: "ok"}
    assert house.deliver() == {}
    house.ada.remember("I live in Porto now")
    house.deliver()
    house.deliver()

    assert receiver.texts() == [["I live in Lisbon"], ["I live in Porto now"]]
    assert [each["type"] for each in receiver.told] == ["memory.known", "memory.changed"]


def test_what_arrived_but_was_not_acknowledged_comes_again_as_the_same(
    house: House, receiver: Receiver
) -> None:
    house.subscribe(receiver.url)
    house.ada.remember("I live in Lisbon")
    receiver.answers = [0]  # it was taken in, and the line broke before the answer

    house.deliver()
    house.restart()
    assert house.deliver() == {}, "not before its time"
    house.deliver(after=delivery.FIRST_WAIT_SECONDS)

    assert len(receiver.bodies) == 2
    assert receiver.bodies[0] == receiver.bodies[1]
    assert receiver.headers[0]["webhook-id"] == receiver.headers[1]["webhook-id"]
    assert receiver.texts() == [["I live in Lisbon"]]
    house.restart()
    assert house.deliver(after=10_000) == {}, "what was acknowledged stays so after a restart"


def test_whoever_dies_after_sending_sends_the_same_again(house: House, receiver: Receiver) -> None:
    house.subscribe(receiver.url)
    house.ada.remember("I live in Lisbon")
    killed = Deliverer(house.gateway, seconds=lambda: house.seconds)
    (webhook_id,) = house.book.known()
    parcel = killed._packed(webhook_id)  # noted, and sent, and then the power went out
    assert parcel is not None
    assert killed._send(parcel) == "ok"
    house.restart()

    assert house.deliver() == {}, "while it is claimed nobody else sends it"
    house.deliver(after=delivery.CLAIM_SECONDS)

    assert receiver.bodies[0] == receiver.bodies[1]
    assert receiver.texts() == [["I live in Lisbon"]]


def test_a_change_meanwhile_takes_the_place_of_what_was_not_acknowledged(
    house: House, receiver: Receiver
) -> None:
    house.subscribe(receiver.url)
    kept = house.ada.remember("I live in Lisbon")
    receiver.answers = [0]
    house.deliver()

    house.ada.forget(kept.episodic_id)
    house.deliver(after=delivery.FIRST_WAIT_SECONDS)

    assert receiver.texts() == [["I live in Lisbon"], []]
    assert receiver.told[-1]["type"] == "memory.ended"
    assert len({each["id"] for each in receiver.told}) == 2


def test_what_comes_back_to_what_was_acknowledged_is_told_again(
    house: House, receiver: Receiver
) -> None:
    house.subscribe(receiver.url)
    house.ada.remember("I live in Lisbon")
    house.deliver()
    receiver.answers = [0]
    moved = house.ada.remember("I live in Porto now")
    house.deliver()  # it may have arrived

    house.ada.forget(moved.episodic_id)
    house.deliver(after=delivery.FIRST_WAIT_SECONDS)

    assert receiver.texts() == [["I live in Lisbon"], ["I live in Porto now"], ["I live in Lisbon"]]


def test_two_processes_do_not_send_the_same(house: House, receiver: Receiver) -> None:
    house.subscribe(receiver.url)
    house.ada.remember("I live in Lisbon")
    one, other = (Deliverer(house.gateway, seconds=lambda: house.seconds) for _ in range(2))
    (webhook_id,) = house.book.known()

    assert one._packed(webhook_id) is not None
    assert other._packed(webhook_id) is None


# ── Failures have an end ────────────────────────────────────────────────────────────────────────


def test_waits_double_and_what_never_arrives_is_given_up_and_shown(
    house: House, receiver: Receiver
) -> None:
    made = house.subscribe(receiver.url)
    house.ada.remember("I live in Lisbon")
    receiver.answers = [500] * delivery.ATTEMPTS_MAX
    waits: list[float] = []
    for _ in range(delivery.ATTEMPTS_MAX):
        house.deliver()
        waits.append(house.book.known()[made.webhook_id].due - house.seconds)
        house.seconds += waits[-1]

    assert waits == [min(10.0 * 2**n, 3_600.0) for n in range(delivery.ATTEMPTS_MAX)]
    (dead,) = house.book.known()[made.webhook_id].dead
    assert (dead.attempts, dead.outcome) == (delivery.ATTEMPTS_MAX, "it answered 500")
    assert house.deliver() == {}, "it is given up"
    house.memory.close()
    shell = Shell("--store", str(house.folder), "--agent", "ada", "--user", "tuff")
    found = [each for each in shell.listed("findings", "doctor") if each["what"] == "webhooks"]
    assert [(each["state"], each["code"]) for each in found] == [("warn", "WEBHOOKS_GIVEN_UP")]
    assert shell("webhooks", "retry", made.webhook_id).exit_code == 0
    house._open()
    assert house.deliver() == {made.webhook_id: "ok"}
    assert receiver.texts()[-1] == ["I live in Lisbon"]


def test_later_changes_reach_a_receiver_that_came_back(house: House, receiver: Receiver) -> None:
    house.subscribe(receiver.url)
    house.ada.remember("I live in Lisbon")
    receiver.answers = [500] * delivery.ATTEMPTS_MAX
    for _ in range(delivery.ATTEMPTS_MAX):
        house.deliver(after=delivery.WAIT_SECONDS_MAX)

    house.ada.remember("I live in Porto now")
    house.deliver(after=delivery.WAIT_SECONDS_MAX)

    assert receiver.texts()[-1] == ["I live in Porto now"]


def test_a_receiver_that_never_answers_costs_ten_seconds_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sending, "WHOLE_SECONDS", 0.3)
    with socket.create_server((HOST, 0)) as silent:
        url = f"http://{HOST}:{silent.getsockname()[1]}/"
        assert sending.post(url, b"{}", {}, {HOST}) == "no answer in time"


def test_a_redirect_is_not_followed(house: House, receiver: Receiver) -> None:
    made = house.subscribe(receiver.url)
    house.ada.remember("I live in Lisbon")
    receiver.answers = [302]

    assert house.deliver() == {made.webhook_id: "it answered 302"}
    assert len(receiver.bodies) == 1


# ── Who may be told what ────────────────────────────────────────────────────────────────────────


def test_an_erasure_is_the_last_thing_that_is_told(house: House, receiver: Receiver) -> None:
    house.subscribe(receiver.url)
    house.ada.remember("I live in Lisbon")
    receiver.answers = [200, 503]
    house.deliver()
    eraser = house.memory.eraser()
    request = eraser.request("tuff", reason="he asked for it")
    house.memory.council().approve(request)
    eraser.carry_out(request)

    house.deliver()
    house.deliver(after=delivery.FIRST_WAIT_SECONDS)

    assert receiver.texts() == [["I live in Lisbon"], []]
    assert house.book.known() == {}, "and then nothing is left of it"


def test_a_revoked_key_takes_its_webhooks_along(house: House, receiver: Receiver) -> None:
    grant = Grant(role=Role.USER, agent="ada", user="tuff")
    key, made = api_keys.issue(house.credentials, grant, now=NOW)
    house.ada.remember("I live in Lisbon")
    house.subscribe(receiver.url, key=key)
    house.deliver()

    api_keys.revoke(house.credentials, made.key_id, now=NOW)
    house.ada.remember("I live in Porto now")
    house.deliver()

    assert receiver.texts() == [["I live in Lisbon"], []]
    assert house.deliver() == {}


def test_the_file_beside_the_store_names_nobody(house: House, receiver: Receiver) -> None:
    made = house.subscribe(receiver.url, question="Where does Ottilie live?")
    house.ada.remember("Ottilie lives in Lisbon")
    house.deliver()

    found = (house.folder / "webhooks.json").read_bytes()
    for word in ("Ottilie", "Lisbon", "tuff", receiver.url, made.secret, made.secret[6:]):
        assert word.encode() not in found
    assert (house.folder / "webhooks.json").stat().st_mode & 0o077 == 0


def test_nobody_sees_or_ends_the_webhook_of_somebody_else() -> None:
    with serving() as service:
        tuff = _subscribed(service, "tuff")
        mona = service.user(user="mona")

        assert mona.get("/v1/webhooks") == []
        assert mona.send("DELETE", f"/v1/webhooks/{tuff.webhook_id}").status_code == 404
        mona.post(f"/v1/webhooks/{tuff.webhook_id}/retry", status=404)
        with Client(service.url, key=service.user().key) as again:
            assert [each.webhook_id for each in again.webhooks()] == [tuff.webhook_id]
            assert again.webhooks()[0].secret == ""
            assert again.delete_webhook(tuff.webhook_id).webhook_id == tuff.webhook_id
            with pytest.raises(NotFoundError):
                again.delete_webhook(tuff.webhook_id)


def _subscribed(service: Running, user: str) -> ShownWebhook:
    with Client(service.url, key=service.user(user=user).key) as client:
        return client.create_webhook("https://example.com/hook", question=HOME)


# ── Where it may go ─────────────────────────────────────────────────────────────────────────────

PRIVATE = (
    "http://example.com/",
    "ftp://example.com/",
    "https://127.0.0.1/",
    "https://10.0.0.8/",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[64:ff9b::a00:1]/",
    "https://[64:ff9b:1::a00:1]/",
    "https://[::10.0.0.1]/",
    "https://[fec0::1]/",
    "https://[2002:a00:1::]/",
    "https://[fe80::1]/",
    "https://0.0.0.0/",
    "https://224.0.0.1/",
    "https://user:word@example.com/",
    "https:///nowhere",
    "https://example.com:x/",
    "https://exa mple.com/",
)


@pytest.mark.parametrize("url", PRIVATE)
def test_an_address_inside_is_refused_when_it_is_named(url: str) -> None:
    with pytest.raises(AddressNotAllowedError):
        public_address.checked(url, frozenset())


@pytest.mark.parametrize("name", ["localhost", "ip6-localhost"])
def test_a_name_that_leads_inside_is_refused_when_it_is_called(name: str) -> None:
    url = public_address.checked(f"https://{name}/", frozenset())

    with pytest.raises((AddressNotAllowedError, ConnectionError)):
        public_address.resolved(url, frozenset())


def test_nothing_is_sent_inside_unless_the_operator_allows_it(
    house: House, receiver: Receiver
) -> None:
    made = house.subscribe(receiver.url)
    house.ada.remember("I live in Lisbon")
    house.allowed = frozenset()
    house.restart()

    assert house.deliver()[made.webhook_id] == "a URL must begin with https://"
    assert receiver.bodies == []


def test_over_http_a_private_address_has_its_own_code() -> None:
    with serving() as service:
        asked = {"url": "https://10.0.0.8/", "question": HOME}
        answer = service.user().post("/v1/webhooks", asked, status=403)
        assert answer["error_code"] == "ADDRESS_NOT_ALLOWED"


# ── Signed ──────────────────────────────────────────────────────────────────────────────────────


def test_a_receiver_knows_whom_it_is_from_and_that_it_is_fresh(
    house: House, receiver: Receiver
) -> None:
    made = house.subscribe(receiver.url)
    house.ada.remember("I live in Lisbon")
    house.deliver()
    headers, body = receiver.headers[0], receiver.bodies[0]

    assert signature.verify(made.secret, headers, body, now=START) == body
    other = {**headers, "webhook-id": "wh_0"}
    for wrong in (
        (signature.new_secret(), headers, body, START),
        (made.secret, headers, body + b" ", START),
        (made.secret, other, body, START),
        (made.secret, headers, body, START + 301),
        (made.secret, {}, body, START),
    ):
        with pytest.raises(SignatureError):
            signature.verify(*wrong[:3], now=wrong[3])


def test_the_signature_is_that_of_the_standard() -> None:
    """The example of the Standard Webhooks specification's own libraries."""
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105 - known to everybody
    body = b'{"test": 2432232314}'
    made = signature.signed(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", body, at=1614265330)

    assert made["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


# ── In the terminal ─────────────────────────────────────────────────────────────────────────────


def test_the_terminal_makes_delivers_and_ends_a_webhook(tmp_path: Path, receiver: Receiver) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--agent", "ada", "--user", "tuff")
    shell("remember", "I live in Lisbon")
    refused = shell("webhooks", "create", receiver.url, "--question", HOME)
    assert refused.exit_code != 0
    made = shell.document(
        "webhooks", "create", receiver.url, "--question", HOME, "--webhook-host", HOST
    )
    told = shell.document("webhooks", "deliver", "--webhook-host", HOST)

    assert told == {"delivered": {made["webhook_id"]: "ok"}}
    assert receiver.texts() == [["I live in Lisbon"]]
    body, headers = receiver.bodies[0], receiver.headers[0]
    assert signature.verify(str(made["secret"]), headers, body) == body
    assert shell("webhooks", "delete", str(made["webhook_id"])).exit_code == 0
    assert shell.listed("webhooks", "webhooks") == []


def test_the_terminal_watches(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    shell("remember", "I live in Lisbon")
    change = shell.document("watch", "--question", HOME, "--once")["change"]
    assert isinstance(change, dict)
    assert change["change"] == "known"
    again = shell.document("watch", "--question", HOME, "--after", change["cursor"], "--once")
    assert again == {"change": None}
