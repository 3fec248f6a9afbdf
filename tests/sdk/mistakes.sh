#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The first thing that a compiler says of a mistake in a list of fields, or of a contribution to a tally of another
# type, is a sentence: mistakes.sh INCLUDE COMPILER
set -u
include=$1 compiler=$2 wrong=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
kernels=$scratch/kernels.c log=$scratch/log

compile()
{
    "$compiler" -std=gnu17 -Wall -Wextra -fsyntax-only -DMASS_BASELINE_ONLY -isystem "$include" "$@" "$kernels" \
        2>"$log"
}
fail() { echo "$*" >&2; wrong=1; }

# mistake SENTENCE < a callback of its own
declare -a sentences first last
mistake()
{
    sentences+=("$1")
    first+=($(($(wc -l <"$kernels") + 1)))
    cat >>"$kernels"
    last+=($(wc -l <"$kernels"))
}

# ---- what is right is built without a word ----

cat >"$kernels" <<'END'
#include <mass/mass.h>
#define EARN(FIELD)                   \
    FIELD(a,     uint8_t, UPDATE, a)  \
    FIELD(whole, int64_t, SUM,  n)    \
    FIELD(real,  double,  SUM,  r)    \
    FIELD(low,   double,  MIN,  low)  \
    FIELD(bins,  int64_t, BINS, b)    \
    FIELD(rate,  double,  PARAM, p)
MASS_MAP(earn, EARN)
{
    if (OUT(a)) ADD(whole, OUT(a));
    else ADD_IN(bins, 1, (int64_t)PARAM(rate));
    ADD(whole, -1), ADD(real, 2), ADD(real, 0.5f), LEAST(low, 2);
}
#define WITH(FIELD) FIELD(a, uint8_t, UPDATE, a) FIELD(it, float, RESIDENT, it) FIELD(k, uint32_t, SCATTER_ADD, k)
MASS_RESIDENTS(meet, WITH, 2, 0) { OUT(a) = (uint8_t)RESIDENT_COUNT; }
MASS_OCCUPIED(stay, WITH, 2, 0) { OUT(a) = (uint8_t)RESIDENT_COUNT; }
#define GO(FIELD) FIELD(a, uint8_t, WRITE, a) FIELD(c, uint8_t, CHILD, a) FIELD(g, float, PLACE, g)
MASS_AGENT(go, GO, 2) { OUT(a) = SEE(g, 0, 0) > 0; }
END
compile -Werror || fail "what is right is not built: $(head -3 "$log")"

# ---- mistakes ----

echo '#include <mass/mass.h>' >"$kernels"
mistake 'field a: REED is no access of bodies over places: READ, ' <<'END'
#define REED(FIELD) FIELD(a, uint8_t, REED, a)
MASS_MAP(reed, REED) { }
END
mistake 'field a: PLACE is no access of bodies over places' <<'END'
#define PLACED(FIELD) FIELD(a, uint8_t, PLACE, a)
MASS_STENCIL(placed, PLACED, 2, 1) { }
END
mistake 'field a: ITEMS is no access of bodies over agents' <<'END'
#define ITEMS_OF(FIELD) FIELD(a, uint8_t, ITEMS, a)
MASS_AGENT(items_of, ITEMS_OF, 2) { }
END
mistake 'field a: CHILD is no access of bodies over residents' <<'END'
#define CHILDREN(FIELD) FIELD(a, uint8_t, CHILD, a)
MASS_RESIDENTS(children, CHILDREN, 2, 0) { }
END
mistake 'field a: WRITE is no access of bodies over occupied places' <<'END'
#define WRITTEN(FIELD) FIELD(a, uint8_t, WRITE, a)
MASS_OCCUPIED(written, WRITTEN, 2, 0) { }
END
for typed in int32_t:SUM float:SUM int32_t:MIN float:MAX float:PARAM double:BINS uint64_t:KEYS uint8_t:SCATTER_ADD; do
    type=${typed%:*} access=${typed#*:}
    mistake "field n is $access and of type $type: " <<END
#define LIST_$type$access(FIELD) FIELD(n, $type, $access, n)
MASS_MAP(rule_$type$access, LIST_$type$access) { }
END
done
mistake 'FIELD(a, ...) is in no list: the line before it lacks its backslash' <<'END'
#define BROKEN_AT_ONCE(FIELD)
    FIELD(a, uint8_t, UPDATE, a) \
    FIELD(b, uint8_t, UPDATE, b)
MASS_MAP(broken_at_once, BROKEN_AT_ONCE) { OUT(a) = 1; }
END
mistake 'FIELD(b, ...) is in no list: the line before it lacks its backslash' <<'END'
#define BROKEN(FIELD)            \
    FIELD(a, uint8_t, UPDATE, a)
    FIELD(b, uint8_t, UPDATE, b)
MASS_MAP(broken, BROKEN) { OUT(b) = 1; }
END
mistake 'ADD(n, ...) of a real number, and n is a sum of integers' <<'END'
#define HALF(FIELD) FIELD(n, int64_t, SUM, n)
MASS_MAP(half, HALF) { ADD(n, 0.5); }
END
mistake 'ADD(n, ...) of a real number, and n is a sum of integers' <<'END'
#define REAL(FIELD) FIELD(n, int64_t, SUM, n) FIELD(real, float, UPDATE, real)
MASS_AGENT(real, REAL, 2) { ADD(n, OUT(real)); }
END
mistake 'ADD_IN(n, ...) of a real number' <<'END'
#define BINNED(FIELD) FIELD(n, int64_t, BINS, n)
MASS_MAP(binned, BINNED) { ADD_IN(n, 1, 0.5); }
END

unlimited=
"$compiler" --version | grep -q clang && unlimited=-ferror-limit=0
compile $unlimited && fail "mistakes are built"
for i in "${!sentences[@]}"; do
    said=$(awk -F: -v a="${first[i]}" -v b="${last[i]}" \
               '/: (warning|error): / && $2 >= a && $2 <= b { print; exit }' "$log")
    [[ $said == *static*"\"${sentences[i]}"* ]] || fail "not '${sentences[i]}' comes first, but: $said"
done
exit $wrong
