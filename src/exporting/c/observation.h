/* What can be seen of a motion where it stands, without disturbing it. */

/* v' and the smallest lambda at (t, q, v), by matrices. 0 where they have no value. */
TAUT_INLINE int taut_accelerations_at(taut_work* w, double t, const double* q, const double* v, double* a,
                                      double* lambda) {
  const int at_decision = w->at_decision, factored = w->factored, outdated = w->outdated, by = w->current_by;
  struct taut_kernel* k = &w->kernels[taut_current];
  int ok;
  if (w->formulas != taut_no_formulas) taut_remember_sizes(k, w->scales);
  taut_matrices_at_position(w, t, q);
  taut_matrices_at_velocity(w, v);
  ok = taut_factor_in_new_order(w, k);
  if (ok) taut_accelerate_by_kernel(w, taut_current, w->b, a, lambda);
  w->positions_factored = 0;
  w->at_decision = at_decision;
  w->factored = factored;
  w->outdated = outdated;
  w->current_by = by == taut_by_formulas && !at_decision ? by : taut_by_matrices;
  return ok && taut_all_finite(a, taut_speeds) && taut_all_finite(lambda, taut_all_rows);
}

TAUT_INLINE int taut_outputs_at(taut_work* w, double t, const double* q, const double* v, double* out) {
  double a[taut_speeds + 1] = {0}, lambda[taut_all_rows + 1] = {0};
  int ok = 1;
  taut_put_position(w->outputs, t, q);
  taut_run_outputs(taut_at_position, w->outputs);
  taut_put_velocity(w->outputs, v);
  taut_run_outputs(taut_at_velocity, w->outputs);
  if (taut_outputs_need_accelerations) {
    ok = taut_accelerations_at(w, t, q, v, a, lambda);
    taut_put_acceleration(w->outputs, a, lambda);
    taut_run_outputs(taut_at_acceleration, w->outputs);
  }
  taut_gather(w->outputs, taut_outputs_of_outputs, taut_output_count, out);
  return ok && taut_all_finite(out, taut_output_count);
}

TAUT_INLINE double taut_energy_at(taut_work* w, double t, const double* q, const double* v) {
  if (!taut_has_energy) return 0;
  taut_put_position(w->energy, t, q);
  taut_run_energy(taut_at_position, w->energy);
  taut_put_velocity(w->energy, v);
  taut_run_energy(taut_at_velocity, w->energy);
  return w->energy[taut_outputs_of_energy[0]];
}

/* What an evaluation elsewhere would change, to be put back. */
struct taut_memory {
  double found[taut_moving + 1], asked[taut_moving + 1], known_t;
  int known, has_result_rates, at_decision, factored, outdated;
};

TAUT_INLINE void taut_keep_memory(const taut_work* w, struct taut_memory* kept) {
  taut_copy(w->found, taut_moving, kept->found);
  taut_copy(w->asked, taut_moving, kept->asked);
  kept->known_t = w->known_t;
  kept->known = w->known;
  kept->has_result_rates = w->has_result_rates;
  kept->at_decision = w->at_decision;
  kept->factored = w->factored;
  kept->outdated = w->outdated;
}

/* Matrices have been used elsewhere: what they said of the decision's point is gone. */
TAUT_INLINE void taut_restore_memory(taut_work* w, const struct taut_memory* kept) {
  const int still_there = kept->at_decision && w->decided_by == taut_by_formulas;
  taut_copy(kept->found, taut_moving, w->found);
  taut_copy(kept->asked, taut_moving, w->asked);
  w->known_t = kept->known_t;
  w->known = kept->known && still_there;
  w->has_result_rates = kept->has_result_rates && still_there;
  w->at_decision = kept->at_decision && still_there;
  w->factored = kept->factored;
  w->outdated = 1;
  w->current_by = taut_by_matrices;
}

/* y' at any state y near the motion. */
TAUT_INLINE int taut_derivative_at(taut_work* w, double t, const double* y, double* ydot) {
  struct taut_memory kept;
  int ok;
  taut_keep_memory(w, &kept);
  ok = taut_derivative(w, t, y, ydot);
  taut_restore_memory(w, &kept);
  return ok;
}

/* As taut_derivative_at, evaluated on the constraints and drawn to them: y' = f(p(y)) - attraction (y - p(y)), where p is
 * the projection. An integrator that knows nothing of constraints then stays as near to them as its tolerance says. */
TAUT_INLINE int taut_attracted_derivative(taut_work* w, double t, const double* y, double attraction, double* ydot) {
  struct taut_memory kept;
  int i, ok;
  taut_keep_memory(w, &kept);
  ok = taut_derivative(w, t, y, ydot);
  for (i = 0; i < taut_moving; ++i) ydot[i] -= attraction * (y[i] - w->found[i]);
  taut_restore_memory(w, &kept);
  return ok;
}

/* Outputs at the projection of any state near the motion. */
TAUT_INLINE int taut_outputs_near(taut_work* w, double t, const double* y, double* out) {
  struct taut_memory kept;
  double at[taut_moving + 1];
  int ok;
  taut_keep_memory(w, &kept);
  ok = taut_evaluate_state(w, t, y, 1);
  taut_copy(w->found, taut_moving, at);
  if (ok) ok = taut_outputs_at(w, t, at, at + taut_coordinates, out);
  taut_restore_memory(w, &kept);
  return ok;
}

/* Functions whose zeros are events: watched ones, and those at which the equations have a kink. */
TAUT_INLINE int taut_events_at(taut_work* w, double t, const double* q, const double* v, double* out) {
  double a[taut_speeds + 1] = {0}, lambda[taut_all_rows + 1] = {0};
  int ok = 1;
  taut_put_position(w->events, t, q);
  taut_run_events(taut_at_position, w->events);
  taut_put_velocity(w->events, v);
  taut_run_events(taut_at_velocity, w->events);
  if (taut_events_need_accelerations) {
    ok = taut_accelerations_at(w, t, q, v, a, lambda);
    taut_put_acceleration(w->events, a, lambda);
    taut_run_events(taut_at_acceleration, w->events);
  }
  taut_gather(w->events, taut_outputs_of_events, taut_event_count, out);
  return ok;
}
