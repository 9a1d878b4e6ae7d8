#!/usr/bin/env bash
# Shows flussctl at work: starts a throw-away ZooKeeper and Fluss cluster, lets Fluss's own Java client register snapshots for
# real tables, and sees, deletes, registers and cleans them. Leaves nothing behind. FLUSSCTL names a program to show in the place
# of the one that it builds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tests/tools.sh
source tests/tools.sh

prepare() {
  tests/servers/prepare.sh --install
  if [[ -n ${FLUSSCTL:-} ]]; then
    PATH="$(dirname "$(realpath "$FLUSSCTL")"):$PATH"
    return
  fi
  need_rust
  need_c_compiler
  say 'Building flussctl (some minutes the first time)'
  cargo build --locked --quiet
  PATH="$(realpath "${CARGO_TARGET_DIR:-target}")/debug:$PATH"
}

# Say what comes next, and below it why it matters.
chapter() {
  say "$1"
  shift
  printf '    %s\n' "$@"
}

# Show a command line as typed, then run it.
run() {
  printf '\n$ %s\n' "$*"
  "$@"
}

po() { run flussctl po "$@"; }

# Point flussctl at the cluster by the cluster's own configuration, and away from the user's own files.
point_flussctl() {
  unset "${!FLUSSCTL_@}"
  export FLUSSCTL_SERVER_CONFIG="$SERVER_CONFIG"
  export XDG_CONFIG_HOME="$CLUSTER_DIR/config" XDG_STATE_HOME="$CLUSTER_DIR/state"
}

# Make two tables with rows, and register the snapshots that four starting jobs would.
fill_cluster() {
  peer create-database shop >/dev/null
  peer create-table shop.orders 3 >/dev/null
  peer create-table shop.clicks 2 day >/dev/null
  peer create-partition shop.clicks day=monday >/dev/null
  peer append shop.orders 1000 >/dev/null
  peer append shop.clicks 300 day=monday >/dev/null
  register_as_job orders-job shop.orders
  register_as_job clicks-job shop.clicks
  register_as_job last-week shop.orders
  register_as_job damaged-job shop.orders
}

# Register the log ends of a table's buckets: PRODUCER_ID TABLE
register_as_job() {
  local ends
  ends="$(peer offsets "$2")"
  peer register "$1" "$ends" >/dev/null
}

# Ask Fluss's own client, and show its answer; of an error the message, without the server's stack: COMMAND PRODUCER_ID
fluss() {
  local answer
  if ! answer="$(peer "$@" 2>&1)"; then
    answer="${answer%%"$2"*}$2"
    answer="error: ${answer##*Exception: }"
  fi
  printf '\n  Fluss'\''s own client, %s %s -> %.90s\n' "$@" "$answer"
}

# Let a snapshot have expired yesterday: nobody wants to wait for it here.
expire() {
  local znode="/fluss/producers/$1" yesterday data
  yesterday="$((($(date +%s) - 86400) * 1000))"
  data="$(zk_shell get "$znode" | sed -n "s/\"expiration_time\":[0-9]*/\"expiration_time\":$yesterday/p")"
  zk_shell set "$znode" "$data" >/dev/null
}

# Leave what a register leaves that crashed five days ago, between the file and the znode.
leave_orphan() {
  local table="$REMOTE_DIR/producers/crashed-job/0"
  mkdir -p "$table"
  printf '{"version":1,"table_id":0,"bucket_offsets":[1,2,3]}' >"$table/0f8fad5b-d9cb-469f-a165-70867728950e.offsets"
  touch -d '5 days ago' "$table"/* "$table" "$REMOTE_DIR/producers/crashed-job"
}

show_snapshots() {
  chapter 'What there is' \
    'Four starting jobs have registered where their tables end, through Fluss'\''s own client.' \
    'Until its first checkpoint, a job that fails undoes what lies behind these offsets.'
  po list
  po get clicks-job
}

show_delete_and_register() {
  chapter 'A snapshot is deleted, and set again from its backup' \
    'What is valid is saved before it goes. Without --job-stopped it would be set expired first, and a minute' \
    'waited: a job that reads in the moment of the delete gets no offsets, and undoes its whole table.'
  po delete orders-job --job-stopped --backup backup --yes
  fluss get orders-job
  po register orders-job -f backup/orders-job.*.json
  fluss get orders-job
}

show_undecodable() {
  chapter 'A snapshot that keeps its job stuck' \
    'Its znode was cut off. Fluss cannot read it, and for that reason cannot delete it: the job fails for ever.'
  zk_shell set /fluss/producers/damaged-job '{"version":1,"expira' >/dev/null
  fluss get damaged-job
  fluss delete damaged-job
  po list 'damaged*' -o wide
  po delete damaged-job --yes
  fluss get damaged-job
}

show_cleanup() {
  chapter 'What is left over is cleaned up, and nothing else' \
    'One snapshot has expired, a register crashed five days ago between its file and its znode, and the damaged' \
    'snapshot'\''s file is left. That file is young: it is kept for three days, in case somebody wants it.'
  expire last-week
  leave_orphan
  po cleanup --dry-run
  po cleanup --yes
  po list
  fluss get clicks-job
}

prepare
# shellcheck source=tests/servers/cluster.sh
source tests/servers/cluster.sh
say 'Starting ZooKeeper and a Fluss cluster'
start_cluster
point_flussctl
fill_cluster
cd "$CLUSTER_DIR"
show_snapshots
show_delete_and_register
show_undecodable
show_cleanup
cd /
say 'Done; the cluster and its files are gone'
