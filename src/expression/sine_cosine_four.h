/* Sine and cosine of four arguments side by side: bit for bit what taut_sincos gives for each, since both do the same
 * sums and products in the same order. For code that runs one lane and has the angles of several joints at hand.
 *
 * Behind sine_cosine.h, and C as that is. Where a compiler has no vectors, one after the other. */

#if defined(__GNUC__) && !defined(__CUDACC__)
typedef double taut_doubles __attribute__((vector_size(32)));
typedef unsigned long long taut_words __attribute__((vector_size(32)));

/* See taut_reduce, taut_sine_near_zero, taut_cosine_near_zero, taut_turned. Returns whether one argument is hard. */
TAUT_INLINE int taut_easy_four(const double* arguments, double* sines, double* cosines) {
  const double shift = 0x1.8p52;
  taut_doubles x;
  __builtin_memcpy(&x, arguments, sizeof x);
  const taut_doubles shifted = x * 0x1.45f306dc9c883p-1 + shift;
  const taut_doubles whole = shifted - shift;
  const taut_doubles t = x - whole * 0x1.921fb5444p+0;
  const taut_doubles w = whole * 0x1.68c234c4cp-39;
  const taut_doubles r = t - w;
  const taut_doubles lack = whole * 0x1.98a2e03707345p-77 - ((t - r) - w);
  const taut_words n = (taut_words)shifted;

  const taut_doubles z = r * r, zz = z * z;
  const taut_doubles sine_low = -0x1.5555555555549p-3 + z * 0x1.111111110f8a6p-7;
  const taut_doubles sine_middle = -0x1.a01a019c161b4p-13 + z * 0x1.71de357b1e71fp-19;
  const taut_doubles sine_high = -0x1.ae5e68a1e680fp-26 + z * 0x1.5d93a5864e5cdp-33;
  const taut_doubles sine = r - (lack * (1 - 0.5 * z) - (r * z) * (sine_low + zz * (sine_middle + zz * sine_high)));
  const taut_doubles low = 0x1.555555555554bp-5 + z * -0x1.6c16c16c15015p-10;
  const taut_doubles middle = 0x1.a01a019c8f25dp-16 + z * -0x1.27e4f7f19232cp-22;
  const taut_doubles high = 0x1.1ee9dbcff40a8p-29 + z * -0x1.8fa68533695c2p-37;
  const taut_doubles half = 0.5 * z, u = 1 - half;
  const taut_doubles cosine = u + (((1 - u) - half) + (zz * (low + zz * (middle + zz * high)) + r * lack));

  const taut_words odd = 0 - (n & 1);
  const taut_words s = (taut_words)sine, c = (taut_words)cosine;
  const taut_words turned_sine = ((s & ~odd) | (c & odd)) ^ ((n & 2) << 62);
  const taut_words turned_cosine = ((c & ~odd) | (s & odd)) ^ (((n + 1) & 2) << 62);
  __builtin_memcpy(sines, &turned_sine, sizeof turned_sine);
  __builtin_memcpy(cosines, &turned_cosine, sizeof turned_cosine);

  const taut_doubles size = (taut_doubles)((taut_words)x & 0x7fffffffffffffffULL);
  const taut_doubles left = (taut_doubles)((taut_words)r & 0x7fffffffffffffffULL);
  const taut_words hard = ~(taut_words)(size <= 0x1p17) | ((taut_words)(left < 0x1p-49) & (taut_words)(left != size));
  return (hard[0] | hard[1] | hard[2] | hard[3]) != 0;
}
#endif

TAUT_FUNCTION void taut_sincos_four(const double* arguments, double* sines, double* cosines) {
#if defined(__GNUC__) && !defined(__CUDACC__)
  if (!taut_easy_four(arguments, sines, cosines)) return;
#endif
  for (int k = 0; k < 4; ++k) {
    const struct taut_pair pair = taut_sincos(arguments[k]);
    sines[k] = pair.sine;
    cosines[k] = pair.cosine;
  }
}
