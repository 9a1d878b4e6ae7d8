#!/usr/bin/env bash
# Runs all checks and tests, on a fresh machine with Rust: gets Java and Maven, prepares the servers, then looks at
# formatting, lints, documentation and scripts, and runs the tests. Arguments go to `cargo test`.
# Without servers the tests that want them are skipped, loudly; with FLUSSCTL_REQUIRE_SERVERS=1 that is a failure.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tests/tools.sh
source tests/tools.sh

# One set of features throughout, so that nothing is built twice.
readonly BUILD=(--locked --features fault-points)

prepare() {
  need_rust
  need_c_compiler
  say 'servers'
  if ! tests/servers/prepare.sh --install; then
    [[ ${FLUSSCTL_REQUIRE_SERVERS:-0} == 0 && -z ${CI:-} ]] || fail 'the servers are demanded and missing'
    say 'SKIPPED: all tests that want servers'
  fi
}

check() {
  say 'formatting'
  cargo fmt --check
  say 'lints'
  cargo clippy "${BUILD[@]}" --features bench --all-targets -- -D warnings
  say 'documentation'
  RUSTDOCFLAGS=-Dwarnings cargo doc "${BUILD[@]}" --no-deps --quiet
  say 'scripts'
  has shellcheck || install shellcheck
  if has shellcheck; then
    shellcheck -x tests/*.sh tests/servers/*.sh tests/bench/*.sh .ci/run
  else
    [[ -z ${CI:-} ]] || fail 'shellcheck is missing (apt-get install shellcheck)'
    echo 'SKIPPED: shellcheck is missing (apt-get install shellcheck)'
  fi
}

prepare
check
say 'tests'
# stderr too, so that what was skipped stands beside what ran.
cargo test "${BUILD[@]}" "$@" 2>&1
