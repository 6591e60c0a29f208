/* A bot for `tourney`: it reads and writes the lines of the protocol (`tourney guide protocol`).
   It lays down as soon as it can, adds what fits, and discards what counts most and goes with nothing else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096
static const char *RANKS = "A23456789TJQK";
static const int POINTS[] = {20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10};
/* The kinds of action that are taken as soon as they are offered, the best first. */
static const char *WANTED[] = {"close", "continental", "color", "rummy", "knock", "down", "off"};
static char line[65536], actions[MOST][400];

static void hear(void) {
    if (!fgets(line, sizeof line, stdin)) exit(0);
    line[strcspn(line, "\r\n")] = 0;
}

static int starts(const char *text, const char *word) {
    size_t n = strlen(word);
    return !strncmp(text, word, n) && (text[n] == 0 || text[n] == ' ');
}

static int rank_of(const char *card) { return (int)(strchr(RANKS, card[0]) - RANKS); }

/* How gladly a card is discarded: its points, less what it may become with the other cards. */
static int worth(const char *card, int n) {
    int company = 0;
    if (!strcmp(card, "Jk")) return -1000;
    for (int i = 0; i < n; i++) {
        const char *other = actions[i] + 8;
        if (!starts(actions[i], "discard") || !strcmp(other, card) || !strcmp(other, "Jk")) continue;
        if (other[0] == card[0]) company += 8;
        else if (other[1] == card[1] && abs(rank_of(other) - rank_of(card)) <= 2) company += 4;
    }
    return POINTS[rank_of(card)] - company;
}

/* The number, from 1, of the action to take. */
static int choose(int n) {
    int best = -1;
    for (size_t kind = 0; kind < sizeof WANTED / sizeof *WANTED; kind++)
        for (int i = 0; i < n; i++)
            if (starts(actions[i], WANTED[kind])) return i + 1;
    for (int i = 0; i < n; i++)
        if (starts(actions[i], "discard") && (best < 0 || worth(actions[i] + 8, n) > worth(actions[best] + 8, n)))
            best = i;
    if (best >= 0) return best + 1;
    for (int i = 0; i < n; i++)
        if (starts(actions[i], "decline")) return i + 1;
    return 1; /* draw from the stock */
}

int main(void) {
    for (;;) {
        hear();
        if (starts(line, "tourney")) {
            /* I never claim a discard, nor take one in my turn: do not ask me. */
            printf("hello 1 NAME 0.1\nclaims none\ntakes none\nready\n");
        } else if (starts(line, "ask")) {
            int n = atoi(strrchr(line, ' ') + 1);
            for (int i = 0; i < n; i++) {
                hear();
                if (i < MOST) snprintf(actions[i], sizeof *actions, "%s", strchr(line, ' ') + 1);
            }
            printf("%d\n", choose(n < MOST ? n : MOST));
        } else if (starts(line, "bye")) {
            return 0;
        }
        fflush(stdout); /* without it nothing is sent */
    }
}
