"""The gateway by hand: whose view a credential opens, what hands it has, and what it refuses."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from threading import Thread

import msgspec
import pytest
from tests import world
from tests.world import SteppingClock

from muniment.adapters.gateway import api_keys as keyring
from muniment.adapters.gateway import gateway as gateways
from muniment.adapters.gateway import named_headers, views
from muniment.adapters.gateway.api_keys import ANY, Grant, Key, MemoryCredentials
from muniment.adapters.gateway.errors import BusyError, UnauthorizedError
from muniment.adapters.gateway.gateway import Gateway, Hands, Visit
from muniment.adapters.gateway.views import View
from muniment.adapters.storage.folder.webhook_file import MemoryWebhooks, NoWebhooks
from muniment.engine import lazy_views
from muniment.model.errors import (
    InputError,
    MunimentError,
    NotFoundError,
    PermissionDeniedError,
    RefusedError,
    StorageFullError,
)
from muniment.model.lru_cache import LruCache
from muniment.model.scope import Channel, Persona, Role

NOW = "2026-02-04T15:50:00.000Z"
USER = Grant(role=Role.USER, agent="ada", user="tuff")
FOR_ANY = Grant(role=Role.AGENT, agent="ada", user=ANY)
OFFICES = {role: Grant(role=role, who="bea") for role in (Role.ADMIN, Role.COUNCIL, Role.AUDITOR)}


@pytest.fixture
def gateway() -> Iterator[Gateway]:
    memory = world.memory(clock=SteppingClock())
    with closing(
        Gateway(memory, MemoryCredentials(), channel=Channel.HTTP, now=lambda: NOW)
    ) as its:
        yield its


def grant(role: Role) -> Grant:
    return OFFICES.get(role) or Grant(role=role, agent="ada", user="tuff")


def hands(gateway: Gateway, role: Role, verb: str = "") -> Hands:
    visit = gateway.local(grant(role))
    return visit.hands(verb) if verb else Hands(visit, ExitStack(), "")


def issued(gateway: Gateway, of: Grant, **given: str) -> tuple[str, Key]:
    return keyring.issue(gateway.credentials, of, now=NOW, **given)  # type: ignore[arg-type]


# ── Who comes ───────────────────────────────────────────────────────────────────────────────────


def test_a_key_opens_a_visit_that_knows_it_and_no_other_key_does(gateway: Gateway) -> None:
    text, key = issued(gateway, USER)

    visit = gateway.admit(text)

    assert (visit.grant, visit.key_id, visit.shown) == (key.grant, key.key_id, text)
    assert visit.who == (key.grant.tenant, "ada")
    assert gateway.in_force(key.key_id) == key
    assert gateway.in_force("other") is None
    with pytest.raises(UnauthorizedError):
        gateway.admit("mk_other")


def test_a_key_that_has_ended_by_the_clock_of_the_gateway_opens_nothing() -> None:
    now = [NOW]
    gateway = Gateway(world.memory(), MemoryCredentials(), channel=Channel.HTTP, now=lambda: now[0])
    text, key = keyring.issue(gateway.credentials, USER, now=NOW, days=1)
    gateway.admit(text)

    now[0] = "2026-02-06T15:50:00.000Z"

    assert gateway.in_force(key.key_id) is None
    with pytest.raises(UnauthorizedError):
        gateway.admit(text)


def test_a_visit_without_a_key_has_none_and_is_checked(gateway: Gateway) -> None:
    visit = gateway.local(USER)

    assert (visit.grant, visit.key_id, visit.shown) == (keyring.checked(USER), "", "")
    with pytest.raises(InputError):
        gateway.local(Grant(role=Role.USER))


def test_a_key_for_any_user_speaks_for_one_who_is_named(gateway: Gateway) -> None:
    text, key = issued(gateway, FOR_ANY)
    visit = gateway.admit(text)

    for_mia = visit.speaking_for("mia")

    assert (for_mia.grant.user, for_mia.key_id, for_mia.shown) == ("mia", key.key_id, text)
    assert for_mia.reception is gateway
    assert visit.speaking_for("") is visit
    with pytest.raises(InputError, match="user"):
        visit.speaking_for("\x00")
    with pytest.raises(InputError, match="a key for any user needs the header Muniment-User"):
        visit.call("recall", lambda its: its.agent)


def test_a_key_for_one_user_speaks_for_nobody_else(gateway: Gateway) -> None:
    visit = gateway.local(USER)

    assert visit.speaking_for("tuff") is visit
    assert visit.speaking_for("") is visit
    with pytest.raises(PermissionDeniedError, match=r"^this key does not speak for that user$"):
        visit.speaking_for("mia")


def test_hands_for_one_user_are_those_of_the_visit_for_that_user(gateway: Gateway) -> None:
    visit = gateway.local(FOR_ANY)

    def work(its: Hands) -> tuple[str, str]:
        mia = its.speaking_for("mia")
        told = mia.agent.remember("The boat is blue")
        return mia.grant.user, told.episodic_id

    first, again = visit.call("remember", work, key="k"), visit.call("remember", work, key="k")

    assert first == again
    assert first[0] == "mia"


# ── Whose views ─────────────────────────────────────────────────────────────────────────────────


def test_keys_of_one_speaker_share_a_view_and_others_do_not(gateway: Gateway) -> None:
    mine = gateway.agent(USER)

    assert gateway.agent(msgspec.structs.replace(USER, projects=("p",))) is mine
    for other in ({"user": "mia"}, {"agent": "bob"}, {"tenant": "other"}):
        assert gateway.agent(msgspec.structs.replace(USER, **other)) is not mine
    assert gateway.agent(USER) is mine


def test_a_tenant_is_opened_once_and_through_the_channel_of_the_gateway(gateway: Gateway) -> None:
    assert gateway.tenant("other") is gateway.tenant("other")
    assert gateway.tenant("other") is not gateway.tenant("third")
    assert hands(gateway, Role.USER).channel is Channel.HTTP


def test_the_view_that_was_unused_longest_logs_its_receipts_and_goes(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = LruCache[View, lazy_views.Agent](1, may_leave=gateway._is_idle)
    monkeypatch.setattr(gateway, "_agents", small)
    mine = gateway.agent(USER)
    mine.remember("The boat is blue")
    mine.recall("boat")
    assert "memory_recall" not in world.types(gateway.tenant(USER.tenant))

    gateway.agent(msgspec.structs.replace(USER, user="mia"))

    assert "memory_recall" in world.types(gateway.tenant(USER.tenant))
    assert gateway.agent(USER) is not mine


def test_a_view_whose_receipts_cannot_be_logged_keeps_nobody_else_out(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = LruCache[View, lazy_views.Agent](1)
    monkeypatch.setattr(gateway, "_agents", small)
    gateway.agent(USER)

    def full(_: object) -> None:
        raise StorageFullError

    monkeypatch.setattr(gateway.tenant(USER.tenant), "let_go", full)

    assert gateway.agent(msgspec.structs.replace(USER, user="mia")).seq >= 0


def test_a_view_that_is_in_use_is_kept_at_hand(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateways, "AGENTS_MAX", 1)
    small = Gateway(gateway.memory, gateway.credentials, channel=Channel.HTTP)
    mine, tenant = small.agent(USER), USER.tenant
    other = msgspec.structs.replace(USER, agent="bob")

    def come() -> None:
        small.agent(other)

    with small.call_locks.held((tenant, "ada")), small.call_locks.held((tenant, "bob")):
        coming = Thread(target=come)
        coming.start()
        coming.join()
        assert small.agent(USER) is mine


def test_a_view_that_is_being_used_does_not_go(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = views.view(USER)
    tenant, agent, *_ = key
    free: list[bool] = []
    with gateway.call_locks.held((tenant, agent)):
        other = Thread(target=lambda: free.append(gateway._is_idle(key, None)))  # type: ignore[arg-type]
        other.start()
        other.join()

    assert free == [False]
    assert gateway._is_idle(key, gateway.agent(USER))


def test_what_was_read_is_logged_when_the_gateway_closes(gateway: Gateway) -> None:
    mine = gateway.agent(USER)
    mine.remember("The boat is blue")
    mine.recall("boat")

    gateway.close()

    kinds = [line.header.type for line in gateway.agent(USER).get_range()]
    assert "memory_recall" in kinds
    assert gateway.agent(USER) is not mine


def test_a_watch_remembers_what_it_has_read(gateway: Gateway) -> None:
    watched = lazy_views.Watched(question="boat")

    one = gateway.watch(USER, watched)

    assert gateway.watch(USER, watched) is one
    assert gateway.watch(msgspec.structs.replace(USER, user="mia"), watched) is not one


def test_a_branch_has_views_of_its_own_and_no_webhooks(gateway: Gateway) -> None:
    gateway.memory.branches().open("trial")
    tenant = keyring.checked(USER).tenant

    branch = gateway.on_branch(tenant, "trial")

    assert gateway.on_branch(tenant, "trial") is branch
    assert isinstance(branch.webhooks, NoWebhooks)
    assert isinstance(gateway.webhooks, MemoryWebhooks)
    assert branch.credentials is gateway.credentials
    assert (branch.channel, branch.now()) == (Channel.HTTP, NOW)
    assert branch.agent(USER) is not gateway.agent(USER)
    visit = gateway.local(USER)
    there = visit.on_branch("trial")
    assert (there.reception, there.grant, there.key_id) == (branch, visit.grant, "")
    text, key = issued(gateway, USER)
    keyed = gateway.admit(text).on_branch("trial")
    assert (keyed.key_id, keyed.shown) == (key.key_id, text)


def test_what_takes_long_ends_where_the_gateway_is_ending(gateway: Gateway) -> None:
    gateway.go_on("any", 1, 2)
    assert not gateway.ending

    gateway.ending = True

    with pytest.raises(BusyError) as refused:
        gateway.go_on()
    assert refused.value.detail == "the service is closing"


# ── What hands may do ───────────────────────────────────────────────────────────────────────────

PLACES: dict[str, tuple[Callable[[Hands], object], frozenset[Role]]] = {
    "agent": (lambda its: its.agent, frozenset({Role.AGENT, Role.USER})),
    "council": (lambda its: its.council, frozenset({Role.COUNCIL})),
    "admin": (lambda its: its.admin, frozenset({Role.ADMIN})),
    "auditor": (lambda its: its.auditor, frozenset({Role.ADMIN, Role.AUDITOR})),
    "notary": (lambda its: its.notary, frozenset({Role.ADMIN, Role.AUDITOR})),
    "administered": (lambda its: its.administered, frozenset({Role.ADMIN})),
    "identities": (lambda its: its.identities, frozenset({Role.ADMIN})),
    "eraser": (lambda its: its.eraser, frozenset({Role.ADMIN, Role.USER})),
    "requests": (lambda its: its.requests(), frozenset({Role.COUNCIL, Role.ADMIN})),
    "known_keys": (lambda its: its.known_keys(), frozenset({Role.ADMIN})),
    "stream": (
        lambda its: its.stream(its.memory.streams()[0].text),
        frozenset({Role.ADMIN, Role.AUDITOR}),
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_each_role_has_its_own_hands_and_no_others(gateway: Gateway, place: str) -> None:
    reach, roles = PLACES[place]
    gateway.agent(USER).remember("The boat is blue")

    for role in set(Role) - {Role.ENGINE}:
        if role in roles:
            assert reach(hands(gateway, role)) is not None
            continue
        with pytest.raises(PermissionDeniedError, match=r"^this key has another role$"):
            reach(hands(gateway, role))


@pytest.mark.parametrize("verb", ["erase", "issue", "revoke", "request"])
def test_what_an_office_does_is_refused_to_a_user_before_it_is_looked_at(
    gateway: Gateway, verb: str
) -> None:
    mine = hands(gateway, Role.USER)
    tries: dict[str, Callable[[], object]] = {
        "erase": lambda: mine.erase("x"),
        "issue": lambda: mine.issue(USER, label="", days=0),
        "revoke": lambda: mine.revoke("x"),
        "request": lambda: mine.request("x"),
    }

    with pytest.raises(PermissionDeniedError, match=r"^this key has another role$"):
        tries[verb]()


def test_a_verb_that_a_credential_has_not_is_refused_however_it_is_called(
    gateway: Gateway,
) -> None:
    visit = gateway.local(msgspec.structs.replace(USER, verbs=("recall",)))

    assert visit.may("recall")
    assert not visit.may("remember")
    assert visit.call("recall", lambda its: its.visit) is visit
    assert visit.look("recall", lambda its: its.visit) is visit
    assert visit.hands("recall").visit is visit
    tries: tuple[Callable[[], object], ...] = (
        lambda: visit.call("remember", lambda its: its),
        lambda: visit.look("remember", lambda its: its),
        lambda: visit.hands("remember"),
        lambda: visit.permit("remember"),
    )
    for each in tries:
        with pytest.raises(PermissionDeniedError):
            each()


def test_one_call_at_a_time_passes_of_those_who_share_an_agent(gateway: Gateway) -> None:
    visit = gateway.local(USER)

    def is_held(its: Hands) -> bool:
        del its
        return any(lock.is_ours for lock in gateway.call_locks._locks.values())

    assert visit.call("recall", is_held)
    assert visit.call("recall", lambda _: gateway.call_locks._locks[USER.tenant, "ada"].is_ours)
    assert not visit.look("recall", is_held)


def test_a_retry_of_a_call_is_answered_as_before_and_a_call_without_a_key_is_not_one(
    gateway: Gateway,
) -> None:
    visit = gateway.local(USER)

    def told(key: str) -> str:
        return visit.call("remember", lambda its: its.agent.remember("tea").episodic_id, key=key)

    assert told("k") == told("k")
    assert told("") != told("k")
    answers = {
        its.agent.remember("tea").episodic_id for its in (visit.hands("remember") for _ in "ab")
    }
    looked = {
        visit.look("remember", lambda its: its.agent.remember("tea").episodic_id) for _ in "ab"
    }
    unkeyed = {
        visit.call("remember", lambda its: its.agent.remember("tea").episodic_id) for _ in "ab"
    }
    assert [len(each) for each in (answers, looked, unkeyed)] == [2, 2, 2]
    retried = Hands(visit, ExitStack(), "k")
    assert retried.agent.remember("tea").episodic_id == told("k")


def test_a_retry_of_an_office_is_answered_as_before(gateway: Gateway) -> None:
    gateway.agent(USER).sem_put("user/profile/user_tuff/tea", "green")
    visit = gateway.local(OFFICES[Role.ADMIN])

    def asked(key: str) -> str:
        def work(its: Hands) -> str:
            return its.admin.request_deletion("user/profile/user_tuff/tea", reason="r")

        return str(visit.call("deletion", work, key=key))

    assert asked("k") == asked("k")


def test_only_a_subconscious_dreams(gateway: Gateway) -> None:
    dreamer = Grant(role=Role.AGENT, agent="ada", persona=Persona.SUBCONSCIOUS)
    its = Hands(gateway.local(dreamer), ExitStack(), "")

    assert isinstance(its.subconscious, lazy_views.Subconscious)
    assert its.visit.may("dream")
    its.visit.permit("dream")
    assert not gateway.local(Grant(role=Role.AGENT, agent="ada")).may("dream")
    with pytest.raises(PermissionDeniedError, match=r"^only a Subconscious may dream$"):
        _ = hands(gateway, Role.USER).subconscious


def test_a_project_is_open_to_keys_that_name_it_or_any(gateway: Gateway) -> None:
    def talk(projects: tuple[str, ...], project: str) -> lazy_views.Conversation:
        of = msgspec.structs.replace(USER, projects=projects)
        mine = Hands(gateway.local(of), ExitStack(), "")
        return mine.conversation(session="s", project=project, ai_profile="p")

    assert talk((), "").session == "tuff~s"
    assert talk(("boat",), "boat").session == "tuff~s"
    mine = hands(gateway, Role.USER)
    assert mine.conversation(session="s").session == "tuff~s"
    with pytest.raises(InputError, match="project"):
        talk(("boat",), "\x00")
    with pytest.raises(InputError, match="project"):
        talk(("\x00",), "boat")
    assert talk((ANY,), "boat").session == "tuff~s"
    for projects in ((), ("car",)):
        with pytest.raises(
            PermissionDeniedError, match=r"^this key has no access to that project$"
        ):
            talk(projects, "boat")


def test_a_session_is_of_its_person(gateway: Gateway) -> None:
    mine, office = hands(gateway, Role.USER), hands(gateway, Role.ADMIN)

    assert mine.session("") == ""
    assert mine.session("monday") == "tuff~monday"
    assert mine.session("a~b") != mine.session("a") + "~b"
    assert mine.session("monday", user="mia") == "mia~monday"
    assert office.session("monday") == "monday"
    assert office.session("monday", user="mia") == "mia~monday"
    with pytest.raises(InputError, match="seed"):
        mine.session("\x00", what="seed")
    with pytest.raises(InputError, match="session"):
        mine.session("\x00")


def test_a_job_goes_on_by_its_number(gateway: Gateway) -> None:
    mine = hands(gateway, Role.USER)
    mine.agent.job("seed-1").observe("a note")

    assert mine.job(1).number == 1


def test_a_stream_is_found_by_its_name_and_foreign_and_absent_answer_alike(
    gateway: Gateway,
) -> None:
    gateway.agent(USER).remember("The boat is blue")
    gateway.agent(msgspec.structs.replace(USER, tenant="other")).remember("The car is red")
    mine = hands(gateway, Role.AUDITOR)

    (first, *_) = gateway.tenant(grant(Role.USER).tenant).streams()
    (foreign, *_) = gateway.tenant("other").streams()

    assert mine.stream(first.text) == first
    for each in (foreign.text, "absent"):
        with pytest.raises(NotFoundError):
            mine.stream(each)


# ── Keys ────────────────────────────────────────────────────────────────────────────────────────


def test_keys_are_listed_oldest_first_and_of_the_tenant_alone(gateway: Gateway) -> None:
    later = keyring.issue(gateway.credentials, USER, now="2026-02-05T00:00:00.000Z")[1]
    first = keyring.issue(gateway.credentials, USER, now="2026-02-04T00:00:00.000Z")[1]
    twins = [
        keyring.issue(gateway.credentials, USER, now="2026-02-06T00:00:00.000Z")[1] for _ in "ab"
    ]
    keyring.issue(gateway.credentials, msgspec.structs.replace(USER, tenant="other"), now=NOW)

    known = hands(gateway, Role.ADMIN).known_keys()

    assert known == [first, later, *sorted(twins, key=lambda each: each.key_id)]


def test_a_key_is_issued_for_ones_own_tenant_and_once_for_one_retry(gateway: Gateway) -> None:
    admin, _ = issued(gateway, OFFICES[Role.ADMIN])
    visit = gateway.admit(admin)

    def made(key: str, label: str = "l", of: Grant = USER) -> tuple[str, Key]:
        return visit.call("keys", lambda its: its.issue(of, label=label, days=3), key=key)

    text, key = made("k")

    assert (key.label, key.grant, key.created) == ("l", keyring.checked(USER), NOW)
    assert key.expires.startswith("2026-02-07")
    assert gateway.admit(text).key_id == key.key_id
    assert made("k") == (text, key)
    assert made("")[1].key_id != made("")[1].key_id
    with pytest.raises(MunimentError):
        made("k", label="another")
    with pytest.raises(InputError, match=r"^a key can only be created for one's own tenant$"):
        made("", of=msgspec.structs.replace(USER, tenant="other"))


def test_a_key_is_revoked_at_the_moment_of_the_gateway_and_in_the_tenant_alone(
    gateway: Gateway,
) -> None:
    text, key = issued(gateway, USER)
    _, foreign = issued(gateway, msgspec.structs.replace(USER, tenant="other"))
    admin = hands(gateway, Role.ADMIN)

    assert admin.revoke(key.key_id).revoked == NOW
    with pytest.raises(UnauthorizedError):
        gateway.admit(text)
    with pytest.raises(MunimentError):
        admin.revoke(foreign.key_id)


def test_keys_that_name_an_erased_person_go_with_them_and_others_stay(gateway: Gateway) -> None:
    gateway.agent(USER).remember("The boat is blue")
    text, _ = issued(gateway, USER)
    other, _ = issued(gateway, msgspec.structs.replace(USER, user="mia"))
    foreign, _ = issued(gateway, msgspec.structs.replace(USER, tenant="other"))
    request = hands(gateway, Role.ADMIN).eraser.request("tuff", reason="asked")
    gateway.tenant(USER.tenant).council("ann").approve(request)
    admin = hands(gateway, Role.ADMIN)

    stages: list[str] = []
    told = admin.erase(request, progress=lambda stage, *_: stages.append(stage))
    again = admin.erase(request)

    assert told == again
    assert stages
    for each in (other, foreign):
        gateway.admit(each)
    with pytest.raises(UnauthorizedError):
        gateway.admit(text)
    with pytest.raises(RefusedError):
        admin.erase("unknown")


def test_requests_are_those_that_await_a_vote_or_those_that_are_settled(gateway: Gateway) -> None:
    gateway.agent(USER).sem_put("user/profile/user_tuff/tea", "green")
    admin, council = hands(gateway, Role.ADMIN), hands(gateway, Role.COUNCIL)
    asked = admin.admin.request_deletion("user/profile/user_tuff/tea", reason="r")

    (waiting,) = council.requests()

    assert (waiting.request_id, council.requests(settled=True)) == (asked, [])
    assert council.request(asked)[0] == admin.request(asked)[0] == waiting
    assert admin.requests() == [waiting]


def test_a_visit_is_of_its_gateway_and_of_its_grant(gateway: Gateway) -> None:
    visit = Visit(gateway, USER, "id")

    assert (visit.reception, visit.grant, visit.key_id, visit.shown) == (gateway, USER, "id", "")


# ── What the headers of a request name ──────────────────────────────────────────────────────────


def test_headers_name_the_user_and_the_branch_of_a_visit(gateway: Gateway) -> None:
    gateway.tenant(USER.tenant).branches().open("trial")
    visit = gateway.local(FOR_ANY)
    user, branch = (b"muniment-user", b"mia"), (b"muniment-branch", b"trial")

    both = named_headers.narrowed(visit, [(b"host", b"x"), user, branch])

    assert named_headers.narrowed(visit, [(b"host", b"x")]) is visit
    assert named_headers.narrowed(visit, [user]).grant.user == "mia"
    assert named_headers.narrowed(visit, [user]).reception is gateway
    assert both.grant.user == "mia"
    assert both.reception is gateway.on_branch(USER.tenant, "trial")
    assert named_headers.narrowed(visit, [branch]).grant.user == ANY
    with pytest.raises(InputError, match=r"^the header muniment-user occurs twice$"):
        named_headers.narrowed(visit, [user, user])


def test_a_view_is_of_the_agent_and_of_the_user_of_its_credential(gateway: Gateway) -> None:
    dreamer = Grant(role=Role.AGENT, agent="ada", persona=Persona.SUBCONSCIOUS)
    memory = gateway.tenant(USER.tenant)
    told = gateway.agent(USER).remember("The boat is blue")

    assert memory.agent("ada", user="tuff").episode(told.episodic_id).summary == "The boat is blue"
    with pytest.raises(MunimentError):
        memory.agent("ada", user="mia").episode(told.episodic_id)
    assert gateway.agent(dreamer)._session.agent == "ada"
