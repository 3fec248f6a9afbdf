#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs graphml.py, or says why not: graphml.sh COMMAND PLUGINS TEST-PLUGINS
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import h5py, networkx' 2>/dev/null; then exec "$python" "$(dirname "$0")/graphml.py" "$@"; fi
done
echo "skipped: no python3 with h5py and networkx is installed"
exit 77
