"""What type checkers see of `lazy_modules`: each module from where it lies."""

from muniment.engine.audit import provenance as provenance
from muniment.engine.context import builtin_candidates as builtin_candidates
from muniment.engine.context import conversation_candidates as conversation_candidates
from muniment.engine.conversation import item_conversation as item_conversation
from muniment.engine.decide import confirmations as confirmations
from muniment.engine.decide import council as council
from muniment.engine.decide import documents as documents
from muniment.engine.decide import episodes as episodes
from muniment.engine.decide import jobs as jobs
from muniment.engine.decide import loops as loops
from muniment.engine.decide import policy as policy
from muniment.engine.decide import privacy as privacy
from muniment.engine.decide import receipts as receipts
from muniment.engine.decide import records as records
from muniment.engine.decide import working_memory as working_memory
from muniment.engine.decide.conversation import phases as phases
from muniment.engine.decide.conversation import record as record
from muniment.engine.decide.conversation import space_promotion as space_promotion
from muniment.engine.decide.conversation import space_writer as space_writer
from muniment.engine.decide.evidence import branches as branches
from muniment.engine.decide.evidence import holds as holds
from muniment.engine.decide.evidence import rollback as rollback
from muniment.engine.decide.exchange import carry as carry
from muniment.engine.decide.memos import compaction as compaction
from muniment.engine.decide.memos import extraction as extraction
from muniment.engine.decide.memos import forget as forget
from muniment.engine.decide.memos import keep as keep
from muniment.engine.decide.memos import summaries as summaries
from muniment.engine.decide.memos import threads as threads
from muniment.engine.decide.memos import turn as turn
from muniment.engine.learning import quoted_summaries as quoted_summaries
from muniment.engine.learning import summary_prompt as summary_prompt
from muniment.engine.memos import builtin_memory as builtin_memory
from muniment.engine.memos import turn_trace as turn_trace
from muniment.engine.search import explain as explain
from muniment.engine.session import dry_run as dry_run
from muniment.retrieval.entities import standing_statements as standing_statements
from muniment.retrieval.scoring import fuzzy as fuzzy
from muniment.retrieval.scoring import word_overlap as word_overlap
from muniment.rules import loop_compaction as loop_compaction
from muniment.rules import skills as skills
from muniment.rules.memos import summarise as summarise
from muniment.rules.privacy import screen as screen

WHERE: dict[str, str]
