/* The yardstick for games of one's own: every move of every roll in every column, as one would first write it.
 *
 * Arrays are those of gametheory/own/graph.py: places, rolls and moves one after the other, each array of beginnings with
 * the end behind it. A column past the last is worth what the last is. Place 0 is the end, its row is filled in. */

#include <stdint.h>
#include <stdlib.h>

void solve(double *rows, int64_t width, int64_t places, const int64_t *rolls, const double *weights, const int64_t *moves,
           const int32_t *after, const int32_t *gains)
{
    double *best = malloc(width * sizeof *best);
    for (int64_t place = 1; place < places; place++) {
        double *row = rows + place * width;
        double ways = 0;
        for (int64_t c = 0; c < width; c++)
            row[c] = 0;
        for (int64_t roll = rolls[place]; roll < rolls[place + 1]; roll++) {
            for (int64_t c = 0; c < width; c++)
                best[c] = -1e300;
            for (int64_t move = moves[roll]; move < moves[roll + 1]; move++) {
                const double *then = rows + after[move] * width;
                int64_t gain = gains[move], inside = gain < width ? width - gain : 0;
                for (int64_t c = 0; c < inside; c++)
                    best[c] = then[c + gain] > best[c] ? then[c + gain] : best[c];
                for (int64_t c = inside; c < width; c++)
                    best[c] = then[width - 1] > best[c] ? then[width - 1] : best[c];
            }
            ways += weights[roll];
            for (int64_t c = 0; c < width; c++)
                row[c] += weights[roll] * best[c];
        }
        for (int64_t c = 0; c < width; c++)
            row[c] /= ways;
    }
    free(best);
}
