/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file whose run is asked for: texts with ends, hashes of 32 digits or none, and of a foreign file
 * nothing. */
#include "harness.h"
#include "io/folder/ownership.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void check_hash(const char *hash, size_t room)
{
    const size_t length = strnlen(hash, room);
    ALWAYS(length < room && (length == 0 || length == 32));
    ALWAYS(strspn(hash, "0123456789abcdef") == length);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const mass_run_facts none;
    char path[40], why[300];
    mass_run_facts facts;
    const int file = memfd_create("file", MFD_CLOEXEC);
    ALWAYS(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const mass_file_kind kind = mass_file_facts(path, &facts);
    check_hash(facts.identity, sizeof facts.identity);
    check_hash(facts.run, sizeof facts.run);
    check_hash(facts.plugin_hash, sizeof facts.plugin_hash);
    check_hash(facts.schema, sizeof facts.schema);
    ALWAYS(strnlen(facts.plugin, sizeof facts.plugin) < sizeof facts.plugin);
    if (kind == MASS_FILE_FOREIGN) ALWAYS(memcmp(&facts, &none, sizeof facts) == 0);
    const mass_ownership itself = {.facts = facts};
    ALWAYS(mass_ownership_has(&itself, &facts, why));
    close(file);
    return 0;
}
