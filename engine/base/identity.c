/* SPDX-License-Identifier: Apache-2.0 */
#include "base/identity.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static char writer[MASS_WRITER_SIZE];
static pthread_once_t writer_once = PTHREAD_ONCE_INIT;

bool mass_is_hex(const char *text, size_t digits)
{
    for (size_t i = 0; i < digits; i++)
        if (!text[i] || !strchr("0123456789abcdef", text[i])) return false;
    return true;
}

/* Puts up to 16 random bytes as hexadecimal digits and a zero byte. Returns false if the system gives none. */
static bool put_random(char *hex, size_t bytes)
{
    unsigned char random[16];
    if (getrandom(random, bytes, 0) != (ssize_t)bytes) return false;
    for (size_t i = 0; i < bytes; i++) snprintf(hex + 2 * i, 3, "%02x", random[i]);
    return true;
}

mass_status mass_identity_make(char identity[MASS_IDENTITY_SIZE], mass_error *error)
{
    const char *given = getenv("MASS_IDENTITY");
    if (given && (strlen(given) != MASS_IDENTITY_SIZE - 1 || !mass_is_hex(given, MASS_IDENTITY_SIZE - 1)))
        return mass_error_set(error, MASS_BAD_USAGE, "MASS_IDENTITY is not of 32 digits 0-9 and a-f: unset it");
    if (given) memcpy(identity, given, MASS_IDENTITY_SIZE);
    else if (!put_random(identity, MASS_IDENTITY_SIZE / 2))
        return mass_error_set(error, MASS_FAILED, "the system has no random bytes for a new run: %s", strerror(errno));
    return MASS_OK;
}

/* Sets `writer`. Falls back to the clock and the process number if the system has no random bytes: unique on one
 * machine. */
static void make_writer(void)
{
    struct timespec now;
    if (put_random(writer, MASS_WRITER_SIZE / 2)) return;
    clock_gettime(CLOCK_REALTIME, &now);
    const unsigned long long mixed = (unsigned long long)now.tv_nsec << 32 ^ (unsigned long long)getpid() << 16 ^
                                     (unsigned long long)now.tv_sec;
    snprintf(writer, sizeof writer, "%016llx", mixed);
}

const char *mass_writer(void)
{
    pthread_once(&writer_once, make_writer);
    return writer;
}
