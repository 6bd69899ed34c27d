#include <atomic>
#include <chrono>
#include <optional>

#include "bindings.hpp"
#include "output/json.hpp"
#include "output/text.hpp"
#include "taut/stepping.hpp"

namespace taut::python {
namespace {

/// A simulation as Python holds it. Two threads may reach it at once, which the C++ one must not see: the second is
/// refused.
class Stepper {
 public:
  Stepper(const Model& model, const Pairs& given, const Pairs& set) {
    const Options options = options_for(model, given, set);
    until_ = options.until;
    const py::gil_scoped_release unlocked;
    simulation_.emplace(model, options);
    // What releases the lock may wait for it afterwards, which costs more than a short step.
    long_steps_ = simulation_->shape().n_v() + simulation_->shape().rows() > 20;
  }

  bool step() {
    const Turn turn(*this);
    if (!long_steps_) return simulation_->step() || ended();
    const py::gil_scoped_release unlocked;
    return simulation_->step() || ended();
  }
  bool step_until(double until) {
    const Turn turn(*this);
    const py::gil_scoped_release unlocked;
    return simulation_->step(until) || ended();
  }
  /// Ctrl-C is looked for several times a second, between steps.
  bool advance(double until) {
    const Turn turn(*this);
    Interruption interruption;
    bool arrived = false;
    {
      const py::gil_scoped_release unlocked;
      if (!(until > simulation_->t()) || !(until <= until_))
        return simulation_->advance(until);  // or says what is wrong
      auto looked = std::chrono::steady_clock::now();
      while (simulation_->t() < until && simulation_->step(until)) {
        const auto now = std::chrono::steady_clock::now();
        if (now - looked < std::chrono::milliseconds(100)) continue;
        looked = now;
        if (interruption.is_asked()) break;
      }
      arrived = simulation_->t() == until;
    }
    interruption.rethrow();
    return arrived || ended();
  }
  /// Up to n steps; how many there were.
  long steps(long n) {
    const Turn turn(*this);
    Interruption interruption;
    long done = 0;
    {
      const py::gil_scoped_release unlocked;
      while (done < n && simulation_->step()) {
        ++done;
        if (done % 4096 == 0 && interruption.is_asked()) break;
      }
    }
    interruption.rethrow();
    if (done < n) ended();
    return done;
  }
  void set_state(double t, const Vector& q, const Vector& v) {
    const Turn turn(*this);
    simulation_->set_state(t, q, v);
  }
  void reset() {
    const Turn turn(*this);
    simulation_->reset();
  }
  Checkpoint checkpoint() {
    const Turn turn(*this);
    return simulation_->checkpoint();
  }
  void restore(const Checkpoint& checkpoint) {
    const Turn turn(*this);
    simulation_->restore(checkpoint);
  }
  Summary summary() {
    const Turn turn(*this);
    return simulation_->summary();
  }
  StateEquations equations() {
    const Turn turn(*this);
    return simulation_->equations();
  }

  double value(const std::string& name) {
    const Turn turn(*this);
    return simulation_->value(name);
  }
  OutputJacobian output_jacobian(const std::vector<std::string>& names) {
    const Turn turn(*this);
    return simulation_->output_jacobian(names);
  }
  BodyPose pose(const std::string& body) {
    const Turn turn(*this);
    return simulation_->pose(body);
  }
  PointMotion point(const std::string& body, const std::array<double, 3>& at) {
    const Turn turn(*this);
    return simulation_->point(body, at);
  }

  void set_inputs(const Vector& values) {
    const Turn turn(*this);
    simulation_->set_inputs(values);
  }
  void set_input(const std::string& name, double value) {
    const Turn turn(*this);
    simulation_->set_input(name, value);
  }

  const Simulation& simulation() const { return *simulation_; }
  double until() const { return until_; }

 private:
  class Turn {
   public:
    explicit Turn(Stepper& stepper) : busy_(stepper.busy_) {
      if (busy_.test_and_set(std::memory_order_acquire))
        throw std::runtime_error("a Simulation is in use by another thread; give each thread one of its own");
    }
    ~Turn() { busy_.clear(std::memory_order_release); }
    Turn(const Turn&) = delete;

   private:
    std::atomic_flag& busy_;
  };

  /// False where it came to a good end; throws where it cannot go on.
  bool ended() {
    const Summary summary = simulation_->summary();
    if (summary.outcome == Outcome::failed) throw SimulationFailure(summary.reason);
    return false;
  }

  std::optional<Simulation> simulation_;
  double until_ = 0;
  bool long_steps_ = false;
  std::atomic_flag busy_;
};

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

Vector to_vector(const Numbers& values, const std::string& what, int size) {
  if (values.ndim() != 1 || values.shape(0) != size)
    throw InputError(what + " has to be " + std::to_string(size) + " numbers in a row",
                     "give them in the order of the simulation's names");
  return Eigen::Map<const Vector>(values.data(), values.size());
}

py::object triple(const std::array<double, 3>& values) { return py::array_t<double>(3, values.data()); }

py::dict to_dict(const StateEquations& e) {
  py::dict all;
  all["M"] = to_array(e.M);
  all["H"] = to_array(e.H);
  all["f"] = to_array(e.f);
  all["b"] = to_array(e.b);
  all["Phi"] = to_array(e.Phi);
  all["chi"] = to_array(e.chi);
  all["qdot"] = to_array(e.qdot);
  all["acceleration"] = to_array(e.acceleration);
  all["multipliers"] = to_array(e.multipliers);
  all["energy"] = e.energy;
  all["kinetic"] = e.kinetic;
  all["potential"] = e.potential;
  return all;
}

}  // namespace

py::array_t<double> to_array(const Vector& values) { return py::array_t<double>(values.size(), values.data()); }

py::array_t<double> to_array(const Matrix& values) {
  constexpr py::ssize_t number = sizeof(double);
  return py::array_t<double>({values.rows(), values.cols()}, {number, number * values.rows()}, values.data());
}

void bind_simulation(py::module_& module) {
  py::class_<Checkpoint>(module, "Checkpoint")
      .def(py::init([](double t, const Numbers& q, const Numbers& v, const std::optional<Numbers>& inputs,
                       const std::optional<Numbers>& memory) {
             const auto vector = [](const Numbers& values) -> Vector {
               return Eigen::Map<const Vector>(values.data(), values.size());
             };
             const auto maybe = [&](const std::optional<Numbers>& values) {
               return values ? vector(*values) : Vector();
             };
             return Checkpoint{t, vector(q), vector(v), maybe(inputs), maybe(memory)};
           }),
           py::arg("t"), py::arg("q"), py::arg("v"), py::arg("inputs") = py::none(), py::arg("memory") = py::none())
      .def(py::pickle(
          [](const Checkpoint& c) {
            return py::make_tuple(c.t, to_array(c.q), to_array(c.v), to_array(c.inputs), to_array(c.memory));
          },
          [](const py::tuple& parts) {
            const auto vector = [&](std::size_t k) -> Vector {
              const auto values = parts[k].cast<Numbers>();
              return Eigen::Map<const Vector>(values.data(), values.size());
            };
            return Checkpoint{parts[0].cast<double>(), vector(1), vector(2), vector(3), vector(4)};
          }))
      .def_readonly("t", &Checkpoint::t)
      .def_property_readonly("q", [](const Checkpoint& c) { return to_array(c.q); })
      .def_property_readonly("v", [](const Checkpoint& c) { return to_array(c.v); })
      .def_property_readonly("inputs", [](const Checkpoint& c) { return to_array(c.inputs); })
      .def_property_readonly("memory", [](const Checkpoint& c) { return to_array(c.memory); });
  py::class_<Stepper>(module, "Simulation")
      .def(py::init<const Model&, const Pairs&, const Pairs&>())
      .def("step", &Stepper::step,
           "One step, as long as the integrator makes it. False if there is none: the simulation has reached `until`,\n"
           "was ended by an event, or cannot go on, as the summary says.")
      .def("steps", &Stepper::steps, py::arg("n"), "Up to n steps at one go; how many there were.")
      .def("advance", &Stepper::advance, py::arg("until"),
           "Steps up to a time; the last ends exactly there. False if the simulation has ended before.")
      .def("reset", &Stepper::reset, "Begins anew where it began first.")
      .def("checkpoint", &Stepper::checkpoint,
           "A place to come back to. The simulation begins anew here, so that going on and coming back later give the\n"
           "same bits.")
      .def("restore", &Stepper::restore, py::arg("checkpoint"), "Begins anew at a checkpoint.")
      .def(
          "set_state",
          [](Stepper& stepper, double t, const Numbers& q, const Numbers& v) {
            const Shape& shape = stepper.simulation().shape();
            stepper.set_state(t, to_vector(q, "q", shape.n_q()), to_vector(v, "v", shape.n_v()));
          },
          py::arg("t"), py::arg("q"), py::arg("v"),
          "Begins anew at a state, which is put onto the constraints as a start is, or refused.")
      .def_property_readonly(
          "t", [](const Stepper& stepper) { return stepper.simulation().t(); }, "The time, in s.")
      .def_property_readonly("until", &Stepper::until, "The farthest that it can be taken, in s.")
      .def_property_readonly(
          "goes_on", [](const Stepper& stepper) { return stepper.simulation().goes_on(); },
          "Is there a further step to take?")
      .def_property_readonly(
          "q", [](const Stepper& stepper) { return to_array(stepper.simulation().q()); },
          "The coordinates, in the order of `coordinates`: a copy.")
      .def_property_readonly(
          "v", [](const Stepper& stepper) { return to_array(stepper.simulation().v()); },
          "The speeds, in the order of `speeds`: a copy.")
      .def_property_readonly(
          "coordinates", [](const Stepper& stepper) { return stepper.simulation().shape().coordinates; },
          "The names of the coordinates.")
      .def_property_readonly(
          "speeds", [](const Stepper& stepper) { return stepper.simulation().shape().speeds; },
          "The names of the speeds.")
      .def_property_readonly(
          "constraints", [](const Stepper& stepper) { return stepper.simulation().shape().constraints; },
          "The names of the constraints, those of positions first.")
      .def("_pose",
           [](Stepper& stepper, const std::string& body) {
             const BodyPose pose = stepper.pose(body);
             return py::make_tuple(triple(pose.position), to_array(pose.rotation), triple(pose.velocity),
                                   triple(pose.angular_velocity));
           })
      .def("_point",
           [](Stepper& stepper, const std::string& body, const std::array<double, 3>& at) {
             const PointMotion point = stepper.point(body, at);
             return py::make_tuple(triple(point.position), triple(point.velocity), to_array(point.jacobian));
           })
      .def("_value", &Stepper::value)
      .def("_output_jacobian",
           [](Stepper& stepper, const std::vector<std::string>& names) {
             const OutputJacobian found = stepper.output_jacobian(names);
             return py::make_tuple(to_array(found.values), to_array(found.by_q), to_array(found.by_v));
           })
      .def("_outputs", [](const Stepper& stepper) { return stepper.simulation().shape().outputs; })
      .def("_step_until", &Stepper::step_until)
      .def("_input_names", [](const Stepper& stepper) { return stepper.simulation().input_names(); })
      .def("_input", [](const Stepper& stepper, const std::string& name) { return stepper.simulation().input(name); })
      .def("_set_input", &Stepper::set_input)
      .def("_set_inputs",
           [](Stepper& stepper, const Numbers& values) {
             const auto count = static_cast<int>(stepper.simulation().input_names().size());
             stepper.set_inputs(to_vector(values, "the values of the inputs", count));
           })
      .def("_equations", [](Stepper& stepper) { return to_dict(stepper.equations()); })
      .def("_summary", [](Stepper& stepper) {
        const Summary summary = stepper.summary();
        return std::pair(to_json(summary), to_text(summary));
      });
}

}  // namespace taut::python
