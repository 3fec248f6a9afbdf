/* SPDX-License-Identifier: Apache-2.0 */
/* Prints in how many rounds agents act that are in turn, by their density and the radius of the phase:
 *
 *     turn-rounds [SIZE [RUNS]]      SIZE: places along both axes of a torus, 512; RUNS: random orders, 3
 *
 * At most one agent is on a place, and each waits for all before it up to twice the radius away along both axes. The
 * rounds are the longest chain of agents of which each waits for the one before. A row is a density in % of the
 * places, a column a radius, a value the mean of RUNS. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const int radii[] = {0, 1, 2, 3, 6, 12}, percents[] = {1, 5, 10, 20, 40, 80};
enum { RADII = sizeof radii / sizeof *radii, DENSITIES = sizeof percents / sizeof *percents };

/* Returns the next of a sequence of random numbers: SplitMix64. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Shuffles the numbers of all places. */
static void shuffle(int *places, int count, uint64_t *state)
{
    for (int i = 0; i < count; i++) places[i] = i;
    for (int i = count - 1; i > 0; i--) {
        const int other = (int)(next_random(state) % (uint64_t)(i + 1)), kept = places[i];
        places[i] = places[other];
        places[other] = kept;
    }
}

/* Returns the last round in which an agent acts. Agents are on the first `count` places of the list, in its order. The
 * array round has n rows of n places. Each row has `reach` more at both ends, which repeat those of the other end. */
static int last_round(const int *places, int count, int n, int reach, int16_t *round)
{
    const int width = n + 2 * reach;
    int last = 0;
    for (int i = 0; i < width * n; i++) round[i] = 0;
    for (int i = 0; i < count; i++) {
        const int x = places[i] % n, y = places[i] / n;
        int16_t latest = 0;
        for (int dy = -reach; dy <= reach; dy++) {
            const int16_t *row = round + (y + dy + n) % n * width + x;
            for (int k = 0; k <= 2 * reach; k++) latest = row[k] > latest ? row[k] : latest;
        }
        int16_t *row = round + y * width + reach;
        row[x] = ++latest;
        if (x < reach) row[x + n] = latest;
        if (x >= n - reach) row[x - n] = latest;
        last = latest > last ? latest : last;
    }
    return last;
}

/* Returns a number of the command line, or `otherwise` if there is none. Ends the program if it is out of range. */
static int number(int count, char **words, int which, int otherwise, int least, int most)
{
    const int given = count > which ? atoi(words[which]) : otherwise;
    if (given >= least && given <= most) return given;
    fprintf(stderr, "turn-rounds: '%s' is not a number from %d to %d\n", words[which], least, most);
    exit(2);
}

/* Prints the table for tori of n x n places. Fails if there is too little memory. */
static int print_rounds(int n, int runs)
{
    int *places = malloc((size_t)n * (size_t)n * sizeof *places);
    int16_t *round = malloc((size_t)n * (size_t)(n + 4 * radii[RADII - 1]) * sizeof *round);
    double sums[DENSITIES][RADII] = {{0}};
    uint64_t state = 1;
    const int failed = !places || !round;
    for (int run = 0; !failed && run < runs; run++) {
        shuffle(places, n * n, &state);
        for (int d = 0; d < DENSITIES; d++)
            for (int r = 0; r < RADII; r++)
                sums[d][r] += last_round(places, n * n * percents[d] / 100, n, 2 * radii[r], round);
    }
    free(places);
    free(round);
    if (failed) return fputs("turn-rounds: there is too little memory: give a smaller SIZE\n", stderr), 5;
    printf("density");
    for (int r = 0; r < RADII; r++) printf(" %7d", radii[r]);
    for (int d = 0; d < DENSITIES; d++) {
        printf("\n%7d", percents[d]);
        for (int r = 0; r < RADII; r++) printf(" %7.1f", sums[d][r] / runs);
    }
    printf("\n");
    return 0;
}

int main(int count, char **words)
{
    return print_rounds(number(count, words, 1, 512, 64, 4096), number(count, words, 2, 3, 1, 1000));
}
