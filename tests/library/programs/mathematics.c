/* Functions of math.h that have exact results. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>

void observe(long long value);

static void show(double x)
{
    long long bits = 0;

    if (!isnan(x))
        memcpy(&bits, &x, sizeof x);
    observe(isnan(x) ? -1 : bits);
}

static void one(double x)
{
    double whole;
    int exponent = 0;

    show(fabs(x)), show(trunc(x)), show(floor(x)), show(ceil(x)), show(round(x)), show(rint(x)), show(nearbyint(x));
    show(fabsf((float)x)), show(floorf((float)x)), show(ceill(x) == ceil(x)), show(roundl(x) == round(x));
    errno = 0;
    show(sqrt(x)), observe(errno), show(sqrtf((float)x)), show(modf(x, &whole)), show(whole);
    if (isfinite(x))
        show(frexp(x, &exponent)), observe(exponent);
    show(ldexp(x, 3)), show(scalbn(x, -60));
    if (fabs(x) < 1e9)
        observe(lround(x)), observe(llrint(x));
}

static void two(double x, double y)
{
    show(fmod(x, y)), show(copysign(x, y)), show(fdim(x, y)), show(fmodf((float)x, (float)y));
    /* Of two zeros C leaves open which one is given. */
    if ((float)x != (float)y)
        show(fmin(x, y)), show(fmax(x, y)), show(fmaxf((float)x, (float)y));
}

int main(void)
{
    static const double numbers[] = {0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.7, 1e10, 0.49999999999999994, 2, 1e-310,
        4503599627370497.5, 9.3e18, DBL_MAX, DBL_MIN, INFINITY, -INFINITY, NAN};
    const int count = sizeof numbers / sizeof *numbers;
    int i;

    for (i = 0; i < count; ++i) {
        one(numbers[i]);
        two(numbers[i], numbers[(i + 1) % count]);
        two(numbers[(i + 5) % count], numbers[i]);
    }
    return 0;
}
