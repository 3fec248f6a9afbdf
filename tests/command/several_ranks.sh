# SPDX-License-Identifier: Apache-2.0
# What tests of several ranks share, sourced with $command set: where MPI is missing they are skipped, with the reason.
# shellcheck shell=bash disable=SC2154
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
fail() { echo "$*" >&2; cat "$scratch/out" "$scratch/err" >&2; failures=$((failures + 1)); }

if [ ! -e "$(dirname "$command")/../lib/mass/backends/mpi.so" ]; then
    echo "skipped: mass-engine is built without MPI (libopenmpi-dev)"; exit 77
fi
if ! command -v mpirun >/dev/null; then echo "skipped: there is no mpirun (openmpi-bin)"; exit 77; fi

# run ARGUMENT...: its status.
run() { timeout -k 5 60 "$command" --device cpu "$@" >"$scratch/out" 2>"$scratch/err"; }
state() { sed -n 's/^  state //p' "$scratch/err"; }
# state_of ARGUMENT...: of a run that ends well.
state_of() { run "$@" || fail "$*: status $?"; state; }
