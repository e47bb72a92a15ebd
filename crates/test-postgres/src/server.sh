# Runs a PostgreSQL server for a test program until standard input ends, which it does with that program,
# however the program ends. $1 is the folder of PostgreSQL's programs; the server's options follow. Prints the folder of
# the socket each time the server has started. The line "restart" restarts it, and "stop" stops it until then. With a certificate and its key, as PEM texts in
# TEST_CERTIFICATE and TEST_KEY, it also listens on 127.0.0.1, where it accepts encrypted connections only. PGPORT is the
# port, PGUSER the user of the server.
set -eu
programs=$1
shift
dir=$(mktemp -d /tmp/lead-workspace-postgres.XXXXXX)
server=

stop() {
  # At once, as in a crash.
  [ -z "$server" ] || { kill -QUIT "$server" && wait "$server"; } 2>/dev/null || true
  server=
}

# Starts the server with options.
start() {
  # Nothing of it outlives the tests, so nothing needs to reach the disk. Each commit reaches the system, which keeps
  # it when the server crashes.
  "$programs/postgres" -D "$dir/data" -k "$dir" -c listen_addresses="$addresses" -c ssl="$encrypted" \
    -c fsync=off -c full_page_writes=off -c max_connections=200 "$@" \
    </dev/null >>"$dir/log" 2>&1 &
  server=$!
  until "$programs/pg_isready" --quiet --host "$dir"; do
    kill -0 "$server" 2>/dev/null || { cat "$dir/log" >&2; exit 1; }
    sleep 0.02
  done
  echo "$dir"
}

trap 'stop; rm -rf "$dir"' EXIT
"$programs/initdb" --pgdata "$dir/data" --username "$PGUSER" --auth trust --encoding UTF8 --locale C.UTF-8 \
  --no-sync >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
addresses=
encrypted=off
if [ -n "${TEST_CERTIFICATE:-}" ]; then
  addresses=127.0.0.1
  encrypted=on
  umask 077
  echo "$TEST_CERTIFICATE" >"$dir/data/server.crt"
  echo "$TEST_KEY" >"$dir/data/server.key"
  sed -i 's/^host /hostssl /' "$dir/data/pg_hba.conf"
fi
start "$@"
while read -r what; do
  stop
  if [ "$what" = stop ]; then echo "$dir"; else start "$@"; fi
done
