"""What a user says about the model to be made: abstraction maps (`.am`) and label maps (`.lm`)."""
