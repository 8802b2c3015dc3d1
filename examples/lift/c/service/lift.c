/* Two lifts between three floors, and the controller that sends them: lift.cpp in C.
 *
 * A timer calls step() again and again. In each step somebody may have pressed a button, and each lift does one thing: it
 * opens its door, closes it, or goes to the next floor. So lifts move whatever buttons are pressed.
 *
 * Each lift has a key with which it is put on service, and off again. On service it serves calls from inside only. */

#include <stdbool.h>

#define FLOORS 3

enum motion { STANDING, UP, DOWN };
enum door { CLOSED, OPEN };

enum button {
    NONE,
    LANDING_1, LANDING_2, LANDING_3, /* on each floor, for either lift */
    E1_TO_1, E1_TO_2, E1_TO_3,       /* inside the first lift */
    E2_TO_1, E2_TO_2, E2_TO_3,       /* inside the second lift */
};

enum key { KEY_1, KEY_2 };

struct lift {
    int floor;
    enum motion motion;        /* also while the door is open: where it goes from here */
    enum door door;
    bool pressed[FLOORS + 1];  /* by floor: calls from inside */
    bool assigned[FLOORS + 1]; /* by floor: calls from the landing that the controller has given to this lift */
    bool service;              /* calls that are assigned have to wait */
};

static struct lift E1 = { .floor = 1 };
static struct lift E2 = { .floor = 1 };

/* Decides where nothing speaks for either lift. What it says comes from outside. */
bool toss(void);

static bool must_visit(const struct lift *lift, int floor)
{
    return lift->pressed[floor] || (lift->assigned[floor] && !lift->service);
}

static bool must_go_up(const struct lift *lift)
{
    return (lift->floor < 2 && must_visit(lift, 2)) || (lift->floor < 3 && must_visit(lift, 3));
}

static bool must_go_down(const struct lift *lift)
{
    return (lift->floor > 1 && must_visit(lift, 1)) || (lift->floor > 2 && must_visit(lift, 2));
}

/* A lift turns round only when nothing is left to do in its direction. Otherwise those who call it to two of the floors
 * again and again could keep it from the third. */
static enum motion next_motion(const struct lift *lift)
{
    if (lift->motion == DOWN && must_go_down(lift))
        return DOWN;
    if (must_go_up(lift))
        return UP;
    return must_go_down(lift) ? DOWN : STANDING;
}

static void open_door(struct lift *lift)
{
    lift->door = OPEN;
    lift->pressed[lift->floor] = false;
    if (!lift->service)
        lift->assigned[lift->floor] = false;
}

static void move(struct lift *lift)
{
    if (lift->door == OPEN) {
        lift->door = CLOSED;
    } else {
        if (lift->motion == UP)
            lift->floor++;
        else if (lift->motion == DOWN)
            lift->floor--;
        if (must_visit(lift, lift->floor))
            open_door(lift);
    }
    lift->motion = next_motion(lift);
}

static bool is_open_at(const struct lift *lift, int floor)
{
    return lift->door == OPEN && lift->floor == floor;
}

static void press(struct lift *lift, int floor)
{
    if (!is_open_at(lift, floor))
        lift->pressed[floor] = true;
}

static int distance(const struct lift *lift, int floor)
{
    return floor > lift->floor ? floor - lift->floor : lift->floor - floor;
}

static bool moves_towards(const struct lift *lift, int floor)
{
    return (lift->motion == UP && floor > lift->floor) || (lift->motion == DOWN && floor < lift->floor);
}

/* The lift that should be there first: the nearer one, or the one that moves in the right direction. */
static struct lift *choose(int floor)
{
    int distance1 = distance(&E1, floor);
    int distance2 = distance(&E2, floor);
    if (distance1 != distance2)
        return distance1 < distance2 ? &E1 : &E2;
    bool towards1 = moves_towards(&E1, floor);
    bool towards2 = moves_towards(&E2, floor);
    if (towards1 != towards2)
        return towards1 ? &E1 : &E2;
    return toss() ? &E1 : &E2;
}

/* While both lifts are on service, a call is lost. */
static void landing_call(int floor)
{
    if (is_open_at(&E1, floor) || is_open_at(&E2, floor) || E1.assigned[floor] || E2.assigned[floor])
        return;
    if (!E1.service && !E2.service)
        choose(floor)->assigned[floor] = true;
    else if (!E1.service)
        E1.assigned[floor] = true;
    else if (!E2.service)
        E2.assigned[floor] = true;
}

static void accept(enum button button)
{
    switch (button) {
    case NONE: break;
    case LANDING_1: landing_call(1); break;
    case LANDING_2: landing_call(2); break;
    case LANDING_3: landing_call(3); break;
    case E1_TO_1: press(&E1, 1); break;
    case E1_TO_2: press(&E1, 2); break;
    case E1_TO_3: press(&E1, 3); break;
    case E2_TO_1: press(&E2, 1); break;
    case E2_TO_2: press(&E2, 2); break;
    case E2_TO_3: press(&E2, 3); break;
    }
}

void step(enum button button)
{
    accept(button);
    move(&E1);
    move(&E2);
}

/* It takes a step to turn a key, too. */
void turn_key(enum key key)
{
    struct lift *lift = key == KEY_1 ? &E1 : &E2;
    lift->service = !lift->service;
    step(NONE);
}
