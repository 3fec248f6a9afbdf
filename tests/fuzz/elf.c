/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer harness: whatever the bytes are, a plugin's check stays inside them, decides once, and
 * says one line if it refuses. */
#include "harness.h"
#include "plugin/elf.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mass_error error = {0};
    mass_elf_facts facts = {{UINT32_MAX, UINT32_MAX}};
    const mass_status status = mass_elf_check(bytes, size, "fuzz.so", &facts, &error);
    ALWAYS(status == error.status);
    if (status == MASS_OK) {
        ALWAYS(error.text[0] == '\0');
        ALWAYS(mass_abi_accepts((mass_abi){MASS_ABI_MAJOR, MASS_ABI_MINOR}, facts.abi));
    } else {
        ALWAYS(status == MASS_BAD_PLUGIN);
        ALWAYS(strstr(error.text, "fuzz.so") && !strchr(error.text, '\n'));
        ALWAYS(facts.abi.major == UINT32_MAX && facts.abi.minor == UINT32_MAX);
    }
    return 0;
}
