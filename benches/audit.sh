#!/usr/bin/env bash
# What an audit costs beside asking the same list without remembering anything, and what workers on PostgreSQL cost.
#
#     bash benches/audit.sh SOURCES HOSTS [postgres://…]
#
# Needs release builds: `cargo build --release --features postgres --bin cited --example testserver` (or BIN=FOLDER). The loopback
# web and cited share the processors.
set -euo pipefail
sources=${1:-10000} hosts=${2:-500} database=${3:-}
bin=${BIN:-target/release}
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$folder"' EXIT
# Each page has words of its own: a host that answers every address alike has no pages at all.
seq 0 $((sources - 1)) | awk -v hosts="$hosts" 'BEGIN { printf "{" } { printf "%s\"http://h%d.example/%d\": {\"title\": \"Page %d\", \"text\": \"Some words of page %d, which is there.\"}", (NR > 1 ? ", " : ""), $1 % hosts, $1, $1, $1 } END { print "}" }' >"$folder/web.json"
seq 0 $((sources - 1)) | awk -v hosts="$hosts" '{ printf "http://h%d.example/%d\n", $1 % hosts, $1 }' >"$folder/list.txt"
"$bin/examples/testserver" "$folder/web.json" >"$folder/server.json" &
until [ -s "$folder/server.json" ]; do sleep 0.1; done
read -r to_http to_https < <(python3 -c 'import json, sys; print(*json.load(open(sys.argv[1]))["connect_to"])' "$folder/server.json")
manners=(--connect-to "$to_http" --connect-to "$to_https" --cache off --archive none --progress never)
cat >"$folder/timed.py" <<'END'
import resource, signal, subprocess, sys, time
begun = time.time()
child = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL)
signal.signal(signal.SIGTERM, lambda *_: child.terminate())
status = child.wait()
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{sys.argv[1]}: {time.time() - begun:.2f} s wall, {used.ru_utime:.2f} + {used.ru_stime:.2f} s of processor time, "
      f"{used.ru_maxrss / 1024:.0f} MiB at most, exit {status}", flush=True)
END
timed() { python3 "$folder/timed.py" "$@"; }
timed "show --liveness" "$bin/cited" show - --format json --liveness "${manners[@]}" <"$folder/list.txt"
timed "audit, first night" "$bin/cited" audit "$folder/list.txt" --state "$folder/audit.sqlite" "${manners[@]}"
timed "audit, again" "$bin/cited" audit "$folder/list.txt" --state "$folder/audit.sqlite" "${manners[@]}"
ls -l "$folder/audit.sqlite" | awk '{ printf "state: %.1f MB\n", $5 / 1e6 }'
[ -n "$database" ] || exit 0
for workers in 1 2 4; do
    psql -q "$database" -c 'DROP SCHEMA IF EXISTS cited CASCADE' 2>/dev/null
    running=()
    for _ in $(seq "$workers"); do
        timed "  a worker" "$bin/cited" worker -q --state "$database" "${manners[@]}" &
        running+=($!)
    done
    timed "audit --workers-only, $workers workers" "$bin/cited" audit "$folder/list.txt" --workers-only --state "$database" "${manners[@]}"
    psql -Atq "$database" -c "SELECT '  checks stored: ' || (body::json->>'checked') || ', carried over: ' || (body::json->>'carried') FROM cited.round"
    kill -TERM "${running[@]}"
    wait "${running[@]}" || true
done
