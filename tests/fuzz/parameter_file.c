/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of parameters: refused in one line that names its line, or names and values, none twice. The
 * first byte chooses the language. */
#include "harness.h"
#include "command/options/parameter_file.h"

#include <string.h>

static size_t count_lines(const uint8_t *bytes, size_t size)
{
    size_t lines = 1;
    for (size_t i = 0; i < size; i++) lines += bytes[i] == '\n' || bytes[i] == '\r';
    return lines;
}

/* A line of the file; of YAML, which knows other ends of lines and other encodings, one that its bytes can make. */
static void check_line(const char *text, const char *path, bool json, const uint8_t *bytes, size_t size)
{
    unsigned long line = 0;
    ALWAYS(strncmp(text, path, strlen(path)) == 0);
    ALWAYS(sscanf(text + strlen(path), ", line %lu", &line) == 1);
    ALWAYS(line >= 1 && line <= (json ? count_lines(bytes, size) : size + 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0) return 0;
    const bool json = bytes[0] % 2;
    const char *path = json ? "f.json" : "f.yaml";
    mass_parameter_file f;
    mass_error error = {0};
    const mass_status status = mass_parameter_file_parse(path, bytes + 1, size - 1, &f, &error);
    ALWAYS(status == error.status && (status == MASS_OK || status == MASS_BAD_INPUT));
    if (status != MASS_OK) {
        check_line(error.text, path, json, bytes + 1, size - 1);
        for (const unsigned char *c = (const unsigned char *)error.text; *c; c++) ALWAYS(*c >= 0x20 && *c != 0x7f);
    }
    for (uint32_t i = 0; status == MASS_OK && i < f.count; i++) {
        check_line(f.settings[i].where, path, json, bytes + 1, size - 1);
        ALWAYS(strlen(f.settings[i].name) < size && strlen(f.settings[i].value) < 4 * size);
        for (uint32_t k = 0; k < i; k++) ALWAYS(strcmp(f.settings[k].name, f.settings[i].name) != 0);
    }
    mass_parameter_file_free(&f);
    return 0;
}
