#include <fmt/format.h>

#include <algorithm>

#include "output/answers/answers.hpp"

namespace taut {
namespace {

constexpr std::size_t values_shown = 24;

std::string values_text(const std::string& label, const std::vector<NamedValue>& values) {
  std::string text;
  for (std::size_t k = 0; k < std::min(values.size(), values_shown); ++k)
    text += fmt::format("{}{} {:.8g}", k > 0 ? ", " : "", values[k].name, values[k].value);
  if (values.size() > values_shown) text += fmt::format(" and {} more", values.size() - values_shown);
  return values.empty() ? "" : fmt::format("  {:<12} {}\n", label, text);
}

std::string notes_text(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += fmt::format("  {:<12} {}\n", "note", note);
  return text;
}

std::string complex_text(const std::complex<double>& value) {
  return fmt::format("{:>14.8g} {} {:.8g} i", value.real(), value.imag() < 0 ? '-' : '+', std::abs(value.imag()));
}

std::string matrix_text(const std::string& name, const Matrix& A) {
  if (A.size() == 0) return "";
  std::string text = fmt::format("  {}\n", name);
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    text += "    ";
    for (const double value : A.row(i)) text += fmt::format(" {:>13.7g}", value);
    text += '\n';
  }
  return text;
}

}  // namespace

std::string to_text(const Equilibria& answer) {
  std::string text =
      answer.found.empty()
          ? fmt::format("{}: {}\n", answer.model, answer.reason)
          : fmt::format("{}: {} of rest, the nearest first\n", answer.model,
                        answer.found.size() == 1 ? "1 position" : fmt::format("{} positions", answer.found.size()));
  for (std::size_t k = 0; k < answer.found.size(); ++k) {
    const Equilibrium& one = answer.found[k];
    text += fmt::format("{}. {}{}, {:.4g} from the start\n", k + 1, one.stable ? "stable" : "not stable",
                        one.neutral > 0
                            ? fmt::format(" (it may be moved in {} and rests again)",
                                          one.neutral == 1 ? "1 direction" : fmt::format("{} directions", one.neutral))
                            : "",
                        one.distance);
    text += values_text("coordinates", one.coordinates) + values_text("states", one.states) +
            values_text("multipliers", one.multipliers);
    if (!one.multipliers_unique && !one.multipliers.empty())
      text += fmt::format("  {:<12} redundant constraints leave multipliers undetermined; these are the least\n", "");
    text += fmt::format("  {:<12} {:.2g} of the largest force\n", "imbalance", one.imbalance);
  }
  return text + notes_text(answer.notes);
}

std::string to_text(const StateSpace& answer) {
  std::string text =
      fmt::format("{}: {} states: {}\n", answer.model, answer.states.size(), fmt::join(answer.states, ", "));
  if (!answer.inputs.empty()) text += fmt::format("  {:<12} {}\n", "inputs", fmt::join(answer.inputs, ", "));
  if (!answer.outputs.empty()) text += fmt::format("  {:<12} {}\n", "outputs", fmt::join(answer.outputs, ", "));
  text +=
      matrix_text("A", answer.A) + matrix_text("B", answer.B) + matrix_text("C", answer.C) + matrix_text("D", answer.D);
  return text + values_text("at", answer.at) + notes_text(answer.notes);
}

std::string to_text(const Modes& answer) {
  std::string text = fmt::format("{}: {} modes, the slowest first\n", answer.model, answer.modes.size());
  if (!answer.modes.empty())
    text += fmt::format("      {:<36} {:>12} {:>10}  {}\n", "eigenvalue, 1/s", "Hz", "damping", "most of it moves");
  for (std::size_t k = 0; k < answer.modes.size(); ++k) {
    const Mode& mode = answer.modes[k];
    const auto largest = std::ranges::max_element(mode.shape, {}, [](const auto& part) { return std::abs(part); });
    const std::string name =
        mode.shape.empty() ? "" : answer.coordinates[static_cast<std::size_t>(largest - mode.shape.begin())];
    text += fmt::format("  {:>3} {:<36} {:>12} {:>10}  {}\n", k + 1, complex_text(mode.eigenvalue),
                        mode.frequency ? fmt::format("{:.6g}", *mode.frequency) : "",
                        mode.damping ? fmt::format("{:.4g}", *mode.damping) : "", name);
  }
  return text + values_text("at", answer.at) + notes_text(answer.notes);
}

}  // namespace taut
