"""Read functions of the server, as SQL: one for each query.

Each names its place and answers from that stream alone. The forms of a search are spelled out one
by one, so that each has a plan of its own: every one of them walks an index backwards and stops,
and looks up what it found one by one (the OFFSET keeps the planner from reading it all instead).
"""

from typing import Final

from muniment.adapters.storage.postgres.schema.write_functions import NAME, PLACE

# Asked after the answer: what was just read may have been cleared away meanwhile.
STILL: Final = """  PERFORM FROM head AS h
    WHERE h.tenant = p_tenant AND h.stream = p_stream AND h.state = 2;
  IF FOUND THEN
    RAISE EXCEPTION 'the stream has moved to another server' USING ERRCODE = 'MU003';
  END IF;"""

_HEAD = """
CREATE OR REPLACE FUNCTION read_head({place})
RETURNS TABLE (seq bigint, hash bytea) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  v_named text;
  v_state smallint;
BEGIN
  {name}
  SELECT h.seq, h.hash, h.state INTO read_head.seq, read_head.hash, v_state
    FROM head AS h WHERE h.tenant = p_tenant AND h.stream = p_stream;
  IF v_state = 2 THEN  -- an empty answer would be a lie: a second history could begin here
    RAISE EXCEPTION 'the stream has moved to another server' USING ERRCODE = 'MU003';
  ELSIF v_state IS NOT NULL THEN
    RETURN NEXT;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION find_operation({place}, p_operation bytea)
RETURNS TABLE (seq bigint) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  v_named text;
BEGIN
  {name}
  RETURN QUERY SELECT e.seq FROM entry AS e
    WHERE e.tenant = p_tenant AND e.stream = p_stream AND e.digest = sha256(p_operation);
{still}
END $$;
"""

# Of everything in these tenants a listing shows the streams' names and nothing else.
_LIST = """
CREATE OR REPLACE FUNCTION list_streams(p_tenants bytea[])
RETURNS TABLE (stream bytea) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  v_named text;
  v_tenant bytea;
BEGIN
  v_named := set_config('muniment.stream', '', true)
    || set_config('muniment.persona', 'subconscious', true)
    || set_config('muniment.listing', 'on', true);
  FOREACH v_tenant IN ARRAY p_tenants LOOP
    v_named := set_config('muniment.tenant', encode(v_tenant, 'hex'), true);
    RETURN QUERY SELECT h.stream FROM head AS h
      WHERE h.tenant = v_tenant AND h.state < 2 ORDER BY h.stream;
  END LOOP;
  v_named := set_config('muniment.listing', '', true) || set_config('muniment.tenant', '', true);
END $$;
"""

_ENTRIES = """
CREATE OR REPLACE FUNCTION read_entries({place}, p_after bigint, p_upto bigint)
RETURNS TABLE (seq bigint, hash bytea, header bytea, operation bytea,
  n integer, subject text, data bytea)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  v_named text;
BEGIN
  {name}
  RETURN QUERY
    SELECT e.seq, e.hash, e.header, e.operation, f.n, f.subject, f.data
    FROM entry AS e
    LEFT JOIN fragment AS f ON f.tenant = e.tenant AND f.stream = e.stream AND f.seq = e.seq
      AND f.seq > p_after AND f.seq <= p_upto
    WHERE e.tenant = p_tenant AND e.stream = p_stream AND e.seq > p_after AND e.seq <= p_upto
    ORDER BY e.seq, f.n;
{still}
END $$;
"""

# Looked up one by one (the OFFSET again): the places may be anywhere in a long log.
_PICKED = """
CREATE OR REPLACE FUNCTION pick_entries({place}, p_seqs bigint[])
RETURNS TABLE (seq bigint, hash bytea, header bytea, operation bytea,
  n integer, subject text, data bytea)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  v_named text;
BEGIN
  {name}
  RETURN QUERY
    SELECT e.seq, e.hash, e.header, e.operation, f.n, f.subject, f.data
    FROM (SELECT DISTINCT unnest(p_seqs) AS seq) AS wanted
    CROSS JOIN LATERAL (SELECT * FROM entry
      WHERE tenant = p_tenant AND stream = p_stream AND seq = wanted.seq OFFSET 0) AS e
    LEFT JOIN LATERAL (SELECT * FROM fragment
      WHERE tenant = p_tenant AND stream = p_stream AND seq = wanted.seq OFFSET 0) AS f ON true
    ORDER BY e.seq, f.n;
{still}
END $$;
"""

# By three indexes, each of which knows some of them; what is others' is in none. A subject at a
# time, and an entry at a time: the planner would rather read one index from end to end.
_ABOUT = """
CREATE OR REPLACE FUNCTION find_about({place}, p_subjects text[], p_after bigint, p_upto bigint)
RETURNS TABLE (seq bigint) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  v_named text;
BEGIN
  {name}
  RETURN QUERY
    SELECT its.seq FROM (
      SELECT f.seq FROM unnest(p_subjects) AS mine (subject)
        CROSS JOIN LATERAL (SELECT seq FROM fragment
          WHERE tenant = p_tenant AND stream = p_stream AND subject = mine.subject
            AND data IS NOT NULL AND seq > p_after AND seq <= p_upto OFFSET 0) AS f
      UNION SELECT f.seq FROM fragment AS f WHERE f.tenant = p_tenant AND f.stream = p_stream
        AND f.data IS NULL AND f.seq > p_after AND f.seq <= p_upto
      UNION SELECT e.seq FROM entry AS e WHERE e.tenant = p_tenant AND e.stream = p_stream
        AND e.partless AND e.seq > p_after AND e.seq <= p_upto
    ) AS its
    CROSS JOIN LATERAL (SELECT coalesce(bool_or(f.is_left AND f.subject <> ALL (p_subjects)), false)
        AS is_others FROM (SELECT data IS NOT NULL AS is_left, subject FROM fragment
          WHERE tenant = p_tenant AND stream = p_stream AND seq = its.seq OFFSET 0) AS f) AS parts
    WHERE NOT parts.is_others
    ORDER BY its.seq;
{still}
END $$;
"""

_ROWS = """
CREATE OR REPLACE FUNCTION read_rows({place},
  p_shelf text, p_at bigint, p_every boolean, p_id bytea, p_key bytea,
  p_born bigint, p_n bigint, p_limit bigint)
RETURNS TABLE (n bigint, born bigint, died bigint, seq bigint, hash bytea, header bytea,
  operation bytea, part integer, subject text, data bytea)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  v_named text;
BEGIN
  {name}
{forms}
{still}
END $$;
"""
_FORM = """  {word} {when} THEN
    RETURN QUERY WITH found AS MATERIALIZED (
      SELECT s.born, s.n, s.died FROM shelf_row AS s
      WHERE s.tenant = p_tenant AND s.stream = p_stream AND s.shelf = p_shelf
        AND (s.born, s.n) < (p_born, p_n){which}
      ORDER BY s.born DESC, s.n DESC LIMIT p_limit
    )
    SELECT r.n, r.born, r.died, e.seq, e.hash, e.header, e.operation, f.n, f.subject, f.data
    FROM found AS r
    CROSS JOIN LATERAL (SELECT * FROM entry
      WHERE tenant = p_tenant AND stream = p_stream AND seq = r.born OFFSET 0) AS e
    LEFT JOIN LATERAL (SELECT * FROM fragment
      WHERE tenant = p_tenant AND stream = p_stream AND seq = r.born OFFSET 0) AS f ON true
    ORDER BY r.born DESC, r.n DESC, f.n;
"""
# Where rows begin, for many searches in one question; nothing is fetched from there.
_BIRTHS = """
CREATE OR REPLACE FUNCTION find_births({place}, p_shelves text[], p_ats bigint[],
  p_everys boolean[], p_ids bytea[], p_keys bytea[], p_limits bigint[])
RETURNS TABLE (search bigint, born bigint) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  v_named text;
  v_search bigint;
  p_shelf text;
  p_at bigint;
  p_every boolean;
  p_id bytea;
  p_key bytea;
  p_limit bigint;
BEGIN
  {name}
  FOR p_shelf, p_at, p_every, p_id, p_key, p_limit, v_search IN
    SELECT * FROM unnest(p_shelves, p_ats, p_everys, p_ids, p_keys, p_limits) WITH ORDINALITY
  LOOP
{births}
  END LOOP;
{still}
END $$;
"""
_BIRTH = """  {word} {when} THEN
    RETURN QUERY SELECT v_search, s.born FROM shelf_row AS s
      WHERE s.tenant = p_tenant AND s.stream = p_stream AND s.shelf = p_shelf
        AND s.born <= p_at{which}
      ORDER BY s.born DESC, s.n DESC LIMIT p_limit;
"""
_THEN = " AND (s.died IS NULL OR s.died > p_at)"
_ID, _KEY = " AND s.id_token = p_id", " AND s.key_token = p_key"
# Nobody has died after the head, so what lived at the head lives now: a smaller index knows it.
_AT_HEAD = (
    "coalesce((SELECT h.seq FROM head AS h"
    " WHERE h.tenant = p_tenant AND h.stream = p_stream), 0) <= p_at"
)
_WHICH = {
    "p_every AND p_id = '' AND p_key = ''": "",
    "p_every AND p_key = ''": _ID,
    "p_every AND p_id = ''": _KEY,
    "p_every": _ID + _KEY,
    "p_id <> '' AND p_key = ''": _THEN + _ID,
    "p_id = '' AND p_key <> ''": _THEN + _KEY,
    "p_id <> '' AND p_key <> ''": _THEN + _ID + _KEY,
    _AT_HEAD: " AND s.died IS NULL",
    "true": _THEN,
}

_DERIVED = """
CREATE OR REPLACE FUNCTION read_checkpoint({place})
RETURNS TABLE (seq bigint, data bytea) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  v_named text;
BEGIN
  {name}
  RETURN QUERY SELECT c.seq, c.data FROM checkpoint AS c
    WHERE c.tenant = p_tenant AND c.stream = p_stream;
{still}
END $$;

CREATE OR REPLACE FUNCTION read_segments({place}, p_kind text)
RETURNS TABLE (number bigint, upto bigint, data bytea)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  v_named text;
BEGIN
  {name}
  RETURN QUERY SELECT s.number, s.upto, s.data FROM segment AS s
    WHERE s.tenant = p_tenant AND s.stream = p_stream AND s.kind = p_kind ORDER BY s.number;
{still}
END $$;

CREATE OR REPLACE FUNCTION read_episodes({place})
RETURNS TABLE (seq bigint, n bigint, subject text, episodic_id text, job_seed text,
  created_seeded_ts text, summary text, payload text, evidence text, provenance text,
  tokens text[])
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  v_named text;
BEGIN
  {name}
  RETURN QUERY SELECT e.seq, e.n, e.subject, e.episodic_id, e.job_seed,
      e.created_seeded_ts::text, e.summary, e.payload::text, e.evidence::text,
      e.provenance::text, e.tokens
    FROM episode AS e
    WHERE e.tenant = p_tenant AND e.stream = p_stream AND e.died IS NULL ORDER BY e.seq, e.n;
{still}
END $$;
"""

# For the residue scan: every column of every row of a table, as bytes, whatever its type.
_RAW = """
CREATE OR REPLACE FUNCTION read_raw({place}, p_table text)
RETURNS TABLE (row_bytes bytea) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_named text;
  v_columns text;
BEGIN
  {name}
  SELECT string_agg(
      CASE WHEN a.atttypid = 'bytea'::regtype THEN format('coalesce(%I, %L)', a.attname, '')
      ELSE format('coalesce(convert_to(%I::text, %L), %L)', a.attname, 'UTF8', '') END,
      ' || ''\\x00''::bytea || ' ORDER BY a.attnum)
    INTO v_columns FROM pg_attribute AS a
    WHERE a.attrelid = format('%I', p_table)::regclass AND a.attnum > 0 AND NOT a.attisdropped;
  RETURN QUERY EXECUTE format('SELECT %s FROM %I WHERE tenant = $1 AND stream = $2',
    v_columns, p_table) USING p_tenant, p_stream;
END $$;

CREATE OR REPLACE FUNCTION list_tables() RETURNS TABLE (table_name text)
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT c.relname::text FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
  WHERE c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'head'::regclass)
    AND c.relkind IN ('r', 'p') AND a.attname = 'stream' AND NOT a.attisdropped
  ORDER BY c.relname COLLATE "C"
$$;
"""


def _forms(form: str) -> str:
    words = ["IF", *("ELSIF" for _ in _WHICH)]
    parts = [
        form.format(word=word, when=when, which=which)
        for word, (when, which) in zip(words, _WHICH.items(), strict=False)
    ]
    return "".join(parts) + "  END IF;"


def _placed(text: str) -> str:
    text = text.replace("{forms}", _forms(_FORM)).replace("{births}", _forms(_BIRTH))
    text = text.replace("{still}", STILL)
    return text.replace("{place}", PLACE).replace("{name}", NAME)


_ALL = (_HEAD, _LIST, _ENTRIES, _PICKED, _ABOUT, _ROWS, _BIRTHS, _DERIVED, _RAW)
READS: Final = "".join(_placed(each) for each in _ALL)
