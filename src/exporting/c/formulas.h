/* The equations solved by their solution written out, where that is clearly right: where every pivot is large enough
 * and the rank is the one it was written for. Registers stand at two points: of the last decision, and where the
 * equations were last evaluated. */

enum { taut_no_formulas, taut_formulas_wait, taut_formulas_serve, taut_formulas_given_up };

/* So many evaluations must have been left to matrices, and more than half, before formulas are given up. */
enum { taut_many_left = 100 };

TAUT_INLINE double* taut_registers(taut_work* w, int which) { return w->solver[which ^ w->exchanged]; }
TAUT_INLINE int* taut_stress_known(taut_work* w, int which) { return &w->stress_known[which ^ w->exchanged]; }

TAUT_INLINE int taut_formulas_depend(const taut_work* w) {
  return w->formulas != taut_no_formulas && w->formulas != taut_formulas_given_up && taut_formula_rank < taut_all_rows;
}

TAUT_INLINE struct taut_stage_call taut_call(const taut_work* w, double least) {
  struct taut_stage_call call;
  memset(&call, 0, sizeof call);
  call.program = TAUT_CALLS_APART;
  call.scales = w->scales;
  call.least = least;
  return call;
}

/* What a factor outside of stages must be like. Where rows depend on each other, a small pivot may be that of V. */
TAUT_INLINE double taut_least_pivot(const taut_work* w) { return taut_trusted_pivot(taut_formulas_depend(w)); }

TAUT_INLINE double taut_smallest_pivot(const taut_work* w, const double* r) {
  const struct taut_stage_plan plan = taut_plan();
  double smallest = 1;
  int k;
  for (k = 0; k < taut_all_rows; ++k) {
    const double share = r[plan.pivots[k]] / w->scales[k];
    if (!(share >= smallest)) smallest = share;
  }
  return taut_sqrt(smallest);
}

/* ---- self-stresses ------------------------------------------------------------------------------ */

TAUT_INLINE void taut_find_stress(taut_work* w, int which) {
  if (!*taut_stress_known(w, which) && taut_stresses > 0) taut_run_solver(taut_at_self_stress, taut_registers(w, which));
  *taut_stress_known(w, which) = 1;
}

/* What the exact self-stresses have beside V. */
TAUT_INLINE double taut_stress_drift(taut_work* w, int which) {
  const struct taut_stage_plan plan = taut_plan();
  double square;
  taut_find_stress(w, which);
  square = taut_registers(w, which)[*plan.stress_drift];
  return square > 0 ? taut_sqrt(square) : 0;
}

TAUT_INLINE double taut_largest_remainder(taut_work* w, int which) {
  const struct taut_stage_plan plan = taut_plan();
  double largest = 0;
  int k;
  taut_find_stress(w, which);
  for (k = 0; k < taut_stresses; ++k) {
    const double square = taut_registers(w, which)[plan.remainders[k]];
    if (!(square <= largest)) largest = square;
  }
  return taut_sqrt(largest);
}

/* V = the columns made orthonormal, in rows of length 1, times the rows' lengths at the registers `at`. */
TAUT_INLINE void taut_put_stress(double* columns, const double* at, double* r) {
  const struct taut_stage_plan plan = taut_plan();
  int i, k;
  taut_make_orthonormal(columns, taut_stress_row_count, taut_stresses);
  for (k = 0; k < taut_stresses; ++k)
    for (i = 0; i < taut_stress_row_count; ++i)
      r[plan.stress + k * taut_stress_row_count + i] =
          columns[k * taut_stress_row_count + i] * taut_sqrt(at[plan.sizes[taut_stress_rows[i]]]);
}

/* The registers `which` go by the exact self-stresses at the registers `of`. */
TAUT_INLINE void taut_set_exact_stress(taut_work* w, int which, int of) {
  const struct taut_stage_plan plan = taut_plan();
  const double* at = taut_registers(w, of);
  double columns[taut_stresses * taut_stress_row_count + 1];
  int i, k;
  taut_find_stress(w, of);
  taut_gather(at, plan.self_stress, taut_stresses * taut_stress_row_count, columns);
  for (k = 0; k < taut_stresses; ++k)
    for (i = 0; i < taut_stress_row_count; ++i)
      columns[k * taut_stress_row_count + i] *= taut_sqrt(at[plan.sizes[taut_stress_rows[i]]]);
  taut_put_stress(columns, at, taut_registers(w, which));
}

TAUT_INLINE void taut_set_stress(taut_work* w, int which, const double* stress) {
  double columns[taut_stresses * taut_stress_row_count + 1];
  taut_copy(stress, taut_stresses * taut_stress_row_count, columns);
  taut_put_stress(columns, taut_registers(w, which), taut_registers(w, which));
}

/* V is renewed where it will not do much longer. */
TAUT_INLINE void taut_renew_stress(taut_work* w) {
  const double drift = taut_stress_drift(w, taut_decided);
  if (w->stress_renewed) w->stress_worn_at = 2 * drift + 1;
  w->stress_renewed = 0;
  if (drift < w->stress_worn_at) return;
  taut_set_exact_stress(w, taut_current, taut_decided);
  taut_set_exact_stress(w, taut_decided, taut_decided);
  w->stress_renewed = 1;
}

/* ---- going to a point ---------------------------------------------------------------------------- */

TAUT_INLINE int taut_formulas_at_position(taut_work* w, int which, double t, const double* q) {
  const struct taut_stage_plan plan = taut_plan();
  double *r = taut_registers(w, which), Phi[taut_position_rows + 1];
  taut_put_position(r, t, q);
  taut_run_solver(taut_at_position, r);
  *taut_stress_known(w, which) = 0;
  taut_gather(r, plan.Phi, taut_position_rows, Phi);
  return (plan.constant_mass || taut_has_mass(r, plan.mass_pivots, taut_speeds)) &&
         taut_all_finite(Phi, taut_position_rows);
}

TAUT_INLINE int taut_factor_formulas(taut_work* w, double t, const double* q) {
  const struct taut_stage_plan plan = taut_plan();
  struct taut_stage_call call = taut_call(w, taut_least_pivot(w));
  int factored;
  call.check_stress = 1;
  factored = taut_factor(&plan, &call, taut_registers(w, taut_current), t, q, taut_coordinates);
  *taut_stress_known(w, taut_current) = factored;
  return factored;
}

/* 0, and counted, where matrices must serve. */
TAUT_INLINE int taut_formulas_factor(taut_work* w, double t, const double* q) {
  int factored = taut_factor_formulas(w, t, q);
  if (!factored && taut_formulas_depend(w) && taut_stress_drift(w, taut_current) > taut_good_stress) {
    taut_set_exact_stress(w, taut_current, taut_current);
    w->stress_worn_at = 0;
    factored = taut_factor_formulas(w, t, q);
  }
  w->left_to_matrices += !factored;
  return factored;
}

TAUT_INLINE int taut_formulas_at_velocity(taut_work* w, const double* v) {
  const struct taut_stage_plan plan = taut_plan();
  double *r = taut_registers(w, taut_current), f[taut_speeds + 1], b[taut_all_rows + 1];
  taut_put_velocity(r, v);
  taut_run_solver(taut_at_velocity, r);
  taut_gather(r, plan.f, taut_speeds, f);
  taut_gather(r, plan.b, taut_all_rows, b);
  return taut_all_finite(f, taut_speeds) && taut_all_finite(b, taut_all_rows);
}

/* ---- deciding ------------------------------------------------------------------------------------ */

TAUT_INLINE void taut_measure_rows(taut_work* w) {
  const struct taut_stage_plan plan = taut_plan();
  const double* r = taut_registers(w, taut_decided);
  int k;
  for (k = 0; k < taut_all_rows; ++k)
    if (w->scales[k] < r[plan.sizes[k]]) w->scales[k] = r[plan.sizes[k]];
}

/* The point last evaluated becomes that of the decision. */
TAUT_INLINE void taut_decide_formulas(taut_work* w) {
  w->exchanged ^= 1;
  taut_measure_rows(w);
  w->refines = taut_always_refines || (taut_squared && taut_loses(taut_registers(w, taut_decided), w->scales));
  if (taut_formulas_depend(w)) taut_renew_stress(w);
}

/* Matrices have decided on this rank. */
TAUT_INLINE void taut_note_decision(taut_work* w, int rank) {
  if (w->formulas == taut_no_formulas || w->formulas == taut_formulas_given_up) return;
  if (w->left_to_matrices > taut_many_left && 2 * w->left_to_matrices > w->evaluations)
    w->formulas = taut_formulas_given_up;
  else
    w->formulas = rank == taut_formula_rank ? taut_formulas_serve : taut_formulas_wait;
}

/* Begins to serve at a position where rows have this rank. */
TAUT_INLINE void taut_start_formulas(taut_work* w, double t, const double* q, int rank) {
  const struct taut_stage_plan plan = taut_plan();
  w->formulas = taut_no_formulas;
  w->exchanged = 0;
  w->stress_worn_at = 0;
  w->refines = taut_always_refines;
  if (!taut_has_formulas || rank != taut_formula_rank) return;
  if (!taut_formulas_at_position(w, taut_decided, t, q)) return;
  if (taut_stresses > 0) {
    taut_set_stress(w, taut_decided, taut_first_stress);
    taut_formulas_at_position(w, taut_decided, t, q);
  }
  taut_gather(taut_registers(w, taut_decided), plan.sizes, taut_all_rows, w->scales);
  w->stress_renewed = rank < taut_all_rows;
  if (w->stress_renewed && !(taut_smallest_pivot(w, taut_registers(w, taut_decided)) > 10 * taut_independent)) return;
  if (w->stress_renewed) {
    taut_set_exact_stress(w, taut_current, taut_decided);
    taut_set_exact_stress(w, taut_decided, taut_decided);
  }
  w->formulas = taut_formulas_serve;
}
