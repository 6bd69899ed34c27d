/* A regular step: formulas serve at every stage and where the step ends, as they do nearly everywhere. What it computes
 * is what the general step does, in its order; where formulas do not serve it says so, and the general step decides what
 * to do. All that it works on is handed to it, and places are constants once loops are unrolled: on a GPU, where it is
 * compiled into the loop over a member's steps, states and factors stay in registers. */

#define taut_infinity 1e301
/* A stage may be moved so far, relative, however little it has moved itself. */
#define taut_least_reach 1e-6
/* Pivots above this are clearly those of independent rows. */
#define taut_independent 1e-3
/* Products of rows lose to a pivot p what squares lose; refined once, that is less than any factor loses down to this. */
#define taut_least_squared_pivot 1e-5
/* Below this pivot accelerations lose more than three digits where products of rows were factored. */
#define taut_loses_digits 0.03

/* What regular steps know of a motion. */
struct taut_pace {
  double* decided; /* registers where the step begins; `auto` moves positions along their normals */
  double* current; /* registers of the stages, and in the end of the step's result; may be those of `decided` */
  double* y;       /* q, v, work where the step begins */
  double* scales;  /* squares of the rows' sizes */
  double* k;       /* rates: of `auto` where the step begins; in the end where it ends */
  double* result;
  double* stage;
  double* found;                      /* where the equations stand: q, v */
  double *held_Phi, *held_chi;        /* by `braun-goldfarb` */
  double *retraction, *rates_program; /* registers of these programs */
  double* start_rates;
  double t, largest, stress_worn_at;
  int refines, stress_renewed;
};

TAUT_INLINE struct taut_stage_call taut_regular_call(const struct taut_pace* p, double least) {
  struct taut_stage_call call;
  call.program = 0;
  call.normals = p->decided;
  call.here = p->current;
  call.scales = p->scales;
  call.least = least;
  call.t = 0;
  call.y = p->stage;
  call.reach = 0;
  call.size = p->largest;
  call.tolerance = taut_tolerance;
  call.slack = 0;
  call.check_stress = 1;
  call.refine = p->refines;
  call.found = p->found;
  call.rates = p->k;
  return call;
}

/* ---- braun-goldfarb ------------------------------------------------------------------------------ */

/* What a factor must be like, of rows that depend on each other or do not. */
TAUT_INLINE double taut_trusted_pivot(int depend) {
  const double least = taut_serves_near_singular && !depend ? taut_rank_tolerance : taut_independent;
  return taut_squared && least < taut_least_squared_pivot ? taut_least_squared_pivot : least;
}

TAUT_INLINE void taut_hold(const struct taut_pace* p, double h) {
  const struct taut_stage_plan plan = taut_plan();
  int k;
  TAUT_UNROLL
  for (k = 0; k < taut_position_rows; ++k) p->held_Phi[k] = taut_over(p->decided[plan.Phi[k]], h, 1);
  TAUT_UNROLL
  for (k = 0; k < taut_all_rows; ++k) p->held_chi[k] = taut_over(p->decided[plan.chi[k]], h, 1);
}

/* Rates with the terms that are held, at registers r, where the equations have been evaluated. */
TAUT_INLINE void taut_held_rates(const struct taut_stage_call* call, double* r, const double* held_Phi,
                                 const double* held_chi, double* ydot) {
  const struct taut_stage_plan plan = taut_plan();
  int k;
  TAUT_UNROLL
  for (k = 0; k < taut_all_rows; ++k) r[plan.demanded + k] = r[plan.b[k]] - held_chi[k];
  taut_accelerate(&plan, call, r, call->refine, ydot + taut_coordinates);
  TAUT_UNROLL
  for (k = 0; k < taut_position_rows; ++k) r[plan.position_residual + k] = -held_Phi[k] - r[plan.chi[k]];
  TAUT_RUN(call, taut_at_position_correction, r);
  TAUT_UNROLL
  for (k = 0; k < taut_coordinates; ++k) ydot[k] = r[plan.rates[k]] + r[plan.position_correction[k]];
  if (taut_works) ydot[taut_moving] = r[*plan.power];
}

/* Equations at a state, factored. 0 where the factor is not to be trusted. */
TAUT_INLINE int taut_trusted_at(const struct taut_stage_call* call, double* r, double t, const double* y) {
  const struct taut_stage_plan plan = taut_plan();
  if (!taut_factor(&plan, call, r, t, y, taut_coordinates + taut_speeds)) return 0;
  TAUT_RUN(call, taut_at_velocity, r);
  return 1;
}

/* ---- the end of a step --------------------------------------------------------------------------- */

TAUT_INLINE int taut_has_values(const double* r) {
  const struct taut_stage_plan plan = taut_plan();
  double f[taut_speeds + 1], b[taut_all_rows + 1];
  taut_gather(r, plan.f, taut_speeds, f);
  taut_gather(r, plan.b, taut_all_rows, b);
  return taut_all_finite(f, taut_speeds) && taut_all_finite(b, taut_all_rows);
}

/* Rows that depend on each other do so still, and V will do. */
TAUT_INLINE int taut_keeps_stress(const struct taut_pace* p, const double* r) {
  const struct taut_stage_plan plan = taut_plan();
  double largest = 0, drift;
  int k;
  if (taut_stresses == 0) return 1;
  TAUT_UNROLL
  for (k = 0; k < taut_stresses; ++k)
    if (!(r[plan.remainders[k]] <= largest)) largest = r[plan.remainders[k]];
  drift = r[*plan.stress_drift] > 0 ? taut_sqrt(r[*plan.stress_drift]) : 0;
  return taut_sqrt(largest) <= taut_rank_tolerance && !p->stress_renewed && drift < p->stress_worn_at;
}

/* Does any pivot lose digits where products of rows were factored? */
TAUT_INLINE int taut_loses(const double* r, const double* scales) {
  const struct taut_stage_plan plan = taut_plan();
  int k, loses = 0;
  TAUT_UNROLL
  for (k = 0; k < taut_all_rows; ++k) loses |= !(r[plan.pivots[k]] >= taut_loses_digits * taut_loses_digits * scales[k]);
  return loses;
}

/* The step has ended where the current registers stand, and the next one begins there. */
TAUT_INLINE void taut_regular_decision(struct taut_pace* p) {
  const struct taut_stage_plan plan = taut_plan();
  int k;
  TAUT_UNROLL
  for (k = 0; k < taut_all_rows; ++k)
    if (p->scales[k] < p->current[plan.sizes[k]]) p->scales[k] = p->current[plan.sizes[k]];
  if (taut_projects) p->largest = taut_largest(p->y, taut_coordinates, p->largest);
  p->refines = taut_always_refines || (taut_squared && taut_loses(p->current, p->scales));
}

/* ---- steps --------------------------------------------------------------------------------------- */

/* Weights of the stages, and how far the next one goes along the rates of this. */
TAUT_INLINE double taut_stage_weight(int i) {
  return taut_integrator == taut_euler ? 1 : i == 0 || i == 3 ? 1. / 6 : 1. / 3;
}
TAUT_INLINE double taut_stage_time(int i) { return i == 0 ? 0 : i == 3 ? 1 : 0.5; }

TAUT_INLINE int taut_stage_count(void) { return taut_integrator == taut_euler ? 1 : 4; }

TAUT_INLINE void taut_retract_state(const struct taut_pace* p, double t, double* q) {
  int k;
  if (taut_retracted == 0) return;
  p->retraction[taut_first] = t;
  TAUT_UNROLL
  for (k = 0; k < taut_coordinates; ++k) p->retraction[taut_first + 1 + k] = q[k];
  taut_inlined_retraction(taut_at_position, p->retraction);
  TAUT_UNROLL
  for (k = 0; k < taut_retracted; ++k) q[taut_retracted_places[k]] = p->retraction[taut_outputs_of_retraction[k]];
}

/* After the rates of stage i: the result so far, and where the next stage is. */
TAUT_INLINE void taut_pass_on(const struct taut_pace* p, int i, double h) {
  const double weight = h * taut_stage_weight(i), next = i + 1 < taut_stage_count() ? h * taut_stage_time(i + 1) : 0;
  int j;
  TAUT_UNROLL
  for (j = 0; j < taut_entries; ++j) {
    p->result[j] = (i == 0 ? p->y[j] : p->result[j]) + weight * p->k[j];
    p->stage[j] = i + 1 < taut_stage_count() ? p->y[j] + next * p->k[j] : p->result[j];
  }
}

/* Coordinates that are more than the motion needs are set right where a stage is evaluated, and in a step's result
 * before that. */
TAUT_INLINE int taut_regular_braun_goldfarb(struct taut_pace* p, double end, double h) {
  const struct taut_stage_call call = taut_regular_call(p, taut_trusted_pivot(taut_formula_rank < taut_all_rows));
  int i;
  taut_hold(p, h);
  TAUT_NO_UNROLL
  for (i = 0; i < taut_stage_count(); ++i) {
    const int last = i + 1 == taut_stage_count();
    const double t = last ? end : p->t + taut_stage_time(i + 1) * h;
    taut_held_rates(&call, i == 0 ? p->decided : p->current, p->held_Phi, p->held_chi, p->k);
    taut_pass_on(p, i, h);
    if (last) {
      if (!taut_all_finite(p->result, taut_entries)) return 0;
      taut_retract_state(p, t, p->result);
      taut_copy(p->result, taut_entries, p->stage);
    }
    taut_retract_state(p, t, p->stage);
    if (!taut_trusted_at(&call, p->current, t, p->stage)) return 0;
  }
  taut_copy(p->stage, taut_moving, p->found);
  return taut_has_values(p->current) && taut_keeps_stress(p, p->current);
}

TAUT_INLINE void taut_regular_rates(const struct taut_pace* p, double t, const double* y, double* qdot) {
  int k;
  if (taut_plain_rates) {
    taut_copy(y + taut_coordinates, taut_coordinates, qdot);
    return;
  }
  p->rates_program[taut_first] = t;
  TAUT_UNROLL
  for (k = 0; k < taut_moving; ++k) p->rates_program[taut_first + 1 + k] = y[k];
  taut_inlined_rates(taut_at_position, p->rates_program);
  taut_inlined_rates(taut_at_velocity, p->rates_program);
  taut_gather(p->rates_program, taut_outputs_of_rates, taut_coordinates, qdot);
}

/* How far a projection may move a state: one that moves it farther than the state itself has moved since the step
 * began, or than its change of speed would take it, has left the branch. */
TAUT_INLINE double taut_reach_of(const double* y, const double* start, const double* rates, const double* start_rates,
                                 double span) {
  double moved = 0, turned = 0, size = taut_least_size;
  int i;
  TAUT_UNROLL
  for (i = 0; i < taut_coordinates; ++i) {
    if (moved < taut_abs(y[i] - start[i])) moved = taut_abs(y[i] - start[i]);
    if (turned < taut_abs(rates[i] - start_rates[i])) turned = taut_abs(rates[i] - start_rates[i]);
    if (size < taut_abs(y[i])) size = taut_abs(y[i]);
  }
  if (moved < span * turned) moved = span * turned;
  size = taut_least_reach * (size > 0 ? size : 1);
  return moved < size ? size : moved;
}

TAUT_INLINE int taut_regular_auto(struct taut_pace* p, double end, double h) {
  const struct taut_stage_plan plan = taut_plan();
  struct taut_stage_call call = taut_regular_call(p, taut_independent);
  double rates[taut_coordinates + 1];
  int i;
  taut_regular_rates(p, p->t, p->y, p->start_rates);
  TAUT_NO_UNROLL
  for (i = 0; i < taut_stage_count(); ++i) {
    const int last = i + 1 == taut_stage_count();
    taut_pass_on(p, i, h);
    call.t = last ? end : p->t + taut_stage_time(i + 1) * h;
    if (last) {
      if (!taut_all_finite(p->result, taut_entries)) return 0;
      if (i > 0) taut_copy_normals(p->current, p->decided);
      call.reach = taut_infinity;
      call.refine = 1; /* the next step begins with these rates */
    } else {
      call.reach = taut_infinity;
      if (taut_position_rows + taut_retracted > 0) {
        taut_regular_rates(p, call.t, p->stage, rates);
        call.reach = taut_reach_of(p->stage, p->y, rates, p->start_rates, taut_abs(call.t - p->t));
      }
    }
    if (!taut_stage(&plan, &call)) return 0;
  }
  taut_copy(p->found, taut_moving, p->result);
  return taut_keeps_stress(p, p->current);
}

/* From t towards `end`, which is h away: the result, and the current registers there. 0 where formulas do not serve
 * throughout. */
TAUT_INLINE int taut_regular_stages(struct taut_pace* p, double end, double h) {
  return taut_projects ? taut_regular_auto(p, end, h) : taut_regular_braun_goldfarb(p, end, h);
}

/* The motion goes on from there. */
TAUT_INLINE void taut_regular_accept(struct taut_pace* p, double end) {
  taut_copy(p->result, taut_entries, p->y);
  p->t = end;
  taut_regular_decision(p);
}

/* Both: y, t and the decided registers' successors, the current ones, stand at `end`. 0, and y and t as they were, where
 * formulas do not serve throughout. */
TAUT_INLINE int taut_regular_step(struct taut_pace* p, double end, double h) {
  if (!taut_regular_stages(p, end, h)) return 0;
  taut_regular_accept(p, end);
  return 1;
}
