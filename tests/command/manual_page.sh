#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The manual pages are clean, and have every option: manual_page.sh FOLDER MASS-ENGINE
set -eu
folder=$1 engine=$2
fail() { echo "$*" >&2; exit 1; }

check() # PAGE COMMAND...
{
    local page=$folder/$1 words option
    shift
    command -v groff >/dev/null || fail "groff is not installed: it comes with man-db"
    words=$(groff -man -Tutf8 -ww -P-c "$page" 2>&1 >/dev/null)
    [ -z "$words" ] || fail "$page: $words"
    if command -v mandoc >/dev/null; then mandoc -T lint -W error "$page" || fail "$page: mandoc has errors"; fi
    words=$(MANWIDTH=78 groff -man -Tascii -P-cbou "$page")
    for option in $("$@" --help | grep -oE '^  (-h, )?--?[a-z-]+' | sed 's/-h, //'); do
        grep -qE -- "^ +(-h, )?$option([[ ]|$)" <<<"$words" || fail "$page has no $option"
    done
    grep -q "^NAME" <<<"$words" && grep -q "^SEE ALSO" <<<"$words" || fail "$page lacks a part"
}
check mass-engine.1 "$engine"
check mass-engine-plot.1 "$engine" plot
