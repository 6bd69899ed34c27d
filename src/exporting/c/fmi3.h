/* The Functional Mock-up Interface 3.0: Model Exchange and Co-Simulation. Its types and constants are restated here. */

#include <stdbool.h>
#include <stdint.h>

typedef void* fmi3Instance;
typedef void* fmi3InstanceEnvironment;
typedef void* fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef bool fmi3Boolean;
typedef const char* fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte* fmi3Binary;
typedef bool fmi3Clock;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef int fmi3DependencyKind;
typedef int fmi3IntervalQualifier;
typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String);
typedef void (*fmi3IntermediateUpdateCallback)(void);
typedef void (*fmi3Callback)(void);

#if defined(_WIN32)
#define FMU_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define FMU_EXPORT __attribute__((visibility("default")))
#else
#define FMU_EXPORT
#endif

struct fmi3_instance {
  struct fmu unit;
  fmi3LogMessageCallback log;
  fmi3InstanceEnvironment environment;
};

static struct fmu* fmi3_unit(fmi3Instance c, int lives) {
  struct fmi3_instance* i = (struct fmi3_instance*)c;
  if (!i) return 0;
  if (i->unit.at.life & lives) return &i->unit;
  if (i->log) i->log(i->environment, fmi3Error, "logStatusError", "a function was called where it may not be");
  return 0;
}

/* An error that is told as such, with what is known of it. */
static fmi3Status fmi3_told(fmi3Instance c, int outcome) {
  struct fmi3_instance* i = (struct fmi3_instance*)c;
  if (outcome == fmu_error && i->unit.wrong && i->log)
    i->log(i->environment, fmi3Error, "logStatusError", i->unit.wrong);
  return (fmi3Status)outcome;
}

/* One that leaves an instance which can only be reset or freed. */
static fmi3Status fmi3_status(struct fmu* u, int outcome) {
  if (outcome == fmu_error) u->at.life = fmu_failed;
  return fmi3_told(u, outcome);
}

enum {
  fmi3_any = fmu_instantiated | fmu_initialising | fmu_in_events | fmu_continuous | fmu_stepping | fmu_terminated,
  fmi3_getting = fmi3_any | fmu_failed,
  fmi3_setting = fmu_instantiated | fmu_initialising | fmu_in_events | fmu_continuous | fmu_stepping
};

#define FMU_UNIT(lives)                \
  struct fmu* u = fmi3_unit(c, lives); \
  if (!u) return fmi3Error

FMU_EXPORT const char* fmi3GetVersion(void) { return "3.0"; }

FMU_EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t n, const fmi3String* categories) {
  (void)on;
  (void)n;
  (void)categories;
  return c ? fmi3OK : fmi3Error;
}

static fmi3Instance fmi3_make(fmi3String name, fmi3String token, int exchanges, fmi3InstanceEnvironment environment,
                              fmi3LogMessageCallback log) {
  struct fmi3_instance* i;
  if (!name || !*name || !token || strcmp(token, FMU_TOKEN) != 0) return 0;
  i = (struct fmi3_instance*)calloc(1, sizeof *i);
  if (!i) return 0;
  i->log = log;
  i->environment = environment;
  i->unit.exchanges = exchanges;
  fmu_reset(&i->unit);
  return i;
}

FMU_EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                                     fmi3Boolean visible, fmi3Boolean logging,
                                                     fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  (void)resources;
  (void)visible;
  (void)logging;
  return fmi3_make(name, token, 1, environment, log);
}

FMU_EXPORT fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                                    fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean events,
                                                    fmi3Boolean early, const fmi3ValueReference* intermediate, size_t n,
                                                    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                                    fmi3IntermediateUpdateCallback update) {
  (void)resources;
  (void)visible;
  (void)logging;
  (void)early;
  (void)intermediate;
  (void)update;
  if (n > 0 || events) return 0;
  return fmi3_make(name, token, 0, environment, log);
}

FMU_EXPORT fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                                          fmi3Boolean visible, fmi3Boolean logging,
                                                          fmi3InstanceEnvironment environment,
                                                          fmi3LogMessageCallback log, fmi3Callback clock,
                                                          fmi3Callback lock, fmi3Callback unlock) {
  (void)name;
  (void)token;
  (void)resources;
  (void)visible;
  (void)logging;
  (void)environment;
  (void)log;
  (void)clock;
  (void)lock;
  (void)unlock;
  return 0;
}

FMU_EXPORT void fmi3FreeInstance(fmi3Instance c) { free(c); }

FMU_EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean toleranceDefined, fmi3Float64 tolerance,
                                                  fmi3Float64 start, fmi3Boolean stopDefined, fmi3Float64 stop) {
  FMU_UNIT(fmu_instantiated);
  (void)toleranceDefined;
  (void)tolerance;
  if (start - start != 0 || (stopDefined && !(stop > start))) return fmi3_status(u, fmu_error);
  u->at.t = u->at.start = start;
  u->at.life = fmu_initialising;
  return fmi3OK;
}

FMU_EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
  FMU_UNIT(fmu_initialising);
  u->at.life = u->exchanges ? fmu_in_events : fmu_stepping;
  return fmi3_status(u, fmu_begin(u));
}

FMU_EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance c) {
  FMU_UNIT(fmu_continuous);
  u->at.life = fmu_in_events;
  return fmi3OK;
}

FMU_EXPORT fmi3Status fmi3Terminate(fmi3Instance c) {
  FMU_UNIT(fmu_in_events | fmu_continuous | fmu_stepping);
  u->at.life = fmu_terminated;
  return fmi3OK;
}

FMU_EXPORT fmi3Status fmi3Reset(fmi3Instance c) {
  FMU_UNIT(fmi3_any | fmu_failed);
  fmu_reset(u);
  return fmi3OK;
}

FMU_EXPORT fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference* vr, size_t n, fmi3Float64* values,
                                     size_t count) {
  FMU_UNIT(fmi3_getting);
  if (n != count || (n > 0 && (!vr || !values))) return fmi3Error;
  return fmi3_told(c, fmu_get_values(u, vr, n, values));
}
FMU_EXPORT fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference* vr, size_t n, const fmi3Float64* values,
                                     size_t count) {
  FMU_UNIT(fmi3_setting);
  if (n != count || (n > 0 && (!vr || !values))) return fmi3Error;
  return fmi3_told(c, fmu_set_values(u, vr, n, values));
}

/* There are no values of other types. */
#define FMU_NO_VALUES(name, type)                                                                                      \
  FMU_EXPORT fmi3Status fmi3Get##name(fmi3Instance c, const fmi3ValueReference* vr, size_t n, type* x, size_t count) { \
    (void)vr;                                                                                                          \
    (void)x;                                                                                                           \
    return c && n == 0 && count == 0 ? fmi3OK : fmi3Error;                                                             \
  }                                                                                                                    \
  FMU_EXPORT fmi3Status fmi3Set##name(fmi3Instance c, const fmi3ValueReference* vr, size_t n, const type* x,           \
                                      size_t count) {                                                                  \
    (void)vr;                                                                                                          \
    (void)x;                                                                                                           \
    return c && n == 0 && count == 0 ? fmi3OK : fmi3Error;                                                             \
  }
FMU_NO_VALUES(Float32, fmi3Float32)
FMU_NO_VALUES(Int8, int8_t)
FMU_NO_VALUES(UInt8, uint8_t)
FMU_NO_VALUES(Int16, int16_t)
FMU_NO_VALUES(UInt16, uint16_t)
FMU_NO_VALUES(Int32, int32_t)
FMU_NO_VALUES(UInt32, uint32_t)
FMU_NO_VALUES(Int64, int64_t)
FMU_NO_VALUES(UInt64, uint64_t)
FMU_NO_VALUES(Boolean, fmi3Boolean)
FMU_NO_VALUES(String, fmi3String)

FMU_EXPORT fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference* vr, size_t n, size_t* sizes,
                                    fmi3Binary* x, size_t count) {
  (void)vr;
  (void)sizes;
  (void)x;
  return c && n == 0 && count == 0 ? fmi3OK : fmi3Error;
}
FMU_EXPORT fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference* vr, size_t n, const size_t* sizes,
                                    const fmi3Binary* x, size_t count) {
  (void)vr;
  (void)sizes;
  (void)x;
  return c && n == 0 && count == 0 ? fmi3OK : fmi3Error;
}
FMU_EXPORT fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference* vr, size_t n, fmi3Clock* x) {
  (void)vr;
  (void)x;
  return c && n == 0 ? fmi3OK : fmi3Error;
}
FMU_EXPORT fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference* vr, size_t n, const fmi3Clock* x) {
  (void)vr;
  (void)x;
  return c && n == 0 ? fmi3OK : fmi3Error;
}

/* Dependencies do not change: those of the description hold. */
FMU_EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference vr, size_t* n) {
  (void)c;
  (void)vr;
  (void)n;
  return fmi3Error;
}
FMU_EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference vr, size_t* a,
                                                  fmi3ValueReference* b, size_t* d, fmi3DependencyKind* e, size_t n) {
  (void)c;
  (void)vr;
  (void)a;
  (void)b;
  (void)d;
  (void)e;
  (void)n;
  return fmi3Error;
}

/* ---- states of the unit -------------------------------------------------------------------------- */

FMU_EXPORT fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState* state) {
  FMU_UNIT(fmi3_any);
  if (!state) return fmi3Error;
  if (!*state) *state = malloc(sizeof u->at);
  if (!*state) return fmi3Error;
  memcpy(*state, &u->at, sizeof u->at);
  return fmi3OK;
}
FMU_EXPORT fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
  FMU_UNIT(fmi3_any | fmu_failed);
  if (!state) return fmi3Error;
  memcpy(&u->at, state, sizeof u->at);
  return fmi3OK;
}
FMU_EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState* state) {
  if (!c) return fmi3Error;
  if (state) {
    free(*state);
    *state = 0;
  }
  return fmi3OK;
}
FMU_EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t* size) {
  if (!c || !state || !size) return fmi3Error;
  *size = sizeof(struct fmu_serial);
  return fmi3OK;
}
FMU_EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  if (!c || !state || !bytes) return fmi3Error;
  return (fmi3Status)fmu_write_serial((const struct fmu_state*)state, bytes, size);
}
FMU_EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size,
                                              fmi3FMUState* state) {
  if (!c || !bytes || !state) return fmi3Error;
  if (fmu_read_serial(bytes, size, 0) != fmu_ok) return fmi3Error;
  if (!*state) *state = malloc(sizeof(struct fmu_state));
  if (!*state) return fmi3Error;
  return (fmi3Status)fmu_read_serial(bytes, size, (struct fmu_state*)*state);
}

FMU_EXPORT fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference* unknown, size_t unknowns,
                                                   const fmi3ValueReference* known, size_t knowns,
                                                   const fmi3Float64* seed, size_t seeds, fmi3Float64* sensitivity,
                                                   size_t sensitivities) {
  const struct fmu_list wanted = {unknown, unknowns}, by = {known, knowns};
  FMU_UNIT(fmu_initialising | fmu_in_events | fmu_continuous | fmu_stepping | fmu_terminated);
  if (seeds != knowns || sensitivities != unknowns) return fmi3Error;
  if ((unknowns > 0 && (!unknown || !sensitivity)) || (knowns > 0 && (!known || !seed))) return fmi3Error;
  return fmi3_told(c, fmu_directional(u, wanted, by, seed, sensitivity));
}
FMU_EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference* unknown, size_t unknowns,
                                               const fmi3ValueReference* known, size_t knowns, const fmi3Float64* seed,
                                               size_t seeds, fmi3Float64* sensitivity, size_t sensitivities) {
  (void)c;
  (void)unknown;
  (void)unknowns;
  (void)known;
  (void)knowns;
  (void)seed;
  (void)seeds;
  (void)sensitivity;
  (void)sensitivities;
  return fmi3Error;
}

/* ---- there is nothing to configure, no clock, and no discrete state --------------------------------- */

FMU_EXPORT fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) {
  (void)c;
  return fmi3Error;
}
FMU_EXPORT fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) {
  (void)c;
  return fmi3Error;
}
#define FMU_NO_CLOCK(name, first, second)                                                                         \
  FMU_EXPORT fmi3Status fmi3##name(fmi3Instance c, const fmi3ValueReference* vr, size_t n, first* a, second* b) { \
    (void)vr;                                                                                                     \
    (void)a;                                                                                                      \
    (void)b;                                                                                                      \
    return c && n == 0 ? fmi3OK : fmi3Error;                                                                      \
  }
#define FMU_NO_CLOCK_FRACTION(name, type)                                                                    \
  FMU_EXPORT fmi3Status fmi3##name(fmi3Instance c, const fmi3ValueReference* vr, size_t n, type* a, type* b, \
                                   fmi3IntervalQualifier* q) {                                               \
    (void)vr;                                                                                                \
    (void)a;                                                                                                 \
    (void)b;                                                                                                 \
    (void)q;                                                                                                 \
    return c && n == 0 ? fmi3OK : fmi3Error;                                                                 \
  }
#define FMU_NO_CLOCK_NUMBER(name, type)                                                               \
  FMU_EXPORT fmi3Status fmi3##name(fmi3Instance c, const fmi3ValueReference* vr, size_t n, type* a) { \
    (void)vr;                                                                                         \
    (void)a;                                                                                          \
    return c && n == 0 ? fmi3OK : fmi3Error;                                                          \
  }
FMU_NO_CLOCK(GetIntervalDecimal, fmi3Float64, fmi3IntervalQualifier)
FMU_NO_CLOCK_FRACTION(GetIntervalFraction, uint64_t)
FMU_NO_CLOCK_NUMBER(GetShiftDecimal, fmi3Float64)
FMU_NO_CLOCK(GetShiftFraction, uint64_t, uint64_t)
FMU_NO_CLOCK_NUMBER(SetIntervalDecimal, const fmi3Float64)
FMU_NO_CLOCK(SetIntervalFraction, const uint64_t, const uint64_t)
FMU_NO_CLOCK_NUMBER(SetShiftDecimal, const fmi3Float64)
FMU_NO_CLOCK(SetShiftFraction, const uint64_t, const uint64_t)

FMU_EXPORT fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) {
  FMU_UNIT(fmu_initialising | fmu_in_events);
  (void)u;
  return fmi3OK;
}
FMU_EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean* again, fmi3Boolean* terminate,
                                               fmi3Boolean* nominals, fmi3Boolean* states, fmi3Boolean* defined,
                                               fmi3Float64* time) {
  int changed = 0, outcome;
  double next = 0;
  FMU_UNIT(fmu_in_events);
  if (!again || !terminate || !nominals || !states || !defined || !time) return fmi3Error;
  outcome = fmu_settle(u, &changed, &next);
  *again = *terminate = *nominals = false;
  *states = changed != 0;
  *defined = next < taut_infinity;
  *time = *defined ? next : 0;
  return fmi3_status(u, outcome);
}

/* ---- Model Exchange ------------------------------------------------------------------------------ */

FMU_EXPORT fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) {
  FMU_UNIT(fmu_in_events);
  u->at.life = fmu_continuous;
  return fmi3OK;
}
FMU_EXPORT fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean keep, fmi3Boolean* enterEventMode,
                                                  fmi3Boolean* terminate) {
  FMU_UNIT(fmu_continuous);
  (void)keep;
  if (!enterEventMode || !terminate) return fmi3Error;
  *enterEventMode = *terminate = false;
  return fmi3_status(u, fmu_complete_step(u));
}
FMU_EXPORT fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 t) {
  FMU_UNIT(fmu_in_events | fmu_continuous);
  if (t - t != 0) return fmi3Error;
  u->at.t = t;
  return fmi3OK;
}
FMU_EXPORT fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 x[], size_t n) {
  FMU_UNIT(fmu_continuous);
  return x ? (fmi3Status)fmu_set_states(u, x, n) : fmi3Error;
}
FMU_EXPORT fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 rates[], size_t n) {
  FMU_UNIT(fmu_initialising | fmu_in_events | fmu_continuous | fmu_terminated);
  return rates && n == (size_t)fmu_states ? (fmi3Status)fmu_rates(u, rates) : fmi3Error;
}
FMU_EXPORT fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64 z[], size_t n) {
  FMU_UNIT(fmu_initialising | fmu_in_events | fmu_continuous | fmu_terminated);
  return z || n == 0 ? (fmi3Status)fmu_indicators(u, z, n) : fmi3Error;
}
FMU_EXPORT fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 x[], size_t n) {
  FMU_UNIT(fmu_initialising | fmu_in_events | fmu_continuous | fmu_terminated);
  if (!x || n != (size_t)fmu_states) return fmi3Error;
  taut_copy(u->at.x, fmu_states, x);
  return fmi3OK;
}
FMU_EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64 x[], size_t n) {
  size_t k;
  FMU_UNIT(fmi3_any);
  (void)u;
  if (!x || n != (size_t)fmu_states) return fmi3Error;
  for (k = 0; k < n; ++k) x[k] = 1;
  return fmi3OK;
}
FMU_EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t* n) {
  if (!c || !n) return fmi3Error;
  *n = taut_event_count;
  return fmi3OK;
}
FMU_EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t* n) {
  if (!c || !n) return fmi3Error;
  *n = fmu_states;
  return fmi3OK;
}

/* ---- Co-Simulation ------------------------------------------------------------------------------- */

FMU_EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance c) {
  (void)c;
  return fmi3Error;
}
FMU_EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference* vr, size_t n,
                                               const int32_t* orders, fmi3Float64* values, size_t count) {
  (void)vr;
  (void)orders;
  (void)values;
  return c && n == 0 && count == 0 ? fmi3OK : fmi3Error;
}
FMU_EXPORT fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean noReturn,
                                 fmi3Boolean* events, fmi3Boolean* terminate, fmi3Boolean* early,
                                 fmi3Float64* reached) {
  int outcome;
  FMU_UNIT(fmu_stepping);
  (void)noReturn;
  if (!events || !terminate || !early || !reached) return fmi3Error;
  if (!fmu_may_step(u, t, h)) return fmi3_told(c, fmu_error);
  outcome = fmu_advance(u, t + h);
  *events = *terminate = *early = false;
  *reached = u->at.t;
  return fmi3_status(u, outcome);
}
FMU_EXPORT fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference vr, fmi3Float64 t) {
  (void)c;
  (void)vr;
  (void)t;
  return fmi3Error;
}
