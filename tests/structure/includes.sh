#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The dependency rules of the folders: includes.sh SOURCE
set -eu
cd "$1"
failures=0
complain() { echo "$*" >&2; failures=$((failures + 1)); }

# Files that are the project's: those that git knows or would take, or everything outside build/.
files()
{
    { git ls-files -co --exclude-standard 2>/dev/null || find . -path ./build -prune -o -path ./.git -prune -o -type f \
        -printf '%P\n'; } | while IFS= read -r file; do [ ! -f "$file" ] || echo "$file"; done | sort
}
all=$(files)
code=$(grep -E '\.(c|h|cu|cuh|cpp)$' <<<"$all")

# included PATTERN: FILE:LINE:TEXT of the includes that match, in all code.
included() { tr '\n' '\0' <<<"$code" | xargs -0 grep -nHE "^[[:space:]]*#[[:space:]]*include[[:space:]]*$1" || true; }

# only WHAT PATTERN ALLOWED: includes that match are in files whose path matches ALLOWED.
only()
{
    local found
    found=$(included "$2" | grep -vE "^($3)" || true)
    [ -z "$found" ] || complain "$1 must not be included here:"$'\n'"$found"
}

only "HDF5" '<hdf5' "engine/io/|tests/"
only "dlfcn.h" '<dlfcn\.h>' "engine/plugin/|engine/device/device\.c:|tests/"
only "CUDA" '[<"](cuda|cub/|thrust/|cooperative_groups|nv/)' "engine/device/cuda|kernels/cuda/|tools/bench/cuda|tests/[a-z/]*cuda"
only "MPI or NCCL" '[<"](mpi|nccl)' "engine/comm/"
only "libyaml" '<yaml\.h>' "engine/command/parameter_file\.c:|tests/"
only "libseccomp" '<seccomp\.h>' "engine/process/confine\.c:|tests/"
only "libpng or giflib" '<(png|gif_lib)\.h>' "engine/io/|tests/"

# in_folder FOLDER ALLOWED: includes of a folder's files match ALLOWED, or name a file beside the including one.
libc='<(assert|ctype|errno|fcntl|float|inttypes|limits|locale|math|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|strings|time|unistd|sys/stat|sys/types)\.h>'
in_folder()
{
    local folder=$1 allowed=$2 line file target
    included '[<"]' | grep -E "^$folder/" | while IFS= read -r line; do
        file=${line%%:*} target=$(sed -E 's/.*include[[:space:]]*([<"][^>"]*[>"]).*/\1/' <<<"$line")
        if grep -qE "^($allowed)$" <<<"$target"; then continue; fi
        if [[ $target == '"'* && $target != *..* && -f $(dirname "$file")/${target//\"/} ]]; then continue; fi
        echo "$line"
    done
}
# Memory of a device is a mass_buffer to all but its backends.
found=$(grep -E '^(engine)/' <<<"$code" | grep -v '^engine/device/' | tr '\n' '\0' |
    xargs -0 grep -nHE 'memory->(allocate|release|upload|download|fill)|streams->send' || true)
[ -z "$found" ] || complain "memory of a device is reached through device/buffer.h only, not:"$'\n'"$found"

in_folder_only()
{
    local found
    found=$(in_folder "$1" "$2")
    [ -z "$found" ] || complain "$1 may include $3 only, not:"$'\n'"$found"
}
in_folder_only sdk "<mass/[a-z_]+\.h>|<Random123/[a-z]+\.h>|$libc" "itself, the C library and Random123"
in_folder_only plugins "<mass/[a-z_]+\.h>|$libc" "the SDK, the C library and its own files"
in_folder_only docs/examples "<mass/[a-z_]+\.h>|$libc" "the SDK, the C library and its own files"

found=$(included '[<"](\.\./)*plugins/' | grep -E '^(engine|kernels|sdk)/' || true)
[ -z "$found" ] || complain "the engine knows no plugin:"$'\n'"$found"
found=$(included '"(\.\./)*(tests|tools)/' | grep -E '^(engine|kernels|sdk|plugins)/' || true)
[ -z "$found" ] || complain "nothing stands on tests or tools:"$'\n'"$found"

# Names that say nothing.
found=$(grep -iE '(^|/)(utils?|commons?|managers?|helpers?|misc)(\.|/|$)' <<<"$all" || true)
[ -z "$found" ] || complain "a file is named after the one thing it does:"$'\n'"$found"

# Packages come through the clients of a machine, from where these were told to fetch them.
hosts='(registry|files|index|deb|security|archive|ports|download|proxy|packages|repo|conda)\.[a-z-]+\.(org|com|io|dev|net)|[p]ypi\.org|[c]rates\.io'
found=$(tr '\n' '\0' <<<"$all" | xargs -0 grep -nIHE "$hosts" -- || true)
[ -z "$found" ] || complain "a package registry is named:"$'\n'"$found"

[ "$failures" -eq 0 ]
