#include "output/run_record.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "taut/mechanism.hpp"

namespace taut {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_plotted = 4000, least_plotted = 100, most_frames = 4000;
/// As many frames a run is shown with even where it took fewer steps.
constexpr std::size_t smooth_frames = 600;
/// Forces of more joints than these would hide the mechanism.
constexpr std::size_t most_joints = 200;
constexpr std::size_t most_force_frames = 1000;

std::string base64(const std::vector<std::uint8_t>& bytes) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8U | (k < left ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += k <= left ? letters[group >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

/// The binary part of a page: little-endian numbers one after the other, each block at a multiple of eight.
class Blocks {
 public:
  /// Returns where the block begins.
  template <class Number>
  std::size_t add(const std::vector<Number>& values) {
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + values.size() * sizeof(Number));
    if (!values.empty()) std::memcpy(bytes_.data() + at, values.data(), values.size() * sizeof(Number));
    return at;
  }
  std::string text() const { return base64(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// A column of the animation in steps of 1/65534 of its range, which no eye can tell; 65535 is not a number.
Json quantised(const std::vector<std::vector<double>>& rows, std::size_t column, Blocks& blocks) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto& row : rows) {
    if (!std::isfinite(row[column])) continue;
    low = std::min(low, row[column]);
    high = std::max(high, row[column]);
  }
  if (!(low <= high)) low = high = 0;
  std::vector<std::uint16_t> values;
  const double scale = high > low ? 65534 / (high - low) : 0;
  for (const auto& row : rows) {
    const bool finite = std::isfinite(row[column]);
    values.push_back(finite ? static_cast<std::uint16_t>(std::lround((row[column] - low) * scale)) : 65535);
  }
  return {{"at", blocks.add(values)}, {"low", low}, {"high", high}};
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

JsonObject animation(const Scene& scene, const Frames& frames, Blocks& blocks) {
  Json columns = Json::array();
  for (std::size_t k = 0; k < scene.columns.size(); ++k) columns.push_back(quantised(frames.rows(), k, blocks));
  JsonObject json = scene.json;
  json.add("frames", text_of({{"count", frames.times().size()}, {"t", blocks.add(frames.times())}}));
  json.add("columns", text_of(columns));
  return json;
}

/// Forces have times of their own: those of rows, at which they were computed.
Json force_columns(const Frames& forces, std::size_t width, Blocks& blocks) {
  Json columns = Json::array();
  for (std::size_t k = 0; k < width; ++k) columns.push_back(quantised(forces.rows(), k, blocks));
  return {{"frames", {{"count", forces.times().size()}, {"t", blocks.add(forces.times())}}},
          {"columns", std::move(columns)}};
}

Json table(const std::vector<std::string>& names, const Extremes& values, Blocks& blocks) {
  Json columns = Json::array();
  for (std::size_t k = 1; k < names.size(); ++k) {
    const std::vector<double> exact = values.column(k);
    columns.push_back({{"name", names[k]}, {"at", blocks.add(std::vector<float>(exact.begin(), exact.end()))}});
  }
  return {{"t", blocks.add(values.column(0))},
          {"count", values.size()},
          {"seen", values.seen()},
          {"columns", std::move(columns)}};
}

/// Keeps a row, or remembers it in case it is the last one.
void keep(double t, const std::vector<double>& values, Frames& frames,
          std::optional<std::pair<double, std::vector<double>>>& last) {
  if (frames.wants(t)) {
    frames.add(t, values);
    last.reset();
  } else {
    last.emplace(t, values);
  }
}

Json pairs(const std::vector<std::pair<std::string, std::string>>& list) {
  Json array = Json::array();
  for (const auto& [name, value] : list) array.push_back({name, value});
  return array;
}

}  // namespace

void RunRecord::describe(const RunDescription& description, const Model& model) {
  description_ = description;
  for (const Constraint& constraint : model.constraints) {
    const bool in_text = constraint.place.line > 0 && constraint.place.file == model.file;
    constraint_lines_.emplace_back(constraint.name, in_text ? constraint.place.line : 0);
  }
  for (const Output& output : model.outputs)
    if (!output.unit.empty() || !output.group.empty())
      output_words_.push_back({output.name, output.unit, output.group});
  const std::vector<double> parameters = initial_values(model, description.set).parameters;
  scene_ = scene_of(model, parameters);
  std::vector<Expression> moving = scene_.columns;
  for (const Expression& place : scene_.columns) moving.push_back(dot(place));
  places_.emplace(model, parameters, moving);
  std::vector<Expression> energies;
  const auto part = [&](const char* name, const std::optional<Expression>& first,
                        const std::optional<Expression>& second) {
    if (!first && !second) return;
    energies.push_back(first.value_or(0) + second.value_or(0));
    energy_names_.push_back(name);
  };
  std::optional<Expression> moving_bodies = model.inertial_energy;
  for (const Rotor& rotor : model.rotors) moving_bodies = moving_bodies.value_or(0) + rotor.energy;
  part("kinetic energy", model.kinetic_energy, moving_bodies);
  part("potential energy", model.potential_energy, std::nullopt);
  part("total energy", model.energy, std::nullopt);
  energies_.emplace(model, parameters, energies);
  describe_forces(model, parameters);
}

void RunRecord::describe_forces(const Model& model, const std::vector<double>& parameters) {
  if (model.joints.empty() || model.joints.size() > most_joints) return;
  std::vector<Expression> formulas;
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    const Vector3 force = reaction(model, static_cast<int>(k)).force;
    for (int i = 0; i < 3; ++i) formulas.push_back(force[i]);
  }
  force_columns_ = formulas.size();
  forces_.emplace(model, parameters, formulas);
}

void RunRecord::describe(const RunDescription& description, const std::string& no_model) {
  description_ = description;
  no_model_ = no_model;
}

void RunRecord::start(const std::vector<std::string>& columns) {
  if (places_) places_->bind(columns);
  if (energies_) energies_->bind(columns);
  rows_table_.columns = choice_.start(columns);
  rows_table_.columns.insert(rows_table_.columns.end(), energy_names_.begin(), energy_names_.end());
  const std::size_t width = rows_table_.columns.size();
  rows_table_.values = std::make_unique<Extremes>(width, rows_for(2 * width));
  const std::size_t drawn = std::max<std::size_t>(scene_.columns.size(), 1);
  most_frames_ = std::min(most_frames, size_.frames / sizeof(std::uint16_t) / drawn);
  frames_.emplace(most_frames_);
  state_columns_ = columns;
  if (forces_) states_.emplace(most_force_frames);
}

void RunRecord::row(const std::vector<double>& values) {
  extended_ = choice_.of(values);
  if (energies_) {
    energies_->evaluate(values, energy_);
    extended_.insert(extended_.end(), energy_.begin(), energy_.end());
  }
  rows_table_.values->add(extended_);
  if (states_) keep(values[0], values, *states_, last_state_);
  last_ = values;
  if (!places_ || !frames_->wants(values[0])) return;
  places_->evaluate(values, drawn_);
  frames_->add(values[0], drawn_);
  last_.clear();
}

void RunRecord::start_steps(const std::vector<std::string>& columns) {
  steps_table_.columns = columns;
  steps_table_.values = std::make_unique<Extremes>(columns.size(), rows_for(2 * columns.size()));
  multiplier_columns_.clear();
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k].starts_with("lambda(")) multiplier_columns_.push_back(k);
  if (forces_ && !multiplier_columns_.empty()) multipliers_.emplace(most_frames);
}

void RunRecord::step(const std::vector<double>& values) {
  steps_table_.values->add(values);
  if (!multipliers_) return;
  lambda_.clear();
  for (const std::size_t k : multiplier_columns_) lambda_.push_back(values[k]);
  keep(values[0], lambda_, *multipliers_, last_lambda_);
}

std::size_t RunRecord::rows_for(std::size_t columns) const {
  return std::clamp(size_.plots / sizeof(float) / std::max<std::size_t>(columns, 1), least_plotted, most_plotted);
}

/// The end of a run is shown wherever it falls.
void RunRecord::keep_last() {
  if (places_ && !last_.empty()) {
    places_->evaluate(last_, drawn_);
    frames_->add(last_[0], drawn_);
  }
  if (places_) frames_->refine(std::min(smooth_frames, most_frames_ - std::min(most_frames_, frames_->times().size())));
}

/// The force of each joint at the rows kept, with the multipliers between two steps on a straight line.
Frames RunRecord::forces() {
  Frames out(2 * most_force_frames);
  if (!states_ || !multipliers_ || multipliers_->times().empty()) return out;
  if (last_state_) states_->add(last_state_->first, last_state_->second);
  if (last_lambda_) multipliers_->add(last_lambda_->first, last_lambda_->second);
  std::vector<std::string> columns = state_columns_;
  for (const std::size_t k : multiplier_columns_) columns.push_back(steps_table_.columns[k]);
  forces_->bind(columns);
  const auto& times = multipliers_->times();
  const auto& lambdas = multipliers_->rows();
  std::vector<double> row, values;
  for (std::size_t f = 0; f < states_->times().size(); ++f) {
    const double t = states_->times()[f];
    const auto after = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), t) - times.begin());
    const std::size_t high = std::min(after, times.size() - 1), low = high > 0 && times[high] > t ? high - 1 : high;
    const double span = times[high] - times[low];
    const double share = span > 0 ? std::clamp((t - times[low]) / span, 0.0, 1.0) : 0;
    row = states_->rows()[f];
    for (std::size_t k = 0; k < multiplier_columns_.size(); ++k)
      row.push_back(share > 0 ? lambdas[low][k] + share * (lambdas[high][k] - lambdas[low][k]) : lambdas[low][k]);
    forces_->evaluate(row, values);
    out.add(t, values);
  }
  return out;
}

RecordedRun RunRecord::content(const std::string& summary, const Frames& forces) const {
  Blocks blocks;
  Json set = Json::array(), constraints = Json::array();
  for (const auto& [name, value] : description_.set) set.push_back({name, value});
  for (const auto& [name, line] : constraint_lines_) constraints.push_back({{"name", name}, {"line", line}});
  RecordedRun run;
  const auto add = [&run](const char* name, const Json& json) { run.json.add(name, text_of(json)); };
  add("format", 1);
  add("version", description_.version);
  add("command", description_.command);
  add("model", {{"name", description_.model}, {"file", description_.file}, {"text", description_.text}});
  add("options", pairs(description_.options));
  add("set", set);
  run.json.add("summary", summary);
  add("constraints", constraints);
  add("no_model", no_model_);
  Json outputs = Json::array();
  for (const auto& [name, unit, group] : output_words_)
    outputs.push_back({{"name", name}, {"unit", unit}, {"group", group}});
  if (!outputs.empty()) add("outputs", outputs);
  if (rows_table_.values) add("rows", table(rows_table_.columns, *rows_table_.values, blocks));
  if (steps_table_.values) add("steps", table(steps_table_.columns, *steps_table_.values, blocks));
  JsonObject scene;
  if (places_ && frames_) scene = animation(scene_, *frames_, blocks);
  if (!forces.times().empty()) scene.add("forces", text_of(force_columns(forces, force_columns_, blocks)));
  if (!scene.empty()) run.json.add("scene", scene.text());
  run.data = blocks.text();
  return run;
}

RecordedRun RunRecord::finish(const std::string& summary) {
  keep_last();
  // A file may come from elsewhere, and its summary be anything.
  // Its keys in one order, so that a page is the same made with the run or from its file.
  const nlohmann::json sorted = nlohmann::json::parse(summary, nullptr, false);
  return content(sorted.is_discarded() ? "" : sorted.dump(), forces());
}

}  // namespace taut
