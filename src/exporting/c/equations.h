/* The equations at two points, factored: where they were last evaluated, and where rank was last decided. At each of
 * the two either formulas stand or matrices. */

enum { taut_by_matrices, taut_by_formulas };

/* Do formulas stand where the equations were last evaluated? */
TAUT_INLINE int taut_formulas_here(const taut_work* w) {
  return (w->at_decision ? w->decided_by : w->current_by) == taut_by_formulas;
}
TAUT_INLINE int taut_here(const taut_work* w) { return w->at_decision ? taut_decided : taut_current; }

/* Phi, f, b and chi where formulas stand are brought to where those of matrices stand. */
TAUT_INLINE void taut_refresh_point(taut_work* w) {
  const struct taut_stage_plan plan = taut_plan();
  const double* r = taut_registers(w, taut_here(w));
  if (w->outdated && taut_formulas_here(w)) {
    taut_gather(r, plan.Phi, taut_position_rows, w->Phi);
    taut_gather(r, plan.f, taut_speeds, w->f);
    taut_gather(r, plan.b, taut_all_rows, w->b);
    taut_gather(r, plan.chi, taut_all_rows, w->chi);
  }
  w->outdated = 0;
}

/* ---- evaluating ---------------------------------------------------------------------------------- */

TAUT_INLINE int taut_try_formulas(taut_work* w, double t, const double* q) {
  w->current_by = taut_by_matrices;
  if (w->formulas != taut_formulas_serve) return 0;
  w->at_decision = 0;
  w->factored = taut_formulas_factor(w, t, q);
  if (!w->factored) return 0;
  w->current_by = taut_by_formulas;
  return 1;
}

/* Where formulas count on rows that depend on each other, the order of the last decision by matrices may be out of
 * date. */
TAUT_INLINE int taut_factor_matrices(taut_work* w) {
  struct taut_kernel* k = &w->kernels[taut_current];
  w->at_decision = 0;
  w->current_by = taut_by_matrices;
  w->positions_factored = 0;
  w->factored = taut_formulas_depend(w) ? taut_factor_in_new_order(w, k) : taut_factor_kernel(w, k, -1);
  return w->factored;
}

/* f, b and chi at the position just factored. */
TAUT_INLINE int taut_complete_at(taut_work* w, const double* v) {
  if (w->current_by == taut_by_formulas) {
    w->outdated = 1;
    return taut_formulas_at_velocity(w, v);
  }
  taut_matrices_at_velocity(w, v);
  return taut_all_finite(w->f, taut_speeds) && taut_all_finite(w->b, taut_all_rows);
}

/* All of the equations at (t, q, v), factored unless a decision follows. */
TAUT_INLINE int taut_evaluate(taut_work* w, double t, const double* q, const double* v, int factoring) {
  ++w->evaluations;
  if (taut_try_formulas(w, t, q)) {
    if (taut_complete_at(w, v)) return 1;
    w->current_by = taut_by_matrices;
  }
  w->outdated = 0;
  taut_matrices_at_position(w, t, q);
  return taut_complete_at(w, v) && (!factoring || taut_factor_matrices(w));
}

/* M and H at a position, factored with the decision at hand. */
TAUT_INLINE int taut_factor_at(taut_work* w, double t, const double* q, const double* v) {
  if (taut_try_formulas(w, t, q)) return 1;
  w->outdated = 0;
  taut_matrices_at_position(w, t, q);
  if (taut_rows_of_speeds) taut_matrices_at_velocity(w, v);
  return taut_factor_matrices(w);
}

/* ---- deciding rank ------------------------------------------------------------------------------- */

TAUT_INLINE void taut_decide_by_matrices(taut_work* w) {
  int positions, decided_factored = 1;
  for (positions = 0; positions < (taut_position_rows < taut_all_rows ? 2 : 1); ++positions) {
    if (w->formulas == taut_formulas_serve && !positions) taut_remember_sizes(&w->kernels[taut_decided], w->scales);
    decided_factored &= taut_decide_kernel(w, taut_kernel_of(w, taut_decided, positions));
    taut_follow(taut_kernel_of(w, taut_current, positions), taut_kernel_of(w, taut_decided, positions));
  }
  w->at_decision = w->factored = decided_factored;
  w->decided_by = taut_by_matrices;
  taut_note_decision(w, w->kernels[taut_decided].rank);
  if (!w->at_decision) taut_factor_matrices(w);
}

/* Decides rank anew at the point last evaluated. */
TAUT_INLINE void taut_decide(taut_work* w, double t, const double* q, const double* v) {
  const int depend = taut_formulas_depend(w);
  w->largest_coordinate = taut_largest(q, taut_coordinates, w->largest_coordinate);
  if (w->current_by == taut_by_formulas && depend && !(taut_largest_remainder(w, taut_current) <= taut_rank_tolerance)) {
    ++w->left_to_matrices;
    w->current_by = taut_by_matrices;
    w->outdated = 0;
    taut_matrices_at_position(w, t, q);
    taut_matrices_at_velocity(w, v);
  }
  if (w->at_decision && taut_formulas_here(w)) return;
  if (w->current_by != taut_by_formulas) {
    taut_decide_by_matrices(w);
    return;
  }
  taut_decide_formulas(w);
  w->decided_by = taut_by_formulas;
  w->current_by = taut_by_matrices;
  w->at_decision = w->factored = 1;
}

/* Decides rank at the point last evaluated, whatever was decided before. */
TAUT_INLINE int taut_decide_afresh(taut_work* w) {
  int positions;
  for (positions = 0; positions < (taut_position_rows < taut_all_rows ? 2 : 1); ++positions) {
    struct taut_kernel* k = taut_kernel_of(w, taut_decided, positions);
    if (!taut_factor_kernel(w, k, taut_rank_tolerance)) return 0;
    k->low = 0;
    taut_follow(taut_kernel_of(w, taut_current, positions), k);
  }
  w->decided_by = taut_by_matrices;
  return taut_factor_matrices(w);
}

/* ---- at the point last evaluated ----------------------------------------------------------------- */

/* v' and lambda: M v' = f + H' lambda, H v' = c; and the power that forces put in. */
TAUT_INLINE double taut_solve(taut_work* w, const double* c, double* a, double* lambda) {
  const struct taut_stage_plan plan = taut_plan();
  const struct taut_stage_call call = taut_call(w, 0);
  double* r = taut_registers(w, taut_here(w));
  if (!taut_formulas_here(w)) {
    taut_accelerate_by_kernel(w, taut_here(w), c, a, lambda);
    return taut_power(w, a, lambda);
  }
  taut_copy(c, taut_all_rows, r + plan.demanded);
  taut_accelerate(&plan, &call, r, 1, a);
  if (taut_tries_acceleration(&plan, 1))
    taut_copy(r + plan.trial_acceleration + taut_speeds, taut_all_rows, lambda);
  else
    taut_gather(r, plan.multipliers, taut_all_rows, lambda);
  return taut_works ? r[*plan.power] : 0;
}

/* dq = N P_q(r) at the point last evaluated. 0 where the position rows cannot be factored. */
TAUT_INLINE int taut_correct_position(taut_work* w, double t, const double* q, const double* residual, double* dq) {
  const struct taut_stage_plan plan = taut_plan();
  double *r = taut_registers(w, taut_here(w)), dv[taut_speeds + 1];
  if (taut_formulas_here(w)) {
    taut_copy(residual, taut_position_rows, r + plan.position_residual);
    taut_run_solver(taut_at_position_correction, r);
    taut_gather(r, plan.position_correction, taut_coordinates, dq);
    return 1;
  }
  if (taut_position_rows < taut_all_rows && !w->at_decision && !w->positions_factored) {
    w->positions_factored = taut_factor_kernel(w, taut_kernel_of(w, taut_current, 1), -1);
    if (!w->positions_factored) return 0;
  }
  taut_correct_by_kernel(w, taut_kernel_of(w, taut_here(w), 1), residual, dv);
  taut_spread(w, t, q, dv, dq);
  return 1;
}
