#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whether the engine starts on a machine without CUDA and plugins without anything: the command must
# not need a CUDA library, and a plugin libc and libm only, and export one symbol. Says nothing when
# that is so, else one line for each fault.
# Usage: libraries.sh <mass-engine> <plugin folder>...
command=${1:?usage: libraries.sh <mass-engine> <plugin folder>...}
shift
faults=0

fault()
{
    faults=$((faults + 1))
    printf '%s\n' "$1" >&2
}

needed()
{
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

plugins=0
[ -n "$(needed "$command")" ] || fault "$command: its libraries cannot be read"
for library in $(needed "$command"); do
    case $library in
    libcuda* | libnv* | libcu*) fault "$command needs $library" ;;
    esac
done
for folder; do
    for plugin in "$folder"/*.so; do
        [ -e "$plugin" ] || continue
        plugins=$((plugins + 1))
        for library in $(needed "$plugin"); do
            case $library in
            libc.so.6 | libm.so.6 | ld-linux*) ;;
            *) fault "$plugin needs $library" ;;
            esac
        done
        exported=$(nm -D --defined-only "$plugin" | awk '{ print $NF }' | tr '\n' ' ')
        [ "$exported" = 'mass_plugin_entry ' ] || fault "$plugin exports: $exported"
    done
done
[ $plugins -gt 0 ] || fault "no plugins in $*"
exit $((faults > 0))
