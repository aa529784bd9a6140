"""Tables and triggers of a PostgreSQL store, as SQL.

Every key begins with the tenant, then the stream: no row, no lock and no transaction ever needs
two of either, so a table may be spread over servers by its first column. What is hashed is
`bytea`, never JSON: a server that spells a value anew would break the chain. A row that belongs
to a Subconscious is `hidden`; a row's tenant, stream and persona never change.
"""

from typing import Final

# A head's state: it is written to; a move has fenced it for a moment; it lives elsewhere now.
LIVE, FENCED, GONE = 0, 1, 2

LOG: Final = """
CREATE TABLE head (
  tenant bytea NOT NULL CHECK (octet_length(tenant) = 16),
  stream bytea NOT NULL CHECK (octet_length(stream) = 16),
  hidden boolean NOT NULL,
  agent bytea NOT NULL,
  seq bigint NOT NULL CHECK (seq > 0),
  hash bytea NOT NULL,
  state smallint NOT NULL DEFAULT 0,
  CONSTRAINT head_place PRIMARY KEY (tenant, stream)
) WITH (fillfactor = 50);  -- room for the next head on the same page: no index is touched

-- The digest is a column: behind a wall a condition may use an index only if it cannot leak what
-- it looks at, and the server does not trust `sha256` with that. A key may be longer than what an
-- index page takes.
-- Whom an entry is about is found by an index, whatever else the log holds: by its subjects, or
-- because it has no part, or because a part was emptied and is nobody's.
CREATE TABLE entry (
  tenant bytea NOT NULL,
  stream bytea NOT NULL,
  hidden boolean NOT NULL,
  seq bigint NOT NULL CHECK (seq > 0),
  hash bytea NOT NULL,
  header bytea NOT NULL,
  operation bytea,
  digest bytea GENERATED ALWAYS AS (sha256(operation)) STORED,
  partless boolean NOT NULL DEFAULT false,
  CONSTRAINT entry_place PRIMARY KEY (tenant, stream, seq)
);
CREATE UNIQUE INDEX entry_operation ON entry (tenant, stream, digest) WHERE digest IS NOT NULL;
CREATE INDEX entry_partless ON entry (tenant, stream, seq) WHERE partless;

CREATE TABLE fragment (
  tenant bytea NOT NULL,
  stream bytea NOT NULL,
  hidden boolean NOT NULL,
  seq bigint NOT NULL,
  n integer NOT NULL,
  subject text,
  data bytea,
  CONSTRAINT fragment_place PRIMARY KEY (tenant, stream, seq, n)
);
CREATE INDEX fragment_subject ON fragment (tenant, stream, subject, seq) WHERE data IS NOT NULL;
CREATE INDEX fragment_emptied ON fragment (tenant, stream, seq) WHERE data IS NULL;
ALTER TABLE fragment ALTER COLUMN data SET STORAGE EXTERNAL;  -- what is sealed cannot be squeezed
"""

SHELVES: Final = """
CREATE TABLE shelf_row (
  tenant bytea NOT NULL,
  stream bytea NOT NULL,
  hidden boolean NOT NULL,
  shelf text NOT NULL,
  born bigint NOT NULL,
  n bigint NOT NULL,
  died bigint,
  id_token bytea NOT NULL,
  key_token bytea NOT NULL,
  CONSTRAINT shelf_row_place PRIMARY KEY (tenant, stream, shelf, born, n)
);
CREATE INDEX shelf_row_alive ON shelf_row (tenant, stream, shelf, born, n) WHERE died IS NULL;
CREATE INDEX shelf_row_id ON shelf_row (tenant, stream, shelf, id_token, born, n);
CREATE INDEX shelf_row_key ON shelf_row (tenant, stream, shelf, key_token, born, n);

CREATE TABLE checkpoint (
  tenant bytea NOT NULL,
  stream bytea NOT NULL,
  hidden boolean NOT NULL,
  seq bigint NOT NULL,
  data bytea NOT NULL,
  CONSTRAINT checkpoint_place PRIMARY KEY (tenant, stream)
);
ALTER TABLE checkpoint ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE segment (
  tenant bytea NOT NULL,
  stream bytea NOT NULL,
  hidden boolean NOT NULL,
  kind text NOT NULL,
  number bigint NOT NULL,
  upto bigint NOT NULL,
  data bytea NOT NULL,
  CONSTRAINT segment_place PRIMARY KEY (tenant, stream, kind, number)
);
ALTER TABLE segment ALTER COLUMN data SET STORAGE EXTERNAL;
"""

# A server plans by what it knows of a table, keeps such a plan for as long as a session lives, and
# of an empty table it knows nothing: it then takes the wrong index. So it is shown once what the
# tables will look like; its own statistics replace this as soon as there is enough to count.
# A stream has one tenant, so the tenant narrows nothing down once the stream is given: it is said
# to have one value, and shown with many, so that none of them is remembered as a common one.
SAMPLE: Final = """
ALTER TABLE head ALTER COLUMN tenant SET (n_distinct = 1);
ALTER TABLE entry ALTER COLUMN tenant SET (n_distinct = 1);
ALTER TABLE fragment ALTER COLUMN tenant SET (n_distinct = 1);
ALTER TABLE shelf_row ALTER COLUMN tenant SET (n_distinct = 1);
INSERT INTO entry (tenant, stream, hidden, seq, hash, header, operation)
  SELECT sha256(n::text::bytea), sha256((n % 10)::text::bytea), false, n, sha256(n::text::bytea),
    '', CASE WHEN n % 2 = 0 THEN n::text::bytea END
  FROM generate_series(1, 1000) AS n;
INSERT INTO shelf_row
  SELECT sha256(n::text::bytea), sha256((n % 10)::text::bytea), false, 'shelf ' || n % 4, n, 1,
    CASE WHEN n % 5 = 0 THEN n + 1 END, sha256(n::text::bytea), sha256((n / 20)::text::bytea)
  FROM generate_series(1, 1000) AS n;
-- Few common values are remembered, so that a stream which is not among them counts as usual.
ALTER TABLE entry ALTER COLUMN stream SET STATISTICS 1;
ALTER TABLE shelf_row ALTER COLUMN stream SET STATISTICS 1, ALTER COLUMN shelf SET STATISTICS 1;
ANALYZE entry, shelf_row;
ALTER TABLE entry ALTER COLUMN stream SET STATISTICS -1;
ALTER TABLE shelf_row ALTER COLUMN stream SET STATISTICS -1, ALTER COLUMN shelf SET STATISTICS -1;
-- What people said must not outlive them in the server's statistics: of their words it keeps what
-- it was shown here, for ever.
INSERT INTO episode (tenant, stream, hidden, episodic_id, seq, n, subject, job_seed,
    created_seeded_ts, summary, evidence, provenance, tokens)
  SELECT sha256(n::text::bytea), sha256((n % 10)::text::bytea), false, n, n, 1, '', '', n, '',
    '[]', '{}', ARRAY['common', 'word ' || n]
  FROM generate_series(1, 1000) AS n;
ANALYZE episode (tokens);
ALTER TABLE episode
  ALTER COLUMN summary SET STATISTICS 0, ALTER COLUMN payload SET STATISTICS 0,
  ALTER COLUMN evidence SET STATISTICS 0, ALTER COLUMN provenance SET STATISTICS 0,
  ALTER COLUMN tokens SET STATISTICS 0;
TRUNCATE entry, shelf_row, episode;
"""

# The second line of defence: the functions never try any of this.
# ALWAYS, so that a session that plays a replica is refused as well.
GUARDS: Final = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;

-- What has moved to another server, and was compared there, may be cleared away here.
CREATE FUNCTION refuse_unless_gone() RETURNS trigger LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  IF current_setting('muniment.clearing', true) = 'on' AND EXISTS (
    SELECT FROM head WHERE tenant = OLD.tenant AND stream = OLD.stream AND state = 2
  ) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER entry_stays BEFORE UPDATE ON entry
  FOR EACH ROW EXECUTE FUNCTION refuse('an entry never changes and is never deleted');
CREATE TRIGGER entry_is_not_deleted BEFORE DELETE ON entry
  FOR EACH ROW EXECUTE FUNCTION refuse_unless_gone('an entry is never deleted');
CREATE TRIGGER entry_is_kept BEFORE TRUNCATE ON entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('an entry is never deleted');
ALTER TABLE entry ENABLE ALWAYS TRIGGER entry_stays;
ALTER TABLE entry ENABLE ALWAYS TRIGGER entry_is_not_deleted;
ALTER TABLE entry ENABLE ALWAYS TRIGGER entry_is_kept;

CREATE TRIGGER fragment_is_only_emptied BEFORE UPDATE ON fragment
  FOR EACH ROW WHEN (
    coalesce(current_setting('muniment.shredding', true), '') <> 'on'
    OR NEW.data IS NOT NULL
    OR (NEW.tenant, NEW.stream, NEW.hidden, NEW.seq, NEW.n, NEW.subject)
      IS DISTINCT FROM (OLD.tenant, OLD.stream, OLD.hidden, OLD.seq, OLD.n, OLD.subject)
  ) EXECUTE FUNCTION refuse('a sealed part is only emptied, and only by shredding');
CREATE TRIGGER fragment_stays BEFORE DELETE ON fragment
  FOR EACH ROW EXECUTE FUNCTION refuse_unless_gone('a sealed part is emptied, never deleted');
CREATE TRIGGER fragment_is_kept BEFORE TRUNCATE ON fragment
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('a sealed part is emptied, never deleted');
ALTER TABLE fragment ENABLE ALWAYS TRIGGER fragment_is_only_emptied;
ALTER TABLE fragment ENABLE ALWAYS TRIGGER fragment_stays;
ALTER TABLE fragment ENABLE ALWAYS TRIGGER fragment_is_kept;

CREATE TRIGGER head_only_grows BEFORE UPDATE ON head
  FOR EACH ROW WHEN (
    NEW.seq < OLD.seq OR (NEW.seq = OLD.seq AND NEW.state = OLD.state)
    OR (NEW.seq = OLD.seq AND NEW.hash <> OLD.hash)
    OR (NEW.tenant, NEW.stream, NEW.hidden, NEW.agent)
      IS DISTINCT FROM (OLD.tenant, OLD.stream, OLD.hidden, OLD.agent)
  ) EXECUTE FUNCTION refuse('a head only moves forward');
CREATE TRIGGER head_stays BEFORE DELETE ON head
  FOR EACH ROW EXECUTE FUNCTION refuse('a head is never deleted');
CREATE TRIGGER head_is_kept BEFORE TRUNCATE ON head
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('a head is never deleted');
ALTER TABLE head ENABLE ALWAYS TRIGGER head_only_grows;
ALTER TABLE head ENABLE ALWAYS TRIGGER head_stays;
ALTER TABLE head ENABLE ALWAYS TRIGGER head_is_kept;

CREATE TRIGGER row_dies_once BEFORE UPDATE ON shelf_row
  FOR EACH ROW WHEN (
    OLD.died IS NOT NULL OR NEW.died IS NULL
    OR (NEW.tenant, NEW.stream, NEW.hidden, NEW.shelf, NEW.born, NEW.n, NEW.id_token, NEW.key_token)
      IS DISTINCT FROM
      (OLD.tenant, OLD.stream, OLD.hidden, OLD.shelf, OLD.born, OLD.n, OLD.id_token, OLD.key_token)
  ) EXECUTE FUNCTION refuse('of a row only its death is still to be written, and once');
ALTER TABLE shelf_row ENABLE ALWAYS TRIGGER row_dies_once;
"""

# Plain text for people who ask in SQL: see the decision on open tables. The view has the columns
# that were asked for and no other; what is forgotten or shredded is not in it. A name is unique
# within its stream, so that no error tells one stream what another holds.
OPEN: Final = """
CREATE TABLE episode (
  tenant bytea NOT NULL,
  stream bytea NOT NULL,
  hidden boolean NOT NULL,
  episodic_id text NOT NULL,
  seq bigint NOT NULL,
  n bigint NOT NULL,
  died bigint,
  subject text NOT NULL,
  job_seed text NOT NULL,
  created_seeded_ts text COLLATE "C" NOT NULL,  -- the order of texts is the order of moments
  summary text NOT NULL,
  payload jsonb,
  evidence jsonb NOT NULL,
  provenance jsonb NOT NULL,
  tokens text[] NOT NULL,
  CONSTRAINT episode_name PRIMARY KEY (tenant, stream, episodic_id),
  CONSTRAINT episode_place UNIQUE (tenant, stream, seq, n)
);
-- No word may hide from a scan because it was squeezed.
ALTER TABLE episode
  ALTER COLUMN summary SET STORAGE EXTERNAL, ALTER COLUMN payload SET STORAGE EXTERNAL,
  ALTER COLUMN evidence SET STORAGE EXTERNAL, ALTER COLUMN provenance SET STORAGE EXTERNAL,
  ALTER COLUMN tokens SET STORAGE EXTERNAL;
CREATE INDEX episode_subject ON episode (tenant, stream, subject);
CREATE INDEX episode_created ON episode (created_seeded_ts) WHERE died IS NULL;
CREATE INDEX episode_tokens ON episode USING gin (tokens) WHERE died IS NULL;

CREATE VIEW episodic_stage1 WITH (security_invoker = true) AS
  SELECT episodic_id, job_seed, created_seeded_ts, summary, payload, evidence, provenance
  FROM episode WHERE died IS NULL;
"""
