#pragma once

#include <vector>

#include "model/tree/joint_form.hpp"
#include "model/tree/link.hpp"

namespace taut {

/// Force and torque about a link's origin, in its axes.
struct Wrench {
  Vector3 force, torque;
};

/// M by composite bodies: what is beyond a joint moves as one when that joint alone is accelerated.
std::vector<JointForm::Entry> composite_mass_matrix(const std::vector<Link>& links);

/// Newton's and Euler's equations, from the ground outwards and back: what each link hands on to the one beyond, in its
/// own axes about its own origin, with the accelerations of the joints, or as if these were zero. `applied` acts on the
/// links from outside; `gravity` is in world axes.
std::vector<Wrench> handed_through(const std::vector<Link>& links, const std::vector<Wrench>& applied,
                                   const Vector3& gravity, bool accelerated);
/// What of a wrench that is handed on through a link goes along its freedoms.
std::vector<Expression> along_freedoms(const Link& link, const Wrench& wrench);

/// ½ Σ (m v² + 2 v·(ω × ∫ρ dm) + ω·Iω).
Expression kinetic_energy(const std::vector<Link>& links);

}  // namespace taut
