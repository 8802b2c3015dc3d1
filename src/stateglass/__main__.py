"""The program: `stateglass`, or `python -m stateglass`."""

import signal

# Until the command line is there to answer it, Ctrl-C simply ends the program.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from stateglass.cli.main import main  # noqa: E402

__all__ = ["main"]

if __name__ == "__main__":
    main()
