# SPDX-License-Identifier: Apache-2.0
# Sourced by the other scripts of this folder: packages of Debian and Ubuntu.

# The packages that building mass-engine takes.
mass_build_packages="build-essential cmake ninja-build pkg-config libhdf5-dev librandom123-dev libxxhash-dev \
libjansson-dev libyaml-dev libpng-dev libgif-dev libseccomp-dev libmicrohttpd-dev"

package_is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# need_packages PACKAGE...: installs those that are missing. Needs no network where none is.
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
    "${become[@]}" apt-get update -qq || echo "The list of packages could not be renewed; going on with the old one" >&2
    if ! "${become[@]}" apt-get install -qq --yes --no-install-recommends "${missing[@]}" >/dev/null; then
        echo "apt-get could not install ${missing[*]}: see its message above" >&2
        return 1
    fi
}
