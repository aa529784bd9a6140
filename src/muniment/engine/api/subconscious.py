"""The Subconscious: an agent's maintenance persona, which dreams and learns in loops of its own."""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from muniment.engine.api.agent import Agent
from muniment.engine.api.job import Job
from muniment.engine.api.persona_views import SubconsciousMemoryView
from muniment.engine.maintenance import dream as dreaming
from muniment.engine.maintenance import learn as learning
from muniment.engine.maintenance.dream import STEPS, DreamWork, Progress, Step
from muniment.engine.maintenance.learn import Lesson, Proposer
from muniment.engine.session.agent_session import AgentSession
from muniment.model import canonical_json
from muniment.model.commands.loops import ProposePatch
from muniment.model.errors import InputError, RefusedError
from muniment.model.kinds.loop import EventKind
from muniment.model.scope import Persona
from muniment.rules import tuning

Shown = Callable[[Progress], object]


class Dream(msgspec.Struct, frozen=True, kw_only=True):
    """What a dream did: for each persona, how much each step got done and how much it found."""

    loop_id: str
    done: dict[str, dict[str, int]]
    owed: dict[str, dict[str, int]]

    @property
    def total(self) -> int:
        return sum(count for steps in self.done.values() for count in steps.values())


class Subconscious(Agent):
    """Sees the layers of both personas of its agent; writes its own stream, and derived layers."""

    def __init__(self, session: AgentSession) -> None:
        super().__init__(session)
        self.view = SubconsciousMemoryView(session.hub, session.stream_id.tenant, session.agent)

    def dream(
        self, *, progress: Shown = lambda _: None, steps: Mapping[str, Step] = STEPS
    ) -> Dream:
        """Backfill, embed, regrade, fold and extract what is owed to both; say what was done.

        Interrupt it anywhere (an exception from `progress` will do): what it did stays done.
        """
        if not all(callable(step) for step in steps.values()):
            raise InputError("a step of a dream must be callable")
        done: dict[str, dict[str, int]] = {}
        owed: dict[str, dict[str, int]] = {}
        with self.job() as job:
            job.observe_event(EventKind.SUBCONSCIOUS_PROMPT, "dream", {"steps": list(steps)})
            try:
                for at in self._work(steps):
                    done.setdefault(at.persona, {})[at.step] = at.done
                    owed.setdefault(at.persona, {})[at.step] = at.of
                    progress(at)
            except BaseException as error:
                job.observe_event(EventKind.ERROR, type(error).__name__, {"done": done})
                raise
            told = canonical_json.readable(done) if done else "nothing was owed"
            job.observe_event(EventKind.SUBCONSCIOUS_OUTPUT, told)
        return Dream(loop_id=job.loop_id, done=done, owed=owed)

    def learn(self, feedback: str, *, propose: Proposer = learning.note) -> Lesson:
        """Turn feedback into a patch of the identity, try it, and ask for it if it is better.

        Nothing changes here: the patch is in force when the council has approved it and an
        administrator has applied it.
        """
        feedback = canonical_json.admit_text(feedback)
        library = self.view.library(Persona.ACTOR)
        identity = self._session.writer.desk.policy.identity
        with self.job() as job:
            job.observe_event(EventKind.SUBCONSCIOUS_PROMPT, feedback)
            loops = [each.summary for each in library.summaries(learning.LOOPS_TRIED)]
            # What a proposer says is kept before it is used: a replay asks nobody.
            patch = dict(propose(identity, feedback, loops))
            job.observe_event(EventKind.SUBCONSCIOUS_OUTPUT, {"patch": patch})
            before, after, tried = learning.trial(library, identity, patch, feedback)
            command = ProposePatch(
                patch=patch,
                reason=feedback,
                rubric=tuning.RUBRIC,
                score_before_ppm=before,
                score_after_ppm=after,
                loops=tried,
            )
            return self._lesson(job, command)

    def _lesson(self, job: Job, command: ProposePatch) -> Lesson:
        asked, reason = "", ""
        try:
            asked = self._session.request_of(self._session.append_or_raise(command, job=job.number))
        except RefusedError as refused:
            reason = refused.reason
        assert isinstance(command.patch, dict)
        return Lesson(
            patch=command.patch,
            score_before_ppm=command.score_before_ppm,
            score_after_ppm=command.score_after_ppm,
            improved=command.score_after_ppm > command.score_before_ppm,
            request_id=asked,
            reason=reason,
            loop_id=job.loop_id,
        )

    def _work(self, steps: Mapping[str, Step]) -> Iterator[Progress]:
        hub = self._session.hub
        for persona in Persona:
            library = self.view.library(persona)
            if not hub.exists(library.source):
                continue
            work = DreamWork(hub=hub, library=library)
            for name, step in steps.items():
                for done, of in step(work):
                    yield dreaming.Progress(persona=persona, step=name, done=done, of=of)
