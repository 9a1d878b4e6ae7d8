# Sourced by demo.sh and bench/run.sh: a throw-away ZooKeeper and Fluss cluster and Fluss's own client, all gone when the script ends.
# shellcheck shell=bash
#
# Sets CLUSTER_DIR, ZOOKEEPER (connect string), SERVER_CONFIG (the cluster's server.yaml), REMOTE_DIR (the folder of its
# remote.data.dir) and FLUSS (the coordinator's address).

SERVERS="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../target/servers" && pwd)"
CLUSTER_PIDS=()
CLUSTER_DIR=

# Start a JVM that dies with this script, in the background: LOG CLASSPATH ARGUMENTS…
start_java() {
  local log=$1 classpath=$2
  shift 2
  setpriv --pdeathsig KILL -- java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx512m \
    --add-opens=java.base/java.nio=ALL-UNNAMED -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
    -cp "$classpath" "$@" >"$CLUSTER_DIR/$log.log" 2>&1 &
  CLUSTER_PIDS+=("$!")
  # Killed, it ends without a word of the shell's.
  disown
}

accepts() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Put a port that nobody listens on into a variable, from below those that the kernel gives out.
free_port() {
  local -n chosen=$1
  chosen=$((12000 + RANDOM % 20000))
  while accepts "$chosen"; do chosen=$((12000 + RANDOM % 20000)); done
}

# Wait for a condition: WHAT COMMAND…
wait_until() {
  local what=$1 deadline=$((SECONDS + 60))
  shift
  until "$@"; do
    if ((SECONDS >= deadline)); then
      tail -n 20 "$CLUSTER_DIR"/*.log >&2
      printf 'error: not within a minute: %s\n' "$what" >&2
      return 1
    fi
    sleep 0.1
  done
}

zookeeper_answers() {
  local answer
  exec 3<>"/dev/tcp/127.0.0.1/$1" || return 1
  printf srvr >&3
  read -rt 2 answer <&3 || true
  exec 3>&-
  [[ $answer == Zookeeper* ]]
} 2>/dev/null

start_zookeeper() {
  local port
  free_port port
  mkdir -p "$CLUSTER_DIR/zookeeper"
  cat >"$CLUSTER_DIR/zoo.cfg" <<CFG
tickTime=2000
dataDir=$CLUSTER_DIR/zookeeper
clientPort=$port
clientPortAddress=127.0.0.1
admin.enableServer=false
4lw.commands.whitelist=*
CFG
  start_java zookeeper "$(<"$SERVERS/zookeeper.cp")" -Dzookeeper.forceSync=no \
    org.apache.zookeeper.server.quorum.QuorumPeerMain "$CLUSTER_DIR/zoo.cfg"
  ZOOKEEPER="127.0.0.1:$port"
  wait_until 'ZooKeeper answers' zookeeper_answers "$port"
}

start_fluss() {
  local coordinator tablet classpath
  free_port coordinator
  free_port tablet
  classpath="$(<"$SERVERS/fluss.cp")"
  REMOTE_DIR="$CLUSTER_DIR/remote"
  SERVER_CONFIG="$CLUSTER_DIR/server.yaml"
  FLUSS="127.0.0.1:$coordinator"
  cat >"$SERVER_CONFIG" <<YAML
zookeeper.address: $ZOOKEEPER
zookeeper.path.root: /fluss
default.bucket.number: 3
default.replication.factor: 1
data.dir: $CLUSTER_DIR/data
remote.data.dir: file://$REMOTE_DIR
bind.listeners: FLUSS://$FLUSS
tablet-server.id: 0
YAML
  start_java coordinator "$classpath" org.apache.fluss.server.coordinator.CoordinatorServer --configDir "$CLUSTER_DIR"
  start_java tablet-server "$classpath" org.apache.fluss.server.tablet.TabletServer --configDir "$CLUSTER_DIR" \
    "-Dbind.listeners=FLUSS://127.0.0.1:$tablet"
  wait_until 'the coordinator accepts' accepts "$coordinator"
  wait_until 'the tablet server accepts' accepts "$tablet"
}

# Start Fluss's client and connect it; then `peer COMMAND…` asks it and prints its answer (Peer.java lists the commands).
start_peer() {
  local ready
  coproc PEER {
    exec setpriv --pdeathsig KILL -- java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --add-opens=java.base/java.nio=ALL-UNNAMED \
      -Dorg.slf4j.simpleLogger.defaultLogLevel=off -cp "$SERVERS/peer:$(<"$SERVERS/peer.cp")" Peer 2>"$CLUSTER_DIR/peer.log"
  }
  # Killed, it ends without a word of the shell's.
  disown "$PEER_PID"
  read -r ready <&"${PEER[0]}"
  [[ $ready == 'ok ready' ]]
  peer connect "$FLUSS" >/dev/null
  wait_until 'the coordinator knows of its tablet server' peer_sees_tablet_server
}

peer() {
  local answer
  printf '%s\n' "$*" >&"${PEER[1]}"
  read -r answer <&"${PEER[0]}"
  case $answer in
    ok*) answer=${answer#ok} && printf '%s\n' "${answer# }" ;;
    *) printf 'Fluss client: %s\n' "$answer" >&2 && return 1 ;;
  esac
}

peer_sees_tablet_server() { [[ $(peer servers) == *TABLET* ]]; }

# Run a command of ZooKeeper's own shell.
zk_shell() {
  java -cp "$(<"$SERVERS/zookeeper.cp")" -Dorg.slf4j.simpleLogger.defaultLogLevel=error \
    org.apache.zookeeper.ZooKeeperMain -server "$ZOOKEEPER" "$@" 2>/dev/null
}

# Make the folder of the servers that are started next, and see to it that nothing of them outlives the script.
own_folder() {
  trap stop_cluster EXIT
  trap 'exit 130' HUP INT TERM
  CLUSTER_DIR="$(mktemp -d)"
}

start_cluster() {
  own_folder
  start_zookeeper
  start_fluss
  start_peer
}

stop_cluster() {
  local pid patience=100
  [[ -z ${PEER_PID:-} ]] || CLUSTER_PIDS+=("$PEER_PID")
  for pid in "${CLUSTER_PIDS[@]}"; do
    kill -KILL "$pid" 2>/dev/null || true
  done
  # Until the last of them is gone, its files come back under the hand that removes them.
  for pid in "${CLUSTER_PIDS[@]}"; do
    while kill -0 "$pid" 2>/dev/null && ((patience-- > 0)); do sleep 0.05; done
  done
  [[ -z $CLUSTER_DIR ]] || rm -rf "$CLUSTER_DIR"
}
