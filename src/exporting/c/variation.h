/* First derivatives along a direction: of the rates x' = f(p(x)) - attraction (x - p(x)) and of outputs, by x = (q, v)
 * and the inputs. On the constraints they are exact; at a distance from them what projections bend is left out. */

/* Where the seeds stand in the program's registers. */
enum {
  taut_first_seed = taut_first + 1 + taut_coordinates + 2 * taut_speeds + taut_all_rows,
  taut_seed_of_v = taut_first_seed + taut_coordinates,
  taut_seed_of_inputs = taut_seed_of_v + taut_speeds,
  taut_seed_of_a = taut_seed_of_inputs + taut_inputs,
  taut_seed_of_lambda = taut_seed_of_a + taut_speeds
};

TAUT_INLINE void taut_vary(taut_work* w) { taut_run_variation(taut_at_acceleration, w->variation); }

TAUT_INLINE void taut_varied(const taut_work* w, int first, int count, double* values) {
  taut_gather(w->variation, taut_outputs_of_variation + first, count, values);
}

/* dq of the projection: what is retracted, and along the normals what keeps Phi + dPhi = 0. */
TAUT_INLINE int taut_vary_position(taut_work* w, double t, const double* q) {
  double dPhi[taut_position_rows + 1], dv[taut_speeds + 1], more[taut_coordinates + 1], retracted[taut_retracted + 1];
  double* dq = w->variation + taut_first_seed;
  int k;
  taut_vary(w);
  taut_varied(w, taut_varied_retracted, taut_retracted, retracted);
  for (k = 0; k < taut_retracted; ++k) dq[taut_retracted_places[k]] = retracted[k];
  if (taut_position_rows == 0) return 1;
  if (taut_position_rows < taut_all_rows && !taut_factor_in_new_order(w, taut_kernel_of(w, taut_current, 1))) return 0;
  taut_vary(w);
  taut_varied(w, taut_varied_position, taut_position_rows, dPhi);
  for (k = 0; k < taut_position_rows; ++k) dPhi[k] = -dPhi[k];
  taut_correct_by_kernel(w, taut_kernel_of(w, taut_current, 1), dPhi, dv);
  taut_spread(w, t, q, dv, more);
  for (k = 0; k < taut_coordinates; ++k) dq[k] += more[k];
  return 1;
}

TAUT_INLINE void taut_vary_velocity(taut_work* w) {
  double dchi[taut_all_rows + 1], more[taut_speeds + 1];
  double* dv = w->variation + taut_seed_of_v;
  int k;
  if (taut_all_rows == 0) return;
  taut_vary(w);
  taut_varied(w, taut_varied_velocity, taut_all_rows, dchi);
  for (k = 0; k < taut_all_rows; ++k) dchi[k] = -dchi[k];
  taut_correct_by_kernel(w, &w->kernels[taut_current], dchi, more);
  for (k = 0; k < taut_speeds; ++k) dv[k] += more[k];
}

/* v' and lambda move by what is left of the equations: M da = df + H' dlambda, H da = db. */
TAUT_INLINE void taut_vary_accelerations(taut_work* w) {
  double rows[taut_all_rows + 1], f[taut_speeds + 1];
  taut_vary(w);
  taut_copy(w->f, taut_speeds, f);
  taut_varied(w, taut_varied_forces, taut_speeds, w->f);
  taut_varied(w, taut_varied_rows, taut_all_rows, rows);
  taut_accelerate_by_kernel(w, taut_current, rows, w->variation + taut_seed_of_a, w->variation + taut_seed_of_lambda);
  taut_copy(f, taut_speeds, w->f);
}

/* Along dx and du. */
struct taut_direction {
  double dx[taut_moving + 1], du[taut_inputs + 1];
  double rates[taut_moving + 1], outputs[taut_output_count + 1]; /* what comes of it */
};

/* At a state near the motion, which is not disturbed. 0 where there is no such derivative. */
TAUT_INLINE int taut_variation_at(taut_work* w, double t, const double* x, double attraction,
                                  struct taut_direction* d) {
  double y[taut_entries_room], at[taut_moving + 1], a[taut_speeds + 1] = {0}, lambda[taut_all_rows + 1] = {0};
  double* r = w->variation;
  struct taut_memory kept;
  int k, ok;
  taut_copy(x, taut_moving, y);
  y[taut_moving] = 0;
  taut_keep_memory(w, &kept);
  ok = taut_evaluate_state(w, t, y, 1);
  taut_copy(w->found, taut_moving, at);
  ok = ok && taut_accelerations_at(w, t, at, at + taut_coordinates, a, lambda);
  if (ok) {
    taut_put_position(r, t, at);
    taut_run_variation(taut_at_position, r);
    taut_put_velocity(r, at + taut_coordinates);
    taut_run_variation(taut_at_velocity, r);
    taut_put_acceleration(r, a, lambda);
    for (k = 0; k < taut_moving; ++k) r[taut_first_seed + k] = d->dx[k];
    for (k = 0; k < taut_inputs; ++k) r[taut_seed_of_inputs + k] = d->du[k];
    for (k = 0; k < taut_speeds + taut_all_rows; ++k) r[taut_seed_of_a + k] = 0;
    ok = taut_vary_position(w, t, at);
  }
  if (ok) {
    taut_vary_velocity(w);
    taut_vary_accelerations(w);
    taut_vary(w);
    taut_varied(w, taut_varied_rates, taut_coordinates, d->rates);
    taut_varied(w, taut_varied_outputs, taut_output_count, d->outputs);
    for (k = 0; k < taut_speeds; ++k) d->rates[taut_coordinates + k] = r[taut_seed_of_a + k];
    for (k = 0; k < taut_moving; ++k) d->rates[k] -= attraction * (d->dx[k] - r[taut_first_seed + k]);
    ok = taut_all_finite(d->rates, taut_moving) && taut_all_finite(d->outputs, taut_output_count);
  }
  taut_restore_memory(w, &kept);
  return ok;
}
