#!/bin/bash
# Build the image and try it as it is deployed: read-only root, no rights, health check, kill -9,
# the backup job, a restore, and what the StatefulSet gives it. Needs podman and curl.
#
#   deploy/trial/image.sh                                 # the base image from its registry
#   deploy/trial/image.sh --pull=never --network=host     # arguments go to `podman build`
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=deploy/trial/checks.sh
. deploy/trial/checks.sh
command -v podman >/dev/null || { echo "This trial needs podman, which is not here."; exit 2; }

image=localhost/muniment-trial
memory=muniment-trial-memory
cluster=muniment-trial-cluster
volumes=(muniment-trial-memory muniment-trial-backups muniment-trial-restored muniment-trial-cluster)
# As Docker and Kubernetes have it: podman's own tmpfs on a read-only root is off.
hardened=(--read-only --read-only-tmpfs=false --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges)

clean() {
  podman rm -f -t 1 "$memory" "$cluster" >/dev/null 2>&1 || true
  podman volume rm -f "${volumes[@]}" >/dev/null 2>&1 || true
  rm -rf "$SCRATCH"
}
trap clean EXIT

from_manifest() { # FILE KEY: the list after `KEY:` as words, one a line
  sed -n "s/^ *$2: \[\(.*\)\]$/\1/p" "deploy/kubernetes/$1" | tr -d ' ' | tr ',' '\n'
}

podman build "$@" --format docker -t "$image" . >"$PRINTED" 2>&1 || { tail -30 "$PRINTED"; exit 1; }
echo "ok      the image is built: $(podman image inspect "$image" --format '{{.Size}}' | awk '{ printf "%.0f MB", $1 / 1e6 }')"
check "it has a health check" shows readyz podman image inspect "$image" --format '{{.HealthCheck}}'

podman run -d --name "$memory" "${hardened[@]}" -p "127.0.0.1:$PORT:8600" \
  -v muniment-trial-memory:/memory -v muniment-trial-backups:/backups "$image" >/dev/null
check "it starts on a read-only root, without capabilities" ready
check "its health check passes" podman healthcheck run "$memory"
check "it runs as user 10001" shows 10001 podman exec "$memory" id -u
check "it cannot write into its own files" fails podman exec "$memory" sh -c 'echo x > /usr/local/x'
check "it cannot write beside its volume" fails podman exec "$memory" sh -c 'echo x > /x'
check "its doctor warns of nothing" fails shows ' warn ' podman exec "$memory" muniment doctor

key=$(first_key "$memory")
check "a call without a key is refused" fails call none /v1/recall '{"query": "Where do I live?"}'
check "it remembers" shows '"stored":true' call "$key" /v1/remember '{"text": "I live in Lisbon"}'
check "it recalls" shows 'I live in Lisbon' call "$key" /v1/recall '{"query": "Where do I live?"}'
check "a file is imported over HTTP" shows kept call "$key" /v1/import \
  '[{"role": "user", "content": "My sister Ada lives in Porto"}]'
metrics=$(podman exec "$memory" muniment keys create --role auditor --who prometheus --verb metrics --json |
  sed -n 's/.*"key": "\(.*\)".*/\1/p')
check "it gives its metrics to a key for that" shows muniment_http_requests_total call "$metrics" /metrics

check "it is killed under a writer and starts again" kill_while_writing "$memory" "$key"
check "nothing that was accepted is lost: $(wc -l < "$ACCEPTED") sentences" nothing_lost "$memory"
check "its log is proved" podman exec "$memory" muniment prove

job=$(sed -n "s/^ *command: \[\/bin\/sh, -c, '\(.*\)'\]$/\1/p" deploy/kubernetes/backup.yaml)
write_until_it_dies "$key" &
check "the backup job copies and proves while others write" podman run --rm "${hardened[@]}" \
  -v muniment-trial-memory:/memory -v muniment-trial-backups:/backups --entrypoint /bin/sh "$image" -c "$job"
check "SIGTERM ends it well" podman stop -t 60 "$memory"
check "it says so by its exit status" shows 0 podman inspect "$memory" --format '{{.State.ExitCode}}'
wait
check "the backup is restored elsewhere, and proved" podman run --rm "${hardened[@]}" \
  -v muniment-trial-backups:/backups:ro -v muniment-trial-restored:/memory --entrypoint /bin/sh "$image" \
  -ec 'muniment restore /backups/* --store /memory/store; muniment --store /memory/store prove'
check "and recalls" shows Lisbon podman run --rm "${hardened[@]}" \
  -v muniment-trial-restored:/memory "$image" --store /memory/store recall "Where do I live?"

# What kubelet does for `fsGroup` when the root of a volume has another group: everything gets it.
podman volume create muniment-trial-cluster >/dev/null
podman run --rm --user 0 --entrypoint /bin/sh -v muniment-trial-cluster:/memory "$image" \
  -c 'chown 0:10001 /memory && chmod 2775 /memory'
mapfile -t words < <(from_manifest memory.yaml args)
store=$(sed -n 's/.*MUNIMENT_STORE, value: \([^ ]*\) .*/\1/p' deploy/kubernetes/memory.yaml)
podman run -d --name "$cluster" "${hardened[@]}" --user 10001:10001 -p "127.0.0.1:$PORT:8600" \
  -e MUNIMENT_STORE="$store" -v muniment-trial-cluster:/memory "$image" "${words[@]}" >/dev/null
check "it starts as the StatefulSet starts it" ready
# shellcheck disable=SC2013  # a path has no spaces
for path in $(sed -n 's/^ *path: //p' deploy/kubernetes/memory.yaml | sort -u); do
  check "its probe $path is answered" curl -sf -m 3 -H 'Host: localhost' "$URL$path"
done
check "it remembers there" shows '"stored":true' call "$(first_key "$cluster")" /v1/remember '{"text": "I live in Lisbon"}'
check "its doctor warns of nothing there" fails shows ' warn ' podman exec "$cluster" muniment doctor
