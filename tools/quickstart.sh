#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Goes from a fresh clone on Debian 12 or Ubuntu 24.04 to a run of Life. It installs missing packages, builds, and
# writes a checkpoint and a picture to build/quickstart. Running it again does no harm.
set -eu
cd "$(dirname "$0")/.."
. tools/packages.sh

has_nvcc() { command -v nvcc || [ -x "${CUDA_PATH:-/usr/local/cuda}/bin/nvcc" ]; }
has_gpu() { compgen -G '/dev/nvidia[0-9]*' || nvidia-smi -L | grep '^GPU '; }

# shellcheck disable=SC2086 # a list of words
need_packages $mass_build_packages

# An existing build folder keeps its options, so the builds of tests are not lost.
options=()
if [ ! -e build/release/CMakeCache.txt ]; then
    if command -v ninja >/dev/null; then options+=(-G Ninja); fi
    options+=(-DMASS_TESTS=OFF -DMASS_CUDA=OFF)
fi
pkg-config --exists criterion || options+=(-DMASS_TESTS=OFF)
if has_nvcc >/dev/null && has_gpu >/dev/null 2>&1; then
    options+=(-DMASS_CUDA=AUTO)
    echo "Building with CUDA, which takes some minutes"
fi
mkdir -p build
cmake --preset release "${options[@]}" >build/quickstart.log ||
    { echo "cmake could not configure the build; build/quickstart.log has its whole report" >&2; exit 1; }
cmake --build --preset release --parallel "$(nproc)"

out=build/quickstart
mkdir -p $out # its own, where what another build left is replaced
build/release/bin/mass-engine life --set pattern=data/gosper-gun.rle --set edge=dead \
    --size 128x128 --steps 350 --seed 1 --checkpoint $out --image $out/life.png --movie $out/life.gif \
    --movie-every 2 --force

cat <<END

Gosper's glider gun has run for 350 steps. It made
  $out/ckpt-000000000350.h5   the whole state, from which a run goes on
  $out/life.png               a picture of it
  $out/life.gif               how it came to that

Try next
  build/release/bin/mass-engine --resume $out --steps 800
  build/release/bin/mass-engine life --image $out/soup.png
  build/release/bin/mass-engine heat --image $out/heat.png
  build/release/bin/mass-engine --info life
  build/release/bin/mass-engine --help
and to have mass-engine on your PATH
  cmake --install build/release --prefix ~/.local
README.md explains such a run, docs/plugin-guide.md how to write a model of your own.
END
