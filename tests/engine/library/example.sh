#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the example of the documents, which has to print what they show, and nothing else: example.sh PROGRAM
said=$("$1" 2>&1) || { echo "$said"; exit 1; }
[ "$said" = "step 408: 445 ants, and a tenth of them has 18 %" ] || { echo "it printed: $said"; exit 1; }
