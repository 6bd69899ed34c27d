/* Quotients, roots, sines and cosines of members in lanes. On a GPU the quick ones have no branches and call nobody, so
 * that what stands around them stays in registers and in one piece: right but for the last bit, and not a number where
 * an operand is beyond all bounds. A step that finds one is not a regular step, and the general step, which is never
 * quick, decides. Elsewhere all are those of any other code. */

#ifdef __CUDACC__

/* 1/b by Newton's method. Not a number for 0, infinities and what is so small that 1/b is none. */
TAUT_INLINE double taut_quick_inverse(double b) {
  double y, e;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(b));
  e = fma(-b, y, 1.0); /* 2^-20 or so; its square is left after one more term, and nothing after the last line */
  e = fma(e, e, e);
  y = fma(y, e, y);
  e = fma(-b, y, 1.0);
  return fma(y, e, y);
}

TAUT_INLINE double taut_quick_quotient(double a, double b) {
  const double y = taut_quick_inverse(b), quotient = a * y;
  return fma(y, fma(-b, quotient, a), quotient);
}

/* By Newton's method for 1/sqrt(a). The root of 0 is 0; that of negative, infinite and subnormal numbers is not a
 * number. */
TAUT_INLINE double taut_quick_root(double a) {
  const int high = __double2hiint(a);
  double y, root, half, e;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));
  root = a * y;
  half = 0.5 * y;
  e = fma(-half, root, 0.5);
  root = fma(root, e, root);
  half = fma(half, e, half);
  e = fma(-root, root, a);
  root = fma(e, half, root);
  if ((unsigned)(high - 0x00100000) < 0x7fe00000u) return root;
  return ((high & 0x7fffffff) | __double2loint(a)) == 0 ? a : NAN;
}

/* As taut_sincos, with fused operations: n pi/2 is subtracted in three parts, whose products are not rounded. Not a
 * number from 1e5 on, where n is too large for that. */
TAUT_INLINE struct taut_pair taut_quick_pair(double x) {
  const double shift = 6755399441055744.0; /* 1.5 2^52 */
  const double shifted = fma(x, 0.63661977236758134, shift), n = shifted - shift;
  const int quarter = __double2loint(shifted);
  const int large = (__double2hiint(x) & 0x7fffffff) >= 0x40f86a00;
  double r = fma(-n, 1.5707963267948966, x), z, sine, cosine;
  struct taut_pair pair;
  r = fma(-n, 6.123233995736766e-17, r);
  r = fma(-n, -1.4973849048591698e-33, r);
  r = large ? NAN : r;
  z = r * r;
  sine = fma(z, 0x1.5d93a5864e5cdp-33, -0x1.ae5e68a1e680fp-26);
  sine = fma(z, sine, 0x1.71de357b1e71fp-19);
  sine = fma(z, sine, -0x1.a01a019c161b4p-13);
  sine = fma(z, sine, 0x1.111111110f8a6p-7);
  sine = fma(z, sine, -0x1.5555555555549p-3);
  sine = fma(r * z, sine, r);
  cosine = fma(z, -0x1.8fa68533695c2p-37, 0x1.1ee9dbcff40a8p-29);
  cosine = fma(z, cosine, -0x1.27e4f7f19232cp-22);
  cosine = fma(z, cosine, 0x1.a01a019c8f25dp-16);
  cosine = fma(z, cosine, -0x1.6c16c16c15015p-10);
  cosine = fma(z, cosine, 0x1.555555555554bp-5);
  cosine = fma(z, fma(z, cosine, -0.5), 1.0);
  pair.sine = quarter & 1 ? cosine : sine;
  pair.cosine = quarter & 1 ? sine : cosine;
  pair.sine = quarter & 2 ? -pair.sine : pair.sine;
  pair.cosine = (quarter + 1) & 2 ? -pair.cosine : pair.cosine;
  return pair;
}

TAUT_INLINE double taut_inverse(double b, int quick) { return quick ? taut_quick_inverse(b) : 1 / b; }
TAUT_INLINE double taut_over(double a, double b, int quick) { return quick ? taut_quick_quotient(a, b) : a / b; }
TAUT_INLINE double taut_root(double a, int quick) { return quick ? taut_quick_root(a) : sqrt(a); }
TAUT_INLINE double taut_sine_of(double x, int quick) { return quick ? taut_quick_pair(x).sine : taut_sin(x); }
TAUT_INLINE double taut_cosine_of(double x, int quick) { return quick ? taut_quick_pair(x).cosine : taut_cos(x); }
TAUT_INLINE struct taut_pair taut_pair_of(double x, int quick) { return quick ? taut_quick_pair(x) : taut_sincos(x); }
TAUT_INLINE void taut_pairs_of(const double *x, double *sines, double *cosines, int quick) {
  int k;
  TAUT_UNROLL
  for (k = 0; k < 4; ++k) {
    const struct taut_pair pair = taut_pair_of(x[k], quick);
    sines[k] = pair.sine;
    cosines[k] = pair.cosine;
  }
}

#else
#define taut_inverse(b, quick) (1 / (b))
#define taut_over(a, b, quick) ((a) / (b))
#define taut_root(a, quick) taut_sqrt(a)
#define taut_sine_of(x, quick) taut_sin(x)
#define taut_cosine_of(x, quick) taut_cos(x)
#define taut_pair_of(x, quick) taut_sincos(x)
#define taut_pairs_of(x, sines, cosines, quick) taut_sincos_four(x, sines, cosines)
#endif
