"""Maintenance policy: summaries, compaction, skills, threads; how memory is kept small."""

from enum import StrEnum
from typing import Annotated, Final

import msgspec

from muniment.model.errors import PolicyError

Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Ppm = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
WHOLE: Final = 1_000_000


class Resolution(StrEnum):
    """How much of its source a summary keeps."""

    MICRO = "micro"
    MESO = "meso"
    MACRO = "macro"


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """How long a summary may be."""

    sentences_max: int
    tokens_max: int


class Compaction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When memory is summarised, how short, what is alike, and what becomes a skill."""

    micro_sentences: Count = 3
    micro_tokens: Count = 100
    meso_tokens: Count = 500
    macro_tokens: Count = 1_000
    quality_min_ppm: Ppm = 700_000
    saving_min_ppm: Ppm = 250_000  # of the tokens of what leaves: below, nothing is summarised
    chunk_tokens: Count = 2_000
    episode_steps: Count = 50  # an episode is summarised after so many of its items,
    episode_tokens: Count = 2_000  # or after so many tokens of them
    tail_items: Count = 16  # of working memory, that one summary stands for
    alike_ppm: Ppm = 850_000  # from here on two texts with equal values say the same
    half_life_days: Count = 30
    enable_skill_extraction: bool = True
    skill_repeats_min: Annotated[int, msgspec.Meta(ge=2, le=1_000)] = 3
    skills_max: Count = 1_000

    def limit(self, resolution: Resolution) -> Limit:
        sentences = {Resolution.MICRO: self.micro_sentences}
        tokens = {
            Resolution.MICRO: self.micro_tokens,
            Resolution.MESO: self.meso_tokens,
            Resolution.MACRO: self.macro_tokens,
        }
        return Limit(
            sentences_max=sentences.get(resolution, tokens[resolution]),
            tokens_max=tokens[resolution],
        )


class Threading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a conversation has ended, and when another one goes on with it."""

    inactivity_timeout_minutes: Count = 30
    channel_timeouts_minutes: dict[str, Count] = {}
    keyword_weight_ppm: Ppm = 300_000
    entity_weight_ppm: Ppm = 300_000
    topic_weight_ppm: Ppm = 200_000
    recency_weight_ppm: Ppm = 200_000
    link_above_ppm: Ppm = 700_000
    recency_half_life_hours: Count = 24
    candidates_max: Count = 16
    retune_decisions: Count = 100
    episode_turns: Count = 50
    episode_hours: Count = 24
    threads_open_max: Count = 64

    def __post_init__(self) -> None:
        weights = (
            self.keyword_weight_ppm,
            self.entity_weight_ppm,
            self.topic_weight_ppm,
            self.recency_weight_ppm,
        )
        if sum(weights) != WHOLE:
            raise PolicyError("Expected the four weights of `threads` to add up to 1000000")
