#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs fields.py, or says why not: fields.sh h5py|paraview COMMAND FOLDER...
script=$(dirname "$0")/fields.py
case $1 in
paraview) candidates=pvpython missing="ParaView's pvpython, with h5py, is not installed" ;;
*) candidates="python3 /usr/bin/python3" missing="no python3 with h5py is installed" ;;
esac
for python in $candidates; do
    if "$python" -c 'import h5py' 2>/dev/null; then exec "$python" "$script" "$@"; fi
done
echo "skipped: $missing"
exit 77
