"""Row security, as SQL: a transaction sees only the tenant, persona and stream it has named.

Three conditions, each on every table and for every command. The tenant's and the persona's are
restrictive: nothing that is ever granted goes past them. They are plain comparisons with what was
named for this transaction, so that the planner can answer by any index. No name, or one that has
ended, is NULL: nothing is seen.
"""

from typing import Final

WALLED: Final = ("head", "entry", "fragment", "shelf_row", "checkpoint", "segment", "episode")
TENANT: Final = "tenant = decode(nullif(current_setting('muniment.tenant', true), ''), 'hex')"
PERSONA: Final = "NOT hidden OR current_setting('muniment.persona', true) = 'subconscious'"
STREAM: Final = "stream = decode(nullif(current_setting('muniment.stream', true), ''), 'hex')"
# A listing shows which streams a tenant has; of what is in them it shows nothing.
LISTED: Final = "current_setting('muniment.listing', true) = 'on'"

# Forced, because the owner of a table is otherwise exempt; a superuser always is.
WALL: Final = """
ALTER TABLE {table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY named_stream ON {table} AS PERMISSIVE FOR ALL
  USING ({stream}) WITH CHECK ({stream});
CREATE POLICY named_tenant ON {table} AS RESTRICTIVE FOR ALL
  USING ({tenant}) WITH CHECK ({tenant});
CREATE POLICY named_persona ON {table} AS RESTRICTIVE FOR ALL
  USING ({persona}) WITH CHECK ({persona});
"""
LISTING: Final = f"CREATE POLICY listed ON head AS PERMISSIVE FOR SELECT USING ({LISTED});\n"

# What the owner keeps for the store itself; others reach it through functions, or not at all.
OWN: Final = """
ALTER TABLE {table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_only ON {table} AS PERMISSIVE FOR ALL TO CURRENT_USER
  USING (true) WITH CHECK (true);
"""

# A connection that is handed to untrusted SQL is bound: whoever holds the key of a door enters
# a tenant for one transaction, and no SQL of a guest can undo or widen that. The row names the
# backend and the transaction; the next one begins outside again.
DOORS: Final = """
CREATE TABLE door (
  tenant bytea NOT NULL,
  digest bytea NOT NULL,
  hidden boolean NOT NULL,
  CONSTRAINT door_place PRIMARY KEY (tenant, digest)
);
CREATE UNLOGGED TABLE guest (
  tenant bytea NOT NULL,
  pid integer NOT NULL,
  xid xid8 NOT NULL,
  hidden boolean NOT NULL,
  CONSTRAINT guest_place PRIMARY KEY (tenant, pid)
);
CREATE INDEX guest_pid ON guest (pid);

CREATE FUNCTION enter(p_tenant bytea, p_key bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  v_hidden boolean;
BEGIN
  SELECT hidden INTO v_hidden FROM door
    WHERE tenant = p_tenant AND digest = sha256(p_key);
  IF NOT FOUND THEN  -- one sentence for a wrong key and for a tenant that is not there
    RAISE EXCEPTION 'no door opens with this key' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF EXISTS (SELECT FROM guest WHERE pid = pg_backend_pid() AND xid = pg_current_xact_id()) THEN
    RAISE EXCEPTION 'this transaction has entered already'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  DELETE FROM guest WHERE pid = pg_backend_pid();
  INSERT INTO guest VALUES (p_tenant, pg_backend_pid(), pg_current_xact_id(), v_hidden);
  PERFORM set_config('muniment.tenant', encode(p_tenant, 'hex'), true),
    set_config('muniment.persona', CASE WHEN v_hidden THEN 'subconscious' ELSE 'actor' END, true);
END $$;

CREATE FUNCTION bound_tenant() RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT tenant FROM guest
  WHERE pid = pg_backend_pid() AND xid = pg_current_xact_id_if_assigned()
$$;

CREATE FUNCTION bound_hidden() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT hidden FROM guest
  WHERE pid = pg_backend_pid() AND xid = pg_current_xact_id_if_assigned()
$$;
"""


def _wall(table: str) -> str:
    return WALL.format(table=table, stream=STREAM, tenant=TENANT, persona=PERSONA)


WALLS: Final = "".join(_wall(table) for table in WALLED) + LISTING
OWNED: Final = ("migration", "door", "guest")
PRIVATE: Final = "".join(OWN.format(table=table) for table in OWNED)
