# Runs a PostgreSQL server for a test program until standard input ends, which it does with that program,
# however the program ends. $1 is the folder of PostgreSQL's programs; the server's options follow. Prints the folder of
# the socket each time the server has started. A line of input restarts it.
set -eu
programs=$1
shift
dir=$(mktemp -d /tmp/lead-workspace-postgres.XXXXXX)
server=

stop() {
  # At once, as in a crash.
  [ -z "$server" ] || { kill -QUIT "$server" && wait "$server"; } 2>/dev/null || true
}

# Starts the server with options.
start() {
  # Nothing of it outlives the tests, so nothing needs to reach the disk. Each commit reaches the system, which keeps
  # it when the server crashes.
  "$programs/postgres" -D "$dir/data" -k "$dir" -c listen_addresses= -c fsync=off -c full_page_writes=off \
    -c max_connections=200 "$@" \
    </dev/null >>"$dir/log" 2>&1 &
  server=$!
  until "$programs/pg_isready" --quiet --host "$dir"; do
    kill -0 "$server" 2>/dev/null || { cat "$dir/log" >&2; exit 1; }
    sleep 0.02
  done
  echo "$dir"
}

trap 'stop; rm -rf "$dir"' EXIT
"$programs/initdb" --pgdata "$dir/data" --username test --auth trust --encoding UTF8 --locale C.UTF-8 \
  --no-sync >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
start "$@"
while read -r _; do
  stop
  start "$@"
done
