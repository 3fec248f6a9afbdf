/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the text of random rules to files of a folder, for ptxas: rule_text FOLDER CAPABILITY. */
#include "device/cuda/rule_ptx.h"
#include "random_rule.h"

#include <cstdio>
#include <cstdlib>
#include <string>

static bool write(const std::string &path, const mass_rule *rule, int capability)
{
    FILE *f = fopen(path.c_str(), "w");
    char *text = mass_rule_ptx(rule, capability);
    const bool written = f && text && mass_rule_ptx_fits(rule) && fputs(text, f) >= 0;
    free(text);
    return f && fclose(f) == 0 && written;
}

int main(int count, char **arguments)
{
    if (count != 3) return 2;
    std::mt19937 g(3);
    bool all = true;
    for (int i = 0; i < 4; i++) {
        random_rule r;
        make_random_rule(r, g, i % 2 ? 3 : 2);
        all &= write(arguments[1] + std::string("/") + std::to_string(i) + ".ptx", r.made(), atoi(arguments[2]));
    }
    random_rule constant; /* no inputs, no nodes */
    constant.add_output(g, MASS_RULE_FIELD, 2, 0, 1);
    all &= write(arguments[1] + std::string("/constant.ptx"), constant.made(), atoi(arguments[2]));
    return all ? 0 : 1;
}
