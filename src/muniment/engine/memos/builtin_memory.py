"""The built-in memory types: each one a layer of the log behind the same five intents."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from muniment.engine.memos.type_host import TypeHost
from muniment.engine.projections.memory_type_registry import (
    LIMIT,
    Asked,
    Capacity,
    Forgotten,
    Memorized,
    MemoryType,
    Mode,
    TypeAnswer,
    limit_of,
    then_of,
)
from muniment.engine.search import recall_results
from muniment.model.errors import RefusedError
from muniment.model.kinds.conversation_item import Kind
from muniment.model.kinds.memo import Memo, MemoPlace
from muniment.model.kinds.skill import Skill
from muniment.model.policy.maintenance import Limit
from muniment.model.text.tokens import estimate_tokens, tokens
from muniment.retrieval.ranking import word_overlap
from muniment.rules.memos import summarise

WINDOW: Final = 2_000  # how many of the newest a search looks at
MATTERS_PPM: Final = 500_000  # of what nobody has weighed
READ_ONLY: Final = ("remember", "summarize", "get_capacity_info")


class BuiltinType:
    """What the built-in types share: asked for little, they say little."""

    name = ""

    def __init__(self, host: TypeHost) -> None:
        self.host = host

    def memorize(self, item: Mapping[str, object], metadata: Asked = None) -> Memorized:
        """What a type does not take by name goes where the gate sends it."""
        return self.host.memorize(item, metadata)

    def remember(self, prompt: str, metadata: Asked = None) -> Sequence[TypeAnswer]:
        raise NotImplementedError

    def forget(self, instructions: str, mode: Mode = "soft") -> Forgotten:
        raise RefusedError("phrase_unknown", f"{self.name} forgets by its own rules")

    def summarize(self, scope: str = "", token_limit: int = 100) -> str:
        """What it would say about the scope, told by its own sentences that say most."""
        texts = [" ".join(found.text.split()) for found in self.remember(scope)]
        limit = Limit(sentences_max=len(texts) * LIMIT, tokens_max=max(token_limit, 1))
        return summarise.summarise(texts, limit).text

    def get_capacity_info(self) -> Capacity:
        found = self.remember("", {"limit": WINDOW})
        return Capacity(items=len(found), tokens=sum(each.tokens for each in found))

    def _said(self, found_id: str, text: str, **more: int | str) -> TypeAnswer:
        return TypeAnswer(
            id=found_id,
            layer=self.name,
            text=text,
            tokens=estimate_tokens(text),
            importance_ppm=int(more.get("importance", MATTERS_PPM)),
            created=str(more.get("created", "")),
            authority=str(more.get("authority", "model")),
            similarity_ppm=int(more.get("similarity", 0)),
        )


class MemoStore(BuiltinType):
    """A place of memos: kept by name, forgotten by the phrases of that place."""

    place = MemoPlace.EM

    def memorize(self, item: Mapping[str, object], metadata: Asked = None) -> Memorized:
        return self.host.memorize(item, metadata, store=self.place)

    def forget(self, instructions: str, mode: Mode = "soft") -> Forgotten:
        return self.host.forget_memos(self.place, instructions, mode=mode)

    def remember(self, prompt: str, metadata: Asked = None) -> Sequence[TypeAnswer]:
        """What answers the prompt best, of all that lives here; without words, the newest."""
        limit, then = limit_of(metadata), then_of(metadata)
        if not limit:
            return []
        if not tokens(prompt):
            newest = self.host.memos(self.place, limit=limit, **then)
            return [found(self.name, memo, 0) for memo in newest]
        as_of = str((metadata or {}).get("as_of", ""))
        best = self.host.search(self.place, prompt, limit, as_of, **then)
        return [found(self.name, memo, score_ppm) for memo, score_ppm in best]


class WorkingMemoryType(MemoStore):
    name, place = "working", MemoPlace.WM

    def remember(self, prompt: str, metadata: Asked = None) -> Sequence[TypeAnswer]:
        """The newest first, whatever was asked: a scratchpad is small, and all of it is near."""
        held = list(reversed(self.host.memos(MemoPlace.WM, **then_of(metadata))))
        words = frozenset(tokens(prompt))
        return [
            found(self.name, memo, word_overlap.overlap_score(memo.text, words)[0])
            for memo in held[: limit_of(metadata)]
        ]

    def get_capacity_info(self) -> Capacity:
        held = self.host.memos(MemoPlace.WM)
        limits = self.host.gating
        return Capacity(
            items=len(held),
            tokens=sum(memo.tokens_estimate for memo in held),
            items_max=limits.working_items_max,
            tokens_max=limits.working_tokens_max,
            policy=limits.working_policy,
        )


class Episodic(MemoStore):
    name, place = "episodic", MemoPlace.EM

    def get_capacity_info(self) -> Capacity:
        counts = self.host.counts
        return Capacity(
            items=counts.episodic,
            tokens=_tokens(self.host.memos(self.place)),
            items_max=self.host.gating.episodic_items_max,
            policy="append_only",
        )


class Semantic(MemoStore):
    name, place = "semantic", MemoPlace.SM

    def get_capacity_info(self) -> Capacity:
        counts = self.host.counts
        return Capacity(
            items=counts.semantic,
            tokens=_tokens(self.host.memos(self.place)),
            items_max=self.host.gating.semantic_items_max,
            policy="least_important",
        )


class Experience(BuiltinType):
    """Sentences that were remembered outside of any gate: the first document's episodes."""

    name = "remembered"

    def remember(self, prompt: str, metadata: Asked = None) -> Sequence[TypeAnswer]:
        then, limit = then_of(metadata), limit_of(metadata)
        if tokens(prompt):
            asked = recall_results.EpisodicQuery(text=prompt, max_results=limit)
            hits = recall_results.episodic_query(self.host.episodes(WINDOW, **then), asked)
            return [
                self._said(
                    each.entry.episodic_id,
                    each.entry.summary,
                    similarity=each.score_ppm,
                    created=each.entry.created_seeded_ts,
                    authority="user",
                )
                for each in hits
            ]
        newest = recall_results.newest(self.host.episodes(limit, **then))
        return [self._said(hit.id, hit.told, created=hit.created) for hit in newest]


class ConsolidatedType(BuiltinType):
    name = "consolidated"

    def remember(self, prompt: str, metadata: Asked = None) -> Sequence[TypeAnswer]:
        words = frozenset(tokens(prompt))
        return [
            self._said(item_id, text, similarity=word_overlap.overlap_score(text, words)[0])
            for item_id, text in self.host.consolidated_texts(**then_of(metadata))[
                : limit_of(metadata)
            ]
        ]


class Facts(BuiltinType):
    """Governed facts: only the council writes them."""

    name = "facts"

    def remember(self, prompt: str, metadata: Asked = None) -> Sequence[TypeAnswer]:
        words = frozenset(tokens(prompt))
        facts = self.host.governed(**then_of(metadata))
        said = [
            self._said(
                fact.key,
                text := recall_results.fact_text(fact),
                similarity=word_overlap.overlap_score(
                    text.replace("/", " ").replace("_", " "), words
                )[0],
                created=fact.last_updated,
                authority="approved",
                importance=1_000_000,
            )
            for fact in facts
        ]
        return _best(said)[: limit_of(metadata)]


class Goals(BuiltinType):
    """What the agent is about: the frontal cortex as far as a memory holds it."""

    name = "goals"

    def remember(self, prompt: str, metadata: Asked = None) -> Sequence[TypeAnswer]:
        del prompt
        return [
            self._said(
                goal.goal_id, f"{goal.text} ({goal.progress_ppm // 10_000} %)", authority="user"
            )
            for goal in self.host.aims(**then_of(metadata))[: limit_of(metadata)]
        ]


class Mandates(BuiltinType):
    """What consciousness insists on."""

    name = "consciousness"

    def remember(self, prompt: str, metadata: Asked = None) -> Sequence[TypeAnswer]:
        del prompt
        told = self.host.mandates(then_of(metadata)["at"])  # rules, which have no day
        return [
            self._said(each.name, each.text, authority="system", importance=1_000_000)
            for each in told[: limit_of(metadata)]
            if each.text
        ]


class SkillsType(BuiltinType):
    name = "skills"

    def remember(self, prompt: str, metadata: Asked = None) -> Sequence[TypeAnswer]:
        words = frozenset(tokens(prompt))
        said = [
            self._said(
                skill.skill_id,
                f"{skill.name}: {', '.join(skill.steps)}",
                similarity=word_overlap.overlap_score(_about(skill), words)[0],
                importance=skill.confidence_ppm,
                created=skill.last_seen,
            )
            for skill in self.host.skills(**then_of(metadata))
        ]
        return _best(said)[: limit_of(metadata)]


class ConversationType(BuiltinType):
    """Recent dialogue: the messages of a session's window, and the summary of those before."""

    name = "conversation"

    def remember(self, prompt: str, metadata: Asked = None) -> Sequence[TypeAnswer]:
        return self._of(Kind.SHORT_TERM, prompt, metadata)

    def _of(self, kind: Kind, prompt: str, metadata: Asked) -> Sequence[TypeAnswer]:
        words = frozenset(tokens(prompt))
        return [
            self._said(
                item.id,
                item.text,
                similarity=word_overlap.overlap_score(item.text, words)[0],
                importance=min(item.importance, 7) * 1_000_000 // 7,
                authority=str(item.source),
            )
            for item in self.host.session_items(kind, limit_of(metadata), **then_of(metadata))
        ]


class Profile(ConversationType):
    """Soft facts about the user, as conversations taught them."""

    name = "profile"

    def remember(self, prompt: str, metadata: Asked = None) -> Sequence[TypeAnswer]:
        return self._of(Kind.PROFILE, prompt, metadata)


class ThreadsType(BuiltinType):
    """What was said in the thread of this job's channel, and in those it goes on with."""

    name = "threads"

    def remember(self, prompt: str, metadata: Asked = None) -> Sequence[TypeAnswer]:
        words = frozenset(tokens(prompt))
        return [
            found(self.name, memo, word_overlap.overlap_score(memo.text, words)[0])
            for memo in self.host.said(limit_of(metadata), **then_of(metadata))
        ]


def _about(skill: Skill) -> str:
    return f"{skill.name} {' '.join(skill.preconditions)}"


def found(layer: str, memo: Memo, similarity_ppm: int) -> TypeAnswer:
    return TypeAnswer(
        id=memo.id,
        layer=layer,
        text=memo.text,
        tokens=memo.tokens_estimate,
        similarity_ppm=similarity_ppm,
        importance_ppm=memo.importance_ppm,
        created=memo.timestamp,
        authority=memo.source,
        memo=memo,
    )


def _best(said: Iterable[TypeAnswer]) -> list[TypeAnswer]:
    return sorted(said, key=lambda each: (-each.similarity_ppm, each.id))


def _tokens(living: Iterable[Memo]) -> int:
    return sum(memo.tokens_estimate for memo in living)


def _kind(store: type[BuiltinType], description: str, *, read_only: bool = False) -> MemoryType:
    intents = {"capabilities": READ_ONLY} if read_only else {}
    return MemoryType(
        name=store.name, version="1", factory=store, description=description, **intents
    )


# In the order in which a context asks them: what is always so, what is at hand, what is known.
BUILT_IN: Final = (
    _kind(Mandates, "what consciousness insists on", read_only=True),
    _kind(ConversationType, "the recent turns of a session", read_only=True),
    _kind(WorkingMemoryType, "the scratchpad of a task"),
    _kind(Goals, "what the agent is about", read_only=True),
    _kind(Episodic, "what happened, in order"),
    _kind(Semantic, "what was distilled, with versions"),
    _kind(Facts, "what the council approved", read_only=True),
    _kind(Profile, "what conversations taught about the user", read_only=True),
    _kind(ConsolidatedType, "what a session holds together", read_only=True),
    _kind(SkillsType, "what was done the same way often enough", read_only=True),
    _kind(Experience, "sentences that were remembered", read_only=True),
    _kind(ThreadsType, "what was said on a job's channel", read_only=True),
)
