"""Thread rules: when a thread continues, when a new one begins, and links between them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from muniment.model import ids
from muniment.model.fixed_point import MILLION, halved_ppm
from muniment.model.kinds.thread import Assessment, TextTopics, Thread, ThreadLink
from muniment.model.policy.maintenance import Threading
from muniment.model.text import sentences as text_sentences

MINUTE_MS: Final = 60_000
HOUR_MS: Final = 3_600_000
WORDS_MAX: Final = 64  # of a thread: what it spoke of most
TOPICS_MAX: Final = 12
TRIED_PPM: Final = tuple(range(400_000, 950_001, 50_000))  # thresholds that a retune tries


class Tuning(msgspec.Struct, frozen=True, kw_only=True):
    """How two thresholds do on the same decisions."""

    before_ppm: int
    after_ppm: int
    accuracy_before_ppm: int
    accuracy_after_ppm: int
    false_links_before: int
    false_links_after: int
    missed_links_before: int
    missed_links_after: int


def timeout_minutes(policy: Threading, channel: str, *, user: int = 0, thread: int = 0) -> int:
    """The nearest word counts: the thread's own, the user's, the channel's, everybody's."""
    return (
        thread
        or user
        or policy.channel_timeouts_minutes.get(channel, 0)
        or policy.inactivity_timeout_minutes
    )


def has_ended(last_activity_at: str, at: str, timeout: int) -> bool:
    """Whether the silence was longer than the timeout; without a clock no time passes."""
    if not (at and last_activity_at and timeout):
        return False
    return ids.time_ms(at) - ids.time_ms(last_activity_at) > timeout * MINUTE_MS


def is_old(opened_at: str, at: str, hours: int) -> bool:
    if not (at and opened_at):
        return False
    return ids.time_ms(at) - ids.time_ms(opened_at) >= hours * HOUR_MS


def words(text: str) -> TextTopics:
    said = Counter(text_sentences.terms(text))
    sentences = text_sentences.sentences(text)
    named = sorted({value for each in sentences for value in text_sentences.values(each)})
    return TextTopics(
        keywords=tuple(sorted(said)),
        entities=tuple(named),
        topics=_most(said, TOPICS_MAX),
    )


def told(thread: Thread, text: str) -> Thread:
    """A thread that has also said this: its most frequent words and every name so far."""
    said = Counter(thread.counts)
    said.update(text_sentences.terms(text))
    spoken = words(text)
    named = dict.fromkeys((*spoken.entities, *thread.entities))
    return msgspec.structs.replace(
        thread,
        counts={word: said[word] for word in sorted(_most(said, WORDS_MAX))},
        entities=tuple(named)[:WORDS_MAX],
    )


def score(
    spoken: TextTopics, other: Thread, *, at: str, policy: Threading
) -> tuple[int, int, int, int, int]:
    """0.3 keyword + 0.3 entity + 0.2 topic + 0.2 recency, and the four parts, in millionths."""
    keyword = _share(spoken.keywords, other.counts)
    # Who names nobody is judged by what they speak of.
    entity = _share(spoken.entities, dict.fromkeys(other.entities, 1))
    entity = entity if spoken.entities else keyword
    topics = dict.fromkeys(_most(Counter(other.counts), TOPICS_MAX), 1)
    topic = _share(spoken.topics, topics, of=min(len(spoken.topics), len(topics)))
    recency = _recency(other.last_activity_at, at, policy.recency_half_life_hours)
    weighed = (
        keyword * policy.keyword_weight_ppm
        + entity * policy.entity_weight_ppm
        + topic * policy.topic_weight_ppm
        + recency * policy.recency_weight_ppm
    )
    return weighed // MILLION, keyword, entity, topic, recency


def judge(n: int, parts: Sequence[int], threshold_ppm: int, model: Assessment | None) -> ThreadLink:
    """Score and model side by side; where they disagree the surer of the two decides."""
    scored, keyword, entity, topic, recency = parts
    by_score = scored > threshold_ppm
    link = ThreadLink(
        n=n,
        score_ppm=scored,
        keyword_ppm=keyword,
        entity_ppm=entity,
        topic_ppm=topic,
        recency_ppm=recency,
        threshold_ppm=threshold_ppm,
        linked=by_score,
    )
    if model is None:
        return link
    confidence = min(max(round(model.confidence * MILLION), 0), MILLION)
    value = confidence if model.related else MILLION - confidence
    disagreed = model.related != by_score
    sure = scored if by_score else MILLION - scored
    by_model = disagreed and confidence > sure
    return msgspec.structs.replace(
        link,
        linked=model.related if by_model else by_score,
        by="model" if by_model else "score",
        model_ppm=value,
        disagreed=disagreed,
    )


def retuned(links: Sequence[ThreadLink], threshold_ppm: int) -> Tuning:
    """The threshold that would have been right most often, the nearest one where several are."""
    best = min(
        {*TRIED_PPM, threshold_ppm},
        key=lambda tried: (-_accuracy(links, tried), abs(tried - threshold_ppm), tried),
    )
    false_before, missed_before = _errors(links, threshold_ppm)
    false_after, missed_after = _errors(links, best)
    return Tuning(
        before_ppm=threshold_ppm,
        after_ppm=best,
        accuracy_before_ppm=_accuracy(links, threshold_ppm),
        accuracy_after_ppm=_accuracy(links, best),
        false_links_before=false_before,
        false_links_after=false_after,
        missed_links_before=missed_before,
        missed_links_after=missed_after,
    )


def truth(link: ThreadLink) -> bool:
    """What turned out: a person's word, else the model's, else what was decided."""
    if link.settled is not None:
        return link.settled
    return link.model_ppm > MILLION // 2 if link.model_ppm >= 0 else link.linked


def _accuracy(links: Sequence[ThreadLink], threshold_ppm: int) -> int:
    wrong = sum(_errors(links, threshold_ppm))
    return (len(links) - wrong) * MILLION // len(links) if links else MILLION


def _errors(links: Sequence[ThreadLink], threshold_ppm: int) -> tuple[int, int]:
    """Linked although they did not belong together; missed although they did."""
    told_linked = [(link.score_ppm > threshold_ppm, truth(link)) for link in links]
    return told_linked.count((True, False)), told_linked.count((False, True))


def _share(spoken: Sequence[str], known: Mapping[str, int], *, of: int = 0) -> int:
    both = sum(1 for word in spoken if word in known)
    whole = of or len(spoken)
    return min(both * MILLION // whole, MILLION) if whole else 0


def _recency(last_activity_at: str, at: str, half_life_hours: int) -> int:
    if not (at and last_activity_at):
        return MILLION
    silence = max(ids.time_ms(at) - ids.time_ms(last_activity_at), 0)
    return halved_ppm(silence, half_life_hours * HOUR_MS)


def _most(said: Mapping[str, int], most: int) -> tuple[str, ...]:
    return tuple(sorted(said, key=lambda word: (-said[word], word))[:most])
