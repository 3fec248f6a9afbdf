#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a test of this folder with a Python that has NumPy, or says why not: python.sh MODULE|FILE.py
cd "$(dirname "$0")" || exit 1
for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy' 2>/dev/null || continue
    case $1 in
    *.py) exec "$python" -B "$1" ;;
    *) exec "$python" -B -W error::ResourceWarning -m unittest -q "$1" ;;
    esac
done
echo "skipped: no python3 with NumPy is installed"
exit 77
