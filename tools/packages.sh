# SPDX-License-Identifier: Apache-2.0
# Sourced by the other scripts of this folder: packages of Debian and Ubuntu.

# The packages needed to build mass-engine and its Debian packages.
mass_build_packages="build-essential cmake ninja-build pkg-config file libhdf5-dev librandom123-dev libxxhash-dev \
libjansson-dev libyaml-dev libpng-dev libgif-dev libseccomp-dev libmicrohttpd-dev"

package_is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# install_packages COMMAND... -- PACKAGE...: installs them by COMMAND apt-get, and prints the progress of apt-get.
# Prints its errors if it fails.
install_packages()
{
    local become=() log
    while [ "$1" != -- ]; do become+=("$1"); shift; done
    shift
    log=$(mktemp)
    { "${become[@]}" apt-get install --yes --no-install-recommends "$@" 2>&1 || echo "apt-get failed"; } | tee "$log" |
        sed -un -e 's/^Need to get \(.*\) of archives.*/  apt-get fetches \1/p' \
            -e 's/^Setting up \([^ ]*\) .*/  installed \1/p'
    if [ "$(tail -n 1 "$log")" = "apt-get failed" ]; then
        grep -E '^[EW]: ' "$log" >&2 || cat "$log" >&2
        rm -f "$log"
        return 1
    fi
    rm -f "$log"
}

# need_packages PACKAGE...: installs those that are missing. If none is, it needs no network.
need_packages()
{
    local package missing=() become=()
    if ! command -v dpkg-query >/dev/null; then
        echo "This is neither Debian nor Ubuntu, so nothing is installed. It takes the counterparts of: $*"
        return
    fi
    for package; do package_is_installed "$package" || missing+=("$package"); done
    [ ${#missing[@]} -gt 0 ] || return 0

    if [ "$(id -u)" -ne 0 ]; then become=(sudo); fi
    if [ ${#become[@]} -gt 0 ] && ! { command -v sudo && { sudo -n true || [ -t 0 ]; }; } >/dev/null 2>&1; then
        echo "Packages are missing, and this user may not install them. As root, run" >&2
        echo "    apt-get update && apt-get install ${missing[*]}" >&2
        echo "and then this script again." >&2
        return 1
    fi
    echo "Installing ${missing[*]}"
    become+=(env DEBIAN_FRONTEND=noninteractive)
    echo "  apt-get renews its list of packages"
    "${become[@]}" apt-get update -qq || echo "The list of packages could not be renewed; going on with the old one" >&2
    if ! install_packages "${become[@]}" -- "${missing[@]}"; then
        echo "apt-get could not install ${missing[*]}: see its message above" >&2
        return 1
    fi
}
