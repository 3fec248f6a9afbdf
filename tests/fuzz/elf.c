/* libFuzzer harness: whatever the bytes are, a plugin's check stays inside them, decides once, and
 * says one line if it refuses. */
#include "plugin/elf.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void hold(int promise)
{
    if (!promise) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mass_error error = {0};
    mass_elf_facts facts = {{UINT32_MAX, UINT32_MAX}};
    const mass_status status = mass_elf_check(bytes, size, "fuzz.so", &facts, &error);
    hold(status == error.status);
    if (status == MASS_OK) {
        hold(error.text[0] == '\0');
        hold(mass_abi_accepts((mass_abi){MASS_ABI_MAJOR, MASS_ABI_MINOR}, facts.abi));
    } else {
        hold(status == MASS_BAD_PLUGIN);
        hold(strstr(error.text, "fuzz.so") && !strchr(error.text, '\n'));
        hold(facts.abi.major == UINT32_MAX && facts.abi.minor == UINT32_MAX);
    }
    return 0;
}
