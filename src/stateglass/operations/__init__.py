"""What the pipeline is made of, one module for each: from settings to systems, from code and models to answers."""
