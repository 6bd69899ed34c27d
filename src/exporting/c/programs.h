/* Formulas at a point. Inputs stand first in the registers of every program: parameters and inputs, the sides of kinks,
 * t, q, v, and where they are needed v' and lambda. */

TAUT_INLINE void taut_put_position(double* r, double t, const double* q) {
  int i;
  r[taut_first] = t;
  for (i = 0; i < taut_coordinates; ++i) r[taut_first + 1 + i] = q[i];
}

TAUT_INLINE void taut_put_velocity(double* r, const double* v) {
  int i;
  for (i = 0; i < taut_speeds; ++i) r[taut_first + 1 + taut_coordinates + i] = v[i];
}

TAUT_INLINE void taut_put_acceleration(double* r, const double* a, const double* lambda) {
  const int first = taut_first + 1 + taut_coordinates + taut_speeds;
  int i;
  for (i = 0; i < taut_speeds; ++i) r[first + i] = a[i];
  for (i = 0; i < taut_all_rows; ++i) r[first + taut_speeds + i] = lambda[i];
}

/* Phi(t, q) */
TAUT_INLINE void taut_position_at(taut_work* w, double t, const double* q, double* Phi) {
  taut_put_position(w->position, t, q);
  taut_run_position(taut_at_position, w->position);
  taut_gather(w->position, taut_outputs_of_position, taut_position_rows, Phi);
}

/* chi(t, q, v) */
TAUT_INLINE void taut_velocity_at(taut_work* w, double t, const double* q, const double* v, double* chi) {
  taut_put_position(w->velocity, t, q);
  taut_run_velocity(taut_at_position, w->velocity);
  taut_put_velocity(w->velocity, v);
  taut_run_velocity(taut_at_velocity, w->velocity);
  taut_gather(w->velocity, taut_outputs_of_velocity, taut_all_rows, chi);
}

/* q' = N v + n */
TAUT_INLINE void taut_rates_at(taut_work* w, double t, const double* q, const double* v, double* qdot) {
  if (taut_plain_rates) {
    taut_copy(v, taut_coordinates, qdot);
    return;
  }
  taut_put_position(w->rates, t, q);
  taut_run_rates(taut_at_position, w->rates);
  taut_put_velocity(w->rates, v);
  taut_run_rates(taut_at_velocity, w->rates);
  taut_gather(w->rates, taut_outputs_of_rates, taut_coordinates, qdot);
}

/* dq = N dv */
TAUT_INLINE void taut_spread(taut_work* w, double t, const double* q, const double* dv, double* dq) {
  int k;
  if (taut_plain_rates) {
    taut_copy(dv, taut_coordinates, dq);
    return;
  }
  taut_put_position(w->spread, t, q);
  taut_run_spread(taut_at_position, w->spread);
  for (k = 0; k < taut_coordinates; ++k) dq[k] = 0;
  for (k = 0; k < taut_N_entries; ++k)
    dq[taut_N_places[2 * k]] += w->spread[taut_outputs_of_spread[k]] * dv[taut_N_places[2 * k + 1]];
}

/* Coordinates that are more than the motion needs are set right. */
TAUT_INLINE void taut_retract_at(taut_work* w, double t, double* q) {
  int k;
  if (taut_retracted == 0) return;
  taut_put_position(w->retraction, t, q);
  taut_run_retraction(taut_at_position, w->retraction);
  for (k = 0; k < taut_retracted; ++k) q[taut_retracted_places[k]] = w->retraction[taut_outputs_of_retraction[k]];
}

/* ---- M, H, f, b, chi, Phi as matrices ---------------------------------------------------------- */

TAUT_INLINE void taut_scatter(const double* r, const int* slots, const int* places, int count, int width, double* A) {
  int k;
  for (k = 0; k < count; ++k) A[places[2 * k] * width + places[2 * k + 1]] = r[slots[k]];
}

TAUT_INLINE void taut_take_rows(taut_work* w) {
  taut_scatter(w->dynamics, taut_outputs_of_dynamics + taut_M_entries + taut_position_rows, taut_H_places,
               taut_H_entries, taut_speeds, w->H);
}

TAUT_INLINE void taut_matrices_at_position(taut_work* w, double t, const double* q) {
  taut_put_position(w->dynamics, t, q);
  taut_run_dynamics(taut_at_position, w->dynamics);
  taut_scatter(w->dynamics, taut_outputs_of_dynamics, taut_M_places, taut_M_entries, taut_speeds, w->M);
  taut_gather(w->dynamics, taut_outputs_of_dynamics + taut_M_entries, taut_position_rows, w->Phi);
  taut_take_rows(w);
}

/* At the position last given. */
TAUT_INLINE void taut_matrices_at_velocity(taut_work* w, const double* v) {
  const int* slots = taut_outputs_of_dynamics + taut_M_entries + taut_position_rows + taut_H_entries;
  taut_put_velocity(w->dynamics, v);
  taut_run_dynamics(taut_at_velocity, w->dynamics);
  if (taut_rows_of_speeds) taut_take_rows(w);
  taut_gather(w->dynamics, slots, taut_speeds, w->f);
  taut_gather(w->dynamics, slots + taut_speeds, taut_all_rows, w->b);
  taut_gather(w->dynamics, slots + taut_speeds + taut_all_rows, taut_all_rows, w->chi);
}

/* The power of forces that no potential covers, and of moving constraints, where the matrices stand. */
TAUT_INLINE double taut_power(taut_work* w, const double* a, const double* lambda) {
  if (!taut_works) return 0;
  taut_put_acceleration(w->dynamics, a, lambda);
  taut_run_dynamics(taut_at_acceleration, w->dynamics);
  return w->dynamics[taut_outputs_of_dynamics[taut_dynamics_outputs - 1]];
}
