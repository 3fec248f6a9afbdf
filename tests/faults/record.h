/* SPDX-License-Identifier: Apache-2.0 */
/* A record of all changes of files, in order: a line for each change, and after that of a write its bytes. Files have
 * the number of their inode; paths are absolute.
 *
 *     create INODE PATH · write INODE OFFSET SIZE · truncate INODE SIZE · sync INODE
 *     rename PATH TO-PATH · link PATH TO-PATH · unlink PATH · mkdir PATH · syncdir PATH
 *
 * Fields are separated by tabs. Any thread. Between recording_begin and _end, a call and its record are not interrupted
 * by others. */
#ifndef MASS_TEST_FAULTS_RECORD_H
#define MASS_TEST_FAULTS_RECORD_H

#include <stdbool.h>
#include <sys/types.h>

/* Returns false if nothing is recorded; then the others must not be called. */
bool recording_begin(void);
void recording_end(void);

/* Record a new file, and bytes that were written. */
void record_create(int file, int folder, const char *path);
void record_write(int file, off_t offset, ssize_t size, const void *bytes);
/* Records the content of the file there. */
void record_content(int file, off_t offset, ssize_t size);
/* Records the present size of the file. */
void record_size(int file);
void record_sync(int file);
/* `to` is NULL for operations with one path. */
void record_path(const char *what, int folder, const char *path, int to_folder, const char *to);

#endif
