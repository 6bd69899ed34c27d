/* The equations solved with matrices, whatever the rank: where rank was last decided, and where they were last
 * evaluated. Each of the two has a factor of all rows and, where there are velocity constraints, one of the position
 * rows alone. Here rank is decided. */

enum { taut_decided, taut_current, taut_kernel_sets };

/* A rank that falls is believed when it has been low so often in a row: at a singular passage it falls for a moment. */
enum { taut_believed_after = 3 };

TAUT_INLINE struct taut_kernel* taut_kernel_of(taut_work* w, int which, int positions) {
  return &w->kernels[positions && taut_position_rows < taut_all_rows ? taut_kernel_sets + which : which];
}

TAUT_INLINE struct taut_rows taut_open(taut_work* w, struct taut_kernel* k) {
  struct taut_rows a;
  a.speeds = taut_speeds;
  a.rows = k->rows;
  a.rank = k->rank;
  a.completed = k->completed;
  a.smallest_pivot = k->smallest_pivot;
  a.order = k->order;
  a.sizes = k->sizes;
  a.L = k->L;
  a.Q = k->Q;
  a.Z = k->Z;
  a.reflections = k->reflections;
  a.weights = k->weights;
  a.room = w->kernel_room;
  return a;
}

/* Factors M and H. With a negative tolerance rank and order stay as they are. */
TAUT_INLINE int taut_factor_kernel(taut_work* w, struct taut_kernel* k, double tolerance) {
  struct taut_rows a = taut_open(w, k);
  if (!taut_all_finite(w->M, taut_speeds * taut_speeds) || !taut_all_finite(w->H, taut_all_rows * taut_speeds)) return 0;
  a.rows = taut_all_rows; /* all of them complete M where it is singular */
  if (!taut_factor_mass(&a, w->M, w->H)) return 0;
  a.rows = k->rows;
  taut_factor_rows(&a, w->H, tolerance);
  k->rank = a.rank;
  k->completed = a.completed;
  k->smallest_pivot = a.smallest_pivot;
  return 1;
}

TAUT_INLINE void taut_keep_decision(struct taut_kernel* k, const int* order, int rank) {
  int i;
  for (i = 0; i < k->rows; ++i) k->order[i] = order[i];
  k->rank = rank;
}

TAUT_INLINE void taut_follow(struct taut_kernel* k, const struct taut_kernel* other) {
  int i;
  taut_keep_decision(k, other->order, other->rank);
  for (i = 0; i < k->rows; ++i) k->sizes[i] = other->sizes[i];
}

/* Is the point off the constraints by more than rounding? */
TAUT_INLINE int taut_is_violated(const taut_work* w) {
  int i, j;
  for (i = 0; i < taut_position_rows; ++i) {
    double size = 0;
    for (j = 0; j < taut_speeds; ++j)
      if (taut_abs(w->H[i * taut_speeds + j]) > size) size = taut_abs(w->H[i * taut_speeds + j]);
    if (taut_abs(w->Phi[i]) > 1e-12 * taut_coarse * size) return 1;
  }
  return 0;
}

/* A rank that falls is believed only when it stays low; one that rises where the new row stands out, or on the
 * constraints: off them, rows that others imply look independent. 0 where M and H cannot be factored. */
TAUT_INLINE int taut_decide_kernel(taut_work* w, struct taut_kernel* k) {
  const int rank = k->rank;
  int i, factored, dips, rises;
  for (i = 0; i < k->rows; ++i) w->order[i] = k->order[i];
  factored = taut_factor_kernel(w, k, taut_rank_tolerance);
  dips = k->rank < rank && ++k->low < taut_believed_after;
  rises = k->rank > rank && k->smallest_pivot < 1e-3 && taut_is_violated(w);
  if (dips || rises) {
    taut_keep_decision(k, w->order, rank);
    return factored & taut_factor_kernel(w, k, -1);
  }
  k->low = 0;
  return factored;
}

/* With the rank last decided, but rows in an order of their own, if that serves. */
TAUT_INLINE int taut_factor_in_new_order(taut_work* w, struct taut_kernel* k) {
  const int rank = k->rank;
  int i;
  for (i = 0; i < k->rows; ++i) w->order[i] = k->order[i];
  if (taut_factor_kernel(w, k, taut_rank_tolerance) && k->rank == rank) return 1;
  taut_keep_decision(k, w->order, rank);
  return taut_factor_kernel(w, k, -1);
}

/* Sizes that rows have had elsewhere, as squares. */
TAUT_INLINE void taut_remember_sizes(struct taut_kernel* k, const double* squares) {
  int i;
  for (i = 0; i < k->rows; ++i) {
    const double size = taut_sqrt(squares[i]);
    if (size > k->sizes[i]) k->sizes[i] = size;
  }
}

/* ---- at the point factored ---------------------------------------------------------------------- */

/* dv = P(r) */
TAUT_INLINE void taut_correct_by_kernel(taut_work* w, struct taut_kernel* k, const double* r, double* dv) {
  const struct taut_rows a = taut_open(w, k);
  taut_correct_rows(&a, r, dv);
}

TAUT_INLINE void taut_accelerate_by_kernel(taut_work* w, int which, const double* c, double* a, double* lambda) {
  const struct taut_rows rows = taut_open(w, &w->kernels[which]);
  taut_accelerate_rows(&rows, w->H, w->f, c, a, lambda);
}

/* dq = N P_q(-Phi(t, q)) */
TAUT_INLINE void taut_position_step_by_kernel(taut_work* w, int which, double t, const double* q, double* dq) {
  double Phi[taut_position_rows + 1], dv[taut_speeds + 1];
  int k;
  taut_position_at(w, t, q, Phi);
  for (k = 0; k < taut_position_rows; ++k) Phi[k] = -Phi[k];
  taut_correct_by_kernel(w, taut_kernel_of(w, which, 1), Phi, dv);
  taut_spread(w, t, q, dv, dq);
}

/* dv = P(-chi(v)) */
TAUT_INLINE void taut_velocity_step_by_kernel(taut_work* w, int which, double t, const double* q, const double* v,
                                              double* dv) {
  double chi[taut_all_rows + 1];
  int k;
  taut_velocity_at(w, t, q, v, chi);
  for (k = 0; k < taut_all_rows; ++k) chi[k] = -chi[k];
  taut_correct_by_kernel(w, &w->kernels[which], chi, dv);
}
