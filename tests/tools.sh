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

# Install packages where that is possible: as root, with apt-get. PACKAGE…
install() {
  has apt-get && [[ $(id -u) == 0 ]] || return 0
  say "installing $*"
  apt-get -qq update
  DEBIAN_FRONTEND=noninteractive apt-get -qq -y install "$@" >/dev/null
}

# The cryptography behind TLS is partly C.
need_c_compiler() {
  has cc || install gcc libc6-dev
  has cc || fail 'a C compiler is missing (apt-get install gcc libc6-dev)'
}
