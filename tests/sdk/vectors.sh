#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whether loops over places became vectors, in their form for AVX2: vectors.sh PLUGIN LOOP... [PLUGIN LOOP...]...
# One that is not gives the same results many times as slowly, which no other test sees.
failures=0
for argument; do
    case $argument in
    */*) plugin=$argument ;;
    *)
        code=$(objdump -d --disassemble="${argument}_avx2" "$plugin") || exit 1
        case $code in
        *"<${argument}_avx2>:"*) ;;
        *) echo "$plugin: there is no loop $argument" >&2; exit 1 ;;
        esac
        case $code in
        *%ymm*) ;;
        *) echo "$plugin: $argument has no vectors" >&2; failures=1 ;;
        esac
        ;;
    esac
done
exit $failures
