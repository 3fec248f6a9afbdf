#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The text of rules assembles for old and new GPUs: rule_text.sh PROGRAM PTXAS
set -eu
[ -x "$2" ] || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for capability in 75 90; do
    "$1" "$folder" $capability
    for text in "$folder"/*.ptx; do "$2" -arch=sm_$capability -O1 -o "$folder/code" "$text"; done
done
