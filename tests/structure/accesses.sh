#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The row of an access in engine/model/access.c defines its properties. The engine's other files use traits. They name
# an access only if they mean just that one. accesses.sh SOURCE
set -eu
cd "$1"
failures=0
complain() { echo "$*" >&2; failures=$((failures + 1)); }

# Bins and keys are counted in special ways, and operations of tallies have the names of their fields' accesses.
alone='SUM|MIN|MAX|BINS|KEYS'
accesses=$(sed -n '/^typedef enum mass_access {/,/^} mass_access;/s/^ *MASS_\([A-Z_]*\) = [0-9].*/\1/p' \
    sdk/include/mass/callback.h)
[ "$(wc -l <<<"$accesses")" -ge 16 ] || complain "the accesses were not found in sdk/include/mass/callback.h"
names=$(grep -vxE "$alone" <<<"$accesses" | paste -sd '|')
# Code of the engine without texts in quotes, and without the table.
code=$(grep -rn 'MASS_' engine --include='*.[ch]' | grep -v '^engine/model/access\.[ch]:' | sed 's/"[^"]*"//g')
found=$(grep -E "\bMASS_($names)\b" <<<"$code" || true)
[ -z "$found" ] || complain "ask model/access.h for a trait instead of naming the access:"$'\n'"$found"
found=$(grep -E "access (<|<=|>|>=|\+|-) MASS_|MASS_($alone) [-+] |1u << MASS_($alone)\b" <<<"$code" || true)
[ -z "$found" ] || complain "accesses have no order:"$'\n'"$found"

[ "$failures" -eq 0 ]
