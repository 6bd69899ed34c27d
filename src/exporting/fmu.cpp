#include "exporting/fmu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "exporting/c_code.hpp"
#include "exporting/c_texts.hpp"
#include "exporting/stored_zip.hpp"
#include "expression/system_compiler.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

/// A folder that goes with its owner.
class Workshop {
 public:
  Workshop() {
    std::string pattern = (fs::temp_directory_path() / "taut-fmu-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw InputError("there is no room for compiling in the folder of temporary files");
    folder_ = pattern;
  }
  ~Workshop() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

std::string content_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// The unit as machine code.
std::string compiled(const std::vector<CodeFile>& files) {
  const Workshop workshop;
  for (const CodeFile& file : files)
    if (!(std::ofstream(workshop.folder() / file.name) << file.text).flush())
      throw InputError("cannot write the unit's sources to " + workshop.folder().string());
  const fs::path library = workshop.folder() / "unit.so";
  try {
    compile_library(find_system_compiler(), workshop.folder() / files.back().name, library, workshop.folder());
  } catch (const std::runtime_error& error) {
    throw InputError(std::string("the unit cannot be compiled: ") + error.what(), "install a C compiler");
  }
  return content_of(library);
}

/// FNV-1a over what the unit is made of: the same model gives the same token.
std::string token_of(const std::string& text) {
  std::uint64_t low = 0xcbf29ce484222325ULL, high = 0x84222325cbf29ce4ULL;
  for (const char c : text) {
    low = (low ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    high = (high ^ static_cast<unsigned char>(c)) * 0x100000001b5ULL;
  }
  return fmt::format("{{{:08x}-{:04x}-{:04x}-{:04x}-{:012x}}}", low >> 32, (low >> 16) & 0xFFFF, low & 0xFFFF,
                     high >> 48, high & 0xFFFFFFFFFFFFULL);
}

constexpr const char* build_description = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiBuildDescription fmiVersion="3.0">
  <BuildConfiguration modelIdentifier="{0}" description="C99 and the mathematical library">
    <SourceFileSet language="C99" compilerOptions="-ffp-contract=off">
      <SourceFile name="{1}"/>
    </SourceFileSet>
    <Library name="m"/>
  </BuildConfiguration>
</fmiBuildDescription>
)";

/// In the order of the parameters, as exporting/c/fmu.h counts kinds; C has no empty arrays.
std::vector<int> kinds_of(const ExportedModel& model) {
  std::vector<int> kinds;
  for (const ExportedParameter& p : model.parameters)
    kinds.push_back(p.is_sampled ? 4 : p.calculated ? 3 : p.is_input ? 2 : is_decided(p) ? 5 : p.tunable ? 1 : 0);
  if (kinds.empty()) kinds.push_back(0);
  return kinds;
}

}  // namespace

std::string fmu_source(const ExportedModel& model, FmiVersion version, const std::string& token) {
  const CodeNames names(model);
  std::string text = fmt::format(
      "/* {0} as a functional mock-up unit: version {1}.0 of the interface, Model Exchange and Co-Simulation. */\n"
      "#include \"{0}.c\"\n\n"
      "#define FMU_TYPE {2}\n#define FMU_TOKEN \"{3}\"\n"
      "#define TAUT_DEFAULTS {2}_defaults\n#define TAUT_INIT {2}_init\n#define TAUT_STEP {2}_step\n"
      "#define TAUT_STEP_TO {2}_step_to\n#define TAUT_SENTENCE {2}_sentence\n"
      "#define taut_attraction {4:.17g}\n#define taut_step {5:.17g}\n"
      "enum {{ fmu_parameters = {6} }};\nstatic const int fmu_kinds[] = {{{7}}}, fmu_inputs[] = {{{8}}};\n\n",
      names.file, static_cast<int>(version), names.type, token, default_attraction, *model.options.step,
      model.parameters.size(), fmt::join(kinds_of(model), ", "),
      model.inputs.empty() ? "0" : fmt::format("{}", fmt::join(model.inputs, ", ")));
  text += c_variation_text();
  text += "\n";
  text += c_fmu_text();
  text += "\n";
  return text += version == FmiVersion::two ? c_fmi2_text() : c_fmi3_text();
}

std::string make_fmu(const ExportedModel& model, FmiVersion version) {
  if (!model.projects)
    throw InputError("a unit keeps its constraints by projection, and method braun-goldfarb does not",
                     "choose --method auto");
  const CodeNames names(model);
  const bool two = version == FmiVersion::two;
  std::vector<CodeFile> files = code_of(model, {});
  const std::string token = token_of(files[1].text + std::to_string(static_cast<int>(version)));
  const std::string unit = two ? "fmi2_unit.c" : "fmi3_unit.c";
  files.push_back({unit, fmu_source(model, version, token)});
  std::vector<ZipEntry> entries{{"modelDescription.xml", fmu_description(model, version, token)}};
  const std::string platform = two ? "linux64" : "x86_64-linux";
  entries.push_back({"binaries/" + platform + "/" + names.type + ".so", compiled(files)});
  for (const CodeFile& file : files) entries.push_back({"sources/" + file.name, file.text});
  if (!two) entries.push_back({"sources/buildDescription.xml", fmt::format(build_description, names.type, unit)});
  return stored_zip(entries);
}

}  // namespace taut
