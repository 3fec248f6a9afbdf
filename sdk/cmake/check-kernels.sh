#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Refuses a file whose callbacks call functions of the C library whose results differ between devices, or between runs:
#     check-kernels.sh READELF FILE OBJECT...
# Callbacks may call functions with one right result, such as sqrt, floor and fma. The host's functions may call all. It
# also refuses callbacks that use a variable of the file.
#
# The objects have a section for each function and each variable. Their relocations show what a function uses. Callbacks
# are the loops that kernel.h makes.
readelf=$1 file=$2
shift 2
[ -x "$readelf" ] || exit 0

elementary='a?(sin|cos|tan)h?(pi)?|sincos|(exp|log)(2|10)?|expm1|log1p|atan2|pow|cbrt|hypot|erfc?|[lt]?gamma|[jy][01n]'
numbers="_*c?($elementary|fmin|fmax)(f|l)?(_r|_finite)?|__pow[isdxtf]+2|_ZGV.*"
draws='(rand|random|[delmjn]rand48)(_r)?|arc4random(_buf|_uniform)?|getrandom|getentropy'
facts='time|clock|gettimeofday|clock_gettime|timespec_get|times|getpid|getppid|gettid|getenv|secure_getenv'
found=$("$readelf" -rsSW "$@" 2>/dev/null | awk '
    function name(section) {
        sub(/^\.text\.(unlikely\.|hot\.|startup\.)?/, "", section)
        sub(/\.(cold|part|constprop|isra).*$/, "", section)
        return section
    }
    # Returns the name of the variable in a writable section, or nothing. Sections of compilers begin with . or _.
    function variable(section) {
        if (section !~ /^\.(data|bss|tdata|tbss)\./ || section ~ /^\.data\.rel\.ro/) return ""
        sub(/^\.(data\.rel\.local|data\.rel|data|bss|tdata|tbss)\./, "", section)
        if (section !~ /^[A-Za-z]/ || section ~ /^mass_/) return ""
        sub(/\.[0-9]+$/, "", section)
        sub(/^.*\./, "", section)
        return section
    }
    /^ *\[ *[0-9]+\] / {
        line = $0
        sub(/^ *\[ */, "", line)
        number = line + 0
        sub(/^[0-9]+\] +/, "", line)
        sub(/ .*/, "", line)
        sections[number] = line
    }
    /^Relocation section/ {
        gsub(/\047/, "", $3)
        sub(/^\.rela?/, "", $3)
        caller = $3 ~ /^\.text\./ ? name($3) : ""
    }
    caller != "" && /^[0-9a-f]+ / {
        if (variable($5) != "") variables[$5] = variable($5)
        if ($5 ~ /^\.text\./) own[name($5)] = 1 # and not the library, whatever it is called
        calls[caller] = calls[caller] " " name($5)
    }
    ($4 == "OBJECT" || $4 == "TLS") && $7 in sections && variable(sections[$7]) != "" { variables[$8] = $8 }
    $4 == "FUNC" && $7 != "UND" { own[$8] = 1 }
    caller ~ /_(quiet|tally)_(base|avx2|avx512|checked)$/ && !(caller in seen) {
        seen[caller] = 1
        queue[count++] = caller
    }
    END {
        for (i = 0; i < count; i++) {
            n = split(calls[queue[i]], called, " ")
            for (k = 1; k <= n; k++) {
                sub(/@.*/, "", called[k])
                if (called[k] in seen) continue
                seen[called[k]] = 1
                if (called[k] in variables) { print "variable:" variables[called[k]]; continue }
                queue[count++] = called[k]
                if (!(called[k] in own)) print called[k]
            }
        }
    }' | sort -u)

status=0
used=$(echo "$found" | sed -n 's/^variable://p' | paste -sd ' ')
[ -z "$used" ] || {
    echo "$file: error: a callback uses the file's variable $used, which no GPU has and all threads share: make it a" \
         "parameter, a constant or an attribute" >&2
    status=1
}

# refuse NAMES WHY: refuses the functions that match.
refuse()
{
    these=$(echo "$found" | grep -xE "$1" | paste -sd ' ')
    [ -z "$these" ] || { echo "$file: error: the C library's $these gives other bits $2" >&2; status=1; }
}
refuse "$numbers" "on other devices: use the SDK's, as in mass_exp_f64"
refuse "$draws" "on other devices and in every run: use RANDOM(draw)"
refuse "$facts" "in every run: use STEP, or a parameter"
exit $status
