/* An instance of the model in a functional mock-up unit: what both versions of the interface share. Before it stand the
 * model's C, FMU_TYPE, its name there, and fmu_parameters, how many parameters it has.
 *
 * References of values: 0 is time, then parameters, q, v, q', v', outputs, the energy, and the rate at which states are
 * drawn to the constraints. */

#include <stdlib.h>

enum {
  fmu_states = taut_coordinates + taut_speeds,
  fmu_first_parameter = 1,
  fmu_first_state = fmu_first_parameter + fmu_parameters,
  fmu_first_rate = fmu_first_state + fmu_states,
  fmu_first_output = fmu_first_rate + fmu_states,
  fmu_energy = fmu_first_output + taut_output_count,
  fmu_attraction,
  fmu_references
};

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
  int life, begun;
};

struct fmu {
  struct fmu_state at;
  int exchanges; /* Model Exchange, or else Co-Simulation */
  double stop;
};

/* Bytes that tell states of this unit from others. */
struct fmu_serial {
  unsigned magic, size;
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
}

/* Puts the state onto the constraints, and decides which of them count. */
static int fmu_begin(struct fmu* u) {
  struct fmu_state* s = &u->at;
  s->model.t = s->t;
  taut_copy(s->x, taut_coordinates, s->model.q);
  taut_copy(s->x + taut_coordinates, taut_speeds, s->model.v);
  if (TAUT_INIT(&s->model) != taut_done) return fmu_error;
  taut_copy(s->model.q, taut_coordinates, s->x);
  taut_copy(s->model.v, taut_speeds, s->x + taut_coordinates);
  s->begun = 1;
  return fmu_ok;
}

/* Values while initialising depend on what was set last. */
static int fmu_require_begun(struct fmu* u) { return u->at.begun ? fmu_ok : fmu_begin(u); }

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

static int fmu_get_value(struct fmu* u, unsigned reference, double* value) {
  struct fmu_state* s = &u->at;
  double computed[2 * fmu_states + taut_output_count + 1];
  int outcome = fmu_ok;
  if (reference >= fmu_references) return fmu_error;
  if (reference == 0) {
    *value = s->t;
  } else if (reference < fmu_first_state) {
    *value = *fmu_parameter(s, reference - fmu_first_parameter);
  } else if (reference < fmu_first_rate) {
    outcome = s->life == fmu_initialising ? fmu_require_begun(u) : fmu_ok;
    *value = s->x[reference - fmu_first_state];
  } else if (reference < fmu_first_output) {
    outcome = fmu_rates(u, computed);
    if (outcome == fmu_ok) *value = computed[reference - fmu_first_rate];
  } else if (reference < fmu_energy) {
    outcome = fmu_outputs(u, computed);
    if (outcome == fmu_ok) *value = computed[reference - fmu_first_output];
  } else if (reference == fmu_energy) {
    outcome = fmu_require_begun(u);
    *value = taut_energy_at(&s->model.inside, s->t, s->x, s->x + taut_coordinates);
  } else {
    *value = s->attraction;
  }
  return outcome;
}

/* Parameters and initial values may be set before initialisation ends, states of Model Exchange whenever they are its
 * own, and nothing else. */
static int fmu_set_value(struct fmu* u, unsigned reference, double value) {
  struct fmu_state* s = &u->at;
  const int before = s->life & (fmu_instantiated | fmu_initialising);
  if (value - value != 0) return fmu_error;
  if (before && reference >= fmu_first_parameter && reference < fmu_first_state)
    *fmu_parameter(s, reference - fmu_first_parameter) = value;
  else if (before && reference >= fmu_first_state && reference < fmu_first_rate)
    s->x[reference - fmu_first_state] = value;
  else if (before && reference == fmu_attraction && value >= 0)
    s->attraction = value;
  else
    return fmu_error;
  s->begun = 0;
  return fmu_ok;
}

static int fmu_get_values(struct fmu* u, const unsigned* references, size_t count, double* values) {
  size_t k;
  int worst = fmu_ok;
  for (k = 0; k < count; ++k) {
    const int outcome = fmu_get_value(u, references[k], &values[k]);
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
  taut_copy(s->x, fmu_states, y);
  y[fmu_states] = 0;
  taut_copy(y, taut_entries, s->model.inside.y);
  s->model.inside.t = s->t;
  return taut_accept(&s->model.inside, s->t, y) ? fmu_ok : fmu_error;
}

static int fmu_indicators(struct fmu* u, double* z, size_t count) {
  struct fmu_state* s = &u->at;
  if (count != (size_t)taut_event_count) return fmu_error;
  if (fmu_require_begun(u) != fmu_ok) return fmu_error;
  return taut_events_at(&s->model.inside, s->t, s->x, s->x + taut_coordinates, z) ? fmu_ok : fmu_discard;
}

/* ---- Co-Simulation ------------------------------------------------------------------------------- */

/* Whole steps of the model's own length, and a shorter one where the way ends between two. */
static int fmu_advance(struct fmu* u, double until) {
  struct fmu_state* s = &u->at;
  const double sliver = 1e-9 * taut_step;
  int outcome = taut_done;
  while (outcome == taut_done && s->model.t + taut_step <= until + sliver) outcome = TAUT_STEP(&s->model, taut_step);
  if (outcome == taut_done && s->model.t < until - sliver) outcome = TAUT_STEP_TO(&s->model, until);
  s->t = outcome == taut_done ? until : s->model.t;
  taut_copy(s->model.q, taut_coordinates, s->x);
  taut_copy(s->model.v, taut_speeds, s->x + taut_coordinates);
  return outcome == taut_done ? fmu_ok : fmu_error;
}

/* ---- states of the unit -------------------------------------------------------------------------- */

enum { fmu_magic = 0x74617574 };

static int fmu_write_serial(const struct fmu_state* state, unsigned char* bytes, size_t size) {
  struct fmu_serial serial;
  if (size < sizeof serial) return fmu_error;
  memset(&serial, 0, sizeof serial);
  serial.magic = fmu_magic;
  serial.size = (unsigned)sizeof serial;
  serial.state = *state;
  memcpy(bytes, &serial, sizeof serial);
  return fmu_ok;
}

static int fmu_read_serial(const unsigned char* bytes, size_t size, struct fmu_state* state) {
  struct fmu_serial serial;
  if (size != sizeof serial) return fmu_error;
  memcpy(&serial, bytes, sizeof serial);
  if (serial.magic != fmu_magic || serial.size != sizeof serial) return fmu_error;
  *state = serial.state;
  return fmu_ok;
}

/* ---- directional derivatives --------------------------------------------------------------------- */

/* Not given: the description says so. */
static int fmu_directional(struct fmu* u, const unsigned* unknown, size_t unknowns, const unsigned* known, size_t knowns,
                           const double* seed, double* sensitivity) {
  (void)u;
  (void)unknown;
  (void)unknowns;
  (void)known;
  (void)knowns;
  (void)seed;
  (void)sensitivity;
  return fmu_error;
}
