CREATE SCHEMA released;
CREATE FUNCTION released.refuse() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;
CREATE TABLE released.checkpoint (
    stream bytea NOT NULL,
    seq bigint NOT NULL,
    data bytea NOT NULL
);
ALTER TABLE ONLY released.checkpoint ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE TABLE released.entry (
    stream bytea NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    header bytea NOT NULL,
    operation bytea,
    CONSTRAINT entry_seq_check CHECK ((seq > 0))
);
CREATE TABLE released.fragment (
    stream bytea NOT NULL,
    seq bigint NOT NULL,
    n integer NOT NULL,
    subject text,
    data bytea
);
ALTER TABLE ONLY released.fragment ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE TABLE released.head (
    stream bytea NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT head_seq_check CHECK ((seq > 0)),
    CONSTRAINT head_stream_check CHECK ((octet_length(stream) = 16))
)
WITH (fillfactor='50');
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
CREATE TABLE released.shelf_row (
    stream bytea NOT NULL,
    shelf text NOT NULL,
    born bigint NOT NULL,
    n bigint NOT NULL,
    died bigint,
    id_token bytea NOT NULL,
    key_token bytea NOT NULL
);
INSERT INTO released.checkpoint VALUES ('\x0123456789abcdef0123456789abcdef', 3, '\x6465736b');
INSERT INTO released.checkpoint VALUES ('\xffffffffffffffffffffffffffffffff', 3, '\x6465736b');
INSERT INTO released.entry VALUES ('\x0123456789abcdef0123456789abcdef', 1, '\x2445846692b82074c6a7611ba1eb5751899ff4f134151bb493a09ea274b39c03', '\x6865616465722031206161616161616161616161616161616161616161616161616161616161616161206b6579', '\x6b6579');
INSERT INTO released.entry VALUES ('\x0123456789abcdef0123456789abcdef', 2, '\x424b1063d2ca446c7a4dd22562c8d8fe6dc70b78a3ab226bef765dba239ac4df', '\x686561646572203220616161616161616161616161616161616161616161616161616161616161616120', NULL);
INSERT INTO released.entry VALUES ('\x0123456789abcdef0123456789abcdef', 3, '\xf10e74462195b8fa33ad73a39acd5b7e082fd54d5c8f2d6e17af39540aab1950', '\x6865616465722033206161616161616161616161616161616161616161616161616161616161616161206f74686572', '\x6f74686572');
INSERT INTO released.entry VALUES ('\xffffffffffffffffffffffffffffffff', 1, '\x2445846692b82074c6a7611ba1eb5751899ff4f134151bb493a09ea274b39c03', '\x6865616465722031206161616161616161616161616161616161616161616161616161616161616161206b6579', '\x6b6579');
INSERT INTO released.entry VALUES ('\xffffffffffffffffffffffffffffffff', 2, '\x424b1063d2ca446c7a4dd22562c8d8fe6dc70b78a3ab226bef765dba239ac4df', '\x686561646572203220616161616161616161616161616161616161616161616161616161616161616120', NULL);
INSERT INTO released.entry VALUES ('\xffffffffffffffffffffffffffffffff', 3, '\xf10e74462195b8fa33ad73a39acd5b7e082fd54d5c8f2d6e17af39540aab1950', '\x6865616465722033206161616161616161616161616161616161616161616161616161616161616161206f74686572', '\x6f74686572');
INSERT INTO released.fragment VALUES ('\x0123456789abcdef0123456789abcdef', 1, 0, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x706172742030206f662031');
INSERT INTO released.fragment VALUES ('\x0123456789abcdef0123456789abcdef', 1, 1, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x706172742031206f662031');
INSERT INTO released.fragment VALUES ('\x0123456789abcdef0123456789abcdef', 2, 0, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x706172742030206f662032');
INSERT INTO released.fragment VALUES ('\x0123456789abcdef0123456789abcdef', 2, 1, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x706172742031206f662032');
INSERT INTO released.fragment VALUES ('\x0123456789abcdef0123456789abcdef', 3, 0, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x706172742030206f662033');
INSERT INTO released.fragment VALUES ('\xffffffffffffffffffffffffffffffff', 1, 0, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x706172742030206f662031');
INSERT INTO released.fragment VALUES ('\xffffffffffffffffffffffffffffffff', 1, 1, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x706172742031206f662031');
INSERT INTO released.fragment VALUES ('\xffffffffffffffffffffffffffffffff', 2, 0, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x706172742030206f662032');
INSERT INTO released.fragment VALUES ('\xffffffffffffffffffffffffffffffff', 2, 1, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x706172742031206f662032');
INSERT INTO released.fragment VALUES ('\xffffffffffffffffffffffffffffffff', 3, 0, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x706172742030206f662033');
INSERT INTO released.head VALUES ('\x0123456789abcdef0123456789abcdef', 3, '\xf10e74462195b8fa33ad73a39acd5b7e082fd54d5c8f2d6e17af39540aab1950');
INSERT INTO released.head VALUES ('\xffffffffffffffffffffffffffffffff', 3, '\xf10e74462195b8fa33ad73a39acd5b7e082fd54d5c8f2d6e17af39540aab1950');
INSERT INTO released.migration VALUES (1, 'log_shelves_and_segments');
INSERT INTO released.segment VALUES ('\x0123456789abcdef0123456789abcdef', 'words', 1, 2, '\x7365676d656e74');
INSERT INTO released.segment VALUES ('\xffffffffffffffffffffffffffffffff', 'words', 1, 2, '\x7365676d656e74');
INSERT INTO released.shelf_row VALUES ('\x0123456789abcdef0123456789abcdef', 'facts', 2, 0, NULL, '\x6a', '\x6b');
INSERT INTO released.shelf_row VALUES ('\x0123456789abcdef0123456789abcdef', 'facts', 1, 0, 3, '\x69', '\x6b');
INSERT INTO released.shelf_row VALUES ('\xffffffffffffffffffffffffffffffff', 'facts', 2, 0, NULL, '\x6a', '\x6b');
INSERT INTO released.shelf_row VALUES ('\xffffffffffffffffffffffffffffffff', 'facts', 1, 0, 3, '\x69', '\x6b');
ALTER TABLE ONLY released.checkpoint
    ADD CONSTRAINT checkpoint_pkey PRIMARY KEY (stream);
ALTER TABLE ONLY released.entry
    ADD CONSTRAINT entry_place PRIMARY KEY (stream, seq);
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
CREATE UNIQUE INDEX entry_operation ON released.entry USING btree (stream, sha256(operation)) WHERE (operation IS NOT NULL);
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
