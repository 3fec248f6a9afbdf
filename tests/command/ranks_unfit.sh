#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Environments in which MPI starts no ranks: one line says what to do, whatever the launcher and libraries say, and
# what they said is in a file that the line names: ranks_unfit.sh MASS-ENGINE
set -u
command=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
fail() { echo "$*" >&2; cat "$scratch/err" >&2; failures=$((failures + 1)); }
life=("$command" life --size 64 --steps 5 --ranks 2 --device cpu --threads 1 --seed 1 --quiet)
mkdir "$scratch/tmp"
chmod 1777 "$scratch/tmp"
chmod 755 "$scratch"

"${life[@]}" 2>"$scratch/err" || { cat "$scratch/err"; echo "skipped: no ranks can be started here"; exit 77; }
[ ! -s "$scratch/err" ] || fail "a run that lacks nothing says something:"

# refused LINE COMMAND...
refused()
{
    local line=$1 status
    shift
    TMPDIR=${TMPDIR-$scratch/tmp} timeout -k 5 60 "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 1 ] || fail "$*: the status is $status:"
    { [ "$(wc -l <"$scratch/err")" -eq 1 ] && grep -qE -- "^mass-engine: $line" "$scratch/err"; } ||
        fail "$*: it does not say '$line' once, but:"
}

# kept WORDS: the file that the line names has them.
kept()
{
    local file
    file=$(sed -n 's/.*; what mpirun said is in //p' "$scratch/err")
    [ -n "$file" ] && grep -q -- "$1" "$file" || fail "'$1' is not in the file '$file' of:"
}

# Limits, folders and the network are looked at before anything is started.
refused '2 ranks need at least 4100 KiB of one file \(ulimit -f\), and 1 are allowed$' \
    bash -c 'ulimit -f 1; exec "$@"' life "${life[@]}"
TMPDIR=$command refused "no ranks can be started: .* in $command \(TMPDIR\): Not a directory: set TMPDIR to" \
    "${life[@]}"
TMPDIR='' TMP=$command refused "no ranks can be started: .* in $command \(TMP\): Not a directory: set TMPDIR to" \
    "${life[@]}"
if unshare -n true 2>/dev/null; then
    refused 'no ranks can be started: no network interface is up here, .*: bring the loopback interface up' \
        unshare -n "${life[@]}"
fi
user=$((61000 + $$ % 4000)) # of whom there is nothing else
if setpriv --reuid $user --clear-groups test -x "$command" 2>/dev/null; then
    refused '2 ranks need at least 12 processes and threads \(ulimit -u\) in addition to the . of this user, and 8 ' \
        setpriv --reuid $user --clear-groups bash -c 'ulimit -u 8; cd /; exec "$@"' life "${life[@]}"
fi

# What is found out only when the launcher runs: the line names what the environment has for it.
ended='mpirun ended with status [0-9]+ before the ranks had found each other: '
for set in OPAL_PREFIX=/nonexistent PMIX_MCA_gds=nonsense OMPI_MCA_btl=nonsense OMPI_MCA_rmaps=nonsense; do
    refused \
        "${ended}unset the variables for MPI in the environment \(${set%=*}\); what mpirun said is in $scratch/tmp/" \
        env "$set" "${life[@]}"
    kept .
done
mkdir "$scratch/bin"
printf '#!/bin/sh\nprintf "one\\ntwo without an end" >&2\nexit 3\n' >"$scratch/bin/mpirun"
chmod +x "$scratch/bin/mpirun"
PATH=$scratch/bin:$PATH refused "${ended}check that 'mpirun -n 2 true' runs here; what mpirun said is in " "${life[@]}"
kept '^one$'
kept '^two without an end$'

# Where ranks do start, all that is said comes through, also what others than the engine say before.
printf '#!/bin/sh\necho "a word before" >&2\nexec %s "$@"\n' "$(command -v mpirun)" >"$scratch/bin/mpirun"
PATH=$scratch/bin:$PATH "${life[@]}" >"$scratch/out" 2>"$scratch/err" || fail "with a launcher that says a word:"
[ "$(cat "$scratch/err")" = "a word before" ] || fail "what the launcher said has not come:"

[ "$failures" -eq 0 ]
