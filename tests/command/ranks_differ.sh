#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A launcher starts ranks that were not given the same: the one that differs is named, or it does not matter, or rank 0
# alone is concerned: ranks_differ.sh COMMAND
set -u
command=$1
. "$(dirname "$0")/several_ranks.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_orte_execute_quiet=1
model="--device cpu life --size 20x24 --steps 8 --seed 5"

# start FIRST OTHER: a rank with these options and two with those.
start()
{
    # shellcheck disable=SC2086 # lists of words
    timeout -k 5 60 mpirun -n 1 "$command" $1 : -n 2 "$command" $2 >"$scratch/out" 2>"$scratch/err" </dev/null
}

# refused LINE FIRST OTHER: that line and nothing else.
refused()
{
    local line=$1 status
    shift
    start "$@"
    status=$?
    [ $status -eq 2 ] || fail "$1 and $2: the status is $status:"
    { [ "$(grep -c . "$scratch/err")" -eq 1 ] && grep -qE -- "$line" "$scratch/err"; } ||
        fail "$1 and $2: it does not say '$line' once, but:"
}

cp "$(dirname "$command")/../lib/mass/plugins/life.so" "$scratch/life.so"
printf x >>"$scratch/life.so"
this='^mass-engine: rank [12] on [^ ]*: this rank was given' all='all ranks are given the same model$'
refused "$this --seed 6, and rank 0 --seed 5: $all" "$model" "$model --seed 6"
refused "$this --set birth=9, and rank 0 was not: $all" "$model" "$model --set birth=9"
refused "^mass-engine: rank [12] on [^ ]*: rank 0 was given --no-bits, and this rank was not: $all" "$model --no-bits" \
    "$model"
refused "$this --plugin $scratch/life.so, and rank 0 --plugin life: $all" "$model" "${model/ life / $scratch/life.so }"
refused '^mass-engine: rank [12]: there is no option --stpes' "$model" "$model --stpes 5"

# The same in other words; what concerns one rank; what only rank 0 does.
# shellcheck disable=SC2086 # a list of words
one=$(state_of $model)
start "$model --json" "--device cpu --threads 1 --see 5 --siz 20x24 --plugin=life --steps=8" ||
    fail "the same options in other words are refused:"
[ "$(state)" = "$one" ] || fail "they come to another state:"
[ "$failures" -eq 0 ]
