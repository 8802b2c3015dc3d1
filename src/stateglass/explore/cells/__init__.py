"""What cells there are, what they hold, exactly or vaguely, and which objects live when."""
