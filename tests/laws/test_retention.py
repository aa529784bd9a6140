"""Retention by days: over random histories what is due goes, nothing comes back, the log proves."""

from contextlib import suppress

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests import soaking, world
from tests.laws.test_rollback import ACTS, MARCH, PAGE, QUERIES, TEXTS

from muniment.engine.api.memory import Memory
from muniment.engine.audit.replay import SHELVES
from muniment.log.store import Find
from muniment.model.errors import MunimentError
from muniment.model.events import Shredded
from muniment.model.policy import Governance, Policy
from muniment.model.policy.keep_days import KINDS, KeepDays

DAY = 24 * 60
DAYS = st.dictionaries(st.sampled_from(KINDS), st.sampled_from([0, 3, 10]), max_size=len(KINDS))
STEP = st.one_of(
    st.tuples(st.sampled_from(sorted(ACTS)), st.sampled_from(TEXTS)),
    st.tuples(st.just("days"), st.sampled_from(["1", "4", "11"])),
    st.tuples(st.just("sweep"), st.just("")),
    st.tuples(st.just("keep"), st.just("")),
    st.tuples(st.just("hold"), st.sampled_from(["tuff", "bert"])),
)


class Life:
    """A memory that is told things on days, held, kept by days, and swept."""

    def __init__(self, days: dict[str, int]) -> None:
        self.clock = world.StillClock(MARCH)
        short = Governance(retention_epochs=1)
        self.kept = Policy(keep_days=KeepDays(**days), governance=short)
        self.memory: Memory = world.memory(Policy(governance=short), clock=self.clock)
        self.ada = self.memory.agent("ada", user="tuff")
        self.holds: list[str] = []

    def live(self, verb: str, word: str) -> None:
        admin = self.memory.admin()
        match verb:
            case "days":
                self.clock.later(minutes=int(word) * DAY)
            case "sweep":
                admin.carry_out_due()
            case "keep":
                with suppress(MunimentError):
                    admin.adopt_policy(self.kept, agent="ada", reason="the law")
            case "hold":
                self.holds.append(admin.place_hold(user=word, reason="order"))
            case _:
                with suppress(MunimentError):
                    ACTS[verb](self.ada, word, PAGE)

    def known(self) -> set[str]:
        """Which records every read gives, by their ids."""
        looker, talk = self.memory.onlooker("ada", user="tuff"), self.ada.conversation(session="s")
        hits = (hit.id for query in QUERIES for hit in looker.recall(query, limit=50).hits)
        kinds = ("short_term", "semantic", "profile")
        items = (item.id for kind in kinds for item in talk.items(kind))
        return {*hits, *items}

    def living(self) -> set[tuple[str, str, int, int]]:
        """Every row of every log that is not ended: also what a read leaves out as the same."""
        hub = world.hub(self.memory)
        return {
            (stream.text, shelf, row.born, row.n)
            for stream in hub.known_streams()
            for shelf in SHELVES
            for row in hub.parts.store.rows(
                hub.stream(stream).ref, Find(shelf=shelf, at=hub.writer(stream).head.seq)
            )
        }

    def unread(self) -> set[int]:
        return {line.seq for line in world.lines(self.memory) if isinstance(line.event, Shredded)}


HISTORIES = st.lists(STEP, min_size=2, max_size=12)


@settings(max_examples=soaking.times(25, 1000), deadline=None)
@given(days=DAYS, history=HISTORIES)
@example(days={"conversations": 3}, history=[("correct", TEXTS[0]), ("wish", TEXTS[0])])
def test_what_goes_is_what_was_due_and_nothing_comes_back(
    days: dict[str, int], history: list[tuple[str, str]]
) -> None:
    """Given any history, when what is due goes, then nothing lives that did not live before."""
    it = Life(days)
    it.ada.remember("I moved to Lisbon in March")
    for verb, word in [*history, ("keep", ""), ("days", "40")]:
        it.live(verb, word)
    before, unread = it.living(), it.unread()
    due = [each for each in it.memory.admin().due() if not each.stays and "agent" in each.stream]
    it.memory.admin().carry_out_due()
    assert it.living() <= before
    assert len(it.unread() - unread) == sum(each.entries for each in due)
    assert all(each.stays for each in it.memory.admin().due())
    it.memory.prove()


@settings(max_examples=soaking.times(15, 1000), deadline=None)
@given(days=DAYS, history=HISTORIES)
def test_what_is_held_stays_and_goes_when_the_hold_is_lifted(
    days: dict[str, int], history: list[tuple[str, str]]
) -> None:
    """Given a hold on a person, when what is due goes, then every read of theirs is as it was."""
    it = Life(days)
    it.ada.remember("I moved to Lisbon in March")
    for verb, word in [*history, ("keep", ""), ("hold", "tuff"), ("days", "40")]:
        it.live(verb, word)
    before, unread = it.known(), it.unread()
    it.memory.admin().carry_out_due()
    assert it.known() == before
    theirs = it.memory.auditor().ref("tuff")
    gone = [line for line in world.lines(it.memory) if line.seq in it.unread() - unread]
    assert not any(part.subject == theirs for line in gone for part in line.header.parts)
    for hold in it.holds:
        it.memory.admin().lift_hold(hold)
    it.memory.admin().carry_out_due()
    assert all(each.waits for each in it.memory.admin().due())
    it.memory.prove()
