/* SPDX-License-Identifier: Apache-2.0 */
/* Writes every crafted file of a whole one, small enough to be kept, as seeds for the fuzz harnesses. */
#include "crafting/crafting.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES_MOST = 9000 };

static void put_file(const char *from, const char *to, const char *start)
{
    static char bytes[BYTES_MOST];
    FILE *in = fopen(from, "rbe");
    const size_t size = in ? fread(bytes, 1, sizeof bytes, in) : 0;
    if (in) fclose(in);
    if (size == 0 || size == sizeof bytes) return;
    FILE *out = fopen(to, "wbe");
    if (!out || fputs(start, out) < 0 || fwrite(bytes, 1, size, out) != size || fclose(out) != 0) abort();
}

int main(int count, char *arguments[])
{
    if (count < 5) {
        fprintf(stderr, "craft-files WHOLE GROUP SET FOLDER [START]: START is what every seed begins with\n");
        return 2;
    }
    const char *start = count > 5 ? arguments[5] : "";
    for (size_t i = 0; craft_at(i); i++) {
        char work[] = "/tmp/craft-XXXXXX", to[4096];
        const int file = mkstemp(work);
        if (file < 0) return 1;
        close(file);
        craft_repack(arguments[1], work);
        const craft_scene scene = {.path = work, .group = arguments[2], .set = arguments[3], .victim = "victim.h5",
                                   .small = true};
        if (craft_applies(craft_at(i), &scene)) {
            craft_at(i)->make(&scene);
            snprintf(to, sizeof to, "%s/%s.h5", arguments[4], craft_at(i)->name);
            put_file(work, to, start);
        }
        unlink(work);
    }
    return 0;
}
