#include <mujoco/mujoco.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "protocol.hpp"

/// The suite's problems in MuJoCo: trees of bodies on hinges, loops closed by soft equality constraints at their
/// hardest.
namespace peer {
namespace {

using Model = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;
using Data = std::unique_ptr<mjData, decltype(&mj_deleteData)>;

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}
std::string vector(double x, double y, double z) { return number(x) + " " + number(y) + " " + number(z); }

/// Bodies have no shape; a point mass needs some inertia, however little.
std::string inertial(const std::string& at, double mass, double x, double y, double z) {
  const double least = 1e-14;
  return "<inertial pos='" + at + "' mass='" + number(mass) + "' diaginertia='" +
         vector(std::fmax(x, least), std::fmax(y, least), std::fmax(z, least)) + "'/>";
}
std::string hinge(const std::string& axis, const std::string& more = "") {
  return "<joint type='hinge' axis='" + axis + "' " + more + "/>";
}
std::string body(const std::string& name, const std::string& at, const std::string& inside) {
  return "<body name='" + name + "' pos='" + at + "'>" + inside + "</body>";
}
std::string site(const std::string& name, const std::string& at) {
  return "<site name='" + name + "' pos='" + at + "'/>";
}

struct Description {
  std::string bodies, equalities, actuators;
  std::vector<std::string> observed;  ///< sites
};

Description pendulum() {
  return {body("mass", "0 0 0", hinge("0 0 1") + inertial("1 0 0", 1, 0, 0, 0) + site("s", "1 0 0")), "", "", {"s"}};
}

Description chain(int loops) {
  Description d;
  const double I = 1.0 / 12;
  for (int i = 0; i <= loops; ++i) {
    const std::string n = std::to_string(i);
    std::string coupler;
    if (i < loops) {
      coupler = body("coupler" + n, "0 1 0", hinge("0 0 1") + inertial("0.5 0 0", 1, 0, I, I));
      d.equalities += "<connect body1='coupler" + n + "' body2='post" + std::to_string(i + 1) + "' anchor='1 0 0'/>";
    }
    d.bodies += body("post" + n, vector(i, 0, 0),
                     hinge("0 0 1") + inertial("0 0.5 0", 1, I, 0, I) + site("s" + n, "0 1 0") + coupler);
    d.observed.push_back("s" + n);
  }
  return d;
}

Description slider_crank() {
  const double I = 1.0 / 12;
  const std::string rod = body("rod", "1 0 0", hinge("0 0 1") + inertial("0.5 0 0", 1, 0, I, I));
  Description d;
  d.bodies = body("crank", "0 0 0",
                  hinge("0 0 1", "name='crank' damping='5'") + inertial("0.5 0 0", 1, 0, I, I) +
                      site("elbow", "1 0 0") + rod) +
             body("slider", "2 0 0",
                  "<joint type='slide' axis='1 0 0'/>" + inertial("0 0 0", 1, 1, 1, 1) + site("slider", "0 0 0"));
  d.equalities = "<connect body1='rod' body2='slider' anchor='1 0 0'/>";
  d.actuators = "<motor joint='crank'/>";
  d.observed = {"elbow", "slider"};
  return d;
}

/// IFToMM A04. The last hinge is two points of its axis on the ground.
Description bricard() {
  const char* starts[] = {"0 0 0", "1 0 0", "0 -1 0", "0 0 1", "-1 0 0"};  // from the start of the bar before
  const char* middles[] = {"0.5 0 0", "0 -0.5 0", "0 0 0.5", "-0.5 0 0", "0 0.5 0"};
  const char* ends[] = {"1 0 0", "0 -1 0", "0 0 1", "-1 0 0"};
  const char* axes[] = {"0 1 0", "0 0 1", "1 0 0", "0 1 0", "0 0 1"};
  const int along[] = {0, 1, 2, 0, 1};
  Description d;
  for (int i = 4; i >= 0; --i) {
    double I[] = {1.01 / 12, 1.01 / 12, 1.01 / 12};
    I[along[i]] = 0.01 / 6;
    std::string inside = hinge(axes[i]) + inertial(middles[i], 1, I[0], I[1], I[2]);
    if (i < 4) {
      inside += site("s" + std::to_string(i), ends[i]);
      d.observed.insert(d.observed.begin(), "s" + std::to_string(i));
    }
    d.bodies = body("rod" + std::to_string(i), starts[i], inside + d.bodies);
  }
  d.equalities = "<connect body1='rod4' anchor='0 1 0'/><connect body1='rod4' anchor='1 1 0'/>";
  return d;
}

Description describe(const Request& request) {
  if (request.problem == "pendulum") return pendulum();
  if (request.problem == "n-four-bar") return chain(request.size);
  if (request.problem == "slider-crank") return slider_crank();
  if (request.problem == "bricard") return bricard();
  throw std::runtime_error("no problem '" + request.problem + "'");
}

/// Integrator and step; a constraint answers within two steps, the shortest time that MuJoCo allows, and as stiffly as
/// it allows.
std::string xml(const Request& request, const Description& d) {
  const std::string integrator = request.way == "rk4" ? "RK4" : request.way == "implicit" ? "implicit" : "Euler";
  return "<mujoco><compiler angle='radian' autolimits='true' inertiafromgeom='false'/>"
         "<option gravity='0 -9.81 0' integrator='" +
         integrator + "' timestep='" + number(request.setting) +
         "' solver='Newton' tolerance='0' iterations='100'><flag contact='disable'/></option>"
         "<size njmax='" +
         std::to_string(20 + 8 * request.size) +
         "'/>"
         "<default><equality solref='" +
         number(2 * request.setting) +
         " 1' solimp='0.9999 0.9999 0.001 0.5 2'/>"
         "</default><worldbody>" +
         d.bodies + "</worldbody><equality>" + d.equalities + "</equality><actuator>" + d.actuators +
         "</actuator></mujoco>";
}

/// MuJoCo reads files only.
Model load(const std::string& text) {
  char name[] = "/tmp/taut-peer-XXXXXX.xml";
  const int file = mkstemps(name, 4);
  if (file < 0) throw std::runtime_error("no file can be made in /tmp");
  const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  char error[500] = "";
  Model model(written ? mj_loadXML(name, nullptr, error, sizeof error) : nullptr, mj_deleteModel);
  unlink(name);
  if (!model) throw std::runtime_error(std::string("MuJoCo: ") + error);
  return model;
}

class Simulation {
 public:
  explicit Simulation(const Request& request)
      : request_(request),
        description_(describe(request)),
        model_(load(xml(request, description_))),
        data_(mj_makeData(model_.get()), mj_deleteData),
        steps_(std::lround(request.until / request.setting)) {}

  void simulate(std::vector<Values>& values) {
    const mjModel* m = model_.get();
    mjData* d = data_.get();
    mj_resetData(m, d);
    start();
    long step = 0;
    for (int k = 0; k < request_.samples; ++k) {
      for (const long until = steps_ * (k + 1) / request_.samples; step < until; ++step) mj_step(m, d);
      if (d->warning[mjWARN_BADQACC].number + d->warning[mjWARN_BADQPOS].number + d->warning[mjWARN_BADQVEL].number > 0)
        throw std::runtime_error("MuJoCo: the motion is unstable");
      mj_kinematics(m, d);
      observe(values.emplace_back());
    }
  }
  long steps() const { return steps_; }
  long evaluations() const { return request_.way == "rk4" ? 4 * steps_ : steps_; }

 private:
  void start() {
    if (model_->nu > 0) data_->ctrl[0] = 20;
    if (request_.problem != "n-four-bar") return;
    for (int i = 0; i < model_->nbody; ++i) {
      const std::string name = mj_id2name(model_.get(), mjOBJ_BODY, i);
      if (model_->body_dofnum[i] > 0) data_->qvel[model_->body_dofadr[i]] = name.starts_with("post") ? -1 : 1;
    }
  }
  void observe(Values& values) const {
    for (const std::string& name : description_.observed) {
      const mjtNum* at = data_->site_xpos + 3 * mj_name2id(model_.get(), mjOBJ_SITE, name.c_str());
      const bool spatial = request_.problem == "bricard";
      const bool slides = name == "slider";
      values.insert(values.end(), at, at + (spatial ? 3 : slides ? 1 : 2));
    }
  }

  Request request_;
  Description description_;
  Model model_;
  Data data_;
  long steps_;
};

Run prepare(const Request& request) {
  const auto simulation = std::make_shared<Simulation>(request);
  return {[simulation](std::vector<Values>& values) { simulation->simulate(values); },
          [simulation] { return simulation->steps(); }, [simulation] { return simulation->evaluations(); }};
}

}  // namespace
}  // namespace peer

int main(int argc, char** argv) {
  // A warning goes to the answer, not to a file or the terminal.
  mju_user_warning = [](const char*) {};
  using peer::Way;
  return peer::serve({"MuJoCo",
                      mj_versionString(),
                      "bodies",
                      {{"rk4", Way::Setting::step, "classical Runge–Kutta"},
                       {"euler", Way::Setting::step, "semi-implicit Euler"},
                       {"implicit", Way::Setting::step, "implicit in the velocities"}},
                      peer::prepare},
                     argc, argv);
}
