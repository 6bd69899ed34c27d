#include "output/answers/members.hpp"

#include <cmath>

namespace taut::answers {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json list(const Vector& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(number(value));
  return array;
}

Json rows(const Matrix& A) {
  Json array = Json::array();
  for (Eigen::Index i = 0; i < A.rows(); ++i) array.push_back(list(A.row(i)));
  return array;
}

Json complex(const std::complex<double>& value) { return Json::array({number(value.real()), number(value.imag())}); }

Json by_name(const std::vector<NamedValue>& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) {
    if (!object.contains(name)) {
      object[name] = number(value);
      continue;
    }
    if (!object[name].is_array()) object[name] = Json::array({object[name]});
    object[name].push_back(number(value));
  }
  return object;
}

std::string print(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

}  // namespace taut::answers
