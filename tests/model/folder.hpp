#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "taut/model.hpp"

namespace taut {

/// Model files in a folder of the test's own.
class ModelsInAFolder : public testing::Test {
 protected:
  ModelsInAFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "taut_models_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
  }
  ~ModelsInAFolder() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  Model read(const std::string& text, const std::vector<Assignment>& set = {}) const {
    write("model.yaml", text);
    return load_model(path("model.yaml"), set);
  }
  /// What is wrong with a model.
  InputError error_of(const std::string& text, const std::vector<Assignment>& set = {}) const {
    try {
      initial_values(read(text, set), set);
    } catch (const InputError& error) {
      return error;
    }
    ADD_FAILURE() << "no error";
    return InputError("none");
  }

  std::filesystem::path folder_;
};

}  // namespace taut
