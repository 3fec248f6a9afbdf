/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a plugin's shared object before any of its code runs: it is complete, for this machine, and of an ABI that
 * this engine accepts. The function dlopen cannot do that. It dies of SIGBUS in a truncated file, and runs constructors
 * before the engine can read a version. */
#ifndef MASS_ENGINE_ELF_H
#define MASS_ENGINE_ELF_H

#include "base/error.h"

#include <stdbool.h>

typedef struct mass_abi {
    uint32_t major, minor;
} mass_abi;

typedef struct mass_elf_facts {
    mass_abi abi; /* the ABI that the plugin was built for */
} mass_elf_facts;

/* Returns whether an engine accepts a plugin's ABI. While the major number is 0, both numbers must be equal. From 1.0
 * on, the major numbers must be equal and the plugin's minor number no higher than the engine's. */
bool mass_abi_accepts(mass_abi engine, mass_abi plugin);

/* Checks the bytes of a shared object, which need no alignment. `path` is only for messages. Every refusal returns
 * MASS_BAD_PLUGIN and leaves *out unchanged. A file that passes may still crash; the check only guarantees that the
 * loader reads nothing outside the file. Pure; any thread. */
mass_status mass_elf_check(const uint8_t *bytes, size_t size, const char *path, mass_elf_facts *out,
                           mass_error *error);

/* Checks a file of at most 1 GiB as mass_elf_check does. Returns MASS_NO_DEVICE if memory cannot hold it. */
mass_status mass_elf_check_file(const char *path, mass_elf_facts *out, mass_error *error);

#endif
