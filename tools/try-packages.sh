#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian packages and tries them on a clean Debian: tools/try-packages.sh [FOLDER]
#
# debootstrap makes a minimal Debian of this machine's release in FOLDER (build/clean), once. In a copy of it, apt
# installs the packages, every model runs, and plugins are built with the SDK. In another copy, every command of
# README.md runs, in its order, in a fresh clone of the present commit. Only git's clone is there before: an earlier
# command must install everything that a command needs.
#
# Needs root, the network and some minutes. It prints only its steps. The packages remain in build/release/packages.
set -euo pipefail
cd "$(dirname "$0")/.."
clean=$(realpath -m "${1:-build/clean}")
packages=build/release/packages
. tools/packages.sh

[ "$(id -u)" -eq 0 ] || { echo "it takes root to make a clean Debian" >&2; exit 1; }
# shellcheck disable=SC2086 # a list of words
need_packages $mass_build_packages libopenmpi-dev debootstrap dpkg-dev file git

echo "== packages"
rm -rf "$packages"
mkdir -p build
[ -e build/release/CMakeCache.txt ] || cmake --preset release -G Ninja -DMASS_TESTS=OFF >build/packages.log
cmake --build --preset release --parallel "$(nproc)" >build/packages.log
cpack --preset release >>build/packages.log 2>&1 || { cat build/packages.log >&2; exit 1; }
ls "$packages"/*.deb

if [ ! -e "$clean/etc/debian_version" ]; then
    echo "== a clean Debian in $clean"
    debootstrap --variant=minbase "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$clean" >build/debootstrap.log ||
        { tail -5 build/debootstrap.log >&2; exit 1; }
fi

root=$clean-tried
cleanup() { rm -rf --one-file-system "$root"; }
trap cleanup EXIT
# Makes a copy of the clean Debian in $root.
renew()
{
    cleanup
    cp -a --reflink=auto "$clean" "$root"
    cp /etc/resolv.conf "$root/etc/"
}
# inside: runs the script on its standard input, in $root, with a /proc of its own and nothing else of this machine.
inside()
{
    unshare --mount --pid --fork --mount-proc="$root/proc" chroot "$root" /usr/bin/env -i \
        PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive bash -euo pipefail
}

renew
mkdir "$root/packages"
cp "$packages"/*.deb "$root/packages/"
inside <<'END'
get() { apt-get -qq --yes --no-install-recommends install "$@" >/tmp/apt.log 2>&1 || { cat /tmp/apt.log; exit 1; }; }
apt-get -qq update
cd /tmp

echo "== mass-engine"
get /packages/mass-engine_*.deb
for model in life heat sugarscape minesweeper vector wolf-sheep schelling boltzmann el-farol boids slime \
    circles epidemic voter innovation; do
    mass-engine --plugin $model --seed 1 --steps 20 --checkpoint $model
    mass-engine --resume $model --steps 25 --quiet
done
mass-engine --plugin histogram --set input=/usr/bin/mass-engine --seed 1
mass-engine --plugin life --set pattern=/usr/share/mass/data/acorn.rle --size 256x256 --seed 1 --quiet --image life.png

if ls /packages/mass-engine-cuda_*.deb >/dev/null 2>&1; then
    echo "== mass-engine-cuda"
    get /packages/mass-engine-cuda_*.deb
    mass-engine --version --verbose
    status=0
    mass-engine --plugin life --steps 1 --device cuda || status=$?
    [ $status -eq 0 ] || [ $status -eq 5 ] # 5: there is no GPU
fi

echo "== mass-engine-mpi"
get /packages/mass-engine-mpi_*.deb
mass-engine life --ranks 2 --seed 1 --steps 20 --checkpoint ranks
mass-engine --resume ranks --steps 25 --quiet

echo "== mass-engine-view"
get /packages/mass-engine-view_*.deb
mass-engine life --steps 10 --view --seed 1 2>&1 | grep -q 'http://127.0.0.1:'

echo "== mass-sdk"
get /packages/mass-sdk_*.deb gcc libc6-dev pkg-config cmake make
cp -r /usr/share/mass/template majority
cmake -S majority -B majority/build >/dev/null
cmake --build majority/build
gcc -O3 -fPIC -shared $(pkg-config --cflags mass) -o majority/majority.so majority/*.c $(pkg-config --libs mass)
for plugin in majority/build/majority.so majority/majority.so; do
    mass-engine --plugin ./$plugin --size 64x64 --steps 100 --seed 1
done 2>&1 | tee majority.txt
[ "$(grep '^  state ' majority.txt | sort | uniq -c | awk '{ print $1 }')" = 2 ]
cp -r /usr/share/mass/examples/forest-fire .
cmake -S forest-fire -B forest-fire/build >/dev/null
cmake --build forest-fire/build
mass-engine --plugin forest-fire/build/forest-fire.so --size 64x64 --steps 100 --seed 1

gcc $(pkg-config --cflags libmass) -o ants /usr/share/mass/examples/engine/ants.c $(pkg-config --libs libmass)
./ants

echo "== python3-mass"
get /packages/python3-mass_*.deb
python3 -c 'import mass; m = mass.Model("sugarscape", size=64, seed=1); m.step(50); print(m, m.tallies)'

apt-get -qq --yes purge python3-mass mass-engine mass-sdk >/dev/null
left=$(find /usr /etc -name '*mass*' -path '*mass*' ! -path '/usr/share/perl*' | grep -E '/mass(-|$|\.pc)' || true)
[ -z "$left" ] || { echo "removing the packages leaves $left"; exit 1; }
END

# readme_commands README: prints its blocks of sh and of Python as one script. A block that serves pages is ended as by
# Ctrl-C once it has printed the address.
readme_commands()
{
    awk '
        !inside && /^```(sh|python)/ { inside = 1; kind = $0; sub(/^```/, "", kind); body = ""; next }
        inside && /^```$/ {
            inside = 0
            printf "echo \"== README.md, before line %d\"\n", NR
            if (kind ~ /serves/)
                printf "(exec %s) >served.log 2>&1 &\nuntil_served $!\n", substr(body, 1, length(body) - 1)
            else if (kind ~ /^python/) printf "python3 - <<\"END_OF_BLOCK\"\n%sEND_OF_BLOCK\n", body
            else printf "%s", body
            next
        }
        inside { body = body $0 "\n" }' "$1"
}

echo "== every command of README.md, in a fresh clone"
renew
git clone --quiet . "$root/mass-engine"
echo 'APT::Get::Assume-Yes "true";' >"$root/etc/apt/apt.conf.d/yes" # the reader says yes
{
    cat <<'END'
cd /mass-engine
sudo() { "$@"; } # the reader is root here
until_served() # PID
{
    local tries=0
    until grep -q 'http://127.0.0.1:' served.log; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] && kill -0 "$1" || { cat served.log; exit 1; }
        sleep 0.1
    done
    kill -INT "$1"
    wait "$1" || true
    rm served.log
}
END
    readme_commands README.md
} >"$root/commands.sh"
inside <<<'bash -euo pipefail /commands.sh </dev/null'
left=$(git -C "$root/mass-engine" status --porcelain)
[ -z "$left" ] || { echo "README.md's commands leave in the clone: $left"; exit 1; }
echo "== all of it works"
