#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whether each header of the SDK compiles alone: as C17 by gcc and clang, as C++20 by g++, and as CUDA C++20 if there is
# an nvcc; and whether callbacks compile as C++20. Says nothing when all do, else one line for each that does not.
# Usage: headers.sh <include folder> [nvcc]
include=${1:?usage: headers.sh <include folder> [nvcc]}
nvcc=${2:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
warnings='-Wall -Wextra -Wpedantic -Werror'
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0

# compiles HEADER COMPILER...: the header alone, from a source file that includes nothing else
compiles()
{
    header=$1
    shift
    printf '#include <mass/%s>\ntypedef int mass_header_was_read;\n' "$header" > "$scratch/alone.c"
    "$@" -I"$include" "$scratch/alone.c" > "$scratch/log" 2>&1 && return
    failures=$((failures + 1))
    reason=$(grep -m1 -i error "$scratch/log" || head -n1 "$scratch/log")
    printf '%s: %s: %s\n' "$header" "$*" "$reason" >&2
}

for path in "$include"/mass/*.h "$include"/mass/impl/*.h; do
    header=${path#"$include"/mass/}
    case ${header#impl/} in
    kernel_cuda*.h | kernel_world*.h) ;; # for nvcc alone
    *)
        compiles "$header" gcc -std=c17 $warnings -fsyntax-only
        compiles "$header" clang -std=c17 $warnings -fsyntax-only
        compiles "$header" g++ -x c++ -std=c++20 $warnings -fsyntax-only
        ;;
    esac
    if [ -x "$nvcc" ]; then
        compiles "$header" "$nvcc" -x cu -std=c++20 -Werror all-warnings -cubin \
            -o "$scratch/alone.cubin"
    fi
done
if [ ! -e "$path" ]; then
    echo "headers.sh: no headers in $include/mass" >&2
    exit 1
fi

# Callbacks in C++: over places, agents and residents of two populations; and old names.
cat > "$scratch/rules.cc" << 'END'
#include <mass/agents.h>
#include <mass/model.h>
MASS_SPACE(field, 2, .size = {8, 8})
MASS_ATTRIBUTE(field, int32_t, grass)
MASS_POPULATION(sheep, field, .count = 4, .children = 1)
MASS_AGENT_ATTRIBUTE(sheep, double, energy)
MASS_POPULATION(wolves, field, .count = 4)
MASS_AGENT_ATTRIBUTE(wolves, double, energy)
MASS_STENCIL(grow, 2, 1, READS(grass), WRITES(grass)) { OUT(grass) = NEAR(grass, 1, 0) + 1; }
MASS_AGENT(graze, sheep, 2, SEES(grass), UPDATES(energy), CHILDREN(energy))
{
    OUT(energy) += SEE(grass, 0, 0) + (double)COUNT_AT(0, 1);
    MIGRATE((int)(RANDOM(0).v[0] % 3) - 1, 0);
    SPAWN(1);
    CHILD(energy, 0) = 1;
    CHILD_TO(0, -1, 0);
}
MASS_RESIDENTS(meet, (wolves, sheep), 2, 0, CHANGES(energy), MEETS(FROM(sheep, food, energy)))
{
    EACH_RESIDENT(a) EACH_RESIDENT_OF(sheep, b) OF(energy, a) += OF(food, b);
}
MASS_LOSERS(again, sheep, 2, UPDATES(energy)) { OUT(energy) += WAS_LOST + CROWD(1, 0); }
static constexpr mass_population old_names = {.born = "b", .died = "d", .refused = "u", .alive = "a"};
static constexpr mass_population new_names = {.born = "b", .died = "d", .unborn = "u", .alive = "a"};
static_assert(old_names.refused[0] == 'u' && new_names.unborn[0] == 'u' && old_names.alive[0] == 'a');
END
for compiler in g++ clang++; do
    "$compiler" -std=c++20 -fsyntax-only -I"$include" "$scratch/rules.cc" > "$scratch/log" 2>&1 && continue
    failures=$((failures + 1))
    printf 'callbacks in C++, %s: %s\n' "$compiler" "$(grep -m1 -i error "$scratch/log")" >&2
done
exit $((failures > 0))
