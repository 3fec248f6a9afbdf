/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the events of a run (io/input/events.h) from a checkpoint: the whole table as text, and how many of its rows
 * the state has. A function that returns bool, and says no more, returns false at the first fault, with the reader's
 * error set. */
#include "io/checkpoint/reader.h"
#include "io/input/events.h"

#include <stdlib.h>
#include <string.h>

/* Refuses any object of /events but its text. */
static bool check_link(mass_reader *r, hid_t group, const char *name)
{
    (void)group;
    return strcmp(name, "text") == 0 || mass_reader_damaged(r, "it holds '/events/%s'", name);
}

/* Reads the events' text, `bytes` long and without an end, after a check of its type and size. */
static bool read_text(mass_reader *r, hid_t group, uint64_t bytes, char *text)
{
    const mass_checkpoint_shape shape = mass_checkpoint_keys_shape("byte", bytes, 1);
    mass_column column = {0};
    const bool good = mass_column_begin(r, group, "text", H5T_STD_U8LE, &column) &&
                      mass_reader_check_type(r, column.set, H5T_STD_U8LE, "text") &&
                      mass_reader_check_extents(r, column.set, &shape, "text") &&
                      mass_reader_check_layout(r, column.set, &shape, 1, "text") &&
                      mass_column_read(&column, 0, bytes, text);
    mass_column_end(&column);
    return good;
}

/* Reads the events and checks their hash. Keeps the text only if the reader keeps values. */
static bool read_group(mass_reader *r, hid_t group)
{
    mass_recorded_events *e = &r->c->events;
    uint64_t bytes;
    char said[33], found[33];
    if (!mass_reader_u64(r, group, "applied", MASS_EVENTS_MOST, &e->applied) ||
        !mass_reader_u64(r, group, "bytes", MASS_EVENTS_BYTES_MOST, &bytes) ||
        !mass_reader_hash(r, group, "hash", said))
        return false;
    if (bytes == 0) return mass_reader_damaged(r, "its events have no bytes");
    char *text = malloc(bytes + 1);
    if (!text) return mass_reader_no_memory(r, bytes);
    bool good = read_text(r, group, bytes, text);
    if (good) mass_checkpoint_hash_bytes(text, bytes, found);
    if (good && strcmp(said, found) != 0) good = mass_reader_damaged(r, "its events are not those written");
    text[bytes] = '\0';
    if (good && r->keeps) {
        e->text = text;
        e->size = bytes;
    } else free(text);
    return good;
}

/* Reads /events, if there is one, and refuses other objects in it. */
bool mass_reader_events(mass_reader *r)
{
    if (H5Lexists(r->c->file, "events", H5P_DEFAULT) <= 0) return true;
    const hid_t group = mass_reader_group(r, r->c->file, "events");
    if (group < 0) return false;
    const bool good = read_group(r, group);
    H5Gclose(group);
    return good && mass_reader_walk(r, r->c->file, "events", check_link);
}
