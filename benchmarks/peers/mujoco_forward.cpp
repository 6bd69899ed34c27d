#include <mujoco/mujoco.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

/// What an evaluation costs in MuJoCo: taut_forward_mujoco FILE.xml SECONDS prints the seconds that mj_forward takes
/// without contacts, the least of many batches, and the accelerations at the start, by joint.
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;
using Model = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;
using Data = std::unique_ptr<mjData, decltype(&mj_deleteData)>;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Json accelerations(const mjModel* m, const mjData* d) {
  Json found = Json::object();
  for (int j = 0; j < m->njnt; ++j)
    if (m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE)
      found[mj_id2name(m, mjOBJ_JOINT, j)] = d->qacc[m->jnt_dofadr[j]];
  return found;
}

double shortest(const mjModel* m, mjData* d, double seconds) {
  constexpr int calls = 200;
  double least = std::numeric_limits<double>::infinity();
  for (const auto start = Clock::now(); since(start) < seconds;) {
    const auto begin = Clock::now();
    for (int k = 0; k < calls; ++k) mj_forward(m, d);
    least = std::min(least, since(begin) / calls);
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "%s: FILE.xml SECONDS\n", argv[0]);
    return 2;
  }
  mju_user_warning = [](const char*) {};
  char error[500] = "";
  const Model model(mj_loadXML(argv[1], nullptr, error, sizeof error), mj_deleteModel);
  Json answer;
  if (model) {
    model->opt.disableflags |= mjDSBL_CONTACT;
    model->opt.integrator = mjINT_RK4;
    model->opt.timestep = 1e-3;
    const Data data(mj_makeData(model.get()), mj_deleteData);
    mj_forward(model.get(), data.get());
    answer["accelerations"] = accelerations(model.get(), data.get());
    for (int k = 0; k < 100; ++k) mj_step(model.get(), data.get());  // away from the start, where much is zero
    answer["seconds"] = shortest(model.get(), data.get(), std::atof(argv[2]));
    answer["version"] = mj_versionString();
  } else {
    answer["failed"] = error;
  }
  std::puts(answer.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
}
