#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What several ranks on this host write and read: ranks_files.sh same|memory|stream COMMAND
set -u
part=$1 command=$2
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
# refused STATUS LINE ARGUMENT...: with that status, and this line alone.
refused()
{
    local wanted=$1 line=$2 status
    shift 2
    run "$@"
    status=$?
    [ "$status" -eq "$wanted" ] || fail "$*: the status is $status and not $wanted:"
    { [ "$(wc -l <"$scratch/err")" -eq 1 ] && grep -qE -- "$line" "$scratch/err"; } ||
        fail "it does not say '$line' once, but:"
}

# same: checkpoints of any number of ranks are the same file, those that are written while the run goes on and the last
# one; and any number of ranks goes on from them. A run that begins anew in its folder keeps its identity.
same()
{
    local model name one n file
    for model in "life --size 1500x1400" "sugarscape --size 90x70 --worlds 2" "minesweeper --worlds 10"; do
        name=${model%% *}
        # shellcheck disable=SC2086 # a list of words
        one=$(state_of $model --steps 9 --seed 5 --checkpoint-every 4 --checkpoint "$scratch/$name")
        cp -r "$scratch/$name" "$scratch/$name-1"
        # shellcheck disable=SC2086
        [ "$(state_of $model --steps 9 --seed 5 --checkpoint-every 4 --checkpoint "$scratch/$name" --ranks 3)" = "$one" ] ||
            fail "$model: another state:"
        for file in "$scratch/$name-1"/*.h5; do
            cmp "$file" "$scratch/$name/${file##*/}" || fail "$model: 3 ranks wrote another ${file##*/}"
        done
        for n in 1 4; do
            rm -rf "$scratch/on"
            [ "$(state_of --resume "$scratch/$name/ckpt-000000000004.h5" --checkpoint "$scratch/on" --ranks $n)" = "$one" ] ||
                fail "$model: $n ranks go on to another state:"
        done
    done
}

# peak PROCESS: the most memory that it had, in MiB.
peak() { echo $(($(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$1/status") >> 10)); }

# peaks_until FILE ARGUMENT...: runs until the file is there, and prints the peak of rank 0 and the most of all others.
peaks_until()
{
    local file=$1 i main launcher rank most=0 first=0
    shift
    "$command" --device cpu "$@" --steps 100000000 --ranks 4 >"$scratch/out" 2>"$scratch/err" &
    main=$!
    for ((i = 0; i < 400; i++)); do
        [ -e "$file" ] && break
        sleep 0.05
    done
    launcher=$(pgrep -P "$main" -x mpirun)
    for rank in $(pgrep -P "$launcher"); do
        if tr '\0' '\n' <"/proc/$rank/environ" | grep -qx OMPI_COMM_WORLD_RANK=0; then first=$(peak "$rank"); continue; fi
        [ "$(peak "$rank")" -gt $most ] && most=$(peak "$rank")
    done
    kill -KILL "$main"
    wait "$main" 2>/dev/null
    echo "$first $most"
}

# memory: rank 0 writes and reads what others hold in pieces of at most 64 MiB: of 192 MiB, 144 are theirs.
memory()
{
    local first most
    read -r first most <<<"$(peaks_until "$scratch/run/ckpt-000000000002.h5" life --size 16384x12288 --seed 3 \
        --checkpoint-every 2 --checkpoint "$scratch/run")"
    { [ "$first" -gt 0 ] && [ "$first" -lt $((most + 112)) ]; } || fail "writing took rank 0 $first MiB, and others $most:"
    read -r first most <<<"$(peaks_until "$scratch/on/ckpt-000000000003.h5" --resume "$scratch/run/ckpt-000000000002.h5" \
        --checkpoint-every 3 --checkpoint "$scratch/on")"
    { [ "$first" -gt 0 ] && [ "$first" -lt $((most + 112)) ]; } || fail "reading took rank 0 $first MiB, and others $most:"
}

# stream: ranks share the pieces of a stream, whose records end anywhere, and go on on any number of ranks.
stream()
{
    local mode one n input=$scratch/input
    for ((n = 0; n < 3000; n++)); do printf 'a%d of %d\n' $((n % 7)) $((n * n % 8191)); done >"$input"
    while [ $(($(stat -c %s "$input") % 4)) -ne 0 ]; do printf '.' >>"$input"; done
    for mode in bytes "u16 --set bins=1000" "f32 --set hi=1e9" "words --set fold=yes"; do
        # shellcheck disable=SC2086 # a list of words
        one=$(state_of histogram --set input="$input" --size 700 --steps 3 --set mode=$mode)
        for n in "2" "3 --partitions 2" "7"; do
            # shellcheck disable=SC2086
            [ "$(state_of histogram --set input="$input" --size 700 --steps 3 --set mode=$mode --ranks $n)" = "$one" ] ||
                fail "mode=$mode, $n ranks: another state:"
        done
        rm -rf "$scratch/run"
        # shellcheck disable=SC2086
        run histogram --set input="$input" --size 700 --steps 2 --set mode=$mode --ranks 3 --checkpoint "$scratch/run"
        [ "$(state_of --resume "$scratch/run" --steps 3 --ranks 2)" = "$one" ] || fail "mode=$mode goes on to another state:"
    done
    # All of it in one piece, which is read once.
    [ "$(state_of histogram --set input="$input" --steps 3 --ranks 3)" = \
        "$(state_of histogram --set input="$input" --steps 3)" ] || fail "as one piece it has another state:"
    mkfifo "$scratch/pipe"
    refused 4 '^mass-engine: histogram: input .*/pipe is no regular file: every step reads it anew$' \
        histogram --set input="$scratch/pipe" --ranks 2
    refused 4 '^mass-engine: rank 0 on .*: histogram: input .* has a word of more than 2 bytes, .*--ranks$' \
        histogram --set input="$input" --set mode=words --size 7 --ranks 3
}

"$part"
[ "$failures" -eq 0 ]
