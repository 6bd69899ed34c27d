/* Lists of numbers. */

TAUT_INLINE void taut_copy(const double* from, int n, double* to) {
  int i;
  TAUT_UNROLL
  for (i = 0; i < n; ++i) to[i] = from[i];
}

/* Is every one of n numbers finite? */
TAUT_INLINE int taut_all_finite(const double* x, int n) {
  double sum = 0;
  int i;
  TAUT_UNROLL
  for (i = 0; i < n; ++i) sum += x[i] - x[i];
  return sum == 0;
}

TAUT_INLINE int taut_same(const double* x, const double* y, int n) {
  int i, same = 1;
  TAUT_UNROLL
  for (i = 0; i < n; ++i) same &= x[i] == y[i];
  return same;
}
