#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A link of two GPUs: link.sh PROGRAM MODULE MODE...
set -u
program=$1 module=$2
shift 2
"$program" "$module" gpus || exit 77
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for mode; do
    timeout 240 mpirun --oversubscribe --mca btl self,vader --mca pml ob1 -n 2 "$program" "$module" "$mode" || exit 1
done
