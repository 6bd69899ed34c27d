#include "linear/kernel.hpp"

#include <algorithm>
#include <numeric>

namespace taut {

void LinearKernel::start(int speeds, int rows, double rank_tolerance, int further) {
  n_ = speeds;
  m_ = rows;
  further_ = further;
  tolerance_ = rank_tolerance;
  scale_.setZero(m_);
  order_.resize(m_);
  std::iota(order_.begin(), order_.end(), 0);
  rank_ = std::min(n_, m_);
  smallest_pivot_ = 1;
  mass_completed_ = false;
  resize();
}

void LinearKernel::reserve_patterns(const Pattern&, const Pattern&) {}

void LinearKernel::share(const LinearKernel&) {}

}  // namespace taut
