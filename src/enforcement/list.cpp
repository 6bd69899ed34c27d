#include "enforcement/list.hpp"

#include <cmath>

#include "enforcement/option_lists.hpp"
#include "linear/list.hpp"

namespace taut {

// One file each.
std::unique_ptr<Method> make_method(const Auto& options, Manifold& manifold);
std::unique_ptr<Method> make_method(const UdwadiaKalaba& options, Manifold& manifold);
std::unique_ptr<Method> make_method(const BraunGoldfarb& options, Manifold& manifold);
std::unique_ptr<Method> make_method(const Baumgarte& options, Manifold& manifold);
std::unique_ptr<Method> make_method(const GradientFeedback& options, Manifold& manifold);
std::unique_ptr<Method> make_method(const RecursiveLeastSquares& options, Manifold& manifold);
std::unique_ptr<Method> make_method(const Perturbation& options, Manifold& manifold);
std::unique_ptr<Method> make_method(const Parametrization& options, Manifold& manifold);
std::unique_ptr<Method> make_method(const StabilizedIndex2& options, Manifold& manifold);
std::unique_ptr<Method> make_method(const PostStabilization& options, Manifold& manifold);
std::unique_ptr<Method> make_method(const AugmentedLagrangian& options, Manifold& manifold);
std::unique_ptr<Method> make_method(const CoordinatePartitioning& options, Manifold& manifold);

namespace {

template <class Options>
double rank_tolerance_of(const Options& options) {
  return options.rank_tolerance;
}
/// Its tolerance is one on squares.
double rank_tolerance_of(const RecursiveLeastSquares& options) { return std::sqrt(options.tolerance); }

template <class Options>
MethodEntry entry(const char* about, const char* source) {
  return {std::string(Options::name),
          about,
          source,
          fields<Options>(),
          [](const Choice& choice, Manifold& manifold) { return make_method(read_options<Options>(choice), manifold); },
          [](const Choice& choice) { return rank_tolerance_of(read_options<Options>(choice)); }};
}

MethodEntry with_kernel(MethodEntry entry, const char* name,
                        std::unique_ptr<LinearKernel> (*kernel)(const Choice&, const Shape&)) {
  entry.kernel = kernel;
  entry.kernel_name = name;
  return entry;
}

std::unique_ptr<LinearKernel> recursive_kernel(const RecursiveLeastSquares& options) {
  if (options.order == "greedy") return make_recursive(RowOrder::greedy, options.block);
  if (options.order == "natural") return make_recursive(RowOrder::natural, options.block);
  if (options.order != "hierarchy") return make_recursive(RowOrder::threshold, options.block);
  if (options.block == 1) return make_recursive(RowOrder::hierarchy, 1);
  throw InputError("recursive-least-squares(order=hierarchy) takes the parts of the model as its blocks",
                   "leave 'block' out");
}

std::unique_ptr<LinearKernel> recursive_kernel(const Choice& choice, const Shape& shape) {
  const auto options = read_options<RecursiveLeastSquares>(choice);
  auto kernel = recursive_kernel(options);
  if (options.weights != "auto") kernel->set_weights(read_row_weights(options.weights, shape));
  return kernel;
}

std::unique_ptr<LinearKernel> augmented_kernel(const Choice& choice, const Shape&) {
  const auto options = read_options<AugmentedLagrangian>(choice);
  return make_augmented(options.penalty, options.iterations);
}

}  // namespace

const std::vector<MethodEntry>& methods() {
  static const std::vector<MethodEntry> list = {
      entry<Auto>("evaluates the equations only on the constraints, decides rank only there", "docs/theory/auto.md"),
      entry<UdwadiaKalaba>("constrained accelerations without any correction: drifts",
                           "Braun & Goldfarb 2009, Eq. (17)"),
      entry<BraunGoldfarb>("drift elimination embedded in the equation of motion",
                           "Braun & Goldfarb 2009, Eq. (16), (20), (21); Part II, Eq. (1)-(4)"),
      entry<Baumgarte>("violations are asked to decay like a damped oscillator", "Yoon, Howe & Greenwood, Eq. (13)"),
      entry<GradientFeedback>("the gradient of the squared violation is fed back into the rates",
                              "Yoon, Howe & Greenwood, Eq. (28), (49)-(53)"),
      with_kernel(entry<RecursiveLeastSquares>("row by row, with a sweep over the rows after each step",
                                               "Orsino & de Oliveira, Eq. (16)-(21)"),
                  "recursive", recursive_kernel),
      entry<Perturbation>("each step replaced by the nearest point of the constraints",
                          "Keerthi, Sudarsan & Sancheti, P1, Eq. (3.1)-(3.7)"),
      entry<Parametrization>("tangent coordinates are integrated, the others follow by Newton",
                             "Keerthi, Sudarsan & Sancheti, section 4"),
      entry<StabilizedIndex2>("multipliers are unknowns of a differential-algebraic system, solved by ida",
                              "Gear, Gupta & Leimkuhler; Keerthi, Sudarsan & Sancheti, ECS"),
      entry<PostStabilization>("one Newton step onto the constraints after each step",
                               "Ascher; Braun & Goldfarb 2009, 4.1"),
      with_kernel(entry<AugmentedLagrangian>("penalty iteration and mass-orthogonal projection",
                                             "Bayo & Ledesma; Braun & Goldfarb 2009, 4.2"),
                  "augmented", augmented_kernel),
      entry<CoordinatePartitioning>("independent coordinates are integrated, the dependent ones follow by Newton",
                                    "Wehage & Haug; Braun & Goldfarb 2009, 4.3"),
  };
  return list;
}

const MethodEntry& find_method(const Choice& choice) {
  std::vector<std::string> names;
  for (const auto& entry : methods()) {
    if (entry.name == choice.name) return entry;
    names.push_back(entry.name);
  }
  refuse_choice("method", choice.name, names);
}

}  // namespace taut
