#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a script of this folder, or says why not: python.sh SCRIPT ARGUMENT...
script=$(dirname "$0")/$1
shift
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import h5py' 2>/dev/null; then exec "$python" -B "$script" "$@"; fi
done
echo "skipped: no python3 with h5py is installed"
exit 77
