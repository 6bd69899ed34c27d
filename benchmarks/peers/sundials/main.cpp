#include <sundials/sundials_version.h>

#include <stdexcept>

#include "solver.hpp"

namespace peer {
namespace {

std::unique_ptr<Solver> make_solver(const Request& request) {
  const bool safe = request.way.ends_with("-cod");
  const std::string way = safe ? request.way.substr(0, request.way.size() - 4) : request.way;
  auto mechanism = make_mechanism(request, safe);
  if (way == "cvode-adams") return make_cvode(std::move(mechanism), request, Formula::adams, Projection::off);
  if (way == "cvode-bdf") return make_cvode(std::move(mechanism), request, Formula::bdf, Projection::off);
  if (way == "cvode-bdf-projected") return make_cvode(std::move(mechanism), request, Formula::bdf, Projection::on);
  if (way == "ida") return make_ida(std::move(mechanism), request);
  throw std::runtime_error("no way '" + request.way + "'");
}

Run prepare(const Request& request) {
  const std::shared_ptr<Solver> solver = make_solver(request);
  return {[solver](std::vector<Values>& values) { solver->simulate(values); }, [solver] { return solver->steps(); },
          [solver] { return solver->evaluations(); }};
}

}  // namespace
}  // namespace peer

int main(int argc, char** argv) {
  char version[32] = "";
  SUNDIALSGetVersion(version, sizeof version);
  return peer::serve({"SUNDIALS",
                      version,
                      "equations",
                      {{"cvode-adams", {}, "Adams formulas, accelerations by Cholesky"},
                       {"cvode-adams-cod", {}, "Adams formulas, accelerations by a rank-revealing factor"},
                       {"cvode-bdf", {}, "BDF, accelerations by Cholesky"},
                       {"cvode-bdf-projected", {}, "BDF with CVODE's projection, by Cholesky"},
                       {"cvode-bdf-projected-cod", {}, "BDF with CVODE's projection, by a rank-revealing factor"},
                       {"ida", {}, "the stabilised form of index 2"}},
                      peer::prepare},
                     argc, argv);
}
