// Made from the OpenAPI document by generate.py: change the routes and make it again.

/** Any JSON. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Where the fields of a call stand; of a file they stand in the address, and it is the body. */
export type Said = "address" | "body" | "file";

export type Applied = {
  digest: string;
};

/** Lowest first in the enum, so that its order is the order of weight. */
export type Authority = "ai_inferred" | "system_imposed" | "tool_verified" | "user_asserted";

/** Everything a ranking stood on besides the log: enough to make the same one again. */
export type Basis = {
  index: string;
  embedder: string;
  words: string;
  recipe?: string;
  code?: string;
  as_of?: string;
  results_max?: number;
  considered?: number;
  dropped?: { [name: string]: number };
  valid_at?: string;
  purpose?: string;
  quarantined?: boolean;
  bridges?: [string, string][];
  ended?: [string, string][];
  rewritten?: string;
  reranker?: string;
  reranked?: string[];
  where?: string;
  policy?: string;
};

export type BorderChecked = {
  type: "border_checked";
  action: string;
  from_space: Space;
  to_space?: Space | null;
  allowed: boolean;
  reason: string;
};

/** What a branch added, changed, retired, forgot and refused, by log. */
export type BranchDiff = {
  name: string;
  changes: { [name: string]: Touched[] };
};

/** An open branch: since which entry of the tenant's ops log, and how much it holds. */
export type BranchStatus = {
  name: string;
  opened: number;
  at: string;
  logs: number;
  entries: { [name: string]: number };
  inner?: string[];
};

/** What a turn has used and has left; calls to a model are budgeted elsewhere. */
export type BudgetStatus = {
  budget_tokens: number;
  tokens_used: number;
  tokens_remaining: number;
  events: number;
  time_used_ms: number;
  time_budget_ms: number;
  kept_tokens: number;
  kept_tokens_max: number;
  working_tokens: number;
  working_tokens_max: number;
};

/** What a recall found, best first, with its receipt: `for hit in agent.recall(...)`. */
export type Bundle = {
  hits: Hit[];
  receipt: Receipt;
  considered: number;
};

/** A text that the verifier checks, given the origin and the key of the head. */
export type Bundled = {
  bundle: string;
  head: SignedHead;
};

/** A text that the verifier checks, given the origin and the key of the head. */
export type Certified = {
  certificate: string;
  head: SignedHead;
};

/** One sentence of a summary; on whose word it stands is the least of what it cites. */
export type CitedSentence = {
  text: string;
  citations: SentenceCitation[];
  origin: string;
  section?: string;
  by?: string;
};

/** Sentences, each with the entries behind it; `undo_summary` takes its id. */
export type CitedSummary = {
  kind: string;
  of: string;
  text: string;
  sentences: CitedSentence[];
  summary_id?: string;
  model?: string;
  dropped?: { [name: string]: number };
  waiting?: number;
  reason?: string;
};

/** The result; empty where the namespace was empty. */
export type Cleared = {
  kept: DocumentChange | null;
};

/** The four weights of the score, in millionths: the last one is taken away.

    Relevance weighs most; recency and importance are balanced; redundancy is penalised. */
export type Coefficients = {
  similarity_ppm?: number;
  recency_ppm?: number;
  importance_ppm?: number;
  duplication_ppm?: number;
};

/** Result of a compaction: what was replaced by which summary, and tokens before and after. */
export type Compacted = {
  strategy: string;
  place: string;
  trigger: string;
  done: boolean;
  reason?: string;
  told_by?: string;
  sources?: string[];
  gone?: string[];
  tokens_before?: number;
  tokens_after?: number;
  quality_ppm?: number;
  by?: string;
  fallback?: string;
  seq?: number;
};

export type Confirmation = {
  confirmation_id: string;
  key: string;
  /** Any JSON. */
  value: Json;
  episodic_id: string;
  subject: string;
};

export type ConfirmationAsked = {
  type: "confirmation_asked";
  n: number;
  confirmation_id: string;
  key: string;
  /** Any JSON. */
  value: Json;
  episodic_id: string;
  subject: string;
};

/** A lasting fact that the user is asked to confirm before anything governed happens. */
export type ConfirmationQuestion = {
  confirmation_id: string;
  key: string;
  /** Any JSON. */
  value: Json;
};

export type Consented = {
  consent_id: string;
};

/** One item of consolidated memory; it was promoted from working memory, always. */
export type ConsolidatedItem = {
  cwm_id_item: string;
  /** Any JSON. */
  value: Json;
  promoted_from: string;
  promoted_at_tick: number;
  ttl_ticks_cwm: number;
  token_estimate: number;
  references?: number;
  referenced_at?: number[];
  promoted_from_wm?: boolean;
};

/** What a session holds together over several steps and jobs. */
export type ConsolidatedMemory = {
  cwm_id: string;
  topic: string;
  items: ConsolidatedItem[];
  token_estimate: number;
  ticks?: number;
  touched_seq?: number;
};

/** An argument that never varied; its value as JSON, or empty where none is kept. */
export type Constant = {
  name: string;
  value?: string;
};

/** What a prompt is given: never more tokens than its budget, each line with its reason. */
export type Context = {
  text: string;
  tokens: number;
  budget: number;
  pieces: Selected[];
  sources: { [name: string]: number };
  left_out: number;
  receipt: ContextReceipt;
};

/** What an assembly may be narrowed by; there is no field that widens one. */
export type ContextFilters = {
  include?: ("EM" | "SM" | "WM")[];
  types?: string[];
  task_id?: string;
  agent_id?: string;
  tags?: string[];
  origins?: string[];
  importance_min_ppm?: number;
  recent?: boolean;
  top_k?: number;
  where?: string;
};

/** Enough to assemble the same context again: what was asked, where the heads stood, what came.

    `receipt_id` follows from the rest, so what is said later about its items is tied to it. */
export type ContextReceipt = {
  receipt_id: string;
  query: string;
  budget_tokens: number;
  filters: ContextFilters;
  at: number;
  job: number;
  reads: { [name: string]: number };
  policy: string;
  ids: string[];
  types: string[];
  scores_ppm: number[];
  tokens: number;
  digest: string;
  dropped: { [name: string]: number };
  spent: Spent[];
  call?: string;
  whole?: boolean;
  quarantined?: boolean;
  valid_at?: string;
  as_of?: string;
  codes?: string[];
  counter?: string;
  excerpts?: [number, number][];
};

/** What belongs to a thread: its own episodes, those of linked threads, and a line about it. */
export type Continuity = {
  text: string;
  thread_ids: string[];
  episode_ids: string[];
  memos: Memo[];
};

export type CouncilTime = {
  seq: number;
};

/** How far the derived layers have come: mirror and pending together are all the events. */
export type Coverage = {
  idetic: number;
  mirror: number;
  pending_derivation: number;
  pending_embedding: number;
  loops: number;
  summaries: number;
};

/** The outcome of a border check. */
export type Crossing = {
  space: Space;
  allowed: boolean;
  reason: string;
};

/** A delivery that was given up: which one, after how many attempts, and the last outcome. */
export type DeadLetter = {
  delivery_id: string;
  change: "changed" | "ended" | "known";
  seq: number;
  attempts: number;
  outcome: string;
  at: string;
};

/** How many entries were discarded with a branch. */
export type Discarded = {
  entries: number;
};

/** What became of a put or a drop: done at an entry, or waiting for a yes. */
export type DocumentChange = {
  seq: number;
  version?: number;
  key?: string;
  request_id?: string;
  redacted?: string[];
};

/** It is done; `entry` is its number in the log. */
export type Done = {
  seq: number;
};

/** What a dream did: for each persona, how much each step got done and how much it found. */
export type Dream = {
  loop_id: string;
  done: { [name: string]: { [name: string]: number } };
  owed: { [name: string]: { [name: string]: number } };
};

/** Records of one kind and of the same days in one log, and when their words go. */
export type DuePeriod = {
  stream: string;
  kind: string;
  told: string;
  goes_on: string;
  entries: number;
  bytes: number;
  held?: string[];
  waits?: boolean;
};

/** Lines that a receipt gave out came back as somebody's words: they are no new knowledge. */
export type EchoHeard = {
  type: "memory_echo";
  lines: number;
  where: string;
  receipt_id?: string;
};

/** How one entity is related to another, since when and until when, and what says so. */
export type EntityRelation = {
  subject: string;
  relation: string;
  object: string;
  evidence: string;
  sentence: string;
  since?: string;
  until?: string;
  began_by?: string;
  ended_by?: string;
  ended_sentence?: string;
  kind?: string;
  origin?: string;
};

/** What an entry did to what can be read. */
export type EntryEffect = "added" | "changed" | "forgotten" | "refused" | "retired" | "revived";

/** What every door answers when a promise is broken. */
export type Envelope = {
  error_code: string;
  status: number;
  severity: string;
  user_message: string;
  developer_message: string;
  retryable: boolean;
  outcome: string;
  meta: { [name: string]: string };
};

export type EpisodeId = {
  episodic_id: string;
};

/** One experience, for good. */
export type EpisodicEntry = {
  episodic_id: string;
  job_seed: string;
  source: EpisodicSource;
  summary: string;
  evidence: Evidence[];
  /** Any JSON. */
  payload: Json;
  created_seeded_ts: string;
  provenance: Provenance;
};

export type EpisodicSource = "agent" | "brainstate" | "executor";

export type Erasure = {
  request_id: string;
  fragments: number;
  streams: number;
  scanned_files: number;
  scan_digest: string;
};

export type EventId = {
  event_id: string;
};

export type EventKind = "actor_output" | "error" | "subconscious_output" | "subconscious_prompt" | "system_event" | "tool_call" | "tool_result" | "user_input";

export type EventType = "context" | "correction" | "decision" | "execution" | "fact" | "preference";

export type Evicted = {
  place: string;
  memo_ids: string[];
  policy: string;
  reason: string;
  moved_to?: string[];
};

/** What a decision rested on. */
export type Evidence = {
  episodic_id?: string;
  sem_keys?: string[];
  sem_snapshot_hash?: string;
  note?: string;
};

/** One loop that showed a skill: what was asked, and what was answered. */
export type Example = {
  asked: string;
  answered: string;
};

/** One line of an exchange file: a record, whose it is, and where and when it was written.

    `id` and `text` are for who reads the file; what is carried over stands in `data`. */
export type ExchangeLine = {
  kind: string;
  event: string;
  /** Any JSON. */
  data: Json;
  id?: string;
  text?: string;
  at?: string;
  user?: string;
  log?: string;
  of?: string;
  persona?: Persona;
  space?: Space | null;
  owner?: string;
  seq?: number;
  batch?: number;
  job?: number;
};

/** What became of one batch of texts; `undo_extraction` takes its id. */
export type Extraction = {
  extraction_id?: string;
  origin: string;
  sources: number;
  facts?: Memo[];
  replaced?: string[];
  ended?: string[];
  dropped?: { [name: string]: number };
  reason?: string;
  seq?: number;
};

/** One governed fact: a canonical key, its value, and who answers for it. */
export type Fact = {
  key: string;
  /** Any JSON. */
  value: Json;
  source: string;
  last_updated: string;
  notes?: string;
  request_id?: string;
  seq?: number;
};

/** What becomes of a command under the other policy, where it is not what became of it. */
export type Fate = "answered" | "ended" | "expired" | "kept" | "lasts" | "not_asked" | "otherwise" | "redacted" | "refused" | "stays" | "unknown";

/** One record that a filter names. */
export type ForgetCandidate = {
  id: string;
  kind: string;
  text: string;
};

/** What a filter names, and between which entries it was forgotten; a preview has none. */
export type ForgottenRecords = {
  records: ForgetCandidate[];
  refused?: string[];
  held?: string[];
  governed?: ForgetCandidate[];
  first?: number;
  last?: number;
};

export type FoundDocument = {
  score_ppm: number;
  document: StoredDocument;
};

/** An episode with what only administrators see. */
export type FullEpisode = {
  entry: EpisodicEntry;
  /** Any JSON. */
  raw: Json;
  consent_id: string;
};

export type Goal = {
  goal_id: string;
  subject?: string;
  text: string;
  priority?: number;
  type?: string;
  status?: string;
  major?: boolean;
  version?: number;
  progress_ppm?: number;
};

/** What a credential stands for. No argument of any call can widen it. */
export type Grant = {
  tenant?: string;
  role?: Role;
  agent?: string;
  user?: string;
  persona?: Persona;
  projects?: string[];
  verbs?: string[];
  who?: string;
};

/** What a proposal rests on. */
export type Grounds = {
  receipts: string[];
  useful: [string, number][];
  unused: [string, number][];
  succeeded: number;
  failed: number;
};

/** What is known of a text beside its words. */
export type Handles = {
  source?: string;
  tags?: string[];
  /** Any JSON. */
  metadata?: Json;
  happened_at?: string;
  expires?: string;
};

export type HeaderEntry = {
  seq: number;
  hash: string;
  header: { [name: string]: Json };
};

/** How the Actor's loop summaries are kept at hand and searched. */
export type Heuristics = {
  stm_window_size?: number;
  threshold?: number;
  top_k?: number;
  recency_half_life_seconds?: number;
  similarity_weight_ppm?: number;
  recency_weight_ppm?: number;
  kind_boosts_ppm?: { [name: string]: number };
  visibility_boosts_ppm?: { [name: string]: number };
};

/** A record that answers a question, and why it stands where it does. */
export type Hit = {
  id: string;
  layer: string;
  text: string;
  created: string;
  seq: number;
  evidence: Evidence;
  origin?: string;
  speaker?: string;
  source?: string;
  tags?: string[];
  metadata?: { [name: string]: Json };
  happened_at?: string;
  expires?: string;
  held?: string[];
  score_ppm: number;
  matched: string[];
  terms?: { [name: string]: number };
  contradicted_by?: string;
  contradicts?: string;
  said?: number;
  last_said?: string;
  folded?: number;
};

export type HoldId = {
  hold_id: string;
};

export type Identity = {
  schema_version?: "1.0";
  instructions?: Instructions;
  tuning_policy?: TuningPolicy;
  memory?: Memories;
};

/** What became of everything that a file holds; reasons with how often, and the first places. */
export type ImportReport = {
  format?: string;
  lines?: number;
  kept?: number;
  known?: number;
  redacted?: number;
  refused?: { [name: string]: number };
  skipped?: { [name: string]: number };
  places?: { [name: string]: string[] };
};

/** Under which policy one log stands; what it is of is named as a change of it names it. */
export type InForce = {
  agent?: string;
  space?: string;
  persona?: Persona;
  digest: string;
  log: string;
};

export type IncidentRecorded = {
  type: "incident";
  kind: string;
  stream: string;
  operation: string;
  attempt: number;
  detail: string;
  queue: string;
  alert: boolean;
};

export type Inserted = {
  wm_id: string;
};

export type Instructions = {
  operational_notes?: string[];
};

/** The item leaves every reading; its row keeps its interval and stays readable in the past. */
export type ItemDeleted = {
  type: "item_deleted";
  ledger: number;
  space: Space;
  phase: number;
  reason: string;
  rule?: string;
  owner: string;
  item_id: string;
  replaced_by?: string;
};

/** An item that was not written: it has an id and a tick all the same. */
export type ItemDenied = {
  type: "item_denied";
  ledger: number;
  kind: Kind;
  n: number;
  created_at: number;
  reason: string;
  item: MemoryItem;
};

/** One item under a key: current, corrected, replaced, expired, promoted, retracted, undone. */
export type ItemLife = {
  item: MemoryItem;
  state: string;
  valid_from: number;
  valid_to: number | null;
  replaced_by: string;
};

export type ItemPromoted = {
  type: "item_promoted";
  from_space: Space;
  to_space: Space;
  authority_used: string;
  reason: string;
  from_id: string;
  to_id: string;
};

export type ItemsConflicted = {
  type: "item_conflict";
  ledger: number;
  rule: string;
  kind?: Kind | null;
  n?: number;
  created_at?: number;
  winner_id: string;
  loser_id: string;
  dedup_key: string;
};

/** An open job and what it stands on. */
export type JobInfo = {
  number: number;
  seed: string;
  session: string;
  trace_id: string;
  loop_id: string;
  episodic_snapshot_id: string;
  brainstate_snapshot_id: string;
};

export type JobTime = {
  tick: number;
};

export type KeptMany = {
  kept: number;
};

export type Kind = "profile" | "semantic" | "short_term";

/** What came of a feedback: the patch, how it did, and the request that now waits for a yes. */
export type Lesson = {
  patch: { [name: string]: Json };
  score_before_ppm: number;
  score_after_ppm: number;
  improved: boolean;
  request_id: string;
  reason: string;
  loop_id: string;
};

/** What became of what had waited for a hold. */
export type LiftedHold = {
  hold_id: string;
  carried_out: number;
  refused: number;
  erasures?: string[];
};

/** One loop that answers a fuzzy question, with every factor of its score. */
export type Likeness = {
  summary: LoopSummary;
  score_ppm: number;
  similarity_ppm: number;
  recency_ppm: number;
  boost_ppm: number;
};

/** Whether a new thread goes on with an earlier one, and what that rests on. */
export type LinkDecided = {
  type: "link_decided";
  thread_id: string;
  other_id: string;
  episode_id: string;
  link: ThreadLink;
  subject: string;
};

/** A text that the verifier checks, given the origin and the key of the head. */
export type Linked = {
  link: string;
  head: SignedHead;
};

/** One entry: its public header, and its event as the caller may read it. */
export type LogEntry = {
  seq: number;
  id: string;
  ts: string;
  type: string;
  job: number;
  tick: number;
  hash: string;
  erased: boolean;
  event: { [name: string]: Json };
};

/** The one summary of a loop, pointing to the mirror of everything that happened in it. */
export type LoopSummary = {
  id: string;
  loop_id: string;
  agent_id: string;
  persona: Persona;
  ts_start: string;
  ts_end: string;
  summary: string;
  mirror_ids: string[];
  marks: Mark[];
  complete: boolean;
};

/** A kind and a visibility that occur in a loop. */
export type Mark = {
  kind: EventKind;
  visibility: Visibility;
};

export type Memo = {
  id: string;
  type: MemoType;
  text: string;
  tokens_estimate: number;
  timestamp: string;
  agent_id: string;
  task_id: string;
  episode_id?: string;
  importance_ppm?: number;
  novelty_ppm?: number;
  source?: MemoSource;
  source_name?: string;
  tags?: string[];
  /** Any JSON. */
  metadata?: Json;
  retention?: string;
  ttl?: number | null;
  embedding?: string;
  redaction_status?: RedactionStatus;
  checksum?: string;
  step_index?: number;
  parent_id?: string;
  chunk_index?: number;
  key?: string;
  version?: number;
  lineage_ids?: string[];
  validity?: Validity;
  expires?: string;
  places?: string[];
};

export type MemoSource = "external" | "model" | "system" | "tool" | "user";

export type MemoType = "action" | "fact" | "metric" | "observation" | "pattern" | "plan" | "skill" | "summary" | "thought" | "tool_result" | "user_message";

export type Memories = {
  engine?: "rapidfuzz";
  algorithm?: "token_set_ratio";
  actor?: Heuristics;
  subconscious?: SubconsciousHeuristics;
};

/** What became of an item: kept where and why, and what made room for it. */
export type Memorized = {
  stored: boolean;
  ids: string[];
  routing: Routed;
  evictions?: Evicted[];
  redacted?: string[];
  version?: number;
  seq?: number;
  ended?: string[];
};

/** One thing that a conversation left behind. */
export type MemoryItem = {
  id: string;
  kind: Kind;
  text: string;
  source: Source;
  created_at: number;
  importance: number;
  scope?: "session";
  meta?: Meta;
};

/** What merging a branch did, or would do. */
export type Merge = {
  name: string;
  appended: boolean;
  told?: MergedCommand[];
};

/** One command of a branch, and what became of it in the memory. */
export type MergedCommand = {
  log: string;
  entry: number;
  asked: string;
  fate: "alike" | "erased" | "otherwise" | "refused";
  now?: string[];
  then?: string[];
};

/** What is known about an item besides itself; every field is optional. */
export type Meta = {
  event_type?: EventType | null;
  importance_reason?: string[];
  recall_reason?: string[];
  space?: Space | null;
  owner?: string;
  summary_of?: string[];
  dedup_key?: string;
  score?: number | null;
  key?: string;
  source_turn_ids?: string[];
  authority?: Authority | null;
  authority_reason?: string;
  promoted_from?: string;
  promotion_reason?: string;
  policy_tags?: string[];
  expires_at?: number | null;
  phase_id?: string;
  phase_name?: string;
  phase_started_at?: number | null;
  phase_reason?: string;
  handles?: Handles;
};

/** The compact form of exactly one idetic event. */
export type MirrorEntry = {
  id: string;
  idetic_id: string;
  ts: string;
  agent_id: string;
  persona: Persona;
  loop_id: string;
  kind: EventKind;
  visibility: Visibility;
  summary: string;
  importance: number;
};

/** One mirror entry that answers a question, and why. */
export type MirrorHit = {
  entry: MirrorEntry;
  score_ppm: number;
  matched: string[];
};

/** Somebody or something that texts name. */
export type NamedEntity = {
  name: string;
  kind: string;
  other_names?: string[];
  relations?: EntityRelation[];
  ended?: EntityRelation[];
};

/** One recorded question that would have been answered otherwise. */
export type OtherAnswer = {
  log: string;
  entry: number;
  question: string;
  lost?: string[];
  gained?: string[];
  first?: string;
};

/** One command that would have come out otherwise. */
export type Otherwise = {
  log: string;
  entry: number;
  asked: string;
  fate: Fate;
  then?: string[];
  now?: string[];
};

/** A page of a list; `next` is the cursor of the next page, empty at the end. */
export type Page_HeaderEntry = {
  items: HeaderEntry[];
  next?: string;
};

/** A page of a list; `next` is the cursor of the next page, empty at the end. */
export type Page_InForce = {
  items: InForce[];
  next?: string;
};

/** A page of a list; `next` is the cursor of the next page, empty at the end. */
export type Page_IncidentRecorded = {
  items: IncidentRecorded[];
  next?: string;
};

/** A page of a list; `next` is the cursor of the next page, empty at the end. */
export type Page_LogEntry = {
  items: LogEntry[];
  next?: string;
};

/** A page of a list; `next` is the cursor of the next page, empty at the end. */
export type Page_Request = {
  items: Request[];
  next?: string;
};

/** The person, the signer, and how many records have a proof. */
export type PassportInfo = {
  serial: string;
  person: string;
  issued: string;
  key: string;
  lines: number;
  proved: number;
  passport?: string;
};

/** What became of the records of a passport. */
export type PassportReport = {
  serial: string;
  carried?: number;
  known?: number;
  quarantined?: number;
  refused?: { [name: string]: number };
};

/** A version over its life: where it was put down, and where it was replaced or taken out. */
export type Past = {
  document: StoredDocument;
  born: number;
  died: number | null;
};

export type Persona = "actor" | "subconscious";

/** A chapter of a space: recall shows the current one unless policy says more. */
export type Phase = {
  n: number;
  name?: string;
  started_at?: number;
  reason?: string;
};

/** One line of a diff between two phases. */
export type PhaseChange = {
  change: string;
  kind: Kind;
  id: string;
  replaces?: string;
  dedup_key?: string;
};

export type PhaseDiffed = {
  type: "phase_diffed";
  space: Space;
  from_n: number;
  to_n: number;
  added_count: number;
  deleted_count: number;
  replaced_count: number;
  owner: string;
  top_changes: PhaseChange[];
  summary_lines: string[];
};

/** A legal hold that was placed and not lifted. */
export type PlacedHold = {
  hold_id: string;
  user: string;
  space: string;
  since: string;
  until: string;
  ends: string;
  reason: string;
  in_force: boolean;
};

/** Where a turn went: its thread and episode, what it opened, closed and was linked with. */
export type PlacedTurn = {
  thread_id: string;
  episode_id: string;
  turn: number;
  memo_ids: string[];
  opened: boolean;
  reason: string;
  link: LinkDecided | null;
  closed: string[];
  compacted: Compacted[];
  seq: number;
  ended?: string[];
};

export type PromotedItem = {
  cwm_id_item: string;
};

export type PromotionDenied = {
  type: "promotion_denied";
  from_space: Space;
  to_space: Space;
  event_type?: EventType | null;
  reason: string;
  item_id: string;
};

/** What was checked about one stream. */
export type Proof = {
  stream: string;
  entries: number;
  batches: number;
  shredded: number;
  undecided: number;
  head: string;
  projections: string;
  decided_after?: number;
  branch?: string;
};

export type Proposal = {
  before: Coefficients;
  after: Coefficients;
  quality_before: Quality;
  quality_after: Quality;
  evidence: Grounds;
};

export type Proposed = {
  proposal: Proposal;
  improves: boolean;
};

export type Provenance = {
  trace_id: string;
  reflective_log_id: string;
};

/** How good contexts are: useful items inside the budget, and how high they stand. */
export type Quality = {
  turns: number;
  inside_ppm: number;
  rank_ppm: number;
};

/** Enough to read the same again: the call, the order, the heads that were read. */
export type Receipt = {
  call: string;
  query: string;
  ids: string[];
  scores_ppm: number[];
  reads: { [name: string]: number };
  policy: string;
  basis?: Basis | null;
};

/** The text for the prompt of an AI call, the items in it, and what it was read from. */
export type Recollected = {
  text: string;
  items: MemoryItem[];
  deterministic_hash: string;
  spaces_consulted: Space[];
  current_phase: Phase;
  borders: Crossing[];
  hidden: number;
  policy: string;
};

/** One thing remembered, of any kind: what it says, on whose word, and by what it is found. */
export type MemoryRecord = {
  id: string;
  layer: string;
  text: string;
  created: string;
  seq: number;
  evidence: Evidence;
  origin?: string;
  speaker?: string;
  source?: string;
  tags?: string[];
  metadata?: { [name: string]: Json };
  happened_at?: string;
  expires?: string;
  held?: string[];
};

/** A part of the list; `next` fetches what follows, and is empty at the end. */
export type RecordPage = {
  records: MemoryRecord[];
  next?: string;
};

/** What became of a write, in every space that it touched. */
export type Recorded = {
  seq: number;
  written: MemoryItem[];
  denied: ItemDenied[];
  conflicts: ItemsConflicted[];
  deleted: ItemDeleted[];
  promoted: ItemPromoted[];
  promotions_denied: PromotionDenied[];
  borders: BorderChecked[];
  questions?: ConfirmationAsked[];
  echoes?: EchoHeard[];
  ended?: string[];
};

export type RedactionStatus = "full" | "none" | "partial";

export type ReferencedItem = {
  referenced: string;
};

/** What became of a sentence: stored, redacted, asked back or refused, and where it stands. */
export type Remembered = {
  stored: boolean;
  episodic_id: string;
  text: string;
  reason: string;
  echo_of: string;
  redacted: string[];
  question: ConfirmationQuestion | null;
  seq: number;
  hash: string;
  said?: number;
  like?: string;
  request_id?: string;
  ended?: string[];
};

export type Request = {
  request_id: string;
  action: string;
  key: string;
  /** Any JSON. */
  value: Json;
  justification: string;
  evidence: Evidence[];
  requested_by: string;
  subject: string;
  created_seeded_ts: string;
  required_approval: string;
  expires_at_tick: number;
  expected_head: number;
  binding: string;
  status?: string;
  votes?: { [name: string]: string };
  over?: number[];
  tally?: [number, number];
  erased?: boolean;
};

export type RequestStatus = {
  request: Request;
  status: string;
};

/** The request that is now pending; empty when none is needed. */
export type Requested = {
  request_id: string;
};

export type RestoredRecords = {
  restored: number;
};

/** An item that a write took out of every reading, and why. */
export type Retired = {
  item: MemoryItem;
  reason: string;
  rule: string;
  replaced_by: string;
};

export type Revoked = {
  revoked: string;
};

export type Role = "admin" | "agent" | "auditor" | "council" | "engine" | "user";

/** One record that a rollback takes back. */
export type RollbackRecord = {
  id: string;
  kind: string;
  text: string;
  why: string;
  answers?: number;
};

/** What a rollback takes back; a preview has no entries, and has changed nothing. */
export type RolledBack = {
  what: string;
  records: RollbackRecord[];
  restored?: string[];
  governed?: string[];
  answers?: number;
  refused?: string[];
  first?: number;
  last?: number;
};

/** Where an item went, or why nowhere, with everything that was weighed. */
export type Routed = {
  places: string[];
  reasons: string[];
  scores: Scores;
  rules?: string[];
  like?: string;
};

export type Scored = {
  entry: EpisodicEntry;
  score_ppm: number;
  overlap: number;
  matched: string[];
  evidence?: Evidence;
};

/** What the gate found, each in millionths, and what it asked for. */
export type Scores = {
  importance: number;
  novelty: number;
  tokens: number;
  goal?: number;
  user?: number;
  confidence?: number;
  actionability?: number;
  given?: boolean;
  importance_min?: number;
  novelty_min?: number;
};

/** One item of a bundle: its line, where it comes from, and why it is here. */
export type Selected = {
  id: string;
  section: string;
  text: string;
  why: string;
  tokens: number;
  type?: string;
  place?: string;
  authority?: string;
  origin?: string;
  created?: string;
  rank?: number;
  score_ppm?: number;
  similarity_ppm?: number;
  recency_ppm?: number;
  importance_ppm?: number;
  duplication_ppm?: number;
  evidence?: Evidence;
};

/** A governed fact, or its absence. */
export type SemRead = {
  exists: boolean;
  /** Any JSON. */
  value?: Json;
  meta?: { [name: string]: string };
};

/** What a sentence rests on: a kept text, where it stands in the log, and words of it. */
export type SentenceCitation = {
  id: string;
  label?: string;
  quote?: string;
};

export type Settled = {
  decision: number;
  related: boolean;
};

/** An API key without its secret; `key` is the secret, shown once on creation. */
export type ShownKey = {
  key_id: string;
  grant: Grant;
  label: string;
  created: string;
  expires: string;
  revoked: string;
  key?: string;
};

/** A policy with every field, and the digest that entries cite. */
export type ShownPolicy = {
  digest: string;
  policy: { [name: string]: Json };
};

/** A webhook as its owner sees it; `secret` is shown once, when it is made. */
export type ShownWebhook = {
  webhook_id: string;
  url: string;
  watched: Watched;
  created?: string;
  cursor?: string;
  waiting?: string;
  attempts?: number;
  outcome?: string;
  dead?: DeadLetter[];
  secret?: string;
};

/** Where a log stood, signed. An outsider is given `origin` and `key` once, by another way. */
export type SignedHead = {
  stream: string;
  origin: string;
  key: string;
  size: number;
  root: string;
  note: string;
};

/** How long a thread may be silent from now on. */
export type Silence = {
  minutes: number;
};

/** A procedure of one persona with one person, and the loops that it was seen in. */
export type Skill = {
  skill_id: string;
  name: string;
  preconditions: string[];
  steps: string[];
  parameters: string[];
  constants: Constant[];
  frequency: number;
  confidence_ppm: number;
  evidence: string[];
  last_seen: string;
  description?: string;
  postconditions?: string[];
  returns?: string;
  examples?: Example[];
  uses?: number;
  last_used?: string;
  failures?: number;
  failed_with?: string[];
};

export type Source = "ai" | "system" | "tool" | "user";

/** Whose memory it is; the session's lies in the agent's own stream, the others are shared. */
export type Space = "project" | "session" | "system" | "user";

/** What became of a memory type's part of a budget. */
export type Spent = {
  type: string;
  allocated?: number;
  used?: number;
  considered?: number;
  taken?: number;
  failed?: string;
};

/** What stands under a key of a namespace: this value, in this version. */
export type StoredDocument = {
  namespace: string[];
  key: string;
  /** Any JSON. */
  value: Json;
  version: number;
  place: number;
  created_at: string;
  updated_at: string;
  expires_at?: string;
  request_id?: string;
  seq?: number;
};

/** A governed fact was written; `key` is where it stands. */
export type StoredFact = {
  key: string;
};

export type StreamHead = {
  stream: string;
  kind: string;
  seq: number;
};

/** The Subconscious looks further back, and at everything alike. */
export type SubconsciousHeuristics = {
  stm_window_size?: number;
  threshold?: number;
  top_k?: number;
  recency_half_life_seconds?: number;
  similarity_weight_ppm?: number;
  recency_weight_ppm?: number;
  kind_boosts_ppm?: { [name: string]: number };
  visibility_boosts_ppm?: { [name: string]: number };
};

/** One conversation of one user; an explicit one has one channel, an implicit one may span. */
export type Thread = {
  thread_id: string;
  user_id: string;
  created_at: string;
  last_activity_at: string;
  channels: string[];
  inactivity_timeout_minutes?: number;
  own_timeout_minutes?: number;
  explicit_channel?: boolean;
  primary_episode_id?: string;
  cross_thread_episodes?: string[];
  linked_threads?: string[];
  turn_count?: number;
  summary?: string;
  counts?: { [name: string]: number };
  entities?: string[];
  closed_for?: string;
};

/** A decision whether a thread goes on with another one, and everything it rested on. */
export type ThreadLink = {
  n: number;
  score_ppm: number;
  keyword_ppm: number;
  entity_ppm: number;
  topic_ppm: number;
  recency_ppm: number;
  threshold_ppm: number;
  linked: boolean;
  by?: string;
  model_ppm?: number;
  disagreed?: boolean;
  settled?: boolean | null;
};

export type ThreadText = {
  text: string;
};

/** One thing that an entry added, changed, retired, forgot or refused. */
export type Touched = {
  seq: number;
  change: EntryEffect;
  layer: string;
  item_id: string;
  text: string;
  why?: string;
  origin?: string;
  again?: boolean;
};

/** What `learn` may ask to change: dotted paths, where a parent covers its children. */
export type TuningPolicy = {
  whitelist?: string[];
  blacklist?: string[];
};

/** One operation: where it stands, what caused it, what it did. */
export type TurnStep = {
  seq: number;
  cause: number;
  ts: string;
  tick: number;
  kind: string;
  operation: string;
  policy: string;
  detail: { [name: string]: Json };
};

export type TurnTrace = {
  steps: TurnStep[];
};

/** The facts that were removed, and those that were restored. */
export type UndoneExtraction = {
  forgotten: string[];
  restored: string[];
};

/** From when until when something holds; empty is open. Fixed-width UTC text. */
export type Validity = {
  since?: string;
  until?: string;
};

export type Visibility = "external" | "internal";

export type VoteResult = {
  status: string;
};

/** What stands now in place of what stood at the cursor before. */
export type WatchChange = {
  delivery_id: string;
  cursor: string;
  change: "changed" | "ended" | "known";
  seq: number;
  items?: WatchedItem[];
};

/** What is watched: a key, an entity or a question, exactly one of them. */
export type Watched = {
  key?: string;
  entity?: string;
  question?: string;
  limit?: number;
};

/** One thing that is known: its id, what it says, and since when. */
export type WatchedItem = {
  id: string;
  text: string;
  created?: string;
  /** Any JSON. */
  value?: Json;
};

/** What would be otherwise if another policy had held from the beginning. */
export type WhatIf = {
  policy: string;
  entries: number;
  commands: number;
  questions: number;
  erased: number;
  counts: { [name: string]: number };
  examples: Otherwise[];
  answers: OtherAnswer[];
  logs: { [name: string]: { [name: string]: number } };
};

/** What became of one item for one question: the stage that decided, and its threshold. */
export type WhyNot = {
  id: string;
  stage: string;
  reason: string;
  rank?: number;
  score_ppm?: number;
  threshold?: number;
  other?: string;
  terms?: { [name: string]: number };
};

/** One entry of working memory. */
export type WorkingEntry = {
  wm_id: string;
  type: WorkingType;
  /** Any JSON. */
  value: Json;
  created_at_tick: number;
  ttl_ticks: number;
  references?: number;
  referenced_at?: number[];
  demoted_from?: string;
};

export type WorkingType = "context" | "fact" | "hint" | "temp";

/** What each method is asked with, and what it answers. */
export interface Methods {
  /** Store a sentence; personal data is redacted first, secrets are refused. */
  remember: {
    asks: {
      text: string;
      /** The speaker, where several people talk. */
      speaker?: string;
      /** Store personal data unredacted; needs a consent. */
      keep_raw?: boolean;
      /** Who said it; external is pasted or fetched text. Default: the caller. */
      origin?: "" | "user" | "agent" | "tool" | "system" | "external";
      /** The conversation it belongs to. */
      session?: string;
      /** The name of the source: a page, a sender, a tool. */
      source?: string;
      /** Words to find it by. */
      tags?: string[];
      /** A JSON object to find it by. */
      metadata?: { [name: string]: Json } | null;
      /** When it happened: 2026-03-05, or a time. */
      happened_at?: string;
      /** When it stops being recalled: a date, a time, or P30D. */
      expires?: string;
    };
    answers: Remembered;
  };
  /** Store many sentences in one durable append. */
  rememberMany: {
    asks: {
      texts: string[];
      speakers?: string[];
      /** Who said it; external is pasted or fetched text. Default: the caller. */
      origin?: "" | "user" | "agent" | "tool" | "system" | "external";
      /** The conversation it belongs to. */
      session?: string;
      /** The name of the source: a page, a sender, a tool. */
      source?: string;
      /** Words to find it by. */
      tags?: string[];
      /** A JSON object to find it by. */
      metadata?: { [name: string]: Json } | null;
      /** When it happened: 2026-03-05, or a time. */
      happened_at?: string;
      /** When it stops being recalled: a date, a time, or P30D. */
      expires?: string;
    };
    answers: KeptMany;
  };
  /** Search the memory: best answer first, with a receipt. */
  recall: {
    asks: {
      query: string;
      /** At most this many; 0: as many as the policy says. */
      limit?: number;
      /** Only what is trusted enough to act on (`act`). */
      purpose?: "" | "act";
      /** Include what waits for a person to vouch for it. */
      quarantined?: boolean;
      /** Say what each part added to a score. */
      explain?: boolean;
      /** Only what matches: {"tags": "a", "metadata.n": {"gte": 3}, "not": {…}}. */
      where?: { [name: string]: Json } | null;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: Bundle;
  };
  /** Build text for a prompt within a token budget; it says why each line is there. */
  promptContext: {
    asks: {
      prompt: string;
      budget?: number | null;
      filters?: { [name: string]: Json } | null;
      /** Only what matches: {"tags": "a", "metadata.n": {"gte": 3}, "not": {…}}. */
      where?: { [name: string]: Json } | null;
      /** Include what waits for a person to vouch for it. */
      quarantined?: boolean;
      /** Add what was said last. */
      recent?: boolean;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: Context;
  };
  /** Everything that is known, of every kind, newest first, a page at a time. */
  records: {
    asks: {
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
      /** Only what matches: {"tags": "a", "metadata.n": {"gte": 3}, "not": {…}}. */
      where?: { [name: string]: Json } | null;
      /** At most this many on a page. */
      limit?: number;
      /** The `next` of the last page. */
      after?: string;
      /** Include what waits for a person to vouch for it. */
      quarantined?: boolean;
    };
    answers: RecordPage;
  };
  /** One record by its id, of any kind. */
  getRecord: {
    asks: {
      item_id: string;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: MemoryRecord;
  };
  /** Forget an item: it is no longer recalled; reads of an earlier entry still find it. */
  forget: {
    asks: {
      item_id: string;
      /** Why; it is logged. */
      reason?: string;
    };
    answers: Done;
  };
  /** Forget everything that matches a filter, in one change. */
  forgetWhere: {
    asks: {
      where: { [name: string]: Json };
      /** Why; it is logged. */
      reason?: string;
      /** Only show what would be removed. */
      preview?: boolean;
    };
    answers: ForgottenRecords;
  };
  /** Restore what was forgotten: by its id, or everything between two entries. */
  restore: {
    asks: {
      item_id?: string;
      /** From this entry on, where no id is given. */
      first?: number;
      /** Up to this entry, which is included. */
      last?: number;
    };
    answers: RestoredRecords;
  };
  /** Undo everything that came from one source, and what was derived from it, in one change. */
  rollBack: {
    asks: {
      /** The kind of source that the name is. */
      by: "source" | "session" | "item" | "extraction" | "model" | "import" | "entry";
      name: string;
      /** Why; it is logged. */
      reason?: string;
      /** Only show what would be removed. */
      preview?: boolean;
    };
    answers: RolledBack;
  };
  /** Undo a rollback by its first entry: every record is back under its own id. */
  undoRollback: {
    asks: {
      first: number;
    };
    answers: RestoredRecords;
  };
  /** Replace the text of an item in one step; the log keeps both. */
  correct: {
    asks: {
      item_id: string;
      text: string;
      /** Who said it; external is pasted or fetched text. Default: the caller. */
      origin?: "" | "user" | "agent" | "tool" | "system" | "external";
    };
    answers: Remembered;
  };
  /** Release an item from quarantine: from now on it is recalled. */
  vouch: {
    asks: {
      item_id: string;
      /** Why; it is logged. */
      reason?: string;
    };
    answers: Done;
  };
  /** Get one episode by its id. */
  episode: {
    asks: {
      episodic_id: string;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: EpisodicEntry;
  };
  /** Search episodes by word overlap; the same list for the same entry, always. */
  episodicQuery: {
    asks: {
      query: string;
      max_results?: number;
      window_n?: number | null;
      time_window?: [string, string] | null;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: Scored[];
  };
  /** Confirm or deny a lasting fact; a yes makes a request, or writes it directly. */
  confirm: {
    asks: {
      confirmation_id: string;
      yes?: boolean;
      /** Write the fact directly, where the policy allows it. */
      direct?: boolean;
    };
    answers: Requested;
  };
  /** Allow personal data to be stored unredacted until the consent is revoked. */
  consent: {
    asks: {
      text: string;
    };
    answers: Consented;
  };
  /** Revoke a consent. */
  revokeConsent: {
    asks: {
      consent_id: string;
    };
    answers: Revoked;
  };
  /** List governed facts whose keys begin with a prefix. */
  semSearch: {
    asks: {
      prefix?: string;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: Fact[];
  };
  /** Write a fact about the key's own user directly, where the policy allows it. */
  semPut: {
    asks: {
      canonical_key: string;
      /** Any JSON. */
      value: Json;
    };
    answers: StoredFact;
  };
  /** Get one governed fact by its exact key. */
  semGet: {
    asks: {
      canonical_key: string;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: SemRead;
  };
  /** Request that an episode becomes a governed fact. */
  petition: {
    asks: {
      episodic_id: string;
      target_sem_key: string;
      /** Why; it is logged. */
      justification?: string;
      evidence?: Evidence[];
      /** Any JSON. */
      value?: Json;
    };
    answers: Requested;
  };
  /** List the requests of the key's own agent and user, pending or settled. */
  petitions: {
    asks: {
      /** List settled requests instead, with their votes. */
      settled?: boolean;
    };
    answers: Request[];
  };
  /** List lasting facts that the key's own user has not confirmed or denied yet. */
  questions: {
    asks: Record<string, never>;
    answers: Confirmation[];
  };
  /** Request the erasure of everything about the key's own user. */
  ownErasure: {
    asks: {
      reason: string;
    };
    answers: Requested;
  };
  /** List the entries of the caller's own log, oldest first. */
  log: {
    asks: {
      /** The `next` of the last page. */
      after?: string;
      /** At most this many on a page. */
      limit?: number;
    };
    answers: Page_LogEntry;
  };
  /** One entry of the caller's own log, verbatim. */
  entry: {
    asks: {
      entry_id: string;
    };
    answers: LogEntry;
  };
  /** Create a webhook: changes are sent to a URL, signed with a secret that is shown once. */
  createWebhook: {
    asks: {
      /** Where it is sent: https://… */
      url: string;
      /** Watch this key. */
      key?: string;
      /** Watch this person, place or thing. */
      entity?: string;
      /** Watch the answers to this question. */
      question?: string;
      /** For a question: how many answers are watched. */
      limit?: number;
      /** Continue after the change with this cursor. */
      after?: string;
    };
    answers: ShownWebhook;
  };
  /** List the caller's webhooks, with pending and failed deliveries. */
  webhooks: {
    asks: Record<string, never>;
    answers: ShownWebhook[];
  };
  /** Retry a failed webhook at once, with the current state. */
  retryWebhook: {
    asks: {
      webhook_id: string;
    };
    answers: ShownWebhook;
  };
  /** Delete a webhook. */
  deleteWebhook: {
    asks: {
      webhook_id: string;
    };
    answers: ShownWebhook;
  };
  /** Export what the caller may read, as JSON lines; the last line is the manifest. */
  export: {
    asks: {
      of_user?: string;
      of_agent?: string;
      /** Only one space: session, user, project or system, perhaps with :NAME. */
      space?: string;
      /** Only records of these kinds. */
      kinds?: ("episode" | "item" | "memo" | "goal" | "document" | "fact" | "loop" | "skill" | "summary" | "extraction" | "thread" | "working" | "question" | "mandate" | "consent" | "policy" | "hold" | "profile")[];
      /** Only what was told at this moment or later. */
      since?: string;
      /** Only what was told before this moment. */
      until?: string;
      /** Sign the manifest; for administrators. */
      sign?: boolean;
      /** Why; it is logged. */
      reason?: string;
    };
    answers: Blob;
  };
  /** Import a file: an export of Muniment, another memory or a messenger; also a zip archive. */
  importFile: {
    asks: {
      file: Blob;
      /** Format of the file; empty: what it looks like. */
      format?: "" | "muniment" | "chatgpt" | "claude" | "cognee" | "graphiti" | "hindsight" | "langgraph" | "letta" | "markdown" | "mbox" | "mcp" | "mem0" | "slack" | "telegram" | "transcript" | "whatsapp";
      /** Who said it; external is pasted or fetched text. Default: the caller. */
      origin?: "" | "user" | "agent" | "tool" | "system" | "external";
      of_user?: string;
      of_agent?: string;
      /** The public key that must have signed it. */
      trusted_key?: string;
      /** Also its consents, legal holds and policies. */
      rules?: boolean;
    };
    answers: ImportReport;
  };
  /** Make a signed bundle of everything known about a person, each record with its proof. */
  makePassport: {
    asks: {
      of_user: string;
      /** Why; it is logged. */
      reason: string;
      of_agent?: string;
    };
    answers: PassportInfo;
  };
  /** Verify that a passport is what was signed, and every proof in it. */
  verifyPassport: {
    asks: {
      passport: string;
      /** The public key that must have signed it. */
      trusted_key?: string;
      of_user?: string;
    };
    answers: PassportInfo;
  };
  /** Import a passport once, under this memory's own policy. */
  takeInPassport: {
    asks: {
      passport: string;
      of_user: string;
      /** The public key that must have signed it. */
      trusted_key?: string;
      of_agent?: string;
      /** Quarantine everything, whoever signed it. */
      quarantine?: boolean;
    };
    answers: PassportReport;
  };
  /** Search what happened in past loops, by words and similarity. */
  ragQuery: {
    asks: {
      text: string;
      filters?: { [name: string]: Json };
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: MirrorHit[];
  };
  /** List past loops by similarity. */
  fuzzyQuery: {
    asks: {
      text: string;
      heuristics?: { [name: string]: Json };
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: Likeness[];
  };
  /** List skills: what was done the same way three times. */
  skills: {
    asks: {
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: Skill[];
  };
  /** Explain which stage kept an item out of the answer to a question, and its threshold. */
  whyNot: {
    asks: {
      item_id: string;
      query: string;
      /** At most this many; 0: as many as the policy says. */
      limit?: number;
      /** Explain for a context of this many tokens; 0: for recall. */
      budget?: number;
      /** Only what is trusted enough to act on (`act`). */
      purpose?: "" | "act";
      /** Include what waits for a person to vouch for it. */
      quarantined?: boolean;
      /** Only what matches: {"tags": "a", "metadata.n": {"gte": 3}, "not": {…}}. */
      where?: { [name: string]: Json } | null;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: WhyNot;
  };
  /** Compute the answer of a logged receipt again. */
  recallAgain: {
    asks: {
      seq: number;
    };
    answers: Bundle;
  };
  /** Recall for an AI call; the receipt is logged with the next append. */
  conversationRecall: {
    asks: {
      query: string;
      spaces?: ("session" | "user" | "project" | "system")[];
      /** Only what matches: {"tags": "a", "metadata.n": {"gte": 3}, "not": {…}}. */
      where?: { [name: string]: Json } | null;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
      session?: string;
      project?: string;
      ai_profile?: string;
    };
    answers: Recollected;
  };
  /** Record what was said and done: screened, classified and settled, in one append. */
  record: {
    asks: {
      session?: string;
      project?: string;
      ai_profile?: string;
      user?: string;
      ai?: string;
      /** Texts, or objects with a `name` and a `result`. */
      tools?: (string | { [name: string]: Json })[];
      space?: "session" | "user" | "project" | "system";
      promote_to?: "" | "session" | "user" | "project" | "system";
      /** The name of the source: a page, a sender, a tool. */
      source?: string;
      /** Words to find it by. */
      tags?: string[];
      /** A JSON object to find it by. */
      metadata?: { [name: string]: Json } | null;
      /** When it happened: 2026-03-05, or a time. */
      happened_at?: string;
      /** When it stops being recalled: a date, a time, or P30D. */
      expires?: string;
    };
    answers: Recorded;
  };
  /** Correct one item: a declared conflict, settled like any other. */
  conversationCorrect: {
    asks: {
      item_id: string;
      text: string;
      session?: string;
      project?: string;
      ai_profile?: string;
    };
    answers: Recorded;
  };
  /** Retract one item; reads of an earlier entry still find it. */
  conversationForget: {
    asks: {
      item_id: string;
      session?: string;
      project?: string;
      ai_profile?: string;
    };
    answers: Recorded;
  };
  /** Move an item to another space, where the rules of promotion allow it. */
  conversationPromote: {
    asks: {
      item_id: string;
      to_space: "session" | "user" | "project" | "system";
      session?: string;
      project?: string;
      ai_profile?: string;
    };
    answers: Recorded;
  };
  /** List active items of a kind, oldest first, now or as of an earlier entry. */
  items: {
    asks: {
      kind?: "short_term" | "semantic" | "profile";
      space?: "session" | "user" | "project" | "system";
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
      session?: string;
      project?: string;
      ai_profile?: string;
    };
    answers: MemoryItem[];
  };
  /** List everything that was ever stored under an item's key, and what became of it. */
  blame: {
    asks: {
      item_id: string;
      session?: string;
      project?: string;
      ai_profile?: string;
    };
    answers: ItemLife[];
  };
  /** List everything that the write at an entry replaced. */
  retiredBy: {
    asks: {
      seq: number;
      session?: string;
      project?: string;
      ai_profile?: string;
    };
    answers: Retired[];
  };
  /** Restore what the write at an entry replaced, through a new entry. */
  undo: {
    asks: {
      seq: number;
      session?: string;
      project?: string;
      ai_profile?: string;
    };
    answers: Recorded;
  };
  /** Start a new phase of a space; recall shows the current one. */
  startPhase: {
    asks: {
      name?: string;
      reason?: string;
      space?: "session" | "user" | "project" | "system";
      session?: string;
      project?: string;
      ai_profile?: string;
    };
    answers: Phase;
  };
  /** Show what was added, deleted and replaced between the ends of two phases. */
  diffPhases: {
    asks: {
      from_phase: string;
      to_phase: string;
      space?: "session" | "user" | "project" | "system";
      session?: string;
      project?: string;
      ai_profile?: string;
    };
    answers: PhaseDiffed;
  };
  /** Show what memory did in each AI call of this session, rendered from the log. */
  traces: {
    asks: {
      session?: string;
      project?: string;
      ai_profile?: string;
      after?: number;
    };
    answers: { [name: string]: Json }[];
  };
  /** Record a turn on a channel of the key's own user, in the thread where it belongs. */
  turn: {
    asks: {
      text: string;
      source?: "user" | "tool" | "system" | "model" | "external";
      thread_id?: string;
      new?: boolean;
      channel?: string;
      explicit?: boolean;
      timeout_minutes?: number;
    };
    answers: PlacedTurn;
  };
  /** List the threads of the key's own user, open and ended, latest first. */
  threads: {
    asks: {
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: Thread[];
  };
  /** Set after how long a silence threads of the key's own user end. */
  threadsTimeout: {
    asks: {
      minutes: number;
    };
    answers: Silence;
  };
  /** Confirm or deny that two threads of a person belong together. */
  settleLink: {
    asks: {
      decision: number;
      related: boolean;
    };
    answers: Settled;
  };
  /** One thread, now or as of an earlier entry. */
  thread: {
    asks: {
      thread_id: string;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: Thread;
  };
  /** What belongs to a thread: its own episodes, those of linked threads, and a line about it. */
  continuity: {
    asks: {
      thread_id: string;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: Continuity;
  };
  /** Text for a prompt: what a thread goes on with, then the newest of it, within the budget. */
  threadContext: {
    asks: {
      thread_id: string;
      /** At most this many tokens. */
      budget?: number;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: ThreadText;
  };
  /** Set after how long a silence this thread ends. */
  threadTimeout: {
    asks: {
      thread_id: string;
      minutes: number;
    };
    answers: Silence;
  };
  /** End a thread; its episode is complete and is summarised. */
  endThread: {
    asks: {
      thread_id: string;
    };
    answers: Compacted[];
  };
  /** Open a job (a unit of work); a commit ends it. */
  openJob: {
    asks: {
      seed?: string;
      session?: string;
      trace_id?: string;
      /** At most this many tokens. */
      budget?: number;
      channel?: string;
    };
    answers: JobInfo;
  };
  /** An open job of the key's own agent and user. */
  getJob: {
    asks: {
      /** The number of the job. */
      number: number;
    };
    answers: JobInfo;
  };
  /** Record a turn of this job. */
  observe: {
    asks: {
      /** The number of the job. */
      number: number;
      text: string;
      /** Who said it; external is pasted or fetched text. Default: the caller. */
      origin?: "" | "user" | "agent" | "tool" | "system" | "external";
      /** The conversation it belongs to. */
      session?: string;
      /** The name of the source: a page, a sender, a tool. */
      source?: string;
      /** Words to find it by. */
      tags?: string[];
      /** A JSON object to find it by. */
      metadata?: { [name: string]: Json } | null;
      /** When it happened: 2026-03-05, or a time. */
      happened_at?: string;
      /** When it stops being recalled: a date, a time, or P30D. */
      expires?: string;
    };
    answers: EpisodeId;
  };
  /** Write an episode. */
  episodicWrite: {
    asks: {
      /** The number of the job. */
      number: number;
      summary: string;
      /** Any JSON. */
      payload?: Json;
      evidence?: Evidence[];
      source?: "agent" | "executor" | "brainstate";
      /** Store personal data unredacted; needs a consent. */
      keep_raw?: boolean;
    };
    answers: EpisodeId;
  };
  /** Push an entry (`type`, `value`, optionally `ttl_ticks`) onto working memory. */
  workingInsert: {
    asks: {
      /** The number of the job. */
      number: number;
      entry: { [name: string]: Json };
    };
    answers: Inserted;
  };
  /** Find entries of working memory by exact keys and values, newest first. */
  workingFind: {
    asks: {
      /** The number of the job. */
      number: number;
      predicate?: { [name: string]: Json };
    };
    answers: WorkingEntry[];
  };
  /** Get the consolidated memory of this job. */
  consolidated: {
    asks: {
      /** The number of the job. */
      number: number;
    };
    answers: ConsolidatedMemory;
  };
  /** Find consolidated items by exact keys and values. */
  consolidatedFind: {
    asks: {
      /** The number of the job. */
      number: number;
      predicate?: { [name: string]: Json };
    };
    answers: ConsolidatedItem[];
  };
  /** Report that an item was used. */
  reference: {
    asks: {
      /** The number of the job. */
      number: number;
      item_id: string;
    };
    answers: ReferencedItem;
  };
  /** Request a promotion that is due. */
  promoteWorking: {
    asks: {
      /** The number of the job. */
      number: number;
      wm_id: string;
    };
    answers: PromotedItem;
  };
  /** Advance the job by one step: promote, age, expire. */
  tick: {
    asks: {
      /** The number of the job. */
      number: number;
    };
    answers: JobTime;
  };
  /** Set or change a goal. */
  setGoal: {
    asks: {
      /** The number of the job. */
      number: number;
      goal_id: string;
      text: string;
      major?: boolean;
      status?: "active" | "failed" | "paused" | "succeeded";
    };
    answers: Goal;
  };
  /** List the goals of the key's own agent and user, by priority. */
  goals: {
    asks: {
      /** The number of the job. */
      number: number;
    };
    answers: Goal[];
  };
  /** Record one event of this loop verbatim; it becomes searchable by itself. */
  observeEvent: {
    asks: {
      /** The number of the job. */
      number: number;
      kind: "user_input" | "actor_output" | "tool_call" | "tool_result" | "subconscious_prompt" | "subconscious_output" | "system_event" | "error";
      /** Any JSON. */
      content: Json;
      /** Any JSON. */
      metadata?: Json;
      visibility?: "" | "external" | "internal";
    };
    answers: EventId;
  };
  /** Recall inside a job; the receipt names the job. */
  jobRecall: {
    asks: {
      /** The number of the job. */
      number: number;
      query: string;
      /** At most this many; 0: as many as the policy says. */
      limit?: number;
      /** Only what is trusted enough to act on (`act`). */
      purpose?: "" | "act";
      /** Include what waits for a person to vouch for it. */
      quarantined?: boolean;
      explain?: boolean;
      /** Only what matches: {"tags": "a", "metadata.n": {"gte": 3}, "not": {…}}. */
      where?: { [name: string]: Json } | null;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: Bundle;
  };
  /** Build text for this job's prompt within a token budget. */
  jobContext: {
    asks: {
      /** The number of the job. */
      number: number;
      prompt: string;
      budget?: number | null;
      filters?: { [name: string]: Json } | null;
      /** Only what matches: {"tags": "a", "metadata.n": {"gte": 3}, "not": {…}}. */
      where?: { [name: string]: Json } | null;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: Context;
  };
  /** From inside a job, request that an episode becomes a governed fact. */
  jobPetition: {
    asks: {
      /** The number of the job. */
      number: number;
      episodic_id: string;
      target_sem_key: string;
      /** Why; it is logged. */
      justification?: string;
      evidence?: Evidence[];
      /** Any JSON. */
      value?: Json;
    };
    answers: Requested;
  };
  /** Store an item where the gate routes it: working, episodic or semantic memory, or nowhere. */
  memorize: {
    asks: {
      /** The number of the job. */
      number: number;
      item: { [name: string]: Json };
      metadata?: { [name: string]: Json };
      store?: string;
    };
    answers: Memorized;
  };
  /** Record a tool call and its result; skills are learned from them. */
  trackTool: {
    asks: {
      /** The number of the job. */
      number: number;
      tool_name: string;
      /** Any JSON. */
      parameters?: Json;
      /** Any JSON. */
      result?: Json;
      error?: string;
    };
    answers: Memorized;
  };
  /** Budget of a turn: tokens used and left, entries, time, and what was stored. */
  budgetStatus: {
    asks: {
      /** The number of the job. */
      number: number;
    };
    answers: BudgetStatus;
  };
  /** End the job: what it consolidated and used becomes episodes. */
  commit: {
    asks: {
      /** The number of the job. */
      number: number;
    };
    answers: Done;
  };
  /** Set the value of a key; `expect` is the version it must have now, 0 for none. */
  putDocument: {
    asks: {
      /** Labels, from the outermost inwards. */
      namespace: string[];
      key: string;
      /** Any JSON. */
      value: Json;
      /** The version it must have now; 0: none. */
      expect?: number;
      ttl_seconds?: number;
      /** Make a request instead of a change. */
      governed?: boolean;
    };
    answers: DocumentChange;
  };
  /** Append values to a namespace under counted keys. */
  addDocuments: {
    asks: {
      /** Labels, from the outermost inwards. */
      namespace: string[];
      values: Json[];
      /** Make a request instead of a change. */
      governed?: boolean;
    };
    answers: DocumentChange[];
  };
  /** Delete a document; reads of an earlier entry still find it. */
  dropDocument: {
    asks: {
      /** Labels, from the outermost inwards. */
      namespace: string[];
      key: string;
      /** The version it must have now; 0: none. */
      expect?: number;
      /** Make a request instead of a change. */
      governed?: boolean;
    };
    answers: DocumentChange;
  };
  /** Delete every document of exactly this namespace. */
  clearNamespace: {
    asks: {
      /** Labels, from the outermost inwards. */
      namespace: string[];
      /** Make a request instead of a change. */
      governed?: boolean;
    };
    answers: Cleared;
  };
  /** Get the document under a key, now or as of an earlier entry. */
  getDocument: {
    asks: {
      /** Labels, from the outermost inwards. */
      namespace: string[];
      key: string;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: StoredDocument;
  };
  /** List the documents of a namespace and of those inside it, oldest first. */
  within: {
    asks: {
      /** Labels, from the outermost inwards. */
      namespace?: string[];
      /** Also of the namespaces inside it. */
      deep?: boolean;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: StoredDocument[];
  };
  /** List the latest documents of a namespace, oldest of them first. */
  newestDocuments: {
    asks: {
      /** Labels, from the outermost inwards. */
      namespace: string[];
      count: number;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: StoredDocument[];
  };
  /** Search documents, best first; scores are in millionths. */
  searchDocuments: {
    asks: {
      /** Labels, from the outermost inwards. */
      namespace: string[];
      query: string;
      /** At most this many; 0: all that match. */
      limit?: number;
      /** Fields that a value must have. */
      where?: { [name: string]: Json } | null;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: FoundDocument[];
  };
  /** List every version of a key, newest first, with the entries where it began and ended. */
  documentHistory: {
    asks: {
      /** Labels, from the outermost inwards. */
      namespace: string[];
      key: string;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: Past[];
  };
  /** List the namespaces that hold documents, sorted by label. */
  namespaces: {
    asks: {
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: string[][];
  };
  /** List every memory operation of a turn, reads included; rendered from the log. */
  turnTrace: {
    asks: {
      /** The number of the job. */
      number: number;
    };
    answers: TurnTrace;
  };
  /** Report how the task of a turn ended. */
  outcome: {
    asks: {
      /** The number of the job. */
      number: number;
      outcome: "failure" | "success";
      task_id?: string;
      detail?: string;
    };
    answers: Done;
  };
  /** Report which items of a context were useful, and which were not. */
  used: {
    asks: {
      /** The id of the context's receipt. */
      context: string;
      ids?: string[];
      unused?: string[];
    };
    answers: Done;
  };
  /** Rank past contexts again with other weights, in millionths; nothing is changed. */
  whatIf: {
    asks: {
      changes?: { [name: string]: number };
      /** At most this many past contexts. */
      limit?: number;
    };
    answers: Proposed;
  };
  /** Suggest weights from the feedback on past contexts; nothing is changed. */
  proposal: {
    asks: {
      /** At most this many past contexts. */
      limit?: number;
    };
    answers: Proposed;
  };
  /** Request other weights for an agent; they are applied once approved. */
  requestCoefficients: {
    asks: {
      of_agent: string;
      weights: Coefficients;
      /** Why; it is logged. */
      reason: string;
      evidence?: string[];
    };
    answers: Requested;
  };
  /** List pending requests, oldest first; or settled ones, with their votes. */
  listRequests: {
    asks: {
      /** List settled requests instead, with their votes. */
      settled?: boolean;
      after?: string;
      /** At most this many on a page. */
      limit?: number;
    };
    answers: Page_Request;
  };
  /** One request, pending or settled, with its votes. */
  getRequest: {
    asks: {
      request_id: string;
    };
    answers: RequestStatus;
  };
  /** Approve, reject or abstain; `binding` is the digest of what is approved. */
  vote: {
    asks: {
      request_id: string;
      vote: "approve" | "reject" | "abstain";
      /** Why; it is logged. */
      reason?: string;
      /** Digest of what is approved. */
      binding?: string;
    };
    answers: VoteResult;
  };
  /** Advance the council's clock; requests past their deadline are settled. */
  councilTick: {
    asks: Record<string, never>;
    answers: CouncilTime;
  };
  /** Run pending maintenance of both personas; it may be interrupted and run again. */
  dream: {
    asks: Record<string, never>;
    answers: Dream;
  };
  /** Turn feedback into a change of the agent's identity, test it, and request it if better. */
  learn: {
    asks: {
      feedback: string;
    };
    answers: Lesson;
  };
  /** Progress of the derived layers of a persona. */
  coverage: {
    asks: {
      persona?: "actor" | "subconscious";
    };
    answers: Coverage;
  };
  /** Get an episode unredacted; the read is logged before anything is returned. */
  readPayload: {
    asks: {
      of_agent: string;
      episodic_id: string;
      /** Why; it is logged. */
      reason: string;
      of_persona?: "actor" | "subconscious";
    };
    answers: FullEpisode;
  };
  /** List every governed fact of the tenant; the read is logged. */
  allFacts: {
    asks: {
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
      /** Why; it is logged. */
      reason: string;
    };
    answers: Fact[];
  };
  /** Request the deletion of a governed fact. */
  requestDeletion: {
    asks: {
      key: string;
      /** Why; it is logged. */
      reason: string;
    };
    answers: Requested;
  };
  /** Carry out an approved deletion. */
  deleteFact: {
    asks: {
      request_id: string;
    };
    answers: Done;
  };
  /** List every log of the tenant that has its own policy, and which one. */
  policies: {
    asks: {
      after?: string;
      /** At most this many on a page. */
      limit?: number;
    };
    answers: Page_InForce;
  };
  /** Request a policy for an agent, a shared space, or the council itself. */
  requestPolicy: {
    asks: {
      policy: { [name: string]: Json };
      /** Why; it is logged. */
      reason: string;
      of_agent?: string;
      of_space?: string;
      of_persona?: "actor" | "subconscious";
    };
    answers: Requested;
  };
  /** The policy in force for an agent, a shared space, or without either the council. */
  policy: {
    asks: {
      of_agent?: string;
      of_space?: string;
      of_persona?: "actor" | "subconscious";
    };
    answers: ShownPolicy;
  };
  /** What would be otherwise if this policy had held from the beginning; the reason is logged. */
  whatIfPolicy: {
    asks: {
      of_agent?: string;
      of_space?: string;
      of_persona?: "actor" | "subconscious";
      /** Why; it is logged. */
      reason: string;
      policy?: { [name: string]: Json } | null;
    };
    answers: WhatIf;
  };
  /** Put an approved policy in force, exactly as it was approved. */
  applyPolicy: {
    asks: {
      request_id: string;
    };
    answers: Applied;
  };
  /** The identity that is in force for an agent. */
  identity: {
    asks: {
      of_agent: string;
    };
    answers: Identity;
  };
  /** Put an identity in force for both personas of an agent. */
  adoptIdentity: {
    asks: {
      of_agent: string;
      identity: { [name: string]: Json };
      /** Why; it is logged. */
      reason?: string;
    };
    answers: Identity;
  };
  /** Carry out a patch of an identity that the council has approved. */
  applyIdentity: {
    asks: {
      request_id: string;
    };
    answers: Identity;
  };
  /** Add an instruction to an agent's session, on the system's authority. */
  impose: {
    asks: {
      of_agent: string;
      text: string;
      of_user?: string;
      session?: string;
    };
    answers: Done;
  };
  /** Remove an instruction that an administrator added to a session. */
  lift: {
    asks: {
      of_agent: string;
      item_id: string;
      of_user?: string;
      session?: string;
    };
    answers: Done;
  };
  /** List failures and retries; the queue `admin` holds what needs an administrator. */
  incidents: {
    asks: {
      queue?: string;
      /** The `next` of the last page. */
      after?: string;
      /** At most this many on a page. */
      limit?: number;
    };
    answers: Page_IncidentRecorded;
  };
  /** Place a legal hold: what it covers cannot be forgotten, expire, be rolled back or erased. */
  placeHold: {
    asks: {
      /** Why; it is logged. */
      reason: string;
      /** The person it covers. */
      of_user?: string;
      /** The space: project:atlas, session:s1, agent:ada. */
      space?: string;
      /** Told from this day on. */
      since?: string;
      /** Told up to this day. */
      until?: string;
      /** The day when the hold ends. */
      ends?: string;
    };
    answers: HoldId;
  };
  /** List the legal holds in force. */
  holds: {
    asks: Record<string, never>;
    answers: PlacedHold[];
  };
  /** Lift a legal hold, and carry out what it had blocked. */
  liftHold: {
    asks: {
      hold_id: string;
      /** Why; it is logged. */
      reason?: string;
    };
    answers: LiftedHold;
  };
  /** Lift every legal hold that has ended by now. */
  settleHolds: {
    asks: Record<string, never>;
    answers: LiftedHold[];
  };
  /** List what the policy keeps no longer, and when it goes; nothing is changed. */
  due: {
    asks: {
      /** Also what goes within so many days. */
      within?: number;
    };
    answers: DuePeriod[];
  };
  /** Erase what the policy keeps no longer, except what a legal hold covers. */
  carryOutDue: {
    asks: Record<string, never>;
    answers: DuePeriod[];
  };
  /** Request the erasure of everything about a person. */
  requestErasure: {
    asks: {
      of_user: string;
      /** Why; it is logged. */
      reason: string;
    };
    answers: Requested;
  };
  /** Carry out an approved erasure: destroy, rebuild, scan and record. */
  carryOutErasure: {
    asks: {
      request_id: string;
    };
    answers: Erasure;
  };
  /** Open a branch: reads fall through to the memory, writes stay in the branch. */
  openBranch: {
    asks: {
      branch: string;
      /** By log, the entry to branch from; other logs branch from their end */
      at?: { [name: string]: number };
    };
    answers: BranchStatus;
  };
  /** List open branches, and how much was written in each. */
  branches: {
    asks: Record<string, never>;
    answers: BranchStatus[];
  };
  /** Show what a branch added, changed, retired, forgot and refused, by log; it is logged why. */
  diffBranch: {
    asks: {
      branch: string;
      /** Why; it is logged. */
      reason: string;
    };
    answers: BranchDiff;
  };
  /** Merge a branch into the memory and close it; or preview the merge. */
  mergeBranch: {
    asks: {
      branch: string;
      preview?: boolean;
    };
    answers: Merge;
  };
  /** Discard a branch, and what was written in it. */
  discardBranch: {
    asks: {
      branch: string;
    };
    answers: Discarded;
  };
  /** List the API keys of the tenant, without their secrets. */
  listKeys: {
    asks: Record<string, never>;
    answers: ShownKey[];
  };
  /** Create an API key of this tenant; the secret is shown only here. */
  createKey: {
    asks: {
      role: "agent" | "user" | "council" | "admin" | "auditor" | "engine";
      of_agent?: string;
      of_user?: string;
      of_persona?: "actor" | "subconscious";
      projects?: string[];
      verbs?: string[];
      who?: string;
      label?: string;
      days?: number;
    };
    answers: ShownKey;
  };
  /** Revoke an API key of this tenant at once. */
  revokeKey: {
    asks: {
      key_id: string;
    };
    answers: ShownKey;
  };
  /** Ask the configured model to extract facts from what was stored since the last run. */
  extractFacts: {
    asks: {
      /** At most this many requests. */
      batches_max?: number;
    };
    answers: Extraction[];
  };
  /** Undo an extraction: forget what it stored, and restore what it replaced or ended. */
  undoExtraction: {
    asks: {
      extraction_id: string;
    };
    answers: UndoneExtraction;
  };
  /** List extracted facts that hold, newest first, each with the words it comes from. */
  extractedFacts: {
    asks: {
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: Memo[];
  };
  /** Count the texts of each origin that wait for extraction. */
  extractionWaiting: {
    asks: Record<string, never>;
    answers: { [name: string]: number };
  };
  /** A profile, reflection, conversation, title or loop, each sentence with what it cites. */
  summary: {
    asks: {
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
      /** What is summarised; by default the user. */
      kind?: "profile" | "reflection" | "conversation" | "title" | "loop";
      /** A conversation or a loop, by its name. */
      session?: string;
      /** A reflection: its first day. */
      since?: string;
      /** A reflection: its last day; by default it goes on. */
      until?: string;
    };
    answers: CitedSummary;
  };
  /** Ask the model that is named to word a summary; what its sentences cite is checked. */
  writeSummary: {
    asks: {
      /** What is summarised; by default the user. */
      kind?: "profile" | "reflection" | "conversation" | "title" | "loop";
      /** A conversation or a loop, by its name. */
      session?: string;
      /** A reflection: its first day. */
      since?: string;
      /** A reflection: its last day; by default it goes on. */
      until?: string;
      /** At most this many requests. */
      batches_max?: number;
    };
    answers: CitedSummary;
  };
  /** Take back one wording of a summary; the one before it is read again. */
  undoSummary: {
    asks: {
      summary_id: string;
    };
    answers: Done;
  };
  /** List people, places and organisations, those with most relations first. */
  entities: {
    asks: {
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
      /** Only entities of one kind. */
      kind?: "" | "person" | "place" | "organisation" | "animal";
    };
    answers: NamedEntity[];
  };
  /** One entity by any of its names: its relations, each with the sentence behind it. */
  about: {
    asks: {
      name: string;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: NamedEntity;
  };
  /** How two entities are connected, step by step; `user` is whoever the memory is of. */
  pathBetween: {
    asks: {
      start: string;
      end: string;
      /** As of an earlier entry. */
      at?: number | null;
      /** What was true on a day: 2026-03-05. */
      valid_at?: string;
    };
    answers: EntityRelation[];
  };
  /** Merge two names into one entity. */
  mergeEntities: {
    asks: {
      name: string;
      into: string;
    };
    answers: Done;
  };
  /** Split a name from longer names that begin with it: an entity of its own. */
  splitEntity: {
    asks: {
      name: string;
    };
    answers: Done;
  };
  /** Undo a merge or split of an entity. */
  restoreEntity: {
    asks: {
      name: string;
    };
    answers: Done;
  };
  /** List the streams of the tenant, with the head of each. */
  streams: {
    asks: Record<string, never>;
    answers: StreamHead[];
  };
  /** The hashed headers of a stream: commitments and counters, no content. */
  headers: {
    asks: {
      /** The name of a log. */
      stream: string;
      /** The `next` of the last page. */
      after?: string;
      /** At most this many on a page. */
      limit?: number;
    };
    answers: Page_HeaderEntry;
  };
  /** Verify every link of every stream and replay every decision. */
  prove: {
    asks: Record<string, never>;
    answers: Proof[];
  };
  /** Rebuild everything derived from the logs; returns the digest of each stream's projections. */
  rebuild: {
    asks: Record<string, never>;
    answers: { [name: string]: string };
  };
  /** Check logs against everything that was signed of them, and sign their heads. */
  sign: {
    asks: {
      stream?: string;
    };
    answers: SignedHead[];
  };
  /** List every signed head of a log, oldest first. */
  signed: {
    asks: {
      /** The name of a log. */
      stream: string;
    };
    answers: SignedHead[];
  };
  /** Prove one entry to an outsider; with a reason, which is logged, what it says. */
  certify: {
    asks: {
      /** The name of a log. */
      stream: string;
      seq: number;
      /** Open the entry for this reason; it is logged. */
      reason?: string;
    };
    answers: Certified;
  };
  /** Prove that a log continues from a signed head that somebody kept. */
  link: {
    asks: {
      /** The name of a log. */
      stream: string;
      old: string;
    };
    answers: Linked;
  };
  /** Export a whole log for an outsider: headers, commitments, signed heads, no content. */
  bundle: {
    asks: {
      /** The name of a log. */
      stream: string;
    };
    answers: Bundled;
  };
}

/** Of each method: verb, path, and where what it is asked with stands. */
export const ROUTES: Record<keyof Methods, [string, string, Said]> = {
  remember: ["POST", "/v1/remember", "body"],
  rememberMany: ["POST", "/v1/remember/many", "body"],
  recall: ["POST", "/v1/recall", "body"],
  promptContext: ["POST", "/v1/context", "body"],
  records: ["POST", "/v1/records", "body"],
  getRecord: ["GET", "/v1/record", "address"],
  forget: ["POST", "/v1/forget", "body"],
  forgetWhere: ["POST", "/v1/forget/where", "body"],
  restore: ["POST", "/v1/restore", "body"],
  rollBack: ["POST", "/v1/rollback", "body"],
  undoRollback: ["POST", "/v1/rollback/undo", "body"],
  correct: ["POST", "/v1/correct", "body"],
  vouch: ["POST", "/v1/vouch", "body"],
  episode: ["GET", "/v1/episodes/{episodic_id}", "address"],
  episodicQuery: ["POST", "/v1/episodes/query", "body"],
  confirm: ["POST", "/v1/confirmations/{confirmation_id}", "body"],
  consent: ["POST", "/v1/consents", "body"],
  revokeConsent: ["POST", "/v1/consents/{consent_id}/revoke", "address"],
  semSearch: ["GET", "/v1/facts", "address"],
  semPut: ["POST", "/v1/facts", "body"],
  semGet: ["GET", "/v1/fact", "address"],
  petition: ["POST", "/v1/petitions", "body"],
  petitions: ["GET", "/v1/petitions", "address"],
  questions: ["GET", "/v1/questions", "address"],
  ownErasure: ["POST", "/v1/erasure", "body"],
  log: ["GET", "/v1/log", "address"],
  entry: ["GET", "/v1/log/{entry_id}", "address"],
  createWebhook: ["POST", "/v1/webhooks", "body"],
  webhooks: ["GET", "/v1/webhooks", "address"],
  retryWebhook: ["POST", "/v1/webhooks/{webhook_id}/retry", "address"],
  deleteWebhook: ["DELETE", "/v1/webhooks/{webhook_id}", "address"],
  export: ["POST", "/v1/export", "body"],
  importFile: ["POST", "/v1/import", "file"],
  makePassport: ["POST", "/v1/admin/passports", "body"],
  verifyPassport: ["POST", "/v1/admin/passports/verify", "body"],
  takeInPassport: ["POST", "/v1/admin/passports/take-in", "body"],
  ragQuery: ["POST", "/v1/mirror/query", "body"],
  fuzzyQuery: ["POST", "/v1/loops/query", "body"],
  skills: ["GET", "/v1/skills", "address"],
  whyNot: ["POST", "/v1/why-not", "body"],
  recallAgain: ["POST", "/v1/recall/again", "body"],
  conversationRecall: ["POST", "/v1/conversation/recall", "body"],
  record: ["POST", "/v1/conversation/record", "body"],
  conversationCorrect: ["POST", "/v1/conversation/correct", "body"],
  conversationForget: ["POST", "/v1/conversation/forget", "body"],
  conversationPromote: ["POST", "/v1/conversation/promote", "body"],
  items: ["GET", "/v1/conversation/items", "address"],
  blame: ["GET", "/v1/conversation/blame", "address"],
  retiredBy: ["GET", "/v1/conversation/retired", "address"],
  undo: ["POST", "/v1/conversation/undo", "body"],
  startPhase: ["POST", "/v1/conversation/phases", "body"],
  diffPhases: ["POST", "/v1/conversation/phases/diff", "body"],
  traces: ["GET", "/v1/conversation/traces", "address"],
  turn: ["POST", "/v1/threads/turns", "body"],
  threads: ["GET", "/v1/threads", "address"],
  threadsTimeout: ["POST", "/v1/threads/timeout", "body"],
  settleLink: ["POST", "/v1/threads/links/{decision}", "body"],
  thread: ["GET", "/v1/threads/{thread_id}", "address"],
  continuity: ["GET", "/v1/threads/{thread_id}/continuity", "address"],
  threadContext: ["GET", "/v1/threads/{thread_id}/context", "address"],
  threadTimeout: ["POST", "/v1/threads/{thread_id}/timeout", "body"],
  endThread: ["POST", "/v1/threads/{thread_id}/end", "address"],
  openJob: ["POST", "/v1/jobs", "body"],
  getJob: ["GET", "/v1/jobs/{number}", "address"],
  observe: ["POST", "/v1/jobs/{number}/observe", "body"],
  episodicWrite: ["POST", "/v1/jobs/{number}/episodes", "body"],
  workingInsert: ["POST", "/v1/jobs/{number}/working", "body"],
  workingFind: ["POST", "/v1/jobs/{number}/working/find", "body"],
  consolidated: ["GET", "/v1/jobs/{number}/consolidated", "address"],
  consolidatedFind: ["POST", "/v1/jobs/{number}/consolidated/find", "body"],
  reference: ["POST", "/v1/jobs/{number}/reference", "body"],
  promoteWorking: ["POST", "/v1/jobs/{number}/promote", "body"],
  tick: ["POST", "/v1/jobs/{number}/tick", "address"],
  setGoal: ["POST", "/v1/jobs/{number}/goals", "body"],
  goals: ["GET", "/v1/jobs/{number}/goals", "address"],
  observeEvent: ["POST", "/v1/jobs/{number}/events", "body"],
  jobRecall: ["POST", "/v1/jobs/{number}/recall", "body"],
  jobContext: ["POST", "/v1/jobs/{number}/context", "body"],
  jobPetition: ["POST", "/v1/jobs/{number}/petitions", "body"],
  memorize: ["POST", "/v1/jobs/{number}/memorize", "body"],
  trackTool: ["POST", "/v1/jobs/{number}/tools", "body"],
  budgetStatus: ["GET", "/v1/jobs/{number}/budget", "address"],
  commit: ["POST", "/v1/jobs/{number}/commit", "address"],
  putDocument: ["POST", "/v1/documents", "body"],
  addDocuments: ["POST", "/v1/documents/add", "body"],
  dropDocument: ["POST", "/v1/documents/drop", "body"],
  clearNamespace: ["POST", "/v1/documents/clear", "body"],
  getDocument: ["POST", "/v1/documents/get", "body"],
  within: ["POST", "/v1/documents/within", "body"],
  newestDocuments: ["POST", "/v1/documents/newest", "body"],
  searchDocuments: ["POST", "/v1/documents/search", "body"],
  documentHistory: ["POST", "/v1/documents/history", "body"],
  namespaces: ["GET", "/v1/documents/namespaces", "address"],
  turnTrace: ["GET", "/v1/jobs/{number}/trace", "address"],
  outcome: ["POST", "/v1/jobs/{number}/outcome", "body"],
  used: ["POST", "/v1/contexts/{context}/use", "body"],
  whatIf: ["POST", "/v1/contexts/what-if", "body"],
  proposal: ["GET", "/v1/contexts/proposal", "address"],
  requestCoefficients: ["POST", "/v1/admin/coefficients", "body"],
  listRequests: ["GET", "/v1/requests", "address"],
  getRequest: ["GET", "/v1/requests/{request_id}", "address"],
  vote: ["POST", "/v1/requests/{request_id}/votes", "body"],
  councilTick: ["POST", "/v1/council/tick", "address"],
  dream: ["POST", "/v1/dream", "address"],
  learn: ["POST", "/v1/learn", "body"],
  coverage: ["GET", "/v1/coverage", "address"],
  readPayload: ["POST", "/v1/admin/payloads", "body"],
  allFacts: ["POST", "/v1/admin/facts", "body"],
  requestDeletion: ["POST", "/v1/admin/deletions", "body"],
  deleteFact: ["POST", "/v1/admin/deletions/{request_id}/carry-out", "address"],
  policies: ["GET", "/v1/admin/policies", "address"],
  requestPolicy: ["POST", "/v1/admin/policies", "body"],
  policy: ["GET", "/v1/admin/policies/in-force", "address"],
  whatIfPolicy: ["POST", "/v1/admin/policies/what-if", "body"],
  applyPolicy: ["POST", "/v1/admin/policies/{request_id}/apply", "address"],
  identity: ["GET", "/v1/admin/identities/{of_agent}", "address"],
  adoptIdentity: ["POST", "/v1/admin/identities/{of_agent}", "body"],
  applyIdentity: ["POST", "/v1/admin/patches/{request_id}/apply", "address"],
  impose: ["POST", "/v1/admin/impositions", "body"],
  lift: ["POST", "/v1/admin/impositions/lift", "body"],
  incidents: ["GET", "/v1/admin/incidents", "address"],
  placeHold: ["POST", "/v1/admin/holds", "body"],
  holds: ["GET", "/v1/admin/holds", "address"],
  liftHold: ["POST", "/v1/admin/holds/{hold_id}/lift", "body"],
  settleHolds: ["POST", "/v1/admin/holds/settle", "address"],
  due: ["GET", "/v1/admin/due", "address"],
  carryOutDue: ["POST", "/v1/admin/due/carry-out", "address"],
  requestErasure: ["POST", "/v1/admin/erasures", "body"],
  carryOutErasure: ["POST", "/v1/admin/erasures/{request_id}/carry-out", "address"],
  openBranch: ["POST", "/v1/admin/branches", "body"],
  branches: ["GET", "/v1/admin/branches", "address"],
  diffBranch: ["GET", "/v1/admin/branches/diff", "address"],
  mergeBranch: ["POST", "/v1/admin/branches/merge", "body"],
  discardBranch: ["POST", "/v1/admin/branches/discard", "body"],
  listKeys: ["GET", "/v1/admin/keys", "address"],
  createKey: ["POST", "/v1/admin/keys", "body"],
  revokeKey: ["POST", "/v1/admin/keys/{key_id}/revoke", "address"],
  extractFacts: ["POST", "/v1/extractions", "body"],
  undoExtraction: ["POST", "/v1/extractions/undo", "body"],
  extractedFacts: ["GET", "/v1/extractions/facts", "address"],
  extractionWaiting: ["GET", "/v1/extractions/waiting", "address"],
  summary: ["GET", "/v1/summaries", "address"],
  writeSummary: ["POST", "/v1/summaries", "body"],
  undoSummary: ["POST", "/v1/summaries/undo", "body"],
  entities: ["GET", "/v1/entities", "address"],
  about: ["POST", "/v1/entities/about", "body"],
  pathBetween: ["POST", "/v1/entities/path", "body"],
  mergeEntities: ["POST", "/v1/entities/merge", "body"],
  splitEntity: ["POST", "/v1/entities/split", "body"],
  restoreEntity: ["POST", "/v1/entities/restore", "body"],
  streams: ["GET", "/v1/streams", "address"],
  headers: ["GET", "/v1/streams/headers", "address"],
  prove: ["POST", "/v1/prove", "address"],
  rebuild: ["POST", "/v1/rebuild", "address"],
  sign: ["POST", "/v1/sign", "body"],
  signed: ["GET", "/v1/streams/signed", "address"],
  certify: ["POST", "/v1/certify", "body"],
  link: ["POST", "/v1/link", "body"],
  bundle: ["POST", "/v1/bundle", "body"],
};

/** What is told one by one, as it happens or as it is read. */
export interface Streams {
  /** Stream the entries of the caller's own log; Last-Event-ID resumes. */
  followLog: {
    asks: {
      /** The `next` of the last page. */
      after?: string;
      /** At most this many on a page. */
      limit?: number;
    };
    tells: LogEntry;
  };
  /** Stream what is known, and each change of it; Last-Event-ID resumes. */
  watch: {
    asks: {
      /** Watch this key. */
      key?: string;
      /** Watch this person, place or thing. */
      entity?: string;
      /** Watch the answers to this question. */
      question?: string;
      /** For a question: how many answers are watched. */
      limit?: number;
      /** Continue after the change with this cursor. */
      after?: string;
    };
    tells: WatchChange;
  };
  /** Export what the caller may read, as JSON lines; the last line is the manifest. */
  export: {
    asks: {
      of_user?: string;
      of_agent?: string;
      /** Only one space: session, user, project or system, perhaps with :NAME. */
      space?: string;
      /** Only records of these kinds. */
      kinds?: ("episode" | "item" | "memo" | "goal" | "document" | "fact" | "loop" | "skill" | "summary" | "extraction" | "thread" | "working" | "question" | "mandate" | "consent" | "policy" | "hold" | "profile")[];
      /** Only what was told at this moment or later. */
      since?: string;
      /** Only what was told before this moment. */
      until?: string;
      /** Sign the manifest; for administrators. */
      sign?: boolean;
      /** Why; it is logged. */
      reason?: string;
    };
    tells: ExchangeLine;
  };
}

/** Of each: verb and path. */
export const STREAMS: Record<keyof Streams, [string, string]> = {
  followLog: ["GET", "/v1/log/stream"],
  watch: ["GET", "/v1/watch"],
  export: ["POST", "/v1/export"],
};
