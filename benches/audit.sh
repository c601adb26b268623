#!/usr/bin/env bash
# What an audit costs beside asking the same list without remembering anything, and what workers on PostgreSQL cost.
#
#     bash benches/audit.sh [SOURCES [HOSTS [WORKERS…]]]      # 10000 sources on 500 hosts; with 1 2 4, so many workers on PostgreSQL
#
# Needs release builds: `cargo build --release --features postgres` and `cargo build --release --package xtask` (or BIN=FOLDER), for workers the
# programs of PostgreSQL, too: a server of its own is started in a scratch folder and ended. The loopback web, PostgreSQL and cited
# share the processors. Every run has a web of its own that counts requests: each address must have been asked once.
set -euo pipefail
sources=${1:-10000} hosts=${2:-500}
workers=("${@:3}")
bin=${BIN:-target/release}
for program in cited xtask; do
    [ -x "$bin/$program" ] || { echo "$bin/$program is not built; see the head of this file" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
# Each page has words of its own: a host that answers every address alike has no pages at all.
seq 0 $((sources - 1)) | awk -v hosts="$hosts" 'BEGIN { printf "{" } { printf "%s\"http://h%d.example/%d\": {\"title\": \"Page %d\", \"text\": \"Some words of page %d, which is there.\"}", (NR > 1 ? ", " : ""), $1 % hosts, $1, $1, $1 } END { print "}" }' >"$folder/web.json"
seq 0 $((sources - 1)) | awk -v hosts="$hosts" '{ printf "http://h%d.example/%d\n", $1 % hosts, $1 }' >"$folder/list.txt"
cat >"$folder/timed.py" <<'END'
# Runs a program: prints what it took, and adds its processor time to a file.
import resource, signal, subprocess, sys, time
name, sums = sys.argv[1:3]
begun = time.time()
child = subprocess.Popen(sys.argv[3:], stdout=subprocess.DEVNULL)
signal.signal(signal.SIGTERM, lambda *_: child.terminate())
status = child.wait()
used = resource.getrusage(resource.RUSAGE_CHILDREN)
wall = time.time() - begun
print(f"{name}: {wall:.2f} s wall, {used.ru_utime:.2f} + {used.ru_stime:.2f} s of processor time, "
      f"{used.ru_maxrss / 1024:.0f} MiB at most, exit {status}", flush=True)
open(sums, "a").write(f"{wall} {used.ru_utime + used.ru_stime}\n")
END
# In the background: a signal reaches the program, not a shell before it.
beside() { exec python3 "$folder/timed.py" "$1" "$folder/sums" "${@:2}"; }
timed() { python3 "$folder/timed.py" "$1" "$folder/sums" "${@:2}"; }
mkfifo "$folder/open"
web() {
    rm -f "$folder/server.json"
    "$bin/xtask" testserver "$folder/web.json" --until-eof <"$folder/open" >"$folder/server.json" &
    served=$!
    exec 9>"$folder/open"
    until [ -s "$folder/server.json" ]; do sleep 0.1; done
    read -r to_http to_https < <(python3 -c 'import json, sys; print(*json.load(open(sys.argv[1]))["connect_to"])' "$folder/server.json")
    manners=(--connect-to "$to_http" --connect-to "$to_https" --cache off --archive none --progress never)
    rm -f "$folder/sums"
}
# Ends the web, and says how often it was asked.
asked() {
    exec 9>&-
    wait "$served"
    echo "  asked: $(tail -1 "$folder/server.json")"
}
echo "$sources sources on $hosts hosts, load $(cut -d ' ' -f 1-3 /proc/loadavg)"
web
timed "show --liveness" "$bin/cited" show - --format json --liveness "${manners[@]}" <"$folder/list.txt"
alone=$(cut -d ' ' -f 2 "$folder/sums")
asked
web
timed "audit, first night" "$bin/cited" audit "$folder/list.txt" --state "$folder/audit.sqlite" "${manners[@]}"
timed "audit, again" "$bin/cited" audit "$folder/list.txt" --state "$folder/audit.sqlite" "${manners[@]}"
ls -l "$folder/audit.sqlite" | awk '{ printf "  state: %.1f MB\n", $5 / 1e6 }'
asked
((${#workers[@]})) || exit 0

programs=$(printf '%s\n' /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin | sort -V | while read -r each; do [ -x "$each/initdb" ] && echo "$each"; done | tail -1)
[ -n "$programs" ] || { echo "no PostgreSQL here (Debian: apt-get install postgresql)" >&2; exit 2; }
# PostgreSQL does not run as root.
as=()
[ "$(id -u)" != 0 ] || as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
chmod 755 "$folder"
mkdir "$folder/data" && { [ "$(id -u)" != 0 ] || chown postgres "$folder/data"; }
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"${as[@]}" "$programs/initdb" -U bench -A trust --no-sync -E UTF8 --locale=C -D "$folder/data" >/dev/null
database=postgres://bench@127.0.0.1:$port/postgres
sql() { "$programs/psql" -Atq "$database" -c "$1"; }
for count in "${workers[@]}"; do
    web
    beside "  PostgreSQL" "${as[@]}" "$programs/postgres" -D "$folder/data" -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c log_min_messages=fatal &
    server=$!
    for try in $(seq 150); do
        sql 'DROP SCHEMA IF EXISTS cited CASCADE' 2>/dev/null && break
        [ "$try" != 150 ] || { echo "PostgreSQL does not start" >&2; exit 2; }
        sleep 0.2
    done
    running=()
    for _ in $(seq "$count"); do
        beside "  a worker" "$bin/cited" worker --state "$database" "${manners[@]}" &
        running+=($!)
    done
    timed "audit --workers-only, $count workers" "$bin/cited" audit "$folder/list.txt" --workers-only --state "$database" "${manners[@]}"
    wall=$(cut -d ' ' -f 1 "$folder/sums")
    sql "SELECT '  stored: ' || (body::json->>'checked') || ', carried over: ' || (body::json->>'carried') FROM cited.round"
    kill -TERM "${running[@]}"
    wait "${running[@]}" || true
    kill -TERM "$server"
    wait "$server" || true
    asked
    awk -v alone="$alone" -v sources="$sources" -v wall="$wall" '{ cpu += $2 } END {
        printf "  %.0f sources a second; processor time of audit, workers and PostgreSQL beyond show --liveness: %.3f ms a source\n", sources / wall, (cpu - alone) / sources * 1e3 }' "$folder/sums"
done
