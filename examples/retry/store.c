/* A store with room for a thousand pieces: callers bring and fetch as many as they like, if there is room or stock. */
static int stock;
static const int most = 1000;

void bring(int pieces)
{
    if (pieces > 0 && pieces <= most - stock)
        stock += pieces;
}

void fetch(int pieces)
{
    if (pieces > 0 && pieces <= stock)
        stock -= pieces;
}
