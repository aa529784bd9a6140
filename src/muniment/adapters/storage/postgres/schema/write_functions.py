"""Write functions of the server, as SQL: one for each write, all or nothing.

A call is a transaction of its own. The head's row is locked first, so writers of one stream
queue and no number is ever skipped; the key of (stream, seq) stands behind it as the last guard.
The place (tenant, agent, stream, and whether it is hidden) is always given first: a router may
send the call where the stream lives. What a call may see is that stream alone, so it names it
before it looks: see the SQL on row security.
"""

from typing import Final

# What the functions raise themselves, in a class that SQL does not use: the head is another one;
# the log does not reach so far; the stream is on its way to another server, or there already;
# deleted rows can still be seen.
MOVED: Final = "MU001"
BEYOND: Final = "MU002"
TRAVELS: Final = "MU003"
SEEN: Final = "MU004"

PLACE: Final = "p_tenant bytea, p_agent bytea, p_stream bytea, p_hidden boolean"
# Assigned, not performed: the server evaluates it without a query of its own.
NAME: Final = """v_named := set_config('muniment.tenant', encode(p_tenant, 'hex'), true)
    || set_config('muniment.stream', encode(p_stream, 'hex'), true)
    || set_config('muniment.persona',
         CASE WHEN p_hidden THEN 'subconscious' ELSE 'actor' END, true);"""

_CHANGE = """
CREATE OR REPLACE FUNCTION change_shelves(
  {place},
  p_shelves text[], p_born bigint[], p_ns bigint[], p_died bigint[], p_ids bytea[], p_keys bytea[],
  p_end_shelves text[], p_end_seqs bigint[], p_end_ids bytea[], p_end_keys bytea[],
  p_episodes jsonb
) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  ending record;
BEGIN
  FOR ending IN
    SELECT * FROM unnest(p_end_shelves, p_end_seqs, p_end_ids, p_end_keys)
      WITH ORDINALITY AS its (shelf, seq, id_token, key_token, place) ORDER BY place
  LOOP
    IF ending.id_token <> '' THEN
      WITH ended AS (
        UPDATE shelf_row SET died = ending.seq
        WHERE tenant = p_tenant AND stream = p_stream AND shelf = ending.shelf
          AND id_token = ending.id_token AND died IS NULL
          AND (ending.key_token = '' OR key_token = ending.key_token)
        RETURNING born, n
      )
      UPDATE episode SET died = ending.seq FROM ended
      WHERE ending.shelf = 'episodic' AND episode.tenant = p_tenant
        AND episode.stream = p_stream AND episode.seq = ended.born AND episode.n = ended.n;
    ELSE
      WITH ended AS (
        UPDATE shelf_row SET died = ending.seq
        WHERE tenant = p_tenant AND stream = p_stream AND shelf = ending.shelf
          AND key_token = ending.key_token AND died IS NULL
        RETURNING born, n
      )
      UPDATE episode SET died = ending.seq FROM ended
      WHERE ending.shelf = 'episodic' AND episode.tenant = p_tenant
        AND episode.stream = p_stream AND episode.seq = ended.born AND episode.n = ended.n;
    END IF;
  END LOOP;
  IF cardinality(p_born) > 0 THEN
    INSERT INTO shelf_row (tenant, stream, hidden, shelf, born, n, died, id_token, key_token)
    SELECT p_tenant, p_stream, p_hidden, its.*
    FROM unnest(p_shelves, p_born, p_ns, p_died, p_ids, p_keys) AS its;
  END IF;
  IF p_episodes IS NOT NULL THEN
    -- What is revived is shown where it stands now.
    DELETE FROM episode USING jsonb_to_recordset(p_episodes) AS its (episodic_id text)
    WHERE episode.tenant = p_tenant AND episode.stream = p_stream
      AND episode.episodic_id = its.episodic_id AND episode.died IS NOT NULL;
    INSERT INTO episode (tenant, stream, hidden, seq, n, died, subject, episodic_id, job_seed,
      created_seeded_ts, summary, payload, evidence, provenance, tokens)
    SELECT p_tenant, p_stream, p_hidden, its.seq, its.n, its.died, its.subject,
      its.episodic_id, its.job_seed, its.created_seeded_ts, its.summary, its.payload,
      its.evidence, its.provenance, its.tokens
    FROM jsonb_to_recordset(p_episodes) AS its (
      seq bigint, n bigint, died bigint, subject text, episodic_id text, job_seed text,
      created_seeded_ts text, summary text, payload jsonb, evidence jsonb, provenance jsonb,
      tokens text[]);
  END IF;
END $$;
"""

_APPEND = """
CREATE OR REPLACE FUNCTION append_entries(
  {place}, p_expect_seq bigint, p_expect_hash bytea,
  p_hashes bytea[], p_headers bytea[], p_operations bytea[],
  p_part_seqs bigint[], p_part_ns integer[], p_subjects text[], p_data bytea[],
  p_shelves text[], p_born bigint[], p_ns bigint[], p_died bigint[], p_ids bytea[], p_keys bytea[],
  p_end_shelves text[], p_end_seqs bigint[], p_end_ids bytea[], p_end_keys bytea[],
  p_checkpoint bytea, p_episodes jsonb
) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_named text;
  v_seq bigint;
  v_hash bytea;
  v_state smallint;
  v_last bigint := p_expect_seq + cardinality(p_hashes);
BEGIN
  {name}
  SELECT seq, hash, state INTO v_seq, v_hash, v_state FROM head
    WHERE tenant = p_tenant AND stream = p_stream FOR UPDATE;
  IF v_state <> 0 THEN
    RAISE EXCEPTION 'the stream is moving to another server' USING ERRCODE = 'MU003';
  ELSIF v_state IS NULL AND p_expect_seq = 0 THEN
    INSERT INTO head (tenant, stream, hidden, agent, seq, hash)
      VALUES (p_tenant, p_stream, p_hidden, p_agent, v_last, p_hashes[cardinality(p_hashes)])
      ON CONFLICT (tenant, stream) DO NOTHING;
    IF NOT FOUND THEN  -- somebody else was first while we waited
      SELECT seq INTO v_seq FROM head WHERE tenant = p_tenant AND stream = p_stream;
      RAISE EXCEPTION 'the head is %, not 0 as expected', v_seq USING ERRCODE = 'MU001';
    END IF;
  ELSIF v_seq = p_expect_seq AND v_hash = p_expect_hash THEN
    UPDATE head SET seq = v_last, hash = p_hashes[cardinality(p_hashes)]
      WHERE tenant = p_tenant AND stream = p_stream;
  ELSE
    RAISE EXCEPTION 'the head is %, not % as expected', coalesce(v_seq, 0), p_expect_seq
      USING ERRCODE = 'MU001';
  END IF;
  INSERT INTO entry (tenant, stream, hidden, seq, hash, header, operation, partless)
  SELECT p_tenant, p_stream, p_hidden, p_expect_seq + place, its.hash, its.header, its.operation,
    parted.seq IS NULL
  FROM unnest(p_hashes, p_headers, p_operations)
    WITH ORDINALITY AS its (hash, header, operation, place)
  LEFT JOIN (SELECT DISTINCT unnest(p_part_seqs) AS seq) AS parted
    ON parted.seq = p_expect_seq + place;
  IF cardinality(p_part_seqs) > 0 THEN
    INSERT INTO fragment (tenant, stream, hidden, seq, n, subject, data)
    SELECT p_tenant, p_stream, p_hidden, its.*
    FROM unnest(p_part_seqs, p_part_ns, p_subjects, p_data) AS its;
  END IF;
  IF cardinality(p_born) + cardinality(p_end_seqs) > 0 OR p_episodes IS NOT NULL THEN
    PERFORM change_shelves(p_tenant, p_agent, p_stream, p_hidden,
      p_shelves, p_born, p_ns, p_died, p_ids, p_keys, p_end_shelves, p_end_seqs,
      p_end_ids, p_end_keys, p_episodes);
  END IF;
  IF p_checkpoint IS NOT NULL THEN
    INSERT INTO checkpoint VALUES (p_tenant, p_stream, p_hidden, v_last, p_checkpoint)
      ON CONFLICT (tenant, stream) DO UPDATE SET seq = excluded.seq, data = excluded.data;
  END IF;
END $$;
"""

# Locks the head for the rest of the call; what is moving is not changed.
_STAY = """
CREATE OR REPLACE FUNCTION stay(p_tenant bytea, p_stream bytea)
RETURNS bigint LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_seq bigint;
  v_state smallint;
BEGIN
  SELECT seq, state INTO v_seq, v_state FROM head
    WHERE tenant = p_tenant AND stream = p_stream FOR UPDATE;
  IF v_state <> 0 THEN
    RAISE EXCEPTION 'the stream is moving to another server' USING ERRCODE = 'MU003';
  END IF;
  RETURN coalesce(v_seq, 0);
END $$;
"""

_DERIVE = """
CREATE OR REPLACE FUNCTION check_upto(p_tenant bytea, p_stream bytea, p_upto bigint)
RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF p_upto < 1 OR p_upto > stay(p_tenant, p_stream) THEN
    RAISE EXCEPTION 'nothing can be derived up to %: the log holds no such entry', p_upto
      USING ERRCODE = 'MU002';
  END IF;
END $$;

CREATE OR REPLACE FUNCTION put_shelves(
  {place}, p_upto bigint,
  p_shelves text[], p_born bigint[], p_ns bigint[], p_died bigint[], p_ids bytea[], p_keys bytea[],
  p_end_shelves text[], p_end_seqs bigint[], p_end_ids bytea[], p_end_keys bytea[],
  p_checkpoint bytea, p_episodes jsonb
) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_named text;
BEGIN
  {name}
  PERFORM check_upto(p_tenant, p_stream, p_upto);
  PERFORM reset_projections(p_tenant, p_agent, p_stream, p_hidden);
  PERFORM change_shelves(p_tenant, p_agent, p_stream, p_hidden,
    p_shelves, p_born, p_ns, p_died, p_ids, p_keys, p_end_shelves, p_end_seqs,
      p_end_ids, p_end_keys, p_episodes);
  IF p_checkpoint IS NOT NULL THEN
    INSERT INTO checkpoint VALUES (p_tenant, p_stream, p_hidden, p_upto, p_checkpoint)
      ON CONFLICT (tenant, stream) DO UPDATE SET seq = excluded.seq, data = excluded.data;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION reset_projections({place})
RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_named text;
BEGIN
  {name}
  PERFORM stay(p_tenant, p_stream);
  DELETE FROM shelf_row WHERE tenant = p_tenant AND stream = p_stream;
  DELETE FROM checkpoint WHERE tenant = p_tenant AND stream = p_stream;
  DELETE FROM segment WHERE tenant = p_tenant AND stream = p_stream;
  DELETE FROM episode WHERE tenant = p_tenant AND stream = p_stream;
END $$;

CREATE OR REPLACE FUNCTION put_segment(
  {place},
  p_kind text, p_number bigint, p_upto bigint, p_data bytea, p_replaces bigint[]
) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_named text;
BEGIN
  {name}
  PERFORM check_upto(p_tenant, p_stream, p_upto);
  DELETE FROM segment WHERE tenant = p_tenant AND stream = p_stream AND kind = p_kind
    AND number = ANY (p_replaces);
  INSERT INTO segment VALUES (p_tenant, p_stream, p_hidden, p_kind, p_number, p_upto, p_data)
    ON CONFLICT (tenant, stream, kind, number)
    DO UPDATE SET upto = excluded.upto, data = excluded.data;
END $$;
"""

_SHRED = """
CREATE OR REPLACE FUNCTION shred_subject({place}, p_subject text)
RETURNS bigint LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_named text;
  v_count bigint;
BEGIN
  {name}
  PERFORM stay(p_tenant, p_stream);
  PERFORM set_config('muniment.shredding', 'on', true);
  UPDATE fragment SET data = NULL
    WHERE tenant = p_tenant AND stream = p_stream AND subject = p_subject AND data IS NOT NULL;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  PERFORM set_config('muniment.shredding', '', true);
  DELETE FROM episode WHERE tenant = p_tenant AND stream = p_stream AND subject = p_subject;
  RETURN v_count;
END $$;

CREATE OR REPLACE FUNCTION empty_parts({place}, p_seqs bigint[])
RETURNS bigint LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_named text;
  v_count bigint;
BEGIN
  {name}
  PERFORM stay(p_tenant, p_stream);
  PERFORM set_config('muniment.shredding', 'on', true);
  UPDATE fragment SET data = NULL
    WHERE tenant = p_tenant AND stream = p_stream AND seq = ANY (p_seqs) AND data IS NOT NULL;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  PERFORM set_config('muniment.shredding', '', true);
  RETURN v_count;
END $$;

-- A deleted row stays in its page until the table is written anew, and whatever somebody could
-- still see is written along. So nobody may be left who began before `p_after`, a transaction
-- that is younger than the deletions; without one, nobody but the caller. With the rights of the
-- owner: nobody else may rewrite a table, and this one says nothing about what it holds.
CREATE OR REPLACE FUNCTION rewrite_episodes(p_after bigint)
RETURNS TABLE (rewritten boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  v_seen pg_snapshot := pg_current_snapshot();
  v_after bigint := coalesce(p_after, pg_snapshot_xmax(v_seen)::text::bigint);
  v_oldest bigint;
BEGIN
  IF pg_relation_size('episode') = 0 THEN
    RETURN QUERY SELECT false;
    RETURN;
  END IF;
  IF pg_snapshot_xmin(v_seen)::text::bigint < v_after THEN
    RAISE EXCEPTION 'someone still sees the old rows; they are not gone yet'
      USING ERRCODE = 'MU004';
  END IF;
  CLUSTER episode USING episode_name;
  -- What is older than this was left behind. Numbers of transactions wrap around in 32 bits.
  SELECT pg_current_xact_id()::text::bigint - age(c.relfrozenxid) INTO v_oldest
    FROM pg_class AS c WHERE c.oid = 'episode'::regclass;
  IF v_oldest < v_after THEN
    RAISE EXCEPTION 'someone still sees the old rows; they are not gone yet'
      USING ERRCODE = 'MU004';
  END IF;
  RETURN QUERY SELECT true;
END $$;
"""


def _placed(text: str) -> str:
    return text.replace("{place}", PLACE).replace("{name}", NAME)


WRITES: Final = "".join(_placed(each) for each in (_STAY, _CHANGE, _APPEND, _DERIVE, _SHRED))
