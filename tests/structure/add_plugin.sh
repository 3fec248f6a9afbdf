#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests what mass_add_plugin() builds and refuses: add_plugin.sh SOURCE
set -eu
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export CC=gcc

fail() { echo "$*" >&2; [ ! -e "$scratch/log" ] || tail -40 "$scratch/log" >&2; exit 1; }

# A model of one callback, whose body gives v the value BODY; of the host's side it calls the C library.
# write BODY
write()
{
    cat >"$scratch/model.c" <<END
#include <mass/model.h>
#include <math.h>
#if MASS_HOST
double one(mass_host *host); /* in host.c */
#endif
MASS_SPACE(line, 1, .size = {8})
MASS_CONSTANT(double, nothing, 0)
MASS_ATTRIBUTE(line, double, value, .initial = &(const double){one(host) * exp(VALUE(nothing))})
MASS_MAP(change, UPDATES(value))
{
    const double v = OUT(value);
    OUT(value) = $1;
}
MASS_SCHEDULE(STEPS(change))
MASS_PLUGIN(.name = "model", .version = "1", .help = "changes");
END
}
cat >"$scratch/host.c" <<'END'
#include <mass/plugin.h>
#include <math.h>
double one(mass_host *host);
double one(mass_host *host) { return exp(sin(0.0 * (double)mass_run_of(host)->seed(host))); }
END

# build OPTION... < arguments of mass_add_plugin(model ...): returns 0 if it is built; $scratch/log has its output
build()
{
    rm -rf "$scratch/build"
    printf 'cmake_minimum_required(VERSION 3.25)\nproject(model LANGUAGES C)\nfind_package(mass REQUIRED)\n%s\n' \
        "mass_add_plugin(model $(cat))" >"$scratch/CMakeLists.txt"
    { cmake -S "$scratch" -B "$scratch/build" -Dmass_DIR="$source/sdk/cmake" "$@" && cmake --build "$scratch/build"; } \
        >"$scratch/log" 2>&1
}

says() { grep -qF -- "$1" "$scratch/log" || fail "it does not say '$1', but:"; }

off=-DMASS_CUDA=OFF
write 'mass_exp_f64(v) + sqrt(v) + floor(v) + fabs(v) + fma(v, v, v)'
build $off <<<"SOURCES host.c MODEL model.c" || fail "a plain model is not built:"
says "mass: no device code, since MASS_CUDA is OFF"

write 'exp(v) + (double)sinf((float)v)'
if build $off <<<"SOURCES host.c MODEL model.c"; then fail "the C library's exp is built into a callback"; fi
says "model.c: error: the C library's exp sinf gives other bits on other devices"

write 'sin(v) * cos(v)' # which compilers make a sincos of
if build $off <<<"SOURCES host.c MODEL model.c"; then fail "the C library's sincos is built into a callback"; fi
says "other bits"

write 'v + rand() + random() + (double)time(NULL) + (double)clock()'
sed -i 's/^#include <math.h>/&\n#include <stdlib.h>\n#include <time.h>/' "$scratch/model.c"
if build $off <<<"SOURCES host.c MODEL model.c"; then fail "the C library's rand and time are built into a callback"; fi
says "model.c: error: the C library's rand random gives other bits on other devices and in every run: use RANDOM(draw)"
says "model.c: error: the C library's clock time gives other bits in every run: use STEP, or a parameter"
write 'clock(v) + times(v) + (puts("hears"), 0)' # functions of its own, and one that changes nothing
own='__attribute__((noinline)) static double clock(double v) { return v + 1; }\
double times(double v);\
__attribute__((noinline)) double times(double v) { return v + 2; }'
sed -i "s/^MASS_SPACE/#include <stdio.h>\\n$own\\n&/" "$scratch/model.c"
build $off <<<"SOURCES host.c MODEL model.c" || fail "a function that is called as one of the C library is refused:"

write 'v + scale++'
sed -i 's/^MASS_SPACE/static double scale;\n&/' "$scratch/model.c"
if build $off <<<"SOURCES host.c MODEL model.c"; then fail "a variable of the file is built into a callback"; fi
says "model.c: error: a callback uses the file's variable scale, which no GPU has and all threads share"

write 'v + 1'
if build $off <<<"SOURCES host.c model.c"; then fail "a callback in SOURCES is built"; fi
says "change gets no GPU code here"
build $off <<<"CPU_ONLY SOURCES host.c model.c" || fail "a callback in SOURCES of a CPU_ONLY plugin is not built:"

if build $off <<<"MODEL model.c host.c"; then fail "two files of MODEL are built"; fi
says "what is host.c? MODEL takes one file"

# A name of the system or of CMake is refused, with one error of one sentence.
for name in m c pthread "stdc++" test install 'a b'; do
    printf 'cmake_minimum_required(VERSION 3.25)\nproject(model LANGUAGES C)\nfind_package(mass REQUIRED)\n%s\n' \
        "mass_add_plugin(\"$name\" MODEL model.c)" >"$scratch/CMakeLists.txt"
    rm -rf "$scratch/build"
    if cmake -S "$scratch" -B "$scratch/build" -Dmass_DIR="$source/sdk/cmake" $off >"$scratch/log" 2>&1; then
        fail "a plugin called '$name' is taken"
    fi
    says "mass_add_plugin($name): "
    [ "$(grep -c 'CMake Error' "$scratch/log")" -eq 1 ] ||
        fail "more than one error is said of a plugin called '$name':"
done

# Frequent mistakes of authors give warnings, or errors if nothing useful can result.
write 'v + other'
sed -i 's/^{$/{\n    double other;/' "$scratch/model.c"
build $off <<<"SOURCES host.c MODEL model.c" || fail "a variable without a value is an error:"
says "-Wuninitialized"
cat >>"$scratch/model.c" <<'END'
int nothing(void) { }
const char *text = 5;
double *pointer(int *i) { return i; }
END
if build $off <<<"SOURCES host.c MODEL model.c"; then fail "mistakes are built"; fi
for mistake in return-type int-conversion incompatible-pointer-types; do says "-Werror=$mistake"; done

write 'v + 1'
if build -DMASS_CUDA=maybe <<<"SOURCES host.c MODEL model.c"; then fail "MASS_CUDA=maybe is taken"; fi
says "MASS_CUDA is maybe"

# Device code is for those GPUs of this machine that nvcc knows; without one, for the usual ones.
mkdir -p "$scratch/new/bin"
printf '#!/bin/sh\ncase $1 in --version) echo "release 13.0," ;; *) printf "sm_75\nsm_80\nsm_90\nsm_120\n" ;; esac\n' \
    >"$scratch/new/bin/nvcc"
printf '#!/bin/sh\nprintf "12.0\n9.0\n12.0\n99.0\n"\n' >"$scratch/new/bin/nvidia-smi"
chmod +x "$scratch/new/bin"/*
made_for() # ARCHITECTURES [OPTION...]
{
    rm -rf "$scratch/gpu"
    mkdir "$scratch/gpu"
    printf 'cmake_minimum_required(VERSION 3.25)\nproject(gpu LANGUAGES C)\nfind_package(mass REQUIRED)\n' \
        >"$scratch/gpu/CMakeLists.txt"
    cmake -S "$scratch/gpu" -B "$scratch/gpu/build" "-Dmass_DIR=$source/sdk/cmake" \
        "-DMASS_NVCC=$scratch/new/bin/nvcc" "${@:2}" >"$scratch/log" 2>&1 || fail "it does not configure:"
    says "release 13.0, for $1"
}
made_for "120 90" "-DMASS_NVIDIA_SMI=$scratch/new/bin/nvidia-smi"
made_for "80-real 90-real 75-virtual" -DMASS_NVIDIA_SMI=/bin/false
made_for "86-real" "-DMASS_NVIDIA_SMI=$scratch/new/bin/nvidia-smi" -DMASS_CUDA_ARCHITECTURES=86-real

# An nvcc that is too old counts as none.
mkdir "$scratch/old" "$scratch/old/bin"
printf '#!/bin/sh\necho "Cuda compilation tools, release 12.9, V12.9.86"\n' >"$scratch/old/bin/nvcc"
chmod +x "$scratch/old/bin/nvcc"
CUDA_PATH=$scratch/old build "-DCMAKE_PREFIX_PATH=$scratch/old" <<<"SOURCES host.c MODEL model.c" ||
    fail "a model is not built where nvcc is too old:"
says "mass: no device code, since there is no nvcc of CUDA 13"
