#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gdb stops at a line of a body, steps to the ones after it, and reads the body's variables, in a build with -O0 -g.
# Usage: debugger.sh INCLUDE ENGINE
set -u
include=$1 engine=$2
command -v gdb >/dev/null || { echo "skipped: there is no gdb" >&2; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$*" >&2; cat "$scratch/log" >&2; exit 1; }
cat >"$scratch/steps.c" <<'END'
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(grid, int32_t, state)
MASS_STENCIL(act, 2, 1, READS(state), WRITES(state))
{
    int count = 0;
    MASS_MOORE_2D(dx, dy, 1) count += NEAR(state, dx, dy); /* first */
    count += IN(state) + 3;
    count *= 7;
    OUT(state) = count;
}
MASS_SCHEDULE(STEPS(act))
MASS_PLUGIN(.name = "steps", .version = "1", .help = "is stepped through");
END
gcc -std=gnu17 -O0 -g -fPIC -shared -DMASS_BASELINE_ONLY -isystem "$include" -o "$scratch/steps.so" \
    "$scratch/steps.c" 2>"$scratch/log" || fail "the model is not built:"
# Steps out of the loop by a second stop behind it, and from there line by line.
timeout 120 gdb -nx -batch -ex 'set breakpoint pending on' -ex 'break steps.c:7' -ex run -ex 'tbreak steps.c:8' \
    -ex 'delete 1' -ex continue -ex next -ex 'print count' -ex next -ex 'print count' \
    --args "$engine" "$scratch/steps.so" --steps 1 --quiet >"$scratch/log" 2>&1
! grep -qiE 'ptrace: Operation not permitted|Could not trace the inferior' "$scratch/log" ||
    { echo "skipped: gdb may not trace programs here" >&2; exit 77; }
said=$(grep -oE '^([0-9]+[[:space:]]+.*|\$[0-9]+ = .*)$' "$scratch/log" | sed -E 's/^([0-9]+).*/line \1/')
wanted='line 7
line 8
line 9
$1 = 3
line 10
$2 = 21'
[ "$said" = "$wanted" ] || fail "it does not go from line to line:
$said
but gdb said:"
