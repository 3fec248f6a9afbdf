/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the memory of GPU 0 but for some, says "held" and keeps it until its standard input ends.
 * `hold_memory MIB_LEFT`; ends with 77 where there is no GPU. */
#include <stdio.h>
#include <stdlib.h>

enum { SKIPPED = 77 };

int main(int count, char **arguments)
{
    int devices;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return SKIPPED;
    const size_t left = (count > 1 ? strtoull(arguments[1], NULL, 10) : 1024) << 20;
    size_t available, total;
    void *memory;
    if (cudaMemGetInfo(&available, &total) != cudaSuccess) return 1;
    if (available > left && cudaMalloc(&memory, available - left) != cudaSuccess) return 1;
    puts("held");
    fflush(stdout);
    while (getchar() != EOF) continue;
    return 0;
}
