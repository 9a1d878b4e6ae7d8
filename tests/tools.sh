# Sourced by run.sh and demo.sh: what building wants, installed or named.
# shellcheck shell=bash

say() { printf '\n==> %s\n' "$*"; }

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

has() { command -v "$1" >/dev/null; }

need_rust() {
  # shellcheck source=/dev/null
  [[ -f $HOME/.cargo/env ]] && source "$HOME/.cargo/env"
  has cargo || fail 'Rust is missing: https://rustup.rs has it (curl https://sh.rustup.rs -sSf | sh -s -- -y)'
}

# The cryptography behind TLS is partly C.
need_c_compiler() {
  has cc && return
  if has apt-get && [[ $(id -u) == 0 ]]; then
    say 'installing a C compiler with apt-get'
    apt-get -qq update
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y install gcc libc6-dev >/dev/null
  fi
  has cc || fail 'a C compiler is missing (apt-get install gcc libc6-dev)'
}
