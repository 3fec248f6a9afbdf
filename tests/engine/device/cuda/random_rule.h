/* SPDX-License-Identifier: Apache-2.0 */
/* Random rules over bits: a table for every output, and the decision diagram of all of them. */
#ifndef MASS_TESTS_RANDOM_RULE_H
#define MASS_TESTS_RANDOM_RULE_H

#include "rule/rule.h"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>
#include <vector>

struct random_rule {
    std::vector<mass_rule_input> inputs;
    std::vector<mass_rule_node> nodes;
    std::vector<mass_rule_output> outputs;
    std::vector<std::vector<bool>> tables; /* [output][inputs as a number] */
    std::map<std::tuple<int, int, int>, int> known;
    mass_rule rule = {};

    /* Returns the value of a part of a table, for inputs that are open from `input` on. */
    int value(const std::vector<bool> &table, size_t first, int input)
    {
        if (input < 0) return table[first];
        const int low = value(table, first, input - 1), high = value(table, first + ((size_t)1 << input), input - 1);
        if (low == high) return low;
        const auto [at, is_new] = known.insert({{input, high, low}, (int)nodes.size() + 2});
        if (is_new) nodes.push_back({(uint16_t)input, (uint16_t)high, (uint16_t)low});
        return at->second;
    }
    /* Adds an output. A `share` of its table's entries is 1. */
    void add_output(std::mt19937 &g, mass_rule_kind kind, uint32_t field, int64_t weight, double share)
    {
        std::vector<bool> table((size_t)1 << inputs.size());
        for (size_t i = 0; i < table.size(); i++) table[i] = std::bernoulli_distribution(share)(g);
        const int root = value(table, 0, (int)inputs.size() - 1);
        outputs.push_back({kind, field, weight, (uint16_t)root, 0, 0});
        tables.push_back(table);
    }
    const mass_rule *made()
    {
        rule = {inputs.data(), (uint32_t)inputs.size(), nodes.data(), (uint32_t)nodes.size(),
                outputs.data(), (uint32_t)outputs.size(), false, false, true};
        return &rule;
    }
};

/* Adds inputs of one field: all places of a square or cube with radius 1, or some of them. */
inline void add_neighbours(random_rule &r, std::mt19937 &g, uint32_t field, int dimensions, size_t most)
{
    std::vector<mass_rule_input> all;
    for (int z = -(dimensions > 2); z <= (dimensions > 2); z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) all.push_back({field, (int8_t)x, (int8_t)y, (int8_t)z});
    std::shuffle(all.begin(), all.end(), g);
    for (size_t i = 0; i < all.size() && i < most; i++) r.inputs.push_back(all[i]);
}

/* Fields 0 and 1 are read, 2 and 3 written, 4 and 5 tallies; the first of each always. */
inline void make_random_rule(random_rule &r, std::mt19937 &g, int dimensions)
{
    const bool two = g() % 4 == 0;
    add_neighbours(r, g, 0, dimensions, two ? 5 : 9);
    if (two) add_neighbours(r, g, 1, dimensions, 3);
    r.add_output(g, MASS_RULE_FIELD, 2, 0, 0.5);
    r.outputs.push_back({MASS_RULE_SUM, 4, 3, r.outputs[0].value, 0, 0});
    r.tables.push_back(r.tables[0]);
    if (!two) return;
    r.add_output(g, MASS_RULE_FIELD, 3, 0, 0.2);
    r.add_output(g, MASS_RULE_SUM, 5, -7, 0.1);
    r.add_output(g, MASS_RULE_SUM, 4, INT64_C(-5000000000), 0.3);
}

#endif
