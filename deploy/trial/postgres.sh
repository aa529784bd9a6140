#!/bin/sh
# The entrypoint of the stand-in for the postgres image: make the database once, then serve it.
set -eu
data=/var/lib/postgresql/data
export POSTGRES_USER="${POSTGRES_USER:-postgres}"
as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }

install -d -o postgres -m 0700 "$data"
if [ ! -e "$data/PG_VERSION" ]; then
  install -o postgres -m 0600 "$POSTGRES_PASSWORD_FILE" /tmp/password
  # shellcheck disable=SC2086  # these are several arguments
  as_postgres initdb -D "$data" -U "$POSTGRES_USER" --pwfile=/tmp/password --auth-host=scram-sha-256 \
    --auth-local=trust -E UTF8 --locale=C.UTF-8 ${POSTGRES_INITDB_ARGS:-} >/dev/null
  rm /tmp/password
  echo "host all all all scram-sha-256" >> "$data/pg_hba.conf"
  as_postgres pg_ctl -D "$data" -w start -o "-c listen_addresses=''" >/dev/null
  for script in /docker-entrypoint-initdb.d/*.sh; do as_postgres sh "$script"; done
  as_postgres pg_ctl -D "$data" -w stop >/dev/null
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups postgres -D "$data" -c 'listen_addresses=*'
