"""Small programs in two versions, and what changes between these."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stateglass.evidence import Difference
from stateglass.model import Model
from stateglass.operations.differing import differ
from stateglass.options import ExtractOptions
from stateglass.pipeline import extract

LOCK_C = """
#include <stdbool.h>

enum state { LOCKED, OPEN, BROKEN };
static enum state state = LOCKED;
static int tries;
void beep(int times);

bool unlock(int code)
{
    if (state != LOCKED)
        return false;
    if (code == 1) {
        state = OPEN;
        tries = 0;
        return true;
    }
    tries++;
    beep(tries);
    if (tries == 3)
        state = BROKEN;
    return false;
}

void lock(void)
{
    switch (state) {
    case OPEN:
        state = LOCKED;
        break;
    case LOCKED:
        break;
    case BROKEN:
        break;
    }
}

void repair(bool all)
{
    int left = 0;
    if (all)
        state = LOCKED;
    if (state != BROKEN)
        tries = left;
}
"""
IN_C = ExtractOptions(functions=("unlock", "lock", "repair"), bounds=(("unlock.code", "0..1"), ("repair.all", "bool")))

TANK_CPP = """
class Pump {
public:
    void start() { on = true; }
    void stop() { on = false; }
    bool running() const { return on; }
private:
    bool on = false;
};

class Tank {
public:
    enum Mode { IDLE, FILLING, ALARM };
    bool tick(int level);
    void request();
    void clear();
private:
    Pump pump;
    Mode mode = IDLE;
    int waited = 0;
};

bool Tank::tick(int level)
{
    switch (mode) {
    case IDLE:
        waited = 0;
        break;
    case FILLING:
        if (level >= 3) {
            pump.stop();
            mode = IDLE;
        } else if (waited == 2) {
            pump.stop();
            mode = ALARM;
        } else {
            waited++;
        }
        break;
    case ALARM:
        break;
    }
    return pump.running();
}

void Tank::request()
{
    if (mode != IDLE)
        return;
    mode = FILLING;
    waited = 0;
    pump.start();
}

void Tank::clear()
{
    if (mode == ALARM)
        mode = IDLE;
}
"""
IN_CPP = ExtractOptions(of_class="Tank", bounds=(("tick.level", "0..3"),))


def model_of(folder: Path, files: dict[str, str], options: ExtractOptions) -> Model:
    """The model of some files; headers are not read by themselves."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    sources = [str(folder / name) for name in files if not name.endswith(".h")]
    chosen = ExtractOptions(
        files=tuple(sources), functions=options.functions, of_class=options.of_class, bounds=options.bounds
    )
    return extract(chosen).exploration.model


def edited(text: str, edits: Sequence[tuple[str, str]]) -> str:
    """The text with each edit made once; what is not there cannot be edited."""
    for old, new in edits:
        assert text.count(old) >= 1, f"no {old!r}"
        text = text.replace(old, new, 1)
    return text


def difference(
    folder: Path, old: dict[str, str], new: dict[str, str], options: ExtractOptions, *, by: str = "dpbranching"
) -> Difference:
    return differ(model_of(folder / "old", old, options), model_of(folder / "new", new, options), by)
