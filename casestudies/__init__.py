"""Files of well-known programs, obtained when they are needed, on which Stateglass is tried."""
