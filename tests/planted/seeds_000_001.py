"""Requirements of seeds 000 and 001: how each is broken, and the test that sees it."""

from typing import Final

from tests.planted.bugs import PlantedBug

BROKEN: Final = (
    PlantedBug(
        "A-002 a read does not say where it stood",
        "engine/session/agent_session.py",
        "reads={writer.stream.ref: seq} |",
        "reads={writer.stream.ref: 1} |",
        "tests/behaviour/test_brainstate.py::test_every_read_of_a_job_can_be_repeated_f"
        "rom_the_heads_it_stood_on",
    ),
    PlantedBug(
        "A-002 a read of the past sees what came since",
        "engine/session/agent_session.py",
        "        seq = placed(at, desk.seq)\n        there",
        "        seq = placed(None, desk.seq)\n        there",
        "tests/behaviour/test_brainstate.py::test_what_a_job_has_read_is_read_again_at_"
        "the_entry_it_was_read_at",
    ),
    PlantedBug(
        "A-003 the clock lets working memory expire",
        "engine/decide/jobs.py",
        "        if entry not in due and entry.ttl_ticks <= 1\n",
        "        if entry not in due and (entry.ttl_ticks <= 1 or now.received.at)\n",
        "tests/behaviour/test_brainstate.py::test_what_is_decided_does_not_depend_on_the_clock",
    ),
    PlantedBug(
        "A-003 the clock stops promotions",
        "engine/decide/jobs.py",
        "    moved = working_memory.promotions(now, due)\n",
        '    due = due if now.received.at < "2030" else ()\n'
        "    moved = working_memory.promotions(now, due)\n",
        "tests/behaviour/test_brainstate.py::test_what_is_decided_does_not_depend_on_the_clock",
    ),
    PlantedBug(
        "A-035 items are counted, not their tokens",
        "rules/promotion.py",
        "        used += item.token_estimate if fits else 0\n",
        "        used += 1 if fits else 0\n",
        "tests/behaviour/test_consolidated_memory.py::test_the_most_used_items_stay_within_the_cap",
    ),
    PlantedBug(
        "A-035 the cap is not the policy's",
        "engine/decide/working_memory.py",
        "if _size(entry) <= cap)",
        "if _size(entry) <= 512)",
        "tests/behaviour/test_consolidated_memory.py::test_an_item_larger_than_the_whol"
        "e_cap_stays_in_working_memory",
    ),
    PlantedBug(
        "A-076 a search finds inside of keys",
        "engine/search/recall_results.py",
        "if fact.key.startswith(start)]",
        "if start in fact.key]",
        "tests/behaviour/test_governed_facts.py::test_a_prefix_lists_exactly_the_keys_t"
        "hat_begin_with_it_in_their_order",
    ),
    PlantedBug(
        "A-076 a prefix is not made canonical",
        "engine/search/recall_results.py",
        "    start = fact_keys.canonical_prefix(prefix, aliases)\n",
        "    start = prefix\n",
        "tests/behaviour/test_governed_facts.py::test_a_prefix_lists_exactly_the_keys_t"
        "hat_begin_with_it_in_their_order",
    ),
    PlantedBug(
        "A-076 a listing has another order",
        "engine/search/recall_results.py",
        "[released_fact(fact) for fact in facts if",
        "[released_fact(fact) for fact in facts[::-1] if",
        "tests/behaviour/test_governed_facts.py::test_a_prefix_lists_exactly_the_keys_t"
        "hat_begin_with_it_in_their_order",
    ),
    PlantedBug(
        "A-077 a search forgives a letter",
        "engine/search/recall_results.py",
        "if fact.key.startswith(start)]",
        "if fact.key.startswith(start[:-1])]",
        "tests/behaviour/test_governed_facts.py::test_a_prefix_lists_exactly_the_keys_t"
        "hat_begin_with_it_in_their_order",
    ),
    PlantedBug(
        "A-098 an episode has another trace than its job",
        "engine/decide/episodes.py",
        "        trace_id=job.trace_id if job else entry_id,\n        reflective",
        "        trace_id=entry_id,\n        reflective",
        "tests/behaviour/test_brainstate.py::test_every_entry_of_a_job_leads_to_its_trace",
    ),
    PlantedBug(
        "A-098 a read leads to no trace",
        "engine/search/reader.py",
        "        self._session.queue_recall_receipt(call, prefix, evidence, snapshot.re"
        "ads, job=self._job)\n",
        "        self._session.queue_recall_receipt(call, prefix, evidence, snapshot.reads)\n",
        "tests/behaviour/test_brainstate.py::test_every_entry_of_a_job_leads_to_its_trace",
    ),
    PlantedBug(
        "A-104 the raw form is read by anybody",
        "engine/search/recall_results.py",
        "    return told if told.raw is None else msgspec.structs.replace(told, raw=None)",
        "    return told",
        "tests/behaviour/test_privacy.py::test_whoever_reads_gets_the_redacted_form",
    ),
    PlantedBug(
        "A-144 the raw form is in a person's own log",
        "engine/search/recall_results.py",
        "        case EpisodeWritten() as written:\n"
        "            return msgspec.structs.replace(line, event=_cleared(written))\n"
        "        case Received(command=WriteEpisode",
        "        case Received(command=WriteEpisode",
        "tests/behaviour/test_admin.py::test_neither_agents_nor_the_council_have_a_way_"
        "to_the_raw_form",
    ),
    PlantedBug(
        "A-108 facts are hashed as they came",
        "engine/session/fact_access.py",
        '    return sorted(facts, key=attrgetter("key"))',
        '    return sorted(facts, key=attrgetter("seq"))',
        "tests/behaviour/test_governed_facts.py::test_the_snapshot_hash_is_of_the_sorte"
        "d_triples_in_canonical_json",
    ),
    PlantedBug(
        "A-108 the time is not hashed",
        "layers/governance/governed_facts.py",
        "[[each.key, each.value, each.last_updated] for",
        "[[each.key, each.value] for",
        "tests/behaviour/test_governed_facts.py::test_the_snapshot_hash_is_of_the_sorte"
        "d_triples_in_canonical_json",
    ),
    PlantedBug(
        "A-108 a value is not spelled canonically",
        "layers/governance/governed_facts.py",
        "triples = [[each.key, each.value,",
        "triples = [[each.key, str(each.value),",
        "tests/behaviour/test_governed_facts.py::test_the_snapshot_hash_is_of_the_sorte"
        "d_triples_in_canonical_json",
    ),
    PlantedBug(
        "A-113 an episode may have two rows",
        "adapters/storage/sqlite/schema.py",
        "  episodic_id TEXT NOT NULL PRIMARY KEY,\n",
        "  episodic_id TEXT NOT NULL,\n",
        "tests/behaviour/test_open_tables.py::test_the_view_of_a_file_has_the_same_columns",
    ),
    PlantedBug(
        "A-113 an episode may have two rows on a server",
        "adapters/storage/postgres/schema/tables.py",
        "  CONSTRAINT episode_name PRIMARY KEY (tenant, stream, episodic_id),\n",
        "  CONSTRAINT episode_name PRIMARY KEY (tenant, stream, seq, n),\n",
        "tests/behaviour/test_open_tables.py::test_the_view_has_exactly_the_seven_colum"
        "ns_and_their_types",
    ),
    PlantedBug(
        "A-132 an id depends on the process",
        "model/ids.py",
        'episodic\\x00{place}\\x00{counter}")[:16])',
        'episodic\\x00{place}\\x00{counter}{hash(place)}")[:16])',
        "tests/behaviour/test_golden_memory_tests.py::test_m_t7_another_process_gives_the_same_log",
    ),
    PlantedBug(
        "A-132 promotions depend on the process",
        "engine/decide/working_memory.py",
        "    moved = [_promoted(now, entry) for entry in due]\n",
        "    moved = [_promoted(now, entry) for entry in sorted(due, key=lambda e: hash"
        "(e.wm_id))]\n",
        "tests/behaviour/test_golden_memory_tests.py",
    ),
    PlantedBug(
        "B-045 tools outrank the system",
        "model/policy/conversation.py",
        "        Authority.SYSTEM_IMPOSED,\n        Authority.TOOL_VERIFIED,\n",
        "        Authority.TOOL_VERIFIED,\n        Authority.SYSTEM_IMPOSED,\n",
        "tests/behaviour/seed_001/test_conflicts.py::test_the_system_outranks_tools_who"
        "_outrank_people_who_outrank_guesses",
    ),
    PlantedBug(
        "B-046 recency goes before correction",
        "rules/conversation/conflict.py",
        "    if new.corrects != old.corrects:\n",
        "    if new.corrects != old.corrects and new.created_at == old.created_at:\n",
        "tests/behaviour/seed_001/test_conflicts.py::test_a_plain_statement_does_not_un"
        "do_a_correction",
    ),
    PlantedBug(
        "B-046 importance goes before recency",
        "rules/conversation/conflict.py",
        "    if new.created_at != old.created_at:\n",
        "    if new.created_at != old.created_at and new.importance == old.importance:\n",
        "tests/behaviour/seed_001/test_conflicts.py::test_authority_then_correction_the"
        "n_recency_then_importance",
    ),
    PlantedBug(
        "B-046 the larger importance loses",
        "rules/conversation/conflict.py",
        "(new.importance, new.id) > (old.importance, old.id)",
        "(new.importance, new.id) < (old.importance, old.id)",
        "tests/behaviour/seed_001/test_conflicts.py::test_authority_then_correction_the"
        "n_recency_then_importance",
    ),
    PlantedBug(
        "B-047 no correction beats a higher authority",
        "rules/conversation/conflict.py",
        "        if mine < others and _overrides(new, old, writing):",
        "        if False and _overrides(new, old, writing):",
        "tests/behaviour/seed_001/test_conflicts.py",
    ),
    PlantedBug(
        "B-047 a guess corrects",
        "rules/conversation/conflict.py",
        "    if not new.corrects or rank(new.authority, writing) < least:\n",
        "    if not new.corrects:\n",
        "tests/behaviour/seed_001/test_conflicts.py",
    ),
    PlantedBug(
        "B-065 the hash is of ids alone",
        "model/kinds/conversation_item.py",
        "[[item.kind, item.id] for item in items]",
        "[[item.id] for item in items]",
        "tests/behaviour/seed_001/test_recall.py::test_equal_recalls_have_equal_hashes_"
        "and_another_order_has_another",
    ),
    PlantedBug(
        "B-065 the hash is of any order",
        "model/kinds/conversation_item.py",
        "[[item.kind, item.id] for item in items]",
        "sorted([item.kind, item.id] for item in items)",
        "tests/behaviour/seed_001/test_recall.py::test_equal_recalls_have_equal_hashes_"
        "and_another_order_has_another",
    ),
    PlantedBug(
        "B-065 the hash is of words too",
        "model/kinds/conversation_item.py",
        "[[item.kind, item.id] for item in items]",
        "[[item.kind, item.id, item.text] for item in items]",
        "tests/behaviour/seed_001/test_recall.py::test_equal_recalls_have_equal_hashes_"
        "and_another_order_has_another",
    ),
    PlantedBug(
        "B-110 the studio has no plain view",
        "adapters/studio/pages/audit/entry.py",
        '"plain": plain_text.plain(document),',
        '"plain": "",',
        "tests/behaviour/seed_001/test_traces.py::test_the_studio_shows_the_entry_of_ev"
        "ery_trace_plainly",
    ),
    PlantedBug(
        "B-063 a recall is no trace until the next append",
        "engine/conversation/conversation.py",
        "        self._session.flush()  # a recall that no append has taken along is one of them\n",
        "",
        "tests/behaviour/seed_001/test_traces.py",
    ),
)
