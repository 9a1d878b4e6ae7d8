#!/usr/bin/env bash
# Prepares the servers that the tests and the demo run against: resolves the pinned class paths with Maven and compiles the
# Java peer, into target/servers, and only what is older than its source. With --install, gets Java and Maven by apt-get.
set -euo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
readonly HERE
readonly OUT="${FLUSSCTL_SERVERS:-$HERE/../../target/servers}"
readonly PROFILES=(zookeeper fluss peer)

say() { printf 'servers: %s\n' "$*" >&2; }

missing_programs() {
  local program
  for program in javac mvn; do
    command -v "$program" >/dev/null || printf '%s ' "$program"
  done
}

install_programs() {
  command -v apt-get >/dev/null && [[ $(id -u) == 0 ]] || return 1
  say 'installing Java 17 and Maven with apt-get'
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update
  apt-get -qq -y install openjdk-17-jdk-headless maven >/dev/null ||
    apt-get -qq -y install default-jdk-headless maven >/dev/null
}

need_programs() {
  local missing
  missing="$(missing_programs)"
  [[ -z $missing ]] && return
  if [[ ${1:-} == --install ]]; then
    install_programs || say 'cannot install them: that wants root and apt-get'
    missing="$(missing_programs)"
  fi
  if [[ -n $missing ]]; then
    say "missing: ${missing% } (Java 17 or later as a JDK, and Maven: apt-get install openjdk-17-jdk-headless maven)"
    exit 1
  fi
}

# Say whether every jar of a class path is still where it was resolved to.
jars_present() {
  local jar
  local -a jars
  IFS=: read -r -a jars <"$1" || true
  for jar in "${jars[@]}"; do
    [[ -f $jar ]] || return 1
  done
}

# Write the class path of one profile of the pom, whole or not at all.
resolve() {
  local profile=$1 file="$OUT/$1.cp"
  [[ $file -nt $HERE/pom.xml ]] && jars_present "$file" && return
  say "resolving $profile"
  if ! mvn -q -B -f "$HERE/pom.xml" -P "$profile" dependency:build-classpath "-Dmdep.outputFile=$file.new" >"$OUT/mvn.log" 2>&1; then
    cat "$OUT/mvn.log" >&2
    exit 1
  fi
  mv "$file.new" "$file"
}

compile_peer() {
  local classes="$OUT/peer"
  [[ $classes/Peer.class -nt $HERE/Peer.java && $classes/Peer.class -nt $OUT/peer.cp ]] && return
  say 'compiling the peer'
  javac -nowarn -cp "$(cat "$OUT/peer.cp")" -d "$classes" "$HERE/Peer.java"
}

main() {
  need_programs "$@"
  mkdir -p "$OUT"
  # Several test runs may start at once: one prepares, the others wait.
  exec 9>"$OUT/lock"
  flock 9
  local profile
  for profile in "${PROFILES[@]}"; do
    resolve "$profile"
  done
  compile_peer
}

main "$@"
