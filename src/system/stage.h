/* A stage of a step at one go: a state is moved onto the constraints, and its rates there are computed.
 *
 * C that C++ understands too: the library includes this file, and the machine code of a system carries its text along,
 * where the sizes are constants and the programs are called by name. Both compute the same. Before it stand
 * TAUT_INLINE, how to declare a function that is inlined; taut_abs and taut_sqrt; and TAUT_RUN(call, level, registers), how to run a
 * level of the program.
 *
 * The program's levels: taut::Level. Its registers: inputs first, see taut::Program. */

enum {
  taut_at_position = 1,
  taut_at_velocity = 2,
  taut_at_acceleration = 3,
  taut_at_correction = 4,
  taut_at_position_correction = 5,
  taut_at_trial_velocity = 6,
  taut_at_trial_position = 7,
  taut_at_trial_acceleration = 8,
  taut_at_self_stress = 9
};

/* What the program computes, X(name, how many). This is the only list of it: formulas, places and what the machine code
 * of a stage is told follow.
 *   Phi, f, b, chi, rates, power     as in the equations
 *   mass_pivots           squares of the diagonal of L, M = L Lᵀ
 *   sizes, pivots         squares of the rows' lengths, weighted by M⁻¹, and of what each has of its own, V included
 *   self_stress           S = (G + VVᵀ)⁻¹V, column after column, as far as it has rows in V
 *   remainders            squares of the forces M^-1/2 HᵀS that should cancel, by columns of length 1
 *   stress_drift          what S has beside V, a square; S is weighted by the rows' lengths
 *   acceleration, multipliers        v̇ and λ
 *   missing_acceleration  c − H v̇ at a given v̇
 *   correction, correction_multipliers   P(r) = M⁻¹Hᵀ times these
 *   position_correction   N P_q(r), of the leading rows
 *   missing_velocity      −χ at the trial velocity
 *   retraction            of the trial position: what its retracted coordinates become
 *   missing_position      −Φ there */
#define TAUT_SOLVER_OUTPUTS(X)                                                                                        \
  X(Phi, position_rows) X(mass_pivots, speeds) X(sizes, rows) X(pivots, rows) X(self_stress, stress_entries)          \
  X(remainders, stresses) X(stress_drift, one) X(f, speeds) X(b, rows) X(chi, rows) X(acceleration, speeds)           \
  X(multipliers, rows) X(power, one) X(missing_acceleration, rows) X(rates, coordinates) X(correction, speeds)        \
  X(correction_multipliers, rows) X(position_correction, coordinates) X(missing_velocity, rows)                       \
  X(retraction, retracted) X(missing_position, position_rows)

/* Before loops whose places are constants once they are unrolled, and before loops that stay loops: for compilers that
 * keep small arrays in registers. */
#ifndef TAUT_UNROLL
#define TAUT_UNROLL
#define TAUT_NO_UNROLL
#endif

/* By how much numbers are coarser than those of double precision. */
#ifndef taut_coarse
#define taut_coarse 1
#endif

/* What is the same for all stages of a system. */
struct taut_stage_plan {
  int one, coordinates, speeds, rows, position_rows, stresses, stress_entries, retracted;
  int works, squared, constant_mass;
  /* Registers where inputs begin: t and then q; v; … */
  int position, velocity, demanded, residual, position_residual, trial_velocity, trial_position, trial_acceleration, stress;
  const int* retracted_coordinates;
  /* Registers of outputs. */
#define TAUT_REGISTERS(name, count) const int* name;
  TAUT_SOLVER_OUTPUTS(TAUT_REGISTERS)
#undef TAUT_REGISTERS
};

struct taut_stage_call {
  const void* program;
  double* normals;      /* registers at the point along whose normals positions are corrected */
  double* here;         /* registers that go to the point found */
  const double* scales; /* squares of the sizes of the rows … */
  double least;         /* … of which a pivot must be more than this, squared */
  double t;
  const double* y;  /* the state asked for: q, v */
  double reach;     /* the farthest that a coordinate may be moved */
  double size;      /* of coordinates, at least */
  double tolerance; /* the change at which a position counts as found, relative … */
  double slack;     /* … or this, if it is more; infinite: the state counts as it stands */
  int check_stress; /* is V to be compared with the self-stresses? */
  int refine;       /* accelerations lose digits to squares, and are to get them back */
  double* found;    /* q, v on the constraints */
  double* rates;    /* q', v', power */
};

/* How Newton's iteration stands. */
struct taut_newton {
  int cautious; /* rows depend on each other: what contradicts itself, off the constraints, does not show in a change */
  int count;
  double last, rate; /* the last change, and the worst contraction so far */
};
enum { taut_go_on, taut_converged, taut_converges_badly };

/* Is a change of `enough`, where coordinates are as large as `scale`, the last? Converged; or, with the contraction
 * seen so far, what is missing is below the tolerance; or the rounding errors of the constraints keep the changes from
 * shrinking further. The cautious ask for a thousand times as much of contraction, since what does not show contracts
 * like what does, but for self-stresses and pivots; and they believe in rounding errors of smaller changes only. */
TAUT_INLINE int taut_judge(struct taut_newton* newton, double change, double enough, double scale) {
  const int k = newton->count++;
  const double contraction = k > 0 ? change / newton->last : 1;
  if (k > 0 && contraction > newton->rate) newton->rate = contraction;
  newton->last = change;
  if (change <= enough) return taut_converged;
  if (k > 0 && newton->rate < 0.5 && (newton->cautious ? 1e3 : 1) * change * newton->rate <= 0.1 * enough)
    return taut_converged;
  if (k > 0 && contraction > 0.5 && change < (newton->cautious ? 5e-14 : k > 1 ? 3e-13 : 0) * taut_coarse * scale)
    return taut_converged;
  return k > 0 && contraction > 0.5 ? taut_converges_badly : taut_go_on;
}

/* The largest of n absolute values, at least `most`; not a number if one is not. */
TAUT_INLINE double taut_largest(const double* x, int n, double most) {
  TAUT_UNROLL
  for (int i = 0; i < n; ++i)
    if (!(taut_abs(x[i]) <= most)) most = taut_abs(x[i]);
  return most;
}

/* Is the mass matrix positive definite? What is not a number is not positive, either. */
TAUT_INLINE int taut_has_mass(const double* registers, const int* pivots, int n) {
  double largest = 0, smallest = 1e300;
  TAUT_UNROLL
  for (int i = 0; i < n; ++i) {
    const double pivot = registers[pivots[i]];
    if (!(pivot > 0 && pivot < 1e300)) return 0;
    if (pivot > largest) largest = pivot;
    if (pivot < smallest) smallest = pivot;
  }
  return smallest > 1e-16 * largest;
}

TAUT_INLINE void taut_gather(const double* registers, const int* places, int n, double* out) {
  TAUT_UNROLL
  for (int i = 0; i < n; ++i) out[i] = registers[places[i]];
}

/* Makes columns of n numbers orthonormal, one after the other. */
TAUT_INLINE void taut_make_orthonormal(double* columns, int n, int count) {
  for (int k = 0; k < count; ++k) {
    double *x = columns + k * n, square = 0;
    for (int j = 0; j < 2 * k; ++j) { /* twice: what the first pass leaves is rounding, amplified */
      const double* y = columns + j % k * n;
      double dot = 0;
      for (int i = 0; i < n; ++i) dot += y[i] * x[i];
      for (int i = 0; i < n; ++i) x[i] -= dot * y[i];
    }
    for (int i = 0; i < n; ++i) square += x[i] * x[i];
    for (int i = 0; i < n; ++i) x[i] /= taut_sqrt(square);
  }
}

/* x += dx, and the largest of dx. */
TAUT_INLINE double taut_move(double* x, const double* registers, const int* places, int n) {
  double most = 0;
  TAUT_UNROLL
  for (int i = 0; i < n; ++i) {
    const double change = registers[places[i]];
    x[i] += change;
    if (!(taut_abs(change) <= most)) most = taut_abs(change);
  }
  return most;
}

/* What a position becomes when it is retracted, and what it misses then. */
TAUT_INLINE void taut_try_position(const struct taut_stage_plan* plan, const struct taut_stage_call* call,
                                   double* registers, double t, const double* q) {
  registers[plan->trial_position] = t;
  TAUT_UNROLL
  for (int i = 0; i < plan->coordinates; ++i) registers[plan->trial_position + 1 + i] = q[i];
  TAUT_RUN(call, taut_at_trial_position, registers);
}

/* The correction N P_q(-Phi(t, q)) of a position, retracted, with the factor at hand in these registers. */
TAUT_INLINE void taut_position_step(const struct taut_stage_plan* plan, const struct taut_stage_call* call,
                                    double* registers, double t, const double* q) {
  taut_try_position(plan, call, registers, t, q);
  taut_gather(registers, plan->missing_position, plan->position_rows, registers + plan->position_residual);
  TAUT_RUN(call, taut_at_position_correction, registers);
}

/* The correction P(-chi(v)) of a velocity at the position of these registers. */
TAUT_INLINE void taut_velocity_step(const struct taut_stage_plan* plan, const struct taut_stage_call* call,
                                    double* registers, const double* v) {
  TAUT_UNROLL
  for (int i = 0; i < plan->speeds; ++i) registers[plan->trial_velocity + i] = v[i];
  TAUT_RUN(call, taut_at_trial_velocity, registers);
  taut_gather(registers, plan->missing_velocity, plan->rows, registers + plan->residual);
  TAUT_RUN(call, taut_at_correction, registers);
}

/* Self-stresses may have so much in other rows and directions than V. */
enum { taut_good_stress = 30 };

/* Goes to a position; speeds may follow the coordinates. 0 where a pivot is not large enough, or V is to be renewed, if
 * that is asked. */
TAUT_INLINE int taut_factor(const struct taut_stage_plan* plan, const struct taut_stage_call* call, double* registers,
                            double t, const double* y, int count) {
  int trusted = 1;
  registers[plan->position] = t;
  TAUT_UNROLL
  for (int i = 0; i < count; ++i) registers[plan->position + 1 + i] = y[i];
  TAUT_RUN(call, taut_at_position, registers);
  TAUT_UNROLL
  for (int k = 0; k < plan->rows; ++k)
    trusted &= registers[plan->pivots[k]] > call->least * call->least * call->scales[k];
  if (!trusted) return 0;
  if (plan->stresses > 0 && call->check_stress) {
    TAUT_RUN(call, taut_at_self_stress, registers);
    if (!(registers[*plan->stress_drift] < taut_good_stress * taut_good_stress)) return 0;
  }
  return plan->constant_mass || taut_has_mass(registers, plan->mass_pivots, plan->speeds);
}

/* Are accelerations looked at once more, when they have been found? */
TAUT_INLINE int taut_tries_acceleration(const struct taut_stage_plan* plan, int refine) {
  return (plan->squared && refine) || plan->works;
}

/* The accelerations that are demanded of these registers, and their power. Put in as trial accelerations and
 * multipliers, they tell what they miss. */
TAUT_INLINE void taut_accelerate(const struct taut_stage_plan* plan, const struct taut_stage_call* call,
                                 double* registers, int refine, double* acceleration) {
  double *a = registers + plan->trial_acceleration, *lambda = a + plan->speeds;
  TAUT_RUN(call, taut_at_acceleration, registers);
  taut_gather(registers, plan->acceleration, plan->speeds, acceleration);
  if (!taut_tries_acceleration(plan, refine)) return;
  TAUT_UNROLL
  for (int i = 0; i < plan->speeds; ++i) a[i] = acceleration[i];
  taut_gather(registers, plan->multipliers, plan->rows, lambda);
  TAUT_RUN(call, taut_at_trial_acceleration, registers);
  if (!plan->squared || !refine) return;
  taut_gather(registers, plan->missing_acceleration, plan->rows, registers + plan->residual);
  TAUT_RUN(call, taut_at_correction, registers);
  taut_move(a, registers, plan->correction, plan->speeds);
  taut_move(lambda, registers, plan->correction_multipliers, plan->rows);
  TAUT_UNROLL
  for (int i = 0; i < plan->speeds; ++i) acceleration[i] = a[i];
  if (plan->works) TAUT_RUN(call, taut_at_trial_acceleration, registers);
}

/* The rates at the position and velocity of these registers. */
TAUT_INLINE void taut_rates(const struct taut_stage_plan* plan, const struct taut_stage_call* call, double* registers,
                            int refine, double* rates) {
  taut_gather(registers, plan->b, plan->rows, registers + plan->demanded);
  taut_accelerate(plan, call, registers, refine, rates + plan->coordinates);
  taut_gather(registers, plan->rates, plan->coordinates, rates);
  if (plan->works) rates[plan->coordinates + plan->speeds] = registers[*plan->power];
}

TAUT_INLINE void taut_retract(const struct taut_stage_plan* plan, const double* registers, double* q) {
  TAUT_UNROLL
  for (int k = 0; k < plan->retracted; ++k) q[plan->retracted_coordinates[k]] = registers[plan->retraction[k]];
}

/* A correction of a velocity by at most this, relative, leaves rounding errors only: the factor, whose pivots are above
 * 1e-3 or so, amplifies those of the correction by at most 1e6. */
#define taut_single_pass 1e-5

/* 0 where somebody must look closer: Newton's iteration with these normals is slow or leads too far, or a pivot is
 * small. */
TAUT_INLINE int taut_stage(const struct taut_stage_plan* plan, const struct taut_stage_call* call) {
  double *q = call->found, *v = q + plan->coordinates;
  double scale, change, moved = 0;
  const int stands = call->slack > 1e300;
  int i, verdict = taut_converged;
  struct taut_newton newton = {plan->stresses > 0 && call->slack == 0, 0, 0, 0};
  TAUT_UNROLL
  for (i = 0; i < plan->coordinates + plan->speeds; ++i) call->found[i] = call->y[i];

  scale = taut_largest(q, plan->coordinates, call->size);
  if (plan->position_rows > 0 && !stands) {
    const double exact = call->tolerance * scale, enough = call->slack > exact ? call->slack : exact;
    TAUT_NO_UNROLL
    do {
      taut_position_step(plan, call, call->normals, call->t, q);
      taut_retract(plan, call->normals, q);
      change = taut_move(q, call->normals, plan->position_correction, plan->coordinates);
      verdict = taut_judge(&newton, change, enough, scale);
    } while (verdict == taut_go_on && newton.count < 10);
  }
  if (verdict != taut_converged) return 0;
  if (plan->retracted > 0) {
    taut_try_position(plan, call, call->normals, call->t, q);
    taut_retract(plan, call->normals, q);
  }
  if (plan->position_rows + plan->retracted > 0) {
    TAUT_UNROLL
    for (i = 0; i < plan->coordinates; ++i)
      if (taut_abs(q[i] - call->y[i]) > moved) moved = taut_abs(q[i] - call->y[i]);
  }
  if (!(moved <= call->reach) || !taut_factor(plan, call, call->here, call->t, q, plan->coordinates)) return 0;

  /* Linear: one correction leaves rounding errors, amplified by the factor; another of what may be a result removes
   * them. */
  if (plan->rows > 0 && !stands) {
    scale = taut_largest(v, plan->speeds, 1e-3);
    i = 0;
    TAUT_NO_UNROLL
    do {
      taut_velocity_step(plan, call, call->here, v);
      change = taut_move(v, call->here, plan->correction, plan->speeds);
    } while (++i < 2 && call->slack == 0 && change > taut_single_pass * scale);
  }
  TAUT_UNROLL
  for (i = 0; i < plan->speeds; ++i) call->here[plan->velocity + i] = v[i];
  TAUT_RUN(call, taut_at_velocity, call->here);
  taut_rates(plan, call, call->here, call->refine, call->rates);
  change = 0;
  TAUT_UNROLL
  for (i = 0; i < plan->coordinates + plan->speeds; ++i) change += call->rates[i] - call->rates[i];
  return change == 0;
}
