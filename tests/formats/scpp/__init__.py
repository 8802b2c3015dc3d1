"""Systems as mCRL2 specifications."""
