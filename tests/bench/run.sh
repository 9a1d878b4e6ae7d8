#!/usr/bin/env bash
# Measures flussctl against the bare ZooKeeper client at 100,000 snapshots, in one run on one throw-away server, and prints the
# pairs beside the goals. Ends with 1 where a goal is missed. Builds a release, which takes minutes the first time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/tools.sh
source tests/tools.sh

need_rust
need_c_compiler
tests/servers/prepare.sh --install
say 'building a release'
cargo build --release --locked --features bench
# shellcheck source=tests/servers/cluster.sh
source tests/servers/cluster.sh
say 'starting ZooKeeper, and measuring'
own_folder
start_zookeeper
release="${CARGO_TARGET_DIR:-target}/release"
"$release/flussctl-bench" pair "$ZOOKEEPER" "$CLUSTER_DIR/remote" "$PWD/$release/flussctl"
