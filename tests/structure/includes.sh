#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The dependency rules of the folders: includes.sh SOURCE
set -eu
cd "$1"
failures=0
complain() { echo "$*" >&2; failures=$((failures + 1)); }

# Files of the project: those that git knows or would add, or everything outside build/.
files()
{
    { git ls-files -co --exclude-standard 2>/dev/null || find . -path ./build -prune -o -path ./.git -prune -o -type f \
        -printf '%P\n'; } | while IFS= read -r file; do [ ! -f "$file" ] || echo "$file"; done | sort
}
all=$(files)
code=$(grep -E '\.(c|h|cu|cuh|cpp)$' <<<"$all")

# included PATTERN: prints FILE:LINE:TEXT of the includes that match, in all code.
included() { tr '\n' '\0' <<<"$code" | xargs -0 grep -nHE "^[[:space:]]*#[[:space:]]*include[[:space:]]*$1" || true; }

# only WHAT PATTERN ALLOWED: checks that includes that match are in files whose path matches ALLOWED.
only()
{
    local found
    found=$(included "$2" | grep -vE "^($3)" || true)
    [ -z "$found" ] || complain "$1 must not be included here:"$'\n'"$found"
}

only "HDF5" '<hdf5' "engine/io/|tests/"
only "dlfcn.h" '<dlfcn\.h>' "engine/comm/nccl/|engine/plugin/|engine/process/module\.c:|tests/"
only "CUDA" '[<"](cuda|cub/|thrust/|cooperative_groups|nv/)' \
    "engine/comm/nccl/|engine/device/cuda|kernels/cuda/|tools/bench/cuda|tests/[a-z/]*cuda"
only "MPI" '<mpi' "engine/comm/|tests/engine/comm/"
only "NCCL" '<nccl' "engine/comm/nccl/"
only "libyaml" '<yaml\.h>' "engine/command/options/yaml\.h:|tests/"
only "libmicrohttpd" '<microhttpd\.h>' "engine/view/http/|tests/"
only "libseccomp" '<seccomp\.h>' "engine/process/confine\.c:|tests/"
only "libpng or giflib" '<(png|gif_lib)\.h>' "engine/io/|tests/"

# in_folder FOLDER ALLOWED: prints includes of a folder's files that do not match ALLOWED, nor name a file in the same
# folder.
libc='assert|ctype|errno|fcntl|float|inttypes|limits|locale|math|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib'
libc="<($libc|string|strings|time|unistd|sys/stat|sys/types)\.h>"
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
# Only the backends use a device's memory directly; all other files use a mass_buffer.
found=$(grep -E '^(engine)/' <<<"$code" | grep -v '^engine/device/' | tr '\n' '\0' |
    xargs -0 grep -nHE 'memory->(allocate|release|upload|download|fill)|streams->send' || true)
[ -z "$found" ] || complain "memory of a device is reached through device/buffer.h only, not:"$'\n'"$found"

in_folder_only()
{
    local found
    found=$(in_folder "$1" "$2")
    [ -z "$found" ] || complain "$1 may include $3 only, not:"$'\n'"$found"
}
in_folder_only sdk/include "<mass/(impl/)?[a-z_]+\.h>|<Random123/[a-z]+\.h>|$libc" \
    "itself, the C library and Random123"
in_folder_only sdk/template "<mass/[a-z_]+\.h>|$libc" "the SDK, the C library and its own files"
in_folder_only plugins "<mass/[a-z_]+\.h>|$libc" "the SDK, the C library and its own files"
in_folder_only docs/examples "<mass/[a-z_]+\.h>|$libc" "the SDK, the C library and its own files"

# The headers for authors are those in the guide's table; their parts are in impl/.
shown=$(sed -n 's|^sdk/include/mass/\([a-z_]*\.h\)$|\1|p' <<<"$all" | sort)
listed=$(sed -n '/^### Headers$/,/^### /s/^| \(`mass[^|]*\)|.*/\1/p' docs/plugin-guide.md | grep -oE '[a-z_]+\.h' |
    sort)
[ "$listed" = "$shown" ] || complain "the headers in sdk/include/mass and in docs/plugin-guide.md, 'Headers', are:" \
    $'\n'"$(diff <(echo "$shown") <(echo "$listed"))"

found=$(included '[<"](\.\./)*plugins/' | grep -E '^(engine|kernels|sdk)/' || true)
[ -z "$found" ] || complain "the engine knows no plugin:"$'\n'"$found"
found=$(included '"(\.\./)*(tests|tools)/' | grep -E '^(engine|kernels|sdk|plugins)/' || true)
[ -z "$found" ] || complain "nothing stands on tests or tools:"$'\n'"$found"

# Kernels use the SDK and each other. Each backend has its own kernels.
in_folder_only kernels "\"[a-z_]+\.h\"|\"(cpu|cuda)/[a-z_]+\.(h|cuh)\"|<.*>" "itself, the SDK and libraries"
found=$(included '"cuda/' | grep -vE '^(kernels/cuda|engine/device/cuda|engine/comm/nccl|tests|tools)/' || true)
[ -z "$found" ] || complain "the kernels for CUDA are its backend's:"$'\n'"$found"
found=$(included '"cpu/' |
    grep -vE '^((kernels/cpu|engine/device/cpu|tests|tools)/|engine/population/manage/decision\.h:)' |
    grep -vE '^engine/network/threads\.h:.*"cpu/team\.h"' || true)
[ -z "$found" ] || complain "the kernels for CPUs are their backend's, and of manage in host memory, and networks use" \
    "their team:"$'\n'"$found"

# The folders of the engine from bottom to top: a file includes its own folder and those before it. Folders below `io`
# come before the files of `io` itself, which use them all.
order=(base network model text process rule comm comm/mpi device device/cpu device/paranoid device/cuda comm/nccl
       ranks split state halo population/manage population snapshot plugin plan run
       io/folder io/hdf5 io/picture io/input io/chart io/checkpoint io/series io/results io/export io view view/http
       command/options command/report command/plot command/run command library)
ranks=$(for ((i = 0; i < ${#order[@]}; i++)); do echo "engine/${order[i]} $i"; done)
# above: prints "FILE:LINE includes FOLDER, which is above FOLDER", and files in a folder that is not in the order.
above()
{
    included '[<"]' | grep '^engine/' |
        sed -E 's|^([^:]*):([0-9]*):[^<"]*[<"]([^>"]*).*|\1 \2 \3|' | awk -v ranks="$ranks" '
        function folder_of(path) { sub(/\/[^\/]*$/, "", path); return path }
        BEGIN {
            n = split(ranks, line, "\n")
            for (i = 1; i <= n; i++) { split(line[i], part, " "); rank[part[1]] = part[2] }
        }
        {
            from = folder_of($1)
            to = index($3, "/") ? folder_of("engine/" $3) : from
            if ($3 ~ /^\.\.?\//)
                print $1 ":" $2 " includes " $3 ": files of other folders go by their path from engine/"
            if (!(from in rank) && !said[from]++) print from " has no place in the order of folders"
            if (to in rank && from in rank && rank[to] + 0 > rank[from] + 0)
                print $1 ":" $2 " includes " $3 ", and " to " is above " from
        }'
}
found=$(above)
[ -z "$found" ] || complain "engine/ is built from bottom to top (${order[*]}):"$'\n'"$found"

# engine/process does not know models. It uses errors of base, and text to print and to store.
found=$(in_folder engine/process "\"base/(error|escape|memory_stream)\.h\"|\"process/[a-z_]+\.h\"|<.*>")
[ -z "$found" ] || complain "engine/process knows nothing of models:"$'\n'"$found"

# Lines are short enough for two columns on a screen. Tables, lists and links of documents may be longer.
found=$(grep -E '\.(c|h|cu|cuh|sh|py|cmake)$|CMakeLists\.txt$' <<<"$all" | tr '\n' '\0' |
    LC_ALL=C.UTF-8 xargs -0 grep -nHE '^.{121,}' -- | cut -c1-100 || true)
[ -z "$found" ] || complain "lines have at most 120 characters:"$'\n'"$found"

# Names without meaning.
found=$(grep -iE '(^|/)(utils?|commons?|managers?|helpers?|misc)(\.|/|$)' <<<"$all" || true)
[ -z "$found" ] || complain "a file is named after the one thing it does:"$'\n'"$found"

# Packages come through the clients of a machine, from the registries that these are configured for.
hosts='(registry|files|index|deb|security|archive|ports|download|proxy|packages|repo|conda)'
hosts="$hosts\.[a-z-]+\.(org|com|io|dev|net)|[p]ypi\.org|[c]rates\.io"
found=$(tr '\n' '\0' <<<"$all" | xargs -0 grep -nIHE "$hosts" -- || true)
[ -z "$found" ] || complain "a package registry is named:"$'\n'"$found"

[ "$failures" -eq 0 ]
