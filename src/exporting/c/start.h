/* Where a motion begins. */

enum { taut_most_newton = 50 };
/* A start that Newton's method would move by less than this share stays what it is. */
#define taut_consistent 1e-12

TAUT_INLINE void taut_reset_kernel(struct taut_kernel* k, int rows) {
  int i;
  k->rows = rows;
  k->rank = rows < taut_speeds ? rows : taut_speeds;
  k->low = k->completed = 0;
  for (i = 0; i < rows; ++i) {
    k->order[i] = i;
    k->sizes[i] = 0;
  }
}

TAUT_INLINE void taut_reset(taut_work* w) {
  int i;
  for (i = 0; i < taut_speeds * taut_speeds; ++i) w->M[i] = 0;
  for (i = 0; i < taut_all_rows * taut_speeds; ++i) w->H[i] = 0;
  for (i = 0; i < taut_kernel_sets; ++i) {
    taut_reset_kernel(taut_kernel_of(w, i, 0), taut_all_rows);
    if (taut_position_rows < taut_all_rows) taut_reset_kernel(taut_kernel_of(w, i, 1), taut_position_rows);
  }
  w->formulas = taut_no_formulas;
  w->current_by = w->decided_by = taut_by_matrices;
  w->known = w->outdated = w->at_decision = w->factored = w->has_result_rates = w->positions_factored = 0;
  w->exchanged = w->history = 0;
  w->evaluations = w->left_to_matrices = w->unprojected = w->taken = 0;
  w->step = 0;
  w->largest_coordinate = taut_least_size > 1e-3 ? taut_least_size : 1e-3;
}

/* Newton's method with a new factor each time. 0 where it does not converge. */
TAUT_INLINE int taut_assemble_position(taut_work* w, double t, double* q, const double* v) {
  struct taut_kernel* k = taut_kernel_of(w, taut_current, 1);
  struct taut_newton newton = {0, 0, 0, 0};
  double dq[taut_coordinates + 1], change, scale;
  int i, verdict = taut_go_on;
  if (taut_position_rows == 0) return 1;
  while (verdict != taut_converged && newton.count < taut_most_newton) {
    taut_matrices_at_position(w, t, q);
    if (taut_rows_of_speeds) taut_matrices_at_velocity(w, v);
    if (!taut_factor_kernel(w, k, taut_rank_tolerance)) return 0;
    taut_position_step_by_kernel(w, taut_current, t, q, dq);
    change = taut_largest(dq, taut_coordinates, 0);
    scale = taut_coordinate_scale(w, q);
    if (!(change < taut_infinity)) return 0;
    if (newton.count == 0 && change <= taut_consistent * taut_coarse * scale) return 1;
    for (i = 0; i < taut_coordinates; ++i) q[i] += dq[i];
    taut_retract_at(w, t, q);
    newton.rate = 0; /* far away steps may grow */
    verdict = taut_judge(&newton, change, taut_tolerance * scale, scale);
    if (verdict == taut_converges_badly && taut_is_rounding(w, t, q)) return 1;
  }
  return verdict == taut_converged;
}

TAUT_INLINE int taut_assemble_velocity(taut_work* w, double t, const double* q, double* v) {
  double dv[taut_speeds + 1];
  if (taut_all_rows == 0) return 1;
  taut_matrices_at_position(w, t, q);
  if (taut_rows_of_speeds) taut_matrices_at_velocity(w, v);
  if (!taut_factor_kernel(w, &w->kernels[taut_current], taut_rank_tolerance)) return 0;
  w->current_by = taut_by_matrices;
  w->at_decision = 0;
  taut_velocity_step_here(w, t, q, v, dv);
  if (taut_largest(dv, taut_speeds, 0) <= taut_consistent * taut_coarse * taut_largest(v, taut_speeds, 1e-3)) return 1;
  return taut_project_velocity(w, t, q, v);
}

/* Do the constraints hold at (t, q, v), give or take rounding? */
TAUT_INLINE int taut_holds(taut_work* w, double t, const double* q, const double* v) {
  double chi[taut_all_rows + 1], scale = taut_largest(v, taut_speeds, 1);
  int i, j;
  taut_matrices_at_position(w, t, q);
  if (taut_rows_of_speeds) taut_matrices_at_velocity(w, v);
  taut_velocity_at(w, t, q, v, chi);
  for (i = 0; i < taut_all_rows; ++i) {
    double size = 0;
    for (j = 0; j < taut_speeds; ++j) size += taut_abs(w->H[i * taut_speeds + j]);
    if (!(taut_abs(chi[i]) <= 1e-8 * taut_coarse * (size * scale + 1))) return 0;
    if (i < taut_position_rows && !(taut_abs(w->Phi[i]) <= 1e-8 * taut_coarse * (size * taut_coordinate_scale(w, q) + 1)))
      return 0;
  }
  return 1;
}

/* Begins at (t, q, v), which is put onto the constraints if the method keeps them, and decides rank there. */
TAUT_INLINE int taut_start(taut_work* w, double t, double* q, double* v) {
  taut_reset(w);
  taut_retract_at(w, t, q);
  if (taut_projects &&
      !(taut_assemble_position(w, t, q, v) && taut_assemble_velocity(w, t, q, v) && taut_holds(w, t, q, v)))
    return taut_inconsistent;
  taut_reset(w);
  if (!taut_evaluate(w, t, q, v, 0) || !taut_decide_afresh(w)) return taut_no_start;
  w->largest_coordinate = taut_largest(q, taut_coordinates, w->largest_coordinate);
  taut_start_formulas(w, t, q, w->kernels[taut_decided].rank);
  if (w->formulas == taut_formulas_serve) {
    if (!taut_evaluate(w, t, q, v, 0)) return taut_no_start;
    taut_decide(w, t, q, v);
  }
  w->t = t;
  taut_copy(q, taut_coordinates, w->y);
  taut_copy(v, taut_speeds, w->y + taut_coordinates);
  if (taut_works) w->y[taut_moving] = 0;
  taut_copy(w->y, taut_moving, w->found);
  taut_remember(w, t, w->y);
  taut_mark_start(w, t, w->y);
  return taut_done;
}
