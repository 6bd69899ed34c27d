/* Parameters and inputs that take other values while the motion goes on. What has been decided stays decided until the
 * end of the step; only where a change comes all at once, as at an event, is rank decided anew. */

/* A position cannot jump by more than this share of its size. */
#define taut_largest_jump 1e-6

/* The equations stand nowhere. */
TAUT_INLINE void taut_forget_point(taut_work* w) {
  w->known = w->has_result_rates = w->at_decision = w->factored = w->outdated = w->positions_factored = 0;
  w->current_by = taut_by_matrices;
}

/* The values of p are in force from here on. */
TAUT_INLINE void taut_take_parameters(taut_work* w, taut_parameters* p) {
  taut_put_all_parameters(w, p);
  w->in_force = *p;
  taut_forget_point(w);
}

TAUT_INLINE int taut_is_in_force(const taut_work* w, const taut_parameters* p) {
  return taut_same((const double*)(const void*)p, (const double*)(const void*)&w->in_force, taut_parameter_count);
}

/* Speeds meet the constraints again, by an impulse, where these ask for other ones than before. */
TAUT_INLINE int taut_jump(taut_work* w, const double* chi_before, double* y) {
  double chi[taut_all_rows + 1];
  taut_velocity_at(w, w->t, y, y + taut_coordinates, chi);
  if (!taut_projects || taut_same(chi, chi_before, taut_all_rows)) return 1;
  return taut_factor_at(w, w->t, y, y + taut_coordinates) && taut_project_velocity(w, w->t, y, y + taut_coordinates);
}

/* The motion begins anew where it stands, with nothing remembered of the steps before. */
TAUT_INLINE int taut_begin_anew(taut_work* w) {
  w->history = 0;
  w->known = w->has_result_rates = 0;
  return taut_accept(w, w->t, w->y);
}

/* All at once. On failure what was in force stays so. */
TAUT_INLINE int taut_change(taut_work* w, taut_parameters* p) {
  double before[taut_position_rows + 1], after[taut_position_rows + 1], chi[taut_all_rows + 1];
  const double bound = taut_largest_jump * (1 + taut_largest(w->y, taut_coordinates, 0));
  int k;
  if (taut_is_in_force(w, p)) return taut_done;
  taut_position_at(w, w->t, w->y, before);
  taut_velocity_at(w, w->t, w->y, w->y + taut_coordinates, chi);
  taut_put_all_parameters(w, p);
  taut_position_at(w, w->t, w->y, after);
  for (k = 0; k < taut_position_rows; ++k)
    if (!(taut_abs(after[k] - before[k]) <= bound)) {
      *p = w->in_force;
      taut_put_all_parameters(w, p);
      return taut_no_jump;
    }
  taut_take_parameters(w, p);
  if (!taut_jump(w, chi, w->y)) return taut_no_correction;
  return taut_begin_anew(w) ? taut_done : taut_no_value;
}
