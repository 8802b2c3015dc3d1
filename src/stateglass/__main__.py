"""`python -m stateglass` is the same as `stateglass`."""

from stateglass.cli.main import main

if __name__ == "__main__":
    main()
