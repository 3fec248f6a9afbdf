#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Four hosts, each with a network, processes and a name of its own, on a slow line that loses packets: mpirun spreads a
# run over them by TCP, to the state of one rank; a signal to a rank of any host is the run's; and when a host is cut
# off, all end: hosts.sh some|all COMMAND
set -u
part=$1 command=$2
scratch=$(mktemp -d)
net=mh$$ # of the names in the kernel, which are short
hosts=(a b c d)
timeout_s=2 # --comm-timeout
failures=0
fail() { echo "$*" >&2; cat "$scratch/out" "$scratch/err" >&2; failures=$((failures + 1)); }
skip() { echo "skipped: $*"; exit 77; }

clean()
{
    local host
    [ -z "${main-}" ] || kill -KILL "$main"
    # The processes of a host end with its first.
    for host in "${hosts[@]}"; do [ ! -e "$scratch/$host.first" ] || kill -KILL "$(cat "$scratch/$host.first")"; done
    for host in "${hosts[@]}"; do ip netns del "$net$host"; done
    ip link del "$net"
    rm -rf "$scratch"
} 2>/dev/null
trap clean EXIT

if [ ! -e "$(dirname "$command")/../lib/mass/backends/mpi.so" ]; then
    skip "mass-engine is built without MPI (libopenmpi-dev)"
fi
for tool in mpirun:openmpi-bin ip:iproute2 tc:iproute2 unshare:util-linux nsenter:util-linux; do
    command -v "${tool%:*}" >/dev/null || skip "there is no ${tool%:*} (${tool#*:})"
done
[ "$(id -u)" -eq 0 ] || skip "only root makes network namespaces"
ip link add "$net" type bridge 2>"$scratch/why" || skip "no bridge can be made here: $(cat "$scratch/why")"
ip netns add "${net}a" 2>"$scratch/why" || skip "no network namespace can be made here: $(cat "$scratch/why")"
unshare --pid --fork --kill-child --uts --mount --mount-proc true 2>"$scratch/why" ||
    skip "no namespaces of processes can be made here: $(cat "$scratch/why")"

# slow DEVICE: what leaves by it comes late and at times not at all. A kernel without netem has a slow line with a short
# queue, from which packets fall when it is full.
slow()
{
    tc qdisc add dev "$1" root netem delay 1ms loss 1% 2>/dev/null && { line=netem; return; }
    tc qdisc add dev "$1" root tbf rate 20mbit burst 4kb limit 12kb && line="tbf, as there is no netem"
}

# make_host NUMBER: its first process sleeps, and is found by its number.
make_host()
{
    local host=${hosts[$1]} i
    [ "$1" -eq 0 ] || ip netns add "$net$host"
    ip link add "$net$host" type veth peer name eth0 netns "$net$host" &&
        ip link set "$net$host" master "$net" up &&
        ip -n "$net$host" addr add "10.231.7.$(($1 + 1))/24" dev eth0 &&
        ip -n "$net$host" link set eth0 up && ip -n "$net$host" link set lo up || return
    ip netns exec "$net$host" tc qdisc show >/dev/null
    slow "$net$host" || return
    ip netns exec "$net$host" unshare --pid --fork --kill-child --uts --mount --mount-proc \
        sh -c "hostname $net$host && exec sleep 1000" 2>/dev/null &
    disown
    for ((i = 0; i < 100; i++)); do
        first_of "$host" && return
        sleep 0.05
    done
    return 1
}

# first_of HOST: the process that is number 1 there, once it has named its host.
first_of()
{
    local id
    for id in $(ip netns pids "$net$1"); do
        [ "$(nsenter -t "$id" -u hostname)" = "$net$1" ] && [ "$(cat "/proc/$id/comm")" = sleep ] || continue
        echo "$id" >"$scratch/$1.first"
        return 0
    done
    return 1
}

# What mpirun calls in place of ssh: agent HOST COMMAND... It does not stay, so that mpirun knows of a host by its
# network alone.
write_agent()
{
    cat >"$scratch/agent" <<AGENT
#!/bin/sh
host=\${1#$net}
shift
exec setsid --fork nsenter -t "\$(cat $scratch/\$host.first)" -n -p -u -m sh -c "exec \$*"
AGENT
    chmod +x "$scratch/agent"
}

# launch ARGUMENT...: mass-engine on four hosts, in the background. $main is mpirun, which belongs to the first but for
# its processes: it has to reach the others.
launch()
{
    nsenter -t "$(cat "$scratch/a.first")" -n -u env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        OMPI_MCA_orte_execute_quiet=1 mpirun -n 4 --hostfile "$scratch/hosts" --map-by node --bind-to none \
        --mca plm rsh --mca plm_rsh_agent "$scratch/agent" --mca orte_keep_fqdn_hostnames 0 \
        --mca pml ob1 --mca btl self,tcp --mca btl_tcp_if_include 10.231.7.0/24 \
        --mca oob_tcp_if_include 10.231.7.0/24 --mca oob_tcp_keepalive_time 3 \
        --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 2 --mca mpi_yield_when_idle 1 \
        "$command" --device cpu --threads 1 "$@" >"$scratch/out" 2>"$scratch/err" &
    main=$!
}

# left: what a run leaves on these hosts, besides their first processes.
left()
{
    local host id
    for host in "${hosts[@]}"; do
        for id in $(ip netns pids "$net$host"); do
            case $(cat "/proc/$id/comm" 2>/dev/null) in orted | mpirun | mass-engine) echo "$host:$id" ;; esac
        done
    done
}

state() { sed -n 's/^  state //p' "$scratch/err"; }

# spread MODEL OPTION...: over four hosts it comes to the state of one rank.
spread()
{
    local one
    "$command" --device cpu "$@" --seed 5 >"$scratch/out" 2>"$scratch/err" || fail "$1: status $?:"
    one=$(state)
    launch "$@" --seed 5
    wait "$main" || fail "$* on four hosts: status $?:"
    [ -n "$one" ] && [ "$(state)" = "$one" ] || fail "$* on four hosts: not $one:"
    grep -q '4 ranks' "$scratch/err" || fail "$* on four hosts: not four ranks:"
}

# begin: a run without an end, until it has written a checkpoint.
begin()
{
    local i
    rm -rf "$scratch/run"
    launch life --size 96x64 --steps 100000000 --seed 5 --comm-timeout "$timeout_s" --checkpoint "$scratch/run" \
        --checkpoint-every 20
    for ((i = 0; i < 400; i++)); do
        compgen -G "$scratch/run/ckpt-*.h5" >/dev/null && return
        sleep 0.05
    done
    fail "four hosts write no checkpoint:"
}

# goes_on: one rank goes on from what a run left as if there had been no other.
goes_on()
{
    local newest last one
    newest=$(ls "$scratch"/run/ckpt-*.h5 | tail -1)
    last=${newest##*ckpt-}
    last=$((10#${last%.h5} + 10))
    "$command" --device cpu life --size 96x64 --seed 5 --steps $last >"$scratch/out" 2>"$scratch/err"
    one=$(state)
    "$command" --device cpu --resume "$scratch/run" --steps $last >"$scratch/out" 2>"$scratch/err"
    [ -n "$one" ] && [ "$(state)" = "$one" ] || fail "one rank goes on to another state:"
}

# signalled HOST NAME: the signal reaches the rank of that host alone; all end after the same step, with a checkpoint.
signalled()
{
    local id
    begin
    for id in $(ip netns pids "$net$1"); do
        [ "$(cat "/proc/$id/comm" 2>/dev/null)" != mass-engine ] || kill "-$2" "$id"
    done
    wait "$main"
    [ $? -eq 130 ] || fail "SIG$2 on one host: the status is another:"
    grep -q '^mass-engine: stopped at step ' "$scratch/err" || fail "SIG$2 on one host:"
    goes_on
}

# cut_off HOST: in the middle.
cut_off()
{
    local i began status
    begin
    ip link set "$net$1" down
    began=$SECONDS
    exec 3>&2 2>"$scratch/shell" # the shell has a word for a kill
    for ((i = 0; i < (timeout_s + 10) * 10; i++)); do
        [ -n "$(left)" ] || break
        sleep 0.1
    done
    [ -z "$(left)" ] || kill -KILL "$main"
    wait "$main"
    status=$?
    exec 2>&3 3>&-
    [ -z "$(left)" ] || fail "host $1 is cut off: after $((SECONDS - began)) s there are still $(left):"
    [ $status -ne 0 ] || fail "host $1 is cut off: the status is 0:"
    sed -i '/^\[/d' "$scratch/err" # what mpirun says of its connections
    { [ "$(grep -c . "$scratch/err")" -eq 1 ] && grep -qE "^mass-engine: rank [0-3] on ${net}[a-d]" "$scratch/err"; } ||
        fail "host $1 is cut off: not one line that names a rank and its host:"
    echo "four hosts, by $line; $1 was cut off, and all had ended $((SECONDS - began)) s later: $(cat "$scratch/err")"
    ip link set "$net$1" up
    goes_on
}

for i in 0 1 2 3; do make_host "$i" || skip "no host can be made here"; done
ip link set "$net" up
write_agent
for host in "${hosts[@]}"; do echo "$net$host slots=1"; done >"$scratch/hosts"
spread life --size 96x64 --steps 60
if [ "$part" = all ]; then
    spread sugarscape --size 40x33 --steps 20
    spread life --size 20x20 --worlds 6 --steps 30
    for signal in TERM INT USR2; do signalled d $signal; done
    for host in a b c d; do cut_off $host; done
fi
signalled c TERM
cut_off c
[ "$failures" -eq 0 ]
