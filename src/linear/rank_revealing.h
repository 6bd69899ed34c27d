/* min |x - a|_M subject to H x = c, whatever the rank of H: the solve that serves where rows depend on each other, and
 * at singular positions, in code that has no library at hand.
 *
 *   M = L L', C' = L^-1 H' with columns divided by the rows' lengths, C' P = Q [R11 R12], [R11 R12]' = Z T:
 *   C+ = Q T^-1 Z' P' is the pseudoinverse. Rows that contradict each other are met in the least-squares sense, and the
 *   multipliers are the smallest ones.
 *
 * C that C++ understands too: the library includes this file, and emitted C carries its text along. Before it stand
 * TAUT_INLINE, how to declare a function; taut_sqrt and taut_abs. No recursion, no memory of its own, and loops whose
 * lengths depend on the numbers of speeds and rows alone: with n speeds and m rows, factoring takes at most
 * n^3/3 + 3 n m^2 + 2 n^2 m + 2 m^3 products, and solving n^2 + 4 n m + 4 m^2. */

/* M and H, factored. Whoever makes one gives it room: L for n n numbers, Q for n m, Z for m m, reflections for 2 m,
 * sizes and weights for m each, order for m; room for n + 2 m. All of it may lie anywhere. */
struct taut_rows {
  int speeds, rows, rank;
  int completed;         /* M alone is singular, and rows are added to it: M + H' W H */
  double smallest_pivot; /* that counts, relative to its row's largest length */
  int* order;            /* of the rows; the first `rank` of them count */
  double* sizes;         /* the rows' largest lengths so far, weighted by M^-1; begin with 0 */
  double *L, *Q, *Z, *reflections, *weights, *room;
};

/* What rounding leaves of a pivot of M that is nought, relative to its entry; and of one of the rows. */
#ifndef taut_no_mass
#define taut_no_mass 1e-14
#define taut_no_pivot 1e-14
#endif

/* ---- reflections: I - tau w w', w = (1, x[1], x[2], ...) -------------------------------------- */

/* x becomes (beta, rest of w), where beta is what the reflection makes of x. Returns tau. */
TAUT_INLINE double taut_make_reflection(double* x, int n) {
  double tail = 0, beta, scale;
  int i;
  for (i = 1; i < n; ++i) tail += x[i] * x[i];
  if (!(tail > 0)) return 0;
  beta = taut_sqrt(x[0] * x[0] + tail);
  if (x[0] >= 0) beta = -beta;
  scale = 1 / (x[0] - beta);
  for (i = 1; i < n; ++i) x[i] *= scale;
  scale = (beta - x[0]) / beta;
  x[0] = beta;
  return scale;
}

TAUT_INLINE void taut_reflect(const double* w, double tau, int n, double* x) {
  double dot = x[0];
  int i;
  for (i = 1; i < n; ++i) dot += w[i] * x[i];
  dot *= tau;
  x[0] -= dot;
  for (i = 1; i < n; ++i) x[i] -= dot * w[i];
}

/* ---- M ------------------------------------------------------------------------------------------- */

TAUT_INLINE int taut_cholesky(double* L, int n) {
  int i, j, k;
  for (j = 0; j < n; ++j) {
    const double given = L[j * n + j];
    double pivot = given;
    for (k = 0; k < j; ++k) pivot -= L[j * n + k] * L[j * n + k];
    if (!(pivot > taut_no_mass * given) || !(pivot - pivot == 0)) return 0;
    pivot = taut_sqrt(pivot);
    L[j * n + j] = pivot;
    for (i = j + 1; i < n; ++i) {
      double sum = L[i * n + j];
      for (k = 0; k < j; ++k) sum -= L[i * n + k] * L[j * n + k];
      L[i * n + j] = sum / pivot;
    }
  }
  return 1;
}

TAUT_INLINE void taut_solve_lower(const double* L, int n, double* x) {
  int i, k;
  for (i = 0; i < n; ++i) {
    for (k = 0; k < i; ++k) x[i] -= L[i * n + k] * x[k];
    x[i] /= L[i * n + i];
  }
}

TAUT_INLINE void taut_solve_upper(const double* L, int n, double* x) {
  int i, k;
  for (i = n - 1; i >= 0; --i) {
    x[i] /= L[i * n + i];
    for (k = 0; k < i; ++k) x[k] -= L[i * n + k] * x[i];
  }
}

/* M is n n, H m n, row after row. Where M is singular, rows of the size of M complete it. 0 where nothing does. */
TAUT_INLINE int taut_factor_mass(struct taut_rows* a, const double* M, const double* H) {
  const int n = a->speeds;
  double inertia = 0;
  int i, j, k;
  a->completed = 0;
  for (i = 0; i < n * n; ++i) a->L[i] = M[i];
  if (taut_cholesky(a->L, n)) return 1;
  a->completed = 1;
  for (i = 0; i < n; ++i) inertia += M[i * n + i];
  for (i = 0; i < n * n; ++i) a->L[i] = M[i];
  for (k = 0; k < a->rows; ++k) {
    const double* row = H + k * n;
    double square = 0;
    for (i = 0; i < n; ++i) square += row[i] * row[i];
    a->weights[k] = square > 0 ? inertia / square : 0;
    for (i = 0; i < n; ++i)
      for (j = 0; j < n; ++j) a->L[i * n + j] += a->weights[k] * row[i] * row[j];
  }
  return taut_cholesky(a->L, n);
}

/* ---- H ------------------------------------------------------------------------------------------- */

/* Column j of Q: row `row` of H, in units in which M is the identity and the row's largest length is 1. */
TAUT_INLINE void taut_load_row(struct taut_rows* a, const double* H, int row, int j, int deciding) {
  const int n = a->speeds;
  double *x = a->Q + j * n, square = 0;
  int i;
  for (i = 0; i < n; ++i) x[i] = H[row * n + i];
  taut_solve_lower(a->L, n, x);
  for (i = 0; i < n; ++i) square += x[i] * x[i];
  if (deciding && square > a->sizes[row] * a->sizes[row]) a->sizes[row] = taut_sqrt(square);
  if (a->sizes[row] > 0)
    for (i = 0; i < n; ++i) x[i] /= a->sizes[row];
}

/* The column from k on that has most left of its own goes to place k. Returns the square of that. What is left is
 * computed afresh: down-dated lengths lose the digits that a decision on rank needs. */
TAUT_INLINE double taut_choose_row(struct taut_rows* a, int k) {
  const int n = a->speeds;
  double most = -1;
  int i, j, best = k;
  for (j = k; j < a->rows; ++j) {
    const double* x = a->Q + j * n;
    double square = 0;
    for (i = k; i < n; ++i) square += x[i] * x[i];
    if (square > most) {
      most = square;
      best = j;
    }
  }
  if (best != k) {
    const int row = a->order[best];
    a->order[best] = a->order[k];
    a->order[k] = row;
    for (i = 0; i < n; ++i) {
      const double x = a->Q[best * n + i];
      a->Q[best * n + i] = a->Q[k * n + i];
      a->Q[k * n + i] = x;
    }
  }
  return most;
}

/* [R11 R12]' = Z T, where rows depend on each other. */
TAUT_INLINE void taut_factor_remainder(struct taut_rows* a) {
  const int n = a->speeds, m = a->rows;
  int j, k;
  if (a->rank == m) return;
  for (k = 0; k < a->rank; ++k)
    for (j = 0; j < m; ++j) a->Z[k * m + j] = j < k ? 0 : a->Q[j * n + k];
  for (k = 0; k < a->rank; ++k) {
    a->reflections[m + k] = taut_make_reflection(a->Z + k * m + k, m - k);
    for (j = k + 1; j < a->rank; ++j) taut_reflect(a->Z + k * m + k, a->reflections[m + k], m - k, a->Z + j * m + k);
  }
}

/* After taut_factor_mass. A row counts if what it has of its own, beside those that count already, is more than
 * `tolerance` of its largest length; with a negative tolerance rank and order stay as they are. */
TAUT_INLINE void taut_factor_rows(struct taut_rows* a, const double* H, double tolerance) {
  const int n = a->speeds, m = a->rows, deciding = tolerance >= 0;
  int j, k;
  if (deciding) {
    for (j = 0; j < m; ++j) a->order[j] = j;
    a->rank = n < m ? n : m;
  }
  for (j = 0; j < m; ++j) taut_load_row(a, H, a->order[j], j, deciding);
  a->smallest_pivot = 1;
  for (k = 0; k < a->rank; ++k) {
    if (deciding && !(taut_choose_row(a, k) > tolerance * tolerance)) {
      a->rank = k;
      break;
    }
    a->reflections[k] = taut_make_reflection(a->Q + k * n + k, n - k);
    for (j = k + 1; j < m; ++j) taut_reflect(a->Q + k * n + k, a->reflections[k], n - k, a->Q + j * n + k);
    if (taut_abs(a->Q[k * n + k]) < a->smallest_pivot) a->smallest_pivot = taut_abs(a->Q[k * n + k]);
  }
  if (a->rank == 0 && m > 0) a->smallest_pivot = 0;
  taut_factor_remainder(a);
}

/* ---- solving ------------------------------------------------------------------------------------- */

/* A triangle of which entry (i, k) stands at [k stride + i], and pivots that are nought count as none. */
TAUT_INLINE void taut_solve_triangle(const double* R, int stride, int rank, double* x) {
  int i, k;
  for (k = rank - 1; k >= 0; --k) {
    x[k] = taut_abs(R[k * stride + k]) > taut_no_pivot ? x[k] / R[k * stride + k] : 0;
    for (i = 0; i < k; ++i) x[i] -= R[k * stride + i] * x[k];
  }
}
TAUT_INLINE void taut_solve_triangle_transposed(const double* R, int stride, int rank, double* x) {
  int i, k;
  for (k = 0; k < rank; ++k) {
    for (i = 0; i < k; ++i) x[k] -= R[k * stride + i] * x[i];
    x[k] = taut_abs(R[k * stride + k]) > taut_no_pivot ? x[k] / R[k * stride + k] : 0;
  }
}

/* y = C+ r and lambda with C' lambda = y, where r stands in lambda, one entry for each row, scaled as the rows are. */
TAUT_INLINE void taut_solve_rows(const struct taut_rows* a, double* y, double* lambda) {
  const int n = a->speeds, m = a->rows, rank = a->rank;
  double* sorted = a->room;
  int k;
  for (k = 0; k < m; ++k) sorted[k] = lambda[a->order[k]];
  if (rank == m) {
    taut_solve_triangle_transposed(a->Q, n, rank, sorted);
  } else {
    for (k = 0; k < rank; ++k) taut_reflect(a->Z + k * m + k, a->reflections[m + k], m - k, sorted + k);
    taut_solve_triangle(a->Z, m, rank, sorted);
  }
  for (k = 0; k < n; ++k) y[k] = k < rank ? sorted[k] : 0;
  if (rank == m) {
    taut_solve_triangle(a->Q, n, rank, sorted);
  } else {
    for (k = rank; k < m; ++k) sorted[k] = 0;
    taut_solve_triangle_transposed(a->Z, m, rank, sorted);
    for (k = rank - 1; k >= 0; --k) taut_reflect(a->Z + k * m + k, a->reflections[m + k], m - k, sorted + k);
  }
  for (k = 0; k < m; ++k) lambda[a->order[k]] = sorted[k];
  for (k = rank - 1; k >= 0; --k) taut_reflect(a->Q + k * n + k, a->reflections[k], n - k, y + k);
}

TAUT_INLINE double taut_scaled(const struct taut_rows* a, int row, double value) {
  return a->sizes[row] > 0 ? value / a->sizes[row] : 0;
}

/* x = P(r): the smallest in the metric M with H x = r. */
TAUT_INLINE void taut_correct_rows(const struct taut_rows* a, const double* r, double* x) {
  double* lambda = a->room + a->rows;
  int k;
  for (k = 0; k < a->rows; ++k) lambda[k] = taut_scaled(a, k, r[k]);
  taut_solve_rows(a, x, lambda);
  taut_solve_upper(a->L, a->speeds, x);
}

/* x and lambda with M x = f + H' lambda, H x = c. */
TAUT_INLINE void taut_accelerate_rows(const struct taut_rows* a, const double* H, const double* f, const double* c,
                                      double* x, double* lambda) {
  const int n = a->speeds, m = a->rows;
  double* unbound = a->room + 2 * m;
  int i, k;
  for (i = 0; i < n; ++i) unbound[i] = f[i];
  if (a->completed)
    for (k = 0; k < m; ++k)
      for (i = 0; i < n; ++i) unbound[i] += H[k * n + i] * a->weights[k] * c[k];
  taut_solve_lower(a->L, n, unbound);
  /* c - H a, with a = M^-1 f */
  for (i = 0; i < n; ++i) x[i] = unbound[i];
  taut_solve_upper(a->L, n, x);
  for (k = 0; k < m; ++k) {
    double miss = c[k];
    for (i = 0; i < n; ++i) miss -= H[k * n + i] * x[i];
    lambda[k] = taut_scaled(a, k, miss);
  }
  taut_solve_rows(a, x, lambda);
  for (i = 0; i < n; ++i) x[i] += unbound[i];
  taut_solve_upper(a->L, n, x);
  for (k = 0; k < m; ++k) lambda[k] = taut_scaled(a, k, lambda[k]);
}
