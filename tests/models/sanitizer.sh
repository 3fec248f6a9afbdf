#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs on a GPU make no call that fails and no mistake with memory, as compute-sanitizer sees them:
#   sanitizer.sh ENGINE PLUGINS some                       some models, by memcheck
#   sanitizer.sh ENGINE PLUGINS all TEST_PLUGINS BENCH     what runs go by, by memcheck and racecheck
engine=$1 plugins=$2
command -v compute-sanitizer >/dev/null || { echo "Skipped: there is no compute-sanitizer"; exit 77; }
"$engine" --plugin "$plugins/life.so" --size 16x16 --steps 1 --seed 1 --device cuda --quiet >/dev/null 2>&1
[ $? -ne 5 ] || { echo "Skipped: there is no GPU"; exit 77; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# check TOOL OPTION...: of a run
check() {
    local tool=$1
    shift
    compute-sanitizer --tool "$tool" --target-processes all --error-exitcode 9 \
        "$engine" --seed 1 --device cuda --quiet --plugin "$@" >"$log" 2>&1 && return
    echo "$tool of $*:" && tail -40 "$log"
    exit 1
}

if [ "$3" = some ]; then # with MASS_WORLD_STEPS and without
    check memcheck "$plugins/minesweeper.so" --size 16x16 --steps 12
    check memcheck "$plugins/life.so" --size 16x16 --steps 12
    exit
fi
cells=$4/cells.so stencils=$5/stencils.so tallies=$5/tallies.so
for tool in memcheck racecheck; do
    for fuse in 1 8; do # by counts, with tallies too, around a torus and beyond bounded edges
        check $tool "$cells" --size 165x67 --steps 40 --fuse $fuse --set torus=$((fuse % 8))
        check $tool "$plugins/life.so" --size 130x70 --steps 40 --fuse $fuse --until 'population < 0'
    done
    check $tool "$cells" --size 165x67 --steps 20 --set rule=table # by a table that the driver compiles
    check $tool "$cells" --size 165x67 --steps 20 --set rule=two
    check $tool "$plugins/life.so" --size 130x70 --steps 12 --no-bits
    for fuse in 1 4; do # by places
        check $tool "$stencils" --size 165x67 --steps 20 --fuse $fuse
        check $tool "$stencils" --set shape=star3d1r --size 33x34x35 --steps 8 --fuse $((fuse > 1 ? 2 : 1))
        check $tool "$tallies" --set of=bytes --size 165x67 --steps 20 --fuse $fuse --until 'population < 0'
    done
    check $tool "$plugins/sugarscape.so" --size 65x65 --steps 12
    check $tool "$plugins/minesweeper.so" --size 33x33 --steps 40
    check $tool "$plugins/minesweeper.so" --size 33x33 --steps 12 --worlds 3 --no-block --no-graph
    check $tool "$plugins/vector.so" --size 64x64 --steps 4
    check $tool "$plugins/wolf-sheep.so" --size 33x33 --steps 12
    check $tool "$plugins/schelling.so" --size 33x33 --steps 12
    check $tool "$plugins/el-farol.so" --set people=2000 --steps 12
    for to in anybody place; do
        check $tool "$plugins/boltzmann.so" --size 33x33 --steps 12 --set people=2000 --set to=$to
    done
done
