"""Lazy modules: the module of a command or a context is imported with its first use.

`.pyi` has the types. Most processes give two or three of the eighty commands.
"""

from muniment.model.lazy_names import lazy_names

WHERE = {
    "asked_to_forget": "muniment.retrieval.languages.asked_to_forget",
    "branches": "muniment.engine.decide.evidence.branches",
    "builtin_candidates": "muniment.engine.context.builtin_candidates",
    "builtin_memory": "muniment.engine.memos.builtin_memory",
    "carry": "muniment.engine.decide.exchange.carry",
    "compaction": "muniment.engine.decide.memos.compaction",
    "confirmations": "muniment.engine.decide.confirmations",
    "conversation_candidates": "muniment.engine.context.conversation_candidates",
    "council": "muniment.engine.decide.council",
    "documents": "muniment.engine.decide.documents",
    "dry_run": "muniment.engine.session.dry_run",
    "episodes": "muniment.engine.decide.episodes",
    "explain": "muniment.engine.search.explain",
    "extraction": "muniment.engine.decide.memos.extraction",
    "forget": "muniment.engine.decide.memos.forget",
    "forget_wishes": "muniment.engine.decide.forget_wishes",
    "fuzzy": "muniment.retrieval.scoring.fuzzy",
    "holds": "muniment.engine.decide.evidence.holds",
    "item_conversation": "muniment.engine.conversation.item_conversation",
    "jobs": "muniment.engine.decide.jobs",
    "keep": "muniment.engine.decide.memos.keep",
    "loop_compaction": "muniment.rules.loop_compaction",
    "loops": "muniment.engine.decide.loops",
    "past_questions": "muniment.engine.search.past_questions",
    "phases": "muniment.engine.decide.conversation.phases",
    "policy": "muniment.engine.decide.policy",
    "privacy": "muniment.engine.decide.privacy",
    "provenance": "muniment.engine.audit.provenance",
    "quoted_summaries": "muniment.engine.learning.quoted_summaries",
    "receipts": "muniment.engine.decide.receipts",
    "record": "muniment.engine.decide.conversation.record",
    "records": "muniment.engine.decide.records",
    "rollback": "muniment.engine.decide.evidence.rollback",
    "screen": "muniment.rules.privacy.screen",
    "skills": "muniment.rules.skills",
    "space_promotion": "muniment.engine.decide.conversation.space_promotion",
    "space_writer": "muniment.engine.decide.conversation.space_writer",
    "standing_statements": "muniment.retrieval.entities.standing_statements",
    "summaries": "muniment.engine.decide.memos.summaries",
    "summarise": "muniment.rules.memos.summarise",
    "summary_prompt": "muniment.engine.learning.summary_prompt",
    "threads": "muniment.engine.decide.memos.threads",
    "turn": "muniment.engine.decide.memos.turn",
    "turn_trace": "muniment.engine.memos.turn_trace",
    "word_overlap": "muniment.retrieval.scoring.word_overlap",
    "working_memory": "muniment.engine.decide.working_memory",
}

__getattr__ = lazy_names(__name__, WHERE, what="lazy module", whole_modules=True)
