"""Memory kit: a memory that is the same on every run, moved through a story and asked about it."""

from typing import Final, Self

from muniment.adapters.config import IN_MEMORY, Settings, open_memory
from muniment.engine.api.agent import Agent
from muniment.engine.api.remember import Remembered
from muniment.engine.audit.replay import Proof
from muniment.model import ids
from muniment.model.errors import NotFoundError, RefusedError
from muniment.model.policy import Policy

SEED: Final = b"muniment test kit"
START_MS: Final = 1_790_000_000_000
DAY_MS: Final = 86_400_000
AGENT: Final = "ada"
SPACES: Final = ("session", "user", "system")
KINDS: Final = ("short_term", "semantic", "profile")
BUDGET_TOKENS: Final = 8_000


class StoryClock:
    """A clock that goes on one second with each look, and further when a story says so."""

    def __init__(self, start_ms: int = START_MS) -> None:
        self._now_ms = start_ms

    def now(self) -> str:
        self._now_ms += 1_000
        return ids.time_text(self._now_ms)

    def later(self, *, days: int = 0, minutes: int = 0) -> None:
        self._now_ms += days * DAY_MS + minutes * 60_000

    def wait(self, ticks: int) -> None:
        del ticks


class MemoryKit:
    """A memory for tests: words go in for a user, and assertions say what may come out for whom.

    says(text, user=)                 a sentence is remembered
    records(user_said, ai=, user=)    an exchange of a conversation is recorded
    corrects(words, to, user=)        what holds these words is put right
    forgets(words, user=)             what holds these words is forgotten
    later(days=)                      time passes
    assert_remembers(words, asked=)   a question is answered with these words
    assert_forgets(words)             no read of this user holds them
    assert_never_tells(user, words)   no read of that other user holds them
    assert_replays()                  every log proves, and folds to the same again
    """

    def __init__(self, policy: Policy | None = None, *, agent: str = AGENT) -> None:
        self.clock = StoryClock()
        settings = Settings(policy=policy or Policy(), seed=SEED, clock=self.clock)
        self.memory = open_memory(IN_MEMORY, settings)
        self._agent = agent

    def agent(self, user: str = "tuff") -> Agent:
        return self.memory.agent(self._agent, user=user)

    # ── What happens ────────────────────────────────────────────────────────────────────────────

    def says(self, text: str, *, user: str = "tuff", origin: str = "user") -> Remembered:
        return self.agent(user).remember(text, origin=origin)

    def records(
        self, said: str, *, ai: str = "", user: str = "tuff", session: str = "story"
    ) -> None:
        self.agent(user).conversation(session=session).record(user=said, ai=ai)

    def corrects(self, words: str, to: str, *, user: str = "tuff") -> None:
        self.agent(user).correct(self._found(words, user), to)

    def forgets(self, words: str, *, user: str = "tuff") -> None:
        self.agent(user).forget(self._found(words, user))

    def later(self, *, days: int = 0, minutes: int = 0) -> None:
        self.clock.later(days=days, minutes=minutes)

    # ── What must be so ─────────────────────────────────────────────────────────────────────────

    def assert_remembers(self, words: str, *, asked: str = "", user: str = "tuff") -> None:
        """A question (or the words themselves) is answered with these words."""
        agent, question = self.agent(user), asked or words
        told = [each.text for each in agent.recall(question).hits]
        told.append(agent.context(question, budget=BUDGET_TOKENS).text)
        assert _holds(told, words), (
            f"{user} asks {question!r} and is not told {words!r}, but {told[:-1]}"
        )

    def assert_refuses(self, text: str, *, user: str = "tuff") -> None:
        """A text is not kept, and nothing of it can be read."""
        told = self.says(text, user=user)
        assert not told.stored, f"{text!r} was kept"
        self.assert_forgets(text, user=user)

    def assert_forgets(self, words: str, *, user: str = "tuff") -> None:
        """No read that this user has holds the words."""
        self._assert_untold(words, user)

    def assert_never_tells(self, user: str, words: str) -> None:
        """No read that another user has holds the words."""
        self._assert_untold(words, user)

    def assert_replays(self) -> list[Proof]:
        """Every link holds, every decision is the same again, and so is what follows from it."""
        proofs = self.memory.prove()
        again = self.memory.rebuild()
        assert again == {each.stream: each.projections for each in proofs}
        return proofs

    # ── Inside ──────────────────────────────────────────────────────────────────────────────────

    def _assert_untold(self, words: str, user: str) -> None:
        for place, told in self._reads(words, user).items():
            assert not _holds(told, words), f"{place} of {user} tells {words!r}"

    def _reads(self, words: str, user: str) -> dict[str, list[str]]:
        """Everything that a user can be told, by the read that tells it."""
        agent = self.agent(user)
        talk = agent.conversation(session="story")
        found = {
            "recall": [each.text for each in agent.recall(words).hits],
            "context": [agent.context(words, budget=BUDGET_TOKENS).text],
            "facts": [str(each.value) for each in agent.sem_search("")],
            "documents": [str(each.value) for each in agent.documents().within(())],
            "memos": [each.text for place in ("EM", "SM") for each in agent.memos(place)],
        }
        try:
            found["conversation"] = [each.text for each in talk.recall(words).items]
            for space in SPACES:
                items = [item.text for kind in KINDS for item in talk.items(kind, space)]
                found[f"items of {space}"] = items
        except RefusedError:  # the session is another person's: nothing is told of it
            pass
        return found

    def _found(self, words: str, user: str) -> str:
        hits = self.agent(user).recall(words).hits
        found = next((each.id for each in hits if words.casefold() in each.text.casefold()), "")
        if not found:
            raise NotFoundError(f"nothing of {user} holds {words!r}")
        return found

    def close(self) -> None:
        self.memory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *told: object) -> None:
        self.close()


def _holds(told: list[str], words: str) -> bool:
    return any(words.casefold() in each.casefold() for each in told)
