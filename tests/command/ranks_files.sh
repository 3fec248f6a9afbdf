#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What several ranks on this host write and read: ranks_files.sh same|memory|stream|parts|hostile|full|killed COMMAND
set -u
part=$1 command=$2
. "$(dirname "$0")/several_ranks.sh"

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

# same: any number of ranks writes the same checkpoints, both during the run and at its end. Any number of ranks resumes
# from them. A run that begins again in its folder keeps its identity.
same()
{
    local model name one n file
    for model in "life --size 1500x1400" "sugarscape --size 90x70 --worlds 2" "minesweeper --worlds 10"; do
        name=${model%% *}
        # shellcheck disable=SC2086 # a list of words
        one=$(state_of $model --steps 9 --seed 5 --checkpoint-every 4 --checkpoint "$scratch/$name")
        cp -r "$scratch/$name" "$scratch/$name-1"
        # shellcheck disable=SC2086
        [ "$(state_of $model --steps 9 --seed 5 --checkpoint-every 4 --checkpoint "$scratch/$name" --ranks 3)" = \
            "$one" ] || fail "$model: another state:"
        for file in "$scratch/$name-1"/*.h5; do
            cmp "$file" "$scratch/$name/${file##*/}" || fail "$model: 3 ranks wrote another ${file##*/}"
        done
        for n in 1 4; do
            rm -rf "$scratch/on"
            [ "$(state_of --resume "$scratch/$name/ckpt-000000000004.h5" --checkpoint "$scratch/on" --ranks $n)" = \
                "$one" ] || fail "$model: $n ranks go on to another state:"
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
    for ((i = 0; i < 1200; i++)); do
        [ -e "$file" ] && break
        sleep 0.05
    done
    launcher=$(pgrep -P "$main" -x mpirun)
    for rank in $(pgrep -P "$launcher"); do
        if tr '\0' '\n' <"/proc/$rank/environ" | grep -qx OMPI_COMM_WORLD_RANK=0; then first=$(peak "$rank")
        elif [ "$(peak "$rank")" -gt $most ]; then most=$(peak "$rank")
        fi
    done
    kill -KILL "$main"
    wait "$main" 2>/dev/null
    echo "$first $most"
}

# bounded WHAT FILE ARGUMENT...: rank 0 needs little more than others.
bounded()
{
    local what=$1 first most
    shift
    read -r first most <<<"$(peaks_until "$@")"
    { [ "$first" -gt 0 ] && [ "$first" -lt $((most + 112)) ]; } ||
        fail "$what took rank 0 $first MiB, and others $most:"
}

# memory: rank 0 writes and reads what others hold in pieces of at most 64 MiB: of 192 MiB, 144 are theirs.
memory()
{
    bounded writing "$scratch/run/ckpt-000000000002.h5" life --size 16384x12288 --seed 3 --checkpoint-every 2 \
        --checkpoint "$scratch/run"
    bounded reading "$scratch/on/ckpt-000000000003.h5" --resume "$scratch/run/ckpt-000000000002.h5" \
        --checkpoint-every 3 --checkpoint "$scratch/on"
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
            [ "$(state_of histogram --set input="$input" --size 700 --steps 3 --set mode=$mode --ranks $n)" = \
                "$one" ] || fail "mode=$mode, $n ranks: another state:"
        done
        rm -rf "$scratch/run"
        # shellcheck disable=SC2086
        run histogram --set input="$input" --size 700 --steps 2 --set mode=$mode --ranks 3 --checkpoint "$scratch/run"
        [ "$(state_of --resume "$scratch/run" --steps 3 --ranks 2)" = "$one" ] ||
            fail "mode=$mode goes on to another state:"
    done
    # All of it in one piece, which is read once.
    [ "$(state_of histogram --set input="$input" --steps 3 --ranks 3)" = \
        "$(state_of histogram --set input="$input" --steps 3)" ] || fail "as one piece it has another state:"
    mkfifo "$scratch/pipe"
    refused 4 '^mass-engine: histogram: input .*/pipe is not a regular file: every step reads it again$' \
        histogram --set input="$scratch/pipe" --ranks 2
    refused 4 '^mass-engine: rank 0 on .*: histogram: input .* has a word of more than 2 bytes, .*--ranks$' \
        histogram --set input="$input" --set mode=words --size 7 --ranks 3
}

# flip FILE: one bit of it, in the middle.
flip()
{
    local at=$(($(stat -c %s "$1") / 2)) byte
    byte=$(od -An -tu1 -j $at -N 1 "$1")
    # shellcheck disable=SC2059 # an octal escape
    printf "$(printf '\\%03o' $((byte ^ 1)))" | dd of="$1" bs=1 seek=$at conv=notrunc status=none
}

with_h5py()
{
    local python
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import h5py' 2>/dev/null && echo "$python" && return
    done
    return 1
}

# same_values FILE FILE: as h5py sees them.
same_values()
{
    local python
    python=$(with_h5py) || { echo "$1 is not looked at: no python3 has h5py" >&2; return; }
    "$python" - "$1" "$2" >"$scratch/out" 2>&1 <<'END' || fail "$1 has other values than $2:"
import sys, h5py
a, b = (h5py.File(name) for name in sys.argv[1:])
seen = []
def compare(name, item):
    if name.split("/")[0] in ("places", "agents") and isinstance(item, h5py.Dataset) and item.is_virtual:
        assert item.dtype == b[name].dtype and item[...].tobytes() == b[name][...].tobytes(), name
        seen.append(name)
a.visititems(compare)
assert seen, "no virtual data sets"
END
}

# no_orphans FOLDER: every part that is there is one of a checkpoint that is there.
no_orphans()
{
    local file name token
    for file in "$1"/ckpt-*.*-*.h5; do
        [ -e "$file" ] || continue
        name=${file##*/}
        token=${name#*.}
        grep -q "${token%%-*}" "$1/${name%%.*}.h5" || fail "$name is of no checkpoint:"
    done
    if compgen -G "$1/.*.tmp" >/dev/null; then fail "temporary files are left in $1:"; fi
}

# A checkpoint that somebody gave another name keeps its parts, whatever goes meanwhile, and links lead to them.
renamed()
{
    local to=$scratch/renamed
    cp -r "$run" "$to"
    mv "$to/ckpt-000000000008.h5" "$to/kept.h5"
    ln -s renamed/kept.h5 "$scratch/link.h5"
    state_of --resume "$to" --steps 12 --checkpoint-every 1 --keep 1 --ranks 2 --checkpoint-parts >/dev/null
    [ "$(find "$to" -name 'ckpt-000000000008.*' | wc -l)" -eq 3 ] || fail "the parts of kept.h5 are gone:"
    [ "$(find "$to" -name 'ckpt-000000000009.*' | wc -l)" -eq 0 ] || fail "those of a removed checkpoint are not:"
    [ "$(state_of --resume "$scratch/link.h5" --steps 9 --checkpoint "$scratch/on")" = "$one" ] ||
        fail "the link leads to another state:"
    rm -rf "$scratch/on"
}

# repack OPTIONS FILE...: as h5repack leaves them.
repack()
{
    local options=$1 file
    shift
    for file; do
        # shellcheck disable=SC2086 # a list of words
        h5repack $options "$file" "$file.new" && mv "$file.new" "$file" || fail "h5repack $options $file fails:"
    done
}

# goes_on_repacked WHAT: the checkpoint in "repacked" is known as what it is, and leads to the state $one.
goes_on_repacked()
{
    local master=$scratch/repacked/ckpt-000000000008.h5
    rm -rf "$scratch/on"
    [ "$(state_of --resume "$master" --checkpoint "$scratch/on" --ranks 2)" = "$one" ] || fail "$1: another state:"
    grep -q "^mass-engine: $master was repacked by another program: its hashes show that" "$scratch/err" ||
        fail "$1: it does not say that:"
}

# repacked FILES OPTIONS: what h5repack makes of some files of step 8 has the same values.
repacked()
{
    local to=$scratch/repacked
    command -v h5repack >/dev/null || { echo "no repacked parts are tried: h5repack is missing" >&2; return; }
    rm -rf "$to"
    mkdir "$to"
    cp "$run"/ckpt-000000000008.* "$to"
    # shellcheck disable=SC2086 # a pattern of names
    repack "$2" "$to"/ckpt-000000000008.$1
    goes_on_repacked "$run, $1 $2"
}

# packed_otherwise FILES FILTER NAME: the command does not read this filter. It refuses the files, given the file or its
# folder, but does not call them damaged. The run goes on after the repair that the line gives.
packed_otherwise()
{
    local to=$scratch/repacked from
    command -v h5repack >/dev/null || return
    rm -rf "$to"
    mkdir "$to"
    cp "$run"/ckpt-00000000000[48].* "$to"
    # shellcheck disable=SC2086 # a pattern of names
    repack "-f $2" "$to"/ckpt-000000000008.$1
    for from in "$to/ckpt-000000000008.h5" "$to"; do
        refused 4 "^mass-engine: .*/ckpt-000000000008.$1 cannot be read: .* filter [456] \($3\), .*: h5repack .* makes \
such a file, to be put in its place\$" --resume "$from"
    done
    # shellcheck disable=SC2086
    repack "-f GZIP=4" "$to"/ckpt-000000000008.$1
    goes_on_repacked "$run, $1 $2"
}

# One that was changed after that is damaged.
repacked_and_changed()
{
    local file
    file=$(echo "$scratch"/repacked/*-00001.h5)
    [ -e "$file" ] || return 0
    flip "$file"
    refused 4 "^mass-engine: .* is damaged: its part ${file##*/} is not as it was written:" \
        --resume "$scratch/repacked/ckpt-000000000008.h5"
}

# parts: each rank writes its own part. h5py reads the parts as one file, and any number of ranks resumes from them. The
# command names a damaged part and skips its checkpoint.
#
# strange PART MASTER: the command refuses a file that cannot be a part, at once and before it reads any of it.
strange()
{
    local part=$1 master=$2
    truncate -s $(($(stat -c %s "$part") / 2)) "$part"
    refused 4 "^mass-engine: .* is damaged: its part ${part##*/} is too short:" --resume "$master"
    rm "$part"
    mkfifo "$part"
    refused 4 "^mass-engine: .* is damaged: its part ${part##*/} is not a regular file:" --resume "$master"
    [ "$(id -u)" -eq 0 ] || return 0
    rm "$part"
    touch "$part"
    chown 1 "$part"
    refused 4 "^mass-engine: .*its part ${part##*/} belongs to another user than the checkpoint:" --resume "$master"
}

parts()
{
    local model name one n file run
    for model in "life --size 1500x140" "sugarscape --size 90x70 --worlds 2" "minesweeper --worlds 10"; do
        name=${model%% *} run=$scratch/${model%% *}
        # shellcheck disable=SC2086 # a list of words
        one=$(state_of $model --steps 9 --seed 5 --checkpoint "$run-1")
        for n in 2 3; do # the second in place of the first
            # shellcheck disable=SC2086
            [ "$(state_of $model --steps 9 --seed 5 --checkpoint-every 4 --keep 2 --checkpoint "$run" --ranks $n \
                --checkpoint-parts)" = "$one" ] || fail "$model: another state:"
            no_orphans "$run"
        done
        [ "$(find "$run" -name 'ckpt-*-*.h5' | grep -c -- '-0000[0-2].h5')" -ge 6 ] || fail "$model: parts are missing:"
        same_values "$run/ckpt-000000000009.h5" "$run-1/ckpt-000000000009.h5"
        for n in 1 4; do
            rm -rf "$scratch/on"
            [ "$(state_of --resume "$run/ckpt-000000000008.h5" --checkpoint "$scratch/on" --ranks $n)" = "$one" ] ||
                fail "$model: $n ranks go on to another state:"
        done
        case $name in
        life)
            renamed
            repacked "*-0000[12].h5" ""
            repacked_and_changed
            packed_otherwise "*-00001.h5" "SZIP=8,NN" szip
            packed_otherwise "*-00000.h5" NBIT nbit
            packed_otherwise h5 "SOFF=0,IN" scaleoffset ;;
        sugarscape)
            repacked "*-*.h5" "-f GZIP=4"
            repacked "h5" "-f GZIP=1" ;; # which has all values itself then
        *) repacked "*h5" "" ;;
        esac
        file=$(echo "$run"/ckpt-000000000009.*-00001.h5)
        flip "$file"
        refused 4 "^mass-engine: .*/ckpt-000000000009.h5 is damaged: its part ${file##*/} is not as it was written:" \
            --resume "$run/ckpt-000000000009.h5"
        strange "$file" "$run/ckpt-000000000009.h5"
        rm "$file"
        refused 4 "^mass-engine: .* is damaged: its part ${file##*/} cannot be read \\(No such file.*: use an older" \
            --resume "$run/ckpt-000000000009.h5"
        ln -s "$(echo "$run"/ckpt-000000000009.*-00000.h5)" "$file"
        refused 4 "^mass-engine: .* its part ${file##*/} cannot be read" --resume "$run/ckpt-000000000009.h5"
        [ "$(state_of --resume "$run" --ranks 2 --checkpoint-parts)" = "$one" ] || fail "$model does not go on:"
        grep -q '^mass-engine: skipped .*/ckpt-000000000009.h5' "$scratch/err" || fail "it does not say so:"
        no_orphans "$run"
    done
}

# changed CHANGE: a copy of a checkpoint in parts, in "changed", whose master is another.
changed()
{
    rm -rf "$scratch/changed"
    cp -r "$scratch/run" "$scratch/changed"
    "$python" - "$scratch/changed/ckpt-000000000006.h5" "$scratch/pipe" "$1" <<'END'
import sys, h5py, numpy
name, pipe, change = sys.argv[1:]
with h5py.File(name, "r+") as f:
    if change.startswith("token="):
        token = f.attrs.get_id("parts")
        token.write(numpy.array(change[6:].encode(), token.dtype), mtype=token.get_type())
    else:
        grid, old = f["places/grid"], f["places/grid/health"]
        grid.move("health", "old")
        layout = h5py.VirtualLayout(old.shape, "u1", maxshape=(None, old.shape[1]))
        source = h5py.VirtualSource(pipe if change == "path" else "../pipe", "x", old.shape, "u1", layout.maxshape)
        layout[0 : h5py.h5s.UNLIMITED : 1, :] = source[0 : h5py.h5s.UNLIMITED : 1, :]
        new = grid.create_virtual_dataset("health", layout)
        for key in old.attrs:
            if key == "DIMENSION_LIST":
                continue
            a = old.attrs.get_id(key)
            value = numpy.empty(a.shape, a.dtype)
            a.read(value, mtype=a.get_type())
            h5py.h5a.create(new.id, key.encode(), a.get_type(), a.get_space()).write(value, mtype=a.get_type())
        for i, scale in enumerate(("y", "x-bytes")):
            new.dims[i].attach_scale(grid[scale])
        del grid["old"]
END
}

# hostile: a master that names other files as its parts has none of them opened. Who opened the pipe would wait.
hostile()
{
    local python one change model="life --size 300x200 --seed 1"
    python=$(with_h5py) || { echo "skipped: no python3 has h5py"; exit 77; }
    # shellcheck disable=SC2086 # lists of words
    state_of $model --steps 6 --ranks 2 --checkpoint "$scratch/run" --checkpoint-parts >/dev/null
    # shellcheck disable=SC2086
    one=$(state_of $model --steps 8)
    mkfifo "$scratch/pipe"
    for change in path above; do
        changed $change || fail "$change: the master cannot be changed:"
        timeout 2 "$python" -c "import h5py, sys; h5py.File(sys.argv[1])['places/grid/health'][:]" \
            "$scratch/changed/ckpt-000000000006.h5"
        [ $? -eq 124 ] || fail "$change: others do not open the pipe, either:"
        [ "$(state_of --resume "$scratch/changed/ckpt-000000000006.h5" --steps 8)" = "$one" ] ||
            fail "$change: it goes on to another state:"
    done
    changed "token=../../pipe/../../../../../../pipe" || fail "the token cannot be changed:"
    refused 4 "^mass-engine: .*/ckpt-000000000006.h5 is damaged: 'parts' is not " \
        --resume "$scratch/changed/ckpt-000000000006.h5"
}

# full: one rank cannot write its part. It is named, once, the run goes on, and nothing is left.
full()
{
    local model="$command --device cpu life --size 800x700 --seed 3 --steps 20 --checkpoint-every 10 --checkpoint-parts"
    model+=" --checkpoint $scratch/run"
    # shellcheck disable=SC2086 # a list of words
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
        OMPI_MCA_orte_execute_quiet=1 timeout 60 mpirun -n 1 $model : -n 1 bash -c "ulimit -f 8; exec $model" : \
        -n 1 $model >"$scratch/out" 2>"$scratch/err" </dev/null
    [ $? -eq 1 ] || fail "a rank that cannot write its part: the status is another:"
    local goes_on='^mass-engine: no checkpoint of step 10: rank 1 on [^ ]*: cannot write .*; the run goes on$'
    grep -qE "$goes_on" "$scratch/err" || fail "a rank that cannot write its part is not named:"
    grep . "$scratch/err" | tail -1 | grep -qE '^mass-engine: rank 1 on [^ ]*: cannot write .*: File too large$' ||
        fail "it is not named at the end:"
    grep -q '^  state ' "$scratch/err" || fail "the run does not go on:"
    if compgen -G "$scratch/run/*ckpt*" >/dev/null; then fail "parts are left:"; fi
}

# all_gone PROCESS...: within a minute they have ended.
all_gone()
{
    local i id
    for ((i = 0; i < 1200; i++)); do
        for id in "$@"; do
            grep -q '^State:.[^ZX]' "/proc/$id/status" 2>/dev/null && sleep 0.05 && continue 2
        done
        return 0
    done
    return 1
}

# killed: parts that a killed run leaves go, and what it had announced is whole.
killed()
{
    local i main last ranks
    for i in 1 2 3; do
        "$command" --device cpu life --size 800x700 --seed 3 --steps 100000000 --checkpoint-every 1 --keep 2 \
            --checkpoint "$scratch/run" --ranks 3 --checkpoint-parts >"$scratch/out" 2>"$scratch/err" &
        main=$!
        # Older ones go again, at once.
        while last=$(printf '%s\n' "$scratch"/run/ckpt-0*.h5 | tail -1) && [ "${last##*/}" \< ckpt-000000000003.h5 ]; do
            sleep 0.01
        done
        sleep 0.0$((i * 3))
        mapfile -t ranks < <(pgrep -P "$(pgrep -P $main -x mpirun)")
        kill -KILL $main
        wait $main 2>/dev/null
        all_gone "${ranks[@]}" || fail "ranks stay behind:"
        # As if it had been killed between its parts and their master.
        if [ $i -eq 2 ]; then rm "$(printf '%s\n' "$scratch"/run/ckpt-????????????.h5 | tail -1)"; fi
        last=$(cd "$scratch/run" && printf '%s\n' ckpt-????????????.h5 | tail -1)
        last=${last#ckpt-}
        last=$((10#${last%.h5} + 3))
        [ "$(state_of --resume "$scratch/run" --steps $last)" = \
            "$(state_of life --size 800x700 --seed 3 --steps $last)" ] || fail "it goes on to another state:"
        no_orphans "$scratch/run"
        rm -rf "$scratch/run"
    done
}

"$part"
[ "$failures" -eq 0 ]
