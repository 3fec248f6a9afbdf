#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests the messages of configuring without some packages, and the folders of modules: configure.sh SOURCE
set -eu
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export CC=gcc

fail() { echo "$*" >&2; tail -40 "$scratch/log" >&2; exit 1; }
configure() { cmake -S "$source" -B "$scratch/build" -DMASS_CUDA=OFF "$@" >"$scratch/log" 2>&1; }
says() { grep -qF -- "$1" "$scratch/log" || fail "it does not say '$1', but:"; }

# A machine like this one without Criterion.
cat >"$scratch/pkg-config" <<END
#!/bin/sh
case " \$* " in *criterion*) exit 1 ;; esac
exec $(command -v pkg-config) "\$@"
END
chmod +x "$scratch/pkg-config"
configure "-DPKG_CONFIG_EXECUTABLE=$scratch/pkg-config" -DCMAKE_INSTALL_PREFIX=/usr ||
    fail "it takes Criterion to build without tests:"
says "no tests are built, since Criterion is not installed (libcriterion-dev)"
[ ! -e "$scratch/build/tests" ] || fail "there are tests without Criterion:"

# The program expects modules in ../lib/mass, even if the system has another folder for libraries.
grep -qF '}/lib/mass/plugins"' "$scratch/build/plugins/cmake_install.cmake" ||
    fail "with the prefix /usr, plugins are installed where the program does not look:"

# Without another package too; the message names each.
if configure -DMASS_TESTS=ON -DCMAKE_DISABLE_FIND_PACKAGE_GIF=ON; then
    fail "it does without libraries that it takes:"
fi
says "libgif-dev"
says "libcriterion-dev"
[ "$(grep -c 'CMake Error' "$scratch/log")" -eq 1 ] || fail "more than one error is said:"
