CREATE SCHEMA released;
CREATE FUNCTION released.append_entries(p_stream bytea, p_expect_seq bigint, p_expect_hash bytea, p_hashes bytea[], p_headers bytea[], p_operations bytea[], p_part_seqs bigint[], p_part_ns integer[], p_subjects text[], p_data bytea[], p_shelves text[], p_born bigint[], p_ns bigint[], p_died bigint[], p_ids bytea[], p_keys bytea[], p_end_shelves text[], p_end_seqs bigint[], p_end_ids bytea[], p_end_keys bytea[], p_checkpoint bytea, p_episodes jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'released', 'pg_temp'
    AS $$
DECLARE
  v_seq bigint;
  v_hash bytea;
  v_last bigint := p_expect_seq + cardinality(p_hashes);
BEGIN
  PERFORM set_config('muniment.stream', encode(p_stream, 'hex'), true);
  SELECT seq, hash INTO v_seq, v_hash FROM head WHERE stream = p_stream FOR UPDATE;
  IF NOT FOUND AND p_expect_seq = 0 THEN
    INSERT INTO head VALUES (p_stream, v_last, p_hashes[cardinality(p_hashes)])
      ON CONFLICT (stream) DO NOTHING;
    IF NOT FOUND THEN  -- somebody else was first while we waited
      SELECT seq INTO v_seq FROM head WHERE stream = p_stream;
      RAISE EXCEPTION 'the head is %, not 0 as expected', v_seq USING ERRCODE = 'MU001';
    END IF;
  ELSIF v_seq = p_expect_seq AND v_hash = p_expect_hash THEN
    UPDATE head SET seq = v_last, hash = p_hashes[cardinality(p_hashes)] WHERE stream = p_stream;
  ELSE
    RAISE EXCEPTION 'the head is %, not % as expected', coalesce(v_seq, 0), p_expect_seq
      USING ERRCODE = 'MU001';
  END IF;
  INSERT INTO entry (stream, seq, hash, header, operation)
  SELECT p_stream, p_expect_seq + place, its.hash, its.header, its.operation
  FROM unnest(p_hashes, p_headers, p_operations)
    WITH ORDINALITY AS its (hash, header, operation, place);
  IF cardinality(p_part_seqs) > 0 THEN
    INSERT INTO fragment (stream, seq, n, subject, data)
    SELECT p_stream, its.* FROM unnest(p_part_seqs, p_part_ns, p_subjects, p_data) AS its;
  END IF;
  IF cardinality(p_born) + cardinality(p_end_seqs) > 0 OR p_episodes IS NOT NULL THEN
    PERFORM change_shelves(p_stream, p_shelves, p_born, p_ns, p_died, p_ids, p_keys,
      p_end_shelves, p_end_seqs, p_end_ids, p_end_keys, p_episodes);
  END IF;
  IF p_checkpoint IS NOT NULL THEN
    INSERT INTO checkpoint VALUES (p_stream, v_last, p_checkpoint)
      ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq, data = excluded.data;
  END IF;
END $$;
CREATE FUNCTION released.change_shelves(p_stream bytea, p_shelves text[], p_born bigint[], p_ns bigint[], p_died bigint[], p_ids bytea[], p_keys bytea[], p_end_shelves text[], p_end_seqs bigint[], p_end_ids bytea[], p_end_keys bytea[], p_episodes jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'released', 'pg_temp'
    AS $$
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
        WHERE stream = p_stream AND shelf = ending.shelf AND id_token = ending.id_token
          AND died IS NULL AND (ending.key_token = '' OR key_token = ending.key_token)
        RETURNING born, n
      )
      UPDATE episode SET died = ending.seq FROM ended
      WHERE ending.shelf = 'episodic' AND episode.stream = p_stream
        AND episode.seq = ended.born AND episode.n = ended.n;
    ELSE
      WITH ended AS (
        UPDATE shelf_row SET died = ending.seq
        WHERE stream = p_stream AND shelf = ending.shelf AND key_token = ending.key_token
          AND died IS NULL
        RETURNING born, n
      )
      UPDATE episode SET died = ending.seq FROM ended
      WHERE ending.shelf = 'episodic' AND episode.stream = p_stream
        AND episode.seq = ended.born AND episode.n = ended.n;
    END IF;
  END LOOP;
  IF cardinality(p_born) > 0 THEN
    INSERT INTO shelf_row (stream, shelf, born, n, died, id_token, key_token)
    SELECT p_stream, its.* FROM unnest(p_shelves, p_born, p_ns, p_died, p_ids, p_keys) AS its;
  END IF;
  IF p_episodes IS NOT NULL THEN
    INSERT INTO episode (stream, seq, n, died, subject, episodic_id, job_seed, created_seeded_ts,
      summary, payload, evidence, provenance, tokens)
    SELECT p_stream, its.seq, its.n, its.died, its.subject, its.episodic_id, its.job_seed,
      its.created_seeded_ts, its.summary, its.payload, its.evidence, its.provenance, its.tokens
    FROM jsonb_to_recordset(p_episodes) AS its (
      seq bigint, n bigint, died bigint, subject text, episodic_id text, job_seed text,
      created_seeded_ts text, summary text, payload jsonb, evidence jsonb, provenance jsonb,
      tokens text[]);
  END IF;
END $$;
CREATE FUNCTION released.check_upto(p_stream bytea, p_upto bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'released', 'pg_temp'
    AS $$
DECLARE
  v_seq bigint;
BEGIN
  SELECT seq INTO v_seq FROM head WHERE stream = p_stream FOR UPDATE;
  IF p_upto < 1 OR p_upto > coalesce(v_seq, 0) THEN
    RAISE EXCEPTION 'nothing can be derived up to %: the log holds no such entry', p_upto
      USING ERRCODE = 'MU002';
  END IF;
END $$;
CREATE FUNCTION released.list_streams() RETURNS SETOF bytea
    LANGUAGE plpgsql
    SET search_path TO 'released', 'pg_temp'
    AS $$
BEGIN
  IF NOT owns_tables() THEN  -- an empty list would be a lie
    RAISE EXCEPTION 'only the owner of the tables may list the streams'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM set_config('muniment.listing', 'on', true);
  RETURN QUERY SELECT stream FROM head ORDER BY stream;
  PERFORM set_config('muniment.listing', '', true);
END $$;
CREATE FUNCTION released.owns_tables() RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'released', 'pg_temp'
    AS $$ SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'head'::regclass $$;
CREATE FUNCTION released.put_segment(p_stream bytea, p_kind text, p_number bigint, p_upto bigint, p_data bytea, p_replaces bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'released', 'pg_temp'
    AS $$
BEGIN
  PERFORM set_config('muniment.stream', encode(p_stream, 'hex'), true);
  PERFORM check_upto(p_stream, p_upto);
  DELETE FROM segment WHERE stream = p_stream AND kind = p_kind AND number = ANY (p_replaces);
  INSERT INTO segment VALUES (p_stream, p_kind, p_number, p_upto, p_data)
    ON CONFLICT (stream, kind, number) DO UPDATE SET upto = excluded.upto, data = excluded.data;
END $$;
CREATE FUNCTION released.put_shelves(p_stream bytea, p_upto bigint, p_shelves text[], p_born bigint[], p_ns bigint[], p_died bigint[], p_ids bytea[], p_keys bytea[], p_end_shelves text[], p_end_seqs bigint[], p_end_ids bytea[], p_end_keys bytea[], p_checkpoint bytea, p_episodes jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'released', 'pg_temp'
    AS $$
BEGIN
  PERFORM set_config('muniment.stream', encode(p_stream, 'hex'), true);
  PERFORM check_upto(p_stream, p_upto);
  PERFORM reset_projections(p_stream);
  PERFORM change_shelves(p_stream, p_shelves, p_born, p_ns, p_died, p_ids, p_keys,
    p_end_shelves, p_end_seqs, p_end_ids, p_end_keys, p_episodes);
  IF p_checkpoint IS NOT NULL THEN
    INSERT INTO checkpoint VALUES (p_stream, p_upto, p_checkpoint)
      ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq, data = excluded.data;
  END IF;
END $$;
CREATE FUNCTION released.refuse() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;
CREATE FUNCTION released.reset_projections(p_stream bytea) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'released', 'pg_temp'
    AS $$
BEGIN
  PERFORM set_config('muniment.stream', encode(p_stream, 'hex'), true);
  PERFORM 1 FROM head WHERE stream = p_stream FOR UPDATE;
  DELETE FROM shelf_row WHERE stream = p_stream;
  DELETE FROM checkpoint WHERE stream = p_stream;
  DELETE FROM segment WHERE stream = p_stream;
  DELETE FROM episode WHERE stream = p_stream;
END $$;
CREATE FUNCTION released.shred_subject(p_stream bytea, p_subject text) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'released', 'pg_temp'
    AS $$
DECLARE
  v_count bigint;
BEGIN
  PERFORM set_config('muniment.stream', encode(p_stream, 'hex'), true);
  PERFORM set_config('muniment.shredding', 'on', true);
  UPDATE fragment SET data = NULL
    WHERE stream = p_stream AND subject = p_subject AND data IS NOT NULL;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  PERFORM set_config('muniment.shredding', '', true);
  DELETE FROM episode WHERE stream = p_stream AND subject = p_subject;
  RETURN v_count;
END $$;
CREATE TABLE released.checkpoint (
    stream bytea NOT NULL,
    seq bigint NOT NULL,
    data bytea NOT NULL
);
ALTER TABLE ONLY released.checkpoint ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE ONLY released.checkpoint FORCE ROW LEVEL SECURITY;
CREATE TABLE released.entry (
    stream bytea NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    header bytea NOT NULL,
    operation bytea,
    digest bytea GENERATED ALWAYS AS (sha256(operation)) STORED,
    CONSTRAINT entry_seq_check CHECK ((seq > 0))
);
ALTER TABLE ONLY released.entry FORCE ROW LEVEL SECURITY;
CREATE TABLE released.episode (
    episodic_id text NOT NULL,
    stream bytea NOT NULL,
    seq bigint NOT NULL,
    n bigint NOT NULL,
    died bigint,
    subject text NOT NULL,
    job_seed text NOT NULL,
    created_seeded_ts text NOT NULL COLLATE pg_catalog."C",
    summary text NOT NULL,
    payload jsonb,
    evidence jsonb NOT NULL,
    provenance jsonb NOT NULL,
    tokens text[] NOT NULL
);
ALTER TABLE ONLY released.episode FORCE ROW LEVEL SECURITY;
CREATE VIEW released.episodic_stage1 WITH (security_invoker='true') AS
 SELECT episode.episodic_id,
    episode.job_seed,
    episode.created_seeded_ts,
    episode.summary,
    episode.payload,
    episode.evidence,
    episode.provenance
   FROM released.episode
  WHERE (episode.died IS NULL);
CREATE TABLE released.fragment (
    stream bytea NOT NULL,
    seq bigint NOT NULL,
    n integer NOT NULL,
    subject text,
    data bytea
);
ALTER TABLE ONLY released.fragment ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE ONLY released.fragment FORCE ROW LEVEL SECURITY;
CREATE TABLE released.head (
    stream bytea NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT head_seq_check CHECK ((seq > 0)),
    CONSTRAINT head_stream_check CHECK ((octet_length(stream) = 16))
)
WITH (fillfactor='50');
ALTER TABLE ONLY released.head FORCE ROW LEVEL SECURITY;
CREATE TABLE released.migration (
    number integer NOT NULL,
    name text
);
CREATE TABLE released.segment (
    stream bytea NOT NULL,
    kind text NOT NULL,
    number bigint NOT NULL,
    upto bigint NOT NULL,
    data bytea NOT NULL
);
ALTER TABLE ONLY released.segment ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE ONLY released.segment FORCE ROW LEVEL SECURITY;
CREATE TABLE released.shelf_row (
    stream bytea NOT NULL,
    shelf text NOT NULL,
    born bigint NOT NULL,
    n bigint NOT NULL,
    died bigint,
    id_token bytea NOT NULL,
    key_token bytea NOT NULL
);
ALTER TABLE ONLY released.shelf_row FORCE ROW LEVEL SECURITY;
INSERT INTO released.checkpoint VALUES ('\x0123456789abcdef0123456789abcdef', 3, '\x6465736b');
INSERT INTO released.checkpoint VALUES ('\xffffffffffffffffffffffffffffffff', 3, '\x6465736b');
INSERT INTO released.entry VALUES ('\x0123456789abcdef0123456789abcdef', 1, '\x2445846692b82074c6a7611ba1eb5751899ff4f134151bb493a09ea274b39c03', '\x6865616465722031206161616161616161616161616161616161616161616161616161616161616161206b6579', '\x6b6579', DEFAULT);
INSERT INTO released.entry VALUES ('\x0123456789abcdef0123456789abcdef', 2, '\x424b1063d2ca446c7a4dd22562c8d8fe6dc70b78a3ab226bef765dba239ac4df', '\x686561646572203220616161616161616161616161616161616161616161616161616161616161616120', NULL, DEFAULT);
INSERT INTO released.entry VALUES ('\x0123456789abcdef0123456789abcdef', 3, '\xf10e74462195b8fa33ad73a39acd5b7e082fd54d5c8f2d6e17af39540aab1950', '\x6865616465722033206161616161616161616161616161616161616161616161616161616161616161206f74686572', '\x6f74686572', DEFAULT);
INSERT INTO released.entry VALUES ('\x0123456789abcdef0123456789abcdef', 4, '\x6d12f368c67bb4f8dbd380df9678770fa89147a90d83aa191369c72328057394', '\x686561646572203420616161616161616161616161616161616161616161616161616161616161616120', NULL, DEFAULT);
INSERT INTO released.entry VALUES ('\xffffffffffffffffffffffffffffffff', 1, '\x2445846692b82074c6a7611ba1eb5751899ff4f134151bb493a09ea274b39c03', '\x6865616465722031206161616161616161616161616161616161616161616161616161616161616161206b6579', '\x6b6579', DEFAULT);
INSERT INTO released.entry VALUES ('\xffffffffffffffffffffffffffffffff', 2, '\x424b1063d2ca446c7a4dd22562c8d8fe6dc70b78a3ab226bef765dba239ac4df', '\x686561646572203220616161616161616161616161616161616161616161616161616161616161616120', NULL, DEFAULT);
INSERT INTO released.entry VALUES ('\xffffffffffffffffffffffffffffffff', 3, '\xf10e74462195b8fa33ad73a39acd5b7e082fd54d5c8f2d6e17af39540aab1950', '\x6865616465722033206161616161616161616161616161616161616161616161616161616161616161206f74686572', '\x6f74686572', DEFAULT);
INSERT INTO released.entry VALUES ('\xffffffffffffffffffffffffffffffff', 4, '\x6d12f368c67bb4f8dbd380df9678770fa89147a90d83aa191369c72328057394', '\x686561646572203420616161616161616161616161616161616161616161616161616161616161616120', NULL, DEFAULT);
INSERT INTO released.episode VALUES ('ep:0123', '\x0123456789abcdef0123456789abcdef', 4, 0, NULL, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'seed', '2027-01-01T00:00:00.004Z', 'naïve "4" 東京 🗼 \ {},', '{"n": 4, "part": 2.5, "text": "say \"hi\"\n"}', '[{"note": "seen"}]', '{"trace_id": "t"}', '{"\"quoted\"","a,b",naïve,"null","{}"}');
INSERT INTO released.fragment VALUES ('\x0123456789abcdef0123456789abcdef', 1, 0, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x706172742030206f662031');
INSERT INTO released.fragment VALUES ('\x0123456789abcdef0123456789abcdef', 1, 1, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x706172742031206f662031');
INSERT INTO released.fragment VALUES ('\x0123456789abcdef0123456789abcdef', 2, 0, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x706172742030206f662032');
INSERT INTO released.fragment VALUES ('\x0123456789abcdef0123456789abcdef', 2, 1, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x706172742031206f662032');
INSERT INTO released.fragment VALUES ('\x0123456789abcdef0123456789abcdef', 3, 0, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x706172742030206f662033');
INSERT INTO released.fragment VALUES ('\x0123456789abcdef0123456789abcdef', 4, 0, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x706172742030206f662034');
INSERT INTO released.fragment VALUES ('\xffffffffffffffffffffffffffffffff', 1, 0, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', NULL);
INSERT INTO released.fragment VALUES ('\xffffffffffffffffffffffffffffffff', 1, 1, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', NULL);
INSERT INTO released.fragment VALUES ('\xffffffffffffffffffffffffffffffff', 2, 0, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', NULL);
INSERT INTO released.fragment VALUES ('\xffffffffffffffffffffffffffffffff', 2, 1, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', NULL);
INSERT INTO released.fragment VALUES ('\xffffffffffffffffffffffffffffffff', 3, 0, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', NULL);
INSERT INTO released.fragment VALUES ('\xffffffffffffffffffffffffffffffff', 4, 0, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', NULL);
INSERT INTO released.head VALUES ('\x0123456789abcdef0123456789abcdef', 4, '\x6d12f368c67bb4f8dbd380df9678770fa89147a90d83aa191369c72328057394');
INSERT INTO released.head VALUES ('\xffffffffffffffffffffffffffffffff', 4, '\x6d12f368c67bb4f8dbd380df9678770fa89147a90d83aa191369c72328057394');
INSERT INTO released.migration VALUES (1, 'log_shelves_and_segments');
INSERT INTO released.migration VALUES (2, 'open_episodes');
INSERT INTO released.migration VALUES (3, 'one_function_per_write');
INSERT INTO released.migration VALUES (4, 'a_wall_around_every_stream');
INSERT INTO released.segment VALUES ('\x0123456789abcdef0123456789abcdef', 'words', 1, 2, '\x7365676d656e74');
INSERT INTO released.segment VALUES ('\xffffffffffffffffffffffffffffffff', 'words', 1, 2, '\x7365676d656e74');
INSERT INTO released.shelf_row VALUES ('\x0123456789abcdef0123456789abcdef', 'facts', 2, 0, NULL, '\x6a', '\x6b');
INSERT INTO released.shelf_row VALUES ('\x0123456789abcdef0123456789abcdef', 'facts', 1, 0, 3, '\x69', '\x6b');
INSERT INTO released.shelf_row VALUES ('\x0123456789abcdef0123456789abcdef', 'episodic', 4, 0, NULL, '\x343a30', '\x6a6f62');
INSERT INTO released.shelf_row VALUES ('\xffffffffffffffffffffffffffffffff', 'facts', 2, 0, NULL, '\x6a', '\x6b');
INSERT INTO released.shelf_row VALUES ('\xffffffffffffffffffffffffffffffff', 'facts', 1, 0, 3, '\x69', '\x6b');
INSERT INTO released.shelf_row VALUES ('\xffffffffffffffffffffffffffffffff', 'episodic', 4, 0, NULL, '\x343a30', '\x6a6f62');
ALTER TABLE ONLY released.checkpoint
    ADD CONSTRAINT checkpoint_pkey PRIMARY KEY (stream);
ALTER TABLE ONLY released.entry
    ADD CONSTRAINT entry_place PRIMARY KEY (stream, seq);
ALTER TABLE ONLY released.episode
    ADD CONSTRAINT episode_pkey PRIMARY KEY (episodic_id);
ALTER TABLE ONLY released.episode
    ADD CONSTRAINT episode_place UNIQUE (stream, seq, n);
ALTER TABLE ONLY released.fragment
    ADD CONSTRAINT fragment_place PRIMARY KEY (stream, seq, n);
ALTER TABLE ONLY released.head
    ADD CONSTRAINT head_pkey PRIMARY KEY (stream);
ALTER TABLE ONLY released.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (number);
ALTER TABLE ONLY released.segment
    ADD CONSTRAINT segment_place PRIMARY KEY (stream, kind, number);
ALTER TABLE ONLY released.shelf_row
    ADD CONSTRAINT shelf_row_place PRIMARY KEY (stream, shelf, born, n);
CREATE UNIQUE INDEX entry_operation ON released.entry USING btree (stream, digest) WHERE (digest IS NOT NULL);
CREATE INDEX episode_created ON released.episode USING btree (created_seeded_ts) WHERE (died IS NULL);
CREATE INDEX episode_subject ON released.episode USING btree (stream, subject);
CREATE INDEX episode_tokens ON released.episode USING gin (tokens) WHERE (died IS NULL);
CREATE INDEX fragment_subject ON released.fragment USING btree (stream, subject) WHERE (data IS NOT NULL);
CREATE INDEX shelf_row_alive ON released.shelf_row USING btree (stream, shelf, born, n) WHERE (died IS NULL);
CREATE INDEX shelf_row_id ON released.shelf_row USING btree (stream, shelf, id_token, born, n);
CREATE INDEX shelf_row_key ON released.shelf_row USING btree (stream, shelf, key_token, born, n);
CREATE TRIGGER entry_is_kept BEFORE TRUNCATE ON released.entry FOR EACH STATEMENT EXECUTE FUNCTION released.refuse('an entry is never deleted');
ALTER TABLE released.entry ENABLE ALWAYS TRIGGER entry_is_kept;
CREATE TRIGGER entry_stays BEFORE DELETE OR UPDATE ON released.entry FOR EACH ROW EXECUTE FUNCTION released.refuse('an entry never changes and is never deleted');
ALTER TABLE released.entry ENABLE ALWAYS TRIGGER entry_stays;
CREATE TRIGGER fragment_is_kept BEFORE TRUNCATE ON released.fragment FOR EACH STATEMENT EXECUTE FUNCTION released.refuse('a sealed part is emptied, never deleted');
ALTER TABLE released.fragment ENABLE ALWAYS TRIGGER fragment_is_kept;
CREATE TRIGGER fragment_is_only_emptied BEFORE UPDATE ON released.fragment FOR EACH ROW WHEN (((COALESCE(current_setting('muniment.shredding'::text, true), ''::text) <> 'on'::text) OR (new.data IS NOT NULL) OR ((((new.stream IS DISTINCT FROM old.stream) OR (new.seq IS DISTINCT FROM old.seq)) OR (new.n IS DISTINCT FROM old.n)) OR (new.subject IS DISTINCT FROM old.subject)))) EXECUTE FUNCTION released.refuse('a sealed part is only emptied, and only by shredding');
ALTER TABLE released.fragment ENABLE ALWAYS TRIGGER fragment_is_only_emptied;
CREATE TRIGGER fragment_stays BEFORE DELETE ON released.fragment FOR EACH ROW EXECUTE FUNCTION released.refuse('a sealed part is emptied, never deleted');
ALTER TABLE released.fragment ENABLE ALWAYS TRIGGER fragment_stays;
CREATE TRIGGER head_is_kept BEFORE TRUNCATE ON released.head FOR EACH STATEMENT EXECUTE FUNCTION released.refuse('a head is never deleted');
ALTER TABLE released.head ENABLE ALWAYS TRIGGER head_is_kept;
CREATE TRIGGER head_only_grows BEFORE UPDATE ON released.head FOR EACH ROW WHEN (((new.seq <= old.seq) OR (new.stream <> old.stream))) EXECUTE FUNCTION released.refuse('a head only moves forward');
ALTER TABLE released.head ENABLE ALWAYS TRIGGER head_only_grows;
CREATE TRIGGER head_stays BEFORE DELETE ON released.head FOR EACH ROW EXECUTE FUNCTION released.refuse('a head is never deleted');
ALTER TABLE released.head ENABLE ALWAYS TRIGGER head_stays;
CREATE TRIGGER row_dies_once BEFORE UPDATE ON released.shelf_row FOR EACH ROW WHEN (((old.died IS NOT NULL) OR (new.died IS NULL) OR ((((((new.stream IS DISTINCT FROM old.stream) OR (new.shelf IS DISTINCT FROM old.shelf)) OR (new.born IS DISTINCT FROM old.born)) OR (new.n IS DISTINCT FROM old.n)) OR (new.id_token IS DISTINCT FROM old.id_token)) OR (new.key_token IS DISTINCT FROM old.key_token)))) EXECUTE FUNCTION released.refuse('of a row only its death is still to be written, and once');
ALTER TABLE released.shelf_row ENABLE ALWAYS TRIGGER row_dies_once;
CREATE POLICY base ON released.checkpoint USING (true) WITH CHECK (true);
CREATE POLICY base ON released.entry USING (true) WITH CHECK (true);
CREATE POLICY base ON released.episode USING (true) WITH CHECK (true);
CREATE POLICY base ON released.fragment USING (true) WITH CHECK (true);
CREATE POLICY base ON released.head USING (true) WITH CHECK (true);
CREATE POLICY base ON released.segment USING (true) WITH CHECK (true);
CREATE POLICY base ON released.shelf_row USING (true) WITH CHECK (true);
ALTER TABLE released.checkpoint ENABLE ROW LEVEL SECURITY;
ALTER TABLE released.entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE released.episode ENABLE ROW LEVEL SECURITY;
ALTER TABLE released.fragment ENABLE ROW LEVEL SECURITY;
ALTER TABLE released.head ENABLE ROW LEVEL SECURITY;
CREATE POLICY named_stream ON released.checkpoint AS RESTRICTIVE USING ((stream = decode(NULLIF(current_setting('muniment.stream'::text, true), ''::text), 'hex'::text))) WITH CHECK ((stream = decode(NULLIF(current_setting('muniment.stream'::text, true), ''::text), 'hex'::text)));
CREATE POLICY named_stream ON released.entry AS RESTRICTIVE USING ((stream = decode(NULLIF(current_setting('muniment.stream'::text, true), ''::text), 'hex'::text))) WITH CHECK ((stream = decode(NULLIF(current_setting('muniment.stream'::text, true), ''::text), 'hex'::text)));
CREATE POLICY named_stream ON released.episode AS RESTRICTIVE USING ((stream = decode(NULLIF(current_setting('muniment.stream'::text, true), ''::text), 'hex'::text))) WITH CHECK ((stream = decode(NULLIF(current_setting('muniment.stream'::text, true), ''::text), 'hex'::text)));
CREATE POLICY named_stream ON released.fragment AS RESTRICTIVE USING ((stream = decode(NULLIF(current_setting('muniment.stream'::text, true), ''::text), 'hex'::text))) WITH CHECK ((stream = decode(NULLIF(current_setting('muniment.stream'::text, true), ''::text), 'hex'::text)));
CREATE POLICY named_stream ON released.head AS RESTRICTIVE USING (((stream = decode(NULLIF(current_setting('muniment.stream'::text, true), ''::text), 'hex'::text)) OR ((current_setting('muniment.listing'::text, true) = 'on'::text) AND ( SELECT released.owns_tables() AS owns_tables)))) WITH CHECK ((stream = decode(NULLIF(current_setting('muniment.stream'::text, true), ''::text), 'hex'::text)));
CREATE POLICY named_stream ON released.segment AS RESTRICTIVE USING ((stream = decode(NULLIF(current_setting('muniment.stream'::text, true), ''::text), 'hex'::text))) WITH CHECK ((stream = decode(NULLIF(current_setting('muniment.stream'::text, true), ''::text), 'hex'::text)));
CREATE POLICY named_stream ON released.shelf_row AS RESTRICTIVE USING ((stream = decode(NULLIF(current_setting('muniment.stream'::text, true), ''::text), 'hex'::text))) WITH CHECK ((stream = decode(NULLIF(current_setting('muniment.stream'::text, true), ''::text), 'hex'::text)));
ALTER TABLE released.segment ENABLE ROW LEVEL SECURITY;
ALTER TABLE released.shelf_row ENABLE ROW LEVEL SECURITY;
