#include <array>

#include "bindings.hpp"
#include "expression/operation_list.hpp"
#include "system/branches.hpp"
#include "system/equations.hpp"
#include "taut/first_order.hpp"

/// The equations of a model for others: as formulas, which SymPy takes, and as rates, which SciPy integrates.
namespace taut::python {
namespace {

// clang-format off
constexpr std::array operation_names = {
  "constant", "symbol",
  "negate", "add", "subtract", "multiply", "divide", "power",
  "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "sqrt",
  "abs", "sign", "min", "max",
  "less",
};
// clang-format on
static_assert(operation_names.size() == static_cast<std::size_t>(Op::less) + 1);

/// Lists of formulas by name, gathered to be written out together.
class FormulaLists {
 public:
  explicit FormulaLists(const Equations& eq) : eq_(eq) {}

  void add(const char* name, const std::vector<Expression>& formulas) {
    names_.emplace_back(name, formulas.size());
    for (const Expression& formula : formulas) nodes_.push_back(formula.in(*eq_.graph));
  }
  void add(const char* name, const FormulaMatrix& matrix) { add(name, matrix.entries); }

  py::dict written() const {
    // Where kinks choose their side by themselves.
    std::vector<double> free(eq_.graph->symbols(), 0);
    std::vector<bool> is_branch(eq_.graph->symbols());
    for (std::size_t k = 0; k < eq_.branches.size(); ++k) {
      is_branch[eq_.branches[k]] = true;
      free[eq_.branches[k]] = k % BranchInput::count == BranchInput::free ? 1 : 0;
    }
    const OperationList list(*eq_.graph, nodes_, [&](SymbolId id) { return is_branch[id] ? &free[id] : nullptr; });
    py::list operations;
    for (const ListedOperation& one : list.operations)
      operations.append(py::make_tuple(operation_names[static_cast<std::size_t>(one.op)], one.a, one.b, one.value));
    py::dict all;
    all["operations"] = operations;
    all["symbols"] = list.symbols;
    py::dict roots;
    std::size_t next = 0;
    for (const auto& [name, count] : names_) {
      const auto begin = list.roots.begin() + static_cast<std::ptrdiff_t>(next);
      roots[name] = std::vector<int>(begin, begin + static_cast<std::ptrdiff_t>(count));
      next += count;
    }
    all["roots"] = roots;
    return all;
  }

 private:
  const Equations& eq_;
  std::vector<std::pair<const char*, std::size_t>> names_;
  std::vector<NodeId> nodes_;
};

py::dict equations(const Model& model) {
  const Equations eq = derive(model);
  FormulaLists lists(eq);
  lists.add("rates", eq.rates);
  lists.add("M", eq.M);
  lists.add("f", eq.f);
  lists.add("reactions", eq.reactions);
  lists.add("Phi", eq.Phi);
  lists.add("chi", eq.chi);
  lists.add("H", eq.H);
  lists.add("b", eq.b);
  lists.add("outputs", std::vector<Expression>(eq.outputs.begin(), eq.outputs.begin() + static_cast<std::ptrdiff_t>(
                                                                                            eq.shape.outputs.size())));
  if (eq.energy) lists.add("energy", std::vector<Expression>{*eq.energy});
  py::dict all = lists.written();
  all["places"] = py::dict(py::arg("M") = eq.M.pattern.entries.list(), py::arg("H") = eq.H.pattern.entries.list());
  all["time"] = eq.time;
  all["parameters"] = eq.parameters;
  all["q"] = eq.q;
  all["v"] = eq.v;
  all["a"] = eq.a;
  all["multipliers"] = eq.multipliers;
  all["coordinates"] = eq.shape.coordinates;
  all["speeds"] = eq.shape.speeds;
  all["constraints"] = eq.shape.constraints;
  all["output_names"] = eq.shape.outputs;
  return all;
}

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

Vector to_state(const Numbers& values) { return Eigen::Map<const Vector>(values.data(), values.size()); }

}  // namespace

void bind_equations(py::module_& module) {
  module.def("equations", &equations, py::arg("model"));
  py::class_<FirstOrder>(module, "FirstOrder")
      .def(py::init([](const Model& model, const Pairs& set, bool joints, bool assemble) {
             QuestionOptions options;
             options.set = assignments(set);
             options.coordinates = joints ? Coordinates::joints : Coordinates::bodies;
             options.assemble = assemble;
             const py::gil_scoped_release unlocked;
             return FirstOrder(model, options);
           }),
           py::arg("model"), py::arg("set"), py::arg("joints"), py::arg("assemble"))
      .def_property_readonly("names", &FirstOrder::names)
      .def_property_readonly("coordinates", &FirstOrder::coordinates)
      .def_property_readonly("start", [](const FirstOrder& one) { return to_array(one.start()); })
      .def(
          "rates",
          [](FirstOrder& one, double t, const Numbers& y) {
            Vector out;
            one.rates(t, to_state(y), out);
            return to_array(out);
          },
          py::arg("t"), py::arg("y"))
      .def(
          "jacobian",
          [](FirstOrder& one, double t, const Numbers& y) { return to_array(one.jacobian(t, to_state(y))); },
          py::arg("t"), py::arg("y"))
      .def(
          "project",
          [](FirstOrder& one, double t, const Numbers& y) -> py::object {
            Vector moved = to_state(y);
            if (!one.project(t, moved)) return py::none();
            return to_array(moved);
          },
          py::arg("t"), py::arg("y"));
}

}  // namespace taut::python
