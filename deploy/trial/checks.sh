# What both trials share: a line for each check, and how the service is called. Sourced by bash.
# shellcheck shell=bash
PORT=8600 # the published one must be the one inside: it is part of the Host header
URL=http://localhost:$PORT
SCRATCH=$(mktemp -d)
ACCEPTED=$SCRATCH/accepted
EXPORTED=$SCRATCH/exported
PRINTED=$SCRATCH/printed

check() { # a sentence, then the command that must succeed
  local told=$1
  shift
  if "$@" >"$PRINTED" 2>&1; then
    echo "ok      $told"
  else
    echo "FAILED  $told"
    cat "$PRINTED"
    exit 1
  fi
}

fails() { ! "$@"; }

shows() { # a text, then the command whose output must hold it
  local text=$1
  shift
  "$@" | tee /dev/stderr | grep -qF -- "$text"
}

call() { # KEY PATH [BODY]: one request; its answer, and an error unless it is 2xx
  curl -sS --fail-with-body -m 20 "$URL$2" -H "Authorization: Bearer $1" \
    -H 'Content-Type: application/json' ${3:+--data-binary "$3"}
}

ready() { # waits up to a minute
  for _ in $(seq 120); do
    curl -sf -m 2 -o /dev/null "$URL/readyz" && return
    sleep 0.5
  done
  return 1
}

first_key() { # CONTAINER: the key that the first start prints
  podman logs "$1" 2>&1 | sed -n 's/^A key, shown once: //p'
}

write_until_it_dies() { # KEY: numbered sentences; notes which were accepted
  local n=0
  while call "$1" /v1/remember "{\"text\": \"Locker $n is in hall $((n * 7))\"}" >/dev/null 2>&1; do
    echo "Locker $n is in hall $((n * 7))" >> "$ACCEPTED"
    n=$((n + 1))
  done
}

kill_while_writing() { # CONTAINER KEY: SIGKILL under a writer, then a start
  write_until_it_dies "$2" &
  local writer=$!
  sleep 3
  podman kill -s KILL "$1"
  wait "$writer" || true
  podman start "$1"
  ready
  test -s "$ACCEPTED"
}

nothing_lost() { # CONTAINER: every sentence that was accepted is in the log
  podman exec "$1" sh -c 'cd /tmp && rm -f all.jsonl* && muniment export all.jsonl >&2 && cat all.jsonl' > "$EXPORTED"
  while read -r sentence; do
    grep -qF -- "$sentence" "$EXPORTED" || { echo "lost: $sentence"; return 1; }
  done < "$ACCEPTED"
  echo "$(wc -l < "$ACCEPTED") sentences"
}
