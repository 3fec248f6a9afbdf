#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tools/test.sh builds everything and runs all tests.
#
# tools/test.sh --long runs only the tests that take long: every call that can fail, every state after a loss of power,
# and all cases of tests that usually run a sample. It prints how many there were of each.
#
# tools/test.sh --fuzz [SECONDS] runs only the fuzz harnesses, 60 seconds each or as many as given.
#
# It installs missing packages on Debian 12 and Ubuntu 24.04. The last lines are ctest's summary.
set -eu
cd "$(dirname "$0")/.."
. tools/packages.sh

usage() { echo "usage: tools/test.sh [--long | --fuzz [SECONDS]]" >&2; exit 2; }
fuzz_seconds=
long=
if [ "$*" = --long ]; then
    long=yes
elif [ $# -gt 0 ]; then
    [ "$1" = --fuzz ] && [ $# -le 2 ] || usage
    fuzz_seconds=${2:-60}
    case $fuzz_seconds in '' | *[!0-9]*) usage ;; esac
fi

# The package of clang's sanitizers, if they are separate from the compiler, with its version's number.
compiler_rt() { apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/libclang-rt-\1-dev/p'; }

# The browser for the page of --view, if it is a package (on Ubuntu it is not). Without one, its tests report that they
# were skipped.
browser() { ! apt-cache show chromium chromium-driver >/dev/null 2>&1 || echo chromium chromium-driver; }

# The package of Optuna, with which an example searches, if there is one.
optuna() { ! apt-cache show python3-optuna >/dev/null 2>&1 || echo python3-optuna; }

# shellcheck disable=SC2046,SC2086 # lists of words
need_packages $mass_build_packages libcriterion-dev clang python3 python3-numpy python3-h5py python3-xarray \
    python3-networkx python3-h5netcdf python3-pandas python3-scipy python3-sklearn python3-matplotlib \
    hdf5-tools groff-base mandoc zsh fish \
    jupyter-nbconvert python3-ipykernel python3-tqdm \
    libopenmpi-dev openmpi-bin iproute2 gnuplot-nox gdb $(compiler_rt) $(browser) $(optuna)
# shellcheck disable=SC2046 # which was not known if the list of packages was empty
need_packages $(compiler_rt) $(browser) $(optuna)
[ -z "$long" ] || need_packages slurm-wlm munge

# build PRESET TARGETS OPTION...: an existing folder keeps its generator.
build()
{
    local preset=$1 targets=$2 generator=()
    shift 2
    echo "== $preset"
    if [ ! -e "build/$preset/CMakeCache.txt" ] && command -v ninja >/dev/null; then generator=(-G Ninja); fi
    mkdir -p build
    cmake --preset "$preset" "${generator[@]}" "$@" >"build/$preset.log" || { cat "build/$preset.log"; exit 1; }
    # shellcheck disable=SC2086 # a list of words
    cmake --build --preset "$preset" --target $targets --parallel "$(nproc)"
}

# check PRESET CTEST-OPTION...: tests wait about half of their time, for subprocesses, signals and pages, so there are
# three at a time for two cores.
check()
{
    local preset=$1
    shift
    ctest --preset "$preset" --parallel "$(($(nproc) * 3 / 2))" --no-tests=error "$@"
}

fuzz()
{
    local harness name corpus
    for harness in $(find build/dev-clang -name "fuzz-*" -type f -executable | sort); do
        name=${harness##*/fuzz-}
        corpus=build/fuzz/$name
        mkdir -p "$corpus"
        echo "== $name, $fuzz_seconds s"
        "$harness" -max_total_time="$fuzz_seconds" -artifact_prefix="build/fuzz/$name-" -print_final_stats=1 \
            "$corpus" "tests/fuzz/corpus/$name" 2>"build/fuzz/$name.log" ||
            { tail -40 "build/fuzz/$name.log"; echo "$name failed; the input is build/fuzz/$name-*" >&2; exit 1; }
        grep -E 'stat::number_of_executed_units|^Done' "build/fuzz/$name.log"
    done
}

if [ -n "$fuzz_seconds" ]; then
    build dev-clang fuzzers -DMASS_TESTS=ON
    fuzz
    exit
fi

# Prints the counts of a preset's tests of calls and of power, which ctest prints only for failed tests.
show_counts()
{
    grep -hE '^[a-z0-9-]+: [0-9]+ (runs,|of [0-9]+ states)' "build/$1/Testing/Temporary/LastTest.log" || true
}

# Without a GPU, device code is compiled for one GPU with little optimisation, only to find errors. Device code of tests
# and their models is PTX.
architectures=(-DMASS_TESTS_PTX=OFF)
if ! nvidia-smi >/dev/null 2>&1; then
    architectures=(-DMASS_CUDA_ARCHITECTURES=90-real -DMASS_TESTS_PTX=ON)
    export NVCC_APPEND_FLAGS="${NVCC_APPEND_FLAGS:-} --Ofast-compile max"
fi

if [ -n "$long" ]; then
    export MASS_TEST_EXTENDED=1
    status=0
    build asan all -DMASS_TESTS=ON
    build release all -DMASS_TESTS=ON -DMASS_CUDA=AUTO "${architectures[@]}"
    check asan --label-regex '^extended$' --tests-regex '^faults-' || status=1 # a sample of them
    check asan --label-regex '^sampled(-sanitized)?$' --label-exclude '^(long|gpu)$' --exclude-regex '^hashes-' ||
        status=1
    show_counts asan
    check release --label-regex '^(extended|sampled)$' || status=1
    show_counts release
    exit "$status"
fi

# The whole suite runs on the optimised build, last, so that its summary ends the output. The other builds come first,
# with the tests that need them.
build release all -DMASS_TESTS=ON -DMASS_CUDA=AUTO -DMASS_WERROR=ON "${architectures[@]}" # gcc has nothing to say
build dev-clang "fuzzers view" -DMASS_TESTS=ON # view: one of its sources is made
tests/structure/warnings.py build/dev-clang    # nor has clang
check dev-clang --label-regex fuzz
build tsan tsan-programs -DMASS_TESTS=ON
check tsan
build asan all -DMASS_TESTS=ON
# Excluded: tests that take the same paths as others (long).
check asan --label-exclude '^(long|extended|gpu)$'
check release --label-exclude '^extended$'
