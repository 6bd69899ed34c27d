#include "simulation/prepared_model.hpp"

#include "model/tree/joint_form.hpp"
#include "model/tree/other_parameters.hpp"
#include "simulation/final_joints.hpp"
#include "simulation/moved_start.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

Vector take_vector(std::vector<double>& values) {
  const std::vector<double> moved = std::move(values);
  return Eigen::Map<const Vector>(moved.data(), static_cast<Eigen::Index>(moved.size()));
}

}  // namespace

PreparedModel::PreparedModel(const Model& model, const Options& options, double runs)
    : initial_(initial_values(model, values_of(model, options))),
      chosen_(choose_coordinates(model, options, initial_)),
      model_(chosen_.joints ? *chosen_.joints : model),
      system_(make_parametrised_system(
          model_, initial_.parameters,
          {options.native, runs * expected_evaluations(options), options.energy.name != "none"})),
      remarks_(friction_remarks(model)),
      until_(options.until),
      start_time_(options.start_time),
      assemble_(options.assemble) {}

/// Where a mechanism is moved to its start, more than numbers follows from that.
bool PreparedModel::set(const Model& model, const std::vector<Assignment>& set) {
  if (chosen_.follow_start) return false;
  InitialValues values = initial_values(model, set);
  if (is_moved(model, values, set)) return false;
  if (chosen_.joints && !put_in_joints(model, set, values)) return false;
  initial_ = std::move(values);
  return system_->set_parameters(initial_.parameters);
}

bool PreparedModel::put_in_joints(const Model& model, const std::vector<Assignment>& set, InitialValues& values) {
  Model& joints = *chosen_.joints;
  const double length = longest_arm(joints, values.parameters);
  if (!has_same_formulas(joints, values.parameters)) return false;
  if (length != joints.joint_form->length) {
    if (!joints.joint_form->turns) return false;  // the shape's least_size is the length where nothing turns
    auto form = std::make_shared<JointForm>(*joints.joint_form);
    form->length = length;
    joints.joint_form = std::move(form);
  }
  try {
    values = start_in_joints(model, values, joints, {set, assemble_});
  } catch (const InputError&) {
    return false;  // said, or bodies are taken instead, where the model is made ready anew
  }
  return true;
}

InitialState PreparedModel::take_initial() {
  Claims claims{std::move(initial_.coordinate_claims), std::move(initial_.speed_claims)};
  return {start_time_, take_vector(initial_.coordinates), take_vector(initial_.speeds), std::move(claims)};
}

void PreparedModel::set_parameters(const std::vector<double>& values) {
  initial_.parameters = values;
  system_->change_parameters(values);
}

void PreparedModel::complete(Summary& summary, const std::vector<double>& parameters) const {
  summary.model = model_.name;
  tell_coordinates(chosen_, summary);
  summary.notes.insert(summary.notes.begin(), model_.notes.begin(), model_.notes.end());
  summary.notes.insert(summary.notes.end(), remarks_.begin(), remarks_.end());
  add_mechanism(model_, parameters, *system_, summary);
}

}  // namespace taut
