# SPDX-License-Identifier: Apache-2.0
# Completion of mass-engine in bash, which asks the program (engine/command/complete.h).

_mass_engine()
{
    local words=() joined='' word tail before line ending i
    # bash takes = and : for words of their own.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ ${#words[@]} -gt 0 && $joined$word == [=:]* ]]; then words[-1]+=$word; else words+=("$word"); fi
        joined=''
        if [[ $word == *[=:] ]]; then joined='='; fi
    done
    # What is put in place of the word begins behind the last of them.
    tail=${words[-1]}
    if [[ $COMP_WORDBREAKS == *=* ]]; then tail=${tail##*=}; fi
    if [[ $COMP_WORDBREAKS == *:* ]]; then tail=${tail##*:}; fi
    before=${words[-1]%"$tail"}

    COMPREPLY=()
    while IFS= read -r line; do
        word=${line%%$'\t'*}
        case $word in
        :folder)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -d -- "$tail")
            ;;
        :file*)
            compopt -o filenames
            mapfile -t COMPREPLY < <(
                if [ "$word" = :file ]; then compgen -f -- "$tail"; else compgen -d -- "$tail"; fi
                for ending in ${word#:file}; do compgen -f -X "!*$ending" -- "$tail"; done)
            ;;
        *)
            COMPREPLY+=("${word#"$before"}")
            if [[ $word == *= ]]; then compopt -o nospace; fi
            ;;
        esac
    done < <("$1" --complete "${words[@]}" 2>/dev/null)
}

complete -F _mass_engine mass-engine
