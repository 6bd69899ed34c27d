#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ensemble/sweep_plan.hpp"
#include "output/run_writer.hpp"
#include "taut/simulation.hpp"

namespace taut {

/// A file that a model was read from, and what was in it.
struct FileMark {
  std::string file;
  std::uint64_t hash = 0;

  bool operator==(const FileMark&) const = default;
};

/// What a sweep is: enough to go on with it, elsewhere too.
struct SweepDescription {
  RunDescription run;             ///< what all members share
  std::vector<FileMark> files;    ///< that the model was read from
  std::vector<SweepPlan> blocks;  ///< one after the other: the first, and what was added
  std::string keep = "summary,final,outputs";
  std::string device = "cpu";
  std::optional<double> time_limit;  ///< s of a clock for a member

  std::uint64_t size() const;
  std::vector<std::string> names() const { return blocks.front().names(); }
  std::vector<double> values(std::uint64_t member) const;
};

/// Of a sweep that begins. Throws InputError where a name that varies cannot be set, or is set as well.
SweepDescription describe_sweep(const Model& model, const Options& options, const SweepPlan& plan);

/// The model, as it was when the sweep began. Throws InputError where it can no longer be had, or one of its files says
/// something else now.
Model model_of(const SweepDescription& sweep, const std::vector<Assignment>& set);
/// The options that all members share.
Options options_of(const SweepDescription& sweep, const Model& model);
/// Lanes are made for one kind of coordinates, those of bodies by default, whatever would pay in single runs. The
/// members of a sweep for a device with lanes have these anyway.
Options options_in_lanes(Options options);

std::string to_json(const SweepDescription& sweep);
SweepDescription read_description(const std::string& json);

/// What is different, in words; "" if two sweeps are the same as far as the first block.
std::string difference(const SweepDescription& a, const SweepDescription& b);

}  // namespace taut
