#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Refuses a KERNELS file that calls functions of the C library whose results differ from device to device:
#     check-kernels.sh NM FILE OBJECT...
# Those with one right result, such as sqrt, floor and fma, may be called.
nm=$1 file=$2
shift 2
[ -x "$nm" ] || exit 0

elementary='a?(sin|cos|tan)h?(pi)?|sincos|(exp|log)(2|10)?|expm1|log1p|atan2|pow|cbrt|hypot|erfc?|[lt]?gamma|[jy][01n]'
names="_*c?($elementary|fmin|fmax|rand|random|[delmjn]rand48)(f|l)?(_r|_finite)?|__pow[isdxtf]+2|_ZGV.*"
found=$("$nm" -u "$@" 2>/dev/null | sed -n 's/^ *[Uw] \([^@]*\).*/\1/p' | grep -xE "$names" | sort -u | paste -sd ' ')
[ -n "$found" ] || exit 0
echo "$file: error: the C library's $found gives other bits on other devices: use the SDK's, as in mass_exp_f64" >&2
exit 1
