#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a program in Python of a standard model, or prints why it cannot: python.sh PROGRAM ARGUMENT...
command -v python3 >/dev/null || { echo "Skipped: there is no python3"; exit 77; }
program=$(dirname "$0")/../$1
shift
exec python3 -B "$program" "$@"
