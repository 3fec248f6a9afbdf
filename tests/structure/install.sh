#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests that an installation works at its place, package by package: install.sh SOURCE BUILD
set -eu
source=$1 build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export CC=gcc

fail() { echo "$*" >&2; [ ! -s "$scratch/log" ] || tail -40 "$scratch/log" >&2; exit 1; }
quietly() { "$@" >"$scratch/log" 2>&1 || fail "'$*' failed with status $?:"; }
files() { (cd "$1" && find . -type f | sort); }

components="mass-engine mass-engine-cuda mass-engine-mpi mass-engine-view mass-sdk python3-mass"

# Every file is in one package, and the engine and the SDK do not need each other.
quietly cmake --install "$build" --prefix "$scratch/all"
for component in $components; do
    quietly cmake --install "$build" --prefix "$scratch/$component" --component $component
done
mkdir -p "$scratch/mass-engine-cuda" "$scratch/mass-engine-mpi" "$scratch/mass-engine-view"
for component in $components; do files "$scratch/$component"; done | sort |
    diff -u - <(files "$scratch/all") >&2 || fail "the packages together are not what is installed"

# The documents have no links to files that are not installed. Uninstalling removes everything but other people's files,
# also what Python has compiled.
python3 "$source/tests/structure/links.py" "$scratch/mass-engine/share/doc/mass-engine" ||
    fail "installed documents have dead links"
echo mine >"$scratch/all/share/mass/mine"
find "$scratch/all" -type f -o -type l >"$scratch/manifest"
sed -i '\|/share/mass/mine$|d' "$scratch/manifest"
quietly python3 -m compileall -q "$scratch/all/lib/python3/dist-packages/mass"
[ -n "$(find "$scratch/all" -name '*.pyc')" ] || fail "Python compiles nothing of the module"
quietly cmake -D "MANIFEST=$scratch/manifest" -P "$source/tools/uninstall.cmake"
[ "$(files "$scratch/all")" = ./share/mass/mine ] || fail "uninstalling leaves $(files "$scratch/all")"
[ ! -e "$scratch/all/lib/mass" ] && [ -d "$scratch/all/bin" ] || fail "uninstalling leaves wrong folders"
left=$(cd "$scratch/all" && find . -type d -name '*mass*')
[ "$left" = ./share/mass ] || fail "uninstalling leaves the folders $left"
if cmake -D "MANIFEST=$scratch/manifest-of-nothing" -P "$source/tools/uninstall.cmake" >"$scratch/log" 2>&1; then
    fail "it uninstalls without a list of what is installed"
fi

# state PLUGIN OPTION...: prints the state hash of a run, by the installed engine only.
state()
{
    (cd / && env -i HOME="$scratch" PATH="$scratch/mass-engine/bin" LC_ALL=C OMP_WAIT_POLICY=passive \
        "$scratch/mass-engine/bin/mass-engine" --plugin "$@" --seed 1 --device cpu) >"$scratch/log" 2>&1 ||
        fail "$1 does not run where it was installed:"
    sed -n 's/^  state //p' "$scratch/log"
}
for model in "$scratch"/mass-engine/lib/mass/plugins/*.so; do
    name=$(basename "$model" .so) input=()
    if [ "$name" = histogram ]; then input=(--set "input=$scratch/mass-engine/share/mass/data/acorn.rle"); fi
    [ -n "$(state "$name" "${input[@]}" --steps 1)" ] || fail "$name prints no state"
done
[ -e "$scratch/mass-engine/lib/mass/plugins/life.so" ] || fail "no models are installed"

# The template is the same model when CMake builds it and when pkg-config is used without CMake.
cp -r "$scratch/mass-sdk/share/mass/template" "$scratch/majority"
quietly cmake -S "$scratch/majority" -B "$scratch/majority/build" "-DCMAKE_PREFIX_PATH=$scratch/mass-sdk" \
    -DMASS_CUDA=OFF
quietly cmake --build "$scratch/majority/build"
export PKG_CONFIG_PATH=$scratch/mass-sdk/share/pkgconfig
flags=$(pkg-config --cflags --libs mass) || fail "pkg-config does not know the SDK"
# shellcheck disable=SC2086 # a list of words
quietly gcc -O2 -fPIC -shared -o "$scratch/majority/majority.so" "$scratch"/majority/*.c $flags
[ "$(state "$scratch/majority/majority.so" --size 64x64 --steps 20)" = \
    "$(state "$scratch/majority/build/majority.so" --size 64x64 --steps 20)" ] ||
    fail "the template is another model when pkg-config builds it"

# Programs with the library, and Python, find the engine where it was installed.
mkdir "$scratch/together"
for component in mass-engine mass-sdk python3-mass; do cp -a "$scratch/$component/." "$scratch/together"; done
flags=$(PKG_CONFIG_PATH=$scratch/together/share/pkgconfig pkg-config --cflags --libs libmass) ||
    fail "pkg-config does not know the library"
# shellcheck disable=SC2086 # a list of words
quietly gcc -std=c17 -Wall -Wextra -Werror -o "$scratch/ants" "$source/docs/examples/engine/ants.c" $flags
libraries=$(PKG_CONFIG_PATH=$scratch/together/share/pkgconfig pkg-config --variable=libdir libmass)
quietly env -i HOME="$scratch" LD_LIBRARY_PATH="$libraries" "$scratch/ants"
for python in python3 /usr/bin/python3; do
    $python -c 'import numpy' 2>"$scratch/log" || continue
    (cd / && env -i HOME="$scratch" PATH="$PATH" PYTHONPATH="$scratch/together/lib/python3/dist-packages" \
        $python -B -c 'import mass; print(mass.Model("life", size=32, seed=1))') >"$scratch/log" 2>&1 ||
        fail "the Python module does not work where it was installed:"
    break
done

[ "$(pkg-config --modversion mass)" = "$(sed -n 's/^version: //p' "$source/CITATION.cff")" ] ||
    fail "CITATION.cff has another version"
