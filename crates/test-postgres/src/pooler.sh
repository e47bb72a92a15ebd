# Runs PgBouncer for a test program until standard input ends. $1 is its program, $2 the folder of PostgreSQL's programs, $3
# the folder of the server's socket, and $4 the port of 127.0.0.1 to listen on. PGPORT and PGUSER are those of the server.
# Prints a line when it has started.
set -eu
dir=$(mktemp -d /tmp/lead-workspace-pgbouncer.XXXXXX)
pooler=
trap '[ -z "$pooler" ] || { kill "$pooler" && wait "$pooler"; } 2>/dev/null || true; rm -rf "$dir"' EXIT
# Few connections, so that clients get each other's.
cat >"$dir/pgbouncer.ini" <<END
[databases]
* = host=$3 port=$PGPORT user=$PGUSER
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $4
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 200
END
"$1" "$dir/pgbouncer.ini" </dev/null >"$dir/log" 2>&1 &
pooler=$!
until "$2/pg_isready" --quiet --host 127.0.0.1 --port "$4"; do
  kill -0 "$pooler" 2>/dev/null || { cat "$dir/log" >&2; exit 1; }
  sleep 0.02
done
echo started
read -r _ || true
