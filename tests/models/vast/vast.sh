#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Agents whose places are cut over ranks anywhere: the same state, and none is lost or there twice.
#   vast.sh small PLUGIN   on CPUs
#   vast.sh large PLUGIN   5.4e9 places, more than 2^32, on two GPUs, and on CPUs with 160 GiB of memory
set -u
command=$MASS_ENGINE part=$1 plugin=$2 scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
fail() { echo "$*" >&2; cat "$scratch/out" "$scratch/err" >&2; failures=$((failures + 1)); }
skip() { echo "skipped: $*"; exit 77; }
[ -e "$(dirname "$command")/../lib/mass/backends/mpi.so" ] || skip "mass-engine is built without MPI (libopenmpi-dev)"
command -v mpirun >/dev/null || skip "there is no mpirun (openmpi-bin)"

# value NAME: of a number, or of the state hash, in the result.
value() { sed -n "s/^ *\"$1\": \"\{0,1\}\([0-9a-f]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$scratch/out" | head -1; }

# same OPTION...: a run that ends as the first one did, whose walkers are those that there were.
first=
same()
{
    local alive state began=$SECONDS
    if ! timeout -k 5 300 "$command" --plugin "$plugin" --seed 7 --json "$@" >"$scratch/out" 2>"$scratch/err"; then
        fail "$*: it fails:"
        return
    fi
    alive=$(value alive)
    state="$(value state_hash) $alive $(value beyond) $(value over) $(value refused)"
    [ -n "$first" ] || first=$state
    [ "$state" = "$first" ] || fail "$*: $state is not $first:"
    [ "$(value ids)" = $((alive * (alive - 1))) ] || fail "$*: walkers are lost, or there twice:"
    [ "$part" = small ] || echo "$((SECONDS - began)) s: $*: state, walkers, beyond, over, refused: $state"
}

if [ "$part" = small ]; then
    set -- --device cpu --steps 9 --set every=128
    same "$@"
    same "$@" --ranks 2
    same "$@" --ranks 3 --shares 5,1,2
    [ "$(value refused)" -gt 0 ] || fail "nobody was in another's way:"
else
    gpus=$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits 2>/dev/null | awk '$1 > 60000' | wc -l)
    [ "$gpus" -ge 2 ] || skip "it takes two GPUs of 60 GiB"
    set -- --size 65536x81920 --steps 6
    same "$@" --device cuda --ranks 2
    same "$@" --device cuda --ranks 2 --shares 3,2
    for name in beyond over refused; do
        [ "$(value $name)" -gt 0 ] || fail "$name is 0:"
    done
    if [ "$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)" -lt 160 ]; then
        echo "without 160 GiB of memory there is no such run on CPUs"
    else
        same "$@" --device cpu --ranks 4
    fi
fi
[ "$failures" -eq 0 ]
