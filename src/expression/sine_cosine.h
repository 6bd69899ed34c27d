/* Sine and cosine with the same digits on every machine, over one lane and over many.
 *
 * C that C++ understands too: the interpreter includes this file, and emitted C carries its text along. Before it stand
 * TAUT_INLINE and TAUT_FUNCTION, how to declare a function that is inlined and one that need not be, and sin and cos of
 * the library. Sums, products and comparisons alone, neither fused nor reassociated: so a loop over lanes becomes SIMD
 * code and gives bit for bit what one lane gives.
 *
 * The argument is reduced to x = n pi/2 + r - lack, |r| <= pi/4, with pi/2 in parts so short that n times a part is
 * exact (Cody and Waite 1980). Then polynomials in z = r r, fitted by Remez' exchange, each coefficient rounded to a
 * double before the next ones are fitted:
 *   sin r = r + r z S(z)          relative error 2^-58.0
 *   cos r = 1 - z/2 + z z C(z)    relative error 2^-63.9
 * Beside these stand the roundings: together less than 0.85 units in the last place. Arguments beyond 2^17, and those
 * so close to a multiple of pi/2 that r loses its digits, go to the library. */

typedef unsigned long long taut_word;

TAUT_INLINE taut_word taut_bits(double x) {
  taut_word bits;
#ifdef __GNUC__
  __builtin_memcpy(&bits, &x, sizeof bits);
#else
  memcpy(&bits, &x, sizeof bits);
#endif
  return bits;
}

TAUT_INLINE double taut_number(taut_word bits) {
  double x;
#ifdef __GNUC__
  __builtin_memcpy(&x, &bits, sizeof x);
#else
  memcpy(&x, &bits, sizeof x);
#endif
  return x;
}

TAUT_INLINE double taut_size(double x) { return taut_number(taut_bits(x) & 0x7fffffffffffffffULL); }

struct taut_reduced {
  double r, lack;
  taut_word n; /* right in its last two bits, which tell the quarter of the circle */
};

/* n: adding 1.5 2^52 rounds to a whole number, whose bits then come last. t is exact, and a multiple of 2^-53; w is
 * less than 2^-21, so that t has no bit below the last of w, and (t - r) - w is exactly what r lacks. */
TAUT_INLINE struct taut_reduced taut_reduce(double x) {
  const double shift = 0x1.8p52;
  const double shifted = x * 0x1.45f306dc9c883p-1 + shift;
  const double n = shifted - shift;
  const double t = x - n * 0x1.921fb5444p+0;
  const double w = n * 0x1.68c234c4cp-39;
  struct taut_reduced reduced;
  reduced.r = t - w;
  reduced.lack = n * 0x1.98a2e03707345p-77 - ((t - reduced.r) - w);
  reduced.n = taut_bits(shifted);
  return reduced;
}

/* Is x too large for this reduction, or not a number, or r too small? r - lack is wrong by less than 2^-112, so that
 * from 2^-49 on more than 60 of its bits are right. Where r is x itself, all are. */
TAUT_INLINE int taut_is_hard(double x, double r) {
  const double size = taut_size(x), left = taut_size(r);
  return (!(size <= 0x1p17)) | ((left < 0x1p-49) & (left != size));
}

/* Differences, so that the sine of -0 is -0. */
TAUT_INLINE double taut_sine_near_zero(double r, double lack) {
  const double z = r * r, zz = z * z;
  const double low = -0x1.5555555555549p-3 + z * 0x1.111111110f8a6p-7;
  const double middle = -0x1.a01a019c161b4p-13 + z * 0x1.71de357b1e71fp-19;
  const double high = -0x1.ae5e68a1e680fp-26 + z * 0x1.5d93a5864e5cdp-33;
  return r - (lack * (1 - 0.5 * z) - (r * z) * (low + zz * (middle + zz * high)));
}

/* 1 - z/2 is rounded to w, and what was lost comes back with the small terms. */
TAUT_INLINE double taut_cosine_near_zero(double r, double lack) {
  const double z = r * r, zz = z * z;
  const double low = 0x1.555555555554bp-5 + z * -0x1.6c16c16c15015p-10;
  const double middle = 0x1.a01a019c8f25dp-16 + z * -0x1.27e4f7f19232cp-22;
  const double high = 0x1.1ee9dbcff40a8p-29 + z * -0x1.8fa68533695c2p-37;
  const double half = 0.5 * z, w = 1 - half;
  return w + (((1 - w) - half) + (zz * (low + zz * (middle + zz * high)) + r * lack));
}

/* The sine of r + n pi/2 from sine and cosine of r, without a branch; that of n + 1 is the cosine. */
TAUT_INLINE double taut_turned(taut_word n, double sine, double cosine) {
  const taut_word odd = 0 - (n & 1);
  return taut_number(((taut_bits(sine) & ~odd) | (taut_bits(cosine) & odd)) ^ ((n & 2) << 62));
}

/* ---- one argument: branches, because its quarter seldom changes from one call to the next
 * ---------------------------------------------------------------------------- */

struct taut_pair {
  double sine, cosine;
};

TAUT_FUNCTION struct taut_pair taut_sincos(double x) {
  const struct taut_reduced at = taut_reduce(x);
  struct taut_pair pair;
  if (taut_is_hard(x, at.r)) {
    pair.sine = sin(x);
    pair.cosine = cos(x);
  } else {
    const double sine = taut_sine_near_zero(at.r, at.lack), cosine = taut_cosine_near_zero(at.r, at.lack);
    pair.sine = at.n & 1 ? cosine : sine;
    pair.cosine = at.n & 1 ? sine : cosine;
    if (at.n & 2) pair.sine = -pair.sine;
    if ((at.n + 1) & 2) pair.cosine = -pair.cosine;
  }
  return pair;
}

/* One of the two: only one polynomial is needed then. */
TAUT_INLINE double taut_sine_from(struct taut_reduced at, taut_word n) {
  const double value = n & 1 ? taut_cosine_near_zero(at.r, at.lack) : taut_sine_near_zero(at.r, at.lack);
  return n & 2 ? -value : value;
}

TAUT_FUNCTION double taut_sin(double x) {
  const struct taut_reduced at = taut_reduce(x);
  return taut_is_hard(x, at.r) ? sin(x) : taut_sine_from(at, at.n);
}

TAUT_FUNCTION double taut_cos(double x) {
  const struct taut_reduced at = taut_reduce(x);
  return taut_is_hard(x, at.r) ? cos(x) : taut_sine_from(at, at.n + 1);
}
