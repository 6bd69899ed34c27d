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
  double now;          /* E - work where the motion stands */
  double scale;        /* the largest kinetic energy that was asked for */
  double limit;        /* a step that changes E - work by more than this is in doubt */
};

/* Formulas with so many registers fill those of a GPU by themselves. */
enum { lane_is_wide = taut_solver_registers > 1050 };

/* What a lane keeps from stage to stage. On a GPU it stands in the memory that the lanes of a block share, where that
 * is enough, and leaves the registers to the formulas. */
struct lane_room {
  double y[taut_entries_room], result[taut_entries_room], scales[taut_all_rows + 1];
  double held_Phi[taut_position_rows + 1], held_chi[taut_all_rows + 1];
  double k[lane_is_wide ? taut_entries_room : 1], stage[lane_is_wide ? taut_entries_room : 1];
  struct lane_record record;
};
/* An odd number: neighbours then read from different banks. */
enum { lane_room_numbers = (int)(sizeof(struct lane_room) / sizeof(double)) | 1 };

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

TAUT_INLINE double lane_work(const double* y) { return taut_works ? y[taut_moving] : 0; }

/* Of members without constraints, none of whose steps is taken twice. Where quick formulas have no value, those of the
 * general step have one. */
TAUT_INLINE double lane_energy_now(taut_work* w, const struct taut_pace* p, double* energy) {
  const double now = taut_has_energy ? lane_energy(energy, p->t, p->y) : 0;
  if (taut_all_finite(&now, 1)) return now - lane_work(p->y);
  lane_store(p, w);
  return taut_energy_at(w, w->t, w->y, w->y + taut_coordinates) - lane_work(w->y);
}

/* At the start and after general steps. */
TAUT_FUNCTION void lane_look(taut_work* w, struct lane_record* record) {
  if (taut_all_rows > 0) {
    record->position = lane_larger(record->position, lane_look_at(w, 0));
    record->velocity = lane_larger(record->velocity, lane_look_at(w, 1));
  }
  if (taut_has_energy) {
    record->now = taut_energy_at(w, w->t, w->y, w->y + taut_coordinates) - lane_work(w->y);
    if (!(record->energy == record->energy)) record->energy = record->now;
    record->energy_error = lane_larger(record->energy_error, record->now - record->energy);
  }
}

TAUT_INLINE void lane_look_at_regular(const struct taut_pace* p, double now, struct lane_record* record) {
  const struct taut_stage_plan plan = taut_plan();
  record->position = lane_largest(p->current, plan.Phi, taut_position_rows, record->position);
  record->velocity = lane_largest(p->current, plan.chi, taut_all_rows, record->velocity);
  if (taut_has_energy) {
    record->now = now;
    record->energy_error = lane_larger(record->energy_error, now - record->energy);
  }
}

/* ---- steps in doubt -------------------------------------------------------------------------------- */

/* A step that changes E - work by more than this share of the kinetic energy is taken again in smaller ones; above the
 * second share the motion has strayed. */
#define lane_doubtful 1e-7
#define lane_strayed 1e-3
/* … as it has where all steps together changed it by more than this. */
#define lane_lost 1e-2
/* Of E, by rounding; and so little that nobody can tell. */
#define lane_rounding 1e-12
#define lane_nothing 1e-14
/* A doubt doubles what the next one takes, and steps without one halve that again, within some 700 of them: where all
 * steps change the energy, few are taken twice. */
#define lane_calms 0.999
enum { lane_finest = 64 };

/* So little energy is not judged by. */
TAUT_INLINE double lane_unknown(const struct lane_record* record) { return 1e-9 * (1 + taut_abs(record->now)); }

TAUT_INLINE void lane_calm(struct lane_record* record) {
  const double least = lane_doubtful * record->scale + lane_rounding * taut_abs(record->now) + lane_nothing;
  const double less = lane_calms * record->limit;
  record->limit = less > least ? less : least;
}

/* Is E - work = now, after a step, too far from where it was? What is not a number is. */
TAUT_INLINE int lane_doubts(struct lane_record* record, double now) {
  lane_calm(record);
  return taut_has_energy && !(taut_abs(now - record->now) <= record->limit);
}

/* v' M v / 2 where the model stands, whose matrices are that of this place, if they are any. */
TAUT_FUNCTION void lane_measure(taut_work* w, struct lane_record* record) {
  const double* v = w->y + taut_coordinates;
  double sum = 0;
  int i, j;
  taut_matrices_at_position(w, w->t, w->y);
  taut_matrices_at_velocity(w, v);
  for (i = 0; i < taut_speeds; ++i)
    for (j = 0; j < taut_speeds; ++j) sum += 0.5 * v[i] * w->M[i * taut_speeds + j] * v[j];
  if (sum > record->scale) record->scale = sum;
}

/* Back to a state near where rank was decided. */
TAUT_FUNCTION void lane_go_back(taut_work* w, double t, const double* y) {
  taut_copy(y, taut_entries, w->y);
  w->t = t;
  w->known = w->has_result_rates = w->at_decision = 0;
  w->current_by = taut_by_matrices;
}

TAUT_FUNCTION int lane_step_in(taut_work* w, double end, int pieces) {
  const double begin = w->t, span = end - begin;
  int k, outcome = taut_done;
  for (k = 1; k <= pieces && outcome == taut_done; ++k) {
    const double next = k < pieces ? begin + span * k / pieces : end;
    outcome = taut_general_step(w, next, next - w->t);
  }
  return outcome;
}

/* From where the model stands to `end` by general steps: one, or more where the energy says so. `pieces`: how many to
 * begin with. How it went; the record's limit and scale go on. */
TAUT_FUNCTION int lane_careful_step(taut_work* w, double end, int pieces, struct lane_record* record) {
  const double begin = w->t;
  double y[taut_entries_room], change = 0;
  int outcome;
  taut_copy(w->y, taut_entries, y);
  if (pieces > 1) record->limit *= 2;
  for (;; pieces = 4 * pieces + 1) {
    outcome = lane_step_in(w, end, pieces);
    if (outcome == taut_done && (!taut_has_energy || taut_all_rows == 0)) return outcome;
    if (outcome == taut_done) {
      change = taut_abs(taut_energy_at(w, w->t, w->y, w->y + taut_coordinates) - lane_work(w->y) - record->now);
      lane_measure(w, record);
      lane_calm(record);
      if (change <= record->limit) return outcome;
    }
    if (pieces >= lane_finest) break;
    if (pieces == 1) record->limit *= 2;
    lane_go_back(w, begin, y);
  }
  if (outcome != taut_done) return outcome;
  return change <= lane_strayed * record->scale + lane_unknown(record) ? taut_done : taut_strayed;
}

/* Is too much energy lost since the start? */
TAUT_FUNCTION int lane_has_strayed(const struct lane_record* record) {
  return taut_has_energy && taut_all_rows > 0 && !(record->energy_error <= lane_lost * record->scale + lane_unknown(record));
}

/* ---- members --------------------------------------------------------------------------------------- */

/* From where the model stands. How it went. */
TAUT_INLINE int lane_walk(taut_work* w, double h, long steps, struct lane_room* room) {
  struct lane_record* record = &room->record;
  double registers[taut_solver_registers], normals[taut_projects ? taut_solver_registers : 1];
  double retraction[taut_retraction_registers], rates[taut_rates_registers], energy[taut_energy_registers];
  double own_stage[taut_entries_room], found[taut_entries_room], own_k[taut_entries_room];
  double start_rates[taut_coordinates + 1];
  struct taut_pace p;
  double origin, now;
  long n, taken;
  int regular;
  p.current = registers;
  p.decided = taut_projects ? normals : registers;
  p.y = room->y;
  p.scales = room->scales;
  p.k = lane_is_wide ? room->k : own_k;
  p.result = room->result;
  p.stage = lane_is_wide ? room->stage : own_stage;
  p.found = found;
  p.held_Phi = room->held_Phi;
  p.held_chi = room->held_chi;
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
  lane_look(w, record);
  lane_measure(w, record);
  TAUT_NO_UNROLL
  for (n = 1; n <= steps; ++n) {
    const double end = origin + (double)(taken + n) * h, span = end - p.t;
    const int served = regular && taut_regular_stages(&p, end, span);
    if (served && taut_all_rows == 0) {
      taut_regular_accept(&p, end);
      lane_look_at_regular(&p, lane_energy_now(w, &p, energy), record);
    } else if (served && !lane_doubts(record, now = lane_energy(energy, end, p.result) - lane_work(p.result))) {
      taut_regular_accept(&p, end);
      if (taut_projects) taut_copy_normals(registers, normals);
      lane_look_at_regular(&p, now, record);
    } else {
      int outcome;
      lane_store(&p, w);
      if (regular) taut_return(w);
      outcome = lane_careful_step(w, end, served ? 4 : 1, record);
      record->general += 1;
      if (outcome != taut_done) return outcome;
      lane_look(w, record);
      if (lane_has_strayed(record)) return taut_strayed;
      regular = lane_load(w, &p);
    }
  }
  lane_store(&p, w);
  if (regular) taut_return(w);
  /* Regular steps each lose too little to be doubted; all of them may not. */
  if (!lane_has_strayed(record)) return taut_done;
  lane_measure(w, record);
  return lane_has_strayed(record) ? taut_strayed : taut_done;
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

struct lane_course {
  double h;
  long steps;
};

TAUT_INLINE void lane_member(const double* in, double* out, long members, long member, struct lane_course course,
                             struct lane_room* room) {
  taut_model m;
  const struct lane_record none = {NAN, 0, 0, 0, 0, 0, 0, 0};
  int outcome = lane_begin(&m, in, members, member);
  room->record = none;
  if (outcome == taut_done) outcome = lane_walk(&m.inside, course.h, course.steps, room);
  lane_end(&m, outcome, &room->record, out, members, member);
}
