/* Members of a sweep by fixed steps, a lane a member: behind the text of an exported model, which it calls.
 *
 * Regular steps are compiled into the loop over a member's steps, and what they work on are variables of that loop. The
 * general step, with its matrices, is called where they do not serve; it works on the model's own memory, of
 * sizeof(taut_model) bytes a lane, which is not touched otherwise. */

/* What is recorded of a member. */
struct lane_record {
  double energy;       /* at the start */
  double position;     /* the largest |Phi| … */
  double velocity;     /* … |chi| … */
  double energy_error; /* … and |E - E0 - work| so far */
  double general;      /* how many steps were general ones */
};

/* The largest so far; what is not a number stays. */
TAUT_INLINE double lane_larger(double most, double x) {
  const double size = taut_abs(x);
  return size <= most ? most : size;
}

TAUT_INLINE double lane_largest(const double* r, const int* places, int n, double most) {
  int k;
  TAUT_UNROLL
  for (k = 0; k < n; ++k) most = lane_larger(most, r[places[k]]);
  return most;
}

/* ---- to and from the model's memory ---------------------------------------------------------------- */

/* Is the next step to be tried as a regular one? */
TAUT_INLINE int lane_load(const taut_work* w, struct taut_pace* p) {
  const double* decided = w->solver[taut_decided ^ w->exchanged];
  taut_copy(decided, taut_solver_registers, p->current);
  if (taut_projects) taut_copy_normals(decided, p->decided);
  taut_copy(w->result_rates, taut_entries, p->k);
  taut_copy(w->y, taut_entries, p->y);
  taut_copy(w->scales, taut_all_rows, p->scales);
  p->t = w->t;
  p->largest = w->largest_coordinate;
  p->stress_worn_at = w->stress_worn_at;
  p->refines = w->refines;
  p->stress_renewed = w->stress_renewed;
  return taut_is_regular(w);
}

TAUT_INLINE void lane_store(const struct taut_pace* p, taut_work* w) {
  taut_copy(p->y, taut_entries, w->y);
  taut_copy(p->scales, taut_all_rows, w->scales);
  w->t = p->t;
  w->largest_coordinate = p->largest;
  w->refines = p->refines;
}

/* ---- what is recorded ------------------------------------------------------------------------------ */

TAUT_INLINE double lane_energy(double* r, double t, const double* y) {
  int k;
  r[taut_first] = t;
  TAUT_UNROLL
  for (k = 0; k < taut_moving; ++k) r[taut_first + 1 + k] = y[k];
  taut_inlined_energy(taut_at_position, r);
  taut_inlined_energy(taut_at_velocity, r);
  return r[taut_outputs_of_energy[0]];
}

TAUT_FUNCTION double lane_look_at(taut_work* w, int rows_of_speeds) {
  double missing[taut_all_rows + 1];
  if (rows_of_speeds)
    taut_velocity_at(w, w->t, w->y, w->y + taut_coordinates, missing);
  else
    taut_position_at(w, w->t, w->y, missing);
  return taut_largest(missing, rows_of_speeds ? taut_all_rows : taut_position_rows, 0);
}

TAUT_INLINE void lane_look(taut_work* w, const struct taut_pace* p, double* energy, int regular,
                           struct lane_record* record) {
  const struct taut_stage_plan plan = taut_plan();
  if (taut_all_rows > 0 && regular) {
    record->position = lane_largest(p->current, plan.Phi, taut_position_rows, record->position);
    record->velocity = lane_largest(p->current, plan.chi, taut_all_rows, record->velocity);
  } else if (taut_all_rows > 0) {
    record->position = lane_larger(record->position, lane_look_at(w, 0));
    record->velocity = lane_larger(record->velocity, lane_look_at(w, 1));
  }
  if (taut_has_energy) {
    const double now = lane_energy(energy, p->t, p->y) - (taut_works ? p->y[taut_moving] : 0);
    if (!(record->energy == record->energy)) record->energy = now;
    record->energy_error = lane_larger(record->energy_error, now - record->energy);
  }
}

/* ---- members --------------------------------------------------------------------------------------- */

/* From where the model stands. How it went. */
TAUT_INLINE int lane_walk(taut_work* w, double h, long steps, struct lane_record* record) {
  double registers[taut_solver_registers], normals[taut_projects ? taut_solver_registers : 1];
  double retraction[taut_retraction_registers], rates[taut_rates_registers], energy[taut_energy_registers];
  double y[taut_entries_room], result[taut_entries_room], stage[taut_entries_room], found[taut_entries_room];
  double k[taut_entries_room], start_rates[taut_coordinates + 1];
  double scales[taut_all_rows + 1], held_Phi[taut_position_rows + 1], held_chi[taut_all_rows + 1];
  struct taut_pace p;
  double origin;
  long n, taken;
  int regular;
  p.current = registers;
  p.decided = taut_projects ? normals : registers;
  p.y = y;
  p.scales = scales;
  p.k = k;
  p.result = result;
  p.stage = stage;
  p.found = found;
  p.held_Phi = held_Phi;
  p.held_chi = held_chi;
  p.retraction = retraction;
  p.rates_program = rates;
  p.start_rates = start_rates;
  taut_begin_steps(w, h);
  origin = w->origin;
  taken = w->taken;
  taut_copy(w->retraction, taut_retraction_registers, retraction);
  taut_copy(w->rates, taut_rates_registers, rates);
  taut_copy(w->energy, taut_energy_registers, energy);
  regular = lane_load(w, &p);
  lane_look(w, &p, energy, regular, record);
  TAUT_NO_UNROLL
  for (n = 1; n <= steps; ++n) {
    const double end = origin + (double)(taken + n) * h, span = end - p.t;
    if (regular && taut_regular_step(&p, end, span)) {
      if (taut_projects) taut_copy_normals(registers, normals);
    } else {
      int outcome;
      lane_store(&p, w);
      if (regular) taut_return(w);
      outcome = taut_general_step(w, end, span);
      record->general += 1;
      if (outcome != taut_done) return outcome;
      regular = lane_load(w, &p);
    }
    lane_look(w, &p, energy, regular, record);
  }
  lane_store(&p, w);
  if (regular) taut_return(w);
  return taut_done;
}

/* Its values, and where it starts. */
TAUT_FUNCTION int lane_begin(taut_model* m, const double* in, long members, long member) {
  int i;
  taut_model_defaults(m);
  lane_put_parameters(m, in, members, member);
  for (i = 0; i < taut_coordinates; ++i) m->q[i] = in[(lane_parameters + i) * members + member];
  for (i = 0; i < taut_speeds; ++i) m->v[i] = in[(lane_parameters + taut_coordinates + i) * members + member];
  return taut_model_init(m);
}

TAUT_FUNCTION void taut_following_at(taut_work* w, double t, const double* q, const double* v, double* out) {
  taut_put_position(w->following, t, q);
  taut_run_following(taut_at_position, w->following);
  taut_put_velocity(w->following, v);
  taut_run_following(taut_at_velocity, w->following);
  taut_gather(w->following, taut_outputs_of_following, lane_following, out);
}

/* Where it ended: q, v, q', what follows of them, outputs; then the record, and how it went. */
TAUT_FUNCTION void lane_end(taut_model* m, int outcome, const struct lane_record* record, double* out, long members,
                            long member) {
  taut_work* w = &m->inside;
  double figures[lane_figures + 1];
  double *at = figures, *q = w->y, *v = w->y + taut_coordinates;
  int i;
  for (i = 0; i < lane_figures; ++i) figures[i] = NAN;
  if (outcome != taut_no_start && outcome != taut_inconsistent) {
    taut_copy(w->y, taut_moving, at);
    taut_rates_at(w, w->t, q, v, at + taut_moving);
    at += taut_moving + taut_coordinates;
    taut_following_at(w, w->t, q, v, at);
    if (!taut_outputs_at(w, w->t, q, v, at + lane_following) && outcome == taut_done) outcome = taut_no_value;
  }
  for (i = 0; i < lane_figures; ++i) out[i * members + member] = figures[i];
  out += lane_figures * members + member;
  out[0] = record->position;
  out[members] = record->velocity;
  out[2 * members] = record->energy_error;
  out[3 * members] = record->general;
  out[4 * members] = outcome;
  out[5 * members] = w->t;
}

TAUT_INLINE void lane_member(const double* in, double* out, long members, long member, double h, long steps) {
  taut_model m;
  struct lane_record record = {NAN, 0, 0, 0, 0};
  int outcome = lane_begin(&m, in, members, member);
  if (outcome == taut_done) outcome = lane_walk(&m.inside, h, steps, &record);
  lane_end(&m, outcome, &record, out, members, member);
}
