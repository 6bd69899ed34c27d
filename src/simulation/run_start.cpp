#include "simulation/run_start.hpp"

#include <fmt/format.h>

namespace taut {
namespace {

/// A start that was moved by more than this is told of in a note, and by more than that as an event.
constexpr double noted_move = 1e-3, logged_move = 1e-9;
/// Steps that are shorter than this share of the run lead nowhere, if one follows the other.
constexpr double least_step = 1e-10;

void put_on_constraints(RunState& run, InitialState& initial) {
  RunParts& parts = run.parts;
  const Options& options = parts.options;
  if (!options.assemble && !parts.method->needs_consistent_start()) return;
  const StartRule rule{initial.claims, options.assemble, options.duration(), parts.rank_tolerance, initial.t};
  const Assembly assembly = start_on_constraints(parts.manifold, initial.q, initial.v, rule);
  initial.claims = {};
  run.log.summary().assembly_change = assembly.change;
  if (assembly.change > noted_move)
    run.log.note(fmt::format("the model did not start on its constraints: '{}' was moved by {:.3g} to put it there",
                             assembly.name, assembly.change));
  if (assembly.change > logged_move)
    run.log.event(initial.t, "assembly", assembly.name,
                  fmt::format("the initial state was moved onto the constraints: '{}' by {:.3g}", assembly.name,
                              assembly.change));
}

void start_motion(RunState& run, const InitialState& initial) {
  RunParts& parts = run.parts;
  const double t = initial.t;
  const Vector &q = initial.q, &v = initial.v;
  if (!parts.shape.switches.empty()) {
    parts.switched.emplace(*parts.motion, parts.system, least_step * parts.options.duration());
    parts.switched->start(t, q, v);
  }
  if (!parts.motion->start(t, q, v, parts.rank_tolerance)) throw no_start(parts.manifold);
}

/// Are formulas wished for, and does nothing else stand in their way?
bool may_use_formulas(const RunParts& parts) {
  const std::string& name = parts.options.linear.name;
  const bool small = parts.chosen.linear == "cod" || parts.chosen.linear == "mixed";
  return (name == "formulas" || (name == "auto" && small)) && !parts.law && !parts.method->reads_matrices();
}

void choose_solver(RunState& run, const InitialState& initial) {
  RunParts& parts = run.parts;
  const bool runs = parts.options.until > initial.t;
  if (runs && may_use_formulas(parts) && parts.manifold.use_formulas(initial.t, initial.q)) {
    parts.chosen.linear = "formulas";
    parts.motion->start_formulas(initial.t, initial.q, initial.v);
  } else if (parts.options.linear.name == "formulas") {
    parts.chosen.linear = "cod";
    run.log.note("the solution is not written out as formulas for this method, energy law or system: cod solves");
  }
}

void note_kernel(RunState& run) {
  const RunParts& parts = run.parts;
  if (parts.options.linear.name == "auto" && parts.chosen.linear == "sparse")
    run.log.note(fmt::format("with {} speeds, the sparse kernel was chosen", parts.shape.n_v()));
  if (parts.manifold.kernel().mass_completed())
    run.log.note("the mass matrix alone is singular; the constraints complete it");
}

/// States are taken as they are: they are on the constraints as far as they ever were.
void go_on(RunState& run, InitialState& initial) {
  for (std::size_t k = 0; k < initial.history.size; ++k) {
    initial.history.find(k, initial.t, initial.q, initial.v);
    run.y = run.parts.motion->state(initial.q, initial.v);
    run.parts.motion->stand_at(initial.t, run.y);
    run.parts.ode().accept(initial.t, run.y);
  }
  run.parts.motion->begin_energy_balance(initial.t, initial.q, initial.v);
}

}  // namespace

InitialState given_state(const Shape& shape, double t, const Vector& q, const Vector& v) {
  if (q.size() != shape.n_q() || v.size() != shape.n_v())
    throw InputError(fmt::format("the initial state has {} coordinates and {} speeds", q.size(), v.size()),
                     fmt::format("this system has {} and {}", shape.n_q(), shape.n_v()));
  const auto given = [](const Vector& x) {
    return std::vector(static_cast<std::size_t>(x.size()), InitialClaim::given);
  };
  return {t, q, v, {given(q), given(v)}};
}

void start_run(RunState& run, InitialState& initial, std::unique_ptr<FeatureWatch> features) {
  RunParts& parts = run.parts;
  if (!initial.as_it_is) {
    parts.system.retract(initial.t, initial.q);
    put_on_constraints(run, initial);
  }
  start_motion(run, initial);
  parts.motion->approval().watch_features(std::move(features));
  choose_solver(run, initial);
  note_kernel(run);
  run.log.summary().dependent = dependent_constraints(parts.manifold);
  run.y = parts.motion->state(initial.q, initial.v);
  if (initial.history.size > 0) go_on(run, initial);
}

}  // namespace taut
