#pragma once

#include <array>
#include <string>
#include <string_view>

#include "model/yaml_tree.hpp"

/// The sections of a model file, and the shapes that their contents may have.
namespace taut {

struct Section {
  std::string_view name;
  bool repeatable;  ///< may it stand in a repetition?
};

inline constexpr std::array sections{
    Section{"model", false},       Section{"parameters", false},    Section{"gravity", false},
    Section{"bodies", true},       Section{"joints", true},         Section{"coordinates", true},
    Section{"speeds", true},       Section{"rates", true},          Section{"states", true},
    Section{"definitions", true},  Section{"kinetic_energy", true}, Section{"potential_energy", true},
    Section{"mass_matrix", false}, Section{"energy", true},         Section{"forces", true},
    Section{"loads", true},        Section{"constraints", true},    Section{"outputs", true},
    Section{"events", true},       Section{"conserve", false},      Section{"draw", true},
    Section{"starts", false},      Section{"simulate", false},      Section{"parts", true},
    Section{"repeat", true},       Section{"include", false},       Section{"import", false},
    Section{"inputs", true},       Section{"controllers", true},    Section{"fmus", true},
};

/// Refuses a section that there is not, naming the nearest one.
void check_sections(const yaml::Node& root, const std::string& file);
/// The same inside a repetition, where some sections make no sense.
void check_repeated_sections(const yaml::Node& entry, const std::string& file);

// Each returns what it was given, or throws InputError saying what `what` should look like.
const yaml::Node& expect_mapping(const yaml::Node& node, const std::string& what, const std::string& file);
const yaml::Node& expect_list(const yaml::Node& node, const std::string& what, const std::string& file);
const yaml::PlacedText& expect_scalar(const yaml::Node& node, const std::string& what, const std::string& file);

/// "1 row", "2 rows".
std::string counted(std::size_t number, const std::string& thing);

}  // namespace taut
