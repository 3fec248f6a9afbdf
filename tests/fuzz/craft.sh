#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes the crafted HDF5 files in tests/fuzz/corpus anew, after those of tests/command/crafting changed:
# tests/fuzz/craft.sh CRAFT-FILES MASS-ENGINE PLUGINS. Takes python3 with h5py.
set -eu
craft=$1 engine=$2 plugins=$3
corpus=$(dirname "$0")/corpus
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$engine" --plugin "$plugins/life.so" --size 8x6 --seed 1 --steps 3 --log population --checkpoint "$work" --quiet
python3 - "$work" <<'END'
import sys, h5py, numpy
with h5py.File(sys.argv[1] + "/numbers.h5", "w", libver="v110") as f:
    f.create_dataset("/g/health", data=numpy.zeros((3, 4), "u1"))
with h5py.File(sys.argv[1] + "/folk.h5", "w", libver="v110") as f:
    f.create_dataset("/x", data=numpy.array([1, 2], "i4"))
    f.create_dataset("/y", data=numpy.array([2, 1], "i4"))
END
# make KIND WHOLE GROUP SET [START]
make()
{
    mkdir -p "$work/$1"
    "$craft" "$work/$2" "$3" "$4" "$work/$1" "${5-}"
    for file in "$work/$1"/*; do cp "$file" "$corpus/$1/crafted-${file##*/}"; done
}
make checkpoint ckpt-000000000003.h5 /places/grid /places/grid/health
make series series.h5 /series /series/population
make table_hdf5 folk.h5 / /x
make numbers_hdf5 numbers.h5 /g /g/health '/g/health
'
