#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A plugin that uses the old names of the SDK compiles without a word and does the same. The model below is translated
# to them, and both end in the same state. If there is an nvcc, it takes the old names, too; C++: headers.sh.
# Usage: old_names.sh INCLUDE ENGINE [NVCC]
set -u
include=$1 engine=$2 nvcc=${3:-} wrong=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$*" >&2; head -n 5 "$scratch/log" >&2; wrong=1; }

cat >"$scratch/new.c" <<'END'
#include <mass/model.h>
#include <string.h>
MASS_SPACE(floor, 1, .size = {40}, .torus = MASS_AXES_ALL)
MASS_TALLY(SUM, int64_t, unborn, "births without a place", .cumulative = 1)
MASS_TALLY(SUM, int64_t, again, "requests of refused agents", .cumulative = 1)
MASS_POPULATION(dancers, floor, .capacity = 1, .children = 1, .count = 30, .unborn = "unborn")
MASS_AGENT_ATTRIBUTE(dancers, int64_t, mark)
MASS_AGENT(ask, dancers, 1, UPDATES(mark), CHILDREN(mark))
{
    OUT(mark) = OUT(mark) * 3 + WAS_REFUSED + COUNT_AT(1);
    if (RANDOM(0).v[0] % 3) MIGRATE(1);
    else SPAWN(COUNT_AT(-1));
}
MASS_REFUSED(ask_again, dancers, 1, READS(TYPED(refused, uint8_t)), UPDATES(mark), SUMS(again))
{
    ADD(again, IN(refused));
    OUT(mark)++;
    MIGRATE(COUNT_AT(-1) ? 2 : -1);
}
MASS_SCHEDULE(STEPS(ask, .reach = 1), MANAGES(dancers), STEPS(ask_again, .reach = 1), MANAGES(dancers))
#if MASS_HOST
/* The column has both names. */
static mass_status compare(mass_host *host)
{
    uint8_t lost[40], refused[40];
    int64_t count;
    mass_status status = mass_agents_of(host)->count(host, "dancers", 0, &count);
    if (status == MASS_OK) status = mass_agents_of(host)->read(host, "dancers", "lost", 0, count, lost);
    if (status == MASS_OK) status = mass_agents_of(host)->read(host, "dancers", "refused", 0, count, refused);
    if (status != MASS_OK || memcmp(lost, refused, (size_t)count) == 0) return status;
    return host->fail(host, MASS_FAILED, "'lost' and 'refused' are two columns");
}
#endif
MASS_PLUGIN(.name = "dance", .version = "1.0.0", .help = "for a test", .finish = compare);
END
sed -E 's/\bMASS_REFUSED\b/MASS_LOSERS/; s/\bWAS_REFUSED\b/WAS_LOST/; s/\bCOUNT_AT\b/CROWD/; s/\.unborn\b/.refused/' \
    "$scratch/new.c" >"$scratch/old.c"

# state NAME: what that model ends in. Users name the tally of a population and the column by both names.
state()
{
    gcc -std=gnu17 -O0 -fPIC -shared -DMASS_BASELINE_ONLY -ffp-contract=off -Wall -Wextra -Werror -I"$include" \
        -o "$scratch/$1.so" "$scratch/$1.c" -lm >"$scratch/log" 2>&1 || fail "gcc: $1.c" || return
    "$engine" "$scratch/$1.so" --seed 3 --steps 20 --device cpu --json --tally 'now=sum(dancers.refused)' \
        --tally 'before=sum(dancers.lost)' --until 'dancers.unborn != dancers.refused' \
        2>"$scratch/log" >"$scratch/$1.json" || fail "a run of $1.c"
    python3 - "$scratch/$1.json" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
tallies = report["tallies"]
assert report["steps"] == 20 and tallies["now"] == tallies["before"] > 0, report
assert tallies["unborn"] > 0 and tallies["again"] > 0, report
print(report["state_hash"])
END
}
cmp -s "$scratch/old.c" "$scratch/new.c" && fail "the model has no new name"
old=$(state old) new=$(state new)
[ -n "$new" ] && [ "$old" = "$new" ] || fail "the old names end in state '$old', the new ones in '$new'"

# nvcc does not see statements: a population by hand, and the callbacks.
cat - "$scratch/old.c" >"$scratch/old.cu" <<'END'
#include <mass/agents.h>
constexpr mass_population old = {.born = "b", .died = "d", .refused = "u", .alive = "a"};
static_assert(old.refused[0] == 'u' && old.alive[0] == 'a');
END
if [ -n "$nvcc" ]; then
    "$nvcc" -std=c++20 -cubin -o "$scratch/old.cubin" -I"$include" "$scratch/old.cu" >"$scratch/log" 2>&1 ||
        fail "nvcc: old names"
fi
exit $wrong
