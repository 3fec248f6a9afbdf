#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A population that doubles every step in little memory: right at every step, and in the end a checkpoint of the
# last complete step, one line and exit status 5. On a GPU, where a program is named that takes most of its memory;
# 77: there is none. Usage: doubling.sh <mass-engine> <plugin> [<hold-memory>]
set -u
command=$1 plugin=$2 holder=${3-}
device="--device cpu --threads 2"
[ -z "$holder" ] || device="--device cuda"
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
complain() { echo "$*" >&2; exit 1; }
run() { "$command" --plugin "$plugin" $device --seed 1 --json --quiet "$@"; }
number() { tr -d ' \n' <"$1" | sed -n "s/.*\"$2\":\([0-9]*\)[,}].*/\1/p"; }
hash_of() { sed -n 's/.*"state_hash": "\(.*\)".*/\1/p' "$1"; }

if [ -n "$holder" ]; then
    "$holder" 100000000 </dev/null >held
    [ $? -ne 77 ] || { echo "Skipped: there is no usable GPU"; exit 77; }
fi

for steps in 0 1 2 3 7 12; do
    run --steps $steps >out.json || complain "$steps steps failed"
    [ "$(number out.json alive)" = $((1 << steps)) ] || complain "step $steps: $(number out.json alive) are alive"
    [ "$(number out.json born)" = $(((1 << steps) - 1)) ] || complain "step $steps: $(number out.json born) were born"
done

# Little memory: an address space, or what is left of the GPU's.
run_short()
{
    if [ -z "$holder" ]; then
        (ulimit -v 600000; run "$@")
        return
    fi
    coproc HOLD { "$holder" 3000; }
    local hold=$HOLD_PID said status
    read -r said <&"${HOLD[0]}"
    [ "$said" = held ] || complain "the memory of the GPU cannot be held"
    run "$@"
    status=$?
    kill "$hold"
    wait "$hold"
    return $status
}
run_short --steps 100 --checkpoint ck >out.json 2>err
[ $? -eq 5 ] || complain "it ended otherwise: $(cat err)"
[ "$(wc -l <err)" = 1 ] && grep -q 'population cells' err || complain "it said: $(cat err)"
steps=$(number out.json steps)
[ "$steps" -gt 12 ] && [ "$steps" -lt 40 ] || complain "it came to step $steps"
[ "$(number out.json alive)" = $((1 << steps)) ] || complain "at its end $(number out.json alive) were alive"
last=$(hash_of out.json)
run --steps "$steps" >straight.json || complain "the same steps failed in more memory"
[ "$(hash_of straight.json)" = "$last" ] || complain "it ended in another state"
"$command" --resume ck --plugin "$plugin" --steps "$steps" --json --quiet >resumed.json || complain "it does not resume"
[ "$(hash_of resumed.json)" = "$last" ] || complain "its checkpoint holds another state"
