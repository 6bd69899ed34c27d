#include "enforcement/list.hpp"

namespace taut {
namespace {

/// The equation of motion without correction, Braun & Goldfarb 2009 Eq. (17):
///   v̇ = a + P(b − H a).          Φ and χ then drift with the errors of the integration.
class UdwadiaKalabaMethod : public Method {
 public:
  UdwadiaKalabaMethod() : Method(Kind::uncorrected) {}
};

}  // namespace

std::unique_ptr<Method> make_method(const UdwadiaKalaba&, Manifold&) { return std::make_unique<UdwadiaKalabaMethod>(); }

}  // namespace taut
