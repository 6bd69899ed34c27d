/* The motion as an integrator sees it, y = (q, v, work): rates at a state, what is done to the result of a step, and
 * where rank is decided. `auto` evaluates every state at its projection, and the result of a step is its projection;
 * `braun-goldfarb` evaluates where a state stands and adds terms that are held through a step. */

/* ---- where the equations were last evaluated ----------------------------------------------------- */

TAUT_INLINE int taut_was_asked(const taut_work* w, double t, const double* y) {
  return w->known && t == w->known_t && taut_same(y, w->asked, taut_moving);
}
TAUT_INLINE int taut_knows(const taut_work* w, double t, const double* y) {
  return taut_was_asked(w, t, y) || (w->known && t == w->known_t && taut_same(y, w->found, taut_moving));
}

TAUT_INLINE void taut_remember(taut_work* w, double t, const double* y) {
  taut_copy(y, taut_moving, w->asked);
  w->known_t = t;
  w->known = 1;
}

/* The state becomes the one to be evaluated, with coordinates that are retracted. */
TAUT_INLINE void taut_load(taut_work* w, double t, const double* y) {
  taut_copy(y, taut_moving, w->found);
  taut_retract_at(w, t, w->found);
  w->known = 0;
}

/* ---- evaluating ---------------------------------------------------------------------------------- */

TAUT_INLINE void taut_mark_start(taut_work* w, double t, const double* y) {
  w->start_t = t;
  taut_copy(y, taut_moving, w->start);
  taut_rates_at(w, t, y, y + taut_coordinates, w->start_rates);
}

TAUT_INLINE double taut_reach(taut_work* w, double t, const double* y) {
  double rates[taut_coordinates + 1];
  taut_rates_at(w, t, y, y + taut_coordinates, rates);
  return taut_reach_of(y, w->start, rates, w->start_rates, taut_abs(t - w->start_t));
}

/* Evaluates at y, or at its projection, unless the equations stand there. Afterwards w->found is that place. */
TAUT_INLINE int taut_evaluate_state(taut_work* w, double t, const double* y, int factoring) {
  double *q = w->found, *v = w->found + taut_coordinates;
  int ok;
  if (taut_knows(w, t, y)) return 1;
  taut_load(w, t, y);
  if (taut_projects) {
    ok = taut_evaluate_projected(w, taut_normals_decided, t, q, v, taut_reach(w, t, w->found));
    w->has_result_rates = 0;
    if (!ok) {
      ++w->unprojected;
      taut_load(w, t, y);
      ok = taut_evaluate(w, t, q, v, 1);
    }
  } else {
    ok = taut_evaluate(w, t, q, v, factoring);
  }
  if (ok) taut_remember(w, t, y);
  return ok;
}

/* The rates where the equations stand, with H v' = c. */
TAUT_INLINE int taut_slopes(taut_work* w, double t, const double* c, double* ydot) {
  double power = taut_solve(w, c, ydot + taut_coordinates, w->lambda);
  taut_rates_at(w, t, w->found, w->found + taut_coordinates, ydot);
  if (taut_works) ydot[taut_moving] = power;
  return taut_all_finite(ydot, taut_entries);
}

/* ... without terms. */
TAUT_INLINE int taut_plain_slopes(taut_work* w, double t, double* ydot) {
  const struct taut_stage_plan plan = taut_plan();
  const struct taut_stage_call call = taut_call(w, 0);
  if (!taut_formulas_here(w)) return taut_slopes(w, t, w->b, ydot);
  taut_rates(&plan, &call, taut_registers(w, taut_here(w)), 1, ydot);
  return taut_all_finite(ydot, taut_entries);
}

TAUT_INLINE int taut_projected_derivative(taut_work* w, double t, const double* y, double* ydot) {
  if (!taut_knows(w, t, y)) {
    w->known = 0;
    if (taut_stage_at_once(w, taut_normals_decided, t, y, taut_reach(w, t, y), ydot)) {
      taut_remember(w, t, y);
      w->has_result_rates = 0;
      return 1;
    }
  } else if (w->has_result_rates) {
    taut_copy(w->result_rates, taut_entries, ydot);
    return 1;
  }
  return taut_evaluate_state(w, t, y, 1) && taut_plain_slopes(w, t, ydot);
}

/* ---- terms that are held through a step: Braun & Goldfarb 2009 Eq. (16), (20), (21) --------------- */

/*   v' = a + P(b - chi/h - H a),   q' = N v + N P_q(-Phi/h - Phi'),   with Phi and chi of where the step began */
TAUT_INLINE void taut_hold_violation(taut_work* w, double t, const double* y, double h) {
  int k;
  if (taut_knows(w, t, y)) {
    taut_refresh_point(w);
    taut_copy(w->Phi, taut_position_rows, w->held_Phi);
    taut_copy(w->chi, taut_all_rows, w->held_chi);
  } else {
    taut_position_at(w, t, y, w->held_Phi);
    taut_velocity_at(w, t, y, y + taut_coordinates, w->held_chi);
  }
  for (k = 0; k < taut_position_rows; ++k) w->held_Phi[k] /= h;
  for (k = 0; k < taut_all_rows; ++k) w->held_chi[k] /= h;
}

TAUT_INLINE int taut_slopes_with_terms(taut_work* w, double t, double* ydot) {
  double c[taut_all_rows + 1], r[taut_position_rows + 1], dq[taut_coordinates + 1];
  int k;
  taut_refresh_point(w);
  for (k = 0; k < taut_all_rows; ++k) c[k] = w->b[k] - w->held_chi[k];
  taut_slopes(w, t, c, ydot);
  if (taut_position_rows > 0) {
    for (k = 0; k < taut_position_rows; ++k) r[k] = -w->held_Phi[k] - w->chi[k];
    if (!taut_correct_position(w, t, w->found, r, dq)) return 0;
    for (k = 0; k < taut_coordinates; ++k) ydot[k] += dq[k];
  }
  return taut_all_finite(ydot, taut_entries);
}

TAUT_INLINE int taut_derivative_with_terms(taut_work* w, double t, const double* y, double* ydot) {
  return taut_evaluate_state(w, t, y, 1) && taut_slopes_with_terms(w, t, ydot);
}

/* The terms alone, at y, for formulas with a memory. */
TAUT_INLINE int taut_terms_alone(taut_work* w, double t, const double* y, double h, double* rate) {
  double plain[taut_entries + 1];
  int i;
  if (!taut_evaluate_state(w, t, y, 1)) return 0;
  taut_hold_violation(w, t, y, h);
  taut_refresh_point(w);
  taut_slopes(w, t, w->b, plain);
  if (!taut_slopes_with_terms(w, t, rate)) return 0;
  for (i = 0; i < taut_moving; ++i) rate[i] -= plain[i];
  if (taut_works) rate[taut_moving] = 0;
  return taut_all_finite(rate, taut_moving);
}

/* Of a formula with a memory, without terms: these are added by themselves. */
TAUT_INLINE int taut_derivative(taut_work* w, double t, const double* y, double* ydot) {
  if (taut_projects) return taut_projected_derivative(w, t, y, ydot);
  return taut_evaluate_state(w, t, y, 1) && taut_plain_slopes(w, t, ydot);
}

/* ---- the result of a step ------------------------------------------------------------------------ */

TAUT_INLINE int taut_evaluate_result(taut_work* w, double t, double* y) {
  double *q = w->found, *v = w->found + taut_coordinates;
  w->known = 0;
  w->has_result_rates = taut_stage_at_once(w, taut_normals_newest, t, y, taut_infinity, w->result_rates);
  if (!w->has_result_rates) {
    taut_load(w, t, y);
    if (!taut_evaluate_projected(w, taut_normals_newest, t, q, v, taut_infinity)) return 0;
  }
  taut_copy(w->found, taut_moving, y);
  taut_remember(w, t, y);
  return 1;
}

/* Without formulas: a position, then a velocity, put onto the constraints. */
TAUT_INLINE int taut_project_result(taut_work* w, double t, double* y) {
  double *q = w->found, *v = w->found + taut_coordinates;
  taut_load(w, t, y);
  if (!taut_project_position(w, taut_normals_decided, t, q, taut_infinity)) return 0;
  if (!taut_factor_at(w, t, q, v) || !taut_project_velocity(w, t, q, v)) return 0;
  taut_retract_at(w, t, q);
  taut_copy(w->found, taut_moving, y);
  return 1;
}

TAUT_INLINE int taut_correct_result(taut_work* w, double t, double* y) {
  if (!taut_projects) {
    taut_retract_at(w, t, y);
    return 1;
  }
  if (taut_was_asked(w, t, y)) {
    taut_copy(w->found, taut_moving, y);
    return 1;
  }
  return w->formulas == taut_formulas_serve ? taut_evaluate_result(w, t, y) : taut_project_result(w, t, y);
}

/* Decides rank at the end of a step. */
TAUT_INLINE int taut_accept(taut_work* w, double t, const double* y) {
  taut_mark_start(w, t, y);
  if (!taut_evaluate_state(w, t, y, 0)) return 0;
  taut_decide(w, t, w->found, w->found + taut_coordinates);
  if (!w->factored) w->known = 0;
  return 1;
}
