#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Adds the line of the license at the top of every source file that lacks it. With --check, it only lists these files,
# with status 1: tools/license-lines.sh [--check]
set -euo pipefail
cd "$(dirname "$0")/.."
check=
case "$*" in '') ;; --check) check=yes ;; *) echo "usage: tools/license-lines.sh [--check]" >&2; exit 2 ;; esac
line='SPDX-License-Identifier: Apache-2.0'

# Source files: those that git knows or would add, or everything outside build/.
sources()
{
    { git ls-files -co --exclude-standard 2>/dev/null || find . -path ./build -prune -o -path ./.git -prune -o -type f \
        -printf '%P\n'; } |
        grep -E '\.(c|h|cu|cuh|cpp|py|sh|cmake|pc\.in|bash|zsh|fish)$|(^|/)(_mass-engine|CMakeLists\.txt)$' | sort |
        while IFS= read -r file; do [ ! -f "$file" ] || echo "$file"; done
}

missing=$(sources | tr '\n' '\0' | xargs -0 awk -v line="$line" '
    FNR == 1 { if (file != "" && !found) print file; file = FILENAME; found = 0 }
    FNR <= 2 && index($0, line) { found = 1 }
    END { if (file != "" && !found) print file }')
[ -n "$missing" ] || exit 0
if [ -n "$check" ]; then
    printf 'These say nothing of the license at their top; tools/license-lines.sh mends that:\n%s\n' "$missing" >&2
    exit 1
fi

while IFS= read -r file; do
    case $file in *.c | *.h | *.cu | *.cuh | *.cpp) text="/* $line */" ;; *) text="# $line" ;; esac
    first=$(head -n 1 "$file")
    case $first in # a script's first line says who reads it, and that of a completion for zsh what is completed
    '#!'* | '#compdef'*) sed -i "1a $text" "$file" ;;
    *) sed -i "1i $text" "$file" ;;
    esac
done <<<"$missing"
