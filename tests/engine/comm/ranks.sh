#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Ranks under a launcher: ranks.sh operations|ends PROGRAM [PROGRAM-OF-PIECES]
set -u
part=$1 program=$2 pieces=${3:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
fail() { echo "$*" >&2; cat "$scratch/out" "$scratch/err" >&2; failures=$((failures + 1)); }

if [ -z "$pieces" ]; then echo "skipped: mass-engine is built without MPI (libopenmpi-dev)"; exit 77; fi
if ! command -v mpirun >/dev/null; then echo "skipped: there is no mpirun (openmpi-bin)"; exit 77; fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_orte_execute_quiet=1 OMPI_MCA_plm=isolated OMPI_MCA_pml=ob1 \
    OMPI_MCA_btl=self,vader

# ranks N PROGRAM ARGUMENT...: its status.
ranks() { local n=$1; shift; timeout -k 5 60 mpirun -n "$n" "$@" >"$scratch/out" 2>"$scratch/err"; }
# is_silent: neither it nor the launcher had anything to say.
is_silent() { [ ! -s "$scratch/out" ] && [ ! -s "$scratch/err" ] || fail "it is not silent:"; }
# says_one LINE: that is all that standard error has.
says_one()
{
    [ "$(wc -l <"$scratch/err")" -eq 1 ] && grep -qE -- "$1" "$scratch/err" || fail "it does not say '$1' once, but:"
}

operations()
{
    local n
    for n in 1 2 3 4 7; do
        ranks "$n" "$program" operations || fail "$n ranks:"
        is_silent
    done
    ranks 3 "$pieces" operations || fail "messages in pieces:"
    is_silent
    for n in 2 3; do
        ranks "$n" "$program" halos || fail "halos of $n ranks:"
        is_silent
    done
    ranks 3 "$program" waiting || fail "waiting:"
    is_silent

    # Alone, launched or not, a process is a run of one rank, and opens nothing.
    [ "$("$program" size)" = "0 of 1 by self" ] || fail "alone it is not self:"
    [ "$(SLURM_NTASKS=4 SLURM_PROCID=0 "$program" size)" = "0 of 1 by self" ] || fail "in a batch script:"
    ranks 1 "$program" size && [ "$(cat "$scratch/out")" = "0 of 1 by self" ] || fail "of one rank it is not self:"
    ranks 2 "$program" size && [ "$(sort "$scratch/out")" = $'0 of 2 by mpi\n1 of 2 by mpi' ] || fail "of two:"

    # What does not fit is refused, once.
    RANKS_WANTED=3 ranks 2 "$program" size && fail "--ranks 3 of 2 is accepted:"
    says_one '^mass-engine: --ranks 3, but Open MPI has started 2: leave out --ranks$'
    RANKS_COMM=pvm ranks 2 "$program" size && fail "--comm pvm is accepted:"
    says_one '^mass-engine: --comm pvm is not one of auto, mpi, nccl$'
    PMI_RANK=0 PMI_SIZE=4 "$program" size >"$scratch/out" 2>"$scratch/err" && fail "another launcher is accepted:"
    says_one '^mass-engine: the launcher started 4 ranks, but Open MPI.* finds 1: start it by the mpirun of that'
    cp "$program" "$scratch/alone"
    ranks 2 "$scratch/alone" size && fail "it runs without a module:"
    says_one '^mass-engine: there is no MPI in this build of mass-engine.*install mass-engine-mpi'
}

# processes: the ids of ranks that have said them.
processes() { sed -n 's/^rank [0-9]* is process //p' "$scratch/out"; }
process_of() { sed -n "s/^rank $1 is process //p" "$scratch/out"; }

# start_ranks N ARGUMENT...: in the background, until all ranks have said their ids.
start_ranks()
{
    local n=$1 i
    shift
    : >"$scratch/out"
    mpirun -n "$n" "$program" "$@" >"$scratch/out" 2>"$scratch/err" &
    launcher=$!
    for ((i = 0; i < 1200; i++)); do
        [ "$(processes | wc -l)" -eq "$n" ] && return
        sleep 0.05
    done
    fail "$n ranks do not start:"
}

# all_end: the launcher's status is not 0, and all ranks are gone within 10 s.
all_end()
{
    local i id
    wait "$launcher" 2>/dev/null && fail "the status is 0:"
    for ((i = 0; i < 200; i++)); do
        for id in $(processes); do
            if kill -0 "$id" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$id/status" 2>/dev/null; then
                sleep 0.05
                continue 2
            fi
        done
        return
    done
    fail "ranks stay behind $1:"
    # shellcheck disable=SC2046 # a list of numbers
    kill -KILL $(processes) 2>/dev/null
}

ends()
{
    local n killed signal
    for killed in 0 1 2; do
        start_ranks 3 stay 2
        kill -KILL "$(process_of "$killed")"
        all_end "rank $killed"
        says_one "^mass-engine: rank $killed on .* has ended without a message"
    done
    start_ranks 3 stay 2
    kill -KILL "$launcher"
    all_end "the launcher" # through which they would say it

    # One that fails says why itself.
    ranks 3 "$program" abort 1
    [ $? -eq 4 ] || fail "the status of abort is another:"
    says_one '^mass-engine: rank 1 gives up$'
    ranks 3 "$program" crash 2 && fail "a crash is no failure:"
    says_one '^mass-engine: rank 2 on .*: crashed with a bad memory access'
    ranks 2 "$program" lengths && fail "lengths that differ are no failure:"
    says_one '^mass-engine: rank 0 on .*: rank 1 sent 4 bytes, and 8 were expected$'

    # One that hangs.
    RANKS_TIMEOUT=4 ranks 3 "$program" stay 1 && fail "a hang is no failure:"
    says_one '^mass-engine: rank 0 on .*: waited 4 s for all ranks.*--comm-timeout'

    # A signal to any rank, or passed on by the launcher, ends all.
    for n in 0 1 2; do
        for signal in TERM INT; do
            start_ranks 3 signal
            kill -$signal "$(process_of "$n")"
            wait "$launcher"
            [ $? -eq 130 ] || fail "SIG$signal to rank $n:"
        done
    done
    start_ranks 3 signal
    kill -USR2 "$launcher"
    wait "$launcher"
    [ $? -eq 130 ] || fail "SIGUSR2 to the launcher:"
}

"$part"
[ "$failures" -eq 0 ]
