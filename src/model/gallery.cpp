#include "model/gallery.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/auxv.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "expression/parser.hpp"
#include "model/file_text.hpp"
#include "taut/model.hpp"

/// Models by name: files, and the gallery that comes with the program.
namespace taut {
namespace {

namespace fs = std::filesystem;

/// The program, or the library, that this code is part of.
fs::path own_file() {
  Dl_info here{}, program{};
  if (dladdr(reinterpret_cast<const void*>(&own_file), &here) == 0) return {};
  // A program is told of by the name that it was called by, which need not be a path.
  std::error_code error;
  const bool is_program =
      dladdr(reinterpret_cast<const void*>(getauxval(AT_PHDR)), &program) != 0 && program.dli_fbase == here.dli_fbase;
  return is_program ? fs::read_symlink("/proc/self/exe", error) : fs::canonical(here.dli_fname, error);
}

/// Where galleries may stand, the user's own first. One that was installed with the file that runs goes before those
/// that were there when it was compiled: it may have been moved since, with all that belongs to it.
std::vector<fs::path> gallery_directories() {
  std::vector<fs::path> directories;
  if (const char* own = std::getenv("TAUT_MODELS")) directories.emplace_back(own);
#ifdef TAUT_MODELS_BESIDE
  const fs::path folder = own_file().parent_path();
  std::error_code error;
  for (const char* way : {TAUT_MODELS_BESIDE})
    if (const fs::path beside = (folder / way).lexically_normal(); fs::is_directory(beside, error))
      directories.push_back(beside);
#endif
#ifdef TAUT_SOURCE_MODELS
  directories.emplace_back(TAUT_SOURCE_MODELS);
#endif
#ifdef TAUT_INSTALLED_MODELS
  directories.emplace_back(TAUT_INSTALLED_MODELS);
#endif
  return directories;
}

std::string first_comment(const fs::path& path) {
  std::ifstream stream(path);
  std::string line;
  while (std::getline(stream, line)) {
    if (!line.starts_with('#')) continue;
    const std::size_t first = line.find_first_not_of("# ");
    if (first != std::string::npos) return line.substr(first);
  }
  return "";
}

void add_models(const fs::path& directory, std::vector<GalleryModel>& models) {
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(directory, fs::directory_options::skip_permission_denied, error)) {
    if (entry.path().extension() != ".yaml" || !entry.is_regular_file(error)) continue;
    const std::string name = entry.path().lexically_relative(directory).replace_extension().generic_string();
    if (std::ranges::find(models, name, &GalleryModel::name) != models.end()) continue;
    models.push_back({name, entry.path().string(), first_comment(entry.path())});
  }
}

/// A model of the gallery by its name, or by its name without the folder where no other has that.
const GalleryModel* find_in_gallery(const std::vector<GalleryModel>& models, const std::string& name) {
  const auto found = std::ranges::find(models, name, &GalleryModel::name);
  if (found != models.end()) return &*found;
  const GalleryModel* only = nullptr;
  for (const GalleryModel& model : models) {
    if (!model.name.ends_with("/" + name)) continue;
    if (only != nullptr)
      throw InputError(fmt::format("there are several gallery models '{}'", name),
                       fmt::format("give one with its folder: {} or {}", only->name, model.name));
    only = &model;
  }
  return only;
}

/// Files beside the one that is not there, as they would be written.
std::vector<std::string> model_files_near(const std::string& name) {
  const fs::path folder = fs::path(name).parent_path();
  std::vector<std::string> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? "." : folder, error))
    if (entry.is_regular_file(error) && files.size() < 10'000)
      files.push_back((folder / entry.path().filename()).string());
  std::ranges::sort(files);
  return files;
}

std::string gallery_path(const std::string& name) {
  const std::vector<GalleryModel> models = gallery();
  if (const GalleryModel* found = find_in_gallery(models, name)) return found->path;
  std::vector<std::string> known = model_files_near(name);
  const std::string near_file = nearest(name, known);
  if (!near_file.empty())
    throw InputError(fmt::format("there is no file and no gallery model '{}'", name),
                     fmt::format("did you mean '{}'?", near_file));
  known.clear();
  for (const GalleryModel& model : models) known.push_back(model.name.substr(model.name.rfind('/') + 1));
  for (const GalleryModel& model : models) known.push_back(model.name);
  const std::string near = nearest(name, known);
  if (!near.empty()) {
    throw InputError(fmt::format("there is no file and no gallery model '{}'", name),
                     fmt::format("did you mean '{}'?", near));
  }
  throw InputError(fmt::format("there is no file and no gallery model '{}'", name),
                   "give the path of a model file, or a name from 'taut list models'");
}

}  // namespace

std::vector<std::string> gallery_folders() {
  std::vector<std::string> folders;
  for (const fs::path& directory : gallery_directories()) folders.push_back(directory.string());
  return folders;
}

std::vector<GalleryModel> gallery() {
  std::vector<GalleryModel> models;
  for (const fs::path& directory : gallery_directories()) add_models(directory, models);
  std::ranges::sort(models, {}, &GalleryModel::name);
  return models;
}

std::string model_path(const std::string& name) {
  std::error_code error;
  const bool is_file = fs::exists(name, error) && !fs::is_directory(name, error);
  const bool is_in_gallery =
      std::ranges::any_of(gallery(), [&](const GalleryModel& model) { return model.name == name; });
  const bool is_directory = fs::is_directory(name, error) && !is_in_gallery;
  return is_file || is_directory ? name : gallery_path(name);
}

Model load_model(const std::string& name, const std::vector<Assignment>& set) {
  const std::string path = model_path(name);
  return read_model(file_text(path), path, set);
}

}  // namespace taut
