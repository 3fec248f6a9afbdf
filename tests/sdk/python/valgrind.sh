#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# 20 models that are opened, used and closed leave no memory of the engine behind: valgrind.sh
# What valgrind says of the interpreter and of NumPy is no part of it: only blocks that libmass has allocated count.
set -eu
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v valgrind >/dev/null || { echo "skipped: there is no valgrind"; exit 77; }
/usr/bin/python3 -c "import numpy" 2>/dev/null || { echo "skipped: /usr/bin/python3 has no NumPy"; exit 77; }

cat >"$scratch/models.py" <<'END'
import mass
for i in range(20):
    name, tally, places = ("sugarscape", "ants", "sugar") if i % 2 else ("life", "population", "health")
    m = mass.Model(name, size=16, seed=i, device="cpu", threads=1)
    m.run(3, log=[tally])
    m.rows(), m.hash(), dict(m.tallies), m.packed("health") if name == "life" else m.populations["ants"]["wealth"]
    m[places] = m[places]
    try:
        m["nothing"]
    except mass.UnknownName:
        pass
    with m.view(places) as values:
        values.sum()
    m.close()
END
PYTHONMALLOC=malloc PYTHONPATH=../../../sdk/python valgrind --leak-check=full --num-callers=40 --error-exitcode=0 \
    --child-silent-after-fork=yes --log-file="$scratch/log" /usr/bin/python3 -B "$scratch/models.py" || exit 1
grep -q "LEAK SUMMARY" "$scratch/log" || { cat "$scratch/log"; exit 1; }
found=$(sed 's/^==[0-9]*== \{0,1\}//' "$scratch/log" | awk -v RS= '/libmass|Invalid (read|write|free)/' | head -80)
[ -z "$found" ] || { echo "$found"; exit 1; }
