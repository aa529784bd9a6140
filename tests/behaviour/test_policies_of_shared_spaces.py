"""A policy reaches every log of a tenant: shared spaces and the Subconscious like agents."""

import pytest
from tests import world
from tests.talks import ENDS_AT_3, OPEN_SPACES, letter, talk, texts

from muniment.engine.api.memory import Memory
from muniment.engine.conversation.conversation import Conversation
from muniment.log.entry import Line
from muniment.log.reference_store import ScratchStore
from muniment.model import policy as policies
from muniment.model.errors import InputError, MunimentError, NotFoundError, RefusedError, StoreError
from muniment.model.events import PolicyAdopted, RequestSettled
from muniment.model.events.conversation import ItemDeleted, ItemExpired
from muniment.model.kinds.conversation_item import EventType, Space
from muniment.model.policy import Policy
from muniment.model.policy.conversation import ForgetMode, Retention, Spaces, Writing
from muniment.model.scope import Channel, Persona, StreamKind, council_stream

ALL = policies.RecallPolicy(semantic_top_k=50)
NEVER = letter(
    Policy(spaces=OPEN_SPACES, recall=ALL, writing=Writing(forget_policy=ForgetMode.NEVER))
)
SHORT = letter(
    Policy(
        spaces=OPEN_SPACES,
        recall=ALL,
        retention=Retention(semantic={EventType.DECISION: ENDS_AT_3}),
    )
)
OURS = "we decided on Rust"
SHARED = ["user:tuff", "project:apollo", "system"]


def shared(policy: Policy = NEVER, *, of: Memory | None = None) -> tuple[Memory, Conversation]:
    """A decision in each shared space, and nine ticks that passed there since."""
    memory = of or world.memory(policy)
    ada = talk(of=memory, session="monday")
    for space in ("user", "project", "system"):
        ada.record(user=OURS, space=space)
        for n in range(9):
            ada.record(user=f"I prefer tea number {n}", space=space)
    return memory, ada


def kept(ada: Conversation, space: str) -> list[str]:
    """What is decided in a space, as a list and as a recall have it: they must agree."""
    found = texts(ada.items("semantic", space.partition(":")[0]))
    recalled = texts(ada.recall(OURS, spaces=[space.partition(":")[0]]).items)
    assert (OURS in found) == (OURS in recalled)
    return [each for each in found if each == OURS]


def space_lines(memory: Memory, space: str) -> list[Line]:
    (found,) = (
        each
        for each in memory.streams()
        if each.kind is StreamKind.SPACE and each.owner.startswith(f"{space.partition(':')[0]}:")
    )
    return memory.log(found)


def approved(memory: Memory, policy: Policy, **where: str) -> str:
    request = memory.admin("root").request_policy(policy, reason="shorter", **where)
    quorum = memory.admin("root").policy().governance.quorum
    for each in ("ines", "joao", "kim")[:quorum]:
        memory.council(each).approve(request)
    return request


# ── A retention that is changed where things are shared ─────────────────────────────────────────


@pytest.mark.covers("B-034", "B-038", "B-052", "B-054")
@pytest.mark.parametrize("space", SHARED)
def test_a_shorter_retention_ends_what_a_shared_space_holds_at_once(space: str) -> None:
    memory, ada = shared()
    assert kept(ada, space) == [OURS]

    memory.admin().apply_policy(approved(memory, SHORT, space=space))

    assert kept(ada, space) == []
    told = [line.event for line in space_lines(memory, space)][-2:]
    assert isinstance(told[0], ItemExpired)
    assert isinstance(told[1], ItemDeleted)
    assert (told[0].reason, told[1].reason) == ("ttl_expired", "expired")
    others = [each for each in SHARED if each != space]
    assert [kept(ada, each) for each in others] == [[OURS], [OURS]]
    assert memory.rebuild() == {each.stream: each.projections for each in memory.prove()}


@pytest.mark.parametrize("space", SHARED)
def test_a_longer_retention_brings_nothing_back(space: str) -> None:
    memory, ada = shared()
    admin = memory.admin()
    admin.adopt_policy(SHORT, space=space)

    admin.adopt_policy(NEVER, space=space)

    assert kept(ada, space) == []
    assert memory.prove()


def test_a_longer_retention_brings_back_nothing_that_an_idle_session_had_let_go() -> None:
    memory = world.memory(SHORT)
    idle = talk(of=memory, session="idle")
    idle.record(user=OURS)
    busy = talk(of=memory, session="busy")
    for n in range(9):
        busy.record(user=f"I prefer tea number {n}")

    memory.admin().adopt_policy(NEVER, agent="ada")

    assert texts(idle.items("semantic")) == []
    assert idle.recall(OURS).hidden == 0
    assert memory.prove()


def test_a_shorter_retention_ends_what_lies_in_a_session_nobody_speaks_in() -> None:
    few = Policy(
        spaces=OPEN_SPACES,
        writing=Writing(forget_policy=ForgetMode.NEVER),
        brainstate=policies.Brainstate(sessions_max=1),
    )
    memory = world.memory(few)
    for person in ("tuff", "ines"):  # of two people, and the first session makes room
        talk(of=memory, user=person, session=person).record(user=OURS)
    busy = talk(of=memory, user="joao", session="busy")
    for n in range(9):
        busy.record(user=f"I prefer tea number {n}")

    memory.admin().adopt_policy(SHORT, agent="ada")

    for person in ("tuff", "ines"):
        ada = memory.agent("ada", user=person)
        assert texts(ada.conversation(session=person).items("semantic")) == []
    assert memory.rebuild() == {each.stream: each.projections for each in memory.prove()}


@pytest.mark.parametrize("space", SHARED)
def test_the_past_is_read_by_the_rules_of_then_and_a_recall_of_then_is_the_same_again(
    space: str,
) -> None:
    memory, ada = shared()
    where = space.partition(":")[0]
    before = ada.recall(OURS, spaces=[where])
    ada.record(user="ok")  # its receipt joins the log
    then = memory.head(world.stream(memory, "agent"))

    memory.admin().apply_policy(approved(memory, SHORT, space=space))
    ada.record(user="ok")

    again = ada.recall(OURS, spaces=[where], at=then)
    assert again.items == before.items
    assert again.deterministic_hash == before.deterministic_hash
    assert OURS in texts(ada.items("semantic", where, at=then))
    assert memory.admin().policy(space=space) == SHORT
    adopted = [line.event for line in space_lines(memory, space)]
    assert [each.policy for each in adopted if isinstance(each, PolicyAdopted)] == [NEVER, SHORT]


def test_what_a_person_is_asked_to_keep_is_decided_by_their_spaces_new_policy() -> None:
    memory, ada = shared()
    secret = Policy(spaces=OPEN_SPACES, privacy=policies.Privacy(deny_patterns=("nightfall",)))

    memory.admin().apply_policy(approved(memory, secret, space="project:apollo"))

    told = ada.record(user="we decided on nightfall", space="project")
    assert [each.reason for each in told.denied] == ["privacy_deny_pattern"]
    assert ada.record(user="we decided on nightfall", space="user").denied == ()


# ── Every space of a kind ───────────────────────────────────────────────────────────────────────


def two_projects(policy: Policy = NEVER) -> tuple[Memory, list[Conversation]]:
    memory, apollo = shared(policy)
    lunar = talk(of=memory, session="monday", project="lunar")
    lunar.record(user=OURS, space="project")
    for n in range(9):
        lunar.record(user=f"I prefer tea number {n}", space="project")
    return memory, [apollo, lunar]


def test_one_request_reaches_every_space_of_a_kind() -> None:
    memory, projects = two_projects()
    request = approved(memory, SHORT, space="project")

    memory.admin().apply_policy(request)

    assert [kept(each, "project") for each in projects] == [[], []]
    assert kept(projects[0], "user:tuff") == [OURS]
    in_force = {each.space: each.digest for each in memory.admin().policies() if each.space}
    assert in_force["project:apollo"] == in_force["project:lunar"] == policies.digest(SHORT)
    assert in_force["user:tuff"] == policies.digest(NEVER)
    assert memory.council().request(request)[1] == "executed"
    assert memory.prove()


def test_every_person_is_reached_whose_space_there_is_and_no_other_tenant() -> None:
    memory, ada = shared()
    other = memory.beside("acme", Channel.API)
    _, theirs = shared(of=other)
    ines = talk(of=memory, user="ines", session="tuesday")
    ines.record(user=OURS, space="user")
    for n in range(9):
        ines.record(user=f"I prefer tea number {n}", space="user")

    memory.admin().apply_policy(approved(memory, SHORT, space="user"))

    assert (kept(ada, "user"), kept(ines, "user"), kept(theirs, "user")) == ([], [], [OURS])
    assert {each.space for each in other.admin().policies()} == {"", *SHARED}


def test_a_change_of_a_whole_kind_follows_the_policies_that_it_was_asked_in_place_of() -> None:
    memory, projects = two_projects()
    request = approved(memory, SHORT, space="project")
    secret = Policy(spaces=OPEN_SPACES, privacy=policies.Privacy(deny_patterns=("nightfall",)))
    memory.admin().adopt_policy(secret, space="project:lunar")

    for _ in range(2):  # whoever asks again is told the same again
        with pytest.raises(RefusedError) as refused:
            memory.admin().apply_policy(request)
        assert refused.value.reason == "policy_changed_since_request"

    assert memory.council().request(request)[1] == "failed"
    assert kept(projects[0], "project") == [OURS], "nothing else happens"
    assert memory.admin().policy(space="project:lunar") == secret


# ── On whose authority ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("space", [*SHARED, "project"])
def test_where_several_must_say_yes_no_administrator_changes_a_shared_space_alone(
    space: str,
) -> None:
    memory, ada = shared()
    three = Policy(spaces=OPEN_SPACES, governance=policies.PRESETS["council"])
    memory.admin().adopt_policy(three)  # the council's own: from here on three must say yes

    with pytest.raises(RefusedError) as refused:
        memory.admin("root").adopt_policy(SHORT, space=space)
    assert refused.value.reason == "policy_needs_approval"
    request = memory.admin("root").request_policy(SHORT, space=space, reason="shorter")
    memory.council("ines").approve(request)
    with pytest.raises(RefusedError) as early:
        memory.admin("root").apply_policy(request)
    assert early.value.reason == "change_not_approved"
    with pytest.raises(RefusedError) as own:
        memory.council("root").approve(request)
    assert own.value.reason == "vote_by_requester"
    assert kept(ada, space) == [OURS]

    for each in ("joao", "kim"):
        memory.council(each).approve(request)
    memory.admin("root").apply_policy(request)
    assert kept(ada, space) == []


def test_a_log_that_is_not_there_yet_is_not_begun_by_one_where_several_must_say_yes() -> None:
    memory = world.memory(policies.preset("team"))

    with pytest.raises(RefusedError) as refused:
        memory.admin("root").adopt_policy(Policy(), agent="ada")

    assert refused.value.reason == "policy_needs_approval"
    assert memory.admin("root").policy(agent="ada") == policies.preset("team")


@pytest.mark.parametrize(
    "space", ["session", "session:monday", "system:other", "projects", ":apollo", "Project:apollo"]
)
def test_a_space_that_has_no_policy_of_its_own_is_bad_input(space: str) -> None:
    memory, _ = shared()
    heads = {each.text: memory.head(each) for each in memory.streams()}

    with pytest.raises(InputError):
        memory.admin().request_policy(SHORT, space=space, reason="shorter")

    assert heads == {each.text: memory.head(each) for each in memory.streams()}


@pytest.mark.parametrize("space", ["user:nobody", "project:nowhere"])
def test_a_space_that_holds_nothing_is_not_found_and_not_made(space: str) -> None:
    memory, _ = shared()
    known = memory.streams()

    for verb in ("request_policy", "adopt_policy"):
        with pytest.raises(NotFoundError):
            getattr(memory.admin(), verb)(SHORT, space=space, reason="shorter")

    assert memory.streams() == known


def test_what_another_tenant_calls_a_project_is_another_project() -> None:
    memory, ada = shared()
    other = memory.beside("acme", Channel.API)
    other.agent("ada", user="tuff").remember("a tenant without projects")

    with pytest.raises(NotFoundError):
        other.admin().request_policy(SHORT, space="project:apollo", reason="shorter")
    request = approved(memory, SHORT, space="project:apollo")
    with pytest.raises(RefusedError):
        other.admin().apply_policy(request)

    assert kept(ada, "project") == [OURS]


def test_an_agent_and_a_space_are_two_things() -> None:
    memory, _ = shared()
    with pytest.raises(InputError):
        memory.admin().request_policy(SHORT, agent="ada", space="system", reason="both")
    memory.agent("project:apollo").remember("an agent of that name")

    memory.admin().apply_policy(approved(memory, SHORT, agent="project:apollo"))

    assert memory.admin().policy(agent="project:apollo") == SHORT
    assert memory.admin().policy(space="project:apollo") == NEVER


def test_what_is_asked_about_a_persons_space_goes_when_they_go() -> None:
    memory, _ = shared()
    request = approved(memory, SHORT, space="user:tuff")

    eraser = memory.eraser()
    gone = eraser.request("tuff", reason="they asked")
    memory.council().approve(gone)
    eraser.carry_out(gone)

    with pytest.raises(RefusedError):
        memory.admin().apply_policy(request)
    assert [each.space for each in memory.admin().policies() if "tuff" in each.space] == []
    with pytest.raises(NotFoundError):
        memory.admin().request_policy(SHORT, space="user", reason="nobody is left")
    assert memory.prove()


# ── The Subconscious ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("where", [{"agent": "ada"}, {}, {"space": "project:apollo"}])
def test_the_subconscious_goes_by_a_policy_of_its_own_that_can_be_changed(
    where: dict[str, str],
) -> None:
    memory, _ = shared()
    inner = memory.subconscious("ada").conversation(session="inner", project="apollo")
    inner.record(tools=["weighed: what was said"])
    inner.record(ai="x", tools=["kept: what counts"], space="project")
    memory.subconscious("ada").learn("Say what things cost.")  # its docket at the council

    request = approved(memory, SHORT, persona="subconscious", **where)
    memory.admin().apply_policy(request)

    assert memory.admin().policy(persona="subconscious", **where) == SHORT
    assert memory.admin().policy(**where) == NEVER
    assert memory.prove()


@pytest.mark.parametrize("persona", Persona)
def test_a_change_of_every_space_of_a_kind_is_for_one_persona(persona: Persona) -> None:
    memory, _ = shared()
    inner = memory.subconscious("ada").conversation(session="inner", project="apollo")
    inner.record(ai="x", tools=["kept: what counts"], space="project")

    memory.admin().apply_policy(approved(memory, SHORT, space="project", persona=persona))

    in_force = {
        each: memory.admin().policy(space="project:apollo", persona=each) for each in Persona
    }
    assert in_force == {each: SHORT if each is persona else NEVER for each in Persona}


def test_how_many_must_approve_what_the_subconscious_asks_for_can_be_changed() -> None:
    memory, _ = shared()
    memory.subconscious("ada").learn("Say what things cost.")
    asked = memory.subconscious("ada").learn("Say what trains cost.").request_id
    two = Policy(governance=policies.PRESETS["team"])

    memory.admin().apply_policy(approved(memory, two, persona="subconscious"))

    assert memory.council("ines").approve(asked) == "pending"
    assert memory.council("joao").approve(asked) == "approved"
    docket = council_stream("main", Persona.SUBCONSCIOUS)
    assert memory.policy(docket).governance.quorum == 2


def test_a_change_for_the_subconscious_moves_nothing_that_the_actor_is_told() -> None:
    def lived(changed: bool) -> list[object]:  # noqa: FBT001
        memory, ada = shared()
        memory.subconscious("ada").learn("Say what things cost.")
        if changed:
            memory.admin().adopt_policy(SHORT, agent="ada", persona="subconscious")
        told = ada.record(user=OURS, space="project")
        return [told, ada.recall(OURS), ada.traces(), ada.items("semantic", "project")]

    assert lived(changed=False) == lived(changed=True)


# ── A crash between the steps, and an answer that was lost ──────────────────────────────────────


class FailingAt(ScratchStore):
    """A store that dies at the n-th append from when it is told to, and lives again when told."""

    left = -1

    def append(self, *given: object, **more: object) -> None:
        if self.left == 0:
            raise StoreError("the machine is gone")
        self.left -= 1
        super().append(*given, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("dies_after", range(8))
@pytest.mark.parametrize("space", ["project:apollo", "project"])
def test_a_change_that_was_interrupted_anywhere_is_finished_by_asking_again(
    space: str, dies_after: int
) -> None:
    store = FailingAt()
    memory, ada = shared(of=world.memory(NEVER, store=store))
    talk(of=memory, project="lunar").record(user=OURS, space="project")
    request = approved(memory, SHORT, space=space)
    store.left = dies_after
    try:
        memory.admin().apply_policy(request)
    except MunimentError:
        store.left = -1
    else:
        store.left = -1
    seen = texts(ada.recall(OURS, spaces=["project"]).items)
    adopted = memory.admin().policy(space="project:apollo") == SHORT
    assert (OURS in seen) != adopted, "what is no longer kept is not shown, swept or not"

    for _ in range(2):
        assert memory.admin().apply_policy(request) == policies.digest(SHORT)

    assert kept(ada, "project") == []
    assert memory.council().request(request)[1] == "executed"
    changes = [
        line.event
        for line in space_lines_of(memory, "project:apollo")
        if isinstance(line.event, PolicyAdopted) and line.event.reason == request
    ]
    assert len(changes) == 1
    assert memory.prove()


def space_lines_of(memory: Memory, owner: str) -> list[Line]:
    (found,) = (each for each in memory.streams() if each.owner == owner)
    return memory.log(found)


def test_a_change_that_died_before_its_sweep_brings_nothing_back_when_it_is_lengthened() -> None:
    store = FailingAt()
    memory, ada = shared(of=world.memory(NEVER, store=store))
    request = approved(memory, SHORT, space="project:apollo")
    store.left = 1  # the policy is in, and the machine is gone
    with pytest.raises(MunimentError):
        memory.admin().apply_policy(request)
    store.left = -1
    assert memory.admin().policy(space="project:apollo") == SHORT

    memory.admin().adopt_policy(NEVER, space="project:apollo")

    assert kept(ada, "project") == []


def test_whoever_did_not_hear_that_a_policy_is_in_force_is_told_again() -> None:
    memory = world.memory()
    memory.agent("ada", user="tuff").remember("a stream to govern")
    admin = memory.admin()
    request = approved(memory, SHORT, agent="ada")
    first = admin.apply_policy(request)
    admin.adopt_policy(NEVER, agent="ada")  # what came since is not taken back
    head = memory.head(world.stream(memory, "agent"))

    assert admin.apply_policy(request) == first == policies.digest(SHORT)
    assert memory.head(world.stream(memory, "agent")) == head
    assert admin.policy(agent="ada") == NEVER
    rejected = admin.request_policy(NEVER, agent="ada", reason="no")
    memory.council().reject(rejected)
    for each in (rejected, "req:9-none", ""):
        with pytest.raises(RefusedError) as refused:
            admin.apply_policy(each)
        assert refused.value.reason == "change_not_approved"


def test_whoever_did_not_hear_that_a_patch_is_in_force_is_told_again() -> None:
    memory, _ = shared()
    asked = memory.subconscious("ada").learn("Say what things cost.").request_id
    memory.council().approve(asked)
    first = memory.identities().apply(asked)
    newer = memory.subconscious("ada").learn("Say what trains cost.").request_id
    memory.council().approve(newer)
    second = memory.identities().apply(newer)

    assert memory.identities().apply(asked) == first
    assert memory.identities().apply(newer) == second == memory.identities().of("ada")
    with pytest.raises(RefusedError):
        memory.identities().apply("req:9-none")


def test_what_is_carried_out_says_the_votes_that_decided_it() -> None:
    alone = Policy(governance=policies.Governance(quorum=2))
    memory = world.memory(alone)
    memory.agent("ada", user="tuff").sem_put("user/profile/user_tuff/city", "Lisbon")
    late = memory.admin("root").request_policy(SHORT, agent="ada", reason="shorter")
    gone = memory.admin("root").request_deletion("user/profile/user_tuff/city", reason="moved")
    for each in (late, gone):
        memory.council("root").approve(each)
    apart = Policy(governance=policies.Governance(quorum=2, requester_may_vote=False))
    memory.admin("olga").apply_policy(approved(memory, apart))
    for each in (late, gone):
        for member in ("ines", "joao"):
            memory.council(member).approve(each)

    memory.admin("root").apply_policy(late)
    memory.admin("root").delete(gone)

    told = [e for e in world.events(memory, "council") if isinstance(e, RequestSettled)]
    tallies = {(e.request_id, e.outcome): (e.approvals, e.rejections) for e in told}
    for each in (late, gone):
        assert tallies[each, "approved"] == tallies[each, "executed"] == (2, 0)
    ordered = [e.approved_by for e in world.events(memory, "council") if hasattr(e, "approved_by")]
    assert ordered == [2]


def test_spaces_are_named_as_somebody_named_them() -> None:
    writes = Spaces(write_spaces=tuple(Space))
    memory = world.memory(Policy(spaces=writes))
    talk(of=memory, project="moon: base").record(user=OURS, space="project")

    memory.admin().adopt_policy(SHORT, space="project:moon: base")

    (named,) = (each.space for each in memory.admin().policies() if each.space)
    assert named == "project:moon: base"
    assert memory.admin().policy(space=named) == SHORT
