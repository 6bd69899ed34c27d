/* The ways onto the constraints. */

/* A correction of a velocity that is at most so many times the tolerance needs no second pass. */
#define taut_second_pass 1e3
enum { taut_most_iterations = 25 };

/* Whose normals positions are moved along. */
enum { taut_normals_decided, taut_normals_newest, taut_normals_current_matrices };

TAUT_INLINE double taut_coordinate_scale(const taut_work* w, const double* q) {
  return taut_largest(q, taut_coordinates, w->largest_coordinate);
}

/* The registers of those normals, or none: matrices. */
TAUT_INLINE double* taut_normals_by_formulas(taut_work* w, int normals) {
  if (normals == taut_normals_newest && w->current_by == taut_by_formulas) return taut_registers(w, taut_current);
  if (normals != taut_normals_current_matrices && w->decided_by == taut_by_formulas)
    return taut_registers(w, taut_decided);
  return 0;
}

TAUT_INLINE void taut_step_along(taut_work* w, int normals, double t, const double* q, double* dq) {
  const struct taut_stage_plan plan = taut_plan();
  const struct taut_stage_call call = taut_call(w, 0);
  double* r = taut_normals_by_formulas(w, normals);
  if (!r) {
    taut_position_step_by_kernel(w, normals == taut_normals_current_matrices ? taut_current : taut_decided, t, q, dq);
    return;
  }
  taut_position_step(&plan, &call, r, t, q);
  taut_gather(r, plan.position_correction, taut_coordinates, dq);
}

/* ---- is what is left rounding? ------------------------------------------------------------------- */

/* sizes += |Phi(there) - Phi| */
TAUT_INLINE void taut_add_change(taut_work* w, double t, double* there, const double* Phi, double* sizes) {
  double moved[taut_position_rows + 1];
  int k;
  taut_retract_at(w, t, there);
  taut_position_at(w, t, there, moved);
  for (k = 0; k < taut_position_rows; ++k) sizes[k] += taut_abs(moved[k] - Phi[k]);
}

TAUT_INLINE int taut_all_within(const double* x, double factor, const double* sizes, int n) {
  int k, within = 1;
  for (k = 0; k < n; ++k) within &= taut_abs(x[k]) <= factor * sizes[k];
  return within;
}

/* What rounding of the terms of each constraint amounts to: their sizes at places around q. */
TAUT_INLINE void taut_find_term_sizes(taut_work* w, double t, const double* q, double scale, double* sizes) {
  double there[taut_coordinates + 1], Phi[taut_position_rows + 1];
  int i, k;
  for (i = 0; i < taut_position_rows; ++i) sizes[i] = 0;
  for (k = 0; k < 8; ++k) {
    for (i = 0; i < taut_coordinates; ++i) {
      const double share = 0.125 * (double)((7 * k + 5 * i) % 9 - 4);
      there[i] = q[i] + share * (taut_abs(q[i]) > 1e-3 * scale ? q[i] : scale);
    }
    taut_retract_at(w, t, there);
    taut_position_at(w, t, there, Phi);
    for (i = 0; i < taut_position_rows; ++i)
      if (Phi[i] - Phi[i] == 0) sizes[i] += taut_abs(Phi[i]) / 8;
  }
}

/* Is what the position constraints miss at q no more than what rounding of q, or of their terms, makes of them? Moving
 * coordinates by some epsilon of their sizes tells, with signs in several patterns. */
TAUT_INLINE int taut_is_rounding(taut_work* w, double t, const double* q) {
  const double scale = taut_coordinate_scale(w, q), least = 1e-3 * scale, step = 4 * taut_epsilon;
  double Phi[taut_position_rows + 1], there[taut_coordinates + 1], sizes[taut_position_rows + 1];
  int i, pattern;
  taut_position_at(w, t, q, Phi);
  for (i = 0; i < taut_position_rows; ++i) sizes[i] = 0;
  for (pattern = 0; pattern < 3; ++pattern) {
    for (i = 0; i < taut_coordinates; ++i) {
      const double size = taut_abs(q[i]) > least ? taut_abs(q[i]) : least;
      there[i] = (i >> pattern) % 2 == 0 ? q[i] + step * size : q[i] - step * size;
    }
    taut_add_change(w, t, there, Phi, sizes);
  }
  if (taut_all_within(Phi, 1, sizes, taut_position_rows)) return 1;
  taut_find_term_sizes(w, t, q, scale > 1 ? scale : 1, sizes);
  return taut_all_within(Phi, 16 * taut_epsilon, sizes, taut_position_rows);
}

/* ---- positions ----------------------------------------------------------------------------------- */

/* Newer normals than those of the last decision. -1 if they cannot be factored. */
TAUT_INLINE int taut_factor_normals(taut_work* w, double t, const double* q) {
  if (taut_try_formulas(w, t, q)) return taut_normals_newest;
  w->outdated = w->at_decision = 0;
  taut_matrices_at_position(w, t, q);
  w->positions_factored = 0;
  return taut_factor_kernel(w, taut_kernel_of(w, taut_current, 1), -1) ? taut_normals_current_matrices : -1;
}

/* Moves q onto Phi = 0 by Newton's iteration with one factor; where that converges badly, with newer ones. 0, and q as
 * it was, if that leads nowhere, or farther than `reach`. */
TAUT_INLINE int taut_project_position(taut_work* w, int normals, double t, double* q, double reach) {
  const double scale = taut_coordinate_scale(w, q);
  double start[taut_coordinates + 1], dq[taut_coordinates + 1];
  struct taut_newton newton = {0, 0, 0, 0};
  int i;
  if (taut_position_rows == 0) return 1;
  taut_copy(q, taut_coordinates, start);
  newton.cautious = taut_formulas_depend(w) && taut_normals_by_formulas(w, normals) != 0;
  while (newton.count < taut_most_iterations && normals >= 0) {
    double change, moved = 0;
    int verdict;
    taut_step_along(w, normals, t, q, dq);
    change = taut_largest(dq, taut_coordinates, 0);
    if (!(change < taut_infinity)) break;
    for (i = 0; i < taut_coordinates; ++i) q[i] += dq[i];
    taut_retract_at(w, t, q);
    verdict = taut_judge(&newton, change, taut_tolerance * scale, scale);
    if (verdict == taut_converged || (verdict == taut_converges_badly && taut_is_rounding(w, t, q))) {
      for (i = 0; i < taut_coordinates; ++i)
        if (taut_abs(q[i] - start[i]) > moved) moved = taut_abs(q[i] - start[i]);
      if (moved > reach) break;
      return 1;
    }
    if (verdict == taut_converges_badly) {
      newton.cautious = 0;
      normals = taut_factor_normals(w, t, q);
    }
  }
  taut_copy(start, taut_coordinates, q);
  return 0;
}

/* ---- velocities ---------------------------------------------------------------------------------- */

TAUT_INLINE void taut_velocity_step_here(taut_work* w, double t, const double* q, const double* v, double* dv) {
  const struct taut_stage_plan plan = taut_plan();
  const struct taut_stage_call call = taut_call(w, 0);
  double* r = taut_registers(w, taut_here(w));
  if (!taut_formulas_here(w)) {
    taut_velocity_step_by_kernel(w, taut_here(w), t, q, v, dv);
    return;
  }
  taut_velocity_step(&plan, &call, r, v);
  taut_gather(r, plan.correction, taut_speeds, dv);
}

/* Moves v onto chi = 0 at a position that has been factored already. */
TAUT_INLINE int taut_project_velocity(taut_work* w, double t, const double* q, double* v) {
  const double scale = taut_largest(v, taut_speeds, 1e-3);
  double dv[taut_speeds + 1], last = 0;
  int i, k;
  if (taut_all_rows == 0) return 1;
  for (k = 0; k < taut_most_iterations; ++k) {
    double change;
    taut_velocity_step_here(w, t, q, v, dv);
    change = taut_largest(dv, taut_speeds, 0);
    if (!(change < taut_infinity)) return 0;
    for (i = 0; i < taut_speeds; ++i) v[i] += dv[i];
    if (change <= taut_second_pass * taut_tolerance * scale || (k > 0 && !taut_rows_of_speeds)) return 1;
    if (k > 2 && change > 0.5 * last && change < 1e6 * taut_tolerance * scale) return 1;
    if (taut_rows_of_speeds) {
      taut_matrices_at_velocity(w, v);
      if (!taut_factor_matrices(w)) return 0;
    }
    last = change;
  }
  return 0;
}

/* ---- evaluating on the constraints --------------------------------------------------------------- */

/* Evaluates at the projection of (q, v), whose position is moved along these normals, not farther than `reach`. */
TAUT_INLINE int taut_evaluate_projected(taut_work* w, int normals, double t, double* q, double* v, double reach) {
  if (taut_all_rows == 0) return taut_evaluate(w, t, q, v, 1);
  if (!taut_project_position(w, normals, t, q, reach)) return 0;
  ++w->evaluations;
  return taut_factor_at(w, t, q, v) && taut_project_velocity(w, t, q, v) && taut_complete_at(w, v);
}

/* All of it at one go, and the rates there, by formulas; w->found becomes the state on the constraints. 0, and nothing
 * done, where they do not serve. */
TAUT_INLINE int taut_stage_at_once(taut_work* w, int normals, double t, const double* y, double reach, double* rates) {
  const struct taut_stage_plan plan = taut_plan();
  struct taut_stage_call call = taut_call(w, taut_independent);
  const int newest = normals == taut_normals_newest && w->current_by == taut_by_formulas;
  if (w->formulas != taut_formulas_serve || (!newest && w->decided_by != taut_by_formulas)) return 0;
  w->at_decision = 0;
  w->current_by = taut_by_matrices;
  *taut_stress_known(w, taut_current) = 1;
  call.normals = taut_registers(w, newest ? taut_current : taut_decided);
  call.here = taut_registers(w, taut_current);
  call.t = t;
  call.y = y;
  call.reach = reach;
  call.size = w->largest_coordinate;
  call.tolerance = taut_tolerance;
  call.check_stress = 1;
  call.refine = w->refines || !(reach < taut_infinity); /* the next step begins with the rates at a result */
  call.found = w->found;
  call.rates = rates;
  if (!taut_stage(&plan, &call)) return 0;
  ++w->evaluations;
  w->current_by = taut_by_formulas;
  w->factored = w->outdated = 1;
  return 1;
}
