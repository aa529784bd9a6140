"""Row security, as SQL: a transaction sees the stream that it has named, and no other.

A persona is a stream, and so is every agent and every tenant's council: one condition keeps them
all apart, also where a query forgets to. It is a plain equality, so that the planner can answer it
by any index that begins with the stream. No name, or one that has ended, is NULL: nothing is seen.
"""

from typing import Final

WALLED: Final = ("head", "entry", "fragment", "shelf_row", "checkpoint", "segment", "episode")
NAMED: Final = "stream = decode(nullif(current_setting('muniment.stream', true), ''), 'hex')"
# Whoever owns the tables may list the streams; of what is in them a listing shows nothing.
LISTED: Final = "current_setting('muniment.listing', true) = 'on' AND (SELECT owns_tables())"

# Behind a wall a condition may use an index only if it cannot leak what it looks at, and the
# server does not trust `sha256` with that. So the digest is a column, and the index is on it.
DIGEST: Final = """
ALTER TABLE entry ADD COLUMN digest bytea GENERATED ALWAYS AS (sha256(operation)) STORED;
DROP INDEX entry_operation;
CREATE UNIQUE INDEX entry_operation ON entry (stream, digest) WHERE digest IS NOT NULL;
"""

LISTING: Final = """
CREATE FUNCTION owns_tables() RETURNS boolean LANGUAGE sql STABLE SET search_path FROM CURRENT
AS $$ SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'head'::regclass $$;

CREATE FUNCTION list_streams()
RETURNS SETOF bytea LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT owns_tables() THEN  -- an empty list would be a lie
    RAISE EXCEPTION 'only the owner of the tables may list the streams'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM set_config('muniment.listing', 'on', true);
  RETURN QUERY SELECT stream FROM head ORDER BY stream;
  PERFORM set_config('muniment.listing', '', true);
END $$;
"""

# Forced, because the owner of a table is otherwise exempt; a superuser always is.
WALL: Final = """
ALTER TABLE {table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY base ON {table} AS PERMISSIVE FOR ALL USING (true) WITH CHECK (true);
CREATE POLICY named_stream ON {table} AS RESTRICTIVE FOR ALL
  USING ({seen}) WITH CHECK ({named});
"""


def _wall(table: str) -> str:
    seen = f"{NAMED} OR ({LISTED})" if table == "head" else NAMED
    return WALL.format(table=table, seen=seen, named=NAMED)


WALLS: Final = DIGEST + LISTING + "".join(_wall(table) for table in WALLED)
