#!/bin/bash
# Run compose.yaml as it stands, on PostgreSQL, and try it. Needs curl, podman, and podman-compose
# (`pip install podman-compose`); it runs in a copy, so that no secrets of yours are touched.
#
#   deploy/trial/compose.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=deploy/trial/checks.sh
. deploy/trial/checks.sh
compose=${COMPOSE:-podman-compose}
command -v "$compose" >/dev/null || { echo "This trial needs $compose, which is not here."; exit 2; }

project=muniment-trial
memory=${project}_memory_1
database=${project}_database_1
cp -r Containerfile .dockerignore compose.yaml pyproject.toml README.md LICENSE NOTICE requirements.lock src deploy "$SCRATCH/"
mkdir "$SCRATCH/docs" && cp docs/policies.md "$SCRATCH/docs/"
mkdir -m 700 "$SCRATCH/secrets"
# shellcheck disable=SC2016  # signs that a shell or a password file would take for their own
printf '%s\n' 'a:pass\word $with signs' > "$SCRATCH/secrets/password"
chmod 644 "$SCRATCH/secrets/password"
cd "$SCRATCH"

clean() {
  "$compose" -p "$project" down -v >/dev/null 2>&1 || true
  rm -rf "$SCRATCH"
}
trap clean EXIT

"$compose" -p "$project" up -d "$@" >"$PRINTED" 2>&1 || { tail -30 "$PRINTED"; exit 1; }
check "both containers start, and the memory is ready" ready
check "the health check of the memory passes" podman healthcheck run "$memory"
check "the health check of the database passes" podman healthcheck run "$database"
check "its doctor warns of nothing, as it would of a superuser" fails shows ' warn ' podman exec "$memory" muniment doctor
key=$(first_key "$memory")
check "it remembers" shows '"stored":true' call "$key" /v1/remember '{"text": "I live in Lisbon"}'
check "it recalls" shows 'I live in Lisbon' call "$key" /v1/recall '{"query": "Where do I live?"}'
check "a file is imported over HTTP" shows kept call "$key" /v1/import \
  '[{"role": "user", "content": "My sister Ada lives in Porto"}]'
check "the memory is killed under a writer and starts again" kill_while_writing "$memory" "$key"
check "nothing that was accepted is lost: $(wc -l < "$ACCEPTED") sentences" nothing_lost "$memory"
check "the database is killed and starts again" podman kill -s KILL "$database"
podman start "$database" >/dev/null
for _ in $(seq 60); do podman exec "$database" pg_isready -q -h 127.0.0.1 && break; sleep 0.5; done
check "the memory goes on without a restart" shows 'I live in Lisbon' call "$key" /v1/recall '{"query": "Where do I live?"}'
check "nothing is lost" nothing_lost "$memory"
check "its log is proved" podman exec "$memory" muniment prove
check "a copy of it is a folder that is proved" podman exec "$memory" \
  sh -ec 'muniment copy-store /tmp/copy && muniment --store /tmp/copy prove'
