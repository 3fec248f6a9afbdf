/* SPDX-License-Identifier: Apache-2.0 */
#include "command/options/wrap.h"
#include "base/escape.h"

#include <stdbool.h>
#include <string.h>

/* Returns the number of characters, not bytes, of a text. A byte that is not UTF-8 counts as one. */
static int columns_of(const char *text, size_t length)
{
    int columns = 0;
    for (size_t i = 0, bytes; i < length; i += bytes ? bytes : 1) {
        bytes = mass_utf8_bytes(text + i, length - i);
        columns++;
    }
    return columns;
}

/* Prints a line, broken between words at MASS_FOLD_COLUMNS. Indents what follows by `hang` if the line begins with a
 * blank. */
static void fold_line(const char *line, size_t length, int hang, FILE *to)
{
    int column = 0;
    bool begun = false; /* true after a word: leading blanks alone never break a line */
    for (size_t at = 0; at < length;) {
        const size_t blanks = strspn(line + at, " "), word = strcspn(line + at + blanks, " \n");
        const int width = columns_of(line + at + blanks, word);
        if (begun && word > 0 && column + (int)blanks + width > MASS_FOLD_COLUMNS) {
            column = line[0] == ' ' ? hang : 0;
            fprintf(to, "\n%*s%.*s", column, "", (int)word, line + at + blanks);
        } else {
            fwrite(line + at, 1, blanks + word, to);
            column += (int)blanks;
        }
        column += width;
        begun |= word > 0;
        at += blanks + word;
    }
    fputc('\n', to);
}

void mass_fold(const char *lines, int hang, FILE *to)
{
    for (const char *line = lines; *line;) {
        const size_t length = strcspn(line, "\n");
        if (length > 0 && line[length - 1] == '\\') fprintf(to, "%.*s\n", (int)length, line);
        else fold_line(line, length, hang, to);
        line += length + (line[length] == '\n');
    }
}
