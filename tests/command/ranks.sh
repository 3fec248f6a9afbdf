#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Several ranks on this host, as a user meets them: ranks.sh PART COMMAND, where PART is runs, shares, plans, ends,
# hang, disk, early, asked, plugins, told or lacks
set -u
# shellcheck disable=SC2086 # $written is a list of words
part=$1 command=$2
. "$(dirname "$0")/several_ranks.sh"

# refused STATUS LINE ARGUMENT...: with that status, this line and nothing else.
refused()
{
    local wanted=$1 line=$2 status
    shift 2
    run "$@"
    status=$?
    [ "$status" -eq "$wanted" ] || fail "$*: the status is $status and not $wanted:"
    says_one "$line"
}
says_one()
{
    { [ "$(wc -l <"$scratch/err")" -eq 1 ] && grep -qE -- "$1" "$scratch/err"; } ||
        fail "it does not say '$1' once, but:"
}
in_terminal() { SHELL=/bin/sh TERM=xterm script -qec "$1" /dev/null >"$scratch/out" 2>"$scratch/err" </dev/null; }
runs()
{
    local one n
    for model in "life --size 64x48" "heat --size 40x40" "life --size 20x20 --worlds 9"; do
        # shellcheck disable=SC2086 # a list of words
        one=$(state_of $model --steps 30 --seed 5)
        for n in 1 2 3 4 7; do
            # shellcheck disable=SC2086
            [ "$(state_of $model --steps 30 --seed 5 --ranks $n)" = "$one" ] || fail "$model, $n ranks: another state:"
        done
    done
    run life --size 64 --steps 8 --seed 1 --ranks 3 --json --quiet || fail "--json fails:"
    [ ! -s "$scratch/err" ] || fail "--quiet is not quiet:"
    grep -q '"ranks": 3' "$scratch/out" || fail "the result does not say how many ranks:"

    # In a terminal, rank 0 draws how far the run is, and nobody else; by whatever they were started.
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    if command -v script >/dev/null; then
        for n in "'$command' --ranks 2" "mpirun -n 2 '$command'"; do
            in_terminal "$n --device cpu --plugin '$MASS_BAD_PLUGINS/shape.so' --set nap=20 --steps 60" ||
                fail "$n: in a terminal it fails:"
            tr '\r' '\n' <"$scratch/out" | sed -n 's/^.*step \([0-9]*\) of 60 (.*left$/\1/p' >"$scratch/steps"
            [ -s "$scratch/steps" ] || fail "$n: in a terminal there is no progress:"
            sort -nuc "$scratch/steps" || fail "$n: progress comes twice, or goes back:"
            tr '\r' '\n' <"$scratch/out" | sed 's/^.\[K//' | grep -q '^shape: step 60 on cpu, 2 ranks' ||
                fail "$n: the report is behind something else:"
        done
        in_terminal "mpirun -n 2 '$command' --device cpu life --size 40 --steps 9 --watch" ||
            fail "mpirun: in a terminal --watch fails:"
        grep -q 'life: step 9 of 9' "$scratch/out" || fail "mpirun: --watch shows nothing:"
        in_terminal "mpirun -n 2 '$command' --device cpu life --size 40 --steps 9 2>'$scratch/err'" ||
            fail "mpirun: it fails:"
        grep -q "$(printf '\r')" "$scratch/err" && fail "mpirun: what goes to a file is drawn:"
    fi
    timeout 60 mpirun -q -n 2 "$command" life --size 40 --steps 9 --watch >"$scratch/out" 2>"$scratch/err" </dev/null
    [ $? -eq 2 ] || fail "--watch without a terminal: the status is another:"
    says_one '^mass-engine: --watch: standard error is not a terminal'

    # By a name that leads nowhere, as programs start each other.
    (exec -a mass-engine "$command" --device cpu life --size 64 --steps 8 --ranks 2 >"$scratch/out" 2>"$scratch/err") ||
        fail "it needs its own name to start ranks:"

    # What is wrong is said once, with the status of a run of one rank.
    refused 2 '^mass-engine: there is no option --stpes; did you mean --steps\?$' life --ranks 3 --stpes 5
    refused 2 "^mass-engine: life: there is no parameter 'nothing'" life --ranks 3 --set nothing=1
    refused 3 '^mass-engine: no plugin nolife was found' nolife --ranks 3
    refused 4 '^mass-engine: .*/nowhere: No such file' --resume "$scratch/nowhere" --ranks 3
    refused 2 '^mass-engine: 7 ranks .*rows, of which there are 4$' life --size 4x4 --ranks 7
    refused 2 '^mass-engine: --comm pvm is not one of' life --ranks 2 --comm pvm
    PATH=/nowhere "$command" life --ranks 2 >"$scratch/out" 2>"$scratch/err"
    [ $? -eq 5 ] || fail "without mpirun the status is another:"
    says_one '^mass-engine: --ranks needs mpirun, which is not in PATH: install openmpi-bin$'

    # Under a launcher, too.
    for option in --stpes=5 --set=nothing=1 --ranks=2; do
        timeout 60 mpirun -q -n 3 "$command" life $option >"$scratch/out" 2>"$scratch/err"
        [ $? -eq 2 ] || fail "mpirun, $option: the status is another:"
        says_one '^mass-engine: '
    done
}

# The rows that ranks had at the end, as --json lists them, and how often that became others.
rows() { tr -d ' \n' <"$scratch/out" | sed -n 's/.*"rows":\[\([0-9,]*\)\].*/\1/p'; }
recuts() { sed -n 's/.*"recuts": \([0-9]*\),/\1/p' "$scratch/out"; }

shares()
{
    local one model
    for model in "sugarscape --size 20x24:--ranks 3 --shares 1,9,3" "life --size 20 --worlds 9:--ranks 2 --shares 1,6"
    do # shellcheck disable=SC2086 # lists of words
        [ "$(state_of ${model%:*} --steps 30 --seed 5 ${model#*:})" = "$(state_of ${model%:*} --steps 30 --seed 5)" ] ||
            fail "$model: another state:"
    done
    run life --size 8x48 --steps 8 --seed 5 --ranks 3 --shares 1,5,2 --json || fail "--shares fails:"
    [ "$(rows)" = 6,29,13 ] || fail "the rows are not as --shares says:"
    grep -q '^  slabs of 6, 29 and 13 rows of grid$' "$scratch/err" || fail "the rows are not said:"

    # Measured: where devices differ, as by their threads, or where that is asked for. Of alike ones nothing is said.
    one=$(state_of life --size 20x64 --steps 8 --seed 5)
    [ "$(state_of life --size 20x64 --steps 8 --seed 5 --ranks 2 --shares auto)" = "$one" ] ||
        fail "--shares auto: another state:"
    grep -q '^  slabs of [0-9]* and [0-9]* rows of grid$' "$scratch/err" || fail "--shares auto: the rows are not said:"
    [ "$(state_of life --size 20x64 --steps 8 --seed 5 --ranks 2)" = "$one" ] || fail "2 ranks: another state:"
    grep -q '^  slabs of' "$scratch/err" && fail "slabs that are alike are said:"
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 timeout 60 \
        mpirun -q -n 1 "$command" --device cpu life --size 20x64 --steps 8 --seed 5 --threads 1 : \
        -n 1 "$command" --device cpu life --size 20x64 --steps 8 --seed 5 --threads 2 \
        >"$scratch/out" 2>"$scratch/err" || fail "ranks with other threads fail:"
    [ "$(state)" = "$one" ] || fail "ranks with other threads: another state:"

    # By the edges of a network. All worlds have the same network.
    one=$(state_of voter --set network=preferential --size 90 --steps 4 --seed 5)
    [ "$(state_of voter --set network=preferential --size 90 --steps 4 --seed 5 --ranks 3 --shares edges --json)" = \
      "$one" ] || fail "--shares edges: another state:"
    [ "$(rows)" = 16,30,44 ] || fail "the rows are not as the edges say:"
    run voter --size 90 --worlds 5 --steps 4 --seed 5 --ranks 2 --shares edges || fail "--shares edges, worlds: fails:"
    refused 2 '^mass-engine: --shares edges divides the nodes of a network, and life has none: leave it out$' \
        life --ranks 2 --shares edges

    # What takes time is in the first of three slabs: the last one becomes the largest.
    one=$(state_of "$MASS_BAD_PLUGINS/uneven.so" --seed 5)
    [ "$(state_of "$MASS_BAD_PLUGINS/uneven.so" --seed 5 --ranks 3 --rebalance 10 --json)" = "$one" ] ||
        fail "slabs were cut again: another state:"
    if [ "$(rows)" = 20,20,20 ] || [ "$(recuts)" -eq 0 ] || [ "$(rows | cut -d, -f3)" -le 30 ]; then
        fail "slabs were not cut again as they should:"
    fi
    grep -q ', cut again [0-9]* times\?$' "$scratch/err" || fail "it is not said that slabs were cut again:"

    # Resumed with other parts.
    run "$MASS_BAD_PLUGINS/uneven.so" --seed 5 --steps 30 --ranks 3 --shares 3,1,2 --checkpoint "$scratch/parts" ||
        fail "a run of unequal parts fails:"
    [ "$(state_of --resume "$scratch/parts" --plugin "$MASS_BAD_PLUGINS/uneven.so" --steps 60 --ranks 2 --shares 1,6 \
         --rebalance 7)" = "$one" ] || fail "resumed in other parts: another state:"

    refused 2 '^mass-engine: --shares gives 2 shares, one for each rank, and there are 3 \(--ranks\)$' \
        life --ranks 3 --shares 1,2
    refused 2 '^mass-engine: --shares 1,0 is not a list' life --ranks 2 --shares 1,0
    refused 2 '^mass-engine: --rebalance cuts spaces again, and 2 ranks hold 4 worlds whole: leave it out$' \
        life --ranks 2 --worlds 4 --rebalance 5
    refused 2 '^mass-engine: --rebalance cuts spaces again, and histogram reads a stream' histogram --rebalance 5
}

written='ckpt-*.h5 --checkpoint-every 200' # two words

# begin N FILE OPTION...: starts a long run of N ranks in the background, and waits for that file in the run's folder.
# Then $main is its process, $launcher mpirun, and $ranks are those of the ranks. What a script starts in the background
# ignores SIGINT: $signals says how signals are left to it, in words of env.
signals=--default-signal=INT,HUP,TERM
begin()
{
    local n=$1 file=$2
    shift 2
    rm -rf "$scratch/run"
    # shellcheck disable=SC2086 # a list of words
    env $signals "$command" --device cpu life --size 256x256 --steps 100000000 --seed 3 --checkpoint "$scratch/run" \
        --ranks "$n" "$@" >"$scratch/out" 2>"$scratch/err" &
    main=$!
    local id
    becomes compgen -G "$scratch/run/$file" >/dev/null || fail "after a minute there is no $file:"
    launcher=$(pgrep -P "$main" -x mpirun) || fail "no mpirun was started:"
    ranks=()
    for id in $(pgrep -P "$launcher"); do
        ranks[$(tr '\0' '\n' <"/proc/$id/environ" | sed -n 's/^OMPI_COMM_WORLD_RANK=//p')]=$id
    done
    [ "${#ranks[@]}" -eq "$n" ] || fail "there are ${#ranks[@]} ranks:"
}

# takes_signals PROCESS: it is the engine, and no longer a copy of this shell. It has blocked or caught SIGTERM and
# SIGUSR1, so that a signal is a request and does not kill.
takes_signals()
{
    local mask taken=0
    [ "/proc/$1/exe" -ef "$command" ] || return 1
    for mask in $(sed -n 's/^Sig\(Blk\|Cgt\):[^0-9a-f]*//p' "/proc/$1/status"); do taken=$((taken | 0x$mask)); done
    ((taken >> 14 & taken >> 9 & 1))
}

# becomes COMMAND...: within a minute that command succeeds.
becomes()
{
    local i
    for ((i = 0; i < 1200; i++)); do
        if "$@"; then return 0; fi
        sleep 0.05
    done
    return 1
}

# gone: within 10 s nothing is left of the run, and its status, $ended, was not 0.
gone()
{
    local i id
    wait "$main" 2>/dev/null
    ended=$?
    [ $ended -ne 0 ] || fail "$1: the status is 0:"
    for ((i = 0; i < 200; i++)); do
        for id in "$launcher" "${ranks[@]}"; do
            if grep -q '^State:.[^ZX]' "/proc/$id/status" 2>/dev/null; then
                sleep 0.05
                continue 2
            fi
        done
        return
    done
    fail "$1: processes stay behind:"
    kill -KILL "$launcher" "${ranks[@]}" 2>/dev/null
}

# goes_on N: what a run left is whole, and N ranks go on from it as one does.
goes_on()
{
    local newest last
    newest=$(ls "$scratch"/run/ckpt-*.h5 | tail -1)
    last=${newest##*ckpt-}
    last=$((10#${last%.h5} + 50))
    [ "$(state_of --resume "$scratch/run" --steps $last --ranks "$1")" = \
        "$(state_of life --size 256x256 --seed 3 --steps $last)" ] || fail "$1 ranks go on to another state:"
}

ends()
{
    local who signal
    for who in 0 1 2; do
        begin 3 $written
        kill -KILL "${ranks[$who]}"
        gone "a killed rank"
        [ $ended -eq 1 ] || fail "a killed rank: the status is $ended:"
        says_one "^mass-engine: rank $who on .* has ended without a message"
        goes_on 2
    done
    begin 2 $written
    kill -KILL "$launcher"
    gone "mpirun, killed"
    says_one '^mass-engine: mpirun was ended by signal 9'
    begin 2 $written
    kill -KILL "$main"
    gone "mass-engine, killed"
    goes_on 1

    for signal in TERM INT HUP; do
        begin 3 $written
        kill -$signal "$main"
        wait "$main"
        [ $? -eq 130 ] || fail "SIG$signal: the status is another:"
        grep -q '^mass-engine: stopped at step .* --ranks 3$' "$scratch/err" || fail "SIG$signal:"
        [ "$(grep -c '^  state ' "$scratch/err")" -eq 1 ] || fail "SIG$signal: there is not one report:"
        gone_now "SIG$signal"
        goes_on 2
    done
    ignored
}

# ignored: a run under nohup, or a job of a script, goes on as one rank does.
ignored()
{
    local signals="--ignore-signal=INT,HUP --default-signal=TERM"
    begin 2 $written
    kill -HUP "$main"
    kill -INT "$main"
    sleep 0.5
    kill -0 "$main" || fail "an ignored signal ends the run:"
    kill -TERM "$main"
    wait "$main"
    [ $? -eq 130 ] || fail "SIGTERM after ignored signals: the status is another:"
    goes_on 1
}

# hang: one that is stopped is waited for no longer than is said, and a second signal waits for nobody. On a busy host a
# rank that does not hang may be slow, too, and so may be who takes signals: those that come at once are one.
hang()
{
    begin 3 $written --comm-timeout 4
    kill -STOP "${ranks[1]}"
    gone "a rank that hangs"
    says_one '^mass-engine: rank [02] on .*: waited 4 s .*--comm-timeout'
    goes_on 2
    begin 3 $written
    kill -STOP "${ranks[1]}"
    kill -TERM "$main"
    becomes has_taken_signals "$main" || fail "a signal is not taken:"
    sleep 0.5
    kill -TERM "$main"
    wait "$main"
    [ $? -eq 143 ] || fail "the status of a second signal is another:"
    gone "a second signal"
    hang_in_parts
}

# starts_to_hang RANK HOW ARGUMENT...: a run in the folder $hung, whose disk never ends a write of that rank.
starts_to_hang()
{
    local rank=$1 how=$2
    shift 2
    mkdir "$hung"
    # shellcheck disable=SC2086
    env $signals LD_PRELOAD="$MASS_FAULT_SHIM" MASS_FAULT_FOLDER="$hung" MASS_FAULT_PROCESS="rank $rank" \
        MASS_FAULT_COUNTS="$hung.counts" MASS_FAULT="pwrite 2 0 $how" "$command" --device cpu life --size 256x256 \
        --steps 100000000 --seed 3 --checkpoint "$hung/run" --ranks 3 --comm-timeout 3 "$@" \
        >"$hung.out" 2>"$hung.err" &
}
# hangs COUNTS: that call was made. Of each kind there are its name, in 32 bytes, its calls, and how many were chosen.
hangs() { [ -s "$1" ] && [ "$(od -An -tu8 -j $((2 * 48 + 40)) -N 8 "$1" | tr -d ' ')" = 1 ]; }

# disk: the line names the rank whose disk hangs, and the file. One signal ends the run, whatever the kernel calls that
# state. The signal may come while ranks wait for the disk, or before: the last two runs write nothing until it comes.
disk()
{
    local hung i
    local -a often=(--checkpoint-every 50) mains=()
    local -a said=('rank 0, which waits for a disk, to write its part of .*/ckpt-000000000050.h5' \
        'rank 1 to write its part of .*/ckpt-000000000050.h5' 'rank 0 to write .*/run/ckpt-000000000050.h5' \
        'rank 0 to write .*/run/series.h5' 'rank 0, which waits for a disk, to write its part of .*/ckpt-[0-9]*.h5' \
        'rank 0 to write .*/run/ckpt-[0-9]*.h5')
    hung=$scratch/hung-0 && starts_to_hang 0 hang "${often[@]}" --checkpoint-parts && mains+=($!)
    hung=$scratch/hung-1 && starts_to_hang 1 doze "${often[@]}" --checkpoint-parts && mains+=($!)
    hung=$scratch/hung-2 && starts_to_hang 0 hang "${often[@]}" && mains+=($!) # in the thread that writes
    hung=$scratch/hung-3 && starts_to_hang 0 doze "${often[@]}" --log births && mains+=($!)
    hung=$scratch/hung-4 && starts_to_hang 0 hang --checkpoint-parts && mains+=($!)
    hung=$scratch/hung-5 && starts_to_hang 0 doze && mains+=($!)
    for i in 0 1 2 3; do becomes hangs "$scratch/hung-$i.counts" || fail "nothing hangs:"; done
    sleep 3 # until rank 0 waits for its thread, at the next checkpoint
    for i in 0 1 2 3 4 5; do kill -TERM "${mains[$i]}"; done
    for i in 0 1 2 3 4 5; do
        wait "${mains[$i]}"
        [ $? -eq 1 ] || fail "a disk that hangs: the status is another:"
        # On a busy host a step may take a second.
        grep -v ': waiting for life in step ' "$scratch/hung-$i.err" >"$scratch/err"
        says_one "^mass-engine: rank [0-2] on [^ ]*: interrupted, after it had waited [0-9]* s for ${said[$i]}; a run "
    done
}

# stopped_in_its_part PROCESS: rank 0 is that process, and is stopped while it writes its part.
stopped_in_its_part()
{
    if ! ls "$scratch"/run/.part-000000000000.* >/dev/null 2>&1; then return 1; fi
    kill -STOP "$1"
    if ls "$scratch"/run/.part-000000000000.* >/dev/null 2>&1; then return 0; fi
    kill -CONT "$1"
    return 1
}

# Waiting for parts has no limit, and one signal ends it where the other rank is stopped.
hang_in_parts()
{
    begin 2 'ckpt-*.h5' --size 8000x8000 --checkpoint-parts --checkpoint-every 1 --comm-timeout 60
    becomes stopped_in_its_part "${ranks[0]}" || fail "rank 0 is not stopped in its part:"
    sleep 1
    kill -TERM "$main"
    gone "a signal while parts are waited for"
    says_one '^mass-engine: rank 1 on .*: interrupted, after .* rank 0, which is stopped .* its part of .*/ckpt-[0-9]*'
}

# has_taken_signals PROCESS: none waits for it.
has_taken_signals() { grep -q '^ShdPnd:[^0-9]*0*$' "/proc/$1/status"; }

# early: a signal while the ranks start ends them all as soon as they have started. A signal while the program is loaded
# ends it at once.
early()
{
    local i status waits waits_quietly strangers taken limit='\(--comm-timeout\)'
    launch_none
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_orte_execute_quiet=1 \
        OMPI_MCA_rmaps_base_oversubscribe=1 timeout 60 mpirun -n 1 "$command" life --comm-timeout 1 : -n 1 sleep 50 \
        2>"$scratch/strange" </dev/null &
    strangers=$!
    for ((i = 1; i <= 28; i += 3)); do
        "$command" --device cpu life --size 64 --steps 100000000 --ranks 2 >"$scratch/out" 2>"$scratch/err" &
        main=$!
        sleep "0.$(printf '%02d' "$i")"
        taken=no # as long as it is being loaded, either signal kills
        if takes_signals "$main"; then taken=yes; fi
        kill -USR1 "$main"
        kill -TERM "$main"
        wait "$main"
        status=$?
        [ $status -eq 130 ] || { [ $taken = no ] && [ $status -gt 130 ]; } || fail "after $i/100 s: status $status:"
    done
    no_ranks
    wait $waits
    [ $? -eq 1 ] || fail "a launcher that starts no ranks: the status is another:"
    mv "$scratch/waited" "$scratch/err"
    [ "$(wc -l <"$scratch/err")" -eq 2 ] || fail "that ranks take long to start is not said once:"
    grep -qE "^mass-engine: after 1[0-9] s, 2 ranks are still being started on 1 core, 2 for each: .*$limit\$" \
        "$scratch/err" || fail "that ranks take long to start, and why, is not said:"
    grep -qE "^mass-engine: the ranks did not find each other within 20 s $limit\$" "$scratch/err" ||
        fail "that there are no ranks is not said:"
    wait $waits_quietly
    mv "$scratch/waited-quietly" "$scratch/err"
    says_one "^mass-engine: the ranks did not find each other within 20 s $limit\$"
    wait $strangers
    status=$? # 137: mpirun was slow, and was killed
    [ $status -eq 1 ] || [ $status -eq 137 ] || fail "a rank that is another program: the status is $status:"
    grep . "$scratch/strange" >"$scratch/err"
    says_one '^mass-engine: rank 0 on [^ ]* has not found the other ranks within 20 s \(--comm-timeout\): '
}

# A launcher that starts no ranks is not waited for for ever, and less long once an end is asked for. One core, the
# first that there is, is shared by two ranks.
launch_none()
{
    local PATH=$scratch/launcher:$PATH core
    core=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
    mkdir "$scratch/launcher"
    printf '#!/bin/sh\nexec sleep 100\n' >"$scratch/launcher/mpirun"
    chmod +x "$scratch/launcher/mpirun"
    taskset -c "$core" "$command" life --ranks 2 --comm-timeout 1 2>"$scratch/waited" &
    waits=$!
    "$command" life --ranks 2 --comm-timeout 1 --quiet 2>"$scratch/waited-quietly" &
    waits_quietly=$!
}
has_launcher() { pgrep -x -P "$main" sleep >/dev/null; } # what it becomes, and no child that the engine asks before
no_ranks()
{
    local PATH=$scratch/launcher:$PATH
    env $signals "$command" life --ranks 2 >"$scratch/out" 2>"$scratch/err" &
    main=$!
    becomes has_launcher || fail "no launcher was started:"
    kill -TERM "$main"
    SECONDS=0
    wait "$main"
    [ $? -eq 130 ] || fail "SIGTERM before there are ranks: the status is another:"
    [ $SECONDS -lt 20 ] || fail "SIGTERM before there are ranks takes $SECONDS s:"
    says_one '^mass-engine: interrupted before the ranks had found each other: nothing was written$'
    printf '#!/bin/sh\nsleep 0.1 &\nexec sleep 100\n' >"$scratch/launcher/mpirun" # which does not wait for that
    SECONDS=0
    refused 1 '^mass-engine: a rank on [^ ]* ended without a message before the ranks had found each other, ' life \
        --ranks 2
    [ $SECONDS -lt 10 ] || fail "that its ranks have ended takes $SECONDS s:"
    printf '#!/bin/sh\nexit 213\n' >"$scratch/launcher/mpirun"
    refused 1 '^mass-engine: mpirun ended with status 213 before the ranks had found each other: check that .* runs' \
        life --ranks 2
}

# asks_for_checkpoint PROCESS: SIGUSR1 has one written, and the run goes on.
asks_for_checkpoint()
{
    kill -USR1 "$1"
    becomes compgen -G "$scratch/run/ckpt-*.h5" >/dev/null || fail "SIGUSR1 to $1 writes no checkpoint:"
    kill -0 "$main" || fail "SIGUSR1 to $1 ends the run:"
}

# asked: what a signal asks for is done, whoever gets it: the launcher or any rank.
asked()
{
    local who signal
    for who in main 'ranks[2]'; do
        begin 3 .
        asks_for_checkpoint "${!who}" # main and ranks are known by now
        kill -INT "$main"
        wait "$main"
        goes_on 2
    done
    for signal in TERM INT; do
        begin 3 $written
        kill -$signal "${ranks[2]}"
        wait "$main"
        [ $? -eq 130 ] || fail "SIG$signal to a rank: the status is another:"
        grep -q '^mass-engine: stopped at step .* --ranks 3$' "$scratch/err" || fail "SIG$signal to a rank:"
        goes_on 2
    done
    rm -rf "$scratch/run"
    "$command" --device cpu --plugin "$MASS_BAD_PLUGINS/leave-on-rank.so" --seed 1 --steps 60 --ranks 2 \
        --checkpoint "$scratch/run" >"$scratch/out" 2>"$scratch/err" &
    main=$!
    until takes_signals "$main"; do :; done
    while kill -USR1 "$main" 2>"$scratch/none"; do sleep 0.005; done
    wait "$main"
    [ $? -eq 3 ] || fail "SIGUSR1 to a run that fails: the status is another:"
    says_one '^mass-engine: rank 1 on .* ended the program in grow, step 30'
    late
}

# late: what is passed on to a launcher whose ranks have ended already ends it, and is no failure of the run.
late()
{
    local signal
    mkdir "$scratch/late"
    for signal in USR1 USR2; do
        printf '#!/bin/bash\n"%s" "$@"\nkill -%s $$\n' "$(command -v mpirun)" $signal >"$scratch/late/mpirun"
        chmod +x "$scratch/late/mpirun"
        PATH=$scratch/late:$PATH run life --size 64 --steps 8 --seed 1 --ranks 2 --json --quiet ||
            fail "SIG$signal after the end: status $?:"
        grep -q '"state_hash"' "$scratch/out" || fail "SIG$signal after the end: there is no result:"
        [ ! -s "$scratch/err" ] || fail "SIG$signal after the end: it says something:"
    done
}

# plans: the plan of a run of several ranks is printed once, by rank 0, and is that of its part; and so is what needs no
# ranks.
plans()
{
    local option
    run --explain life --size 64x48 --ranks 3 || fail "--explain of three ranks: status $?:"
    [ ! -s "$scratch/err" ] || fail "--explain of three ranks is not silent:"
    grep -q '^life on cpu, grid 64x48, 1 world, 1 partition: rank 0 of 3$' "$scratch/out" || fail "--explain, head:"
    [ "$(grep -c '^    exchange  grid.health ' "$scratch/out")" -eq 1 ] || fail "--explain: not one exchange:"
    # Ghosts are as thick as it takes for several steps at once, and what is sent of them as is needed.
    run --explain life --size 64x4800 --ranks 2 || fail "--explain of thick ghosts: status $?:"
    grep -q '^    exchange  grid.health  * 96 B .* between ranks, 1 deep$' "$scratch/out" ||
        fail "--explain: not what one step exchanges:"
    run --explain life --size 64x4800 --ranks 2 --fuse 4 || fail "--explain of several steps at once: status $?:"
    grep -q '^    exchange  grid.health  * 3.0 KiB .* between ranks, 32 deep, once in 32 steps$' "$scratch/out" ||
        fail "--explain: not what several steps exchange:"
    run --explain life --size 64x48 --worlds 4 --ranks 2 --json || fail "--explain of worlds: status $?:"
    grep -q '"ranks": 2' "$scratch/out" || fail "--explain --json says of no ranks:"
    ! grep -q '"exchange"' "$scratch/out" || fail "--explain: worlds exchange something:"
    run --explain sugarscape --size 60x30 --set ants=300 --ranks 2 || fail "--explain of agents: status $?:"
    grep -q ', 300 ants, .*: rank 0 of 2$' "$scratch/out" || fail "--explain: not all agents:"
    refused 2 '^mass-engine: 7 ranks .*rows, of which there are 4$' --explain life --ranks 7 --size 4x4
    unstarted
    refused 5 '^mass-engine: ' --explain life --device cuda:0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --ranks 16
    run life --size 64x4800 --steps 5 --profile --ranks 2 || fail "--profile: status $?:"
    [ "$(grep -c '^  profile of rank 0 of 2: ' "$scratch/err")" -eq 1 ] || fail "--profile does not say whose it is:"
    grep -q '^  exchange  grid.health  *5 .* 480 B ' "$scratch/err" || fail "--profile has no exchange of one layer:"
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    for option in "--explain life --device cpu" "--info life" --version --list --help; do
        # shellcheck disable=SC2086 # a list of words
        timeout 60 mpirun -q -n 2 "$command" $option >"$scratch/out" 2>"$scratch/err" ||
            fail "mpirun, $option: status $?:"
        # shellcheck disable=SC2086
        [ "$option" = "--explain life --device cpu" ] || "$command" $option | cmp -s - "$scratch/out" ||
            fail "mpirun, $option: not what one process prints:"
    done
}

# unstarted: ranks that cannot cut the space are refused before any is started, and others are started.
unstarted()
{
    local rows='rows, of which there are' given=(--explain life) ended='^mass-engine: mpirun ended with status 9 '
    mkdir "$scratch/unstarted"
    printf '#!/bin/sh\ntouch "%s"\nexit 9\n' "$scratch/started" >"$scratch/unstarted/mpirun"
    chmod +x "$scratch/unstarted/mpirun"
    printf 'density\n0.1\n0.2\n' >"$scratch/sweep.csv"
    export PATH=$scratch/unstarted:$PATH
    refused 2 "^mass-engine: 513 ranks .*$rows 512\$" life --ranks 513
    refused 2 "^mass-engine: 3 ranks .*$rows 4\$" "${given[@]}" --ranks 3 --partitions 2 --size 4x4 --worlds 2
    refused 2 "^mass-engine: 5 ranks .*$rows 4\$" "${given[@]}" --ranks 5 --size 4x4 --sweep "$scratch/sweep.csv"
    [ ! -e "$scratch/started" ] || fail "ranks that cannot cut the space were started:"
    refused 1 "$ended" "${given[@]}" --ranks 2 --size 4x2 --sweep "$scratch/sweep.csv"
    refused 1 "$ended" "${given[@]}" --ranks 5 --size 4x4 --worlds 5
    [ -e "$scratch/started" ] || fail "ranks that can cut the space were not started:"
    PATH=${PATH#*:}
}

# plugins: a fault in one rank's plugin ends all ranks, with one line. The line is of that rank, or of one that waited
# for it in vain. The run resumes on other ranks.
plugins()
{
    local fault status words one
    one=$(state_of --plugin "$MASS_BAD_PLUGINS/crash-on-rank.so" --size 16x48 --steps 100 --seed 1)
    while read -r -u 3 fault status words; do # mpirun reads standard input
        rm -rf "$scratch/run"
        run --plugin "$MASS_BAD_PLUGINS/$fault-on-rank.so" --size 16x48 --steps 100 --seed 1 --ranks 3 \
            --comm-timeout 4 --checkpoint "$scratch/run" --checkpoint-every 10
        [ $? -eq "$status" ] || fail "$fault on a rank: the status is another:"
        says_one "^mass-engine: $words"
        run --plugin "$MASS_BAD_PLUGINS/crash-on-rank.so" --resume "$scratch/run" || fail "$fault on a rank is final:"
        [ "$(state)" = "$one" ] || fail "$fault on a rank: it goes on to another state:"
    done 3<<'FAULTS'
crash 139 rank 1 on [^ ]*: fault crashed with .*SIGSEGV.* in grow, step 30
leave 3 rank 1 on [^ ]*: fault ended the program in grow, step 30
hang 1 rank 0 on [^ ]*: waited 4 s .*--comm-timeout
FAULTS
}

# crowded ROOM RANKS NEEDED: so many ranks are refused in a /dev/shm with so much room, as they need so many MiB.
crowded()
{
    MASS_ENGINE=$command unshare -m bash -c 'mount -t tmpfs -o size=$0 none /dev/shm &&
        exec timeout 60 "$MASS_ENGINE" life --size 64 --steps 9 --ranks $1' "$1" "$2" >"$scratch/out" 2>"$scratch/err"
    [ $? -eq 1 ] || fail "with $1 of shared memory, the status of $2 ranks is another:"
    says_one "^mass-engine: no ranks can be started: .* /dev/shm, which has .* free and needs $3 MiB: make room there\$"
}

# lacks: a rank that finds no memory, or a full disk, says so and ends all.
lacks()
{
    local i said=0
    export MASS_FAULT_FOLDER="$scratch/run"
    for i in 1 2 3 4 7 60; do
        LD_PRELOAD=$MASS_FAULT_SHIM MASS_FAULT_PROCESS="rank 1" MASS_FAULT="malloc $i 12 on" run life --size 64x48 \
            --steps 60 --seed 5 --ranks 2
        [ $? -eq $((i == 1 ? 1 : 5)) ] || fail "without memory from call $i on, the status is another:"
        says_one '^mass-engine: rank 1 on [^ ]*: .* the machine (has|does not have) free'
        grep -q ': what rank 0 tells needs' "$scratch/err" && said=1
    done
    [ $said -eq 1 ] || fail "no rank found no memory for what it is told:"
    LD_PRELOAD=$MASS_FAULT_SHIM MASS_FAULT_PROCESS="rank 0" MASS_FAULT="pwrite 20 28 on" run life --size 256x256 \
        --seed 3 --steps 90 --ranks 3 --checkpoint "$scratch/run" --checkpoint-every 30
    [ $? -eq 1 ] || fail "on a full disk, the status is another:"
    tail -1 "$scratch/err" | grep -q '^mass-engine: rank 0 on [^ ]*: .*No space left on device$' ||
        fail "a full disk is not what the last line names:"
    goes_on 2
    unshare -m true 2>"$scratch/none" || return
    crowded 1m 2 5.3
    crowded 5m 16 13.0
}

# What --ranks puts into the environment of ranks is believed of a process that started them, and of its memory only.
told()
{
    local other name process file
    echo before >"$scratch/precious"
    exec 7>>"$scratch/precious"
    sleep 60 & other=$!
    while read -r name process file; do
        OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_RANK=0 MASS_STARTED_BY=$process \
            MASS_RESULTS=$file run life --size 8 --steps 1 --json
        [ $? -eq 2 ] || fail "$name: the status is another:"
        says_one "^mass-engine: MASS_.* --ranks"
        [ "$(cat "$scratch/precious")" = before ] || fail "$name: a file was written:"
    done <<TOLD
path $$ $scratch/precious
file $$ /proc/$$/fd/7
way $$ /proc/$$/fd/../fd/7
none $$ /proc/$$/fd/99
nothing $$
stranger $other /proc/$other/fd/1
init 1 /proc/1/fd/1
words all /proc/all/fd/1
zero 0$$ /proc/0$$/fd/7
TOLD
    kill $other
    for name in "" "--ranks 2"; do # neither is a rank, and --ranks sets them itself
        # shellcheck disable=SC2086 # a list of words
        MASS_STARTED_BY=$$ MASS_RESULTS="$scratch/precious" run life --size 8 --steps 1 --json $name ||
            fail "$name: what is not for it ends it:"
        grep -q '"state_hash"' "$scratch/out" || fail "$name: the result is missing:"
    done
    [ "$(cat "$scratch/precious")" = before ] || fail "a file was written:"
}

# gone_now: all processes have ended before mass-engine did.
gone_now()
{
    local id
    for id in "$launcher" "${ranks[@]}"; do
        if grep -q '^State:.[^ZX]' "/proc/$id/status" 2>/dev/null; then fail "$1: $id stays behind:"; fi
    done
}

"$part"
[ "$failures" -eq 0 ]
