# SPDX-License-Identifier: Apache-2.0
# Completion of mass-engine in fish, which asks the program (engine/command/complete.h).

function __mass_engine_complete
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    test (count $token) -eq 0; and set token ''
    type -q $words[1]; or return
    set -l name (string replace -r '^.*=' '' -- $token)
    set -l before (string sub -l (math (string length -- $token) - (string length -- $name)) -- $token)
    # What fish offers behind a command that it does not know, or as much of it as ends so.
    set -l files '__mass_engine_is_not_this '$name
    for line in ($words[1] --complete $words[2..-1] $token 2>/dev/null)
        switch $line
            case ':folder'
                printf '%s\n' $before(complete -C $files | string match -r '^.*/$')
            case ':file'
                printf '%s\n' $before(complete -C $files)
            case ':file *'
                set -l endings (string split ' ' -- (string replace ':file ' '' -- $line) | string escape --style=regex)
                printf '%s\n' $before(complete -C $files | string match -r '^.*(?:/|'(string join '|' $endings)')$')
            case '*'
                printf '%s\n' $line
        end
    end
end

complete -c mass-engine -f -a '(__mass_engine_complete)'
