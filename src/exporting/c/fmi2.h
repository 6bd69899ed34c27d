/* The Functional Mock-up Interface 2.0: Model Exchange and Co-Simulation. Its types and constants are restated here. */

typedef void* fmi2Component;
typedef void* fmi2ComponentEnvironment;
typedef void* fmi2FMUstate;
typedef unsigned fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef const char* fmi2String;
typedef char fmi2Byte;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;
typedef void (*fmi2CallbackLogger)(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
typedef struct {
  fmi2CallbackLogger logger;
  void* (*allocateMemory)(size_t, size_t);
  void (*freeMemory)(void*);
  void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
  fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;
typedef struct {
  fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged;
  fmi2Boolean valuesOfContinuousStatesChanged, nextEventTimeDefined;
  fmi2Real nextEventTime;
} fmi2EventInfo;

#if defined(_WIN32)
#define FMU_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define FMU_EXPORT __attribute__((visibility("default")))
#else
#define FMU_EXPORT
#endif

struct fmi2_instance {
  struct fmu unit;
  const fmi2CallbackFunctions* functions;
  char name[64];
};

/* The instance, if a call is allowed where it stands; else none, which is said. */
static struct fmu* fmi2_unit(fmi2Component c, int lives, const char* function) {
  struct fmi2_instance* i = (struct fmi2_instance*)c;
  if (!i) return 0;
  if (i->unit.at.life & lives) return &i->unit;
  if (i->functions && i->functions->logger)
    i->functions->logger(i->functions->componentEnvironment, i->name, fmi2Error, "logStatusError",
                         "%s may not be called now", function);
  return 0;
}

/* An error that is told as such, with what is known of it. */
static fmi2Status fmi2_told(fmi2Component c, int outcome) {
  struct fmi2_instance* i = (struct fmi2_instance*)c;
  if (outcome == fmu_error && i->unit.wrong && i->functions && i->functions->logger)
    i->functions->logger(i->functions->componentEnvironment, i->name, fmi2Error, "logStatusError", "%s", i->unit.wrong);
  return (fmi2Status)outcome;
}

/* One that leaves an instance which can only be reset or freed. */
static fmi2Status fmi2_status(struct fmu* u, int outcome) {
  if (outcome == fmu_error) u->at.life = fmu_failed;
  return fmi2_told(u, outcome);
}

enum {
  fmi2_any = fmu_instantiated | fmu_initialising | fmu_in_events | fmu_continuous | fmu_stepping | fmu_terminated,
  fmi2_getting = fmu_initialising | fmu_in_events | fmu_continuous | fmu_stepping | fmu_terminated | fmu_failed,
  fmi2_setting = fmu_instantiated | fmu_initialising | fmu_in_events | fmu_continuous | fmu_stepping
};

#define FMU_UNIT(lives)                                   \
  struct fmu* u = fmi2_unit(c, lives, FMU_FUNCTION_NAME); \
  if (!u) return fmi2Error
#define FMU_FUNCTION_NAME __func__

FMU_EXPORT const char* fmi2GetTypesPlatform(void) { return "default"; }
FMU_EXPORT const char* fmi2GetVersion(void) { return "2.0"; }

FMU_EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String* categories) {
  (void)on;
  (void)n;
  (void)categories;
  return c ? fmi2OK : fmi2Error;
}

FMU_EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                         const fmi2CallbackFunctions* functions, fmi2Boolean visible,
                                         fmi2Boolean logging) {
  struct fmi2_instance* i;
  (void)resources;
  (void)visible;
  (void)logging;
  if (!name || !*name || !guid || strcmp(guid, FMU_TOKEN) != 0) return 0;
  if (!functions || !functions->allocateMemory || !functions->freeMemory) return 0;
  if (type != fmi2ModelExchange && type != fmi2CoSimulation) return 0;
  i = (struct fmi2_instance*)functions->allocateMemory(1, sizeof *i);
  if (!i) return 0;
  memset(i, 0, sizeof *i);
  i->functions = functions;
  strncpy(i->name, name, sizeof i->name - 1);
  i->unit.exchanges = type == fmi2ModelExchange;
  fmu_reset(&i->unit);
  return i;
}

FMU_EXPORT void fmi2FreeInstance(fmi2Component c) {
  struct fmi2_instance* i = (struct fmi2_instance*)c;
  if (i) i->functions->freeMemory(i);
}

FMU_EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                                          fmi2Real start, fmi2Boolean stopDefined, fmi2Real stop) {
  FMU_UNIT(fmu_instantiated);
  (void)toleranceDefined;
  (void)tolerance;
  if (start - start != 0 || (stopDefined && !(stop > start))) return fmi2_status(u, fmu_error);
  u->at.t = u->at.start = start;
  return fmi2OK;
}

FMU_EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  FMU_UNIT(fmu_instantiated);
  u->at.life = fmu_initialising;
  return fmi2OK;
}

FMU_EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  FMU_UNIT(fmu_initialising);
  u->at.life = u->exchanges ? fmu_in_events : fmu_stepping;
  return fmi2_status(u, fmu_begin(u));
}

FMU_EXPORT fmi2Status fmi2Terminate(fmi2Component c) {
  FMU_UNIT(fmu_in_events | fmu_continuous | fmu_stepping);
  u->at.life = fmu_terminated;
  return fmi2OK;
}

FMU_EXPORT fmi2Status fmi2Reset(fmi2Component c) {
  FMU_UNIT(fmi2_any | fmu_failed);
  fmu_reset(u);
  return fmi2OK;
}

FMU_EXPORT fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference* vr, size_t n, fmi2Real* values) {
  FMU_UNIT(fmi2_getting);
  if (n > 0 && (!vr || !values)) return fmi2Error;
  return fmi2_told(c, fmu_get_values(u, vr, n, values));
}
FMU_EXPORT fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference* vr, size_t n, const fmi2Real* values) {
  FMU_UNIT(fmi2_setting);
  if (n > 0 && (!vr || !values)) return fmi2Error;
  return fmi2_told(c, fmu_set_values(u, vr, n, values));
}

/* There are no values of other types. */
#define FMU_NO_VALUES(name, type)                                                                               \
  FMU_EXPORT fmi2Status fmi2Get##name(fmi2Component c, const fmi2ValueReference* vr, size_t n, type* x) {       \
    FMU_UNIT(fmi2_getting);                                                                                     \
    (void)vr;                                                                                                   \
    (void)x;                                                                                                    \
    return n == 0 ? fmi2OK : fmi2Error;                                                                         \
  }                                                                                                             \
  FMU_EXPORT fmi2Status fmi2Set##name(fmi2Component c, const fmi2ValueReference* vr, size_t n, const type* x) { \
    FMU_UNIT(fmi2_setting);                                                                                     \
    (void)vr;                                                                                                   \
    (void)x;                                                                                                    \
    return n == 0 ? fmi2OK : fmi2Error;                                                                         \
  }
FMU_NO_VALUES(Integer, fmi2Integer)
FMU_NO_VALUES(Boolean, fmi2Boolean)
FMU_NO_VALUES(String, fmi2String)

/* ---- states of the unit -------------------------------------------------------------------------- */

FMU_EXPORT fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  struct fmi2_instance* i = (struct fmi2_instance*)c;
  FMU_UNIT(fmi2_any);
  if (!state) return fmi2Error;
  if (!*state) *state = i->functions->allocateMemory(1, sizeof u->at);
  if (!*state) return fmi2Error;
  memcpy(*state, &u->at, sizeof u->at);
  return fmi2OK;
}
FMU_EXPORT fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  FMU_UNIT(fmi2_any | fmu_failed);
  if (!state) return fmi2Error;
  memcpy(&u->at, state, sizeof u->at);
  return fmi2OK;
}
FMU_EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  struct fmi2_instance* i = (struct fmi2_instance*)c;
  if (!i) return fmi2Error;
  if (!state || !*state) return fmi2OK;
  i->functions->freeMemory(*state);
  *state = 0;
  return fmi2OK;
}
FMU_EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
  if (!c || !state || !size) return fmi2Error;
  *size = sizeof(struct fmu_serial);
  return fmi2OK;
}
FMU_EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
  if (!c || !state || !bytes) return fmi2Error;
  return (fmi2Status)fmu_write_serial((const struct fmu_state*)state, (unsigned char*)bytes, size);
}
FMU_EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                              fmi2FMUstate* state) {
  struct fmi2_instance* i = (struct fmi2_instance*)c;
  if (!i || !bytes || !state) return fmi2Error;
  if (fmu_read_serial((const unsigned char*)bytes, size, 0) != fmu_ok) return fmi2Error;
  if (!*state) *state = i->functions->allocateMemory(1, sizeof(struct fmu_state));
  if (!*state) return fmi2Error;
  return (fmi2Status)fmu_read_serial((const unsigned char*)bytes, size, (struct fmu_state*)*state);
}

FMU_EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference* unknown, size_t unknowns,
                                                   const fmi2ValueReference* known, size_t knowns, const fmi2Real* seed,
                                                   fmi2Real* sensitivity) {
  const struct fmu_list wanted = {unknown, unknowns}, by = {known, knowns};
  FMU_UNIT(fmu_initialising | fmu_in_events | fmu_continuous | fmu_stepping | fmu_terminated);
  if ((unknowns > 0 && (!unknown || !sensitivity)) || (knowns > 0 && (!known || !seed))) return fmi2Error;
  return fmi2_told(c, fmu_directional(u, wanted, by, seed, sensitivity));
}

/* ---- Model Exchange ------------------------------------------------------------------------------ */

FMU_EXPORT fmi2Status fmi2EnterEventMode(fmi2Component c) {
  FMU_UNIT(fmu_continuous);
  u->at.life = fmu_in_events;
  return fmi2OK;
}
FMU_EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info) {
  FMU_UNIT(fmu_in_events);
  int changed = 0, outcome;
  double next = 0;
  if (!info) return fmi2Error;
  outcome = fmu_settle(u, &changed, &next);
  memset(info, 0, sizeof *info);
  info->valuesOfContinuousStatesChanged = changed;
  info->nextEventTimeDefined = next < taut_infinity;
  info->nextEventTime = info->nextEventTimeDefined ? next : 0;
  return fmi2_status(u, outcome);
}
FMU_EXPORT fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
  FMU_UNIT(fmu_in_events);
  u->at.life = fmu_continuous;
  return fmi2OK;
}
FMU_EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean keep, fmi2Boolean* enterEventMode,
                                                  fmi2Boolean* terminate) {
  FMU_UNIT(fmu_continuous);
  (void)keep;
  if (!enterEventMode || !terminate) return fmi2Error;
  *enterEventMode = *terminate = 0;
  return fmi2_status(u, fmu_complete_step(u));
}
FMU_EXPORT fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t) {
  FMU_UNIT(fmu_in_events | fmu_continuous);
  if (t - t != 0) return fmi2Error;
  u->at.t = t;
  return fmi2OK;
}
FMU_EXPORT fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n) {
  FMU_UNIT(fmu_continuous);
  return x ? (fmi2Status)fmu_set_states(u, x, n) : fmi2Error;
}
FMU_EXPORT fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real rates[], size_t n) {
  FMU_UNIT(fmu_in_events | fmu_continuous | fmu_terminated);
  return rates && n == (size_t)fmu_states ? (fmi2Status)fmu_rates(u, rates) : fmi2Error;
}
FMU_EXPORT fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n) {
  FMU_UNIT(fmu_initialising | fmu_in_events | fmu_continuous | fmu_terminated);
  return z || n == 0 ? (fmi2Status)fmu_indicators(u, z, n) : fmi2Error;
}
FMU_EXPORT fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
  FMU_UNIT(fmu_initialising | fmu_in_events | fmu_continuous | fmu_terminated);
  if (!x || n != (size_t)fmu_states) return fmi2Error;
  taut_copy(u->at.x, fmu_states, x);
  return fmi2OK;
}
FMU_EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
  size_t k;
  FMU_UNIT(fmu_instantiated | fmu_initialising | fmu_in_events | fmu_continuous | fmu_terminated);
  (void)u;
  if (!x || n != (size_t)fmu_states) return fmi2Error;
  for (k = 0; k < n; ++k) x[k] = 1;
  return fmi2OK;
}

/* ---- Co-Simulation ------------------------------------------------------------------------------- */

FMU_EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference* vr, size_t n,
                                                  const fmi2Integer* order, const fmi2Real* value) {
  size_t k;
  FMU_UNIT(fmu_stepping);
  if (n > 0 && (!vr || !order || !value)) return fmi2Error;
  for (k = 0; k < n; ++k)
    if (fmu_set_slope(u, vr[k], order[k], value[k]) != fmu_ok) return fmi2_told(c, fmu_error);
  return fmi2OK;
}
FMU_EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference* vr, size_t n,
                                                   const fmi2Integer* order, fmi2Real* value) {
  FMU_UNIT(fmi2_getting);
  (void)u;
  (void)vr;
  (void)order;
  (void)value;
  return n == 0 ? fmi2OK : fmi2Error;
}
FMU_EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean noReturn) {
  FMU_UNIT(fmu_stepping);
  (void)noReturn;
  if (!fmu_may_step(u, t, h)) return fmi2_told(c, fmu_error);
  return fmi2_status(u, fmu_advance(u, t + h));
}
FMU_EXPORT fmi2Status fmi2CancelStep(fmi2Component c) {
  (void)c;
  return fmi2Error;
}
FMU_EXPORT fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status* value) {
  (void)c;
  (void)kind;
  (void)value;
  return fmi2Discard;
}
FMU_EXPORT fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real* value) {
  FMU_UNIT(fmu_stepping | fmu_terminated | fmu_failed);
  if (kind != fmi2LastSuccessfulTime || !value) return fmi2Discard;
  *value = u->at.t;
  return fmi2OK;
}
FMU_EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer* value) {
  (void)c;
  (void)kind;
  (void)value;
  return fmi2Discard;
}
FMU_EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean* value) {
  if (!c || kind != fmi2Terminated || !value) return fmi2Discard;
  *value = 0;
  return fmi2OK;
}
FMU_EXPORT fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String* value) {
  (void)c;
  (void)kind;
  (void)value;
  return fmi2Discard;
}
