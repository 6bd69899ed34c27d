#include "linear/list.hpp"

namespace taut {
namespace {

/// Above this smallest pivot the squares in the pivots of `sparse` leave it half of the digits at least, and refinement
/// brings back the others.
constexpr double safe = 1e-4;

/// For systems that are too large to be full and too small not to be looked at closely: `sparse` where all rows are
/// clearly independent, which it finds out as it factors, and `cod` wherever a row is implied or nearly so, or M needs
/// completing. Never less safe than `cod`, which is the one to decide in every case of doubt.
///
/// Both say how near a singular position is, in measures of their own. Who watches the smallest pivot fall and rise
/// must not see it jump, so that it is always the one of `sparse` while all rows count.
class Mixed : public LinearKernel {
 public:
  bool gives_smallest_multipliers() const override { return true; }
  long hand_overs() const override { return hand_overs_; }

  void reserve_patterns(const Pattern& M, const Pattern& H) override {
    sparse_->reserve_patterns(M, H);
    cod_->reserve_patterns(M, H);
  }

  void share(const LinearKernel& other) override {
    if (const auto* like = dynamic_cast<const Mixed*>(&other)) sparse_->share(*like->sparse_);
  }

  bool determine_rank(const SparseValues& M, const SparseValues& H) override {
    if (try_sparse([&] { return sparse_->determine_rank(M, H); })) {
      follow(*sparse_);
      return true;
    }
    return ask_cod([&] { return cod_->determine_rank(M, H); });
  }

  bool factor(const SparseValues& M, const SparseValues& H) override {
    if (try_sparse([&] { return sparse_->factor(M, H); })) return true;
    return ask_cod([&] { return cod_->factor(M, H); });
  }

  void accelerate(const Vector& f, const Vector& c, Vector& x, Vector& lambda) override {
    serving_->accelerate(f, c, x, lambda);
  }
  void correct(const Vector& r, Vector& x) override { serving_->correct(r, x); }
  void divide_by_mass(const Vector& x, Vector& out) const override { serving_->divide_by_mass(x, out); }
  void reserve_mass_division() override {
    sparse_->reserve_mass_division();
    cod_->reserve_mass_division();
  }
  Vector missing_direction() const override { return cod_->missing_direction(); }

 private:
  void resize() override {
    sparse_ = make_sparse(SparseDoubt::leave);
    cod_ = make_cod();
    for (LinearKernel* kernel : {sparse_.get(), cod_.get()}) kernel->start(n_, m_, tolerance_, further_);
    serving_ = cod_.get();
  }

  /// Does `sparse` serve? Where rows are implied, or M is completed, it is not even asked.
  template <class Factor>
  bool try_sparse(Factor&& factor) {
    watched_ = false;
    if (rank_ < m_ || mass_completed_) return false;
    sparse_->follow(*this);
    sparse_->set_rank_tolerance(tolerance_);
    if (!factor() || sparse_->mass_completed()) return false;
    watched_ = true;
    smallest_pivot_ = sparse_->smallest_pivot();
    serving_ = sparse_.get();
    return sparse_->rank() == m_ && smallest_pivot_ > safe;
  }

  template <class Factor>
  bool ask_cod(Factor&& factor) {
    serving_ = cod_.get();
    ++hand_overs_;
    cod_->follow(*this);
    cod_->set_rank_tolerance(tolerance_);
    const bool done = factor();
    follow(*cod_);
    if (!watched_ || rank_ < m_) smallest_pivot_ = cod_->smallest_pivot();
    return done;
  }

  std::unique_ptr<LinearKernel> sparse_, cod_;
  LinearKernel* serving_ = nullptr;
  long hand_overs_ = 0;
  bool watched_ = false;  ///< smallest_pivot_ is that of sparse_ at the matrices at hand
};

}  // namespace

std::unique_ptr<LinearKernel> make_mixed() { return std::make_unique<Mixed>(); }

}  // namespace taut
