/* SPDX-License-Identifier: Apache-2.0 */
/* What can be known of a plugin's shared object before any of it runs: that it is whole, for this
 * machine, and of an ABI that this engine speaks. dlopen is no help there: it dies of SIGBUS in a
 * truncated file, and runs constructors before a version could be asked. */
#ifndef MASS_ENGINE_ELF_H
#define MASS_ENGINE_ELF_H

#include "base/error.h"

#include <stdbool.h>

typedef struct mass_abi {
    uint32_t major, minor;
} mass_abi;

typedef struct mass_elf_facts {
    mass_abi abi; /* what the plugin was built for */
} mass_elf_facts;

/* While the major number is 0, both numbers must be equal; from 1.0 on, the major numbers must be
 * equal and the plugin's minor number no higher than the engine's. */
bool mass_abi_accepts(mass_abi engine, mass_abi plugin);

/* Checks the bytes of a shared object, which need no alignment; `path` is for messages only. Every
 * refusal is MASS_BAD_PLUGIN and leaves *out untouched. What passes can still be a plugin that
 * crashes: this promises only that the loader stays inside the file. Pure; any thread. */
mass_status mass_elf_check(const uint8_t *bytes, size_t size, const char *path, mass_elf_facts *out,
                           mass_error *error);

/* As above for a file, of at most 1 GiB. MASS_NO_DEVICE if memory cannot hold it. */
mass_status mass_elf_check_file(const char *path, mass_elf_facts *out, mass_error *error);

#endif
