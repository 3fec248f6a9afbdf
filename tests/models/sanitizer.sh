#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A run on a GPU makes no call that fails, as compute-sanitizer sees them: sanitizer.sh ENGINE PLUGIN...
engine=$1
shift
command -v compute-sanitizer >/dev/null || exit 77
"$engine" --plugin "$1" --size 16x16 --steps 1 --seed 1 --device cuda --quiet >/dev/null 2>&1
[ $? -ne 5 ] || exit 77 # no GPU
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for plugin; do
    compute-sanitizer --target-processes all --error-exitcode 9 \
        "$engine" --plugin "$plugin" --size 16x16 --steps 12 --seed 1 --device cuda --quiet >"$log" 2>&1 && continue
    echo "$plugin:" && tail -40 "$log"
    exit 1
done
