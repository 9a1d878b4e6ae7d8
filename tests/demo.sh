#!/usr/bin/env bash
# Shows flussctl at work: starts a throw-away ZooKeeper and Fluss cluster, lets Fluss's own Java client register snapshots for
# real tables, and sees, deletes, registers and cleans them. Leaves nothing behind.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tests/tools.sh
source tests/tools.sh

prepare() {
  need_rust
  need_c_compiler
  tests/servers/prepare.sh --install
  say 'building'
  cargo build --locked
  PATH="$PWD/target/debug:$PATH"
}

# Show a command line as typed, then run it.
run() {
  printf '\n$ %s\n' "$*"
  "$@"
}

po() { run flussctl producer-offsets "$@"; }

# Point flussctl at the cluster by the cluster's own configuration, and away from the user's own files.
point_flussctl() {
  unset "${!FLUSSCTL_@}"
  export FLUSSCTL_SERVER_CONFIG="$SERVER_CONFIG"
  export XDG_CONFIG_HOME="$CLUSTER_DIR/config" XDG_STATE_HOME="$CLUSTER_DIR/state"
}

# Make two tables with rows, and register the snapshots that three starting jobs would.
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
}

# Register the log ends of a table's buckets: PRODUCER_ID TABLE
register_as_job() {
  local ends
  ends="$(peer offsets "$2")"
  peer register "$1" "$ends" >/dev/null
}

fluss_answers() {
  local answer
  answer="$(peer get "$1")"
  printf '\nFluss answers for %s: %s\n' "$1" "$answer"
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
  say 'What the jobs registered through Fluss'\''s own client: one line each, then one in full'
  po list
  po get clicks-job
  say 'The same for scripts'
  po get orders-job -o json
}

show_delete_and_register() {
  local backup="$CLUSTER_DIR/backup"
  say 'A snapshot is deleted, with a backup; its job is stopped, so nobody reads it meanwhile'
  po delete orders-job --job-stopped --backup "$backup" --yes
  fluss_answers orders-job
  say 'It is registered again from the backup'
  po register orders-job -f "$backup"/*orders-job* --ttl 24h
  fluss_answers orders-job
}

show_cleanup() {
  say 'One snapshot has expired, and one file is left of a register that crashed'
  expire last-week
  leave_orphan
  po list
  say 'What a cleanup would take, and then takes'
  po cleanup --dry-run
  po cleanup --yes
  po list
  fluss_answers clicks-job
}

prepare
# shellcheck source=tests/servers/cluster.sh
source tests/servers/cluster.sh
say 'starting ZooKeeper and Fluss'
start_cluster
point_flussctl
fill_cluster
show_snapshots
show_delete_and_register
show_cleanup
say 'done; the cluster and its files are gone'
