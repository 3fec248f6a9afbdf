#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests that a document shows the code of the files, and that its commands work: guide.sh DOCUMENT SOURCE BUILD ON|OFF
#
# The text after the backquotes and the language tells the kind of a block:
#     ```c docs/examples/x.c    is this file without the line of its license; blocks that name the same file are its
#                               parts, in order
#     ```c from docs/examples/x.c  is a part of this file, which the document builds elsewhere
#     ```sh run                 is run at the top of a copy of the source whose build/release is BUILD, and with its
#                               mass-engine on the PATH
#     ```python run             the same, if h5py is installed
#     ```python run xarray      the same, if xarray and h5netcdf are installed too; else it prints that it did not run
#     ```python run mass        the same, with the module mass, if NumPy is installed
#     ```python run sweep       the same, if NumPy and h5py are installed
#
# After a block that is run, in lines that readers do not see:
#     <!-- prints: TEXT -->     it printed TEXT
#     <!-- same state -->       all states that it printed are the same
# The last argument tells if plugins are built with device code.
set -eu
document=$1 source=$2 release=$3 cuda=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { echo "$document, line $number: $*" >&2; [ ! -s "$scratch/output" ] || tail -40 "$scratch/output" >&2; exit 1; }

mkdir "$scratch/top" "$scratch/top/build" "$scratch/quoted"
for name in data docs sdk plugins; do ln -s "$source/$name" "$scratch/top/$name"; done
ln -s "$release" "$scratch/top/build/release"

# One architecture is enough here; a driver compiles it for its own. So are one instruction set and little optimisation:
# tests/hashes builds these models for all sets, with all of it.
cat >"$scratch/toolchain.cmake" <<END
set(MASS_CUDA $cuda CACHE STRING "")
set(MASS_CUDA_ARCHITECTURES 75-virtual CACHE STRING "")
set(MASS_OPTIMIZE -O1 CACHE STRING "")
set(CMAKE_C_FLAGS_INIT "-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Werror")
string(APPEND CMAKE_C_FLAGS_INIT " -DMASS_BASELINE_ONLY")
END
export PATH=$release/bin:$PATH
export CC=gcc CMAKE_TOOLCHAIN_FILE=$scratch/toolchain.cmake

# python_with MODULES: prints a Python that has them, or nothing.
python_with()
{
    local candidate
    for candidate in python3 /usr/bin/python3; do
        if $candidate -c "import $1" 2>/dev/null; then echo "$candidate"; return; fi
    done
}
h5py_python=$(python_with h5py) xarray_python=$(python_with h5py,xarray,h5netcdf) mass_python=$(python_with numpy)
sweep_python=$(python_with numpy,h5py)
export PYTHONPATH=$source/sdk/python PYTHONDONTWRITEBYTECODE=1 MASS_LIBRARY=$release/lib/libmass.so

run_block() # LANGUAGE [COMMAND...], no command where there is none
{
    local language=$1 command=("${@:2}")
    skipped=
    if [ -z "${command[0]}" ]; then
        echo "$document, line $number: not run: no python3 has what it takes:${words#python run}" >&2
        skipped=yes
        return
    fi
    (cd "$scratch/top" && "${command[@]}" "$scratch/block") >"$scratch/output" 2>&1 </dev/null ||
        fail "the $language block that ends here failed with status $?:"
}

quote_block() # FILE
{
    local whole lines
    [ -e "$source/$1" ] || fail "there is no $1"
    whole=$'\n'$(<"$source/$1")$'\n' lines=$'\n'$(<"$scratch/block")$'\n'
    [[ $whole == *"$lines"* ]] || fail "the block that ends here is not in $1"
}

end_block()
{
    case $words in
    "sh run") run_block sh bash -euo pipefail ;;
    "python run") run_block python "$h5py_python" ;;
    "python run mass") run_block python "$mass_python" ;;
    "python run sweep") run_block python "$sweep_python" ;;
    "python run xarray") run_block python "$xarray_python" ;;
    *" from "*) quote_block "${words##* from }" ;;
    *" "*/*)
        local file=${words#* }
        [ -e "$source/$file" ] || fail "there is no $file"
        mkdir -p "$scratch/quoted/$(dirname "$file")"
        cat "$scratch/block" >>"$scratch/quoted/$file"
        echo "$file" >>"$scratch/files"
        ;;
    esac
}

check_line() # TEXT
{
    [ -z "$skipped" ] || return 0
    case $1 in
    '<!-- prints: '*' -->')
        local text=${1#<!-- prints: }
        grep -qF -- "${text% -->}" "$scratch/output" || fail "it printed no '${text% -->}', but:"
        ;;
    '<!-- same state -->')
        [ "$(grep -c '^  state ' "$scratch/output")" -gt 1 ] || fail "it printed no two states, but:"
        [ "$(grep '^  state ' "$scratch/output" | sort -u | wc -l)" -eq 1 ] || fail "its states differ:"
        ;;
    esac
}

number=0 words='' inside='' skipped=yes checked=0
: >"$scratch/files"
while IFS= read -r line; do
    number=$((number + 1))
    case $inside$line in
    '```'*) inside=in words=${line#'```'}; : >"$scratch/block" ;;
    'in```') end_block; inside=''; checked=$((checked + 1)) ;;
    in*) printf '%s\n' "$line" >>"$scratch/block" ;;
    *) check_line "$line" ;;
    esac
done <"$source/$document"

[ -z "$inside" ] && [ $checked -gt 0 ] || fail "a block has no end, or there is none"
: >"$scratch/output"
sort -u "$scratch/files" | while IFS= read -r file; do
    grep -v 'SPDX-License-Identifier: Apache-2[.]0' "$source/$file" |
        diff -u --label "$file" --label "$document" - "$scratch/quoted/$file" ||
        fail "what it shows of $file is not what is there"
done
