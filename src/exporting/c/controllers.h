/* Controllers, which sample at t = offset + k * sample_time and hold what they find. What they find and remember stands
 * among the parameters. */

/* What a value is to its controller. */
enum { taut_value_found, taut_value_of_state };
enum { taut_has_quantum = 1, taut_has_lowest = 2, taut_has_highest = 4 };

TAUT_INLINE int taut_same_instant(double a, double b) {
  const double x = taut_abs(a), y = taut_abs(b);
  return taut_abs(a - b) <= 8 * taut_epsilon * (x > y ? x : y);
}
TAUT_INLINE int taut_is_after(double instant, double t) { return instant > t && !taut_same_instant(instant, t); }

/* Of a controller: its sample time and its offset; of a value: quantum, lowest, highest, delay. */
TAUT_INLINE double taut_timing(const taut_work* w, int k) { return w->timing[taut_outputs_of_timing[k]]; }
TAUT_INLINE double taut_shape_of(const taut_work* w, int value, int what) {
  return taut_timing(w, 2 * taut_controllers + 4 * value + what);
}
TAUT_INLINE double taut_instant(const taut_work* w, int controller, double k) {
  return taut_timing(w, 2 * controller + 1) + k * taut_timing(w, 2 * controller);
}
TAUT_INLINE int taut_is_sample_due(const taut_work* w, int c, double t) {
  return !taut_is_after(taut_instant(w, c, (double)w->samples[c]), t);
}
/* When value k, found at its controller's next sample to be delivered, comes into force. */
TAUT_INLINE double taut_delivery(const taut_work* w, int c, int k) {
  return taut_instant(w, c, (double)w->delivered[k] + taut_shape_of(w, k, 3));
}

/* The next time at which something happens. */
TAUT_INLINE double taut_next_sample(const taut_work* w) {
  double next = taut_infinity;
  int c, k;
  for (c = 0; c < taut_controllers; ++c) {
    const double instant = taut_instant(w, c, (double)w->samples[c]);
    if (instant < next) next = instant;
    for (k = taut_first_value[c]; k < taut_first_value[c + 1]; ++k)
      if (taut_value_waits[k] > 0 && w->delivered[k] < w->samples[c] && taut_delivery(w, c, k) < next)
        next = taut_delivery(w, c, k);
  }
  return next;
}

/* From a time on, with nothing waiting; what falls there is due. 0 where a delay does not fit. */
TAUT_INLINE int taut_start_samples(taut_work* w, double t) {
  int c, k;
  for (c = 0; c < taut_controllers; ++c) {
    double n = (t - taut_instant(w, c, 0)) / taut_timing(w, 2 * c);
    if (!(taut_timing(w, 2 * c) > 0)) return 0;
    w->samples[c] = n > 0 ? (long)n : 0;
    while (taut_is_after(t, taut_instant(w, c, (double)w->samples[c]))) ++w->samples[c];
    for (k = taut_first_value[c]; k < taut_first_value[c + 1]; ++k) {
      w->delivered[k] = w->samples[c];
      if (taut_value_waits[k] > 0 && !(taut_shape_of(w, k, 3) <= taut_value_waits[k] - 1)) return 0;
    }
  }
  return 1;
}

TAUT_INLINE double taut_shaped(const taut_work* w, int k, double value) {
  if (taut_value_limits[k] & taut_has_quantum) {
    const double quantum = taut_shape_of(w, k, 0);
    value = quantum * taut_round(value / quantum);
  }
  if ((taut_value_limits[k] & taut_has_lowest) && value < taut_shape_of(w, k, 1)) value = taut_shape_of(w, k, 1);
  if ((taut_value_limits[k] & taut_has_highest) && value > taut_shape_of(w, k, 2)) value = taut_shape_of(w, k, 2);
  return value;
}

TAUT_INLINE double* taut_parameter(taut_parameters* p, int k) { return (double*)(void*)p + k; }

/* Formulas of all controllers where the motion stands, with the parameters found so far. */
TAUT_INLINE int taut_find_samples(taut_work* w, const taut_parameters* p) {
  double a[taut_speeds + 1] = {0}, lambda[taut_all_rows + 1] = {0};
  const double *q = w->y, *v = w->y + taut_coordinates;
  int ok = 1;
  taut_put_parameters(p, w->sampled);
  taut_run_sampled(0, w->sampled);
  taut_put_position(w->sampled, w->t, q);
  taut_run_sampled(taut_at_position, w->sampled);
  taut_put_velocity(w->sampled, v);
  taut_run_sampled(taut_at_velocity, w->sampled);
  if (taut_samples_need_accelerations) {
    ok = taut_accelerations_at(w, w->t, q, v, a, lambda);
    taut_put_acceleration(w->sampled, a, lambda);
    taut_run_sampled(taut_at_acceleration, w->sampled);
  }
  return ok;
}

TAUT_INLINE int taut_sample_controller(taut_work* w, int c, taut_parameters* p) {
  double next[taut_values + 1];
  int stage, k;
  for (stage = 0; stage < taut_sample_stages; ++stage) {
    if (!taut_find_samples(w, p)) return 0;
    for (k = taut_first_value[c]; k < taut_first_value[c + 1]; ++k) {
      double value;
      if (taut_value_stage[k] != stage) continue;
      value = taut_shaped(w, k, w->sampled[taut_outputs_of_sampled[k]]);
      if (value - value != 0) return 0;
      next[k] = value;
      if (taut_value_role[k] == taut_value_of_state) continue;
      if (taut_value_waits[k] > 0)
        w->waits[taut_value_first_wait[k] + (int)(w->samples[c] % taut_value_waits[k])] = value;
      else
        *taut_parameter(p, taut_value_parameter[k]) = value;
    }
  }
  for (k = taut_first_value[c]; k < taut_first_value[c + 1]; ++k)
    if (taut_value_role[k] == taut_value_of_state) *taut_parameter(p, taut_value_parameter[k]) = next[k];
  ++w->samples[c];
  return 1;
}

TAUT_INLINE void taut_deliver(taut_work* w, taut_parameters* p) {
  int c, k;
  for (c = 0; c < taut_controllers; ++c)
    for (k = taut_first_value[c]; k < taut_first_value[c + 1]; ++k) {
      if (taut_value_waits[k] == 0) continue;
      while (w->delivered[k] < w->samples[c] && !taut_is_after(taut_delivery(w, c, k), w->t))
        *taut_parameter(p, taut_value_parameter[k]) =
            w->waits[taut_value_first_wait[k] + (int)(w->delivered[k]++ % taut_value_waits[k])];
    }
}

/* Everything that is due where the motion stands. The next step begins a new row of steps where the motion depends on
 * what has changed; a controller's memory alone changes nothing of them. */
TAUT_INLINE int taut_act(taut_work* w, taut_parameters* p) {
  int c, k, acts = 0;
  if (taut_controllers == 0 || taut_is_after(taut_next_sample(w), w->t)) return taut_done;
  taut_deliver(w, p);
  for (c = 0; c < taut_controllers; ++c)
    if (taut_is_sample_due(w, c, w->t) && !taut_sample_controller(w, c, p)) return taut_no_value;
  for (k = 0; k < taut_values; ++k)
    acts |= taut_value_acts[k] &&
            *taut_parameter(p, taut_value_parameter[k]) != *taut_parameter(&w->in_force, taut_value_parameter[k]);
  if (acts) {
    w->step = 0;
    return taut_change(w, p);
  }
  taut_put_all_parameters(w, p);
  w->in_force = *p;
  return taut_done;
}

/* ---- steps that end where something happens -------------------------------------------------------- */

/* A step of h, shorter where a controller samples within. */
TAUT_INLINE int taut_one_sampled_step(taut_work* w, double h, taut_parameters* p) {
  double end, multiple;
  int outcome;
  if (taut_controllers == 0) return taut_one_step(w, h);
  if (!(h > 0)) return taut_no_value;
  if (h != w->step) taut_begin_steps(w, h);
  end = multiple = w->origin + (double)(w->taken + 1) * h;
  if (taut_next_sample(w) < end && !taut_same_instant(taut_next_sample(w), end)) end = taut_next_sample(w);
  outcome = taut_step_to(w, end, taut_time_is_coarse && end == multiple ? h : end - w->t);
  if (outcome != taut_done) return outcome;
  if (w->t >= multiple - taut_sliver * h) ++w->taken;
  return taut_act(w, p);
}

/* To t, with stops where controllers sample. */
TAUT_INLINE int taut_sampled_step_to(taut_work* w, double t, taut_parameters* p) {
  int outcome = taut_done;
  if (taut_controllers == 0) return taut_step_to(w, t, t - w->t);
  while (outcome == taut_done && w->t < t) {
    double end = taut_next_sample(w);
    if (!(end < t) || taut_same_instant(end, t)) end = t;
    outcome = taut_step_to(w, end, end - w->t);
    if (outcome == taut_done) outcome = taut_act(w, p);
  }
  return outcome;
}
