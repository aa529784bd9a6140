#!/bin/sh
# The postgres image runs this once, when it makes the database. Its own user is a superuser, whom
# row security does not bind; the memory gets a login that it does bind.
set -eu
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\set password `cat /run/secrets/password`
CREATE ROLE muniment LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE muniment OWNER muniment ENCODING 'UTF8' TEMPLATE template0;
SQL
