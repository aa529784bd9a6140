"""Requirements of seeds 002 and 003: how each is broken, and the test that sees it."""

from typing import Final

from tests.planted.bugs import PlantedBug

BROKEN: Final = (
    PlantedBug(
        "C-007 what was said already has no mirror",
        "engine/projections/loop_mirror.py",
        "        commands = [self._mirror(source, line) for line in owed]\n",
        "        commands = [self._mirror(source, line) for line in owed[1:]]\n",
        "tests/behaviour/seed_002/test_mirror.py::test_every_event_has_exactly_one_compact_entry",
    ),
    PlantedBug(
        "C-007 a mirror is not compact",
        "rules/loop_compaction.py",
        '    return shorten(" ".join(event.words.split()), COMPACT_CHARACTERS_MAX)',
        '    return " ".join(event.words.split())',
        "tests/behaviour/seed_002/test_mirror.py::test_every_event_has_exactly_one_compact_entry",
    ),
    PlantedBug(
        "C-007 the mirror is searched by words alone",
        "engine/session/loop_reader.py",
        "        order = ranking.by_itself(index.recipe.likeness_ppm)\n",
        "        order = ranking.by_itself(2_000_000)\n",
        "tests/behaviour/seed_002/test_mirror.py::test_the_mirror_is_found_by_words_and"
        "_by_likeness",
    ),
    PlantedBug(
        "C-039 a vector that failed is not owed",
        "engine/projections/loop_mirror.py",
        '            return "", b""\n        return (embedder',
        "            return embedder.name, bytes(embedder.dims)\n        return (embedder",
        "tests/behaviour/seed_002/test_failures.py::test_an_embedder_that_fails_leaves_"
        "pending_embedding_and_the_event",
    ),
    PlantedBug(
        "C-039 a derivation that failed is not owed",
        "engine/projections/loop_mirror.py",
        "            return DeferMirror(source_id=event.id, reason=DERIVATION_FAILED)\n",
        '            summary = ""\n',
        "tests/behaviour/seed_002/test_failures.py::test_a_derivation_that_fails_leaves"
        "_pending_derivation_and_the_event",
    ),
    PlantedBug(
        "C-045 visibility is not the identity's",
        "retrieval/scoring/fuzzy.py",
        "            * heuristics.visibility_boosts_ppm.get(mark.visibility, ONE),\n",
        "            * Heuristics().visibility_boosts_ppm.get(mark.visibility, ONE),\n",
        "tests/behaviour/seed_002/test_loop_summaries.py::test_the_numbers_of_a_search_"
        "come_from_the_identity",
    ),
    PlantedBug(
        "C-045 kinds are not the identity's",
        "retrieval/scoring/fuzzy.py",
        "            heuristics.kind_boosts_ppm.get(mark.kind, ONE)\n",
        "            Heuristics().kind_boosts_ppm.get(mark.kind, ONE)\n",
        "tests/behaviour/seed_002/test_loop_summaries.py::test_the_numbers_of_a_search_"
        "come_from_the_identity",
    ),
    PlantedBug(
        "C-047 age is from the loop's beginning",
        "retrieval/scoring/fuzzy.py",
        "ids.time_ms(as_of) - ids.time_ms(summary.ts_end)",
        "ids.time_ms(as_of) - ids.time_ms(summary.ts_start)",
        "tests/behaviour/seed_002/test_loop_summaries.py::test_the_numbers_of_a_search_"
        "come_from_the_identity",
    ),
    PlantedBug(
        "C-047 the half-life is not the identity's",
        "retrieval/scoring/fuzzy.py",
        "halved_ppm(age_ms, heuristics.recency_half_life_seconds * 1000)",
        "halved_ppm(age_ms, 86_400_000)",
        "tests/behaviour/seed_002/test_loop_summaries.py::test_the_numbers_of_a_search_"
        "come_from_the_identity",
    ),
    PlantedBug(
        "C-048 the boost is not multiplied",
        "retrieval/scoring/fuzzy.py",
        "score_ppm=rounded(weighed * boost, MILLION * MILLION)",
        "score_ppm=rounded(weighed, MILLION)",
        "tests/behaviour/seed_002/test_loop_summaries.py::test_the_numbers_of_a_search_"
        "come_from_the_identity",
    ),
    PlantedBug(
        "D-017 a summary has no limit",
        "engine/decide/memos/compaction.py",
        "    summary = summarise.summarise(texts, rules.limit(resolution), _says_something)\n",
        "    summary = summarise.summarise(texts, rules.limit(resolution).__class__(tok"
        "ens_max=10_000, sentences_max=500), _says_something)\n",
        "tests/behaviour/seed_003/test_compaction.py::test_past_work_becomes_a_short_ab"
        "straction_and_a_skill",
    ),
    PlantedBug(
        "D-017 a model may be as long as it likes",
        "engine/decide/memos/compaction.py",
        " and told.tokens <= rules.macro_tokens:",
        ":",
        "tests/behaviour/seed_003/test_compaction.py::test_words_of_a_model_that_are_to"
        "o_long_are_not_taken",
    ),
    PlantedBug(
        "D-017 no skill is kept",
        "engine/maintenance/compaction.py",
        "                self._session.append(_skill(skill, subject))\n",
        "",
        "tests/behaviour/seed_003/test_compaction.py::test_past_work_becomes_a_short_ab"
        "straction_and_a_skill",
    ),
    PlantedBug(
        "D-022 no rolling summary",
        "engine/context/conversation_candidates.py",
        "        if item.kind is Kind.SHORT_TERM\n    ]\n    return said",
        "        if item.kind is Kind.SHORT_TERM and not item.meta.summary_of\n"
        "    ]\n"
        "    return said",
        "tests/behaviour/seed_003/test_memory_types.py::test_the_conversation_is_the_re"
        "cent_turns_and_a_rolling_summary_of_the_others",
    ),
    PlantedBug(
        "D-032 the buffer is of one speaker",
        "engine/context/conversation_candidates.py",
        "        if item.kind is Kind.SHORT_TERM\n    ]\n    return said",
        '        if item.kind is Kind.SHORT_TERM and item.source != "user"\n    ]\n    return said',
        "tests/behaviour/seed_003/test_memory_types.py::test_the_conversation_is_the_re"
        "cent_turns_and_a_rolling_summary_of_the_others",
    ),
    PlantedBug(
        "D-048 an access is not told",
        "engine/audit/provenance.py",
        "    Recalled: RECALLED,\n",
        "",
        "tests/behaviour/seed_003/test_turns.py::test_an_item_tells_when_it_was_made_re"
        "ad_changed_and_deleted",
    ),
    PlantedBug(
        "D-048 a deletion is not told",
        "engine/audit/provenance.py",
        "    MemosForgotten: ENDED,\n",
        "",
        "tests/behaviour/seed_003/test_turns.py::test_an_item_tells_when_it_was_made_re"
        "ad_changed_and_deleted",
    ),
    PlantedBug(
        "D-048 a change is not told",
        "engine/audit/provenance.py",
        "    MemoMarked: CHANGED,\n",
        "",
        "tests/behaviour/seed_003/test_turns.py::test_an_item_tells_when_it_was_made_re"
        "ad_changed_and_deleted",
    ),
    PlantedBug(
        "D-098 a retention is only stored",
        "engine/decide/memos/keep.py",
        "now.desk.policy.gating.retention_seconds.get(command.retention)]",
        "None]",
        "tests/behaviour/one_memory/test_expiry.py",
    ),
    PlantedBug(
        "D-099 a ttl is only stored",
        "engine/decide/memos/keep.py",
        "    lasts = [command.ttl, now",
        "    lasts = [None, now",
        "tests/behaviour/one_memory/test_expiry.py",
    ),
    PlantedBug(
        "D-100 an embedding is only stored",
        "engine/projections/index.py",
        "        if len(offered.embedding) == self.embedder.dims:",
        "        if len(offered.embedding) == -1:",
        "tests/behaviour/one_memory/test_expiry.py::test_a_vector_that_comes_with_a_mem"
        "o_is_the_one_it_is_found_by",
    ),
    PlantedBug(
        "D-114 k1 is one less",
        "retrieval/context/bundle.py",
        "        *decayed[: rules.episodic_candidates],",
        "        *decayed[: rules.episodic_candidates - 1],",
        "tests/behaviour/seed_003/test_contexts.py::test_the_pools_hold_the_newest_the_"
        "k1_and_the_k2_best",
    ),
    PlantedBug(
        "D-114 k1 is one more",
        "retrieval/context/bundle.py",
        "        *decayed[: rules.episodic_candidates],",
        "        *decayed[: rules.episodic_candidates + 1],",
        "tests/behaviour/seed_003/test_contexts.py::test_the_pools_hold_the_newest_the_"
        "k1_and_the_k2_best",
    ),
    PlantedBug(
        "D-114 episodes do not fade",
        "retrieval/context/bundle.py",
        "    return candidate.similarity_ppm * recency // MILLION",
        "    return candidate.similarity_ppm",
        "tests/behaviour/seed_003/test_ranking.py::test_the_pool_of_episodes_holds_what"
        "_is_alike_and_has_not_faded",
    ),
    PlantedBug(
        "D-138 novelty is not against what is kept",
        "rules/memos/gate.py",
        "    novelty = WHOLE_PPM - item.likeness_ppm\n",
        "    novelty = WHOLE_PPM\n",
        "tests/behaviour/seed_003/test_gate.py::test_what_is_nearly_said_already_is_les"
        "s_new_and_the_same_words_are_not_kept_twice",
    ),
    PlantedBug(
        "D-138 size is not weighed",
        "rules/memos/gate.py",
        "        tokens=item.tokens,\n",
        "        tokens=1,\n",
        "tests/behaviour/seed_003/test_gate.py::test_importance_is_five_things_added_up"
        "_and_novelty_and_size_stand_beside_it",
    ),
    PlantedBug(
        "D-138 a weight is another's",
        "rules/memos/gate.py",
        "        + actionability * gating.actionability_weight_ppm\n",
        "        + actionability * gating.novelty_weight_ppm\n",
        "tests/behaviour/seed_003/test_gate.py::test_importance_is_five_things_added_up"
        "_and_novelty_and_size_stand_beside_it",
    ),
    PlantedBug(
        "D-146 actions are kept as skills",
        "rules/memos/gate.py",
        "    MemoType.ACTION: (MemoPlace.EM,),\n    MemoType.TOOL",
        "    MemoType.ACTION: (MemoPlace.SM,),\n    MemoType.TOOL",
        "tests/behaviour/seed_003/test_routing.py::test_skills_are_routed_to_semantic_m"
        "emory_with_precision_and_recall",
    ),
    PlantedBug(
        "D-146 a step of the moment is a skill",
        "rules/memos/gate.py",
        "if item.kind in DISTILLED and not item.keyed and _OF_THE",
        "if item.kind is MemoType.FACT and not item.keyed and _OF_THE",
        "tests/behaviour/seed_003/test_routing.py::test_skills_are_routed_to_semantic_m"
        "emory_with_precision_and_recall",
    ),
    PlantedBug(
        "D-153 a compaction may grow",
        "engine/decide/memos/compaction.py",
        "    return after < before and before - after >= least",
        "    return after < 10_000 + before",
        "tests/behaviour/seed_003/test_compaction.py::test_a_summary_that_would_be_adde"
        "d_on_top_is_not_kept",
    ),
    PlantedBug(
        "D-154 what a summary does not say leaves",
        "engine/decide/memos/compaction.py",
        "    return named and summarise.keeps_words_ppm(memo.text, summary) >= WORDS_KEPT_PPM",
        "    return named or bool(summary)",
        "tests/behaviour/seed_003/test_compaction.py::test_summaries_keep_the_golden_qu"
        "estions_answerable_within_two_percent",
    ),
)
