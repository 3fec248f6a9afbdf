#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Completion of a shell: completion.sh bash|zsh|fish FOLDER MASS-ENGINE. Ends with 77 where the shell is not installed.
#
# Each shell completes the words of a line, as far as it can without a terminal. In bash the test calls the completion
# function. In zsh it runs the completion file, with replacements for the functions that the file calls. In fish the
# shell itself completes the line.
set -eu
shell=$1 folder=$2 engine=$3
if ! command -v "$shell" >/dev/null; then echo "$shell is not installed"; exit 77; fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
PATH=$(dirname "$engine"):$PATH
export HOME=$scratch folder
mkdir "$scratch/folder" "$scratch/further"
touch "$scratch/file.yaml" "$scratch/file.png"
cd "$scratch"

case $shell in
bash)
    "$shell" -n "$folder/mass-engine.bash"
    complete_line()
    {
        bash -c 'source "$folder/mass-engine.bash"; compopt() { :; }
                 COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _mass_engine mass-engine; printf "%s\n" "${COMPREPLY[@]}"' \
            bash "$@"
    }
    ;;
zsh)
    "$shell" -n "$folder/_mass-engine"
    complete_line()
    {
        zsh -f -c '_describe() { local -a all; all=("${(@P)2}"); print -l -- "${(@)all%%:*}" }
                   _files() { if [[ $1 == -/ ]]; then print -l *(/); else print -l ${~2}(.); fi }
                   compset() { }
                   words=("$@") CURRENT=$# PREFIX=$words[-1]; source "$folder/_mass-engine"' zsh "$@"
    }
    ;;
fish)
    "$shell" -n "$folder/mass-engine.fish"
    complete_line() { fish -c 'source $folder/mass-engine.fish; complete -C "'"$*"'"' | cut -f1 | sed 's,/$,,'; }
    ;;
esac

# expect "WHAT COMES" WORD...
expect()
{
    local expected=$1 found
    shift
    found=$(complete_line "$@" | sort | paste -sd' ')
    [ "$found" = "$expected" ] || { echo "$shell: '$*' becomes '$found', not '$expected'" >&2; exit 1; }
}
expect "life" mass-engine lif
expect "--checkpoint --checkpoint-every --checkpoint-parts" mass-engine life --chec
expect "density=" mass-engine life --set den
expect "auto" mass-engine --device a
expect "--bins" mass-engine plot x.h5 a --b
if [ "$shell" = bash ]; then
    expect "dead torus" mass-engine life --set edge =
    expect "auto" mass-engine --device = a
    expect "0" mass-engine --device cuda :
    expect "file.yaml folder further" mass-engine --params = f
    expect "file.png file.yaml folder further" mass-engine --load health = f
else
    expect "edge=dead edge=torus" mass-engine life --set edge=
fi
if [ "$shell" = zsh ]; then
    expect "file.yaml" mass-engine --params f
else
    expect "file.yaml folder further" mass-engine --params f
fi
expect "folder further" mass-engine --checkpoint f
