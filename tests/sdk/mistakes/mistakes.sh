#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The mistakes that come naturally, one a file beside this one: the first error that a compiler says is of the line
# that ends with /* here */ and has the words that the file says after `says:`, and it says no more than three different ones.
# nvcc refuses them too, but those that say `nvcc: no`. Usage: mistakes.sh INCLUDE [NVCC]
set -u
include=$1 nvcc=${2:-} wrong=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
log=$scratch/log
fail() { echo "$*" >&2; sed 's/^/    /' "$scratch/errors" >&2; wrong=1; }

# A few lines that are right are built by all of them.
cat >"$scratch/right.c" <<'END'
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_ATTRIBUTE(grid, uint8_t, state)
MASS_TALLY(SUM, int64_t, ones, "places that are 1")
MASS_STENCIL(step, 2, 1, READS(state), WRITES(state), SUMS(ones))
{
    int n = 0, far = 1;
    MASS_MOORE_2D(dx, dy, 1) n += NEAR(state, dx, dy);
    OUT(state) = (uint8_t)(n + NEAR(state, -1, 1) + NEAR(state, far, 0) + NEAR(state, 1) > 3);
    ADD(ones, OUT(state));
}
MASS_SCHEDULE(STEPS(step))
MASS_PLUGIN(.name = "right", .version = "1", .help = "is built");
END

compile() # COMPILER FILE
{
    if [[ $1 == *nvcc ]]; then
        "$1" -x cu -std=c++20 -arch=compute_75 -ptx -I"$include" -o "$scratch/out" "$2" >"$log" 2>&1
    else
        "$1" -std=gnu17 -O2 -Wall -Wextra -Werror=unused-const-variable -Werror=implicit-function-declaration \
            -DMASS_BASELINE_ONLY -isystem "$include" -c -o "$scratch/out" "$2" >"$log" 2>&1
    fi
}

check() # COMPILER FILE
{
    local said here first
    compile "$1" "$2" && { : >"$scratch/errors"; fail "$1 takes $2"; return; }
    grep 'error: ' "$log" >"$scratch/errors"
    [[ $1 != *nvcc ]] || return 0
    said=$(sed -n 's/.*says: \(.*\) \*\/$/\1/p' "$2")
    said=${said%; nvcc: no}
    here=$(grep -n '/\* here \*/$' "$2" | cut -d: -f1)
    first=$(head -1 "$scratch/errors")
    [[ $first == *"/$(basename "$2"):$here:"*"$said"* ]] || fail "$1, $2: the first error is not of line $here: $said"
    [ "$(sed 's/.*error: //' "$scratch/errors" | sort -u | wc -l)" -le 3 ] || fail "$1, $2: more than three errors"
}

for compiler in gcc clang $nvcc; do
    command -v "$compiler" >/dev/null || continue
    : >"$scratch/errors"
    compile "$compiler" "$scratch/right.c" || fail "$compiler does not take what is right: $(head -3 "$log")"
    [ ! -s "$log" ] || fail "$compiler says something of what is right: $(head -3 "$log")"
    for file in "$(dirname "$0")"/*.c; do
        if [[ $compiler != *nvcc ]] || ! grep -q 'nvcc: no' "$file"; then check "$compiler" "$file"; fi
    done
done
exit $wrong
