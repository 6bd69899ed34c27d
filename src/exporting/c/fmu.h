/* An instance of the model in a functional mock-up unit: what both versions of the interface share. Before it stand the
 * model's C, FMU_TYPE, its name there, fmu_parameters, how many parameters it has, fmu_kinds, of which kind each is,
 * and fmu_inputs, which of them are inputs.
 *
 * References of values: 0 is time, then parameters, q, v, q', v', outputs, the energy, the rate at which states are
 * drawn to the constraints, and event indicators. */

#include <stdlib.h>

enum {
  fmu_states = taut_coordinates + taut_speeds,
  fmu_first_parameter = 1,
  fmu_first_state = fmu_first_parameter + fmu_parameters,
  fmu_first_rate = fmu_first_state + fmu_states,
  fmu_first_output = fmu_first_rate + fmu_states,
  fmu_energy = fmu_first_output + taut_output_count,
  fmu_attraction,
  fmu_first_indicator,
  fmu_references = fmu_first_indicator + taut_event_count
};

/* Kinds of parameters: which may be set once the motion has begun. */
enum { fmu_fixed, fmu_tunable, fmu_input, fmu_calculated, fmu_sampled, fmu_decided };

/* Where an instance stands in its life, as the standard draws it. */
enum {
  fmu_instantiated = 1,
  fmu_initialising = 2,
  fmu_in_events = 4,
  fmu_continuous = 8,
  fmu_stepping = 16,
  fmu_terminated = 32,
  fmu_failed = 64
};

enum { fmu_ok, fmu_discard = 2, fmu_error = 3 };

/* All that changes: a copy of it is a state of the unit. */
struct fmu_state {
  FMU_TYPE model;
  double t, start, x[fmu_states + 1], attraction;
  double ramp_from[taut_inputs + 1], slopes[taut_inputs + 1], ramp_t; /* inputs within a step of Co-Simulation */
  int life, begun, changed, ramps;
  unsigned char given[fmu_states + 1]; /* initial values that the importer has set */
};

struct fmu {
  struct fmu_state at;
  int exchanges;     /* Model Exchange, or else Co-Simulation */
  const char* wrong; /* why the last call failed, or null */
};

/* Bytes that tell states of this unit from others, and from what was damaged. */
struct fmu_serial {
  unsigned magic, size, sum;
  struct fmu_state state;
};

static double* fmu_parameter(struct fmu_state* s, unsigned k) { return (double*)(void*)&s->model.parameters + k; }

static void fmu_reset(struct fmu* u) {
  memset(&u->at, 0, sizeof u->at);
  TAUT_DEFAULTS(&u->at.model);
  taut_copy(u->at.model.q, taut_coordinates, u->at.x);
  taut_copy(u->at.model.v, taut_speeds, u->at.x + taut_coordinates);
  u->at.attraction = taut_attraction;
  u->at.life = fmu_instantiated;
  u->wrong = 0;
}

static int fmu_outcome(struct fmu* u, int outcome) {
  if (outcome == taut_done) return fmu_ok;
  u->wrong = TAUT_SENTENCE(outcome);
  return fmu_error;
}

/* Initial values that are formulas of parameters follow these, unless they were set. */
static void fmu_follow_parameters(struct fmu_state* s) {
  int k;
  if (taut_starts == 0) return;
  taut_set_parameters(&s->model.inside, &s->model.parameters);
  for (k = 0; k < taut_starts; ++k) {
    const double value = s->model.inside.begin[taut_outputs_of_begin[k]];
    if (s->given[taut_start_places[k]]) continue;
    s->x[taut_start_places[k]] = value == taut_start_values[k] ? taut_start_begun[k] : value;
  }
}

/* Puts the state onto the constraints, and decides which of them count. */
static int fmu_begin(struct fmu* u) {
  struct fmu_state* s = &u->at;
  s->model.t = s->t;
  fmu_follow_parameters(s);
  taut_copy(s->x, taut_coordinates, s->model.q);
  taut_copy(s->x + taut_coordinates, taut_speeds, s->model.v);
  if (fmu_outcome(u, TAUT_INIT(&s->model)) != fmu_ok) return fmu_error;
  taut_copy(s->model.q, taut_coordinates, s->x);
  taut_copy(s->model.v, taut_speeds, s->x + taut_coordinates);
  s->begun = 1;
  s->changed = 0;
  return fmu_ok;
}

/* The motion stands where the importer has it. */
static void fmu_place(struct fmu* u) {
  struct fmu_state* s = &u->at;
  taut_work* w = &s->model.inside;
  if (!u->exchanges) return;
  taut_copy(s->x, fmu_states, w->y);
  w->t = s->t;
}

static void fmu_take_place(struct fmu* u) { taut_copy(u->at.model.inside.y, fmu_states, u->at.x); }

/* What was set takes effect: at an event, or between the steps of Co-Simulation, all at once; while an importer
 * integrates, as part of a continuous course. */
static int fmu_change(struct fmu* u) {
  struct fmu_state* s = &u->at;
  int outcome;
  s->changed = 0;
  if (s->life == fmu_continuous) {
    taut_take_parameters(&s->model.inside, &s->model.parameters);
    return fmu_ok;
  }
  fmu_place(u);
  outcome = fmu_outcome(u, taut_change(&s->model.inside, &s->model.parameters));
  fmu_take_place(u);
  return outcome;
}

/* Values depend on what was set last. */
static int fmu_require_begun(struct fmu* u) {
  if (!u->at.begun) return fmu_begin(u);
  return u->at.changed ? fmu_change(u) : fmu_ok;
}

/* ---- values -------------------------------------------------------------------------------------- */

static int fmu_rates(struct fmu* u, double* rates) {
  struct fmu_state* s = &u->at;
  double ydot[taut_entries_room], y[taut_entries_room];
  if (fmu_require_begun(u) != fmu_ok) return fmu_error;
  taut_copy(s->x, fmu_states, y);
  y[fmu_states] = 0;
  if (!taut_attracted_derivative(&s->model.inside, s->t, y, s->attraction, ydot)) return fmu_discard;
  taut_copy(ydot, fmu_states, rates);
  return fmu_ok;
}

static int fmu_outputs(struct fmu* u, double* outputs) {
  struct fmu_state* s = &u->at;
  if (fmu_require_begun(u) != fmu_ok) return fmu_error;
  return taut_outputs_near(&s->model.inside, s->t, s->x, outputs) ? fmu_ok : fmu_discard;
}

static int fmu_indicators(struct fmu* u, double* z, size_t count) {
  struct fmu_state* s = &u->at;
  if (count != (size_t)taut_event_count) return fmu_error;
  if (fmu_require_begun(u) != fmu_ok) return fmu_error;
  return taut_events_at(&s->model.inside, s->t, s->x, s->x + taut_coordinates, z) ? fmu_ok : fmu_discard;
}

/* What one call has computed: whoever asks for many values has them computed once. */
struct fmu_seen {
  int rates, outputs, indicators; /* 1 and the outcome; 0: not yet */
  double of_rates[fmu_states + 1], of_outputs[taut_output_count + 1], of_indicators[taut_event_count + 1];
};

static int fmu_computed(struct fmu* u, unsigned reference, struct fmu_seen* seen, double* value) {
  if (reference < fmu_first_output) {
    if (!seen->rates) seen->rates = 1 + fmu_rates(u, seen->of_rates);
    *value = seen->of_rates[reference - fmu_first_rate];
    return seen->rates - 1;
  }
  if (reference < fmu_energy) {
    if (!seen->outputs) seen->outputs = 1 + fmu_outputs(u, seen->of_outputs);
    *value = seen->of_outputs[reference - fmu_first_output];
    return seen->outputs - 1;
  }
  if (!seen->indicators) seen->indicators = 1 + fmu_indicators(u, seen->of_indicators, taut_event_count);
  *value = seen->of_indicators[reference - fmu_first_indicator];
  return seen->indicators - 1;
}

static int fmu_get_value(struct fmu* u, unsigned reference, struct fmu_seen* seen, double* value) {
  struct fmu_state* s = &u->at;
  double found = 0;
  int outcome = fmu_ok;
  if (reference >= fmu_references) {
    u->wrong = "there is no value of this reference";
    return fmu_error;
  }
  if (reference == 0) {
    found = s->t;
  } else if (reference < fmu_first_state) {
    const int kind = fmu_kinds[reference - fmu_first_parameter];
    if (kind == fmu_calculated || kind == fmu_sampled) outcome = fmu_require_begun(u);
    found = *fmu_parameter(s, reference - fmu_first_parameter);
  } else if (reference < fmu_first_rate) {
    outcome = s->life == fmu_initialising || s->changed ? fmu_require_begun(u) : fmu_ok;
    found = s->x[reference - fmu_first_state];
  } else if (reference == fmu_energy) {
    outcome = fmu_require_begun(u);
    found = taut_energy_at(&s->model.inside, s->t, s->x, s->x + taut_coordinates);
  } else if (reference == fmu_attraction) {
    found = s->attraction;
  } else {
    outcome = fmu_computed(u, reference, seen, &found);
  }
  if (outcome == fmu_ok) *value = found;
  return outcome;
}

/* May a parameter of this kind be set where the instance stands? */
static int fmu_may_set(const struct fmu* u, int kind) {
  const int life = u->at.life;
  if (life & (fmu_instantiated | fmu_initialising)) return kind == fmu_fixed || kind == fmu_tunable || kind == fmu_input;
  if (kind == fmu_input) return 1;
  return kind == fmu_tunable && life != fmu_continuous;
}

static int fmu_set_parameter(struct fmu* u, unsigned k, double value) {
  struct fmu_state* s = &u->at;
  if (!fmu_may_set(u, fmu_kinds[k])) {
    u->wrong = "this value may not be set now";
    return fmu_error;
  }
  s->changed |= *fmu_parameter(s, k) != value;
  *fmu_parameter(s, k) = value;
  return fmu_ok;
}

/* Parameters and initial values may be set before initialisation ends; later inputs, and between steps what is
 * tunable; states of Model Exchange by a function of their own. */
static int fmu_set_value(struct fmu* u, unsigned reference, double value) {
  struct fmu_state* s = &u->at;
  const int before = s->life & (fmu_instantiated | fmu_initialising);
  u->wrong = "this value may not be set now";
  if (value - value != 0) {
    u->wrong = "a value is no finite number";
    return fmu_error;
  }
  if (!before && (reference < fmu_first_parameter || reference >= fmu_first_state)) return fmu_error;
  if (reference >= fmu_first_parameter && reference < fmu_first_state) {
    if (fmu_set_parameter(u, reference - fmu_first_parameter, value) != fmu_ok) return fmu_error;
  } else if (before && reference >= fmu_first_state && reference < fmu_first_rate) {
    s->x[reference - fmu_first_state] = value;
    s->given[reference - fmu_first_state] = 1;
  } else if (before && reference == fmu_attraction && value >= 0) {
    s->attraction = value;
  } else {
    return fmu_error;
  }
  if (before) s->begun = 0;
  u->wrong = 0;
  return fmu_ok;
}

static int fmu_get_values(struct fmu* u, const unsigned* references, size_t count, double* values) {
  struct fmu_seen seen;
  size_t k;
  int worst = fmu_ok;
  seen.rates = seen.outputs = seen.indicators = 0;
  for (k = 0; k < count; ++k) {
    const int outcome = fmu_get_value(u, references[k], &seen, &values[k]);
    if (outcome > worst) worst = outcome;
  }
  return worst;
}

static int fmu_set_values(struct fmu* u, const unsigned* references, size_t count, const double* values) {
  size_t k;
  for (k = 0; k < count; ++k)
    if (fmu_set_value(u, references[k], values[k]) != fmu_ok) return fmu_error;
  return fmu_ok;
}

/* ---- Model Exchange ------------------------------------------------------------------------------ */

static int fmu_set_states(struct fmu* u, const double* x, size_t count) {
  if (count != (size_t)fmu_states || !taut_all_finite(x, fmu_states)) return fmu_error;
  taut_copy(x, fmu_states, u->at.x);
  return fmu_ok;
}

/* Rank is decided anew where a step ends. */
static int fmu_complete_step(struct fmu* u) {
  struct fmu_state* s = &u->at;
  double y[taut_entries_room];
  if (fmu_require_begun(u) != fmu_ok) return fmu_error;
  taut_copy(s->x, fmu_states, y);
  y[fmu_states] = 0;
  taut_copy(y, taut_entries, s->model.inside.y);
  s->model.inside.t = s->t;
  return taut_accept(&s->model.inside, s->t, y) ? fmu_ok : fmu_error;
}

/* The importer is at an event. What was set takes effect, controllers sample that are due, and when they sample next is
 * told. */
static int fmu_settle(struct fmu* u, int* states_changed, double* next) {
  struct fmu_state* s = &u->at;
  double before[fmu_states + 1];
  int outcome;
  taut_copy(s->x, fmu_states, before);
  outcome = fmu_require_begun(u);
  if (outcome != fmu_ok) return outcome;
  if (taut_controllers > 0) {
    fmu_place(u);
    outcome = fmu_outcome(u, taut_act(&s->model.inside, &s->model.parameters));
    fmu_take_place(u);
  }
  *states_changed = !taut_same(before, s->x, fmu_states);
  *next = taut_controllers > 0 ? taut_next_sample(&s->model.inside) : taut_infinity;
  return outcome;
}

/* ---- Co-Simulation ------------------------------------------------------------------------------- */

/* Inputs that follow a straight line within a step. */
static int fmu_set_slope(struct fmu* u, unsigned reference, int order, double slope) {
  struct fmu_state* s = &u->at;
  int k;
  for (k = 0; k < taut_inputs; ++k) {
    if (reference != (unsigned)fmu_inputs[k] + fmu_first_parameter || order != 1 || slope - slope != 0) continue;
    s->slopes[k] = slope;
    s->ramps = 1;
    return fmu_ok;
  }
  u->wrong = "only first derivatives of inputs can be set";
  return fmu_error;
}

static void fmu_begin_ramp(struct fmu_state* s) {
  int k;
  s->ramp_t = s->model.t;
  for (k = 0; k < taut_inputs; ++k) s->ramp_from[k] = *fmu_parameter(s, (unsigned)fmu_inputs[k]);
}

static void fmu_end_ramp(struct fmu_state* s) {
  int k;
  s->ramps = 0;
  for (k = 0; k < taut_inputs; ++k) s->slopes[k] = 0;
}

static void fmu_put_ramp(struct fmu_state* s, double t) {
  int k;
  for (k = 0; k < taut_inputs; ++k)
    *fmu_parameter(s, (unsigned)fmu_inputs[k]) = s->ramp_from[k] + s->slopes[k] * (t - s->ramp_t);
  taut_take_parameters(&s->model.inside, &s->model.parameters);
}

/* A step of the classical formula of Runge and Kutta, or of Euler's, whose stages have inputs of their own. */
static int fmu_ramp_step(struct fmu_state* s, double end) {
  taut_work* w = &s->model.inside;
  const double t = w->t, h = end - t;
  const int count = taut_integrator == taut_euler ? 1 : 4;
  int i;
  taut_mark_start(w, t, w->y);
  for (i = 0; i < count; ++i) {
    if (i > 0) taut_combine(taut_rk4_a[i], i, h, w->y, w->k, w->stage);
    fmu_put_ramp(s, t + taut_rk4_c[i] * h);
    if (!taut_projected_derivative(w, t + taut_rk4_c[i] * h, i > 0 ? w->stage : w->y, w->k[i])) return taut_no_value;
  }
  taut_combine(count == 1 ? taut_euler_b : taut_rk4_b, count, h, w->y, w->k, w->result);
  fmu_put_ramp(s, end);
  if (!taut_all_finite(w->result, taut_entries)) return taut_no_value;
  if (!taut_correct_result(w, end, w->result)) return taut_no_correction;
  taut_copy(w->result, taut_entries, w->y);
  w->t = end;
  w->step = 0;
  if (!taut_begin_anew(w)) return taut_no_value;
  i = taut_act(w, &s->model.parameters);
  taut_show(&s->model);
  return i;
}

/* The end of the next step along a ramp: a multiple of the step, where a controller samples, or the end of all. */
static double fmu_ramp_end(const struct fmu_state* s, double until) {
  const double sliver = 1e-9 * taut_step, t = s->model.t;
  double end = ((double)(long)(t / taut_step + 1e-9) + 1) * taut_step;
  if (taut_controllers > 0 && taut_next_sample(&s->model.inside) < end) end = taut_next_sample(&s->model.inside);
  return end < until - sliver && end > t ? end : until;
}

/* Of the last step's end, ahead, and not so far that steps could not be told from none. */
static int fmu_may_step(struct fmu* u, double t, double h) {
  const double slack = 1e-9 * taut_step + 1e-12 * taut_abs(t);
  u->wrong = "a step begins where the last one ended, and is longer than 0";
  if (!(h > 0) || !(taut_abs(t - u->at.t) <= slack)) return 0;
  u->wrong = "a step ends at a time so large that the unit's own steps are lost in its digits";
  if (!(taut_abs(t + h) <= 1e13 * taut_step)) return 0;
  u->wrong = 0;
  return 1;
}

/* Whole steps of the model's own length, and a shorter one where the way ends between two. */
static int fmu_advance(struct fmu* u, double until) {
  struct fmu_state* s = &u->at;
  const double sliver = 1e-9 * taut_step;
  int outcome = taut_done;
  if (fmu_require_begun(u) != fmu_ok) return fmu_error;
  if (s->ramps) fmu_begin_ramp(s);
  while (outcome == taut_done && s->model.t < until - sliver) {
    if (s->ramps)
      outcome = fmu_ramp_step(s, fmu_ramp_end(s, until));
    else if (s->model.t + taut_step <= until + sliver)
      outcome = TAUT_STEP(&s->model, taut_step);
    else
      outcome = TAUT_STEP_TO(&s->model, until);
  }
  fmu_end_ramp(s);
  s->t = outcome == taut_done ? until : s->model.t;
  taut_copy(s->model.q, taut_coordinates, s->x);
  taut_copy(s->model.v, taut_speeds, s->x + taut_coordinates);
  return fmu_outcome(u, outcome);
}

/* ---- states of the unit -------------------------------------------------------------------------- */

enum { fmu_magic = 0x74617574 };

/* FNV-1a over the unit's token and the bytes of a state. */
static unsigned fmu_sum(const unsigned char* bytes, size_t size) {
  const char* token = FMU_TOKEN;
  unsigned sum = 2166136261u;
  size_t k;
  for (k = 0; token[k]; ++k) sum = ((sum ^ (unsigned char)token[k]) * 16777619u) & 0xFFFFFFFFu;
  for (k = 0; k < size; ++k) sum = ((sum ^ bytes[k]) * 16777619u) & 0xFFFFFFFFu;
  return sum;
}

static int fmu_write_serial(const struct fmu_state* state, unsigned char* bytes, size_t size) {
  const unsigned head[3] = {fmu_magic, (unsigned)sizeof(struct fmu_serial),
                            fmu_sum((const unsigned char*)(const void*)state, sizeof *state)};
  if (size < sizeof(struct fmu_serial)) return fmu_error;
  memset(bytes, 0, sizeof(struct fmu_serial));
  memcpy(bytes, head, sizeof head);
  memcpy(bytes + offsetof(struct fmu_serial, state), state, sizeof *state);
  return fmu_ok;
}

/* Nothing is touched by what is no state of this unit. */
static int fmu_read_serial(const unsigned char* bytes, size_t size, struct fmu_state* state) {
  const unsigned char* content = bytes + offsetof(struct fmu_serial, state);
  unsigned head[3];
  if (size != sizeof(struct fmu_serial)) return fmu_error;
  memcpy(head, bytes, sizeof head);
  if (head[0] != fmu_magic || head[1] != sizeof(struct fmu_serial)) return fmu_error;
  if (head[2] != fmu_sum(content, sizeof *state)) return fmu_error;
  if (state) memcpy(state, content, sizeof *state);
  return fmu_ok;
}

/* ---- directional derivatives --------------------------------------------------------------------- */

/* Which input a reference means; -1 for none. */
static int fmu_input_of(unsigned reference) {
  int k;
  for (k = 0; k < taut_inputs; ++k)
    if (reference == (unsigned)fmu_inputs[k] + fmu_first_parameter) return k;
  return -1;
}

static int fmu_is_sampled(unsigned reference) {
  return reference >= fmu_first_parameter && reference < fmu_first_state &&
         fmu_kinds[reference - fmu_first_parameter] == fmu_sampled;
}

/* Variables by their references. */
struct fmu_list {
  const unsigned* references;
  size_t count;
};

/* Of rates and outputs, by states and inputs. */
static int fmu_directional(struct fmu* u, struct fmu_list unknown, struct fmu_list known, const double* seed,
                           double* sensitivity) {
  struct fmu_state* s = &u->at;
  struct taut_direction d;
  size_t k;
  memset(&d, 0, sizeof d);
  u->wrong = "derivatives are those of rates and outputs, by states and inputs";
  for (k = 0; k < known.count; ++k) {
    const int input = fmu_input_of(known.references[k]);
    if (input >= 0)
      d.du[input] += seed[k];
    else if (known.references[k] >= fmu_first_state && known.references[k] < fmu_first_rate)
      d.dx[known.references[k] - fmu_first_state] += seed[k];
    else
      return fmu_error;
  }
  for (k = 0; k < unknown.count; ++k)
    if (!fmu_is_sampled(unknown.references[k]) &&
        (unknown.references[k] < fmu_first_rate || unknown.references[k] >= fmu_energy))
      return fmu_error;
  u->wrong = 0;
  if (fmu_require_begun(u) != fmu_ok) return fmu_error;
  if (!taut_variation_at(&s->model.inside, s->t, s->x, s->attraction, &d)) return fmu_discard;
  for (k = 0; k < unknown.count; ++k) {
    const unsigned of = unknown.references[k];
    if (fmu_is_sampled(of)) /* it is held */
      sensitivity[k] = 0;
    else
      sensitivity[k] = of < fmu_first_output ? d.rates[of - fmu_first_rate] : d.outputs[of - fmu_first_output];
  }
  return fmu_ok;
}
