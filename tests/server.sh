# Sourced by tests of the interface from outside: builds and starts the development server with everything embedded, on a data folder that
# is removed at the end. Needs `listen`; sets `target`, `data`, ROADCALL_URL and two admins, admin@roadcall.example and
# super_admin@roadcall.example, with the password in ROADCALL_TEST_PASSWORD. ROADCALL_BIN names another program to test.
target="${CARGO_TARGET_DIR:-$PWD/target}"
# Builds it as script/test does. Alone, the server would need fewer features of its dependencies, and so be built again.
build_server() { [[ -n ${ROADCALL_BIN:-} ]] || cargo test --locked --workspace --test api --no-run; }
program="${ROADCALL_BIN:-$target/debug/roadcall}"

data=
server=
finish() {
  [[ -z $server ]] || kill -TERM "$server" 2>/dev/null || true
  wait 2>/dev/null || true
  [[ -z $data || ! -s $data/postgres.location ]] || rm -rf "$(<"$data/postgres.location")"
  [[ -z $data ]] || rm -rf "$data"
}
trap finish EXIT
trap 'exit 130' INT TERM

# Prints a port that nobody listens on, below those that the system gives to connections.
free_port() {
  local port
  while port=$((20000 + RANDOM % 12000)) && (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
  echo "$port"
}

ready() { curl --silent --fail --output /dev/null "http://$listen/health/ready"; }

# start_server LOG
start_server() {
  data=$(mktemp -d)
  chmod 711 "$data"
  "$program" serve --listen "$listen" --data-dir "$data" >"$1" 2>&1 &
  server=$!
  local tries
  for ((tries = 0; ; tries++)); do
    ready && break
    if ! kill -0 "$server" 2>/dev/null || ((tries >= 1200)); then
      tail -n 20 "$1" >&2
      exit 1
    fi
    sleep 0.1
  done
  ROADCALL_TEST_PASSWORD=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  export ROADCALL_TEST_PASSWORD ROADCALL_URL="http://$listen"
  local role
  for role in admin super_admin; do
    "$program" admin create --email "$role@roadcall.example" --role "$role" --data-dir "$data" \
      <<<"$ROADCALL_TEST_PASSWORD" >/dev/null
  done
}

# python_tools FOLDER REQUIREMENTS: makes a virtual environment with exactly these packages.
python_tools() {
  cmp --silent "$2" "$1/requirements.txt" && return
  rm -rf "$1"
  python3 -m venv "$1" || {
    echo "needs Python 3.10 or newer with venv: apt-get install python3-venv" >&2
    exit 1
  }
  "$1/bin/pip" install --quiet --disable-pip-version-check --requirement "$2"
  cp "$2" "$1/requirements.txt"
}
