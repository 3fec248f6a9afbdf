#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# No sentence of a comment has more than 35 words: comments.sh SOURCE
# Left out is bench/peers.py, whose CUDA source the script takes for a comment.
set -eu
cd "$1"
find engine kernels sdk plugins tools tests docs/examples -type f \
    \( -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' -o -name '*.js' -o -name '*.sh' -o -name '*.py' \
    -o -name '*.cmake' -o -name CMakeLists.txt \) ! -path tools/bench/peers.py -print0 |
    xargs -0 tools/sentences.py --most 35
