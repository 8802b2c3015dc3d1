"""Changes that somebody declares beforehand: read from a file, applied to two models, and held against what came."""
