"""Handshakes of any length, in the style of `examples/handshake`, to see how time grows with the number of states."""

from __future__ import annotations

HEAD = """#include <assert.h>

int transport(int message);
int resumed(void);
int again(void);

static unsigned state, sequence, sent, retries, handshakes;
static int old_session, keys;

static int passed(int message)
{
    int result = transport(message);
    if (result > 0) {
        retries = 0;
        sequence++;
        sent++;
    } else {
        retries++;
    }
    return result;
}
"""


def handshake(states: int, *, wrong: bool = False) -> str:
    """A server with so many states, two for each message, whose keys are ready before it is done.

    An old session goes past the middle half of them. In a wrong one it does without keys.
    """
    if states < 5:
        raise ValueError("a handshake has at least five states")
    messages, odd = divmod(states - 3, 2)
    first, last = 2 + odd, states - 1
    early, late = first + 2 * (messages // 4), first + 2 * (3 * messages // 4)
    lines = [HEAD, "static int serve(void)", "{", "    int result;", "    for (;;) {"]
    lines += [f"        assert(state != {last} || keys);", "        assert(sequence == sent);"]
    lines += ["        switch (state) {", "        case 0:"]
    lines += [
        "            sequence = sent = 0;",
        "            keys = 0;",
        "            state = 1;",
        "            break;",
        "        case 1:",
    ]
    lines += ["            old_session = resumed() != 0;", "            state = 2;", "            break;"]
    if odd:
        lines += ["        case 2:", "            retries = 0;", f"            state = {first};", "            break;"]
    for number in range(messages):
        here = first + 2 * number
        target = here + 2 if number + 1 < messages else last
        lines += [f"        case {here}:", f"        case {here + 1}:"]
        lines += [f"            if ((result = passed({number})) <= 0) {{", f"                state = {here + 1};"]
        lines += ["                return result;", "            }"]
        if here == late:
            lines += [f"            keys = {'!old_session' if wrong else '1'};"]
        if here == early and early != late:
            lines += [f"            state = old_session ? {late} : {target};"]
        else:
            lines += [f"            state = {target};"]
        lines += ["            break;"]
    lines += [f"        case {last}:", "            handshakes++;", "            return 1;", "        default:"]
    lines += ["            return 0;", "        }", "    }", "}", "", "int main(void)", "{", "    for (;;) {"]
    lines += ["        int result = serve();", "        if (result == 0 || (result > 0 && !again()))"]
    lines += ["            return 0;", "        if (result > 0)", "            state = 0;", "    }", "}", ""]
    return "\n".join(lines)
