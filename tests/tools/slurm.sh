#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tries the files of data/slurm on a Slurm of its own, as this user: slurm.sh SOURCE BUILD
#
# munged, slurmctld and slurmd run in a scratch folder, without control groups. A run gets the signal that comes before
# the time limit, is requeued, and ends with the state of a run that was not interrupted. An array computes a sweep. The
# node has 64 cores and four GPUs in name only, and runs are on the CPU. The files for several ranks and machines are
# not run: sbatch checks their options, with one machine, and the shell their syntax.
set -eu
source=$1 build=$2
for file in "$source"/data/slurm/*.sbatch; do bash -n "$file"; done
for program in munged slurmctld slurmd sbatch; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null || { echo "Skipped: there is no $program"; exit 77; }
done
export PATH=$build/bin:$PATH:/usr/sbin
top=$(mktemp -d) processes=()
stop() { for p in "${processes[@]}"; do kill "$p" 2>/dev/null || true; done; wait; rm -rf "$top"; }
trap stop EXIT
fail() { echo "slurm: $*" >&2; tail -n 20 "$top"/log/* "$top"/*.out >&2 2>/dev/null || true; exit 1; }

# free_port: prints a port that nothing listens on.
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])'; }

mkdir -m 700 "$top"/{munge,state,spool,log}
dd if=/dev/urandom of="$top/munge/key" bs=128 count=1 2>/dev/null
chmod 400 "$top/munge/key"
host=$(hostname -s) user=$(id -un)
cat >"$top/slurm.conf" <<END
ClusterName=scratch
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$top/munge/socket
CredType=cred/munge
StateSaveLocation=$top/state
SlurmdSpoolDir=$top/spool
SlurmctldPidFile=$top/slurmctld.pid
SlurmdPidFile=$top/slurmd.pid
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
SlurmdParameters=config_overrides
ReturnToService=2
SchedulerParameters=sched_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=64 Gres=gpu:4 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
END
for gpu in null zero full random; do echo "Name=gpu File=/dev/$gpu"; done >"$top/gres.conf" # GPUs in name only
export SLURM_CONF=$top/slurm.conf
munged --foreground --force --socket="$top/munge/socket" --key-file="$top/munge/key" --pid-file="$top/munge/pid" \
    --seed-file="$top/munge/seed" --log-file="$top/log/munged" >"$top/log/munged.out" 2>&1 &
processes+=($!)
slurmctld -D >"$top/log/slurmctld" 2>&1 &
processes+=($!)
slurmd -D -N "$host" >"$top/log/slurmd" 2>&1 &
processes+=($!)
for _ in $(seq 100); do [ "$(sinfo -h -o %T 2>/dev/null)" != idle ] || break; sleep 0.2; done
[ "$(sinfo -h -o %T 2>&1)" = idle ] || fail "the node does not come up: $(sinfo 2>&1)"

# await TEXT COMMAND...: waits until the command prints the text.
await()
{
    local text=$1 i
    shift
    for i in $(seq 300); do if [[ "$("$@" 2>/dev/null)" == *"$text"* ]]; then return; fi; sleep 0.2; done
    fail "'$*' does not print '$text': $("$@" 2>&1)"
}
state_of() { scontrol show job "$1" | grep -o 'JobState=[A-Z]*'; }

cd "$top"
cat >run.yaml <<END
plugin: heat
size: 256x256
steps: 20000
seed: 1
device: cpu
checkpoint-every: 1000
END
job=$(sbatch --parsable --output="$top/run.out" "$source/data/slurm/one-gpu.sbatch" run.yaml out --threads 1)
await ckpt- ls out
scancel --signal=USR2 "$job.0"
await JobState=PENDING state_of "$job"
scontrol update JobId="$job" StartTime=now+3 # not after two minutes; slurmd refuses a job in the second of its requeue
await JobState=COMPLETED state_of "$job"
state=$(grep -o 'state [0-9a-f]*' run.out | tail -n 1)
mass-engine --run run.yaml --threads 1 --checkpoint whole 2>whole.out || fail "the whole run failed"
[ -n "$state" ] && grep -q "$state" whole.out || fail "the requeued run ended in another state: $state"

printf 'plugin: sugarscape\nsize: 30\nsteps: 20\nseed: 1\ndevice: cpu\n' >sweep.yaml
printf 'growback,vision_max\n1..4,2;6\n' >table.csv
job=$(sbatch --parsable --array=1-3 --output="$top/part-%a.out" "$source/data/slurm/sweep-array.sbatch" \
    sweep.yaml table.csv parts)
for part in 1 2 3; do await "worlds" cat "$top/part-$part.out"; done
for part in 1 2 3; do [ -f "parts/part-$part.h5" ] || fail "part $part has no results"; done
! grep -l 'Requeue' part-*.out || fail "a part was requeued"

for file in several-gpus several-machines; do
    sbatch --test-only --nodes=1 "$source/data/slurm/$file.sbatch" run.yaml out 2>"$file.out" ||
        fail "$file: $(cat $file.out)"
done
