// Two lifts between three floors, and the controller that sends them.
//
// A timer calls step() again and again. In each step somebody may have pressed a button, and each lift does one thing: it
// opens its door, closes it, or goes to the next floor. So lifts move whatever buttons are pressed.

constexpr int FLOORS = 3;

enum class Motion { STANDING, UP, DOWN };
enum class Door { CLOSED, OPEN };

enum class Button {
    NONE,
    LANDING_1, LANDING_2, LANDING_3, // on each floor, for either lift
    E1_TO_1, E1_TO_2, E1_TO_3,       // inside the first lift
    E2_TO_1, E2_TO_2, E2_TO_3,       // inside the second lift
};

class Lift {
public:
    int floor = 1;
    Motion motion = Motion::STANDING; // also while the door is open: where it goes from here
    Door door = Door::CLOSED;
    bool pressed[FLOORS + 1] = {};  // by floor: calls from inside
    bool assigned[FLOORS + 1] = {}; // by floor: calls from the landing that the controller has given to this lift

    bool is_open_at(int where) const { return door == Door::OPEN && floor == where; }

    void press(int where) {
        if (!is_open_at(where))
            pressed[where] = true;
    }

    int distance(int to) const { return to > floor ? to - floor : floor - to; }

    bool moves_towards(int to) const {
        return (motion == Motion::UP && to > floor) || (motion == Motion::DOWN && to < floor);
    }

    void move() {
        if (door == Door::OPEN) {
            door = Door::CLOSED;
        } else {
            if (motion == Motion::UP)
                floor++;
            else if (motion == Motion::DOWN)
                floor--;
            if (must_visit(floor))
                open_door();
        }
        motion = next_motion();
    }

private:
    bool must_visit(int where) const { return pressed[where] || assigned[where]; }
    bool must_go_up() const { return (floor < 2 && must_visit(2)) || (floor < 3 && must_visit(3)); }
    bool must_go_down() const { return (floor > 1 && must_visit(1)) || (floor > 2 && must_visit(2)); }

    // A lift turns round only when nothing is left to do in its direction. Otherwise those who call it to two of the
    // floors again and again could keep it from the third.
    Motion next_motion() const {
        if (motion == Motion::DOWN && must_go_down())
            return Motion::DOWN;
        if (must_go_up())
            return Motion::UP;
        return must_go_down() ? Motion::DOWN : Motion::STANDING;
    }

    void open_door() {
        door = Door::OPEN;
        pressed[floor] = false;
        assigned[floor] = false;
    }
};

// Decides where nothing speaks for either lift. What it says comes from outside.
class Coin {
public:
    bool toss();
};

class Controller {
public:
    void step(Button button) {
        accept(button);
        E1.move();
        E2.move();
    }

private:
    Lift E1, E2;
    Coin coin;

    void accept(Button button) {
        switch (button) {
        case Button::NONE: break;
        case Button::LANDING_1: landing_call(1); break;
        case Button::LANDING_2: landing_call(2); break;
        case Button::LANDING_3: landing_call(3); break;
        case Button::E1_TO_1: E1.press(1); break;
        case Button::E1_TO_2: E1.press(2); break;
        case Button::E1_TO_3: E1.press(3); break;
        case Button::E2_TO_1: E2.press(1); break;
        case Button::E2_TO_2: E2.press(2); break;
        case Button::E2_TO_3: E2.press(3); break;
        }
    }

    void landing_call(int floor) {
        if (E1.is_open_at(floor) || E2.is_open_at(floor) || E1.assigned[floor] || E2.assigned[floor])
            return;
        choose(floor).assigned[floor] = true;
    }

    // The lift that should be there first: the nearer one, or the one that moves in the right direction.
    Lift &choose(int floor) {
        int distance1 = E1.distance(floor);
        int distance2 = E2.distance(floor);
        if (distance1 != distance2)
            return distance1 < distance2 ? E1 : E2;
        bool towards1 = E1.moves_towards(floor);
        bool towards2 = E2.moves_towards(floor);
        if (towards1 != towards2)
            return towards1 ? E1 : E2;
        return coin.toss() ? E1 : E2;
    }
};
