#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests that a new relation needs changes in the three places that docs/architecture.md names: rows in the engine, a
# number in the SDK, a word in the lists. A patch adds one to a copy of the engine. A model uses it on every device, on
# partitions and on two ranks, with one state.
#
# Usage: relation.sh SOURCE [CMAKE_OPTION...]
set -eu
source=$1 here=$(dirname "$(realpath "$0")")
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
log=$scratch/log
fail() { echo "$*" >&2; [ ! -e "$log" ] || tail -30 "$log" >&2; exit 1; }

spots=$(grep '^diff ' "$here/ground.patch" | sed 's/.* b//; s,^/,,' | tr '\n' ' ')
for spot in $spots; do
    name=$(echo "$spot" | sed 's,^engine/,,; s,^sdk/include/,,')
    grep -q "$name" "$source/docs/architecture.md" || fail "docs/architecture.md does not name $name"
done
[ "$(echo $spots | wc -w)" = 3 ] || fail "a new relation takes other spots than three: $spots"

mkdir "$scratch/tree" "$scratch/ground"
for part in CMakeLists.txt cmake engine kernels sdk plugins tools data LICENSE README.md; do
    [ ! -e "$source/$part" ] || cp -r "$source/$part" "$scratch/tree"
done
(cd "$scratch/tree" && git apply -C1 "$here/ground.patch") >"$log" 2>&1 || fail "ground.patch does not fit the tree"
cp "$here/ground.c" "$scratch/ground"
printf 'cmake_minimum_required(VERSION 3.25)\nproject(ground LANGUAGES C)\nfind_package(mass REQUIRED)\n%s\n' \
    'mass_add_plugin(ground MODEL ground.c)' >"$scratch/ground/CMakeLists.txt"

cmake -S "$scratch/tree" -B "$scratch/build" -G Ninja -DMASS_TESTS=OFF "$@" >"$log" 2>&1 || fail "cmake fails"
targets=$(ninja -C "$scratch/build" -t targets all | grep -oE '^(mass-engine|mpi|cuda): ' | tr -d ':')
ninja -C "$scratch/build" -j 2 $targets >"$log" 2>&1 || fail "the engine is not built"
cmake -S "$scratch/ground" -B "$scratch/ground/build" -G Ninja -Dmass_DIR="$scratch/tree/sdk/cmake" "$@" >"$log" 2>&1 &&
    ninja -C "$scratch/ground/build" >"$log" 2>&1 || fail "the model is not built"
plugin=$(find "$scratch/ground/build" -name ground.so)

# run OPTION...: prints the state of a run, and checks that nothing differs
run()
{
    "$scratch/build/bin/mass-engine" --plugin "$plugin" --steps 40 --seed 3 --json "$@" >"$log" 2>&1 || return $?
    tr -d ' \n' <"$log" | grep -q '"differ":0[,}]' || fail "agents read another place than their own: $*"
    grep -o '"state_hash": *"[0-9a-f]*"' "$log"
}
for size in 24x18 31 7x9x8; do
    expected=$(run --size $size --threads 1) || fail "the run fails: --size $size"
    for way in "--threads 2 --partitions 3" "--device paranoid" "--device cpu --ranks 2"; do
        state=$(run --size $size $way) || fail "the run fails: --size $size $way"
        [ "$state" = "$expected" ] || fail "--size $size $way comes to another state"
    done
    status=0
    state=$(run --size $size --device cuda) || status=$?
    [ $status = 0 ] || [ $status = 5 ] || fail "the run fails: --size $size --device cuda" # 5: there is no GPU
    [ $status = 5 ] || [ "$state" = "$expected" ] || fail "--size $size --device cuda comes to another state"
done
