/* Yahtzee solved plainly, to check the solver by: five dice, thirteen boxes, forced joker. Every part of every roll is tried,
   every roll and box is walked for every card; only columns are taken BLOCK at a time.
   usage: yahtzee [OPEN]   (the boxes that are open at the start, as bits, chance first: 1111111111111 for all)
   Prints "expected X", then "second N X" for every target N, then "first X", both playing from that card. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOXES = 13, FULL = (1 << BOXES) - 1, YAHTZEE = 11, BLOCK = 64 };
static int counts[462][6], size[462], more[462][6], keeps, rolls[252], n_rolls, ways[252];
static int score[252][BOXES], alike[252];
static int parts[252][32], n_parts[252];

static int find(const int *c) {
    for (int k = 0; k < keeps; k++)
        if (!memcmp(counts[k], c, sizeof counts[k])) return k;
    abort();
}

static void list_dice(void) {
    for (int code = 0; code < 46656; code++) {
        int c[6], total = 0, rest = code;
        for (int f = 0; f < 6; f++) { c[f] = rest % 6; rest /= 6; total += c[f]; }
        if (total > 5) continue;
        memcpy(counts[keeps], c, sizeof c);
        size[keeps++] = total;
    }
    for (int k = 0; k < keeps; k++)
        for (int f = 0; f < 6 && size[k] < 5; f++) { int c[6]; memcpy(c, counts[k], sizeof c); c[f]++; more[k][f] = find(c); }
    for (int k = 0; k < keeps; k++) {
        if (size[k] < 5) continue;
        int r = n_rolls++, *c = counts[k], sum = 0, most = 0, two = 0, three = 0, run = 0, longest = 0;
        static const int factorial[] = {1, 1, 2, 6, 24, 120};
        rolls[r] = k; ways[r] = 120; alike[r] = -1;
        for (int f = 0; f < 6; f++) {
            ways[r] /= factorial[c[f]];
            sum += c[f] * (f + 1); if (c[f] > most) most = c[f];
            two |= c[f] == 2; three |= c[f] == 3; if (c[f] == 5) alike[r] = f;
            run = c[f] ? run + 1 : 0; if (run > longest) longest = run;
            score[r][f] = c[f] * (f + 1);
        }
        score[r][6] = most >= 3 ? sum : 0; score[r][7] = most >= 4 ? sum : 0; score[r][8] = two && three ? 25 : 0;
        score[r][9] = longest >= 4 ? 30 : 0; score[r][10] = longest == 5 ? 40 : 0;
        score[r][YAHTZEE] = most == 5 ? 50 : 0; score[r][12] = sum;
    }
    for (int r = 0; r < n_rolls; r++)
        for (int k = 0; k < keeps; k++) {
            int part = 1;
            for (int f = 0; f < 6; f++) part &= counts[k][f] <= counts[rolls[r]][f];
            if (part) parts[r][n_parts[r]++] = k;
        }
}

/* A card: boxes filled, points above up to 63, whether the Yahtzee box holds 50. Its row says what it is worth with so many
   points already, from column `from` up to `to`; before it is worth `low`, behind it `high`. */
typedef struct { double *row; int from, to, reach, known; double points; } Card;
static Card cards[FULL + 1][64][2];
static double low, high;

static int fill(int mask, int upper, int fifty, int r, int box, int *after, int *above, int *held) {
    if (mask >> box & 1) return -1;
    int points = score[r][box], base = points;
    if (alike[r] >= 0 && mask >> YAHTZEE & 1) {
        int own = alike[r], lower = ~mask & FULL & ~63;
        if (!(mask >> own & 1)) { if (box != own) return -1; }
        else if (lower) {
            if (box < 6) return -1;
            points = box == 8 ? 25 : box == 9 ? 30 : box == 10 ? 40 : 5 * (own + 1);
        } else points = 0;
        base = points;
        if (fifty) points += 100;
    }
    *above = upper; *after = mask | 1 << box; *held = fifty || (box == YAHTZEE && points == 50);
    if (box < 6) { *above = upper + base > 63 ? 63 : upper + base; if (upper < 63 && *above == 63) points += 35; }
    return points;
}

static double look(const Card *card, int b) {
    return b < card->from ? low : b >= card->to ? high : card->row[b - card->from];
}

/* A turn: the rolls are worth value[roll]; twice the best part of each, kept, is thrown again. */
static void take_turn(double value[252][BLOCK], double *out, int width) {
    static _Thread_local double mean[462][BLOCK];
    for (int throw = 0; throw < 3; throw++) {
        for (int r = 0; r < n_rolls; r++) memcpy(mean[rolls[r]], value[r], sizeof value[r]);
        for (int s = 4; s >= 0; s--)
            for (int k = 0; k < keeps; k++) {
                if (size[k] != s) continue;
                for (int x = 0; x < BLOCK; x++) mean[k][x] = 0;
                for (int f = 0; f < 6; f++)
                    for (int x = 0; x < BLOCK; x++) mean[k][x] += mean[more[k][f]][x];
                for (int x = 0; x < BLOCK; x++) mean[k][x] /= 6;
            }
        for (int r = 0; r < n_rolls && throw < 2; r++) {
            for (int x = 0; x < BLOCK; x++) value[r][x] = -1e9;
            for (int i = 0; i < n_parts[r]; i++)
                for (int x = 0; x < BLOCK; x++)
                    value[r][x] = value[r][x] > mean[parts[r][i]][x] ? value[r][x] : mean[parts[r][i]][x];
        }
    }
    memcpy(out, mean[0], width * sizeof *out);
}

static void solve(int mask, int upper, int fifty) {
    static _Thread_local double value[252][BLOCK], out[BLOCK];
    Card *card = &cards[mask][upper][fifty];
    int after, above, held, from = 1 << 30, to = -(1 << 30);
    for (int r = 0; r < n_rolls; r++) {
        value[r][0] = -1;
        for (int box = 0; box < BOXES; box++) {
            int p = fill(mask, upper, fifty, r, box, &after, &above, &held);
            if (p < 0) continue;
            Card *then = &cards[after][above][held];
            if (then->from - p < from) from = then->from - p;
            if (then->to - p > to) to = then->to - p;
            if (p + then->points > value[r][0]) value[r][0] = p + then->points;
        }
    }
    take_turn(value, out, 1);
    card->points = out[0];
    if (card->reach >= 0) { if (from < 0) from = 0; if (to > card->reach + 1) to = card->reach + 1; if (to < from) to = from; }
    card->from = from; card->to = to;
    card->row = malloc((to - from + 1) * sizeof *card->row);
    for (int b = from; b < to; b += BLOCK) {
        int width = to - b < BLOCK ? to - b : BLOCK;
        for (int r = 0; r < n_rolls; r++) {
            for (int x = 0; x < width; x++) value[r][x] = -1;
            for (int box = 0; box < BOXES; box++) {
                int p = fill(mask, upper, fifty, r, box, &after, &above, &held);
                if (p < 0) continue;
                Card *then = &cards[after][above][held];
                int i = 0, first = then->from - p - b, last = then->to - p - b;
                for (; i < width && i < first; i++) if (low > value[r][i]) value[r][i] = low;
                const double *row = then->row - then->from + p + b;
                for (; i < width && i < last; i++) value[r][i] = value[r][i] > row[i] ? value[r][i] : row[i];
                for (; i < width; i++) if (high > value[r][i]) value[r][i] = high;
            }
        }
        take_turn(value, out, width);
        memcpy(card->row + b - from, out, width * sizeof *out);
    }
}

/* All cards that come up from the one with `start` filled, the fullest first; their ends are worth end[from] ... end[to - 1]. */
static void solve_all(int start, const double *end, int from, int to) {
    for (int upper = 0; upper < 64; upper++)
        for (int fifty = 0; fifty < 2; fifty++) {
            Card *card = &cards[FULL][upper][fifty];
            card->points = 0; card->from = from; card->to = to;
            card->row = malloc((to - from) * sizeof *card->row);
            memcpy(card->row, end + from, (to - from) * sizeof *card->row);
        }
    for (int left = 1; left <= BOXES; left++)
        #pragma omp parallel for schedule(dynamic, 1)
        for (int mask = start; mask < FULL; mask++) {
            if ((mask & start) != start || BOXES - __builtin_popcount(mask) != left) continue;
            for (int upper = 0; upper < 64; upper++)
                for (int fifty = 0; fifty < 2; fifty++)
                    if (cards[mask][upper][fifty].known) solve(mask, upper, fifty);
        }
}

int main(int argc, char **argv) {
    int start = FULL & ~(argc > 1 ? (int)strtol(argv[1], NULL, 2) : FULL), after, above, held;
    list_dice();
    cards[start][0][0].known = 1;
    for (int mask = start; mask < FULL; mask++)
        for (int upper = 0; upper < 64; upper++)
            for (int fifty = 0; fifty < 2; fifty++) {
                Card *card = &cards[mask][upper][fifty];
                for (int r = 0; card->known && r < n_rolls; r++)
                    for (int box = 0; box < BOXES; box++) {
                        int p = fill(mask, upper, fifty, r, box, &after, &above, &held);
                        if (p < 0) continue;
                        Card *then = &cards[after][above][held];
                        then->known = 1;
                        if (card->reach + p > then->reach) then->reach = card->reach + p;
                    }
            }
    int top = 0;
    for (int upper = 0; upper < 64; upper++)
        for (int fifty = 0; fifty < 2; fifty++) if (cards[FULL][upper][fifty].reach > top) top = cards[FULL][upper][fifty].reach;
    static int reach[FULL + 1][64][2];
    for (int m = 0; m <= FULL; m++) for (int u = 0; u < 64; u++) for (int f = 0; f < 2; f++) {
        reach[m][u][f] = cards[m][u][f].reach; cards[m][u][f].reach = -1;
    }
    /* Second: columns are points so far less the target. */
    double half = 0.5;
    low = 0; high = 1;
    solve_all(start, &half, 0, 1);
    printf("expected %.15f\n", cards[start][0][0].points);
    double *end = malloc((top + 1) * sizeof *end);
    for (int target = 0; target <= top; target++) {
        double chance = look(&cards[start][0][0], -target);
        printf("second %d %.15f\n", target, chance);
        end[target] = 1 - chance;
    }
    for (int m = 0; m <= FULL; m++) for (int u = 0; u < 64; u++) for (int f = 0; f < 2; f++) {
        free(cards[m][u][f].row); cards[m][u][f].row = NULL; cards[m][u][f].reach = reach[m][u][f];
    }
    low = end[0]; high = end[top];
    solve_all(start, end, 0, top + 1);
    printf("first %.15f\n", look(&cards[start][0][0], 0));
    return 0;
}
