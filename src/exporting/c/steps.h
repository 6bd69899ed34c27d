/* Fixed steps. */

/* How a step went. */
enum {
  taut_done,
  taut_no_start,
  taut_no_value,
  taut_no_correction,
  taut_inconsistent,
  taut_no_jump,
  taut_strayed
};

enum { taut_stages_most = 4 };

/* out = y + h sum of row_j k_j */
TAUT_INLINE void taut_combine(const double* row, int count, double h, const double* y, double k[][taut_entries_room],
                              double* out) {
  int i, j;
  for (i = 0; i < taut_entries; ++i) {
    double sum = y[i];
    for (j = 0; j < count; ++j)
      if (row[j] != 0) sum += h * row[j] * k[j][i];
    out[i] = sum;
  }
}

/* ---- Runge and Kutta ----------------------------------------------------------------------------- */

TAUT_TABLE double taut_rk4_c[4] = {0, 0.5, 0.5, 1};
TAUT_TABLE double taut_rk4_a[4][4] = {{0, 0, 0, 0}, {0.5, 0, 0, 0}, {0, 0.5, 0, 0}, {0, 0, 1, 0}};
TAUT_TABLE double taut_rk4_b[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
TAUT_TABLE double taut_euler_b[1] = {1};

TAUT_INLINE int taut_stages(taut_work* w, double t, const double* y, double h) {
  int i;
  if (!taut_projects) taut_hold_violation(w, t, y, h);
  for (i = 0; i < taut_stage_count(); ++i) {
    const double* at = i > 0 ? w->stage : y;
    if (i > 0) taut_combine(taut_rk4_a[i], i, h, y, w->k, w->stage);
    if (!(taut_projects ? taut_projected_derivative(w, t + taut_rk4_c[i] * h, at, w->k[i])
                        : taut_derivative_with_terms(w, t + taut_rk4_c[i] * h, at, w->k[i])))
      return 0;
  }
  return 1;
}

TAUT_INLINE int taut_runge_kutta(taut_work* w, double h) {
  if (!taut_stages(w, w->t, w->y, h)) return taut_no_value;
  taut_combine(taut_integrator == taut_euler ? taut_euler_b : taut_rk4_b, taut_stage_count(), h, w->y, w->k, w->result);
  return taut_done;
}

/* ---- Adams and Bashforth ------------------------------------------------------------------------- */

TAUT_TABLE double taut_ab3_weights[3] = {23. / 12, -16. / 12, 5. / 12};
TAUT_TABLE double taut_rk4_weights[3] = {1. / 3, 1. / 3, 1. / 6};

/* Steps without enough history are those of the classical formula of Runge and Kutta. k[0] is the slope at the
 * beginning, k[1] the one of a stage. */
TAUT_INLINE int taut_first_steps(taut_work* w, double h) {
  int i, s;
  for (i = 0; i < taut_entries; ++i) w->result[i] = w->y[i] + h / 6 * w->k[0][i];
  taut_copy(w->k[0], taut_entries, w->k[1]);
  for (s = 0; s < 3; ++s) {
    for (i = 0; i < taut_entries; ++i) w->stage[i] = w->y[i] + taut_rk4_c[s + 1] * h * w->k[1][i];
    if (!taut_derivative(w, w->t + taut_rk4_c[s + 1] * h, w->stage, w->k[1])) return 0;
    for (i = 0; i < taut_entries; ++i) w->result[i] += taut_rk4_weights[s] * h * w->k[1][i];
  }
  return 1;
}

TAUT_INLINE int taut_adams_bashforth(taut_work* w, double h, int whole) {
  double rate[taut_entries + 1];
  int i, j;
  if (!taut_derivative(w, w->t, w->y, w->k[0])) return taut_no_value;
  if (!taut_projects && !taut_terms_alone(w, w->t, w->y, h, rate)) return taut_no_value;
  if (w->history >= 2 && whole) {
    for (i = 0; i < taut_entries; ++i) w->result[i] = w->y[i] + h * taut_ab3_weights[0] * w->k[0][i];
    for (j = 1; j < 3; ++j)
      for (i = 0; i < taut_entries; ++i) w->result[i] += h * taut_ab3_weights[j] * w->past[j - 1][i];
  } else if (!taut_first_steps(w, h)) {
    return taut_no_value;
  }
  if (!taut_projects)
    for (i = 0; i < taut_entries; ++i) w->result[i] += h * rate[i];
  taut_copy(w->past[0], taut_entries, w->past[1]);
  taut_copy(w->k[0], taut_entries, w->past[0]);
  w->history = whole ? (w->history < 2 ? w->history + 1 : 2) : 0;
  return taut_done;
}

/* ---- one step ------------------------------------------------------------------------------------ */

/* A step that is shorter by less than this share is a whole one. */
#define taut_sliver 1e-9

/* From where the motion stands to t = end, whatever that takes. On failure the state stays what it was. */
TAUT_INLINE int taut_general_step(taut_work* w, double end, double h) {
  const int whole = h > (1 - taut_sliver) * w->step && h < (1 + 2 * taut_sliver) * w->step;
  int outcome;
  taut_mark_start(w, w->t, w->y);
  outcome = taut_integrator == taut_ab3 ? taut_adams_bashforth(w, h, whole) : taut_runge_kutta(w, h);
  if (outcome != taut_done) return outcome;
  if (!taut_all_finite(w->result, taut_entries)) return taut_no_value;
  if (!taut_correct_result(w, end, w->result)) return taut_no_correction;
  taut_copy(w->result, taut_entries, w->y);
  w->t = end;
  return taut_accept(w, w->t, w->y) ? taut_done : taut_no_value;
}

/* Does the motion stand where formulas decided, and is all at hand that a regular step needs? */
TAUT_INLINE int taut_is_regular(const taut_work* w) {
  return taut_integrator != taut_ab3 && w->formulas == taut_formulas_serve && w->at_decision &&
         w->decided_by == taut_by_formulas && taut_was_asked(w, w->t, w->y) && (!taut_projects || w->has_result_rates);
}

/* The equations stand at y again, where rank was decided by formulas. */
TAUT_INLINE void taut_return(taut_work* w) {
  double* r = taut_registers(w, taut_decided);
  taut_load(w, w->t, w->y);
  taut_put_position(r, w->t, w->found);
  taut_run_solver(taut_at_position, r);
  taut_put_velocity(r, w->found + taut_coordinates);
  taut_run_solver(taut_at_velocity, r);
  *taut_stress_known(w, taut_decided) = 0;
  w->at_decision = w->factored = w->outdated = 1;
  w->current_by = taut_by_matrices;
  w->has_result_rates = 0;
  taut_remember(w, w->t, w->y);
}

TAUT_INLINE struct taut_pace taut_pace_of(taut_work* w) {
  struct taut_pace p;
  p.decided = taut_registers(w, taut_decided);
  p.current = taut_registers(w, taut_current);
  p.y = w->y;
  p.scales = w->scales;
  p.k = w->k[0];
  p.result = w->result;
  p.stage = w->stage;
  p.found = w->found;
  p.held_Phi = w->held_Phi;
  p.held_chi = w->held_chi;
  p.retraction = w->retraction;
  p.rates_program = w->rates;
  p.start_rates = w->start_rates;
  p.t = w->t;
  p.largest = w->largest_coordinate;
  p.stress_worn_at = w->stress_worn_at;
  p.refines = w->refines;
  p.stress_renewed = w->stress_renewed;
  return p;
}

/* 0 where the step is not a regular one; then the motion stands where it stood. */
TAUT_INLINE int taut_try_regular(taut_work* w, double end, double h) {
  struct taut_pace p = taut_pace_of(w);
  taut_copy(w->result_rates, taut_entries, w->k[0]);
  if (!taut_regular_step(&p, end, h)) {
    taut_return(w);
    return 0;
  }
  w->exchanged ^= 1;
  w->t = p.t;
  w->largest_coordinate = p.largest;
  w->refines = p.refines;
  w->evaluations += taut_stage_count();
  *taut_stress_known(w, taut_decided) = w->at_decision = w->factored = w->outdated = 1;
  w->current_by = taut_by_matrices;
  taut_copy(w->k[0], taut_entries, w->result_rates);
  taut_remember(w, w->t, w->y);
  taut_mark_start(w, w->t, w->y);
  return 1;
}

TAUT_INLINE int taut_step_to(taut_work* w, double end, double h) {
  if (taut_is_regular(w) && taut_try_regular(w, end, h)) return taut_done;
  return taut_general_step(w, end, h);
}

/* Times are multiples of the step, so that they do not add up rounding errors. */
TAUT_INLINE void taut_begin_steps(taut_work* w, double h) {
  const double multiple = w->t / h;
  w->step = h;
  w->taken = 0;
  w->origin = w->t;
  if (!(multiple >= 0 && multiple < 1e9)) return;
  w->taken = (long)(multiple + 0.5);
  if (taut_abs(w->t - (double)w->taken * h) < taut_sliver * h)
    w->origin = 0;
  else
    w->taken = 0;
}

TAUT_INLINE int taut_one_step(taut_work* w, double h) {
  double end;
  int outcome;
  if (!(h > 0)) return taut_no_value;
  if (h != w->step) taut_begin_steps(w, h);
  end = w->origin + (double)(w->taken + 1) * h;
  outcome = taut_step_to(w, end, taut_time_is_coarse ? h : end - w->t);
  if (outcome == taut_done) ++w->taken;
  return outcome;
}
