#include "simulation/contact_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expression/program.hpp"

namespace taut {
namespace {

/// A gap below this, beside the coordinates, touches.
constexpr double touching = 1e-9;
/// A rate below this share of the speeds is none, nor is an acceleration of as little.
constexpr double rounding = 1e-12;
/// Bounces come to rest where all those to come take less than this share of the time, or where the next is lower than
/// this beside the coordinates: below, a gap cannot be told from rounding errors of what it is made of.
constexpr double no_time = 1e-10, no_height = 1e-13;

std::vector<Expression> gaps_of(const Model& model) {
  std::vector<Expression> gaps;
  for (const Watch& event : model.events)
    if (event.contact && !event.contact->holds) gaps.push_back(event.contact->gap);
  return gaps;
}

}  // namespace

ContactLaw::ContactLaw(const Model& model, RunParts& parts)
    : model_(model), parts_(parts), solver_(parts), gap_formulas_(model, parts.system, gaps_of(model)) {
  const Shape& shape = parts.shape;
  for (const Watch& event : model.events) {
    if (!event.contact || event.contact->holds) continue;
    const std::string& row = model.constraints[event.contact->row].name;
    const auto place = std::ranges::find(shape.constraints, row) - shape.constraints.begin();
    contacts_.push_back({event.name, static_cast<int>(place), event.contact->engaged, 0});
    places_.push_back(event.place);
  }
  chi_ = asked_ = lambda_ = gap_rates_ = Vector::Zero(shape.rows());
  a_ = Vector::Zero(shape.n_v());
  qdot_ = Vector::Zero(shape.n_q());
}

const std::vector<double>& ContactLaw::gaps(double t, const Vector& q, const Vector& v,
                                            const std::vector<double>& parameters) {
  parts_.system.rates(t, q, v, qdot_);
  return gap_formulas_.evaluate({t, q, qdot_, v, a_, lambda_}, parameters);
}

bool ContactLaw::touch(double t, const Vector& q, const Vector& v, const std::vector<double>& parameters) {
  if (contacts_.empty()) return false;
  const std::vector<double>& gap = gaps(t, q, v, parameters);
  const double size = 1 + q.lpNorm<Eigen::Infinity>();
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    if (gap[k] < -touching * size)
      throw InputError(places_[k],
                       fmt::format("contact '{}' is closed by {:.3g} at the start", contacts_[k].name, -gap[k]),
                       "start where its formula is not negative");
  return std::ranges::any_of(gap, [&](double width) { return width <= touching * size; });
}

void ContactLaw::let_go(int parameter) {
  for (Touching& contact : contacts_) contact.let_go = contact.let_go || contact.parameter == parameter;
}

template <class Condition>
void ContactLaw::have_hold(const Condition& holds, std::vector<double>& parameters) {
  for (const Touching& contact : contacts_)
    parameters[static_cast<std::size_t>(contact.parameter)] = holds(contact) ? 1 : 0;
  parts_.system.change_parameters(parameters);
}

/// ġ of all contacts that touch.
void ContactLaw::find_rates(double t, const Vector& q, const Vector& v, std::vector<double>& parameters) {
  have_hold([](const Touching& contact) { return contact.touches(); }, parameters);
  parts_.system.velocity(t, q, v, gap_rates_);
}

std::string ContactLaw::resolve(double t, const Vector& q, Vector& v, std::vector<double>& parameters) {
  deeds_.clear();
  const double size = 1 + q.lpNorm<Eigen::Infinity>();
  const std::vector<double>& gap = gaps(t, q, v, parameters);
  std::vector<double> by_symbol(model_.graph->symbols(), 0.0);
  for (std::size_t k = 0; k < parameters.size(); ++k) by_symbol[model_.parameters[k].symbol] = parameters[k];
  std::size_t k = 0;
  for (const Watch& event : model_.events) {
    if (!event.contact || event.contact->holds) continue;
    Touching& contact = contacts_[k];
    contact.restitution = std::clamp(evaluate(event.contact->restitution, by_symbol), 0.0, 1.0);
    contact.state = gap[k++] <= touching * size ? Touching::State::touches : Touching::State::apart;
  }
  std::string wrong = strike(t, q, v, parameters);
  if (wrong.empty()) settle(t, q, v, parameters);
  for (Touching& contact : contacts_) contact.let_go = false;
  return wrong;
}

/// First as if nothing touched: what was changed beside contacts has its own impulses. Then all that close strike at
/// once, and so do others that close by that.
std::string ContactLaw::strike(double t, const Vector& q, Vector& v, std::vector<double>& parameters) {
  have_hold([](const Touching&) { return false; }, parameters);
  asked_.setZero();
  std::string wrong = solver_.correct(t, q, v, asked_);
  if (!wrong.empty() || contacts_.empty()) return wrong;
  const Vector free = v;
  const double speed = v.lpNorm<Eigen::Infinity>();
  find_rates(t, q, v, parameters);
  for (Touching& contact : contacts_) contact.rate = contact.touches() ? gap_rates_[contact.row] : 0;
  while (adds_closing(speed) || adds_resting(t, q, v, parameters)) {
    have_hold([](const Touching& contact) { return contact.closes(); }, parameters);
    v = free;
    asked_.setZero();
    for (const Touching& contact : contacts_)
      if (contact.closes() && !contact.rests())
        asked_[contact.row] = -contact.restitution * std::min(contact.rate, 0.0);
    wrong = solver_.correct(t, q, v, asked_);
    if (!wrong.empty()) return wrong;
    find_rates(t, q, v, parameters);
  }
  for (const Touching& contact : contacts_)
    if (contact.closes() && contact.rate < 0)
      deeds_.push_back({contact.name, true, contact.rests(), false, contact.rate, gap_rates_[contact.row],
                        contact.rests() ? contact.left : 0});
  return {};
}

/// By the rates found last.
bool ContactLaw::adds_closing(double speed) {
  bool added = false;
  for (Touching& contact : contacts_) {
    const bool closes = contact.touches() && !contact.closes() && gap_rates_[contact.row] < -rounding * speed;
    if (closes) contact.state = Touching::State::closes;
    added = added || closes;
  }
  return added;
}

/// A bounce of rate w against an acceleration −g̈ takes 2w/|g̈|, the next e times as long: 2w/|g̈|/(1 − e) in all.
bool ContactLaw::adds_resting(double t, const Vector& q, const Vector& v, std::vector<double>& parameters) {
  const auto may_rest = [](const Touching& contact) { return contact.closes() && !contact.rests(); };
  if (std::ranges::none_of(contacts_, may_rest)) return false;
  have_hold([](const Touching& contact) { return contact.rests(); }, parameters);
  if (!solver_.accelerate(t, q, v, a_)) return false;
  have_hold([](const Touching& contact) { return contact.touches(); }, parameters);
  if (!solver_.find_row_accelerations(t, q, v, a_, asked_)) return false;
  const double short_time = no_time * std::max(std::abs(t), 1e-3 * parts_.options.duration());
  const double size = 1 + q.lpNorm<Eigen::Infinity>();
  bool added = false;
  for (Touching& contact : contacts_) {
    if (!may_rest(contact) || !(asked_[contact.row] < 0)) continue;
    const double rebound = std::max(0.0, gap_rates_[contact.row]);
    const double fall = -asked_[contact.row];
    contact.left = 2 * rebound / fall / (1 - contact.restitution);
    const double height = rebound * rebound / (2 * fall);
    if (!(contact.left <= short_time) && !(contact.restitution < 1 && height <= no_height * size)) continue;
    contact.state = Touching::State::rests;
    added = true;
  }
  return added;
}

/// Of contacts that touch and neither close nor open: those hold that would close by their acceleration.
void ContactLaw::settle(double t, const Vector& q, const Vector& v, std::vector<double>& parameters) {
  if (contacts_.empty()) return;
  const double speed = v.lpNorm<Eigen::Infinity>();
  find_rates(t, q, v, parameters);
  const auto lies = [&](const Touching& contact) {
    return contact.touches() && !contact.let_go &&
           (contact.rests() || std::abs(gap_rates_[contact.row]) <= rounding * speed);
  };
  std::vector<char> holds(contacts_.size(), 0);
  const auto index = [&](const Touching& contact) { return static_cast<std::size_t>(&contact - contacts_.data()); };
  for (bool added = true; added;) {
    added = false;
    have_hold([&](const Touching& contact) { return holds[index(contact)] != 0; }, parameters);
    if (!solver_.accelerate(t, q, v, a_)) break;
    have_hold([](const Touching& contact) { return contact.touches(); }, parameters);
    if (!solver_.find_row_accelerations(t, q, v, a_, asked_)) break;
    const double least = rounding * a_.lpNorm<Eigen::Infinity>();
    for (const Touching& contact : contacts_) {
      if (!lies(contact) || holds[index(contact)] || !(asked_[contact.row] < -least)) continue;
      holds[index(contact)] = added = true;
    }
  }
  have_hold([&](const Touching& contact) { return holds[index(contact)] != 0; }, parameters);
  for (const Touching& contact : contacts_) {
    if (contact.let_go) deeds_.push_back({contact.name, false, false, true, 0, 0});
  }
}

}  // namespace taut
