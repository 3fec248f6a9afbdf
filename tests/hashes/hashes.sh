#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs hashes.py, or prints why it cannot: hashes.sh ARGUMENT...
command -v python3 >/dev/null || { echo "Skipped: there is no python3"; exit 77; }
exec python3 -B "$(dirname "$0")/hashes.py" "$@"
