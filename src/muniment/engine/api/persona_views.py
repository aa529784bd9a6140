"""Persona views: what an agent's Actor may read, and what its Subconscious may.

A view is built with the streams and collections that it may read; no argument of a call can name
another persona. Each persona numbers the entries of its own log, so one entry number would mean two
moments: a view reads as of a day, not as of an entry.
"""

from collections.abc import Mapping

from muniment.engine.search import recall_results
from muniment.engine.session.loop_filters import LoopFilters
from muniment.engine.session.loop_reader import Coverage, Library, MirrorHit, ordered
from muniment.engine.session.stream_hub import StreamHub
from muniment.engine.streams import argument_checks
from muniment.engine.streams.argument_checks import checks_arguments
from muniment.model.errors import InputError, NotFoundError
from muniment.model.kinds.loop import IdeticEvent, LoopSummary
from muniment.model.kinds.skill import Skill
from muniment.model.scope import Persona, agent_stream
from muniment.retrieval.scoring import fuzzy
from muniment.retrieval.scoring.fuzzy import Likeness
from muniment.rules import skills

Options = Mapping[str, object]


@checks_arguments
class ActorMemoryView:
    """An agent's Actor: its own three layers, and nothing else exists."""

    def __init__(self, hub: StreamHub, tenant: str, agent_id: str) -> None:
        self.agent_id = agent_id
        self._clock = hub.parts.clock
        self._library = Library(hub, agent_stream(tenant, agent_id, Persona.ACTOR))

    @property
    def collections(self) -> tuple[str, ...]:
        return (self._library.name,)

    def get_by_id(self, event_id: str) -> IdeticEvent:
        """One event, literally."""
        return self._library.get(event_id)

    def get_range(self, start_ts: str = "", end_ts: str = "") -> list[IdeticEvent]:
        """Events from one moment to another, both included, literally."""
        return self._library.between(start_ts, end_ts)

    def rag_query(
        self, text: str, filters: Options | None = None, *, valid_at: str = ""
    ) -> list[MirrorHit]:
        """The mirror by words and likeness, best first."""
        return self._library.rag_query(
            text, filters or {}, until=argument_checks.check_day(valid_at)
        )

    def fuzzy_query(
        self, text: str, heuristics: Options | None = None, *, valid_at: str = ""
    ) -> list[Likeness]:
        """The last loops by likeness; `heuristics` changes those of the Identity for once."""
        day = argument_checks.check_day(valid_at)
        now = recall_results.as_of(day, self._clock)
        return self._library.fuzzy_query(
            text, heuristics or {}, reader=Persona.ACTOR, as_of=now, until=day
        )

    def loops(self, *, valid_at: str = "") -> list[LoopSummary]:
        """The rolling window: the last loops that have ended, newest first."""
        window = self._library.heuristics(Persona.ACTOR, {}).stm_window_size
        return self._library.summaries(window, until=argument_checks.check_day(valid_at))

    def skills(self, *, valid_at: str = "") -> list[Skill]:
        """What the Actor did the same way three times, as sure as it is by now or on a day."""
        day = argument_checks.check_day(valid_at)
        now = recall_results.as_of(day, self._clock)
        return [skills.faded(each, now) for each in self._library.skills(until=day)]


@checks_arguments
class SubconsciousMemoryView:
    """An agent's Subconscious: the layers of both personas, redacted as they are kept."""

    def __init__(self, hub: StreamHub, tenant: str, agent_id: str) -> None:
        self.agent_id = agent_id
        self._clock = hub.parts.clock
        self._libraries = {
            persona: Library(hub, agent_stream(tenant, agent_id, persona)) for persona in Persona
        }

    @property
    def collections(self) -> tuple[str, ...]:
        return tuple(library.name for library in self._libraries.values())

    def get_by_id(self, event_id: str) -> IdeticEvent:
        for library in self._libraries.values():
            try:
                return library.get(event_id)
            except NotFoundError:
                continue
        raise NotFoundError

    def get_range(self, start_ts: str = "", end_ts: str = "") -> list[IdeticEvent]:
        """Events of both personas, in the order of their times; of one moment, of their ids."""
        found = [e for each in self._libraries.values() for e in each.between(start_ts, end_ts)]
        return sorted(found, key=lambda event: (event.ts, event.id))

    def rag_query(
        self, text: str, filters: Options | None = None, *, valid_at: str = ""
    ) -> list[MirrorHit]:
        """Both collections, each scored by its own statistics; `persona` narrows to one."""
        day, (rest, libraries) = argument_checks.check_day(valid_at), self._narrowed(filters)
        found = [hit for library in libraries for hit in library.rag_query(text, rest, until=day)]
        return ordered(found)[: LoopFilters.read(rest).top_k]

    def fuzzy_query(
        self, text: str, heuristics: Options | None = None, *, valid_at: str = ""
    ) -> list[Likeness]:
        day, (rest, libraries) = argument_checks.check_day(valid_at), self._narrowed(heuristics)
        now = recall_results.as_of(day, self._clock)
        found = [
            likeness
            for library in libraries
            for likeness in library.fuzzy_query(
                text, rest, reader=Persona.SUBCONSCIOUS, as_of=now, until=day
            )
        ]
        rules = libraries[0].heuristics(Persona.SUBCONSCIOUS, rest)
        return fuzzy.ordered(found)[: rules.top_k]

    def loops(self, persona: str = Persona.ACTOR, *, valid_at: str = "") -> list[LoopSummary]:
        library = self.library(persona)
        window = library.heuristics(Persona.SUBCONSCIOUS, {}).stm_window_size
        return library.summaries(window, until=argument_checks.check_day(valid_at))

    def skills(self, persona: str = "", *, valid_at: str = "") -> list[Skill]:
        """Of both personas, or of one; as sure as they are by now or on a day."""
        day = argument_checks.check_day(valid_at)
        now = recall_results.as_of(day, self._clock)
        libraries = [self.library(persona)] if persona else self._libraries.values()
        found = (skill for library in libraries for skill in library.skills(until=day))
        return [skills.faded(each, now) for each in found]

    def status(self, event_id: str) -> str:
        """`embedded`, `pending_embedding` or `pending_derivation`."""
        return self.library(self.get_by_id(event_id).persona).status(event_id)

    def coverage(self, persona: str = Persona.ACTOR) -> Coverage:
        """How far the derived layers of a persona have come."""
        return self.library(persona).coverage()

    def library(self, persona: str) -> Library:
        if persona not in list(Persona):
            raise InputError(f"the persona must be one of {', '.join(Persona)}")
        return self._libraries[Persona(persona)]

    def _narrowed(self, options: Options | None) -> tuple[dict[str, object], list[Library]]:
        rest = dict(options or {})
        persona = rest.pop("persona", None)
        if persona is None:
            return rest, list(self._libraries.values())
        return rest, [self.library(str(persona))]
