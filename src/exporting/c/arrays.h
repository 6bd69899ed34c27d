/* Lists of numbers. */

TAUT_INLINE void taut_copy(const double* from, int n, double* to) {
  int i;
  TAUT_UNROLL
  for (i = 0; i < n; ++i) to[i] = from[i];
}

/* Is every one of n numbers finite? */
TAUT_INLINE int taut_all_finite(const double* x, int n) {
  int i;
#ifdef __CUDACC__ /* where whole numbers cost next to nothing */
  int infinite = 0;
  TAUT_UNROLL
  for (i = 0; i < n; ++i) infinite |= (__double2hiint(x[i]) & 0x7ff00000) == 0x7ff00000;
  return !infinite;
#else
  double sum = 0;
  TAUT_UNROLL
  for (i = 0; i < n; ++i) sum += x[i] - x[i];
  return sum == 0;
#endif
}

TAUT_INLINE int taut_same(const double* x, const double* y, int n) {
  int i, same = 1;
  TAUT_UNROLL
  for (i = 0; i < n; ++i) same &= x[i] == y[i];
  return same;
}
