"""The program: `stateglass`, or `python -m stateglass`."""

import signal

# Until the command line is there to answer it, Ctrl-C simply ends the program; one in the background does not hear it.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from stateglass.cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
