/* Members of a sweep by fixed steps of the classical Runge-Kutta formula, a lane a member.
 *
 * C that C++ and CUDA understand too; emitted code carries its text along. Before it stand the levels of the program of
 * one model and where its inputs and results lie (see lane_kernel.cpp), and the rank-revealing solve. All indices are
 * constants once loops are unrolled, so that a compiler keeps states and results in registers.
 *
 * A step: four stages, each with the accelerations of H v' = b; its result is put onto the constraints, positions with
 * the factor of the last stage, velocities with that of the next step's first stage, which stands there:
 *   q += N P(-Phi(q)),  v += P(-chi(q, v)).
 * Where a pivot is too small for the formulas, a rank-revealing solve of all rows serves that lane instead. */

/* What is recorded of a member. */
struct lane_record {
  double energy;       /* at the start */
  double position;     /* the largest |Phi| … */
  double velocity;     /* … |chi| … */
  double energy_error; /* … and |E - E0 - work| so far */
  double by_rank;      /* how often the rank-revealing solve served */
};

/* The largest so far; what is not a number stays. */
TAUT_INLINE double lane_larger(double most, double x) {
  const double size = taut_abs(x);
  return size <= most ? most : size;
}

/* Rates at a state whose position and velocity stand in the registers. */
TAUT_INLINE void lane_accelerate(double* r, double* k) {
  lane_demand(r);
  LANE_AT_ACCELERATION(r);
  lane_get_rates(r, k);
#if LANE_WORKS
  lane_try_acceleration(r);
  LANE_AT_TRIAL_ACCELERATION(r);
  k[LANE_Q + LANE_V] = lane_power(r);
#endif
}

/* ---- where formulas do not serve ------------------------------------------------------------------- */

struct lane_room {
  double r[LANE_PLAIN_REGISTERS];
  double M[LANE_V * LANE_V], H[LANE_ALL_ROWS * LANE_V + 1];
  double f[LANE_V], b[LANE_ALL_ROWS + 1], Phi[LANE_ALL_ROWS + 1], chi[LANE_ALL_ROWS + 1];
  double L[LANE_V * LANE_V], Q[LANE_V * LANE_ALL_ROWS + 1], Z[LANE_ALL_ROWS * LANE_ALL_ROWS + 1];
  double reflections[2 * LANE_ALL_ROWS + 1], sizes[LANE_ALL_ROWS + 1], weights[LANE_ALL_ROWS + 1];
  double scratch[LANE_V + 2 * LANE_ALL_ROWS], x[LANE_V], lambda[LANE_ALL_ROWS + 1];
  int order[LANE_ALL_ROWS + 1];
  struct taut_rows rows;
};

/* The equations at a state, their first `count` rows factored. 0 where nothing completes the mass matrix. */
TAUT_FUNCTION int lane_factor(struct lane_room* a, const double* p, double t, const double* y, int count) {
  int k;
  lane_plain(a->r, p, t, y, a->M, a->H, a->f, a->b, a->Phi, a->chi);
  a->rows.speeds = LANE_V;
  a->rows.rows = count;
  a->rows.order = a->order;
  a->rows.sizes = a->sizes;
  a->rows.L = a->L;
  a->rows.Q = a->Q;
  a->rows.Z = a->Z;
  a->rows.reflections = a->reflections;
  a->rows.weights = a->weights;
  a->rows.room = a->scratch;
  for (k = 0; k < count; ++k) a->sizes[k] = 0;
  if (!taut_factor_mass(&a->rows, a->M, a->H)) return 0;
  taut_factor_rows(&a->rows, a->H, LANE_RANK_TOLERANCE);
  return 1;
}

TAUT_FUNCTION void lane_rates_by_rank(const double* p, double t, const double* y, double* k) {
  struct lane_room a;
  int i;
  if (!lane_factor(&a, p, t, y, LANE_ALL_ROWS)) {
    for (i = 0; i < LANE_STATE; ++i) k[i] = NAN;
    return;
  }
  taut_accelerate_rows(&a.rows, a.H, a.f, a.b, a.x, a.lambda);
  lane_plain_rates(a.r, k);
  for (i = 0; i < LANE_V; ++i) k[LANE_Q + i] = a.x[i];
#if LANE_WORKS
  k[LANE_Q + LANE_V] = lane_plain_power(a.r, a.x, a.lambda);
#endif
}

/* Moves a position along the normals of its rows. */
TAUT_FUNCTION void lane_move_by_rank(const double* p, double t, double* y) {
  struct lane_room a;
  int i, pass;
  for (pass = 0; pass < 2; ++pass) {
    if (!lane_factor(&a, p, t, y, LANE_ALL_POSITION_ROWS)) return;
    for (i = 0; i < LANE_ALL_POSITION_ROWS; ++i) a.b[i] = -a.Phi[i];
    taut_correct_rows(&a.rows, a.b, a.x);
    lane_plain_spread(a.r, a.x, y);
  }
}

TAUT_FUNCTION void lane_speed_by_rank(const double* p, double t, double* y) {
  struct lane_room a;
  int i;
  if (!lane_factor(&a, p, t, y, LANE_ALL_ROWS)) return;
  for (i = 0; i < LANE_ALL_ROWS; ++i) a.b[i] = -a.chi[i];
  taut_correct_rows(&a.rows, a.b, a.x);
  for (i = 0; i < LANE_V; ++i) y[LANE_Q + i] += a.x[i];
}

/* ---- a step ------------------------------------------------------------------------------------- */

/* Puts the position of a step's result onto the constraints; again where it was moved by more than leaves rounding
 * errors. */
TAUT_INLINE void lane_end(double* r, const double* p, double t, double* y) {
#if LANE_POSITION_ROWS > 0
  int pass;
  if (!lane_is_regular(r)) {
    lane_move_by_rank(p, t, y);
    return;
  }
  LANE_NO_UNROLL
  for (pass = 0; pass < 3; ++pass) {
    lane_try_position(r, t, y);
    LANE_AT_TRIAL_POSITION(r);
    lane_retract(r, y);
    lane_miss_position(r);
    LANE_AT_POSITION_CORRECTION(r);
    if (lane_correct_position(r, y) < LANE_SMALL_MOVE) break;
  }
#elif LANE_RETRACTS
  lane_try_position(r, t, y);
  LANE_AT_TRIAL_POSITION(r);
  lane_retract(r, y);
#endif
}

/* Puts velocities at the position in the registers onto the constraints. */
TAUT_INLINE void lane_settle(double* r, const double* p, double t, double* y) {
#if LANE_ROWS > 0
  if (lane_is_regular(r)) {
    lane_try_velocity(r, y + LANE_Q);
    LANE_AT_TRIAL_VELOCITY(r);
    lane_miss_velocity(r);
    LANE_AT_CORRECTION(r);
    lane_correct_velocity(r, y + LANE_Q);
  } else {
    lane_speed_by_rank(p, t, y);
  }
#endif
}

/* The rates at a stage; at the first one of a step the state y, which stands there, is put onto the constraints and
 * looked at. One piece of code for all four stages, so that it stays in the cache of instructions. */
TAUT_INLINE void lane_stage(double* r, const double* p, double t, int first, double* at, double* y, double* k,
                            struct lane_record* record) {
  int i;
  lane_put_position(r, t, at);
  LANE_AT_POSITION(r);
  if (first) {
    lane_settle(r, p, t, y);
    LANE_UNROLL
    for (i = 0; i < LANE_V; ++i) at[LANE_Q + i] = y[LANE_Q + i];
  }
  lane_put_velocity(r, at + LANE_Q);
  LANE_AT_VELOCITY(r);
  if (first) lane_look(r, y, record);
  lane_accelerate(r, k);
#if LANE_ROWS > 0
  if (!lane_is_regular(r)) {
    lane_rates_by_rank(p, t, at, k);
    record->by_rank += 1;
  }
#endif
}

/* From a state to the end, where the state of the registers is that of its first stage. y has room for LANE_STATE
 * numbers: q, v and, where forces do work, that. */
TAUT_INLINE void lane_walk(double* r, const double* p, double h, long steps, double* y, struct lane_record* record) {
  double k[LANE_STATE], at[LANE_STATE], sum[LANE_STATE];
  long n;
  int i, stage;
  LANE_NO_UNROLL
  for (n = 0;; ++n) {
    LANE_UNROLL
    for (i = 0; i < LANE_STATE; ++i) {
      at[i] = y[i];
      sum[i] = 0;
    }
    LANE_NO_UNROLL
    for (stage = 0; stage < 4; ++stage) {
      const double here = stage == 0 ? 0 : stage == 3 ? h : 0.5 * h, next = stage == 2 ? h : 0.5 * h;
      const double weight = stage == 0 || stage == 3 ? 1 : 2;
      lane_stage(r, p, n * h + here, stage == 0, at, y, k, record);
      if (n == steps) return;
      LANE_UNROLL
      for (i = 0; i < LANE_STATE; ++i) {
        sum[i] += weight * k[i];
        at[i] = y[i] + next * k[i];
      }
    }
    LANE_UNROLL
    for (i = 0; i < LANE_STATE; ++i) y[i] += h / 6 * sum[i];
    lane_end(r, p, n * h + h, y);
  }
}

/* One member from its parameters and state to its end. In `out`: the state and figures there, and the record. */
TAUT_INLINE void lane_member(const double* in, double* out, long members, long member, double h, long steps) {
  double r[LANE_REGISTERS], p[LANE_PARAMETERS + 1], y[LANE_STATE], figures[LANE_FIGURES + 4];
  struct lane_record record = {NAN, 0, 0, 0, 0};
  int i;
  LANE_UNROLL
  for (i = 0; i < LANE_PARAMETERS; ++i) p[i] = in[i * members + member];
  LANE_UNROLL
  for (i = 0; i < LANE_Q + LANE_V; ++i) y[i] = in[(LANE_PARAMETERS + i) * members + member];
#if LANE_WORKS
  y[LANE_Q + LANE_V] = 0;
#endif
  lane_put_parameters(r, p);
  LANE_AT_PARAMETERS(r);
  lane_walk(r, p, h, steps, y, &record);
  LANE_UNROLL
  for (i = 0; i < LANE_Q + LANE_V; ++i) out[i * members + member] = y[i];
  lane_try_acceleration(r);
  LANE_AT_TRIAL_ACCELERATION(r);
  lane_get_figures(r, figures);
  figures[LANE_FIGURES] = record.position;
  figures[LANE_FIGURES + 1] = record.velocity;
  figures[LANE_FIGURES + 2] = record.energy_error;
  figures[LANE_FIGURES + 3] = record.by_rank;
  LANE_UNROLL
  for (i = 0; i < LANE_FIGURES + 4; ++i) out[(LANE_Q + LANE_V + i) * members + member] = figures[i];
}
