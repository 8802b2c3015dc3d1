/* A traffic light for cars, with a button for people who want to cross. */

#include <stdbool.h>

enum colour { GREEN, YELLOW, RED, RED_YELLOW };

static const unsigned char duration[] = {
    [GREEN] = 3, [YELLOW] = 1, [RED] = 2, [RED_YELLOW] = 1,
};

static enum colour colour;
static unsigned char left;           /* seconds until the next colour, if anybody waits */
static bool wanted;

void light_init(void)
{
    colour = RED;
    left = duration[RED];
}

void button(void)
{
    if (colour == GREEN)
        wanted = true;
}

void second(void)
{
    if (left > 0) {
        left--;
        return;
    }
    switch (colour) {
    case GREEN:
        if (!wanted)
            return;
        wanted = false;
        colour = YELLOW;
        break;
    case YELLOW:
        colour = RED;
        break;
    case RED:
        colour = RED_YELLOW;
        break;
    case RED_YELLOW:
        colour = GREEN;
        break;
    }
    left = duration[colour];
}
