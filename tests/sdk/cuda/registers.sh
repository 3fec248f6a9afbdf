#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whether a callback that counts bytes leaves room for two blocks of 1,024 threads on a processor: registers.sh INCLUDE
# NVCC. One that does not counts the same, and more slowly, which no other test sees.
unset NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS # by which it would be compiled otherwise than plugins are
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cat >"$folder/count.cu" <<'END'
#include <mass/kernel.h>
MASS_MAP(count_bytes, READS(TYPED(item, uint8_t)), BINS(TYPED(counts, int64_t))) { COUNT_IN(counts, IN(item)); }
END
said=$("$2" -std=c++20 -O3 -fmad=false -arch=sm_90 -cubin -Xptxas -v -I"$1" -o "$folder/count.cubin" \
    "$folder/count.cu" 2>&1) || { echo "$said" >&2; exit 1; }
about=$(echo "$said" | sed -n "/entry function 'count_bytes_tally'/,/Used/p")
used=$(echo "$about" | sed -n 's/.*Used \([0-9]*\) registers.*/\1/p')
spilt=$(echo "$about" | sed -n 's/.* \([0-9]*\) bytes spill loads.*/\1/p')
if [ "${used:-99}" -gt 32 ] || [ "${spilt:-99}" -ne 0 ]; then
    echo "counting bytes takes ${used:-?} registers, and 32 are all for two blocks; it spills ${spilt:-?} bytes" >&2
    exit 1
fi
